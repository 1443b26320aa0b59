"""How much to think, for models and wires that know either levels or budgets."""

from __future__ import annotations

from typing import Final

from ..capabilities import Capabilities
from ..model import Thinking, ThinkingLevel

__all__ = ["SMALLEST_BUDGET", "budget_like", "fitting", "is_thinking", "level_like", "nearest"]

SMALLEST_BUDGET: Final = 1024
"""The fewest tokens of a thinking budget of Anthropic's models."""
_BUDGETS: Final = {
    ThinkingLevel.MINIMAL: 1024,
    ThinkingLevel.LOW: 2048,
    ThinkingLevel.MEDIUM: 8192,
    ThinkingLevel.HIGH: 24576,
}
_LARGEST: Final = 32768
_ORDER: Final = list(ThinkingLevel)


def level_like(budget: int) -> ThinkingLevel:
    """Return the level that comes closest to a budget in tokens."""
    if budget <= _BUDGETS[ThinkingLevel.LOW]:
        return ThinkingLevel.LOW
    return ThinkingLevel.MEDIUM if budget <= _BUDGETS[ThinkingLevel.MEDIUM] else ThinkingLevel.HIGH


def budget_like(level: ThinkingLevel) -> int:
    """Return the budget in tokens that comes closest to a level; the highest share one."""
    return _BUDGETS.get(level, _LARGEST)


def nearest(level: ThinkingLevel, levels: tuple[ThinkingLevel, ...]) -> ThinkingLevel:
    """Return the level of some that is closest to another; of two, the lower."""
    place = _ORDER.index(level)
    return min(levels, key=lambda known: abs(_ORDER.index(known) - place))


def fitting(
    asked: Thinking, takes: Capabilities, limit: int | None = None
) -> tuple[Thinking | None, str | None]:
    """Return the thinking to ask a model for, None for nothing, and the row of what is lost.

    A model without thinking is asked for none. One that always thinks is asked for its least. A
    budget is brought into the model's range, which is not a loss. A model that knows no levels gets
    a budget for a level, which leaves half of `limit`, the most tokens of the answer, to the text;
    one that knows no budgets gets a level for a budget.
    """
    level, budget = asked.level, asked.budget_tokens
    if level is ThinkingLevel.OFF:
        if takes.rests and takes.thinks:
            return asked, None
        return (_least(asked, takes), "thinking off") if takes.thinks else (None, None)
    if not takes.thinks:
        return None, "thinking asked"
    if takes.efforts == ():
        lost = "thinking form" if budget is not None and level is not None else None
        if budget is None:
            budget = budget_like(level or ThinkingLevel.MEDIUM)
            budget = budget if limit is None else min(budget, limit // 2)
        return Thinking(None, _within(budget, takes), asked.visible), lost
    if takes.budgets is None and budget is not None:
        level = level or level_like(budget)
        if takes.efforts is not None:
            level = nearest(level, takes.efforts)
        return Thinking(level, None, asked.visible), "thinking form"
    if level is not None and takes.efforts is not None and level not in takes.efforts:
        level = nearest(level, takes.efforts)
        return Thinking(level, _within(budget, takes), asked.visible), "thinking level"
    if budget is not None:
        return Thinking(level, _within(budget, takes), asked.visible), None
    return asked, None


def is_thinking(possible: Thinking | None, takes: Capabilities) -> bool:
    """Whether a model thinks, of which this is asked."""
    if possible is None:
        return takes.unasked
    return possible.level is not ThinkingLevel.OFF


def _within(budget: int | None, takes: Capabilities) -> int | None:
    if budget is None or takes.budgets is None:
        return budget
    least, most = takes.budgets
    return min(max(budget, least), most)


def _least(asked: Thinking, takes: Capabilities) -> Thinking:
    """Return the least thinking of a model that always thinks."""
    if takes.efforts:
        return Thinking(takes.efforts[0], None, asked.visible)
    least = takes.budgets[0] if takes.budgets is not None else None
    return Thinking(None, least, asked.visible)
