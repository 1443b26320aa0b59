"""An image that a model has made <-> the item of `image_generation`."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.encode import encode_json as encode
from ...model import Extra, ImageBlock, Media, RawJson
from .._across.media import inline

_KIND: Final = "image_generation_call"
_READ: Final = frozenset({"id", "type", "status", "result", "output_format"})


class _Item(Struct):
    type: str
    result: str | None = None
    output_format: str | None = None


_item = msgspec.json.Decoder(_Item).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def image_in(raw: bytes) -> ImageBlock | None:
    """Return the image that an item has, None for another item; its other keys are kept."""
    if _KIND.encode() not in raw:
        return None
    item = _item(raw)
    if item.type != _KIND or not item.result:
        return None
    mime_type = f"image/{item.output_format}" if item.output_format else None
    media = Media.from_base64(item.result, mime_type)
    keys = {k: v for k, v in _keys(raw).items() if k not in _READ and bytes(v) != b"null"}
    extras = {"openai-responses": Extra(RawJson(encode(keys)))} if keys else None
    return ImageBlock(media, mime_type=mime_type, extras=extras)


def image_as(block: ImageBlock) -> dict[str, Any] | None:
    """Return the item of an image, None for one by its address."""
    media = inline(block)
    if media is None:
        return None
    data = str(media)
    digest = sha256(data.encode()).hexdigest()[:32]
    return {"id": f"ig_{digest}", "type": _KIND, "status": "completed", "result": data}
