"""What Anthropic's SDK says beyond the API's own events."""

from __future__ import annotations

from typing import Any, Final

_OF_HELPERS: Final = frozenset({"citation", "input_json", "signature", "text", "thinking"})
"""The events that the helper of the SDK (`messages.stream`) derives from the API's own."""


def event(value: Any, plain: dict[str, Any]) -> dict[str, Any] | None:
    """Return an event as the API has it, None for one that is derived from others."""
    if type(value).__module__.startswith("anthropic."):
        kind = plain.get("type")
        if kind in _OF_HELPERS:
            return None
        if kind == "content_block_stop":  # the whole block, which the deltas have said
            plain.pop("content_block", None)
        elif kind == "message_stop":
            plain.pop("message", None)
    return plain
