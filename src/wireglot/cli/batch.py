"""Blocks of documents -> blocks on another wire, in one process or several, in order.

A plan says what becomes of a block; here it is lines or rows with a document each, and lines of
another wire. Memory holds a few blocks, however large the input is.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from .._documents.conversion import Target, converted, hinted, kind_of, suffix
from ..errors import DecodeError, EncodeError, WireglotError
from ..losses import Loss
from .documents import Block, in_block, reader
from .summary import Summary

__all__ = ["ONE_LINE", "Made", "Plan", "converted_blocks", "processes"]

ONE_LINE: Final = bytes.maketrans(b"\r\n", b"  ")
"""Maps line ends, which in JSON are only outside strings, to spaces."""
_WORTH_PROCESSES: Final = 32 * 1024 * 1024


_Block = TypeVar("_Block")
_Taken = TypeVar("_Taken", contravariant=True)


class Made(NamedTuple):
    """The result of a block, and what was lost in it."""

    data: Any
    summary: Summary


class Work(Protocol[_Taken]):
    """What becomes of a block. It is pickled for other processes."""

    def made(self, block: _Taken, first: int, /) -> Made:
        """Return the result of a block; `first` is the number of its first document."""
        ...


class Plan(NamedTuple):
    """The wire of the lines, and what to convert them to; `prefix` precedes reported numbers.

    `usual` is the wire and kind of most lines, None if it is not known; `wires` are the arguments
    of `read` for the others. `place` is `line` or `row`.
    """

    usual: tuple[str, str] | None
    wires: dict[str, Any]
    target: Target
    goes_on: bool
    prefix: str = ""
    place: str = "line"

    def made(self, block: Block, first: int) -> Made:
        """Return the converted lines of a block; a bad one ends it, unless the plan goes on."""
        lines = []
        summary = Summary()
        found = reader(self.usual, self.wires)
        for number, line in enumerate(in_block(block), first):
            if line is None:
                continue
            losses: list[Loss] = []
            notes: list[str] = []
            try:
                if isinstance(line, DecodeError):
                    raise line
                reading = found(line)
                summary.wires[reading.wire] += 1
                if suffix(self.target, kind_of(self.target, reading.kind)) != ".json":
                    raise EncodeError(
                        f"{reading.kind} on a line, expected a document of one line",
                        wire=self.target.wire,
                    )
                data = converted(reading, line, self.target, losses, notes)
            except WireglotError as error:
                summary.fault(f"{self.place} {number}: {hinted(error)}")
                if not self.goes_on:
                    break
                continue
            lines.append(data.translate(ONE_LINE) if b"\n" in data or b"\r" in data else data)
            summary.add(losses, notes, f"{self.prefix}{self.place} {number}: ")
        lines.append(b"")
        return Made(b"\n".join(lines), summary)


def processes(asked: int | None, size: int | None) -> int:
    """Return how many processes to use for an input of so many bytes."""
    if asked is not None:
        return asked
    return (os.cpu_count() or 1) if size is not None and size > _WORTH_PROCESSES else 1


def converted_blocks(
    blocks: Iterable[tuple[int, _Block]], plan: Work[_Block], jobs: int
) -> Iterator[Made]:
    """Convert blocks, each with the number of its first document; yield the results in order."""
    if jobs == 1:
        for first, block in blocks:
            yield plan.made(block, first)
        return
    workers = [_Worker(plan) for _ in range(jobs)]
    idle, busy = deque(workers), deque[_Worker]()
    try:
        for first, block in blocks:
            if not idle:
                idle.append(busy.popleft())
                yield idle[0].made()
            busy.append(idle.popleft())
            busy[-1].take(block, first)
        while busy:
            yield busy.popleft().made()
    finally:
        for worker in workers:
            worker.end()


class _Worker:
    """A process that converts a block at a time.

    It has at most one block, so that neither end ever waits for the other to read. A pool with a
    queue can wait for ever when one of its processes is killed.
    """

    def __init__(self, plan: Work[Any]) -> None:
        # A new interpreter: a fork would hold the ends of its siblings' pipes open.
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, plan), daemon=True)
        self._process.start()
        theirs.close()

    def take(self, block: Any, first: int) -> None:
        """Hand over a block, whose first document has the number `first`."""
        with suppress(OSError):  # `made` reports it
            self._pipe.send((block, first))

    def made(self) -> Made:
        """Wait for the result of the block. Raises `EncodeError` if the process has ended."""
        try:
            made: Made | WireglotError = self._pipe.recv()
        except (EOFError, OSError) as error:  # cut between blocks, or in one
            reason = "process ended before its work was done, perhaps for want of memory"
            reason += "; pass --jobs 1"
            raise EncodeError(reason, wire="cli") from error
        if isinstance(made, WireglotError):
            raise made
        return made

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._pipe.close()
        self._process.terminate()
        self._process.join()


def _work(pipe: Connection, plan: Work[Any]) -> None:
    # The keys and the end of a terminal are handled by the parent process, which ends this one.
    for name in ("SIGINT", "SIGHUP", "SIGQUIT"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    with suppress(EOFError, OSError):  # the parent has ended
        while True:
            block, first = pipe.recv()
            try:
                made: Made | WireglotError = plan.made(block, first)
            except WireglotError as error:
                made = error
            pipe.send(made)
