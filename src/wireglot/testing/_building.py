"""Types and strategies of their fields -> strategies that shrink to the type's smallest value."""

from __future__ import annotations

from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Struct

from .values import extras

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
    """Build a Struct; a third of them with optional fields, so that the examples stay small."""
    if "extras" in kind.__struct_fields__:
        optional["extras"] = extras()
    bare = st.builds(kind, **required)
    return bare | bare | st.builds(kind, **required, **optional)
