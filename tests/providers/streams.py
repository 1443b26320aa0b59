"""Streams in pieces: the same bytes in chunks of every size, and cut at every byte."""

from collections.abc import Iterator
from typing import Any

import pytest

import wireglot as wg

__all__ = ["check_chunkings", "check_truncations", "chunked", "events_and_error", "events_of"]

SIZES = (1, 2, 7, 64)


def chunked(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def events_of(decoder: Any, data: bytes, size: int | None = None) -> list[Any]:
    """Return all events of a stream, the last ones included."""
    found: list[Any] = []
    for chunk in chunked(data, size or max(1, len(data))):
        found += decoder.feed(chunk)
    return found + decoder.finish()


def events_and_error(
    decoder: Any, data: bytes, size: int
) -> tuple[list[Any], wg.WireglotError | None]:
    """Return the events that `feed` returned, and what it or `close` raised after them."""
    found: list[Any] = []
    try:
        for chunk in chunked(data, size):
            found += decoder.feed(chunk)
        decoder.close()
    except wg.WireglotError as error:
        return found, error
    return found, None


def check_chunkings(provider: Any, data: bytes, **options: Any) -> wg.Response:
    """Check that every chunking gives the same events and the same answer; return it."""
    decoder = provider.StreamDecoder(**options)
    whole = events_of(decoder, data)
    response: wg.Response = decoder.close()
    for size in SIZES:
        decoder = provider.StreamDecoder(**options)
        assert events_of(decoder, data, size) == whole, size
        assert decoder.close() == response, size
    return response


def check_truncations(provider: Any, data: bytes, **options: Any) -> None:
    """Check that a stream cut anywhere is an error, or lacks nothing of the content."""
    decoder = provider.StreamDecoder(**options)
    decoder.feed(data)
    whole = decoder.close().message
    for end in range(len(data)):
        decoder = provider.StreamDecoder(**options)
        try:
            decoder.feed(data[:end])
            cut = decoder.close().message
        except wg.StreamError:
            continue
        except wg.ProviderError:
            pytest.fail(f"cut at {end}: an error of the provider that it did not send")
        assert cut.content == whole.content, end
        assert cut.stop_reason == whole.stop_reason, end
