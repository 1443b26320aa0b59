"""A job -> its result, if it stays within a limit of memory."""

import gc
import tracemalloc
from collections.abc import Callable
from typing import TypeVar

import pytest

T = TypeVar("T")


def within(limit: float, job: Callable[[], T]) -> T:
    """Return the result of `job`, which must hold fewer than `limit` bytes at any time.

    Memory that other threads or finalizers use meanwhile is counted too. That seldom happens three
    times in a row, so the job has three attempts.
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
