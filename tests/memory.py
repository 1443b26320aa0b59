"""A job -> its result, if it does with so much memory."""

import gc
import tracemalloc
from collections.abc import Callable
from typing import TypeVar

import pytest

T = TypeVar("T")


def within(limit: float, job: Callable[[], T]) -> T:
    """Return the result of `job`, which may hold so many bytes at any time, and no more.

    What other threads of the process do meanwhile is counted too, and so is what the collector
    ends; seldom three times in a row.
    """
    peaks: list[int] = []
    while len(peaks) < 3:
        gc.collect()
        tracemalloc.start()
        try:
            result = job()
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
        if peaks[-1] < limit:
            return result
    pytest.fail(f"{peaks} bytes, and not less than {limit}")
