"""What is asked in each scenario and what the providers answer, without a wire."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal

__all__ = [
    "ANSWERS",
    "FILES",
    "IMAGE",
    "SCENARIOS",
    "TOOLS",
    "Answer",
    "Asked",
    "Item",
    "RefusalError",
    "cell_of",
    "prompt",
    "result",
    "seal",
]

SCENARIOS = {
    "plain": "a text, streamed",
    "whole": "two parallel calls, one more, an answer; not streamed",
    "tools": "the same as streams, with the arguments in pieces",
    "image": "a PNG in the user's message",
    "reasoning": "thinking before a call, and what comes back of it",
    "429": "the client's own error for a rate limit",
    "retry": "429 with `retry-after`, and the client's next attempt",
    "overflow": "the client's own error for too long a prompt",
    "error": "an error in the middle of a stream",
    "cut": "a connection that dies in the middle of a stream",
    "abort": "the client leaves in the middle of a stream",
}
"""Scenario -> what happens in it."""

FILES = {"one.txt": "Łódź has 1 river.", "two.txt": "Gdańsk has 2 rivers."}
"""The files that the tools read."""
TOOLS: list[dict[str, Any]] = [
    {
        "name": "read_file",
        "description": "Read a file",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}},
            "required": ["path"],
        },
    },
    {
        "name": "write_file",
        "description": "Write a file",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path", "content"],
        },
    },
]
IMAGE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR42mP4z8AARwzEcQCukw/x0F8jngAAAABJRU5E"
    "rkJggg=="
)
"""A red square of four pixels, a PNG in base64."""


def result(name: str, arguments: dict[str, Any]) -> str:
    """Return what a tool returns for a call."""
    path = arguments["path"]
    return FILES[path] if name == "read_file" else f"wrote {path}"


@dataclass(frozen=True)
class Answer:
    """One answer of the model. `calls` are names with arguments."""

    text: str = ""
    thinking: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()


_READ = Answer(
    "Let me read both: Łódź, Gdańsk.",
    calls=(
        ("read_file", {"path": "one.txt", "lines": 20}),
        ("read_file", {"path": "two.txt"}),
    ),
)
_WRITE = Answer(calls=(("write_file", {"path": "sum.txt", "content": 'Rivers: "3"\n'}),))
_TOOLS = (_READ, _WRITE, Answer("There are 3 rivers."))
_PLAIN = (Answer("Grüße aus Łódź, it is done."),)

ANSWERS: dict[str, tuple[Answer, ...]] = {
    **dict.fromkeys(SCENARIOS, _PLAIN),
    "whole": _TOOLS,
    "tools": _TOOLS,
    "image": (Answer("It is a red square."),),
    "reasoning": (
        Answer(
            thinking="The file tells it, so read it.", calls=(("read_file", {"path": "one.txt"}),)
        ),
        Answer("There is 1 river."),
    ),
}
"""Scenario -> what the model answers, in order."""

_ASKS = {
    "plain": "Say hello from Łódź.",
    "image": "What is this?",
    "reasoning": "How many rivers has the town of one.txt?",
    **dict.fromkeys(("whole", "tools"), "Add up the rivers of one.txt and two.txt in sum.txt."),
}
_TAG = re.compile(r"\[(\w+) (\d+)\]")


def prompt(scenario: str, number: int) -> str:
    """Return the text of the user; its head tells a provider which cell it is in."""
    return f"[{scenario} {number}] {_ASKS.get(scenario, _ASKS['plain'])}"


def cell_of(text: str) -> tuple[str, int] | None:
    """Return the scenario and the number of the cell that a prompt names."""
    found = _TAG.search(text)
    return (found[1], int(found[2])) if found else None


@dataclass
class Item:
    """One thing said, in the order of the conversation.

    `text` is that of a user, an answer, a result or a thought; `seal` its signature or what else
    keeps a thought. `data` are the arguments of a call, `image` the base64 of an image.
    """

    kind: Literal["user", "image", "thought", "text", "call", "result", "document"]
    text: str = ""
    id: str | None = None
    name: str | None = None
    data: Any = None
    seal: str | None = None


@dataclass
class Asked:
    """A request that a provider has read and found in order."""

    model: str
    stream: bool
    items: list[Item] = field(default_factory=list)
    tools: list[str] = field(default_factory=list)
    system: str = ""
    thinks: bool = False
    """Whether the request asks for thinking."""

    def add(self, *items: Item) -> None:
        self.items += items


class RefusalError(Exception):
    """What the API would refuse, with its words."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.message = message
        self.status = status


def seal(thinking: str) -> str:
    """Return the signature of a thought, which only the same thought has."""
    return b64encode(sha256(f"sealed {thinking}".encode()).digest()).decode()
