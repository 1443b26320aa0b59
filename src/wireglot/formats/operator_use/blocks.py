"""Operator-Use's contents <-> canonical blocks: one list of media for several blocks of a kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...errors import DecodeError, EncodeError
from ...model import Media, RawJson
from ...model.media import odd_text
from ...model.rawjson import adopt_arguments
from ...providers._state.facts import called
from .._mapping import Keys, Where, Writer, extras_of, inline, path_of, spelled
from .._records import Record, read, unknown, write
from . import contents as own
from .contents import ARGS
from .media import LISTS, media_type, misread
from .system import ALONE, API, CALL_SIGNER, THINKING_SIGNER, WIRE

__all__ = [
    "blocks_of",
    "contents_of",
    "finite",
    "json_of",
    "own_signer",
    "result_of",
    "signer_of",
]

_SIGNATURE: Final = "thoughtSignature"
"""The key of Gemini's signature in a call's metadata."""

_LISTS: Final[dict[type[Any], tuple[type[Any], tuple[str, ...], str]]] = {
    own.ImageContent: (model.ImageBlock, ("images",), "image"),
    own.AudioContent: (model.AudioBlock, ("audio", "audios"), "audio"),
    own.VideoContent: (model.VideoBlock, ("videos",), "video"),
    own.FileContent: (model.DocumentBlock, ("files",), "file"),
}
"""Contents that are lists -> the block type of each item, the list's keys, the kind of media."""


# -- contents -> blocks ----------------------------------------------------------------------------


def blocks_of(parts: Iterable[Any]) -> list[model.Content]:
    """Return a block for each content, and for each item of a list of media."""
    blocks: list[model.Content] = []
    before: type[Any] | None = None
    for part in parts:
        kind = type(part)
        if kind in _LISTS:
            blocks += _list_blocks(part, kind is before)
        else:
            blocks.append(_BLOCKS[kind](part))
        before = kind
    return blocks


def _list_blocks(part: Any, apart: bool) -> list[model.Content]:
    """Return a block for each item; `apart` if the list before has the same type."""
    block, names, kind = _LISTS[type(part)]
    present = [name for name in names if getattr(part, name) is not UNSET]
    if len(present) != 1 or not getattr(part, present[0]):
        return [_opaque_block(part)]
    spelling: dict[str, Any] = {"list": present[0]} if present[0] not in ("images", "audio") else {}
    blocks = []
    for i, item in enumerate(getattr(part, present[0])):
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
        media: Any = item
        made = _inline_block(block, media, kind, here) if url is None else block(url=url)
        if odd is not None or (url is not None and (kind == "audio" or url.startswith("file:"))):
            here["url"] = url  # such a URL of another system's would be a loss
        made.extras = extras_of(API, part.unknown if i == 0 else UNSET, keys, here)
        blocks.append(made)
    return blocks


def _inline_block(block: Any, media: model.Media, kind: str, spelling: dict[str, Any]) -> Any:
    declared, told = media.mime_type, media_type(media, kind)
    if declared is not None and declared != media.sniffed:
        spelling["mime_type"] = told = declared
    return block(data=media, mime_type=told)


def _opaque_block(part: Record) -> model.OpaqueBlock:
    return model.OpaqueBlock(API, RawJson(write(part, WIRE)))


def _text_block(part: own.TextContent) -> model.TextBlock:
    return model.TextBlock(part.content, extras=extras_of(API, part.unknown))


def _thinking_block(part: own.ThinkingContent) -> model.ThinkingBlock:
    extras = extras_of(API, part.unknown)
    return model.ThinkingBlock(part.content, part.signature or None, extras=extras)


def _call_block(part: own.ToolCallContent) -> model.ToolCallBlock:
    metadata = None if part.metadata is UNSET else part.metadata
    signature = None
    if metadata is not None and isinstance(metadata.get(_SIGNATURE), str):
        signature = metadata[_SIGNATURE]
        metadata = {key: value for key, value in metadata.items() if key != _SIGNATURE} or None
    return model.ToolCallBlock(
        part.id,
        part.name,
        ARGS.held(part),
        part.kind,
        signature=signature,
        metadata=metadata,
        extras=extras_of(API, part.unknown),
    )


