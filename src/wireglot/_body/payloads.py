"""Decode a JSON body without its large payloads, which media values then adopt as slices.

A JSON decoder looks at every byte of a string, at some 4 GB/s. `bytes.find` reaches the next quote
twenty times as fast. So a string that looks like large base64 or a `data:` URL is taken out of the
body before the decode, and a short random word replaces it. The media value that finds the word
gets the slice. The body is decoded again, unchanged, in these cases:

- No media value has found a word. Its string was plain text, or under a duplicate key, or it was
  not a string but the span between two strings.
- Raw JSON holds a word. Raw JSON must be passed on as received.
- Any error, or any loss. Its path must be one of the original body.

A sender cannot write the word into a body, because each body gets a new one.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Raw

from ..losses import Losses
from ..model.source import Lifted, taken_out

LARGE = 65_536
"""A payload of this many bytes is always taken out; one of half as many, sometimes."""

_BACKSLASH: Final = ord("\\")
# Only a string that begins like a payload is taken out: other text would cost a second decode.
_PAYLOAD: Final = re.compile(rb'"(?:data:[^,"\\]{0,200},)?[A-Za-z0-9+/_-]{16}')
_Read = TypeVar("_Read")


def lifting(read: Callable[[Any, Losses], _Read], data: Any, losses: Losses = None) -> _Read:
    """Return `read(data, losses)`; `read` may see `data` without its large payloads.

    Payloads are taken out of `bytes` only. Raises what `read` raises.
    """
    if len(data) >= LARGE and type(data) is bytes:
        body, payloads = _without_payloads(data)
        if payloads is not None:
            body_losses: Losses = None if losses is None else []
            token = taken_out.set(payloads)
            try:
                value = read(body, body_losses)
                # Losses of a shortened body have wrong paths.
                if payloads.is_whole() and not body_losses:
                    return value
            except (ValueError, RecursionError, msgspec.DecodeError):
                pass
            finally:
                taken_out.reset(token)
    if taken_out.get() is None:
        return read(data, losses)
    token = taken_out.set(None)  # a body within a body: the outer words do not apply to it
    try:
        return read(data, losses)
    finally:
        taken_out.reset(token)


def _without_payloads(data: bytes) -> tuple[bytes, Lifted | None]:
    """Take out each string that has at least `LARGE` bytes without a quote.

    The search looks for a quote once every `LARGE // 2` bytes. Between two unescaped quotes lies a
    whole string, or the span between two strings. A word in place of such a span is invalid JSON,
    so the decode fails and the body is read again.
    """
    payloads: Lifted | None = None
    parts: list[bytes | memoryview] = []
    whole = memoryview(data)
    step = LARGE // 2
    start = 0
    at = step
    while at < len(data):
        end = data.find(b'"', at)
        if end < 0:
            break
        begin = data.rfind(b'"', start, at) if end - at >= step else -1
        if (
            begin > 0
            and data[begin - 1] != _BACKSLASH
            and data[end - 1] != _BACKSLASH
            and _PAYLOAD.match(data, begin)
        ):
            if payloads is None:
                payloads = Lifted(secrets.token_hex(16).encode())
            parts += (whole[start:begin], payloads.word(Raw(whole[begin : end + 1])))
            start = end + 1
        at = end + step
    if payloads is None:
        return data, None
    parts.append(whole[start:])
    return b"".join(parts), payloads
