"""What all wires ask of media: the MIME type as they list it, and whose file an id names."""

from __future__ import annotations

from typing import Final

from ..errors import DecodeError
from ..model import ImageBlock, Media
from ..model.blocks import MediaBlock

__all__ = ["inline", "is_foreign_file", "media_type", "plain_type"]

_JPEG: Final = frozenset({"image/jpg", "image/pjpeg"})
"""Names of JPEG that are not registered, but in use."""
_STORES: Final = {
    "anthropic-messages": "anthropic",
    "gemini-generate-content": "gemini",
    "mistral-chat": "mistral",
    "openai-chat": "openai",
    "openai-responses": "openai",
}
"""API -> the store in which its file ids are valid."""


def media_type(block: MediaBlock) -> str:
    """Return the plain type of a block: as declared, or else as its data shows.

    Whether an image is a PNG or a JPEG, its data shows: Anthropic and Bedrock look, and refuse one
    that is called another.
    """
    declared = plain_type(block.known_mime_type())
    if type(block) is not ImageBlock or not declared.startswith("image/"):
        return declared
    media = inline(block)
    shown = media.sniffed if media is not None else None
    return shown if shown is not None and shown.startswith("image/") else declared


def plain_type(mime_type: str) -> str:
    """Return a MIME type without parameters, in lower case, and JPEG under its registered name."""
    plain = mime_type.partition(";")[0].strip().lower()
    return "image/jpeg" if plain in _JPEG else plain


def is_foreign_file(block: MediaBlock, api: str) -> bool:
    """Whether a block has a file id that came over an API which does not share files with `api`.

    An id whose extras name no such API passes: nothing tells whose it is.
    """
    if block.file_id is None or block.extras is None:
        return False
    stores = {_STORES[name] for name in block.extras if name in _STORES}
    return bool(stores) and _STORES.get(api) not in stores


def inline(block: MediaBlock) -> Media | None:
    """Return a block's inline data, also from a `data:` URL; None if there is none."""
    try:
        media = block.inline()
    except DecodeError:  # a malformed `data:` URL
        return None
    return media if media is not None and not media.is_empty else None
