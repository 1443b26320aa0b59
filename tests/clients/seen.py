"""What a client makes of an answer, whichever client it is."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import pytest

__all__ = ["QUESTION", "TOOL", "Call", "Client", "Seen", "data_url", "official", "question"]

QUESTION = "How warm is it in Łódź?"
TOOL: dict[str, Any] = {
    "name": "weather",
    "description": "Look it up",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    },
}


@dataclass
class Call:
    id: str | None
    name: str
    arguments: Any
    """Parsed, where the client leaves that to its user."""


@dataclass
class Seen:
    """The parts of an answer under one set of names; `stop` is the wire's own word.

    `tokens` are those that went in, those from a cache included, and those that came out. `whole`
    is all that the client has of the answer, in plain JSON.
    """

    text: str = ""
    thinking: str = ""
    calls: list[Call] = field(default_factory=list)
    stop: str | None = None
    tokens: tuple[int, int] = (0, 0)
    whole: Any = None


class Client(Protocol):
    """An official client, that asks, reads the answer, and says what a tool has returned."""

    model: str
    """The model to ask for, `m` if nothing else is set."""
    STREAM: ClassVar[str]
    """The media type of its streams."""
    CALLS: ClassVar[str]
    """The word for an answer that ends in calls."""
    ENDS: ClassVar[str]
    """The word for one that ends by itself."""

    def __init__(self, url: str) -> None: ...

    def ask(self, *, streamed: bool, image: bytes | None = None) -> Seen:
        """Ask `QUESTION`, with `TOOL` at hand, and a PNG to look at."""
        ...

    def tell(self, results: Sequence[str]) -> Seen:
        """Send the results of the calls of the last answer, each with the call it belongs to."""
        ...


def official(name: str, url: str) -> Client:
    """Return the client of a provider; a test that needs one which is not here is skipped."""
    module = pytest.importorskip(f"tests.clients.{name}")
    client: Client = module.Client(url)
    return client


def data_url(image: bytes) -> str:
    """Return a PNG as a URL."""
    return f"data:image/png;base64,{b64encode(image).decode()}"


def question(image: bytes | None) -> Any:
    """Return `QUESTION`, with a PNG if there is one, as OpenAI's chat and those like it have it."""
    if image is None:
        return QUESTION
    shown = {"type": "image_url", "image_url": {"url": data_url(image)}}
    return [{"type": "text", "text": QUESTION}, shown]
