"""The eight wires of the scripted providers, a module each."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from tests.agents.script import Answer, Asked

__all__ = ["WIRES", "Wire"]


class Wire(Protocol):
    """One wire. A `mark` is what ids are made of, one for each answer."""

    MODEL: str
    """The model that the provider serves, by its real name: APIs differ by model."""
    STREAM: str
    """The media type of its streams."""
    LIMIT: str
    """What it says with 429."""
    BROKEN: str
    """What it says of an error in the middle of a stream."""
    OVERFLOW: str
    """What it says of too long a prompt, with 400."""

    def read(self, path: str, body: Any, headers: dict[str, str]) -> Asked:
        """Read a request that `tests.refusals.hosts` has no fault to find with.

        Raises `RefusalError` for what it does not know of.
        """
        ...

    def whole(self, asked: Asked, answer: Answer, mark: str) -> bytes: ...

    def frames(self, asked: Asked, answer: Answer, mark: str) -> list[bytes]: ...

    def error(self, status: int, message: str) -> tuple[dict[str, str], bytes]:
        """Return the headers and the body of an error."""
        ...

    def broken(self, asked: Asked, mark: str) -> bytes:
        """Return the frame that ends a stream with an error."""
        ...


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
WIRES: dict[str, Wire] = {name: import_module(f"{__name__}.{name}") for name in _NAMES}
