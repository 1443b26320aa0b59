"""The items of a content, files included <-> canonical blocks."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw

from ... import model
from ...errors import DecodeError
from ...model import Media, RawJson
from ...model.media import adopt_media
from .._as_it_came import json_text
from .._mapping import extras_of, spelled
from .._records import unknown
from .system import API

__all__ = ["blocks_of", "digest", "file_block", "file_of", "url_safe"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
_is_hash = re.compile("[0-9a-f]{6}").fullmatch

_URLS: Final[Mapping[str, type[model.MediaBlock]]] = {
    "image-url": model.ImageBlock,
    "audio-url": model.AudioBlock,
    "video-url": model.VideoBlock,
    "document-url": model.DocumentBlock,
}
_KINDS: Final = {kind: name for name, kind in _URLS.items()} | {model.DataBlock: "document-url"}
_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_URL_SAFE: Final = bytes.maketrans(b"+/", b"-_")
_ALPHABET: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def _kind(mime_type: str | None) -> Any:
    word = (mime_type or "").partition("/")[0]
    return _URLS.get(f"{word}-url", model.DocumentBlock)


def _other_alphabet(media: Media, table: bytes) -> Media:
    text = bytes(media.json())
    if b"\\" in text:
        text = b'"%b"' % media.to_base64().encode()
    made = text.translate(table)
    return media if made == text else Media.from_base64(made[1:-1])


def url_safe(media: Media) -> Media:
    """Return media in the base64 alphabet of Pydantic AI, which has `-` and `_`.

    Its reader refuses line breaks, missing padding and set padding bits. All are mended, if the
    text is base64 at all.
    """
    safe_media = _other_alphabet(media, _URL_SAFE)
    text = bytes(safe_media.json())[1:-1]
    if len(text) % 4 or text.translate(None, _ALPHABET).strip(b"=") or _has_odd_bits(text):
        try:
            safe_media = _other_alphabet(Media.from_bytes(media.view()), _URL_SAFE)
        except DecodeError:
            pass
    return safe_media


def _has_odd_bits(text: bytes) -> bool:
    padding = text[-2:].count(b"=")
    last = text[-1 - padding : len(text) - padding]
    return bool(_ALPHABET.find(last) & (4**padding - 1))


def file_block(part: RawJson) -> model.MediaBlock | None:
    """Return the media in an object; None if it is not a file that a canonical block can hold."""
    keys: dict[str, Any] = _keys(part.native())
    kind = json_text(keys.pop("kind", None)) or ""
    mime_type = json_text(keys.get("media_type"))
    block: model.MediaBlock
    if kind in _URLS:
        url = json_text(keys.pop("url", None))
        if url is None:
            return None
        block = _URLS[kind](url=url, mime_type=mime_type)
    elif kind == "binary":
        data = keys.pop("data", Raw(b"0"))
        if bytes(memoryview(data)[:1]) != b'"' or mime_type is None:
            return None
        media = adopt_media(data)
        assert media is not None
        block = _kind(mime_type)(data=_other_alphabet(media, _STANDARD), mime_type=mime_type)
    elif kind == "uploaded-file":
        file_id = json_text(keys.pop("file_id", None))
        if file_id is None or json_text(keys.get("provider_name")) is None:
            return None
        block = _kind(mime_type)(file_id=file_id, mime_type=mime_type)
    else:
        return None
    if mime_type is not None or bytes(keys.get("media_type", b"null")) == b"null":
        keys.pop("media_type", None)
    _describe(block, keys)
    return block


def _describe(block: model.MediaBlock, keys: dict[str, Any]) -> None:
    """Take over the rest of a file: the detail of an image, and the keys without a place."""
    spelling = {}
    identifier = json_text(keys.get("identifier"))
    if identifier is not None and _is_hash(identifier) and identifier == _hash(block):
        spelling["identifier"] = keys.pop("identifier")
    if bytes(keys.get("force_download", b"")) == b"false":
        del keys["force_download"]
    vendor = keys.get("vendor_metadata")
    if vendor is not None and bytes(memoryview(vendor)[:1]) == b"{":
        metadata = _keys(vendor)
        detail = json_text(metadata.get("detail"))
        if type(block) is model.ImageBlock and detail is not None:
            block.detail = detail
            del metadata["detail"]
            keys["vendor_metadata"] = metadata
            if not metadata:
                del keys["vendor_metadata"]
    elif vendor is not None and bytes(vendor) == b"null":
        del keys["vendor_metadata"]
    block.extras = extras_of(API, unknown(keys), None, spelling)


def _hash(block: Any) -> str | None:
    """Return the identifier that Pydantic AI gives a file itself, None if its base64 is broken."""
    named = block.url if block.url is not None else block.file_id
    try:
        held = block.data.view() if named is None else named.encode()
    except DecodeError:
        return None
    return hashlib.sha1(held, usedforsecurity=False).hexdigest()[:6]


def file_of(block: Any, keys: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the object for a block with media; None if it has no place.

    `keys` are the unknown keys of the block.
    """
    identifier = spelled(block.extras, API).get("identifier")
    detail = getattr(block, "detail", None)
    vendor: Any = {} if "vendor_metadata" not in keys else _keys(keys["vendor_metadata"])
    if detail is not None:
        vendor = {**vendor, "detail": detail}
    file: dict[str, Any] = {"vendor_metadata": vendor or None}
    text = getattr(block, "text", None)
    if block.url is not None:
        file |= {"url": block.url, "force_download": False, "kind": _KINDS[type(block)]}
        file["media_type"] = block.mime_type or None
    elif block.file_id is not None:
        if "provider_name" not in keys:
            return None
        file |= {"file_id": block.file_id, "kind": "uploaded-file"}
        file["media_type"] = block.mime_type or None
    elif block.data is not None:
        file |= {"data": url_safe(block.data), "media_type": block.known_mime_type()}
        file["kind"] = "binary"
    elif text is not None:
        file |= {"data": url_safe(Media.from_bytes(text.encode())), "kind": "binary"}
        file["media_type"] = block.mime_type or "text/plain"
    else:
        return None
    if identifier is not None and text is None and json_text(identifier) == _hash(block):
        file["identifier"] = identifier  # not that of a file that it held before
    return file | {key: raw for key, raw in keys.items() if key != "vendor_metadata"}


