"""The bytes of an answer that passes through -> what it says of itself, for the counts."""

from __future__ import annotations

from contextlib import suppress

from ..errors import WireglotError
from ..model import Response
from ..model.events import StreamEnd, StreamEvent
from ..providers import Provider

__all__ = ["Reader"]


class Reader:
    """Reads along what a client is sent, and passes over what it cannot read.

    A whole answer is kept until its end, if it has no more than `largest` bytes.
    """

    def __init__(self, provider: Provider, is_stream: bool, largest: int) -> None:
        self._provider = provider
        self._decoder = provider.StreamDecoder(losses=[]) if is_stream else None
        self._chunks: list[bytes] = []
        self._left = largest
        self._response: Response | None = None

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self._left -= len(chunk)
        if self._decoder is not None:
            with suppress(WireglotError):
                self._take(self._decoder.feed(chunk))
        elif self._left >= 0:
            self._chunks.append(chunk)
        else:
            self._chunks.clear()

    def close(self) -> Response | None:
        """Return the answer, None if it could not be read."""
        with suppress(WireglotError):
            if self._decoder is None:
                return self._provider.decode_response(b"".join(self._chunks), losses=[])
            self._take(self._decoder.finish())
        return self._response

    def _take(self, events: list[StreamEvent]) -> None:
        for event in events:
            if isinstance(event, StreamEnd):
                self._response = event.response
