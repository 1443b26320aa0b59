"""Message formats of other agent systems, one module each: the system's types, mapped to ours.

Each module reads and writes what its system stores, in bytes that the system's own readers accept,
and maps it to canonical messages and back. What cannot be carried is a loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from .. import _registry
from .._runtime.lazy import lazily
from ..losses import Losses
from ..model import AgentMessage

if TYPE_CHECKING:
    from . import langchain, mcp, operator_use, otel, phi_core, pyagenity, pydantic_ai, ravi

__all__ = [
    "FORMATS",
    "Format",
    "langchain",
    "mcp",
    "operator_use",
    "otel",
    "phi_core",
    "pyagenity",
    "pydantic_ai",
    "ravi",
]


class Format(Protocol):
    """The interface of every format module. Each adds its system's types, and its own options."""

    # Properties, since a checker lets a module have a narrower type only where nothing is set.

    @property
    def API(self) -> str:  # noqa: N802 -- a constant of the module
        """The system's name, and its key in `extras`."""
        ...

    @property
    def MESSAGE(self) -> Any:  # noqa: N802 -- a type of the module
        """The type of the items of a stored conversation."""
        ...

    def decode(self, data: Any, type: Any = None, *, losses: Losses = None) -> Any:
        """Decode a stored conversation as canonical messages, `list[AgentMessage]`.

        With `type`, a type of the system or a `list` of it, decode one document as that.

        Raises `DecodeError`.
        """
        ...

    def encode(self, value: Any, *, losses: Losses = None) -> bytes:
        """Encode canonical messages as the system stores them, or values of its own types.

        Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
        """
        ...

    def to_canonical(self, messages: Iterable[Any]) -> list[AgentMessage]:
        """Return the system's own messages as canonical ones. Raises `DecodeError`."""
        ...

    def from_canonical(self, messages: Iterable[Any], *, losses: Losses = None) -> list[Any]:
        """Return canonical messages as the system's own. Raises as `encode` does."""
        ...


FORMATS: Mapping[str, Format] = _registry.FORMATS
"""Every format by name, in a stable order: ours, then those of other distributions, by name.

The entry points of other distributions are in the group `wireglot.formats`.
"""

if not TYPE_CHECKING:  # to a type checker every name would be there
    __getattr__, __dir__ = lazily(__name__, {name: f".{name}" for name in _registry.FORMAT_NAMES})
