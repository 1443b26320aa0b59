"""Anthropic's events as Bedrock's InvokeModel frames them: base64 in an AWS event stream.

It is apart from `stream.py` because it is a framing, of one dialect alone: it knows no event.
Source: Amazon Bedrock's API reference, `InvokeModelWithResponseStream`.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct, field

from ..._body.encode import encode_json as encode
from ..._body.faults import located
from ...errors import StreamError
from ...framing import eventstream, sse
from .._codecs.framers import Messages

# Exception of the service -> type of Anthropic's error.
_ERRORS: Final = {
    "validationException": "invalid_request_error",
    "throttlingException": "rate_limit_error",
    "modelTimeoutException": "timeout_error",
    "serviceUnavailableException": "overloaded_error",
}
_HEADERS: Final = {
    ":event-type": "chunk",
    ":content-type": "application/json",
    ":message-type": "event",
}


class _Chunk(Struct):
    event: bytes = field(name="bytes")


class _Exception(Struct):
    message: str = ""


_chunk = msgspec.json.Decoder(_Chunk).decode
_exception = msgspec.json.Decoder(_Exception).decode


class Decoder:
    """Cuts an AWS event stream into the server-sent events that Anthropic's own API would send."""

    def __init__(self, max_frame: int) -> None:
        self._messages = Messages(max_frame)
        self._error: StreamError | None = None

    @property
    def body(self) -> bytearray:
        """The JSON that came in place of messages, empty if there is none."""
        return self._messages.body

    def feed(self, chunk: bytes) -> list[sse.Event]:
        """Return the events that `chunk` completes. Raises `LimitError` and `StreamError`."""
        if self._error is not None:
            raise self._error
        out: list[sse.Event] = []
        try:
            for message in self._messages.feed(chunk):
                event = _unwrapped(message)
                if event is not None:
                    out.append(event)
        except StreamError as error:
            self._error = error
            if not out:
                raise
        return out

    def close(self) -> list[sse.Event]:
        """Return nothing. Raises `StreamError` if the stream was cut inside a message."""
        if self._error is not None:
            raise self._error
        self._messages.close()
        return []


def _unwrapped(message: eventstream.Event) -> sse.Event | None:
    """Return the event in a message; None if it holds none."""
    headers, payload = message
    try:
        if headers.get(":event-type") == "chunk":
            return b"", _chunk(payload).event
        if headers.get(":message-type") not in ("exception", "error"):
            return None
        text = _exception(payload).message if payload else ""
    except (msgspec.DecodeError, UnicodeError) as error:
        reason, below = located(error)
        raise StreamError(reason, wire="anthropic", path="$" + below) from error
    name = str(headers.get(":exception-type") or headers.get(":error-code") or "")
    text = text or str(headers.get(":error-message") or name)
    inner = {"type": _ERRORS.get(name, "api_error"), "message": text}
    return b"", encode({"type": "error", "error": inner})


def wrapped(events: bytes) -> bytes:
    """Wrap whole server-sent events in messages of an AWS event stream."""
    return b"".join(
        eventstream.encode(_HEADERS, encode({"bytes": data}))
        for _, data in sse.Decoder().feed(events)
    )
