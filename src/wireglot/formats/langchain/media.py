"""LangChain's blocks with media <-> canonical ones.

A block has LangChain's own style (`image` with `base64`, `url` or `file_id`), that of its versions
before 1.0 (`source_type`), or that of a provider. Each is written back in the style that it came
in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw

from ... import model
from ...errors import DecodeError
from ...model import Media
from ...model.media import adopt_media
from .._as_it_came import json_text

__all__ = ["fields_of", "fits", "source_of"]

Keys = dict[str, Any]
Source = dict[str, Any]
"""Fields of a media block."""

KINDS: Final[Mapping[str, type[model.MediaBlock]]] = {
    "image": model.ImageBlock,
    "audio": model.AudioBlock,
    "video": model.VideoBlock,
    "file": model.DocumentBlock,
    "text-plain": model.DocumentBlock,
}
_NAMES: Final = {kind: name for name, kind in KINDS.items() if name != "text-plain"} | {
    model.DataBlock: "file"
}
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def _object_at(keys: Mapping[str, Any], key: str) -> dict[str, Any] | None:
    raw = keys.get(key)
    return _keys(raw) if raw is not None and bytes(memoryview(raw)[:1]) == b"{" else None


def _media_at(keys: Mapping[str, Any], key: str) -> Media | None:
    raw = keys[key]
    return adopt_media(raw) if bytes(memoryview(raw)[:1]) == b'"' else None


def _taken(keys: Keys, **names: str) -> Source | None:
    """Take texts out of an object, by field name; None if the value of a key is not a text."""
    source: Source = {}
    for key, name in names.items():
        if key in keys:
            value = _media_at(keys, key) if name == "data" else json_text(keys.get(key))
            if value is None:
                return None
            source[name] = value
    for key in names:
        keys.pop(key, None)
    return source


# -- what came in ---------------------------------------------------------------------------------


def _standard(word: str, keys: Keys) -> Source | None:
    if word not in KINDS or "source_type" in keys:
        return None
    names = {"base64": "data", "url": "url", "file_id": "file_id", "mime_type": "mime_type"}
    if KINDS[word] is model.DocumentBlock:
        names |= {"title": "title", "context": "context", "filename": "filename"}
    if word == "text-plain":
        names |= {"text": "text"}
    return _taken(keys, **names)


def _before_1_0(word: str, keys: Keys) -> Source | None:
    source = json_text(keys.get("source_type"))
    if word not in KINDS or source not in ("base64", "url", "id", "text"):
        return None
    names = {"base64": ("data", "data"), "url": ("url", "url"), "id": ("id", "file_id")}
    key, name = names.get(str(source), ("text", "text"))
    if name == "text" and KINDS[word] is not model.DocumentBlock:
        return None
    del keys["source_type"]
    return _taken(keys, **{key: name, "mime_type": "mime_type"})


def _source(word: str, keys: Keys) -> Source | None:
    source = _object_at(keys, "source")
    if word not in ("image", "document") or source is None:
        return None
    kind = json_text(source.get("type"))
    names = {
        "base64": {"data": "data", "media_type": "mime_type"},
        "url": {"url": "url"},
        "file": {"file_id": "file_id"},
        "text": {"data": "text", "media_type": "mime_type"},
    }.get(str(kind))
    if names is None or (word, kind) == ("image", "text"):
        return None
    del source["type"]
    found = _taken(source, **names)
    more = _taken(keys, title="title", context="context") if word == "document" else {}
    if found is None or more is None or source:
        return None
    del keys["source"]
    return found | more


def _image_url(word: str, keys: Keys) -> Source | None:
    image = _object_at(keys, "image_url")
    if word != "image_url" or image is None or not image.keys() <= {"url", "detail"}:
        return None
    try:
        media = Media.of_data_url(image["url"]) if "url" in image else None
    except DecodeError:
        return None
    if media is not None:
        del image["url"]
    source = _taken(image, url="url", detail="detail")
    if source is None or (media is None and "url" not in source):
        return None
    del keys["image_url"]
    return source if media is None else {"data": media, "mime_type": media.mime_type, **source}


def _input_audio(word: str, keys: Keys) -> Source | None:
    held = _object_at(keys, "input_audio")
    if word != "input_audio" or held is None or held.keys() != {"data", "format"}:
        return None
    found = _taken(held, data="data", format="mime_type")
    if found is not None:
        found["mime_type"] = f"audio/{found['mime_type']}"
        del keys["input_audio"]
    return found


_READ: Final[Mapping[str, Callable[[str, Keys], Source | None]]] = {
    "": _standard,
    "source_type": _before_1_0,
    "source": _source,
    "image_url": _image_url,
    "input_audio": _input_audio,
}
_OF_STYLE: Final = {"image_url": model.ImageBlock, "input_audio": model.AudioBlock}


def source_of(word: str, keys: Keys) -> tuple[Any, Source, str] | None:
    """Take the media out of a block: block type, fields and style; None if there are none."""
    for style, read in _READ.items():
        left = dict(keys)
        source = read(word, left)
        if source is not None and len(source.keys() & _SOURCES) == 1:
            keys.clear()
            keys.update(left)
            return _OF_STYLE.get(style) or KINDS.get(word, model.DocumentBlock), source, style
    return None


# -- what goes out --------------------------------------------------------------------------------


def _inline(block: Any) -> tuple[Media | None, str | None]:
    if block.data is None:
        return None, block.mime_type
    return block.data, block.known_mime_type()


def _in_standard(block: Any) -> Keys:
    media, mime_type = _inline(block)
    text = getattr(block, "text", None)
    keys = {
        "type": _NAMES[type(block)] if text is None else "text-plain",
        "text": text,
        "base64": media,
        "url": block.url,
        "file_id": block.file_id,
        "mime_type": "text/plain" if text is not None and mime_type is None else mime_type,
    }
    if type(block) in (model.DocumentBlock, model.DataBlock):
        keys |= {"filename": block.filename}
    if type(block) is model.DocumentBlock:
        keys |= {"title": block.title, "context": block.context}
    return keys


def _in_before_1_0(block: Any) -> Keys:
    media, mime_type = _inline(block)
    key, source, value = (
        ("data", "base64", media)
        if media is not None
        else ("url", "url", block.url)
        if block.url is not None
        else ("id", "id", block.file_id)
        if block.file_id is not None
        else ("text", "text", getattr(block, "text", None))
    )
    name = _NAMES[type(block)]
    return {"type": name, "source_type": source, key: value, "mime_type": mime_type}


def _in_source(block: Any) -> Keys:
    media, mime_type = _inline(block)
    source = (
        {"type": "base64", "media_type": mime_type, "data": media}
        if media is not None
        else {"type": "url", "url": block.url}
        if block.url is not None
        else {"type": "file", "file_id": block.file_id}
        if block.file_id is not None
        else {"type": "text", "media_type": mime_type, "data": getattr(block, "text", None)}
    )
    source = {key: value for key, value in source.items() if value is not None}
    if type(block) is model.ImageBlock:
        return {"type": "image", "source": source}
    made = {"type": "document", "source": source}
    return made | {"title": block.title, "context": block.context}


def _in_image_url(block: Any) -> Keys:
    url = block.url
    if url is None:
        url = block.data.json_data_url(block.known_mime_type())
    held = {"url": url, "detail": block.detail}
    kept = {key: value for key, value in held.items() if value is not None}
    return {"type": "image_url", "image_url": kept}


def _in_input_audio(block: Any) -> Keys:
    word = block.known_mime_type().partition("/")[2]
    return {"type": "input_audio", "input_audio": {"data": block.data, "format": word}}


_SOURCES: Final = frozenset({"data", "url", "file_id", "text"})
_WRITE: Final[Mapping[str, tuple[Callable[[Any], Keys], frozenset[type[Any]], frozenset[str]]]] = {
    "source_type": (_in_before_1_0, frozenset(KINDS.values()), _SOURCES | {"mime_type"}),
    "source": (
        _in_source,
        frozenset({model.ImageBlock, model.DocumentBlock}),
        _SOURCES | {"mime_type", "title", "context"},
    ),
    "image_url": (
        _in_image_url,
        frozenset({model.ImageBlock}),
        frozenset({"data", "url", "mime_type", "detail"}),
    ),
    "input_audio": (
        _in_input_audio,
        frozenset({model.AudioBlock}),
        frozenset({"data", "mime_type"}),
    ),
}
"""Style -> its writer, the blocks that it can express, and the fields that it has."""


def fits(block: Any, style: str) -> bool:
    """Whether a style can express every field that is set in a block."""
    if style not in _WRITE:
        return False
    _, kinds, names = _WRITE[style]
    fields = {
        name
        for name in (*_SOURCES, "mime_type", "filename", "title", "context", "detail")
        if getattr(block, name, None) is not None
    }
    if style != "source_type" and not fields & {"data", "text"}:
        names -= {"mime_type"}
    return type(block) in kinds and fields <= names and len(fields & _SOURCES) == 1


def fields_of(block: Any, style: str) -> Keys:
    """Return the keys of a media block: in `style` if that fits, else in LangChain's own."""
    made = _WRITE[style][0](block) if fits(block, style) else _in_standard(block)
    return {key: value for key, value in made.items() if value is not None}
