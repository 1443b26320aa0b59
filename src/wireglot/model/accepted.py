"""What the constructors of the model accept, for type checkers: more than what a field then holds.

A type checker takes each of these for a descriptor (`Field`): its `__set__` says what a constructor
and an assignment accept, its `__get__` what a field holds. At run time they are the types that
msgspec decodes. What accepts raw JSON is in `rawjson.py`, what accepts media in `media.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from msgspec import field

__all__ = ["NOTHING", "Field", "ListOf", "MaybeListOf", "empty", "written_empty"]

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
else:
    ListOf = list
    MaybeListOf = list[T] | None
