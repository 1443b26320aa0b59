"""Bodies <-> Zstandard frames (RFC 8878), by the `zstandard` library.

A frame may declare the size of its content; it is not decompressed if that is beyond the limit. A
value of one byte can take a hundred, so the values that a small frame may hold are bounded, too.
"""

from __future__ import annotations

from typing import Any, Final

from .._runtime.extras import needs
from ..errors import DecodeError, EncodeError, LimitError
from .envelope import WIRE

__all__ = ["ZSTD", "compressed", "decompressed", "largest_content", "most_values"]

ZSTD: Final = "zstd"
_LARGEST_WINDOW: Final = 1 << 27  # bytes; what `zstd --ultra --long` needs
_ALWAYS: Final = 1 << 22  # bytes; 4 MiB
_RATIO: Final = 1000  # conversations reach 5 to 100, a body of zeros 30,000
_ALWAYS_VALUES: Final = 1_000_000
_VALUES_RATIO: Final = 100  # conversations have one value in twenty bytes of what is unpacked


def largest_content(frame: bytes | memoryview) -> int:
    """Return how many bytes a frame may hold: 4 MiB, and more only if it is large itself."""
    return max(_ALWAYS, _RATIO * len(frame))


def most_values(frame: bytes | memoryview) -> int:
    """Return how many keys and values a frame may hold: a million, and more if it is large."""
    return max(_ALWAYS_VALUES, _VALUES_RATIO * len(frame))


def compressed(body: bytes) -> bytes:
    """Return a frame of `body`. Raises `EncodeError` if the library is not installed."""
    try:
        zstandard = _library()
    except ImportError as error:
        raise EncodeError(str(error), wire=WIRE) from error
    frame: bytes = zstandard.ZstdCompressor().compress(body)
    return frame


def decompressed(frame: bytes | memoryview, most: int) -> bytes:
    """Return the content of a frame.

    Raises `DecodeError` if it is not a frame, or `zstandard` is not installed, `LimitError` if it
    declares more than `most` bytes.
    """
    try:
        zstandard = _library()
    except ImportError as error:
        raise DecodeError(str(error), wire=WIRE) from error
    try:
        size = zstandard.frame_content_size(frame)  # -1 if not declared
        if size > most:
            raise LimitError(f"content of {size:,} bytes, expected at most {most:,}", wire=WIRE)
        reader = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        content: bytes = reader.decompress(
            frame, max_output_size=most, read_across_frames=False, allow_extra_data=False
        )
    except zstandard.ZstdError as error:
        raise DecodeError(f"not a Zstandard frame: {error}", wire=WIRE) from error
    return content


def _library() -> Any:
    with needs("Zstandard", "'wireglot[queue]'"):
        import zstandard
    return zstandard
