"""How much to think, for wires that know either levels or budgets."""

from __future__ import annotations

from typing import Final

from ..model import ThinkingLevel

__all__ = ["budget_like", "level_like"]

_BUDGETS: Final = {
    ThinkingLevel.MINIMAL: 1024,
    ThinkingLevel.LOW: 2048,
    ThinkingLevel.MEDIUM: 8192,
    ThinkingLevel.HIGH: 24576,
}
_LARGEST: Final = 32768


def level_like(budget: int) -> ThinkingLevel:
    """Return the level that comes closest to a budget in tokens."""
    if budget <= _BUDGETS[ThinkingLevel.LOW]:
        return ThinkingLevel.LOW
    return ThinkingLevel.MEDIUM if budget <= _BUDGETS[ThinkingLevel.MEDIUM] else ThinkingLevel.HIGH


def budget_like(level: ThinkingLevel) -> int:
    """Return the budget in tokens that comes closest to a level; the highest share one."""
    return _BUDGETS.get(level, _LARGEST)
