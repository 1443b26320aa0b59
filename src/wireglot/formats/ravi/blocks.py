"""The items in the content of Ravi's messages <-> canonical blocks.

An image's type and detail, a sound's format and a video's URL depend on the version. What came in a
word that V3 would write in another way is in the spelling.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ... import model
from ...model import Extras, Media
from ...model.base import UnknownKeys
from .._mapping import Where, extras_of, inline, spelled
from .._records import unknown
from .contents import (
    AUTO,
    PNG,
    AudioContent,
    DocumentContent,
    ImageContent,
    TextContent,
    VideoContent,
    format_of,
    full_type,
    is_fit,
    mime_type_of,
    png,
)
from .system import API, V2, V3
from .wire import is_data_url, is_kept

if TYPE_CHECKING:
    from .writers import VersionWriter

__all__ = [
    "blocks_of",
    "declared",
    "extras_of_part",
    "has_video",
    "inline_of",
    "item_of_block",
    "only_text",
    "url_spelled",
]

_FORMATS: Final[Mapping[str, str]] = {
    "mpeg": "mp3",
    "x-wav": "wav",
    "wave": "wav",
    "vnd.wave": "wav",
    **{name: name for name in ("mp3", "wav", "opus", "flac", "ogg")},
}
"""The part of a type after `audio/` -> V3's word for it. V3 has no other formats."""

_DETAILS: Final = frozenset({"low", "high", AUTO})
"""V3's words for the detail of an image."""

_value = msgspec.json.Decoder().decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


# -- items -> blocks -------------------------------------------------------------------------------


def blocks_of(
    items: list[Any], version: str, spelling: Mapping[str, Any] | None = None
) -> list[model.Content]:
    """Return the blocks of a content; with a `spelling`, each of them has it."""
    return [
        model.TextBlock(item)
        if type(item) is str and spelling is None
        else _BLOCKS.get(type(item), _pil_block)(item, version, spelling)
        for item in items
    ]


def _text_block(item: str, version: str, spelling: Any) -> model.TextBlock:
    return model.TextBlock(item, extras=extras_of_part(UNSET, spelling))


def _marked_text_block(item: TextContent, version: str, spelling: Any) -> model.TextBlock:
    return model.TextBlock(item.text, extras=extras_of_part(item.unknown, spelling))


def _image_block(item: Any, version: str, spelling: Any) -> model.ImageBlock:
    has_type = item.data is not None or version == V3
    if version == V3 and item.detail not in _DETAILS:
        spelling = {**(spelling or {}), "detail": item.detail}
    return model.ImageBlock(
        data=item.data,
        url=item.url,
        file_id=item.file_id,
        mime_type=item.media_type if has_type else None,
        detail=item.detail if item.detail != AUTO else None,
        extras=extras_of_part(item.unknown, spelling),
    )


def _audio_block(item: Any, version: str, spelling: Any) -> model.AudioBlock:
    mime_type = mime_type_of(item)
    if version == V3 and _FORMATS.get(format_of(mime_type, "audio")) != item.format:
        spelling = {**(spelling or {}), "format": item.format}
    return model.AudioBlock(
        data=item.data,
        mime_type=mime_type,
        transcript=item.transcript,
        extras=extras_of_part(item.unknown, spelling),
    )


def _video_block(item: Any, version: str, spelling: Any) -> model.VideoBlock:
    keys = item.unknown
    spelling = url_spelled(item.url, spelling)
    if version == V3 and keys is not UNSET:
        others = _keys(keys.text)
        if "media_type" in others:  # half a type
            spelling = {**(spelling or {}), "media_type": others.pop("media_type")}
            keys = unknown(others)
    return model.VideoBlock(
        data=item.data,
        url=item.url,
        mime_type=mime_type_of(item),
        extras=extras_of_part(keys, spelling),
    )


def _document_block(item: Any, version: str, spelling: Any) -> model.DocumentBlock:
    return model.DocumentBlock(
        data=item.data,
        url=item.url,
        file_id=item.file_id,
        mime_type=item.media_type,
        filename=item.filename,
        extras=extras_of_part(item.unknown, url_spelled(item.url, spelling)),
    )


def _pil_block(item: Any, version: str, spelling: Any) -> model.ImageBlock:
    media = Media.from_pil(item)
    if media.mime_type != PNG:  # another format would be encoded anew, and worse
        media = png(item)
    return model.ImageBlock(
        data=media, mime_type=media.mime_type, extras=extras_of_part(UNSET, spelling)
    )


