"""Paired timing: two functions alternate, so that a machine that slows down slows both.

Times are CPU time of the thread: other work of the machine does not count.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Pair", "paired"]


class Pair(NamedTuple):
    """Medians in seconds, and the median of the ratios of the single runs."""

    ours: float
    peer: float
    ratio: float


def paired(ours: Callable[[], Any], peer: Callable[[], Any], rounds: int) -> Pair:
    """Time both `rounds` times, alternating, after one run of each to warm up."""
    ours()
    peer()
    a: list[float] = []
    b: list[float] = []
    gc.collect()
    for _ in range(rounds):
        a.append(_timed(ours))
        b.append(_timed(peer))
    ratio = statistics.median(x / y for x, y in zip(a, b, strict=True))
    return Pair(statistics.median(a), statistics.median(b), ratio)


def _timed(function: Callable[[], Any]) -> float:
    start = time.thread_time()
    result = function()
    took = time.thread_time() - start
    del result  # freeing it is not timed
    return took
