"""Inputs of the four framers -> nothing, or the law that one of them broke."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.framing.pieces import frames_and_error
from tests.fuzz.laws import check, choices, cut, encoded
from wireglot.framing import eventstream, jsonarray, ndjson, sse

__all__ = ["FRAMING"]

_SMALL = 40


def _framer(make: Any, write: Callable[[list[Any]], bytes | None]) -> Callable[[bytes], None]:
    """Return the target of a framer and of the function that writes its frames."""

    def target(data: bytes) -> None:
        first, second, body = choices(data)
        options = (_SMALL,) if second & 1 else ()
        whole, error = frames_and_error(make(*options), [body])
        pieces, other = frames_and_error(make(*options), cut(body, first))
        check(pieces == whole, "any chunking gives the same frames")
        check(type(other) is type(error), "any chunking gives the same error")
        check(str(other) == str(error), "any chunking gives the same words of an error")
        written = write(whole)
        if written is not None:
            again, error = frames_and_error(make(), [written])
            check(error is None, "what was written can be read")
            check(write(again) == written, "frames are written the same again")
            check(again == whole or make is ndjson.Decoder, "frames come back as they were")

    return target


def _messages(frames: list[Any]) -> bytes | None:
    """Write messages whose headers are all text, the only kind that we write; else return None."""
    if not all(type(value) is str for headers, _ in frames for value in headers.values()):
        return None
    return encoded(lambda: b"".join(eventstream.encode(*frame) for frame in frames))


FRAMING = {
    "sse": _framer(
        sse.Decoder, lambda frames: b"".join(sse.encode(data, name) for name, data in frames)
    ),
    "ndjson": _framer(ndjson.Decoder, lambda frames: b"".join(map(ndjson.encode, frames))),
    "jsonarray": _framer(jsonarray.Decoder, lambda frames: b"[" + b",".join(frames) + b"]"),
    "eventstream": _framer(eventstream.Decoder, _messages),
}
