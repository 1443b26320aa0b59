"""The images that a model has made, which each API has in another place of its answer."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ...errors import DecodeError
from ...model import ImageBlock, OpaqueBlock, RawJson, Response
from .._state.facts import Facts, facts_of

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_ODD: Final = (msgspec.DecodeError, DecodeError, UnicodeError, RecursionError)


def shown(block: Any, api: str | None, target: Facts) -> Any:
    """Return a block of another API's answer, an image as the target has it."""
    kind = type(block)
    if kind is OpaqueBlock:
        read = facts_of(block.api).image_in if block.api != target.api else None
        try:
            image = read(block.raw.text) if read is not None else None
        except _ODD:  # of another form
            return block
        block = block if image is None else image
    if type(block) is ImageBlock and target.image_as is not None and api != target.api:
        made = target.image_as(block)
        if made is not None:
            return OpaqueBlock(target.api, RawJson(encode(made)), extras=block.extras)
    return block


def with_images(response: Response, target: Facts) -> Response:
    """Return an answer with the images that its API has beside the content as blocks of it."""
    message = response.message
    api = message.api
    read = facts_of(api).images_in
    extra = (message.extras or {}).get(api or "")
    if read is None or extra is None or api == target.api or api is None:
        return response
    try:
        keys = _keys(extra.keys.text)
        known = len(keys)
        images = read(keys)
    except _ODD:
        return response
    if len(keys) == known:  # an empty list is taken out, too: it says nothing
        return response
    extras = {**(message.extras or {}), api: replace(extra, keys=RawJson(encode(keys)))}
    content = [*message.content, *(shown(image, api, target) for image in images)]
    return replace(response, message=replace(message, content=content, extras=extras))
