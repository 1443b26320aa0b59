"""The content of a tool's result <-> canonical blocks: MCP's items, as V2 passes them on, and V3's.

An item becomes a canonical block only if the block expresses it exactly: a Struct here is for an
item that has all of these keys, and perhaps unknown ones, and an item that lacks one is kept as it
is. V2 passes on whatever objects a tool returned, so in a V2 result only MCP's text, images and
sounds become blocks. V3 has `media` beside the content too, for the items of other contents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType, field
from msgspec.structs import replace

from ... import model
from ..._body.decode import Tolerant
from ..._body.encode import Unplaced
from ..._body.encode import encode_json as encode
from ...errors import DecodeError, LossError
from ...model import Arguments, Extras, Media, RawJson
from ...model.media import InlineMedia, adopt_media
from ...model.rawjson import RawArguments, RawValue, adopt_arguments
from .._mapping import Keys, Where, extras_of, inline, path_of, spelled
from .._records import Record, unknown, write
from .blocks import (
    declared,
    extras_of_part,
    has_video,
    inline_of,
    item_of_block,
    only_text,
    url_spelled,
)
from .system import API, V2, V3, WIRE
from .wire import arguments_json, is_kept

if TYPE_CHECKING:
    from .writers import VersionWriter

__all__ = ["arguments_of", "result_blocks", "result_json", "result_parts"]

_MEDIA: Final = Raw(b'"media"')
_STR: Final = Raw(b'"str"')
_raws = msgspec.json.Decoder(list[Raw]).decode
_str = msgspec.json.Decoder(str).decode


# -- items -----------------------------------------------------------------------------------------


class Text(Record, tag_field="type", tag="text"):
    """Text, in MCP and V3."""

    text: str


def _media(data: Any) -> Media:
    media = data if type(data) is Media else adopt_media(data)
    if media is None:
        raise ValueError("expected base64 `str`, got `null`")
    return media


class _Inline(Record, kw_only=True, tag_field="type"):
    """Inline media, its type under MCP's key, or V3's."""

    data: InlineMedia
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")
    media_type: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        self.data = _media(self.data)
        if (self.mime_type is UNSET) is (self.media_type is UNSET):
            raise ValueError("both or neither of `mimeType` and `media_type`, expected one")


class Image(_Inline, kw_only=True, tag="image"):
    """An inline image, in MCP and V3."""


class Audio(_Inline, kw_only=True, tag="audio"):
    """An inline sound; V3's has a transcript, null where it is unset."""

    transcript: str | UnsetType | None = UNSET

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.media_type is UNSET) is not (self.transcript is UNSET):
            raise ValueError("one of `transcript` and `media_type`, expected both or neither")


class Video(Record, tag_field="type", tag="video"):
    """A video, in V3."""

    url: str | None
    data: InlineMedia
    media_type: str

    def __post_init__(self) -> None:
        if self.data is not None and type(self.data) is not Media:
            self.data = adopt_media(self.data)
        if self.data is not None and self.url is not None:
            raise ValueError("both `url` and `data`, expected one")


class Document(Record, tag_field="type", tag="document"):
    """An inline document, in V3."""

    data: InlineMedia
    media_type: str
    filename: str | None

    def __post_init__(self) -> None:
        self.data = _media(self.data)


class Error(Record, tag_field="type", tag="error"):
    """What went wrong, in V3."""

    error_type: str
    message: str
    details: dict[str, Any] | None
    recoverable: bool


class Thinking(Record, tag_field="type", tag="thinking"):
    """What was thought, in V3."""

    text: str
    redacted: bool


class ToolUse(Record, tag_field="type", tag="tool_use"):
    """A call, in V3."""

    tool_call_id: str
    tool_name: str
    arguments: RawArguments

    def __post_init__(self) -> None:
        given: Any = self.arguments
        if type(given) is Raw and bytes(memoryview(given)[:1]) != b"{":
            raise ValueError("expected `object`")
        self.arguments = adopt_arguments(given)


