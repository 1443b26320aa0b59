"""How much to think <-> the keys that say so, in each dialect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...model import Thinking, ThinkingLevel
from .._thinking import level_like
from . import wire
from .dialects import Service

__all__ = ["put_thinking", "thinking_of"]

_LEVELS: Final = {"none": ThinkingLevel.OFF, **{str(level): level for level in ThinkingLevel}}
_ORDER: Final = list(ThinkingLevel)
_BUDGETS: Final = ("thinking_budget", "thinking_token_budget", "thinking_budget_tokens")
_SWITCHES: Final = {"enabled": True, "adaptive": True, "disabled": False}
_FORMATS: Final = {"parsed": True, "hidden": False}


def put_thinking(
    asked: Thinking, service: Service, body: wire.Body, lose: Callable[[str, Any], None]
) -> None:
    """Write into `body` how much to think; report to `lose` what the service cannot express."""
    if asked.visible is not None:
        _put_visible(asked, service, body, lose)
    if asked.level is ThinkingLevel.OFF:
        if service.switch in (None, "reasoning"):
            _put_effort("none", service, body)
        else:
            _switch(False, service, body)
        return
    level: ThinkingLevel | None = asked.level
    budget = asked.budget_tokens
    if budget is not None:
        if service.budget is None:
            lose("thinking budget", asked)
            if level is None:
                level = level_like(budget) if service.efforts else None
        elif service.budget == "reasoning":
            body.reasoning = body.reasoning or wire.Reasoning()
            body.reasoning.max_tokens = budget
            if level is not None:
                lose("thinking level", asked)  # the service takes only one of them
            return
        else:
            setattr(body, service.budget, budget)
    if level is not None:
        word = service.efforts.get(level)
        if word is None:
            lose("thinking level", asked)
            word = _nearest(level, service.efforts)
        if word is not None:
            _put_effort(word, service, body)
    if service.switch in ("thinking", "enable_thinking") or level is None:
        _switch(True, service, body)


def _put_visible(
    asked: Thinking, service: Service, body: wire.Body, lose: Callable[[str, Any], None]
) -> None:
    if service.shows == "reasoning":
        body.reasoning = wire.Reasoning(exclude=not asked.visible)
    elif service.shows == "reasoning_format":
        body.reasoning_format = "parsed" if asked.visible else "hidden"
    elif asked.visible is not (service.shows == "always"):
        lose("thinking shown", asked)


def _put_effort(word: str, service: Service, body: wire.Body) -> None:
    if service.effort == "reasoning":
        body.reasoning = body.reasoning or wire.Reasoning()
        body.reasoning.effort = word
    elif service.effort is not None:
        body.reasoning_effort = word


def _switch(on: bool, service: Service, body: wire.Body) -> None:
    if service.switch == "thinking":
        body.thinking = wire.ThinkingSwitch("enabled" if on else "disabled")
    elif service.switch == "enable_thinking":
        body.enable_thinking = on
    elif service.switch == "chat_template_kwargs":
        body.chat_template_kwargs = wire.TemplateSwitch(on)
    elif service.switch == "reasoning":
        body.reasoning = body.reasoning or wire.Reasoning()
        body.reasoning.enabled = on


def _nearest(level: ThinkingLevel, efforts: Mapping[ThinkingLevel, str]) -> str | None:
    """Return the word for the level closest to one that has none; of two, the lower."""
    if not efforts:
        return None
    place = _ORDER.index(level)
    return efforts[min(efforts, key=lambda known: abs(_ORDER.index(known) - place))]


def thinking_of(body: wire.Body, unread: set[str]) -> Thinking | None:
    """Read how much to think from all keys that say so; add keys with unknown words to `unread`."""
    reasoning = body.reasoning or wire.Reasoning()
    made = Thinking()
    switches: list[bool | None] = [reasoning.enabled, body.enable_thinking]
    for key, effort in (
        ("reasoning_effort", body.reasoning_effort),
        ("reasoning", reasoning.effort),
    ):
        if effort is None:
            continue
        if effort in _LEVELS:
            made.level = _LEVELS[effort]
        elif effort == "default":
            switches.append(True)
        else:
            unread.add(key)
    made.budget_tokens = reasoning.max_tokens
    for key in _BUDGETS:
        if made.budget_tokens is None:
            made.budget_tokens = getattr(body, key)
    if reasoning.exclude is not None:
        made.visible = not reasoning.exclude
    if body.reasoning_format is not None:
        made.visible = _FORMATS.get(body.reasoning_format)
        if made.visible is None:
            unread.add("reasoning_format")
    if body.thinking is not None and body.thinking.type is not None:
        switches.append(_SWITCHES.get(body.thinking.type))
        if switches[-1] is None:
            unread.add("thinking")
    if body.chat_template_kwargs is not None:
        switches.append(body.chat_template_kwargs.enable_thinking)
    if False in switches:
        made.level = ThinkingLevel.OFF
        made.budget_tokens = None
    return made if True in switches or made != Thinking() else None
