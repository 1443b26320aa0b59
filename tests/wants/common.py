"""What is asked of several wires, over what differs by wire: a stop, calls, their ids, counts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["are_objects", "repeated"]


def repeated(values: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Yield the paths of values that are empty, or that another has had."""
    seen: set[Any] = set()
    for path, value in values:
        if not value or value in seen:
            yield path
        seen.add(value)


def are_objects(values: Iterable[tuple[str, Any]]) -> Iterator[str]:
    """Yield the paths of texts that are not the JSON of an object."""
    for path, text in values:
        try:
            if not isinstance(json.loads(text), dict):
                yield path
        except ValueError:
            yield path
