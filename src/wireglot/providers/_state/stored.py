"""What a model is to see of a request, and where that is: without it, it answers something else."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Raw

from ...errors import DecodeError
from ...model import ErrorBlock, OpaqueBlock, RawJson, Request, ToolResultBlock
from ...model.blocks import MediaBlock
from .facts import facts_of

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_ENCRYPTED: Final = "encrypted_content"
_SEEN: Final = (MediaBlock, ErrorBlock, ToolResultBlock)
_WITH_WORDS: Final = frozenset({"audio", "media", "video"})
"""The losses of media whose transcript goes as text."""
_UNSEEN: Final = _WITH_WORDS | {
    "data",
    "document",
    "document context",
    "file id",
    "image",
    "image file",
    "image place",
    "media url",
    "system content",
    "tool result",
    "tool result content",
}
"""The losses by which media, or words about them, do not reach the model."""


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
        name.removesuffix(".id")
        for other, extra in (part.extras or {}).items()
        if other != api
        for name in facts_of(other).stored_keys
        if _inner(lenient_value(extra.keys), name)
    ]


def shown(part: Any, api: str) -> list[str]:
    """Return the keys by which a request of another API than `api` shows the model something."""
    return _given(part, api, "shown_keys") if isinstance(part, Request) else []


def is_unseen(part: Any, what: str) -> bool:
    """Whether the model sees nothing of what `part` was to show it.

    That is media of which no words are sent, an error or a result without a place, and a block that
    only its own API can read.
    """
    if isinstance(part, OpaqueBlock):
        return what == "opaque block" and isinstance(key_of(part.raw, _ENCRYPTED), str)
    if not isinstance(part, _SEEN) or what not in _UNSEEN:
        return False
    return what not in _WITH_WORDS or not (getattr(part, "transcript", None) or "").strip()


def servers(request: Request, api: str) -> list[str]:
    """Return the keys of other APIs by which a request has tools that another provider runs."""
    return _given(request, api, "server_keys")


def _given(request: Request, api: str, kind: str) -> list[str]:
    return [
        name
        for other, extra in (request.extras or {}).items()
        if other != api
        for name in getattr(facts_of(other), kind)
        if _inner(lenient_value(extra.keys), name) not in (None, [])
    ]


def _inner(keys: Any, name: str) -> Any:
    for key in name.split("."):
        if key == "id" and isinstance(keys, str):
            return keys
        keys = keys.get(key) if isinstance(keys, dict) else None
    return keys
