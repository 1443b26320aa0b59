"""What Mistral's SDK has around the chunks of a stream."""

from __future__ import annotations

from typing import Any


def event(value: Any, plain: dict[str, Any]) -> Any:
    """Return the chunk that a `CompletionEvent` is around."""
    if type(value).__name__ != "CompletionEvent":
        return plain
    data = plain.get("data")
    return "" if data is None else data  # no object, which is refused
