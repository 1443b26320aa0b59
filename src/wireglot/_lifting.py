"""A JSON body -> the same without its large payloads, which are put back where media adopt them.

A JSON decoder looks at every byte of a string, at some 4 GB/s. `bytes.find` sees the next quote at
twenty times that. So what looks like a large base64 string or `data:` URL is taken out of the body
before it is decoded, a short random word stands in for it, and the media value that finds the word
gets the slice. Where anything is in doubt the body is decoded once more as it came:

- a word that no media value has found, since the string was text, or stood under a key that comes
  twice, or between two strings;
- raw JSON that holds one: what is carried as it came must be as it came;
- any error, so that errors and their paths are those of the body itself.

Nobody can write the word into a body, since it is drawn anew for each.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Raw

from .losses import Losses
from .model.source import Lifted, taken_out

__all__ = ["lifting"]

LARGE = 65_536
"""A payload of so many bytes is always taken out, one of half as many sometimes."""

_BACKSLASH: Final = ord("\\")
# Only what begins like one is taken for a payload: a long text is not worth a second decode.
_PAYLOAD: Final = re.compile(rb'"(?:data:[^,"\\]{0,200},)?[A-Za-z0-9+/_-]{16}')
_Read = TypeVar("_Read")


def lifting(read: Callable[[Any, Losses], _Read], data: Any, losses: Losses = None) -> _Read:
    """Return `read(data, losses)`; while it works, large payloads may be out of its sight.

    Only those of `bytes` are looked for. Raises what `read` raises.
    """
    if len(data) >= LARGE and type(data) is bytes:
        body, held = _without_payloads(data)
        if held is not None:
            found: Losses = None if losses is None else []
            token = taken_out.set(held)
            try:
                made = read(body, found)
                if held.is_whole() and not found:  # whose paths are of another body
                    return made
            except (ValueError, RecursionError, msgspec.DecodeError):
                pass
            finally:
                taken_out.reset(token)
    if taken_out.get() is None:
        return read(data, losses)
    token = taken_out.set(None)  # a body within a body: its strings are its own
    try:
        return read(data, losses)
    finally:
        taken_out.reset(token)


def _without_payloads(data: bytes) -> tuple[bytes, Lifted | None]:
    """Take out the strings in which `LARGE` bytes follow one another without a quote.

    A quote is looked for at every half of that. What lies between two quotes, neither of them
    escaped, is a whole string, or what stands between two: no JSON has a word there.
    """
    held: Lifted | None = None
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
            if held is None:
                held = Lifted(secrets.token_hex(16).encode())
            parts += (whole[start:begin], held.word(Raw(whole[begin : end + 1])))
            start = end + 1
        at = end + step
    if held is None:
        return data, None
    parts.append(whole[start:])
    return b"".join(parts), held
