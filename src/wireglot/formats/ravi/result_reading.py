"""The content of a tool's result -> canonical blocks.

An item becomes a canonical block only if the block expresses it exactly. V2 passes on whatever
objects a tool returned, so in a V2 result only MCP's text, images and sounds become blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ... import model
from ..._bodies import Tolerant
from ...errors import DecodeError
from ...model import Extras, RawJson
from ...model.base import UnknownKeys
from .._mapping import extras_of
from . import blocks
from .wire import WIRE, is_data_url

__all__ = ["API", "V3", "extras_of_part", "result_blocks", "url_spelled"]

API: Final = "ravi"
V3: Final = "v3"
"""The version after the reference, and its dialect in `extras`."""

_items = msgspec.json.Decoder(list[Raw]).decode
_str = msgspec.json.Decoder(str).decode


def extras_of_part(
    unknown: UnknownKeys | UnsetType, spelling: Mapping[str, Any] | None = None
) -> Extras | None:
    """Return the unknown keys of an item or a part of one, and how it is spelled."""
    return extras_of(API, unknown, None, spelling)


def url_spelled(url: str | None, spelling: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the spelling of an item, marked if its URL is a `data:` URL: V3 keeps it a URL."""
    return {**(spelling or {}), "url": True} if url is not None and is_data_url(url) else spelling


def result_blocks(content: RawJson, version: str) -> list[model.Content]:
    """Return the blocks of a result; an item without a canonical block stays as it is."""
    raw = content.native()
    kind = blocks.LATER_ITEM if version == V3 else blocks.MCP_ITEM
    found: list[Any]
    try:
        found = _decoder(kind)(raw)
    except msgspec.ValidationError:
        found = [_part(item, kind) for item in _items(raw)]
    return [_BLOCKS[type(item)](item, version) for item in found]


@cache
def _decoder(kind: Any) -> Callable[[Raw], list[Any]]:
    return msgspec.json.Decoder(list[kind]).decode


def _part(raw: Raw, kind: Any) -> Any:
    try:
        return Tolerant(WIRE, closed=True).value(kind, raw, "$")
    except DecodeError:
        return raw


def _bare(raw: Raw, version: str) -> model.Content:
    if bytes(memoryview(raw)[:1]) == b'"':
        return model.TextBlock(_str(raw), extras=extras_of_part(UNSET, {"as": "str"}))
    return model.OpaqueBlock(API, RawJson.adopt(raw))


def _text_block(part: blocks.Text, version: str) -> model.TextBlock:
    return model.TextBlock(part.text, extras=extras_of_part(part.unknown))


def _typed(part: Any, version: str) -> tuple[str, Extras | None]:
    """Return the type of inline media, and how it is spelled where the version has another key."""
    if part.media_type is UNSET:
        spelling = {"mimeType": part.mime_type} if version == V3 else None
        return part.mime_type, extras_of_part(part.unknown, spelling)
    spelling = {"media_type": part.media_type} if version != V3 else None
    return part.media_type, extras_of_part(part.unknown, spelling)


def _image_block(part: blocks.Image, version: str) -> model.ImageBlock:
    mime_type, extras = _typed(part, version)
    return model.ImageBlock(data=part.data, mime_type=mime_type, extras=extras)


def _audio_block(part: blocks.Audio, version: str) -> model.AudioBlock:
    mime_type, extras = _typed(part, version)
    transcript = part.transcript if part.transcript is not UNSET else None
    return model.AudioBlock(
        data=part.data, mime_type=mime_type, transcript=transcript, extras=extras
    )


def _video_block(part: blocks.Video, version: str) -> model.VideoBlock:
    return model.VideoBlock(
        data=part.data,
        url=part.url,
        mime_type=part.media_type,
        extras=extras_of_part(part.unknown, url_spelled(part.url, None)),
    )


def _document_block(part: blocks.Document, version: str) -> model.DocumentBlock:
    return model.DocumentBlock(
        data=part.data,
        mime_type=part.media_type,
        filename=part.filename,
        extras=extras_of_part(part.unknown),
    )


def _error_block(part: blocks.Error, version: str) -> model.ErrorBlock:
    keys = {"recoverable": False} if not part.recoverable else None
    extras = extras_of(API, part.unknown, keys)
    return model.ErrorBlock(part.message, part.error_type, part.details, extras)


def _thinking_block(part: blocks.Thinking, version: str) -> model.ThinkingBlock:
    return model.ThinkingBlock(
        part.text, redacted=part.redacted, extras=extras_of_part(part.unknown)
    )


def _call_block(part: blocks.ToolUse, version: str) -> model.ToolCallBlock:
    return model.ToolCallBlock(
        part.tool_call_id, part.tool_name, part.arguments, extras=extras_of_part(part.unknown)
    )


def _result_block(part: blocks.ToolResult, version: str) -> model.ToolResultBlock:
    return model.ToolResultBlock(
        part.tool_call_id,
        content=result_blocks(part.content, version),
        is_error=part.is_error,
        extras=extras_of_part(part.unknown),
    )


_BLOCKS: Final[Mapping[type, Callable[[Any, str], model.Content]]] = {
    Raw: _bare,
    blocks.Text: _text_block,
    blocks.Image: _image_block,
    blocks.Audio: _audio_block,
    blocks.Video: _video_block,
    blocks.Document: _document_block,
    blocks.Error: _error_block,
    blocks.Thinking: _thinking_block,
    blocks.ToolUse: _call_block,
    blocks.ToolResult: _result_block,
}
