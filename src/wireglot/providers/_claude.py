"""What Anthropic's models take, generation by generation.

Anthropic's API and Bedrock refuse a request with a parameter that its model does not take. Sources:
recorded requests, and what the APIs answered in 2026, as their users report it.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from ..errors import DecodeError
from ..model import RawJson, Request, Thinking, ThinkingLevel
from ._thinking import budget_like, level_like

__all__ = ["SMALLEST_BUDGET", "Claude", "claude", "closed", "fitting", "is_known", "refuses"]

SMALLEST_BUDGET: Final = 1024
"""The fewest tokens of a thinking budget."""
_number: Final = re.compile(r"claude-(?:[a-z]+-)?(\d+)(?:[.-](\d\d?)(?!\d))?").search


class Claude(NamedTuple):
    """What a model takes."""

    levels: bool = True
    """Adaptive thinking and efforts, from Claude 4.6 on."""
    budgets: bool = True
    """Thinking budgets, up to Claude 4.6."""
    sampling: bool = True
    """`temperature`, `top_p` and `top_k`, up to Claude 4.6."""
    both: bool = True
    """`temperature` and `top_p` in one request, up to Claude 4.0."""
    system_turns: bool = True
    """System messages among the turns, from Claude 4.8 on (4.1 to 4.7 were seen to refuse them)."""


_ANY: Final = Claude()


def claude(model: str | None) -> Claude:
    """Return what a model takes, by its name; one without a number in it may take everything.

    The name may have the form `claude-sonnet-4-5`, `claude-3-7-sonnet` or `claude-4.6-opus`, with
    anything around it.
    """
    found = _number(model) if model is not None else None
    if found is None:
        return _ANY
    number = int(found[1]), int(found[2] or 0)
    is_new = number >= (4, 7)
    return Claude(number >= (4, 6), not is_new, not is_new, number < (4, 1), number >= (4, 8))


def is_known(model: str | None) -> bool:
    """Whether a model's name tells which Claude it is: where others are served, it need not be."""
    return model is not None and _number(model) is not None


def refuses(request: Request, name: str) -> bool:
    """Whether the model of a request takes no `temperature`, `top_p` or `top_k` (`name`) in it."""
    takes = claude(request.model)
    is_beside = name == "top_p" and request.temperature is not None
    return not takes.sampling or (is_beside and not takes.both)


def fitting(asked: Thinking, model: str | None, limit: int | None) -> tuple[Thinking, bool]:
    """Return the thinking to ask a model for, and whether a budget or a level was lost.

    A model that knows no levels gets a budget for a level, which leaves half of `limit`, the most
    tokens of the answer, to the text. One that knows no budgets gets a level for a budget.
    """
    if asked.level is ThinkingLevel.OFF:
        return asked, False
    takes = claude(model)
    if not takes.levels:
        budget = asked.budget_tokens
        if budget is None:
            budget = budget_like(asked.level or ThinkingLevel.MEDIUM)
            if limit is not None:
                budget = max(min(budget, limit // 2), SMALLEST_BUDGET)
            return Thinking(None, budget, asked.visible), False
        return Thinking(None, budget, asked.visible), asked.level is not None
    if not takes.budgets and asked.budget_tokens is not None:
        level = asked.level or level_like(asked.budget_tokens)
        return Thinking(level, None, asked.visible), True
    return asked, False


def closed(schema: RawJson) -> tuple[RawJson, bool]:
    """Return a schema whose objects take no further properties, and whether one said it would.

    Anthropic's models answer in no other schema. One that is closed already stays as it is.
    """
    found: list[bool] = []
    try:
        made = _closed(schema.value, found)
    except DecodeError:  # no JSON: whoever writes it says so
        return schema, False
    return (RawJson.of(made) if found else schema), any(found)


_BY_NAME: Final = ("properties", "$defs", "definitions")
_LISTED: Final = ("anyOf", "allOf", "oneOf", "prefixItems")


def _closed(schema: Any, found: list[bool]) -> Any:
    """Return a closed schema; note in `found`, for each object that was open, if it said so."""
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    for key in _BY_NAME:
        if isinstance(schema.get(key), dict):
            made[key] = {name: _closed(inner, found) for name, inner in schema[key].items()}
    for key in _LISTED:
        if isinstance(schema.get(key), list):
            made[key] = [_closed(inner, found) for inner in schema[key]]
    if "items" in schema:
        made["items"] = _closed(schema["items"], found)
    if _is_object(schema) and schema.get("additionalProperties") is not False:
        found.append("additionalProperties" in schema)
        made["additionalProperties"] = False
    return made


def _is_object(schema: dict[str, Any]) -> bool:
    kind = schema.get("type")
    return kind == "object" or (isinstance(kind, list) and "object" in kind)