class ToolResult(Record, tag_field="type", tag="tool_result"):
    """The result of a call inside of one, in V3."""

    tool_call_id: str
    content: RawValue
    is_error: bool

    def __post_init__(self) -> None:
        if not isinstance(self.content, RawJson):
            self.content = RawJson.adopt(self.content)


_MCP_ITEM: Any = Text | Image | Audio
_V3_ITEM: Any = Text | Image | Audio | Video | Document | Error | Thinking | ToolUse | ToolResult


# -- items -> blocks -------------------------------------------------------------------------------


def result_blocks(content: RawJson, version: str) -> list[model.Content]:
    """Return the blocks of a result; an item without a canonical block stays as it is."""
    raw = content.native()
    kind = _V3_ITEM if version == V3 else _MCP_ITEM
    parts: list[Any]
    try:
        parts = _decoder(kind)(raw)
    except msgspec.ValidationError:
        parts = [_part(item, kind) for item in _raws(raw)]
    return [_BLOCKS[type(item)](item, version) for item in parts]


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


def _text_block(part: Text, version: str) -> model.TextBlock:
    return model.TextBlock(part.text, extras=extras_of_part(part.unknown))


def _typed(part: Any, version: str) -> tuple[str, Extras | None]:
    """Return the type of inline media, and how it is spelled where the version has another key."""
    if part.media_type is UNSET:
        spelling = {"mimeType": part.mime_type} if version == V3 else None
        return part.mime_type, extras_of_part(part.unknown, spelling)
    spelling = {"media_type": part.media_type} if version != V3 else None
    return part.media_type, extras_of_part(part.unknown, spelling)


def _image_block(part: Image, version: str) -> model.ImageBlock:
    mime_type, extras = _typed(part, version)
    return model.ImageBlock(data=part.data, mime_type=mime_type, extras=extras)


def _audio_block(part: Audio, version: str) -> model.AudioBlock:
    mime_type, extras = _typed(part, version)
    transcript = part.transcript if part.transcript is not UNSET else None
    return model.AudioBlock(
        data=part.data, mime_type=mime_type, transcript=transcript, extras=extras
    )


def _video_block(part: Video, version: str) -> model.VideoBlock:
    return model.VideoBlock(
        data=part.data,
        url=part.url,
        mime_type=part.media_type,
        extras=extras_of_part(part.unknown, url_spelled(part.url, None)),
    )


def _document_block(part: Document, version: str) -> model.DocumentBlock:
    return model.DocumentBlock(
        data=part.data,
        mime_type=part.media_type,
        filename=part.filename,
        extras=extras_of_part(part.unknown),
    )


def _error_block(part: Error, version: str) -> model.ErrorBlock:
    keys = {"recoverable": False} if not part.recoverable else None
    extras = extras_of(API, part.unknown, keys)
    return model.ErrorBlock(part.message, part.error_type, part.details, extras)


def _thinking_block(part: Thinking, version: str) -> model.ThinkingBlock:
    return model.ThinkingBlock(
        part.text, redacted=part.redacted, extras=extras_of_part(part.unknown)
    )


def _call_block(part: ToolUse, version: str) -> model.ToolCallBlock:
    return model.ToolCallBlock(
        part.tool_call_id, part.tool_name, part.arguments, extras=extras_of_part(part.unknown)
    )


def _result_block(part: ToolResult, version: str) -> model.ToolResultBlock:
    return model.ToolResultBlock(
        part.tool_call_id,
        content=result_blocks(part.content, version),
        is_error=part.is_error,
        extras=extras_of_part(part.unknown),
    )


_BLOCKS: Final[Mapping[type, Callable[[Any, str], model.Content]]] = {
    Raw: _bare,
    Text: _text_block,
    Image: _image_block,
    Audio: _audio_block,
    Video: _video_block,
    Document: _document_block,
    Error: _error_block,
    Thinking: _thinking_block,
    ToolUse: _call_block,
    ToolResult: _result_block,
}


