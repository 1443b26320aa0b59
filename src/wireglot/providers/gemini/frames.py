"""Network chunks of any size -> the JSON of each chunk of an answer, however Gemini frames it.

A file of its own, since it knows bytes alone, as the framers of `wireglot.framing` do; but the mix
of forms that it reads is this API's.
"""

from __future__ import annotations

import re
from typing import Any

from ...errors import LimitError
from ...framing import jsonarray, sse
from ...framing._buffer import too_large

_blank = re.compile(rb"\A(?:\xef\xbb\xbf)?[ \t\r\n]{0,64}").match
# JSON in an event stream without `data:`: the API breaks off with an error in this form.
_bare = re.compile(rb"[\r\n]\{").search


class Framer:
    """Cuts server-sent events, or the array that comes without `alt=sse`, into frames.

    A body that is neither, that of an error, is one frame at the end.
    """

    def __init__(self, max_frame: int) -> None:
        self._max_frame = max_frame
        self._events = sse.Decoder(max_frame)
        self._array: jsonarray.Decoder | None = None
        self._begun = b""
        self._last = b""  # last byte of the chunk before, once the stream has begun
        self._is_between = False  # whether no event is open
        self._rest: list[bytes] | None = None  # bare JSON, to the end of the stream
        self._size = 0

    def feed(self, chunk: bytes) -> list[Any]:
        """Return the frames that `chunk` completes. Raises `LimitError` and `StreamError`."""
        if self._last:
            if self._is_between and chunk[:6] == b"data: ":
                size = len(chunk)
                end = chunk.find(b"\n")  # most chunks are one event of one line
                if end == size - 3 and size <= self._max_frame:
                    if chunk[-4:] == b"\r\n\r\n" and chunk.find(b"\r") == size - 4:
                        return [chunk[6:-4]]
                elif (
                    end == size - 2
                    and chunk[-1:] == b"\n"
                    and size <= self._max_frame
                    and b"\r" not in chunk
                ):
                    return [chunk[6:-2]]
            if self._array is not None:
                return self._array.feed(chunk)
            if self._rest is not None:
                return self._keep(chunk)
            if b"\n{" in chunk or b"\r{" in chunk or chunk[:1] == b"{":
                return self._with_bare(chunk)
            if chunk:
                self._note(chunk)
            return self._events.feed(chunk)
        self._begun += chunk
        start = _blank(self._begun)
        first = self._begun[start.end() :] if start is not None else self._begun
        if not first or first in (b"\xef", b"\xef\xbb"):
            return []
        chunk, self._begun = self._begun, b""
        self._last = chunk[-1:]
        if first[:1] == b"[":
            self._array = jsonarray.Decoder(self._max_frame)
            return self._array.feed(first)
        if first[:1] == b"{":
            return self._keep(first)
        return self._with_bare(chunk)

    def close(self) -> list[Any]:
        """Return the frames that the end completes."""
        if self._array is not None:
            return self._array.close()
        if self._rest is not None:
            self._keep(b"")  # raises again what `feed` may have kept back
            return [b"".join(self._rest)]
        return self._events.close()

    def _with_bare(self, chunk: bytes) -> list[Any]:
        """Split a chunk where a line begins with a brace."""
        if self._last in b"\r\n" and chunk[:1] == b"{":
            return self._then_bare([], chunk)
        self._note(chunk)
        match = _bare(chunk)
        if match is None:
            return self._events.feed(chunk)
        at = match.start() + 1
        return self._then_bare(self._events.feed(chunk[:at]), chunk[at:])

    def _then_bare(self, frames: list[Any], bare: bytes) -> list[Any]:
        """Add the event that did not end to the frames, and begin with bare JSON."""
        try:
            frames += self._events.close()
            frames += self._keep(bare)
        except LimitError:  # which the next call raises again
            if not frames:
                raise
        return frames

    def _note(self, chunk: bytes) -> None:
        self._last = chunk[-1:]
        # In a chunk within the limit, no error can stand behind the frames.
        self._is_between = len(chunk) <= self._max_frame and (
            chunk[-2:] == b"\n\n" or chunk[-4:] == b"\r\n\r\n"
        )

    def _keep(self, piece: bytes) -> list[Any]:
        if self._rest is None:
            self._rest = []
            self._is_between = False
        self._rest.append(piece)
        self._size += len(piece)
        if self._size > self._max_frame:
            raise too_large(self._max_frame, "gemini")
        return []
