"""A function that makes a strategy -> the same function, which makes it only once.

Making a strategy of the whole model takes longer than drawing from it, and tests ask for one in
each example.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


def once(make: Callable[P, R]) -> Callable[P, R]:
    """Cache what `make` returns, by its arguments."""
    return cast("Callable[P, R]", cache(make))
