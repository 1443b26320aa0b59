"""References to what an API stores: without it, a request says only a part of what it asks."""

from __future__ import annotations

from typing import Any, Final

from ..model import OpaqueBlock, Request
from ..model.base import NATIVE
from ..model.blocks import MediaBlock

__all__ = ["holds_more", "is_stored", "references"]

# Sources: the parameters of the official SDKs. A dot leads to an inner key.
_KEYS: Final = {
    "anthropic-messages": ("container", "thread.previous_message_id"),
    "openai-responses": ("previous_response_id", "conversation", "prompt"),
    "gemini-generate-content": ("cachedContent", "continuationToken"),
    "bedrock-converse": ("promptVariables",),
}
"""API -> the keys of a request that refer to an earlier answer, to a prompt or to a cache."""
_ITEMS_OF: Final = "openai-responses"
_ITEM: Final = "item_reference"
_WHOLE: Final = frozenset({"answer content", "audio", "document", "file id", "image", "media"})
"""The losses by which a block of media goes out with its text at most."""


def references(part: Any, api: str) -> list[str]:
    """Return what `part`, a request or a block, refers to of what another API than `api` stores."""
    if isinstance(part, OpaqueBlock):
        is_item = part.api == _ITEMS_OF != api and _is_reference(part.raw.value)
        return [_ITEM] if is_item else []
    if not isinstance(part, Request):
        return []
    return [
        name
        for other, extra in (part.extras or {}).items()
        if other != api
        for name in _KEYS.get(other, ())
        if _inner(extra.keys.value, name)
    ]


def holds_more(request: Request, api: str) -> bool:
    """Whether a request has unknown keys of another API that are not references."""
    return any(
        extra.keys.value.keys() - {name.partition(".")[0] for name in _KEYS.get(other, ())}
        for other, extra in (request.extras or {}).items()
        if other not in (api, NATIVE)
    )


def is_stored(part: Any, what: str) -> bool:
    """Whether `part` loses all that it says: it came over an API as the id of a stored file."""
    return (
        what in _WHOLE
        and isinstance(part, MediaBlock)
        and part.file_id is not None
        and part.extras is not None
        and not getattr(part, "transcript", None)
        and not getattr(part, "text", None)
    )


def _is_reference(item: Any) -> bool:
    """Whether an item of Responses is a reference; its type may be left out."""
    return isinstance(item, dict) and "id" in item and item.get("type", _ITEM) in (_ITEM, None)


def _inner(keys: Any, name: str) -> Any:
    for key in name.split("."):
        keys = keys.get(key) if isinstance(keys, dict) else None
    return keys
