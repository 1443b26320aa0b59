"""How much to think, for models and wires that know either levels or budgets."""

from __future__ import annotations

from typing import Final

from ...capabilities import Capabilities
from ...model import Thinking, ThinkingLevel
from .._state.encoding import Encoding

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
    asked: Thinking, encoding: Encoding, limit: int | None = None, *, has_effort: bool = False
) -> Thinking | None:
    """Return the thinking to ask the model of a request for, None for nothing.

    A model without thinking is asked for none. One that always thinks is asked for its least. A
    budget is brought into the model's range, which is not a loss. A model that knows no levels gets
    a budget for a level, which leaves half of `limit`, the most tokens of the answer, to the text;
    one that knows no budgets gets a level for a budget. `has_effort` says that the level is told
    beside the budget.
    """
    takes = encoding.takes
    level, budget = asked.level, asked.budget_tokens
    if level is ThinkingLevel.OFF:
        if takes.rests:
            return asked if takes.thinks else None
        encoding.lose("thinking off", asked)
        if not takes.thinks:
            return None
        least = takes.budgets[0] if takes.budgets is not None and not takes.efforts else None
        level, budget = takes.efforts[0] if takes.efforts else None, least
    elif not takes.thinks:
        encoding.lose("thinking asked", asked)
        return None
    elif takes.efforts == ():
        if budget is not None and level is not None and not has_effort:
            encoding.lose("thinking form", asked)
        if budget is None:
            budget = budget_like(level or ThinkingLevel.MEDIUM)
            budget = budget if limit is None else min(budget, limit // 2)
        level = None
    elif takes.budgets is None and budget is not None:
        encoding.lose("thinking form", asked)
        level, budget = level or level_like(budget), None
        level = nearest(level, takes.efforts) if takes.efforts is not None else level
    elif level is not None and takes.efforts is not None and level not in takes.efforts:
        encoding.lose("thinking level", asked)
        level = nearest(level, takes.efforts)
    if budget is not None and takes.budgets is not None:
        budget = min(max(budget, takes.budgets[0]), takes.budgets[1])
    if (level, budget) == (asked.level, asked.budget_tokens):
        return asked
    possible = Thinking(level, budget, asked.visible)
    encoding.derived(possible, asked)
    return possible


def is_thinking(possible: Thinking | None, takes: Capabilities) -> bool:
    """Whether a model thinks, of which this is asked."""
    if possible is None:
        return takes.unasked
    return possible.level is not ThinkingLevel.OFF
