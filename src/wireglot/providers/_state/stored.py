"""References to what an API stores: without it, a request says only a part of what it asks."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Raw

from ..._body.objects import is_null
from ...errors import DecodeError
from ...model import OpaqueBlock, RawJson, Request
from ...model.base import NATIVE
from ...model.blocks import MediaBlock
from .facts import facts_of

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_BUCKETS: Final = ("s3://", "gs://")
_WHOLE: Final = frozenset(
    {
        "audio",
        "data",
        "document",
        "file id",
        "image",
        "image file",
        "image place",
        "media",
        "tool result content",
        "video",
    }
)
"""The losses by which a block of media goes out with its text at most."""


def lenient_value(raw: RawJson) -> Any:
    """Return a value to be looked into: of an object, what Python cannot hold is None."""
    try:
        return raw.value
    except DecodeError:
        pass
    try:
        keys = _keys(raw.text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return {key: lenient_value(RawJson.adopt(keys[key])) for key in keys}


def key_of(raw: RawJson, key: str, default: Any = None) -> Any:
    """Return the value of a key of an object, as `loose` has it; `default` if it is not there."""
    value = lenient_value(raw)
    return value.get(key, default) if isinstance(value, dict) else default


def references(part: Any, api: str) -> list[str]:
    """Return what `part`, a request or a block, refers to of what another API than `api` stores."""
    if isinstance(part, OpaqueBlock):
        refers_to = facts_of(part.api).refers_to if part.api != api else None
        name = refers_to(lenient_value(part.raw)) if refers_to is not None else None
        return [name] if name is not None else []
    if not isinstance(part, Request):
        return []
    return [
        name
        for other, extra in (part.extras or {}).items()
        if other != api
        for name in facts_of(other).stored_keys
        if _inner(lenient_value(extra.keys), name)
    ]


def holds_more(request: Request, api: str) -> bool:
    """Whether a request has unknown keys of another API that are not references, nor null."""
    return any(
        {key for key, raw in _keys(extra.keys.text).items() if not is_null(raw)}
        - {name.partition(".")[0] for name in facts_of(other).stored_keys}
        for other, extra in (request.extras or {}).items()
        if other not in (api, NATIVE)
    )


def is_stored(part: Any, what: str) -> bool:
    """Whether `part` loses all that it says.

    It came over an API as the id of a stored file, or is an object in a bucket that another
    provider can read.
    """
    return (
        what in _WHOLE
        and isinstance(part, MediaBlock)
        and (_is_file(part) or (part.url or "").startswith(_BUCKETS))
        and not getattr(part, "transcript", None)
        and not getattr(part, "text", None)
    )


def servers(request: Request, api: str) -> list[str]:
    """Return the keys of other APIs by which a request has tools that another provider runs."""
    return [
        name
        for other, extra in (request.extras or {}).items()
        if other != api
        for name in facts_of(other).server_keys
        if lenient_value(extra.keys).get(name) not in (None, [])
    ]


def _is_file(part: MediaBlock) -> bool:
    return part.file_id is not None and part.extras is not None


def _inner(keys: Any, name: str) -> Any:
    for key in name.split("."):
        keys = keys.get(key) if isinstance(keys, dict) else None
    return keys
