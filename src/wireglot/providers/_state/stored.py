"""References to what an API stores: without it, a request says only a part of what it asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw

from ..._body.objects import is_null
from ...errors import DecodeError
from ...model import OpaqueBlock, RawJson, Request
from ...model.base import NATIVE
from ...model.blocks import MediaBlock

__all__ = [
    "holds_more",
    "is_reference",
    "is_stored",
    "key_of",
    "loose",
    "references",
    "servers",
]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
# Sources: the parameters of the official SDKs. A dot leads to an inner key.
_KEYS: Final = {
    "anthropic-messages": ("container", "thread.previous_message_id"),
    "openai-responses": ("previous_response_id", "conversation", "prompt"),
    "gemini-generate-content": (
        "cachedContent",
        "cached_content",
        "continuationToken",
        "continuation_token",
    ),
    "bedrock-converse": ("promptVariables",),
}
"""API -> the keys of a request that refer to an earlier answer, to a prompt or to a cache."""
_ITEM: Final = "item_reference"
_BARE: Final = frozenset({"id", "status", "type"})
"""The keys of an item of Responses that says only which stored item is meant."""
_BUCKETS: Final = ("s3://", "gs://")
_SERVERS: Final = {"anthropic-messages": ("mcp_servers",)}
"""API -> the keys of a request that give tools, which the provider runs, outside of `tools`."""
_WHOLE: Final = frozenset(
    {
        "audio",
        "data",
        "document",
        "file id",
        "image",
        "media",
        "tool result content",
        "video",
    }
)
"""The losses by which a block of media goes out with its text at most."""


def loose(raw: RawJson) -> Any:
    """Return a value to be looked into: of an object, what Python cannot hold is None."""
    try:
        return raw.value
    except DecodeError:
        pass
    try:
        keys = _keys(raw.text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return {key: loose(RawJson.adopt(keys[key])) for key in keys}


def key_of(raw: RawJson, key: str, default: Any = None) -> Any:
    """Return the value of a key of an object, as `loose` has it; `default` if it is not there."""
    value = loose(raw)
    return value.get(key, default) if isinstance(value, dict) else default


def references(part: Any, api: str) -> list[str]:
    """Return what `part`, a request or a block, refers to of what another API than `api` stores."""
    if isinstance(part, OpaqueBlock):
        refer = _REFER.get(part.api) if part.api != api else None
        name = refer(loose(part.raw)) if refer is not None else None
        return [name] if name is not None else []
    if not isinstance(part, Request):
        return []
    return [
        name
        for other, extra in (part.extras or {}).items()
        if other != api
        for name in _KEYS.get(other, ())
        if _inner(loose(extra.keys), name)
    ]


def holds_more(request: Request, api: str) -> bool:
    """Whether a request has unknown keys of another API that are not references, nor null."""
    return any(
        {key for key, raw in _keys(extra.keys.text).items() if not is_null(raw)}
        - {name.partition(".")[0] for name in _KEYS.get(other, ())}
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
        for name in _SERVERS.get(other, ())
        if loose(extra.keys).get(name) not in (None, [])
    ]


def is_reference(item: Any) -> bool:
    """Whether an item of Responses has an id, and says nothing else but its type."""
    return (
        isinstance(item, dict)
        and item.get("id") is not None
        and all(key in _BARE or item[key] is None for key in item)
    )


def _is_file(part: MediaBlock) -> bool:
    return part.file_id is not None and part.extras is not None


def _item(item: Any) -> str | None:
    """Return the type of an item of Responses that is a reference; it may be left out."""
    if not isinstance(item, dict) or "id" not in item:
        return None
    kind = item.get("type")
    if kind is None or kind == _ITEM:
        return _ITEM
    return str(kind) if is_reference(item) else None


def _upload(block: Any) -> str | None:
    """Return the type of a block of Anthropic that puts a stored file into a container."""
    kind = block.get("type") if isinstance(block, dict) else None
    return str(kind) if kind == "container_upload" else None


def _location(block: Any) -> str | None:
    """Return the key of a source of Bedrock that is an object in a bucket."""
    media = next(iter(block.values()), None) if isinstance(block, dict) else None
    source = media.get("source") if isinstance(media, dict) else None
    is_in_bucket = isinstance(source, dict) and source.get("s3Location") is not None
    return "s3Location" if is_in_bucket else None


_REFER: Final[dict[str | None, Callable[[Any], str | None]]] = {
    "anthropic-messages": _upload,
    "bedrock-converse": _location,
    "openai-responses": _item,
}
"""API -> the function that names what an opaque block refers to, None if it does not."""


def _inner(keys: Any, name: str) -> Any:
    for key in name.split("."):
        keys = keys.get(key) if isinstance(keys, dict) else None
    return keys
