"""One JSON array that arrives in pieces: bytes -> the text of its items.

Gemini streams like this unless it is asked for server-sent events.
"""

from __future__ import annotations

import re
from typing import Final

from ..errors import LimitError, StreamError
from ._buffer import MAX_FRAME, too_large

__all__ = ["Decoder"]

# Each match ends at the next bracket, past whole strings, or at the quote of an unfinished string.
_marks: Final = re.compile(
    rb'(?s)(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+(["\[\]{}]|\Z)'
).finditer
_inside: Final = re.compile(rb'["\\]').search
_space: Final = re.compile(rb"[ \t\r\n]*").match

# Last mark between items -> the marks that may follow it.
_FOLLOWING: Final = {b"": b"[", b"[": b"{]", b"}": b",]", b",": b"{", b"]": b""}


class Decoder:
    """Splits the text of an array of objects into objects. `max_frame` is the most bytes in one."""

    def __init__(self, max_frame: int = MAX_FRAME) -> None:
        self._max_frame = max_frame
        self._item = bytearray()  # the item that has not ended
        self._depth = 0  # within an item
        self._last = b""  # the last mark between items
        self._in_string = False
        self._is_escaped = False
        # Raised again without its traceback, which would grow with every call.
        self._error: StreamError | LimitError | None = None

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the items that `chunk` completes. Raises `LimitError` and `StreamError`."""
        if self._error is not None:
            raise self._error.with_traceback(None)
        out: list[bytes] = []
        at, end = 0, len(chunk)
        while at < end:
            if not self._depth:
                at = self._between(chunk, at, out)
                if self._error is not None:
                    return out
                continue
            begin, at = at, self._within(chunk, at)
            self._item += memoryview(chunk)[begin:at]
            if len(self._item) > self._max_frame:
                self._refuse(too_large(self._max_frame, "json array"), out)
                return out
            if not self._depth:
                out.append(bytes(self._item))
                self._item.clear()
        return out

    def close(self) -> list[bytes]:
        """Return nothing. Raises `StreamError` if the array was cut."""
        if self._error is not None:
            raise self._error.with_traceback(None)
        if self._last not in (b"", b"]"):
            self._refuse(
                StreamError(
                    "the stream ended within the array, expected its rest", wire="json array"
                ),
                [],
            )
        return []

    def _between(self, chunk: bytes, at: int, out: list[bytes]) -> int:
        """Skip white space and one mark; return where to go on, or the end of the chunk."""
        space = _space(chunk, at)
        at = space.end() if space is not None else at
        mark = chunk[at : at + 1]
        if not mark:
            return at
        if mark not in _FOLLOWING[self._last]:
            self._refuse(
                StreamError(
                    "text between objects, expected an array of objects", wire="json array"
                ),
                out,
            )
        elif mark == b"{":
            self._last = b"}"
            self._depth = 1
            self._item += mark
        else:
            self._last = mark
        return at + 1

    def _within(self, chunk: bytes, at: int) -> int:
        """Return where the item ends, or the end of the chunk."""
        if self._in_string:
            at = self._string(chunk, at)
        if at >= len(chunk):
            return len(chunk)
        for match in _marks(chunk, at):
            mark = match[1]
            if mark in (b"}", b"]"):
                self._depth -= 1
                if not self._depth:
                    return match.end()
            elif mark == b'"':
                return self._string(chunk, match.end())
            elif mark:
                self._depth += 1
        return len(chunk)

    def _string(self, chunk: bytes, at: int) -> int:
        """Return where a string ends, or the end of the chunk."""
        self._in_string = True
        if self._is_escaped:
            self._is_escaped = False
            at += 1
        while (match := _inside(chunk, at)) is not None:
            at = match.end()
            if match[0] == b'"':
                self._in_string = False
                return at
            self._is_escaped = at == len(chunk)
            at += 1
        return len(chunk)

    def _refuse(self, error: StreamError | LimitError, out: list[bytes]) -> None:
        """Set the error; raise it now only if there are no items to return."""
        self._error = error
        self._item.clear()
        if not out:
            raise error
