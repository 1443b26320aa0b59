"""A job -> the memory that it takes."""

import gc
import tracemalloc
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def peak(job: Callable[[], T]) -> tuple[int, T]:
    """Return the most bytes that `job` held at any time, and its result: the least of three runs.

    What other threads of the process do meanwhile is counted too, and so is what the collector
    ends; seldom three times in a row.
    """
    return min((_peak(job) for _ in range(3)), key=lambda measured: measured[0])


def _peak(job: Callable[[], T]) -> tuple[int, T]:
    gc.collect()
    tracemalloc.start()
    try:
        result = job()
        return tracemalloc.get_traced_memory()[1], result
    finally:
        tracemalloc.stop()