# -- blocks -> items -------------------------------------------------------------------------------


def result_json(writer: VersionWriter, items: list[Any], where: Where) -> RawJson:
    """Return the items of a result as the JSON that a message holds."""
    try:
        return RawJson.adopt(Raw(encode(items)))
    except (Unplaced, ValueError, RecursionError):
        return _with_care(writer, items, where)


def _with_care(writer: VersionWriter, items: list[Any], where: Where) -> RawJson:
    """Do what `result_json` does for items with unknown keys or with lone surrogates."""
    losses = writer.losses
    start = len(losses) if losses is not None else 0
    at = f"{path_of(where)}.content"
    try:
        text = write(items, WIRE, losses)
    except LossError as error:  # a lone surrogate
        raise LossError(error.reason, wire=WIRE, path=at + error.path[1:]) from error
    if losses is not None:
        losses[start:] = [replace(loss, path=at + loss.path[1:]) for loss in losses[start:]]
    return RawJson.adopt(Raw(text))


def result_parts(
    writer: VersionWriter, content: Iterable[model.Content], spelling: Keys, where: Where
) -> tuple[list[Any], list[Any] | None]:
    """Return the items of a result, and those of its `media`, which V2 does not have."""
    items: list[Any] = []
    media: list[Any] = []
    for i, block in enumerate(content):
        at = (*where, i)
        if writer.VERSION == V3 and _is_beside(block):
            item = item_of_block(writer, block, at)
            media += [item] if item is not None else []
        else:
            item = _item(writer, block, at)
            items += [item] if item is not None else []
            if media and item is not None:
                writer.lose("order", at)
    return items, media if media or (writer.VERSION == V3 and "media" in spelling) else None


def _is_beside(block: Any) -> bool:
    """Whether a block of a result goes into `media`: it came from there, or fits nowhere else."""
    if spelled(block.extras, API).get("as") == _MEDIA:
        return True
    kind = type(block)
    if kind is model.DocumentBlock and block.text is None:
        return inline(block) is None
    return kind is model.ImageBlock and (inline(block) is None or _is_kept_url(block))


def _is_kept_url(block: Any) -> bool:
    return block.data is None and is_kept(block.url)


def _item(writer: VersionWriter, block: model.Content, where: Where) -> Any:
    make = _ITEMS[writer.VERSION].get(type(block))
    if make is None:
        writer.lose_block(block, where)
        return None
    return make(writer, block, where)


def _text(writer: VersionWriter, block: model.TextBlock, where: Where) -> Any:
    keys, spelling = writer.rest(block, where)
    if spelling.get("as") == _STR and not keys:
        return block.text
    return Text(block.text, unknown=unknown(keys))


def _image(writer: VersionWriter, block: model.ImageBlock, where: Where) -> Any:
    media = inline(block)
    if media is None:
        writer.lose("result media", where)
        return None
    keys, _ = writer.rest(block, where)
    if block.detail is not None:
        writer.lose("detail", where, ".detail")
    return Image(data=media, unknown=unknown(keys), **_type(writer, block, media))


def _audio(writer: VersionWriter, block: model.AudioBlock, where: Where) -> Any:
    media = inline(block)
    if media is None:
        writer.lose("result media", where)
        return _as_text(block.transcript)
    keys, _ = writer.rest(block, where)
    typed = _type(writer, block, media)
    if "media_type" in typed:
        typed["transcript"] = block.transcript
    elif block.transcript is not None:
        writer.lose("transcript", where, ".transcript")
    return Audio(data=media, unknown=unknown(keys), **typed)


def _type(writer: VersionWriter, block: Any, media: Media) -> dict[str, Any]:
    """Return the media type under the key that it came in, or the version's own."""
    spelling = spelled(block.extras, API)
    is_v3 = "media_type" in spelling or (writer.VERSION == V3 and "mimeType" not in spelling)
    return {"media_type" if is_v3 else "mime_type": declared(block, media)}


