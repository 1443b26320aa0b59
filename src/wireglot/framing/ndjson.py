"""Newline-delimited JSON: bytes -> lines, and back.

Lines end with LF; a CR before it is kept, because JSON takes it for white space. Blank lines are
skipped.
"""

from __future__ import annotations

from typing import Final

from ..errors import LimitError
from ._buffer import MAX_FRAME, too_large

__all__ = ["Decoder", "encode"]

_ENDS: Final = tuple(
    (character.encode(), b"\\u%04x" % ord(character)) for character in "\x85\u2028\u2029"
)


class Decoder:
    """Splits a byte stream into lines. `max_frame` is the most bytes in one line."""

    def __init__(self, max_frame: int = MAX_FRAME) -> None:
        self._max_frame = max_frame
        self._line = bytearray()  # the line that has not ended
        # Raised again without its traceback, which would grow with every call.
        self._error: LimitError | None = None

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the lines that `chunk` completes. Raises `LimitError`."""
        if self._error is not None:
            raise self._error.with_traceback(None)
        *lines, rest = chunk.split(b"\n")
        if lines and self._line:
            lines[0] = bytes(self._line) + lines[0]
            self._line.clear()
        self._line += rest
        largest = self._max_frame
        if len(chunk) > largest or len(self._line) > largest or (lines and len(lines[0]) > largest):
            return self._up_to_limit(lines)
        return [line for line in lines if line and not line.isspace()]

    def close(self) -> list[bytes]:
        """Return the last line if no line feed ended it. Raises `LimitError`."""
        if self._error is not None:
            raise self._error.with_traceback(None)
        rest = bytes(self._line)
        self._line.clear()
        return [rest] if rest and not rest.isspace() else []

    def _up_to_limit(self, lines: list[bytes]) -> list[bytes]:
        """Return the lines before the first that is too large; raise now if there are none."""
        out: list[bytes] = []
        largest = self._max_frame
        for line in lines:
            if len(line) > largest:
                return self._refuse(out)
            if line and not line.isspace():
                out.append(line)
        return self._refuse(out) if len(self._line) > largest else out

    def _refuse(self, out: list[bytes]) -> list[bytes]:
        self._error = too_large(self._max_frame, "ndjson")
        self._line.clear()
        if not out:
            raise self._error
        return out


def encode(line: bytes) -> bytes:
    """Return one line. Its JSON keeps its meaning, without any character that may end a line.

    Line feeds, which JSON has only between its tokens, become spaces. U+0085, U+2028 and U+2029,
    which JSON has only in strings, become escapes: Python's `str.splitlines` would split there, and
    so would clients built on httpx.
    """
    if b"\n" in line:
        line = line.replace(b"\n", b" ")
    if not line.isascii():
        for character, escape in _ENDS:
            line = line.replace(character, escape)
    return line + b"\n"
