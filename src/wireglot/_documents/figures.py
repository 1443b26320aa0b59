"""Documents -> sums: answers, tokens, money and calls, by model, by tool and over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from msgspec import Struct, field

from .._display.prices import Prices
from ..model import (
    AssistantMessage,
    Request,
    Response,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
    Usage,
)

_UNKNOWN: Final = "unknown"
_DAY_MS: Final = 86_400_000
_HOURS_UP_TO: Final = 3 * _DAY_MS


class Answers(Struct):
    """Sums over answers. `cost` is that of the `priced` ones, in the currency of the prices."""

    answers: int = 0
    counted: int = 0
    """Answers that came with token counts."""
    tokens: Usage = field(default_factory=Usage)
    cost: float = 0.0
    priced: int = 0
    calls: int = 0
    """Calls of tools in the answers."""

    def add(self, message: AssistantMessage, cost: float | None) -> None:
        """Count one answer."""
        self.answers += 1
        if message.usage is not None:
            self.counted += 1
            self.tokens = self.tokens.combine(message.usage)
        self.calls += sum(type(block) is ToolCallBlock for block in message.content)
        if cost is not None:
            self.cost += cost
            self.priced += 1


class Calls(Struct):
    """Sums over the calls of one tool, and how many failed; `models` counts them by model."""

    calls: int = 0
    failed: int = 0
    models: dict[str, int] = field(default_factory=dict)


class Figures:
    """The sums so far; memory does not grow with the input."""

    def __init__(self, prices: Prices) -> None:
        self.currency: str = prices.currency
        self.documents: int = 0
        self.messages: int = 0
        self.total: Answers = Answers()
        self.models: dict[str, Answers] = {}
        self.tools: dict[str, Calls] = {}
        self._hours: dict[int, Answers] = {}
        self._prices: Prices = prices

    def add(self, value: Any) -> None:
        """Count a request, an answer or a session."""
        self.documents += 1
        open_calls: dict[str, str] = {}
        time = value.created_at if isinstance(value, Response) else None
        for message in _messages(value):
            self.messages += 1
            self._calls(message, open_calls)
        # The usage of an answer includes its alternatives.
        answers = [value.message] if isinstance(value, Response) else _messages(value)
        for message in answers:
            if isinstance(message, AssistantMessage):
                self._answer(message, time if message.timestamp is None else message.timestamp)

    def times(self) -> tuple[str, dict[datetime, Answers]]:
        """Return the sums over time, by `hour` or by `day`, whichever gives some dozens."""
        if not self._hours:
            return "day", {}
        length = 3_600_000
        name = "hour"
        if max(self._hours) - min(self._hours) > _HOURS_UP_TO:
            length, name = _DAY_MS, "day"
        made: dict[datetime, Answers] = {}
        for hour, sums in sorted(self._hours.items()):
            when = datetime.fromtimestamp(hour // length * length / 1000, UTC)
            made[when] = _sum(made.get(when, Answers()), sums)
        return name, made

    def _answer(self, message: AssistantMessage, when: int | None) -> None:
        cost = self._prices.cost(message)
        self.total.add(message, cost)
        self.models.setdefault(message.model or _UNKNOWN, Answers()).add(message, cost)
        if when is not None and 0 <= when < _LAST:
            hour = when // 3_600_000 * 3_600_000
            self._hours.setdefault(hour, Answers()).add(message, cost)

    def _calls(self, message: Any, open_calls: dict[str, str]) -> None:
        for block in _blocks(message):
            if type(block) is ToolCallBlock:
                calls = self.tools.setdefault(block.name, Calls())
                calls.calls += 1
                model = getattr(message, "model", None) or _UNKNOWN
                calls.models[model] = calls.models.get(model, 0) + 1
                open_calls[block.id] = block.name
            elif isinstance(block, ToolResultBlock | ToolResultMessage):
                name = open_calls.pop(block.tool_call_id, None)  # a second result does not count
                if name is not None and block.is_error:
                    self.tools[name].failed += 1


_LAST: Final = 253_402_300_800_000
"""The year 10000, in milliseconds: no date is later."""


def _messages(value: Any) -> Iterable[Any]:
    if isinstance(value, Request):
        return value.messages
    if isinstance(value, Response):
        return [value.message, *(value.alternatives or ())]
    entries: Iterable[Any] = value
    return entries


def _blocks(message: Any) -> Iterable[Any]:
    return [message] if isinstance(message, ToolResultMessage) else getattr(message, "content", ())


def _sum(one: Answers, other: Answers) -> Answers:
    return Answers(
        one.answers + other.answers,
        one.counted + other.counted,
        one.tokens.combine(other.tokens),
        one.cost + other.cost,
        one.priced + other.priced,
        one.calls + other.calls,
    )


def by_number(rows: Mapping[str, Any], key: str) -> list[tuple[str, Any]]:
    """Return rows, the largest first, equals by name."""
    return sorted(rows.items(), key=lambda row: (-getattr(row[1], key), row[0]))