def _only_text(writer: VersionWriter, block: Any, where: Where) -> Any:
    return _as_text(only_text(writer, block, where))


def _as_text(text: str | None) -> Text | None:
    return Text(text) if text is not None else None


def _opaque(writer: VersionWriter, block: model.OpaqueBlock, where: Where) -> Any:
    if block.api != API:
        writer.lose("opaque", where)
        return None
    writer.lose_rest(block, where)
    return block.raw


def _video(writer: VersionWriter, block: model.VideoBlock, where: Where) -> Any:
    if not has_video(writer, block):
        return _only_text(writer, block, where)
    media = inline_of(writer, block)
    keys, _ = writer.rest(block, where)
    url = block.url if media is None else None
    return Video(url, media, declared(block, media), unknown=unknown(keys))


def _document(writer: VersionWriter, block: model.DocumentBlock, where: Where) -> Any:
    media = inline(block)
    if media is None or block.text is not None:
        return _only_text(writer, block, where)
    keys, _ = writer.rest(block, where)
    return Document(media, declared(block, media), block.filename, unknown=unknown(keys))


def _error(writer: VersionWriter, block: model.ErrorBlock, where: Where) -> Any:
    keys, _ = writer.rest(block, where)
    details = writer.finite(block.data, where, ".data")
    if details is not None and type(details) is not dict:
        writer.lose("error data", where, ".data")
        details = None
    return Error(
        block.code if block.code is not None else "Error",
        block.message,
        details,
        "recoverable" not in keys,
        unknown=unknown({key: raw for key, raw in keys.items() if key != "recoverable"}),
    )


def _thinking(writer: VersionWriter, block: model.ThinkingBlock, where: Where) -> Any:
    keys, _ = writer.rest(block, where)
    return Thinking(block.thinking, block.redacted, unknown=unknown(keys))


def _call(writer: VersionWriter, block: model.ToolCallBlock, where: Where) -> Any:
    keys, _ = writer.rest(block, where)
    arguments: Any = arguments_json(arguments_of(writer, block, where))  # blank ones are `{}`
    return ToolUse(block.id, block.name, arguments, unknown=unknown(keys))


def arguments_of(writer: VersionWriter, block: model.ToolCallBlock, where: Where) -> Arguments:
    """Return the arguments of a call, which are an object: text that is not one goes into it."""
    if block.arguments.object_json() is not None:
        return block.arguments
    writer.lose("arguments", where, ".arguments")
    text = block.arguments.text.decode("utf-8", "replace")
    return Arguments.of({"raw_arguments": text})


def _result(writer: VersionWriter, block: model.ToolResultBlock, where: Where) -> Any:
    keys, _ = writer.rest(block, where)
    for name, key in (("tool_name", ".toolName"), ("details", ".details")):
        if getattr(block, name) is not None:
            writer.lose(key[1:], where, key)
    items = [_item(writer, part, (*where, i)) for i, part in enumerate(block.content)]
    content = result_json(writer, [item for item in items if item is not None], where)
    return ToolResult(block.tool_call_id, content, block.is_error, unknown=unknown(keys))


_EITHER: Final[Mapping[type, Any]] = {
    model.TextBlock: _text,
    model.ImageBlock: _image,
    model.AudioBlock: _audio,
    model.OpaqueBlock: _opaque,
}
_ITEMS: Final[Mapping[str, Mapping[type, Any]]] = {
    V2: {
        **_EITHER,
        model.VideoBlock: _only_text,
        model.DocumentBlock: _only_text,
        model.ErrorBlock: _only_text,
    },
    V3: {
        **_EITHER,
        model.VideoBlock: _video,
        model.DocumentBlock: _document,
        model.ErrorBlock: _error,
        model.ThinkingBlock: _thinking,
        model.ToolCallBlock: _call,
        model.ToolResultBlock: _result,
    },
}
