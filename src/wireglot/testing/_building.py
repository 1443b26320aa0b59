"""Types and strategies of their fields -> strategies that shrink to the type's smallest value."""

from __future__ import annotations

from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Struct
from msgspec.structs import fields

from ..model import Extras
from ..model.place import PLACE
from ._once import once
from .values import extras, json_objects, json_values, texts

T = TypeVar("T")
S = TypeVar("S", bound=Struct)

COUNTS = st.integers(0, 2**53)
INT64 = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def maybe(strategy: SearchStrategy[T]) -> SearchStrategy[T | None]:
    """Return a strategy of None or a value, which shrinks to None."""
    return st.none() | strategy


def one_kind(*kinds: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Draw from one of several strategies, each as often; shrinks to the first.

    `|` would flatten them: most blocks would be media, which have the most kinds.
    """
    return st.sampled_from(kinds).flatmap(lambda kind: kind)


def build(
    kind: type[S],
    required: dict[str, SearchStrategy[Any]],
    /,
    **optional: SearchStrategy[Any],
) -> SearchStrategy[S]:
    """Build a Struct; a third of them with optional fields, so that the examples stay small.

    An optional field that is not named is drawn by its type. The place of a message is not drawn.
    """
    apart = {*required, *optional, *PLACE}
    rest = {info.name: _drawn()[info.type] for info in fields(kind) if info.name not in apart}
    bare = st.builds(kind, **required)
    return bare | bare | st.builds(kind, **required, **optional, **rest)


@once
def _drawn() -> dict[Any, SearchStrategy[Any]]:
    """Return the strategy of each type of a field whose values need no more than the type."""
    return {
        Any: json_values(),
        bool: st.booleans(),
        bool | None: maybe(st.booleans()),
        dict[str, Any] | None: maybe(json_objects()),
        Extras | None: extras(),
        float | None: maybe(FLOATS),
        int | None: maybe(COUNTS),
        list[int] | None: maybe(st.lists(COUNTS, max_size=2)),
        list[str] | None: maybe(st.lists(texts(), max_size=2)),
        str | None: maybe(texts()),
        str | int | None: st.none() | texts() | INT64,
    }