def _result_block(part: own.ToolResultContent) -> model.ToolResultBlock:
    content: list[model.Content] = [model.TextBlock(part.content)] if part.content else []
    spelling: dict[str, Any] = {}
    keys = {}
    for name in ("image", "audio", "video"):
        media = getattr(part, name)
        if media is not UNSET:
            spelling[name] = None if media is None else True
            content += [] if media is None else _list_blocks(media, False)
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
    own.TextContent: _text_block,
    own.ThinkingContent: _thinking_block,
    own.ToolCallContent: _call_block,
    own.ToolResultContent: _result_block,
    own.LinesContent: _opaque_block,
}


# -- blocks -> contents ----------------------------------------------------------------------------

# Other names of MIME types that can be detected from the bytes.
_ALIASES: Final = {
    "image/jpg": "image/jpeg",
    "audio/mp3": "audio/mpeg",
    "audio/wave": "audio/wav",
    "audio/x-wav": "audio/wav",
    "audio/x-flac": "audio/flac",
}
_LISTED: Final[dict[Any, Any]] = {block: kind for kind, (block, *_) in _LISTS.items()}
# The key of the list for each block type without a spelling: in Operator-Use from the beginning.
_USUAL: Final[dict[Any, str]] = {model.ImageBlock: "images", model.AudioBlock: "audio"}
# Items that are not base64 begin like this. Base64 that begins so would be misread.
_NO_BASE64: Final = {"images": ("http",)}
_NO_OTHER_BASE64: Final = ("file:", "http")
# The URLs that may be written: none for sounds. A `file:` path must come from the session itself,
# since Operator-Use reads the file.
_URLS: Final = {"audio": (), "audios": ()}
_OTHER_URLS: Final = ("http",)
_NOTE: Final = "dimension_note"
_value = msgspec.json.Decoder().decode


def own_signer(provider: str) -> str | None:
    """Return the API of a provider whose name only this system knows, None for any other name."""
    name = provider.lower()
    return called(ALONE, name) or (called(WIRE, name) if name != provider else None)


def signer_of(api: str | None, provider: str | None) -> str | None:
    """Return the API that made the signatures of a message, None if it is not known."""
    if api or not provider:
        return api
    name = provider.lower()
    return called(ALONE, name) or called(WIRE, name)


def _is_sent_back(signer: str | None, to: str) -> bool:
    """Whether a signature is of the provider that it goes to; if it is not known, it may be."""
    return signer is None or signer == called(WIRE, to)


def finite(value: Any, where: Where, key: str) -> Any:
    """Return free-form data as it is. Raises `EncodeError` if JSON cannot express it."""
    if value is not None:
        json_of(value, where, key)
    return value


def json_of(value: Any, where: Where, key: str) -> RawJson:
    """Return free-form data as JSON. Raises `EncodeError` if JSON cannot express it."""
    try:
        return RawJson.of(value)
    except EncodeError as error:
        raise EncodeError(error.reason, wire=WIRE, path=path_of(where) + key) from error


def contents_of(
    writer: Writer,
    blocks: Iterable[model.Content],
    where: Where,
    *,
    at: Iterable[int] | None = None,
    signer: str | None = None,
) -> list[own.Content]:
    """Return contents. `at` gives the blocks' indexes if they are not all of the message's.

    `signer` is the API that the signatures are of, None if it is not known.
    """
    contents: list[own.Content] = []
    opened: tuple[Any, str] | None = None
    """The list that the next block of its kind may join, and its key."""
    numbered = enumerate(blocks) if at is None else zip(at, blocks, strict=True)
    for i, block in numbered:
        kind = type(block)
        here = (*where, i)
        if kind in _LISTED:
            opened = _item(writer, block, here, contents, opened)
            continue
        opened = None
        make = _CONTENTS.get(kind)
        if make is None:
            writer.lose_block(block, here)
            continue
        part = make(writer, block, here, signer)
        if part is not None:
            contents.append(part)
    return contents


