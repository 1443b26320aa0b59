"""A made-up answer in the words of each wire, and how a client reads what it is translated to.

A module for each wire: `whole` writes an answer, `events` one as a stream, `read` and `read_events`
are a client of it. Written from the APIs' own references; nothing here asks wireglot.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any, Protocol

from tests.judged.replies import Reply, Seen

__all__ = ["ANSWERING", "Answering"]


class Answering(Protocol):
    """How the answers of one wire are made and read."""

    def whole(self, reply: Reply) -> dict[str, Any]: ...

    def events(self, reply: Reply, random: Random) -> list[dict[str, Any]]: ...

    def read(self, answer: dict[str, Any]) -> Seen: ...

    def read_events(self, events: list[dict[str, Any]]) -> Seen: ...


_NAMES = (
    "anthropic",
    "openai_chat",
    "openai_responses",
    "gemini",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
)
ANSWERING: dict[str, Answering] = {name: import_module(f"{__name__}.{name}") for name in _NAMES}
