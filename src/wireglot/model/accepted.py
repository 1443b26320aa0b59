"""What the constructors of the model accept, for type checkers: more than what a field then holds.

A type checker takes each of these for a descriptor: its `__set__` says what a constructor and an
assignment accept, its `__get__` what a field holds. At run time they are the types that msgspec
decodes: a list, or a slice of the input (`Raw`), which the owner's `__post_init__` adopts. `Raw`
accepts a null too, and cannot be in a union.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Raw, field

if TYPE_CHECKING:
    from PIL.Image import Image

    from .media import Media
    from .messages import Message
    from .rawjson import Arguments, RawJson
    from .session import AgentMessage

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

    class ListOf(Generic[T]):
        """A list, made of any sequence."""

        def __get__(self, owner: Any, kind: Any) -> list[T]:
            """Return the list."""
            raise NotImplementedError

        def __set__(self, owner: Any, value: Sequence[T]) -> None:
            """Take a sequence."""

    class MaybeListOf(Generic[T]):
        """A list, made of any sequence, or None."""

        def __get__(self, owner: Any, kind: Any) -> list[T] | None:
            """Return the list."""
            raise NotImplementedError

        def __set__(self, owner: Any, value: Sequence[T] | None) -> None:
            """Take a sequence."""

    class _OwnMessage(Protocol):
        """A message of another system's types: a `Record` of `wireglot.formats`."""

        unknown: Any

    class MessageList:
        """Messages, made of those, of a session, or of another system's own messages."""

        def __get__(self, owner: Any, kind: Any) -> list[Message]:
            """Return the messages."""
            raise NotImplementedError

        def __set__(
            self, owner: Any, value: Sequence[Message | AgentMessage | _OwnMessage]
        ) -> None:
            """Take messages."""

    class RawArguments:
        """Arguments, made of a mapping or of the model's text."""

        def __get__(self, owner: Any, kind: Any) -> Arguments:
            """Return the arguments."""
            raise NotImplementedError

        def __set__(self, owner: Any, value: Mapping[str, Any] | RawJson | str | bytes) -> None:
            """Take data, or a text."""

    class RawValue:
        """Raw JSON, made of plain data."""

        def __get__(self, owner: Any, kind: Any) -> RawJson:
            """Return the raw JSON."""
            raise NotImplementedError

        def __set__(self, owner: Any, value: Any) -> None:
            """Take data."""

    class MaybeRawValue:
        """Raw JSON, made of plain data, or None."""

        def __get__(self, owner: Any, kind: Any) -> RawJson | None:
            """Return the raw JSON."""
            raise NotImplementedError

        def __set__(self, owner: Any, value: Any) -> None:
            """Take data."""

    class InlineMedia:
        """Media or None, made of what `Media.of` takes."""

        def __get__(self, owner: Any, kind: Any) -> Media | None:
            """Return the media."""
            raise NotImplementedError

        def __set__(self, owner: Any, value: MediaSource | None) -> None:
            """Take what `Media.of` takes."""
else:
    ListOf = list
    MaybeListOf = list[T] | None
    MediaSource = Any
    RawArguments = RawValue = MaybeRawValue = Raw
    InlineMedia = Annotated[Raw, str | None]
