"""Media -> what can be shown of them: a small picture, and a one-line caption."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..errors import DecodeError, LimitError, WireglotError
from ..model import DocumentBlock, MediaBlock

if TYPE_CHECKING:
    from PIL.Image import Image

_MOST: Final = 2**25
"""Pixels of an image that is decoded, as many as a screen of 8K has: WebP takes 20 bytes each."""

_MOST_READ: Final = 2**26
"""Pixels of an image that is reduced while it is decoded: a progressive JPEG takes 6 bytes each."""


def thumbnail(block: MediaBlock, width: int, height: int) -> Image:
    """Return an inline image, reduced to fit into `width` and `height`.

    Raises `DecodeError` if it is not an image, or a damaged one, `LimitError` if it has more than
    33,554,432 pixels, `EncodeError` if it is not inline.
    """
    media = block.inline()
    if media is None:
        raise DecodeError("media without inline data, expected some", wire="media")
    image = media.to_pil()
    pixels = image.width * image.height
    if pixels < 1:
        raise DecodeError("image without a pixel, expected at least one", wire="media")
    try:
        if pixels <= _MOST_READ:
            image.draft("RGB", (width, height))  # a JPEG is decoded at an eighth of its size
        pixels = image.width * image.height
        if pixels > _MOST:
            reason = f"image of {pixels:,} pixels, expected at most {_MOST:,}"
            raise LimitError(reason, wire="media")
        small = image.convert("RGBA")
        small.thumbnail((width, height))
    except LimitError:
        raise
    except Exception as error:  # Pillow's readers raise exceptions of many types
        raise DecodeError(f"image is damaged: {error}", wire="media") from error
    return small


def unshown(error: WireglotError) -> str:
    """Return why an image is not shown."""
    what = "too many pixels" if isinstance(error, LimitError) else "no image that can be read"
    return f"not shown: {what}"


def caption(block: MediaBlock) -> str:
    """Return what is known of media in one line: kind, type, size and location."""
    parts = [str(block.__struct_config__.tag)]
    if type(block) is DocumentBlock and block.title:
        parts.append(block.title)
    try:
        parts.append(block.known_mime_type())
        media = block.inline()
        if media is not None:
            parts.append(f"{media.size:,} bytes")
    except WireglotError as error:
        parts.append(error.reason)
    if block.width and block.height:
        parts.append(f"{block.width} x {block.height}")
    parts += [text for text in (block.filename, block.file_id, _short(block.url)) if text]
    return ", ".join(parts)


def _short(url: str | None) -> str | None:
    return None if url is None or url[:5].lower() == "data:" else url[:200]
