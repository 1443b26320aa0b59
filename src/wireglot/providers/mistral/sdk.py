"""What Mistral's SDK has around the chunks of a stream."""

from __future__ import annotations

from typing import Any


def event(value: Any, plain: Any) -> tuple[str, Any]:
    """Return the name and the data of an event: a `CompletionEvent` is around the chunk."""
    data = plain["data"] if type(value).__name__ == "CompletionEvent" else plain
    return data.get("type", ""), data
