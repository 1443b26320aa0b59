"""AWS event stream (`application/vnd.amazon.eventstream`): bytes -> messages, and back.

A message is a prelude (total length, length of the headers, CRC-32 of both), the headers, the
payload, and a CRC-32 of everything before it; integers are big-endian. Source: the AWS Smithy
specification of `vnd.amazon.eventstream`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final
from zlib import crc32

from ..errors import EncodeError, LimitError, StreamError, quoted
from ._buffer import MAX_FRAME, too_large

__all__ = ["Decoder", "Event", "Headers", "encode"]

Headers = Mapping[str, str | int | bool | bytes]
"""Values by name. A timestamp is milliseconds since 1970, a UUID its 16 bytes."""
Event = tuple[Headers, bytes]
"""The headers of a message, which several messages may share, and its payload."""

_PRELUDE: Final = struct.Struct(">III")
_SIZES: Final = struct.Struct(">II")
_U32: Final = struct.Struct(">I")
_U16: Final = struct.Struct(">H")
_OVERHEAD: Final = _PRELUDE.size + _U32.size
_TRUE, _FALSE, _BYTES, _STRING = 0, 1, 6, 7
# byte, short, integer, long, timestamp, UUID
_FIXED: Final = {
    kind: struct.Struct(form)
    for kind, form in {2: ">b", 3: ">h", 4: ">i", 5: ">q", 8: ">q", 9: ">16s"}.items()
}
_LONGEST_NAME: Final = 255
_LONGEST_VALUE: Final = 32767  # by the specification; the two bytes of the length allow more

# Streams have few sizes and kinds of messages, so their preludes and headers are kept.
_MOST_SIZES: Final = 1024
_MOST_KINDS: Final = 64
_LARGEST_KIND: Final = 512


class Decoder:
    """Splits a byte stream into messages. `max_frame` is the most bytes in one message."""

    def __init__(self, max_frame: int = MAX_FRAME) -> None:
        self._max_frame = max_frame
        self._rest = bytearray()  # the message that has not ended
        self._needed = _PRELUDE.size  # bytes to buffer before the next attempt
        # Raised again without its traceback, which would grow with every call.
        self._error: StreamError | LimitError | None = None

    def feed(self, chunk: bytes) -> list[Event]:
        """Return the messages that `chunk` completes.

        Raises `LimitError` for a message that is too large as soon as its prelude is there,
        `StreamError` for a wrong checksum or length, or malformed headers.
        """
        if self._error is not None:
            raise self._error.with_traceback(None)
        out: list[Event] = []
        if self._rest:
            self._rest += chunk
            if len(self._rest) < self._needed:
                return out
            chunk = bytes(self._rest)
            self._rest.clear()
        at, size = 0, len(chunk)
        try:
            while size - at >= _PRELUDE.size:
                prelude = chunk[at : at + _PRELUDE.size]
                before, total = _lengths(prelude)
                if total > self._max_frame:
                    raise too_large(self._max_frame, "event stream")
                body, end = at + before, at + total
                if end > size:
                    self._needed = total
                    break
                check = end - _U32.size
                if crc32(chunk[at:check]) != _U32.unpack_from(chunk, check)[0]:
                    raise StreamError(
                        "wrong checksum of a message, expected that of its bytes",
                        wire="event stream",
                    )
                text = chunk[at + _PRELUDE.size : body]
                headers = dict(_known(text)) if len(text) <= _LARGEST_KIND else _headers(text)
                out.append((headers, chunk[body:check]))
                at = end
            else:
                self._needed = _PRELUDE.size
        except (StreamError, LimitError) as error:
            self._refuse(chunk[at:], error)
            if self._error is not None and not out:
                raise self._error from None
            return out
        if at < size:
            self._rest += memoryview(chunk)[at:]
        return out

    def _refuse(self, rest: bytes, error: StreamError | LimitError) -> None:
        """Set the error; `rest` is what has not been read."""
        self._error = error

    def close(self) -> list[Event]:
        """Return nothing. Raises `StreamError` if the stream was cut inside a message."""
        if self._error is not None:
            raise self._error.with_traceback(None)
        if self._rest:
            self._error = StreamError(
                "the stream ended within a message, expected its rest", wire="event stream"
            )
            raise self._error
        return []


@lru_cache(_MOST_SIZES)
def _lengths(prelude: bytes) -> tuple[int, int]:
    """Return where the payload begins and where the message ends, from the message's start."""
    total, size, check = _PRELUDE.unpack(prelude)
    if crc32(prelude[: _SIZES.size]) != check:
        raise StreamError(
            "wrong checksum of a prelude, expected that of its bytes", wire="event stream"
        )
    if total < _OVERHEAD + size:
        raise StreamError(
            f"message of {total} bytes, expected at least {_OVERHEAD + size}", wire="event stream"
        )
    return _PRELUDE.size + size, total


