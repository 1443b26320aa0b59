"""What boto3 makes of the events of a stream."""

from __future__ import annotations

from typing import Any


def event(_: Any, plain: Any) -> tuple[str, Any]:
    """Return the name and the data of an event, which boto3 has as an object with one key."""
    if len(plain) == 1:
        ((kind, data),) = plain.items()
        return kind, data
    return plain.get("type", ""), plain
