"""A line of a provider's batch -> the request or the answer in it.

OpenAI's, whose form others took, holds a `body`, or a `response` with one; a result of Anthropic's
has a `message`. In both `custom_id` says which request it is.
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
    """Return what is in a line of a batch, be it an error; None if it is no such line."""
    try:
        read = _line(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    answer, result = read.response or _Answer(), read.result or _Result()
    for held in (read.body, answer.body, result.message, result.error):
        if bytes(held) not in _NONE:
            return bytes(held)
    return None if bytes(read.error) in _NONE else b'{"error":' + bytes(read.error) + b"}"
