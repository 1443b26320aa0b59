"""A made-up answer, in no wire's words, and what a client has seen of one."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

__all__ = ["Call", "Reply", "Seen", "made", "pieces"]


@dataclass
class Call:
    id: str
    name: str
    arguments: dict[str, Any]


@dataclass
class Reply:
    thinking: str
    text: str
    calls: list[Call]
    stop: str | None
    """`end`, `calls`, `length`, or None where the API does not say."""
    prompt: int
    cached: int
    """How many of `prompt`."""
    written: int
    reasoning: int
    """How many of `written`."""


@dataclass
class Seen:
    """What a client has read."""

    text: str = ""
    calls: list[tuple[str, Any]] = field(default_factory=list)
    stop: str | None = None
    """As in `Reply`; another word as it is."""
    ids: list[str] = field(default_factory=list)


_IDS = ("call_1", "call_1", "toolu_01A", "", "functions.f:0", "c" * 80)
_ARGUMENTS: tuple[dict[str, Any], ...] = ({}, {"city": "Oslo"}, {"a": {"b": [1, 2.5, None]}})


def made(random: Random) -> Reply:
    """Return an answer; one in ten stops as if for calls and has none, or the other way round."""
    calls = [
        Call(random.choice(_IDS), random.choice(("f", "get_weather")), random.choice(_ARGUMENTS))
        for _ in range(random.choice((0, 0, 0, 1, 1, 2, 3)))
    ]
    usual = "calls" if calls else "end"
    cached, reasoning = random.choice((0, 0, 30)), random.choice((0, 0, 7))
    return Reply(
        random.choice(("", "", "Let me see.")),
        random.choice(("Hi.", "In Oslo: 3 °C\n", ""))
        if calls
        else random.choice(("Hi.", "a b\n\nc")),
        calls,
        random.choice((usual,) * 8 + ("length", "calls", "end", None)),
        100,
        cached,
        20,
        reasoning,
    )


def pieces(text: str, random: Random) -> list[str]:
    """Return a text in one piece or a few."""
    if len(text) < 2 or random.random() < 0.3:
        return [text] if text else []
    at = random.randrange(1, len(text))
    return [text[:at], text[at:]]