def encode(headers: Mapping[str, str], payload: bytes) -> bytes:
    """Return one message; all headers are strings.

    Raises `EncodeError` for a header, or a length, that the format cannot express.
    """
    try:
        head = b"".join(_header(name.encode(), value.encode()) for name, value in headers.items())
    except UnicodeEncodeError as error:
        raise EncodeError("text holds a lone surrogate", wire="event stream") from error
    total = _OVERHEAD + len(head) + len(payload)
    if total >= 1 << 32:
        raise EncodeError(
            f"message of {total:,} bytes, expected less than {1 << 32:,}", wire="event stream"
        )
    sizes = _SIZES.pack(total, len(head))
    message = b"".join((sizes, _U32.pack(crc32(sizes)), head, payload))
    return message + _U32.pack(crc32(message))


def _header(name: bytes, value: bytes) -> bytes:
    if not 0 < len(name) <= _LONGEST_NAME:
        reason = f"header name of {len(name):,} bytes, expected 1 to {_LONGEST_NAME}"
        raise EncodeError(reason, wire="event stream")
    if len(value) > _LONGEST_VALUE:
        reason = f"header value of {len(value):,} bytes, expected at most {_LONGEST_VALUE:,}"
        raise EncodeError(reason, wire="event stream")
    return bytes((len(name),)) + name + bytes((_STRING,)) + _U16.pack(len(value)) + value


@lru_cache(_MOST_KINDS)
def _known(data: bytes) -> Headers:
    """Return the headers of a message of a kind that may come again."""
    return MappingProxyType(_headers(data))  # of all streams


def _headers(data: bytes) -> dict[str, str | int | bool | bytes]:
    headers: dict[str, str | int | bool | bytes] = {}
    at = 0
    try:
        while at < len(data):
            size = data[at]
            name = data[at + 1 : at + 1 + size].decode()
            kind = data[at + 1 + size]
            at += 2 + size
            if name in headers:
                raise StreamError(
                    f"two headers named {quoted(name)}, expected one", wire="event stream"
                )
            if kind in (_TRUE, _FALSE):
                headers[name] = kind == _TRUE
            elif kind in _FIXED:
                headers[name] = _FIXED[kind].unpack_from(data, at)[0]
                at += _FIXED[kind].size
            elif kind in (_BYTES, _STRING):
                end = at + _U16.size + _U16.unpack_from(data, at)[0]
                if end > len(data):
                    raise StreamError(
                        "header beyond the end of its message, expected it within",
                        wire="event stream",
                    )
                value = data[at + _U16.size : end]
                headers[name] = value.decode() if kind == _STRING else value
                at = end
            else:
                reason = f"header of type {kind}, expected 0 to 9"
                raise StreamError(reason, wire="event stream")
    except (IndexError, struct.error, UnicodeDecodeError) as error:
        raise StreamError("malformed headers", wire="event stream") from error
    return headers
