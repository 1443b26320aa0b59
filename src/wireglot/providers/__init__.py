"""The LLM providers' wires: one folder each, the same names in every one.

A provider is a package; it is loaded when first asked for, here or in `PROVIDERS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from ..losses import Losses
from ..model import Request

if TYPE_CHECKING:
    from . import anthropic

__all__ = ["PROVIDERS", "Provider", "anthropic"]


class Provider(Protocol):
    """What every provider module has."""

    API: str
    """The stable id of the wire, as it stands in `api` fields and as a key of `extras`."""

    def encode_request(
        self, request: Request, losses: Losses = None, *, repair: bool = False
    ) -> bytes:
        """Encode a request as the body that the provider's API takes."""
        ...


_NAMES = ("anthropic",)


class _Providers(Mapping[str, Provider]):
    """Name -> module, loaded on access, in a stable order."""

    def __getitem__(self, name: str) -> Provider:
        if name not in _NAMES:
            raise KeyError(name)
        return cast("Provider", import_module(f".{name}", __name__))

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


PROVIDERS: Mapping[str, Provider] = _Providers()
"""Every provider, by the name of its module."""


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