def digest(item: bytes) -> str | None:
    """Return the digest by which a tool's result records a file in it; None if it needs none."""
    held = _value(item)
    if type(held) is not dict or held.get("kind") not in (*_URLS, "uploaded-file"):
        return None
    import json

    text = json.dumps(held, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def blocks_of(content: str | list[str | RawJson]) -> list[model.Content]:
    """Return the blocks of a user's content; a cache point is a mark on the block before it."""
    if isinstance(content, str):
        return [model.TextBlock(content)]
    made: list[Any] = []
    for part in content:
        block = model.TextBlock(part) if isinstance(part, str) else _item(part, made)
        if block is not None:
            made.append(block)
    return made


def _item(part: RawJson, before: list[Any]) -> Any:
    keys: dict[str, Any] = _keys(part.native())
    kind = json_text(keys.pop("kind", None))
    if kind == "cache-point" and before and getattr(before[-1], "cache", "") is None:
        ttl = json_text(keys.pop("ttl", None))
        if ttl in ("5m", "1h") and not keys:
            before[-1].cache = model.CacheMark("1h" if ttl == "1h" else "5m")
            return None
    if kind == "text-content":
        text = json_text(keys.pop("content", None))
        if text is not None:
            if bytes(keys.get("metadata", b"")) == b"null":
                del keys["metadata"]
            extras = extras_of(API, unknown(keys), None, {"kind": kind})
            return model.TextBlock(text, extras=extras)
    return file_block(part) or model.OpaqueBlock(API, part)