_BLOCKS: Final[Mapping[type, Callable[[Any, str, Any], model.Content]]] = {
    str: _text_block,
    TextContent: _marked_text_block,
    ImageContent: _image_block,
    AudioContent: _audio_block,
    VideoContent: _video_block,
    DocumentContent: _document_block,
}


def extras_of_part(
    unknown: UnknownKeys | UnsetType, spelling: Mapping[str, Any] | None = None
) -> Extras | None:
    """Return the unknown keys of an item or a part of one, and how it is spelled."""
    return extras_of(API, unknown, None, spelling)


def url_spelled(url: str | None, spelling: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the spelling of an item, marked if its URL is a `data:` URL: V3 keeps it a URL."""
    return {**(spelling or {}), "url": True} if url is not None and is_data_url(url) else spelling


# -- blocks -> items -------------------------------------------------------------------------------


def item_of_block(writer: VersionWriter, block: model.Content, where: Where) -> Any:
    """Return the item for a block, None if it is left out."""
    make = _ITEMS[writer.VERSION].get(type(block))
    if make is None:
        writer.lose_block(block, where)
        return None
    return make(writer, block, where)


def only_text(writer: VersionWriter, block: Any, where: Where) -> str | None:
    """Report the loss of a block that has no place; return its text, if there is any."""
    what, name = _TEXTS[type(block)]
    writer.lose(what, where)
    text: str | None = getattr(block, name)
    return text


_TEXTS: Final[Mapping[type, tuple[str, str]]] = {
    model.AudioBlock: ("audio", "transcript"),
    model.VideoBlock: ("video", "transcript"),
    model.DocumentBlock: ("document", "text"),
    model.ErrorBlock: ("error", "message"),
}
"""Blocks without a place -> the row of their loss, and the field of the text that stays."""


def _type_of(block: model.MediaBlock, media: model.Media | None) -> str:
    """Return the type that a block declares, else that of its data, else its kind's default."""
    known = media.mime_type if media is not None else None
    return block.mime_type or known or block.default_mime_type


def declared(block: model.MediaBlock, media: model.Media | None) -> str:
    """Return the type that a block declares, even an empty one, else that of its data."""
    return block.mime_type if block.mime_type is not None else _type_of(block, media)


def _text(writer: VersionWriter, block: model.TextBlock, where: Where) -> Any:
    keys, _ = writer.rest(block, where)
    return TextContent(block.text, unknown=unknown(keys)) if keys else block.text


def _image(writer: VersionWriter, block: model.ImageBlock, where: Where) -> Any:
    media = inline_of(writer, block)
    if media is None and not _is_elsewhere(writer, block):
        writer.lose("image", where)
        return None
    keys, _ = writer.rest(block, where)
    detail = _detail(writer, block, where)
    if media is None:
        typed: dict[str, Any] = {}
        if block.mime_type is not None and writer.VERSION == V3:
            typed["media_type"] = block.mime_type
        elif block.mime_type is not None:
            writer.lose("mimeType", where, ".mimeType")
        return ImageContent(
            url=block.url, file_id=block.file_id, detail=detail, unknown=unknown(keys), **typed
        )
    if _is_pil(media, block.mime_type) and detail == AUTO and not keys:
        return media.to_pil()
    return ImageContent(
        data=media,
        media_type=_image_type(writer, block, media, where),
        detail=detail,
        unknown=unknown(keys),
    )


def _is_elsewhere(writer: VersionWriter, block: model.ImageBlock | model.DocumentBlock) -> bool:
    """Whether a block has a URL or a file id; in V2 an empty URL does not count."""
    if block.url is None or _is_broken(writer, block):
        return block.file_id is not None
    return bool(block.url) or writer.VERSION == V3


def inline_of(writer: VersionWriter, block: model.MediaBlock) -> Media | None:
    """Return the inline data of a block, None for a `data:` URL that is written as it is."""
    return None if _is_url(writer, block) else inline(block)


def _is_url(writer: VersionWriter, block: model.MediaBlock) -> bool:
    """Whether a `data:` URL is written as it is: it says more, or came as a URL in V3."""
    if block.data is not None or block.url is None or not is_data_url(block.url):
        return False
    return is_kept(block.url) or (writer.VERSION == V3 and "url" in spelled(block.extras, API))


def _is_broken(writer: VersionWriter, block: model.MediaBlock) -> bool:
    """Whether a block whose data cannot be read has a `data:` URL that is not kept as it is."""
    return block.url is not None and is_data_url(block.url) and not _is_url(writer, block)


def _image_type(writer: VersionWriter, block: model.ImageBlock, media: Media, where: Where) -> str:
    """Return the type of an inline image, which becomes part of a `data:` URL in V2."""
    if writer.VERSION == V3:
        return declared(block, media)
    mime_type = _type_of(block, media)
    if is_fit(mime_type):
        return mime_type
    writer.lose("mimeType", where, ".mimeType")
    return media.sniffed or block.default_mime_type


def _detail(writer: VersionWriter, block: model.ImageBlock, where: Where) -> str:
    detail = block.detail if block.detail is not None else AUTO
    if writer.VERSION == V2 or detail in _DETAILS or _word(block, "detail") == detail:
        return detail
    writer.lose("detail", where, ".detail")
    return AUTO


def _is_pil(media: Media, mime_type: str | None) -> bool:
    """Whether media are a PIL image, which Ravi holds as it is, and writes as PNG."""
    return media._form == "image" and media.mime_type == PNG == (mime_type or PNG)


def _audio(writer: VersionWriter, block: model.AudioBlock, where: Where) -> Any:
    media = inline(block)
    if media is None:
        return only_text(writer, block, where)
    keys, _ = writer.rest(block, where)
    if block.transcript is not None:
        writer.lose("transcript", where, ".transcript")
    return AudioContent(media, format_of(_type_of(block, media), "audio"), unknown=unknown(keys))


def _v3_audio(writer: VersionWriter, block: model.AudioBlock, where: Where) -> Any:
    media = inline(block)
    name = _FORMATS.get(format_of(_type_of(block, media), "audio"))
    word = _word(block, "format")
    if word is not None and full_type(word, "audio") == block.mime_type:
        name = word
    if media is None or name is None:
        return only_text(writer, block, where)
    keys, _ = writer.rest(block, where)
    return AudioContent(media, name, block.transcript, unknown=unknown(keys))


def _video(writer: VersionWriter, block: model.VideoBlock, where: Where) -> Any:
    media = inline(block)
    if media is None:
        return only_text(writer, block, where)
    keys, _ = writer.rest(block, where)
    return VideoContent(media, format_of(_type_of(block, media), "video"), unknown=unknown(keys))


def _v3_video(writer: VersionWriter, block: model.VideoBlock, where: Where) -> Any:
    if not has_video(writer, block):
        return only_text(writer, block, where)
    media = inline_of(writer, block)
    keys, spelling = writer.rest(block, where)
    word = _word(block, "media_type")
    if word is not None and full_type(word, "video") == block.mime_type:
        keys = {**keys, "media_type": spelling["media_type"]}
    return VideoContent(
        media,
        format_of(_type_of(block, media), "video"),
        block.url if media is None else None,
        unknown=unknown(keys),
    )


def has_video(writer: VersionWriter, block: model.VideoBlock) -> bool:
    """Whether V3 has a place for a video: it may have neither data nor a URL, but no file id."""
    if inline_of(writer, block) is not None:
        return True
    return block.file_id is None and not _is_broken(writer, block)


def _v3_document(writer: VersionWriter, block: model.DocumentBlock, where: Where) -> Any:
    media = inline_of(writer, block)
    has_source = media is not None or _is_elsewhere(writer, block)
    if block.text is not None or not has_source:
        return only_text(writer, block, where)
    keys, _ = writer.rest(block, where)
    return DocumentContent(
        url=block.url if media is None else None,
        file_id=block.file_id,
        data=media,
        media_type=declared(block, media),
        filename=block.filename,
        unknown=unknown(keys),
    )


def _word(block: model.MediaBlock, key: str) -> str | None:
    """Return the word that came in under a key if V3 would write another, else None."""
    raw = spelled(block.extras, API).get(key)
    word = _value(raw) if raw is not None else None
    return word if type(word) is str else None


_EITHER: Final[Mapping[type, Any]] = {
    model.TextBlock: _text,
    model.ImageBlock: _image,
    model.ErrorBlock: only_text,
}
_ITEMS: Final[Mapping[str, Mapping[type, Any]]] = {
    V2: {
        **_EITHER,
        model.AudioBlock: _audio,
        model.VideoBlock: _video,
        model.DocumentBlock: only_text,
    },
    V3: {
        **_EITHER,
        model.AudioBlock: _v3_audio,
        model.VideoBlock: _v3_video,
        model.DocumentBlock: _v3_document,
    },
}
