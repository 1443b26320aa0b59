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

_LEAST = 0.5e-3
"""Seconds. A function that takes less is run several times between two looks at the clock."""


class Pair(NamedTuple):
    """Medians in seconds, and the median of the ratios of the single runs."""

    ours: float
    peer: float
    ratio: float


def paired(ours: Callable[[], Any], peer: Callable[[], Any], rounds: int) -> Pair:
    """Time both `rounds` times, alternating, after some runs of each to warm up."""
    ours_each, peer_each = _often(ours), _often(peer)
    a: list[float] = []
    b: list[float] = []
    gc.collect()
    for _ in range(rounds):
        a.append(_timed(ours, ours_each))
        b.append(_timed(peer, peer_each))
    ratio = statistics.median(x / y for x, y in zip(a, b, strict=True))
    return Pair(statistics.median(a), statistics.median(b), ratio)


def _often(function: Callable[[], Any]) -> int:
    """Return how often a function has to run for the clock to tell; the first run only warms up."""
    function()
    took = min(_timed(function, 1) for _ in range(3))
    return max(1, round(_LEAST / max(took, 1e-7)))


def _timed(function: Callable[[], Any], times: int) -> float:
    """Return the seconds of one run."""
    runs = range(times)
    result: Any = None
    start = time.thread_time()
    for _ in runs:
        result = function()
    took = time.thread_time() - start
    del result  # freeing the last one is not timed
    return took / times
