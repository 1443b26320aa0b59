"""What an opaque item of Responses refers to, of what OpenAI stores."""

from __future__ import annotations

from typing import Any, Final

_ITEM: Final = "item_reference"
_BARE: Final = frozenset({"id", "status", "type"})
"""The keys of an item that says only which stored item is meant."""


def is_reference(item: Any) -> bool:
    """Whether an item has an id, and says nothing else but its type."""
    return (
        isinstance(item, dict)
        and item.get("id") is not None
        and all(key in _BARE or item[key] is None for key in item)
    )


def refers_to(item: Any) -> str | None:
    """Return the type of an item that is a reference; it may be left out."""
    if not isinstance(item, dict) or "id" not in item:
        return None
    kind = item.get("type")
    if kind is None or kind == _ITEM:
        return _ITEM
    return str(kind) if is_reference(item) else None
