"""Server-sent events (WHATWG HTML, section 9.2.6): bytes -> (event name, data), and back.

Lines end with LF, CRLF or CR. Comments, `id`, `retry` and events without data are skipped.
"""

from __future__ import annotations

from typing import Final

from ..errors import EncodeError, LimitError
from ._buffer import MAX_FRAME, too_large

__all__ = ["Decoder", "Event", "encode"]

Event = tuple[bytes, bytes]
"""The name of an event, empty if it has none, and its data, joined by LF."""

_BOM: Final = b"\xef\xbb\xbf"
_LF, _CR = 10, 13  # `in` and `find` are much faster for a number than for a byte string


class Decoder:
    """Splits a byte stream into events. A chunk may end anywhere, even inside a character.

    `max_frame` is the most bytes in one line, and in the data of one event.
    """

    def __init__(self, max_frame: int = MAX_FRAME) -> None:
        self._max_frame = max_frame
        self._line = bytearray()  # the line that has not ended
        self._name = b""
        self._data: bytearray | None = None  # that of the unfinished event
        self._is_between = False  # whether no event has begun
        self._is_first = True
        self._after_cr = False
        self._head = b"data: "  # the first bytes of the last one-line event
        self._head_name = b""
        # Raised again without its traceback, which would grow with every call.
        self._error: LimitError | None = None

    def feed(self, chunk: bytes) -> list[Event]:
        """Return the events that `chunk` completes. Raises `LimitError`."""
        head = self._head
        data = chunk[len(head) : -2]
        if (  # most chunks: exactly one event, which begins like the last
            self._is_between
            and _LF not in data
            and head + data + b"\n\n" == chunk
            and _CR not in data
            and not self._after_cr
            and len(chunk) <= self._max_frame
        ):
            return [(self._head_name, data)]
        out: list[Event] = []
        if self._after_cr and chunk:  # an LF after the CR belongs to the same line end
            chunk = chunk.removeprefix(b"\n")
            self._after_cr = False
        if _CR in chunk:
            self._after_cr = chunk[-1] == _CR
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if not self._is_between:
            chunk = self._go_on(chunk, out)
        size = len(chunk)
        if size > self._max_frame:
            self._take(chunk, out)
            return out
        at, find = 0, chunk.find
        while at < size:
            # Nearly all events are one line of data, with or without a name before it.
            name, begin, end = b"", at, find(_LF, at)
            if chunk[at : at + 7] == b"event: " and end > 0:
                name, begin, end = chunk[at + 7 : end], end + 1, find(_LF, end + 1)
            if chunk[begin : begin + 6] == b"data: " and chunk[end : end + 2] == b"\n\n":
                out.append((name, chunk[begin + 6 : end]))
                self._head, self._head_name = chunk[at : begin + 6], name
                at = end + 2
                continue
            end = find(b"\n\n", at) + 2
            if end < 2:
                end = size
            self._take(chunk[at:end], out)
            at = end
        return out

    def close(self) -> list[Event]:
        """Return the last event if no blank line ended it. Raises `LimitError`."""
        if self._error is not None:
            raise self._error.with_traceback(None)
        out: list[Event] = []
        self._take(b"\n\n", out)
        return out

    def _go_on(self, chunk: bytes, out: list[Event]) -> bytes:
        """Consume the rest of the event that has begun; return what follows it."""
        if self._error is not None:
            raise self._error.with_traceback(None)
        if self._is_first:
            chunk = bytes(self._line) + chunk
            self._line.clear()
            if len(chunk) < len(_BOM) and _BOM.startswith(chunk):
                self._line += chunk
                return b""
            self._is_first = False
            self._is_between = True
            return chunk.removeprefix(_BOM)
        if _LF not in chunk:
            self._line += chunk
            if len(self._line) > self._max_frame:
                self._refuse(out)
            return b""
        if self._data is None and not self._name:  # only one line has begun
            chunk = bytes(self._line) + chunk
            self._line.clear()
            self._is_between = True
            return chunk
        if chunk[0] == _LF and not self._line:
            end = 1
        else:
            end = chunk.find(b"\n\n") + 2
            if end == 1:
                end = len(chunk)
        self._take(chunk[:end], out)
        return chunk[end:]

    def _take(self, piece: bytes, out: list[Event]) -> None:
        """Consume lines; the last one may be unfinished."""
        *lines, rest = piece.split(b"\n")
        if lines and self._line:
            lines[0] = bytes(self._line) + lines[0]
            self._line.clear()
        largest = self._max_frame
        for line in lines:
            if not line:
                if self._data is not None:
                    out.append((self._name, bytes(self._data)))
                    self._data = None
                self._name = b""
                continue
            if len(line) > largest:
                return self._refuse(out)
            field, _, value = line.partition(b":")
            if field == b"data":
                value = value.removeprefix(b" ")
                if self._data is None:
                    self._data = bytearray(value)
                else:
                    self._data += b"\n"
                    self._data += value
                    if len(self._data) > largest:
                        return self._refuse(out)
            elif field == b"event":
                self._name = value.removeprefix(b" ")
        self._line += rest
        if len(self._line) > largest:
            return self._refuse(out)
        self._is_between = not self._line and self._data is None and not self._name

    def _refuse(self, out: list[Event]) -> None:
        """Set the error; raise it now only if there are no events to return."""
        self._error = too_large(self._max_frame, "sse")
        self._is_between = self._is_first = False
        self._line.clear()
        self._data = None
        if not out:
            raise self._error


def encode(data: bytes, name: bytes = b"") -> bytes:
    """Return one event. A line end of any kind in `data` arrives as LF.

    Raises `EncodeError` for a name of more than one line.
    """
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    data = data.replace(b"\n", b"\ndata: ")
    if not name:
        return b"data: " + data + b"\n\n"
    if b"\n" in name or b"\r" in name:
        raise EncodeError("line break in the name of an event, expected one line", wire="sse")
    return b"event: " + name + b"\ndata: " + data + b"\n\n"
