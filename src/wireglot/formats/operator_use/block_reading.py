"""Operator-Use's contents -> canonical blocks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from msgspec import UNSET

from ... import model
from ...model import RawJson
from ...model.media import odd_text
from .._mapping import extras_of
from .._records import Record, write
from . import contents as own
from .media import media_type

__all__ = ["API", "LISTS", "SIGNATURE", "WIRE", "blocks_of"]

API: Final = "operator-use"
WIRE: Final = "operator_use"
SIGNATURE: Final = "thoughtSignature"
"""The key of Gemini's signature in a call's metadata."""

LISTS: Final[dict[type[Any], tuple[type[Any], tuple[str, ...], str]]] = {
    own.ImageContent: (model.ImageBlock, ("images",), "image"),
    own.AudioContent: (model.AudioBlock, ("audio", "audios"), "audio"),
    own.VideoContent: (model.VideoBlock, ("videos",), "video"),
    own.FileContent: (model.DocumentBlock, ("files",), "file"),
}
"""Contents that are lists -> the block type of each item, the list's keys, the kind of media."""


def blocks_of(parts: Iterable[Any]) -> list[model.Content]:
    """Return a block for each content, and for each item of a list of media."""
    blocks: list[model.Content] = []
    before: type[Any] | None = None
    for part in parts:
        kind = type(part)
        if kind in LISTS:
            blocks += _list(part, kind is before)
        else:
            blocks.append(_BLOCKS[kind](part))
        before = kind
    return blocks


def _list(part: Any, apart: bool) -> list[model.Content]:
    """Return a block for each item; `apart` if the list before has the same type."""
    block, names, kind = LISTS[type(part)]
    given = [name for name in names if getattr(part, name) is not UNSET]
    if len(given) != 1 or not getattr(part, given[0]):
        return [_opaque(part)]
    spelling: dict[str, Any] = {"list": given[0]} if given[0] not in ("images", "audio") else {}
    blocks = []
    for i, item in enumerate(getattr(part, given[0])):
        here = dict(spelling)
        keys: dict[str, Any] = {}
        if i == 0:
            if apart:
                here["apart"] = True
            note = getattr(part, "dimension_note", UNSET)
            if note is not UNSET:
                (here if note is None else keys)["dimension_note"] = note
        # A path, or other text that Operator-Use takes for base64, is not for another wire.
        odd = None if isinstance(item, str) else odd_text(item)
        url: Any = item if isinstance(item, str) else odd
        held: Any = item
        made = _inline(block, held, kind, here) if url is None else block(url=url)
        if odd is not None or (url is not None and (kind == "audio" or url.startswith("file:"))):
            here["url"] = url  # such a URL of another system's would be a loss
        made.extras = extras_of(API, part.unknown if i == 0 else UNSET, keys, here)
        blocks.append(made)
    return blocks


def _inline(block: Any, media: model.Media, kind: str, spelling: dict[str, Any]) -> Any:
    declared, told = media.mime_type, media_type(media, kind)
    if declared is not None and declared != media.sniffed:
        spelling["mime_type"] = told = declared
    return block(data=media, mime_type=told)


def _opaque(part: Record) -> model.OpaqueBlock:
    return model.OpaqueBlock(API, RawJson(write(part, WIRE)))


def _text(part: own.TextContent) -> model.TextBlock:
    return model.TextBlock(part.content, extras=extras_of(API, part.unknown))


def _thinking(part: own.ThinkingContent) -> model.ThinkingBlock:
    extras = extras_of(API, part.unknown)
    return model.ThinkingBlock(part.content, part.signature or None, extras=extras)


def _call(part: own.ToolCallContent) -> model.ToolCallBlock:
    metadata = None if part.metadata is UNSET else part.metadata
    signature = None
    if metadata is not None and isinstance(metadata.get(SIGNATURE), str):
        signature = metadata[SIGNATURE]
        metadata = {key: value for key, value in metadata.items() if key != SIGNATURE} or None
    return model.ToolCallBlock(
        part.id,
        part.name,
        part.args,
        part.kind,
        signature=signature,
        metadata=metadata,
        extras=extras_of(API, part.unknown),
    )


def _result(part: own.ToolResultContent) -> model.ToolResultBlock:
    content: list[model.Content] = [model.TextBlock(part.content)] if part.content else []
    spelling: dict[str, Any] = {}
    keys = {}
    for name in ("image", "audio", "video"):
        media = getattr(part, name)
        if media is not UNSET:
            spelling[name] = None if media is None else True
            content += [] if media is None else _list(media, False)
    if part.terminate_message is None:
        spelling["terminate_message"] = None
    elif part.terminate_message is not UNSET:
        keys["terminate_message"] = part.terminate_message
    if part.tool_name == "":
        spelling["tool_name"] = ""
    return model.ToolResultBlock(
        part.id,
        part.tool_name or None,
        content,
        part.is_error,
        metadata=part.metadata or None,
        terminate=part.terminate,
        extras=extras_of(API, part.unknown, keys, spelling),
    )


_BLOCKS: Final[dict[type[Any], Any]] = {
    own.TextContent: _text,
    own.ThinkingContent: _thinking,
    own.ToolCallContent: _call,
    own.ToolResultContent: _result,
    own.LinesContent: _opaque,
}