def _item(
    writer: Writer,
    block: Any,
    where: Where,
    contents: list[Any],
    opened: tuple[Any, str] | None,
) -> tuple[Any, str] | None:
    """Add a media block to the open list or to a new one, and return that list and its key."""
    spelling = spelled(block.extras, API)
    name = _value(spelling["list"]) if "list" in spelling else _USUAL.get(type(block))
    kind = _LISTED[type(block)]
    if name not in _LISTS[kind][1]:
        writer.lose_block(block, where)
        if type(block) is model.DocumentBlock and block.text is not None:
            contents.append(own.TextContent(block.text))
        return None
    item = _media(writer, block, name, spelling, where)
    if item is None:
        return opened
    keys, _ = writer.rest(block, where)
    if opened is not None and opened[1] == name and not keys and "apart" not in spelling:
        getattr(opened[0], name).append(item)
        return opened
    fields: dict[str, Any] = {}
    others = dict(keys)
    if kind is own.ImageContent:
        note = others.pop(_NOTE, spelling.get(_NOTE, UNSET))
        fields = {} if note is UNSET else {_NOTE: _value(note)}
    part = kind(**{name: [item]}, **fields, unknown=unknown(others))
    contents.append(part)
    return part, name


def _media(
    writer: Writer, block: Any, name: str, spelling: Keys, where: Where
) -> str | Media | None:
    kind = _LISTS[_LISTED[type(block)]][2]
    media = inline(block)
    if media is None:
        url = block.url
        is_said = "url" in spelling and _value(spelling["url"]) == url
        if url is None or not (is_said or url.startswith(_URLS.get(name, _OTHER_URLS))):
            writer.lose("media source", where)
            return None
        if block.mime_type is not None:
            writer.lose("mimeType", where, ".mimeType")
        # What begins otherwise came in place of base64, and goes back there unchecked.
        return url if url.startswith(LISTS[name][1]) else Media.from_base64(url)
    data = misread(media, _NO_BASE64.get(name, _NO_OTHER_BASE64))
    if data is None:
        writer.lose("media source", where)
        return None
    declared = media.mime_type if block.mime_type is None else block.mime_type
    readable = (None, media.sniffed, media_type(media, kind))
    is_said = "mime_type" in spelling and _value(spelling["mime_type"]) == declared
    if not is_said and _ALIASES.get(declared or "", declared) not in readable:
        writer.lose("mimeType", where, ".mimeType")
    return data


def _text(writer: Writer, block: model.TextBlock, where: Where, _: Any) -> own.TextContent:
    return own.TextContent(block.text, unknown=unknown(writer.rest(block, where)[0]))


def _thinking(
    writer: Writer, block: model.ThinkingBlock, where: Where, signer: str | None
) -> own.ThinkingContent | None:
    if block.redacted:
        writer.lose("redacted thinking", where)
        return None
    keys, _ = writer.rest(block, where)
    signature = block.signature or ""
    if signature and not _is_sent_back(signer, THINKING_SIGNER):
        writer.lose("signature", where, ".signature")
        signature = ""
    return own.ThinkingContent(block.thinking, signature, unknown=unknown(keys))


def _call(
    writer: Writer, block: model.ToolCallBlock, where: Where, signer: str | None
) -> own.ToolCallContent:
    keys, _ = writer.rest(block, where)
    args = block.arguments.object_json()
    if args is None:
        writer.lose("arguments", where, ".arguments")
    metadata = finite(block.metadata, where, ".metadata")
    signature = block.signature
    if signature is not None and not _is_sent_back(signer, CALL_SIGNER):
        writer.lose("signature", where, ".signature")
        signature = None
    if signature is not None:
        if metadata is not None and _SIGNATURE in metadata:
            writer.lose("metadata", where, ".metadata")
        metadata = {**(metadata or {}), _SIGNATURE: signature}
    return own.ToolCallContent(
        block.id,
        block.name,
        block.kind,
        adopt_arguments(args if args is not None else Raw(b"{}")),
        UNSET if metadata is None else metadata,
        unknown=unknown(keys),
    )


