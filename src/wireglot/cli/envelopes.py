"""A line of a provider's batch -> the request or the answer in it.

OpenAI's lines, whose form other providers copied, have a `body`, or a `response` with a `body`; a
request of Anthropic's has `params`, and a result a `message`. In both, `custom_id` names the
request.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw, Struct

from .._body.surrogates import mended_text
from ..errors import DecodeError, quoted

__all__ = ["body_on"]

_NONE: Final = (b"", b"null")


class _Answer(Struct):
    body: Raw = Raw()


class _Result(Struct):
    type: str = ""
    message: Raw = Raw()
    error: Raw = Raw()


class _Line(Struct):
    custom_id: str
    body: Raw = Raw()
    params: Raw = Raw()
    response: _Answer | None = None
    result: _Result | None = None
    error: Raw = Raw()


_line = msgspec.json.Decoder(_Line).decode


def body_on(line: bytes) -> bytes | None:
    """Return the request, answer or error in a line of a batch; None for any other line.

    Raises `DecodeError` for a result that has none of them, as that of a request that expired.
    """
    try:
        read = _line(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        mended = mended_text(line, "cli", []) if b'"custom_id"' in line else None
    else:
        return _body(read)
    if mended is None:
        return None
    body = body_on(mended)
    # Mended text is as long as it was; what is read needs the half characters, to record them.
    start = -1 if body is None else mended.find(body)
    return body if body is None or start < 0 else line[start : start + len(body)]


def _body(line: _Line) -> bytes | None:
    answer, result = line.response or _Answer(), line.result or _Result()
    for held in (line.body, line.params, answer.body, result.message, result.error):
        if bytes(held) not in _NONE:
            return bytes(held)
    if bytes(line.error) not in _NONE:
        return b'{"error":' + bytes(line.error) + b"}"
    if result.type:
        raise DecodeError(
            f"result of type {quoted(result.type)}, expected one with an answer", wire="cli"
        )
    return None
