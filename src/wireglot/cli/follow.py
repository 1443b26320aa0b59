"""The name of a file that grows -> its lines, while another program writes them.

The file is looked at four times a second. The notices of an operating system would come sooner, but
each system has its own, and none comes from a network's file system.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from io import FileIO
from typing import Final

from .sources import Source

__all__ = ["followed", "pause"]

_SECONDS: Final = 0.25


def pause() -> None:
    """Wait until it is time to look at the file again."""
    time.sleep(_SECONDS)


def followed(name: str, wait: Callable[[], object]) -> Iterator[Source]:
    """Yield a file as an input whose blocks come as they are written; it does not end by itself.

    When the file is replaced by another one of that name, or is cut shorter, the input ends, and
    the next one is the file from its start. What was written of a last line belongs to the input
    that ends. A file that was cut, and has grown beyond its old size before the next look, is taken
    for one that has grown. `wait` is called whenever there is nothing to read.

    Raises `OSError`.
    """
    while True:
        with _Growing(name, wait) as stored:
            yield Source(name, stored, None, is_growing=True)


class _Growing(FileIO):
    """A file at whose end `read` waits for more."""

    def __init__(self, name: str, wait: Callable[[], object]) -> None:
        super().__init__(name)
        self._path = name
        self._wait = wait

    def read(self, size: int | None = -1, /) -> bytes:
        """Return what there is, or nothing once the file was replaced or cut."""
        while not (data := super().read(size)):
            if self._is_over():
                return super().read(size) or b""  # written between the two looks
            self._wait()
        return data

    def _is_over(self) -> bool:
        here = os.fstat(self.fileno())
        try:
            there = os.stat(self._path)
        except FileNotFoundError:  # moved away: the next one may not be there yet
            return False
        return not os.path.samestat(here, there) or here.st_size < self.tell()