def _result(
    writer: Writer, block: model.ToolResultBlock, where: Where, _: Any
) -> own.ToolResultContent:
    keys, spelling = writer.rest(block, where)
    return result_of(writer, block, keys, spelling, where)


def result_of(
    writer: Writer, result: Any, keys: Keys, spelling: Keys, where: Where
) -> own.ToolResultContent:
    """Return the result content for a result block or a result message."""
    texts = []
    media: list[tuple[int, Any]] = []
    stage = 0
    for i, part in enumerate(result.content):
        at = (*where, i)
        name = _RESULT_MEDIA.get(_kind_of(part))
        if type(part) is not model.TextBlock and name not in spelling:
            writer.lose("tool result content", at)
            continue
        order = _RESULT_ORDER.index(name)
        if order < stage:
            writer.lose("order", at)
        stage = max(stage, order)
        if name is not None:
            media.append((i, part))
            continue
        texts.append(part.text)
        writer.lose_keys(writer.rest(part, at)[0], at)
    fields: dict[str, Any] = {
        name: None for name in _RESULT_MEDIA.values() if spelling.get(name) == _NULL
    }
    for content in contents_of(writer, (p for _, p in media), where, at=[i for i, _ in media]):
        name = _RESULT_MEDIA[type(content)]
        if fields.get(name) is not None:
            writer.lose("tool result content", where, ".content")
        else:
            fields[name] = content
    message = keys.get("terminate_message", spelling.get("terminate_message"))
    if message is not None:
        fields["terminate_message"] = _value(message)
    if result.tool_name is not None:
        fields["tool_name"] = result.tool_name
    elif "tool_name" in spelling:
        fields["tool_name"] = ""
    return own.ToolResultContent(
        result.tool_call_id,
        "\n".join(texts),
        result.is_error,
        finite(result.metadata, where, ".metadata") or {},
        result.terminate,
        **fields,
        unknown=unknown({k: raw for k, raw in keys.items() if k != "terminate_message"}),
    )


_NULL: Final = Raw(b"null")
_RESULT_MEDIA: Final[dict[Any, str]] = {
    own.ImageContent: "image",
    own.AudioContent: "audio",
    own.VideoContent: "video",
}
_RESULT_ORDER: Final = (None, *_RESULT_MEDIA.values())


def _kind_of(block: Any) -> type[Any] | None:
    """Return the type of content that a block is written as, or that an opaque block holds."""
    if type(block) is model.OpaqueBlock and block.api == API:
        try:
            return type(read(own.Content, block.raw.text, WIRE))
        except DecodeError:
            return None
    return _LISTED.get(type(block))


def _opaque(writer: Writer, block: model.OpaqueBlock, where: Where, _: Any) -> own.Content | None:
    if block.api != API:
        writer.lose("opaque", where)
        return None
    writer.lose_rest(block, where)
    try:
        made: own.Content = read(own.Content, block.raw.text, WIRE)
    except DecodeError as error:
        path = f"{path_of(where)}.raw{error.path[1:]}"
        raise EncodeError(error.reason, wire=WIRE, path=path) from error
    return made


def _error(writer: Writer, block: model.ErrorBlock, where: Where, _: Any) -> own.TextContent:
    writer.lose("error", where)
    return own.TextContent(block.message)


_CONTENTS: Final[Mapping[type[Any], Any]] = {
    model.TextBlock: _text,
    model.ThinkingBlock: _thinking,
    model.ToolCallBlock: _call,
    model.ToolResultBlock: _result,
    model.OpaqueBlock: _opaque,
    model.ErrorBlock: _error,
}
