"""Media references <-> canonical media blocks.

A canonical block has one source. Further sources and unknown keys of a reference are kept in the
keys of `extras`, a `kind` that does not name the source in the spelling, both under `media`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...model.media import adopt_media
from .._mapping import Keys
from .._records import unknown
from . import contents as own
from .base import unchecked

__all__ = ["NO_KEYS", "data_of", "ref_of", "told", "told_data"]

NO_KEYS: Final[Keys] = {}
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_text = msgspec.json.Decoder(str | None).decode
_kind = msgspec.json.Decoder(Literal["url", "file_id", "data"]).decode

# The kinds of sources, in the order in which they are looked for, and the canonical field of each.
_SOURCES: Final = {"data": "data", "url": "url", "file_id": "file_id"}
_OWN: Final = {"data": "data_base64", "url": "url", "file_id": "file_id"}
_HELD: Final = {"data": "inline", "url": "url", "file_id": "file_id"}
"""The field that holds each, without a copy."""
_DESCRIBED: Final = ("sha256", "filename", "width", "height", "duration_ms", "page", "size")


def _source(ref: own.MediaRef) -> str | None:
    """Return the kind of the source that counts: the one that `kind` names, if it is there."""
    for kind in (ref.kind, *_SOURCES):
        if getattr(ref, _HELD[kind]) is not None:
            return kind
    return None


def told(
    ref: own.MediaRef, *, takes_source: bool = True
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return a reference as canonical fields, and the keys and spelling that they do not cover.

    Without `takes_source`, the canonical source is elsewhere: the reference's all go to the keys.
    """
    source = _source(ref) if takes_source else None
    fields: dict[str, Any] = {
        "mime_type": ref.mime_type,
        "size": ref.size_bytes,
        "sha256": ref.sha256,
        "filename": ref.filename,
        "width": ref.width,
        "height": ref.height,
        "duration_ms": ref.duration_ms,
        "page": ref.page,
    }
    more: dict[str, Any] = {}
    for kind, name in _SOURCES.items():
        held = getattr(ref, _HELD[kind])
        if kind == source:
            fields[name] = held
        elif held is not None:
            more[_OWN[kind]] = held
    if ref.unknown is not UNSET:
        more |= _keys(ref.unknown.text)
    return fields, more, {} if ref.kind == (source or "url") else {"kind": ref.kind}


def ref_of(
    block: model.MediaBlock, keys: Keys, spelling: Keys, *, has_data: bool = True
) -> own.MediaRef:
    """Return the reference of a canonical block, with the keys and spelling from `told`."""
    data = block.data if has_data else None
    ref = unchecked(
        own.MediaRef,
        "url",
        block.url,
        block.file_id,
        data,
        block.mime_type,
        block.size,
        block.sha256,
        block.filename,
        block.width,
        block.height,
        block.duration_ms,
        block.page,
    )
    source: Any = _source(ref)
    if source is not None:
        ref.kind = source
    if keys:
        others = dict(keys)
        for kind, key in _OWN.items():
            held, name = others.pop(key, None), _HELD[kind]
            if held is not None and getattr(ref, name) is None:
                setattr(ref, name, adopt_media(held) if kind == "data" else _text(held))
        ref.unknown = unknown(others)
    if "kind" in spelling:
        ref.kind = _kind(spelling["kind"])
    return ref


def told_data(
    block: own.DataBlock,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Return a data block as canonical fields, and its keys and spelling."""
    inline = block.inline
    if block.media is None:
        return {"data": inline, "mime_type": block.mime_type}, {}, {}
    fields, more, says = told(block.media, takes_source=inline is None)
    spelling: dict[str, Any] = {}
    if inline is not None:
        fields["data"] = inline
    elif "data" in fields:
        spelling["data_base64"] = None
    described, fields["mime_type"] = fields["mime_type"], block.mime_type
    if described is None:
        says["mime_type"] = None
    elif described != block.mime_type:
        more["mime_type"] = described
    if says or not _has_ref(fields):
        spelling["media"] = says
    return fields, {"media": more} if more else {}, spelling


def data_of(
    block: model.DataBlock, mime_type: str, keys: dict[str, Raw], spelling: Keys
) -> own.DataBlock:
    """Return the data block of a canonical one; takes from `keys` what `told_data` put there.

    Inline data goes into the block itself; `media` describes it if there is more to say.
    """
    more = _keys(keys.pop("media")) if "media" in keys else {}
    says = _keys(spelling["media"]) if "media" in spelling else NO_KEYS
    is_in_media = "data_base64" in spelling and block.data is not None
    described = {name: getattr(block, name) for name in ("url", "file_id", *_DESCRIBED)}
    ref = None
    if more or "media" in spelling or is_in_media or _has_ref(described):
        other_type = _text(more.pop("mime_type")) if "mime_type" in more else mime_type
        ref = ref_of(block, more, says, has_data=is_in_media)
        ref.mime_type = None if "mime_type" in says else other_type
    return unchecked(own.DataBlock, mime_type, None if is_in_media else block.data, ref)


def _has_ref(fields: Mapping[str, Any]) -> bool:
    """Whether any field is set besides inline data and its type."""
    return any(fields.get(name) is not None for name in ("url", "file_id", *_DESCRIBED))
