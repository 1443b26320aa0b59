"""A line of a provider's batch -> the request or the answer in it.

OpenAI's lines, whose form other providers copied, have a `body`, or a `response` with a `body`; a
result of Anthropic's has a `message`. In both, `custom_id` names the request.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw, Struct

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
        read = _line(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    answer, result = read.response or _Answer(), read.result or _Result()
    for held in (read.body, answer.body, result.message, result.error):
        if bytes(held) not in _NONE:
            return bytes(held)
    return None if bytes(read.error) in _NONE else b'{"error":' + bytes(read.error) + b"}"
