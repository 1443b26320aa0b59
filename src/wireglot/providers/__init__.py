"""The LLM providers' wires: one folder each, the same names in every one.

A provider is a package; it is loaded when first asked for, here or in `PROVIDERS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from ..losses import Losses
from ..model import Request
from ._routes import Route
from ._transcript import Transcript

if TYPE_CHECKING:
    from . import (
        anthropic,
        bedrock,
        cohere,
        gemini,
        mistral,
        ollama,
        openai_chat,
        openai_responses,
    )

__all__ = [
    "PROVIDERS",
    "Provider",
    "Route",
    "Transcript",
    "anthropic",
    "bedrock",
    "cohere",
    "gemini",
    "mistral",
    "ollama",
    "openai_chat",
    "openai_responses",
]


class Provider(Protocol):
    """What every provider module has."""

    API: str
    """The stable id of the wire, as it stands in `api` fields and as a key of `extras`."""
    DIALECTS: tuple[str, ...]
    """Who speaks the wire, each in a slightly different way; the first is the default."""
    Transcript: type[Transcript]
    """The requests of a growing conversation; see `wireglot.providers.Transcript`."""

    def encode_request(
        self, request: Request, losses: Losses = None, *, dialect: str = ..., repair: bool = False
    ) -> bytes:
        """Encode a request as the body that the provider's API takes."""
        ...

    def decode_request(
        self,
        data: bytes | bytearray | memoryview | str,
        path: str | None = None,
        *,
        dialect: str = ...,
        losses: Losses = None,
    ) -> Request:
        """Decode such a body; `path` is the URL's, where some wires keep model and stream."""
        ...

    def route(self, request: Request, *, dialect: str = ...) -> Route:
        """Return the method, path and headers that go with the body."""
        ...


_NAMES = (
    "anthropic",
    "openai_chat",
    "openai_responses",
    "gemini",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
)


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
