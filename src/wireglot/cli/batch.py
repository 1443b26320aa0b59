"""Lines with a document each -> lines on another wire, in one process or several, in order.

Memory is that of a few blocks, however large the input is.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Final, NamedTuple

from ..errors import EncodeError, WireglotError
from ..losses import Loss
from .conversion import Target, converted, kind_of, suffix
from .documents import document_on
from .summary import Summary

__all__ = ["ONE_LINE", "Plan", "converted_blocks", "processes"]

ONE_LINE: Final = bytes.maketrans(b"\r\n", b"  ")
"""Line ends, which in JSON stand outside strings alone, as spaces."""
_WORTH_PROCESSES: Final = 32 * 1024 * 1024


class Plan(NamedTuple):
    """What the lines are, and what they are to become; `prefix` goes before their numbers.

    `usual` is the wire and kind of most, `wires` what `detect` is given for the others.
    """

    usual: tuple[str, str]
    wires: dict[str, Any]
    target: Target
    goes_on: bool
    prefix: str = ""


class Made(NamedTuple):
    """What became of a block: its lines, and what was lost in them."""

    data: bytes
    summary: Summary


def processes(asked: int | None, size: int | None) -> int:
    """Return how many processes to use for an input of so many bytes."""
    if asked is not None:
        return asked
    return (os.cpu_count() or 1) if size is not None and size > _WORTH_PROCESSES else 1


def converted_blocks(blocks: Iterable[bytes], plan: Plan, jobs: int) -> Iterator[Made]:
    """Convert blocks of whole lines, each yielded in its turn."""
    if jobs == 1:
        for first, block in _numbered(blocks):
            yield _made(block, first, plan)
        return
    waiting: deque[Future[Made]] = deque()
    with ProcessPoolExecutor(jobs, initializer=_leave_signals) as pool:
        try:
            for first, block in _numbered(blocks):
                waiting.append(pool.submit(_made, block, first, plan))
                if len(waiting) > 2 * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            reason = "a process ended before its work was done, perhaps for want of memory"
            raise EncodeError(reason, wire="cli") from error
        finally:
            pool.shutdown(cancel_futures=True)


def _leave_signals() -> None:
    """Leave Ctrl-C to the process that began the pool: one that breaks off may hold its locks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _numbered(blocks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    number = 1
    for block in blocks:
        yield number, block
        number += block.count(b"\n")


def _made(block: bytes, first: int, plan: Plan) -> Made:
    made = []
    summary = Summary()
    for number, line in enumerate(block.split(b"\n"), first):
        if not line or line.isspace():
            continue
        losses: list[Loss] = []
        notes: list[str] = []
        try:
            found = document_on(line, plan.usual, plan.wires)
            if suffix(plan.target, kind_of(plan.target, found.kind)) != ".json":
                raise EncodeError(f"a {found.kind} does not go on a line", wire=plan.target.wire)
            data = converted(found, line, plan.target, losses, notes)
        except WireglotError as error:
            summary.fault(f"line {number}: {error}")
            if not plan.goes_on:
                break
            continue
        made.append(data.translate(ONE_LINE) if b"\n" in data or b"\r" in data else data)
        summary.add(losses, notes, f"{plan.prefix}line {number}: ")
    made.append(b"")
    return Made(b"\n".join(made), summary)
