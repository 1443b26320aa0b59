"""A call -> what it returned, or the error of ours that it raised; any other goes through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import wireglot as wg

__all__ = ["outcome"]


def outcome(read: Callable[..., Any], *arguments: Any) -> tuple[Any, wg.queue.PoisonError | None]:
    """Return a value and no error, or None and the `PoisonError`."""
    try:
        return read(*arguments), None
    except wg.queue.PoisonError as error:
        return None, error
