"""What all wires ask of media: the MIME type as they list it, its kind, and whose file it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...errors import DecodeError
from ...model import AudioBlock, DataBlock, DocumentBlock, ImageBlock, Media, VideoBlock
from ...model.blocks import MediaBlock
from .._state.encoding import Encoding
from .._state.facts import facts_of

_UNKNOWN: Final = "application/octet-stream"
_KINDS: Final[Mapping[str, type[MediaBlock]]] = {
    "application": DocumentBlock,
    "audio": AudioBlock,
    "image": ImageBlock,
    "text": DocumentBlock,
    "video": VideoBlock,
}
"""The first word of a MIME type -> the block that the wires have for it."""

_JPEG: Final = frozenset({"image/jpg", "image/pjpeg"})
"""Names of JPEG that are not registered, but in use."""


def media_type(block: MediaBlock) -> str:
    """Return the plain type of a block: as declared, or else as its data shows.

    A type that says nothing (`application/octet-stream`) counts as none. Whether an image is a PNG
    or a JPEG, its data shows: Anthropic and Bedrock look, and refuse one that is called another.
    """
    declared = plain_type(block.known_mime_type())
    if declared == _UNKNOWN:
        media = inline(block)
        declared = (media.sniffed if media is not None else None) or declared
    if type(block) is not ImageBlock or not declared.startswith("image/"):
        return declared
    media = inline(block)
    shown = media.sniffed if media is not None else None
    return shown if shown is not None and shown.startswith("image/") else declared


def of_its_kind(block: Any, encoding: Encoding) -> MediaBlock | None:
    """Return a `DataBlock` as the block of the kind that its type or its data show.

    Return None for any other block, and for data of an unknown kind.
    """
    if type(block) is not DataBlock:
        return None
    try:
        shown = media_type(block)
    except DecodeError:  # a malformed `data:` URL
        return None
    kind = None if shown == _UNKNOWN else _KINDS.get(shown.partition("/")[0])
    if kind is None:
        return None
    found = kind(**{name: getattr(block, name) for name in block.__struct_fields__})
    found.mime_type = shown
    encoding.derived(found, block)
    return found


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
    stores = {facts_of(name).file_store for name in block.extras} - {None}
    return bool(stores) and facts_of(api).file_store not in stores


def inline(block: MediaBlock) -> Media | None:
    """Return a block's inline data, also from a `data:` URL; None if there is none."""
    try:
        media = block.inline()
    except DecodeError:  # a malformed `data:` URL
        return None
    return media if media is not None and not media.is_empty else None
