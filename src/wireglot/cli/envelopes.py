"""A line of a provider's batch -> the request or the answer in it.

OpenAI's lines, whose form other providers copied, have a `body`, or a `response` with a `body`; a
result of Anthropic's has a `message`. In both, `custom_id` names the request.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw, Struct

from .._surrogates import mended_text

__all__ = ["body_on"]

_NONE: Final = (b"", b"null")


class _Answer(Struct):
    body: Raw = Raw()


class _Result(Struct):
    message: Raw = Raw()
    error: Raw = Raw()


class _Line(Struct):
    custom_id: str
    body: Raw = Raw()
    response: _Answer | None = None
    result: _Result | None = None
    error: Raw = Raw()


_line = msgspec.json.Decoder(_Line).decode


def body_on(line: bytes) -> bytes | None:
    """Return the request, answer or error in a line of a batch; None if it is no such line."""
    try:
        return _body(_line(line))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        mended = mended_text(line, "cli", []) if b'"custom_id"' in line else None
    if mended is None:
        return None
    body = body_on(mended)
    # Mended text is as long as it was; what is read needs the half characters, to record them.
    start = -1 if body is None else mended.find(body)
    return body if body is None or start < 0 else line[start : start + len(body)]


def _body(line: _Line) -> bytes | None:
    answer, result = line.response or _Answer(), line.result or _Result()
    for held in (line.body, answer.body, result.message, result.error):
        if bytes(held) not in _NONE:
            return bytes(held)
    return None if bytes(line.error) in _NONE else b'{"error":' + bytes(line.error) + b"}"
