"""A made-up conversation, in no wire's words; `asking` writes it in those of one wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

__all__ = ["PNG", "Call", "Item", "Media", "Script", "Tool", "Turn", "drawn", "made"]

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
PDF = "JVBERi0xLjQKJSVFT0YK"


@dataclass
class Media:
    kind: str
    """`image` or `document`."""
    url: bool


@dataclass
class Call:
    id: str
    name: str
    arguments: dict[str, Any]
    result: str
    error: bool
    media: Media | None


Item = str | Media


@dataclass
class Turn:
    """What the user says, what the model answers, and the calls that it makes then."""

    user: list[Item]
    answer: str = ""
    thinking: str = ""
    calls: list[Call] = field(default_factory=list)


@dataclass
class Tool:
    name: str
    description: str
    schema: dict[str, Any]
    strict: bool | None


@dataclass
class Script:
    system: list[str]
    turns: list[Turn]
    tools: list[Tool]
    later_system: int | None = None
    """The turn before which another system message stands."""
    prefill: str = ""


_WORDS = ("Hi.", "How warm is it in Oslo?", "Go on.", "Sums, please: 1+1", "été ☃")
_SPACES = ("", " ", "\n\n", "x ")
_SCHEMAS: tuple[dict[str, Any], ...] = (
    {"type": "object", "properties": {}},
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    {
        "type": "object",
        "properties": {"city": {"type": "string", "minLength": 1}, "days": {"type": "integer"}},
        "required": ["city", "days"],
        "additionalProperties": False,
    },
    {"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}},
    {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}},
        "$defs": {"A": {"type": "array", "items": {"type": "string"}}},
    },
    {"type": "object", "properties": {"p": {"type": "string", "pattern": "^(?=.*x)[a-z]+$"}}},
    {"type": "object", "patternProperties": {"^x": {"type": "string"}}},
    {
        "anyOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"type": "object", "properties": {"b": {"type": "integer"}}},
        ]
    },
    {"type": "object", "properties": {"t": {"type": "array", "prefixItems": [{"type": "string"}]}}},
    {"type": "object", "properties": {"k": {"enum": ["a", "b", 3]}}},
    {"type": "object", "properties": {"w": {"type": ["string", "null"], "format": "date"}}},
)
_ID = ("call_0", "call_abcdefghijkl", "toolu_01A", "functions.f:0", "c" * 70, "a1b2c3d4e")


def made(random: Random) -> Script:
    """Return a conversation that every API would take, if it has what the conversation uses."""
    tools = [
        Tool(
            ("f", "get_weather", "Read")[i],
            random.choice(("Reads.", "", "Of the weather")),
            random.choice(_SCHEMAS),
            random.choice((None, None, True, False)),
        )
        for i in range(random.choice((0, 0, 1, 1, 2, 3)))
    ]
    turns = [_turn(random, tools, number) for number in range(random.choice((1, 1, 2, 2, 3, 4)))]
    ends = random.random()
    last = turns[-1]
    if not last.calls or ends < 0.5:  # else the results are what the model has to answer
        last.answer, last.thinking, last.calls = "", "", []
    return Script(
        [random.choice(_WORDS) for _ in range(random.choice((0, 0, 1, 1, 2)))],
        turns,
        tools,
        random.choice((None,) * 7 + (len(turns) - 1,)) or None,
        random.choice(("",) * 9 + ("So: ",)) if not last.calls else "",
    )


def _turn(random: Random, tools: list[Tool], number: int) -> Turn:
    user: list[Item] = [random.choice(_WORDS)]
    if random.random() < 0.1:
        user.append(Media(random.choice(("image", "document")), random.random() < 0.3))
    turn = Turn(user, random.choice(_WORDS) + random.choice(_SPACES))
    if random.random() < 0.2:
        turn.thinking = "Let me see."
    if tools and random.random() < 0.6:
        one = random.choice(_ID)
        for i in range(random.choice((1, 1, 1, 2, 3))):
            turn.calls.append(
                Call(
                    one if not i else f"{one}{i}",
                    random.choice(tools).name,
                    random.choice(({}, {"city": "Oslo"})),
                    random.choice(("12", "12", "", '{"a":1}', "[1]")),
                    random.random() < 0.1,
                    Media("image", False) if random.random() < 0.1 else None,
                )
            )
        if random.random() < 0.5:
            turn.answer = random.choice(("", "\n\n", "I look."))
    return turn


def drawn(parameters: dict[str, tuple[Any, ...]], random: Random) -> dict[str, Any]:
    """Return a few of the parameters, each with one of its values."""
    names = random.sample(sorted(parameters), min(len(parameters), random.choice((0, 1, 1, 2, 3))))
    return {name: random.choice(parameters[name]) for name in names}
