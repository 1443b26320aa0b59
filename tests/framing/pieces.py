"""The same bytes in chunks of every size, and what a decoder makes of them."""

import time
from collections.abc import Iterator
from typing import Any

import wireglot as wg

__all__ = ["SIZES", "chunked", "cut", "frames", "frames_and_error", "seconds"]

SIZES = (1, 2, 7, 64)


def chunked(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def cut(data: bytes, places: list[int]) -> list[bytes]:
    """Cut at the given places, which may repeat: an empty chunk is a chunk too."""
    at = sorted(place % (len(data) + 1) for place in places)
    return [data[a:b] for a, b in zip([0, *at], [*at, len(data)], strict=True)]


def frames_and_error(
    decoder: Any, chunks: Iterator[bytes] | list[bytes]
) -> tuple[list[Any], wg.WireglotError | None]:
    """Return all frames, and what `feed` or `close` raised after them."""
    found: list[Any] = []
    try:
        for chunk in chunks:
            found += decoder.feed(chunk)
        found += decoder.close()
    except wg.WireglotError as error:
        return found, error
    return found, None


def frames(decoder: Any, data: bytes, size: int | None = None) -> list[Any]:
    found, error = frames_and_error(decoder, chunked(data, size or max(1, len(data))))
    assert error is None, error
    return found


def seconds(decoder: Any, chunks: list[bytes]) -> float:
    """Return the processor time that a decoder takes: other programs' time is not in it."""
    begin = time.process_time()
    for chunk in chunks:
        decoder.feed(chunk)
    decoder.close()
    return time.process_time() - begin
