"""The frames of a stream; or the JSON that came in its place, an error or a whole answer.

Services and proxies answer so with status 200, and say nothing before: the first byte tells, as no
stream begins with a brace or a bracket.
"""

from __future__ import annotations

from typing import Final

from ...errors import LimitError, StreamError
from ...framing import eventstream, sse
from ...framing._buffer import MAX_FRAME, too_large

BEFORE: Final = b"\xef\xbb\xbf \t\r\n"
"""What may come before JSON, or before the first event."""
_MOST_BEFORE: Final = 64
_JSON: Final = (b"{", b"[")
_OF_EVENTS: Final = (b"d", b"e", b":")
"""The first byte of `data`, of `event`, and of a comment."""


def _is_json(data: bytes | bytearray) -> bool:
    return data[:_MOST_BEFORE].lstrip(BEFORE).startswith(_JSON)


def _is_undecided(data: bytes) -> bool:
    """Whether there is nothing yet but what may come before JSON."""
    return len(data) < _MOST_BEFORE and not data.strip(BEFORE)


class Events(sse.Decoder):
    """Server-sent events. JSON in their place is `body`, once all of it has come."""

    def __init__(self, max_frame: int = MAX_FRAME) -> None:
        super().__init__(max_frame)
        self.body: bytearray = bytearray()
        self._before: bytes | None = b""
        """What has come before the first byte that tells, None after it."""

    def close(self) -> list[sse.Event]:
        """Return the last event if no blank line ended it. Raises `LimitError`."""
        return [] if self.body else super().close()

    def _go_on(self, chunk: bytes, out: list[sse.Event]) -> bytes:
        if self._before == b"" and chunk[:1] in _OF_EVENTS:  # as nearly all streams begin
            self._before = None
        elif self._before is not None:
            chunk = self._before + chunk
            if _is_undecided(chunk):
                self._before = chunk
                return b""
            self._before = None
            if _is_json(chunk):
                self.body += chunk
        elif self.body:
            self.body += chunk
        if not self.body:
            return super()._go_on(chunk, out)
        if len(self.body) > self._max_frame:
            raise too_large(self._max_frame, "sse")
        return b""


class Messages(eventstream.Decoder):
    """Messages of an AWS event stream. JSON in their place is `body`, once all of it has come."""

    def __init__(self, max_frame: int = MAX_FRAME) -> None:
        super().__init__(max_frame)
        self._is_body = False

    @property
    def body(self) -> bytearray:
        """The JSON that came in place of messages, empty if there is none."""
        return self._rest if self._is_body else bytearray()

    def close(self) -> list[eventstream.Event]:
        """Return nothing. Raises `StreamError` if the stream was cut inside a message."""
        return [] if self._is_body else super().close()

    def _refuse(self, rest: bytes, error: StreamError | LimitError) -> None:
        if self._is_body or _is_json(rest):
            self._is_body = True
            self._needed = self._max_frame + 1
            if len(rest) < self._needed:
                self._rest += rest
                return
            error = too_large(self._max_frame, "event stream")
        elif _is_undecided(rest):
            self._needed = len(rest) + 1
            self._rest += rest
            return
        super()._refuse(rest, error)
