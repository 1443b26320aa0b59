"""The images of an OpenRouter answer -> blocks; they are a key of the message."""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from ...model import ImageBlock


class _Url(Struct):
    url: str


class _Image(Struct):
    image_url: _Url


_images = msgspec.json.Decoder(list[_Image]).decode


def images_in(keys: dict[str, Raw]) -> list[ImageBlock]:
    """Take the images out of the unknown keys of a message."""
    if "images" not in keys:
        return []
    found = [ImageBlock(url=each.image_url.url) for each in _images(keys["images"])]
    del keys["images"]
    return [_inline(block) for block in found]


def _inline(block: ImageBlock) -> ImageBlock:
    media = block.inline()
    return block if media is None else ImageBlock(media, mime_type=media.mime_type)
