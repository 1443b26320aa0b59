"""What the constructors of the model accept, for type checkers: more than what a field then holds.

A type checker takes each of these for a descriptor (`Field`): its `__set__` says what a constructor
and an assignment accept, its `__get__` what a field holds. At run time they are the types that
msgspec decodes: a list, or a slice of the input (`Raw`), which the owner's `__post_init__` adopts.
`Raw` accepts a null too, and cannot be in a union.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias, TypeVar

from msgspec import Raw, field

if TYPE_CHECKING:
    from PIL.Image import Image

    from .media import Media
    from .messages import Message
    from .rawjson import Arguments, RawJson
    from .session import AgentMessage, LlmMessage

__all__ = [
    "NOTHING",
    "InlineMedia",
    "ListOf",
    "MaybeListOf",
    "MaybeRawValue",
    "MediaSource",
    "RawArguments",
    "RawValue",
    "empty",
    "written_empty",
]

T = TypeVar("T")
Held = TypeVar("Held", covariant=True)
Given = TypeVar("Given", contravariant=True)

NOTHING: Any = None
"""The default of a field that is unset, whatever the field's descriptor."""


def empty() -> Any:
    """Return the default of a field that is an empty list, and left out when it is empty."""
    return field(default_factory=list)


def written_empty() -> Any:
    """Return the default of a field that is an empty list, and written so."""
    return field(default_factory=lambda: [])  # what `list` makes would be left out


if TYPE_CHECKING:
    MediaSource: TypeAlias = (
        "Media | bytes | bytearray | memoryview | str | os.PathLike[str] | Image"
    )

    class _OwnMessage(Protocol):
        """A message of another system's types: a `Record` of `wireglot.formats`."""

        unknown: Any

    class Field(Protocol[Held, Given]):
        """A field that holds one type and accepts another."""

        def __get__(self, owner: Any, kind: Any) -> Held:
            """Return what the field holds."""
            ...

        def __set__(self, owner: Any, value: Given) -> None:
            """Take what the field accepts."""
            ...

    ListOf: TypeAlias = Field[list[T], Sequence[T]]
    MaybeListOf: TypeAlias = Field[list[T] | None, Sequence[T] | None]
    MessageList: TypeAlias = Field[list[Message], Sequence[AgentMessage | LlmMessage | _OwnMessage]]
    RawArguments: TypeAlias = Field[Arguments, Mapping[str, Any] | RawJson | str | bytes]
    RawValue: TypeAlias = Field[RawJson, Any]
    MaybeRawValue: TypeAlias = Field[RawJson | None, Any]
    InlineMedia: TypeAlias = Field[Media | None, MediaSource | None]
else:
    ListOf = list
    MaybeListOf = list[T] | None
    MediaSource = Any
    RawArguments = RawValue = MaybeRawValue = Raw
    InlineMedia = Annotated[Raw, str | None]
