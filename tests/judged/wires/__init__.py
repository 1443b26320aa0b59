"""A script in the words of each wire, a module each; written from the APIs' own references.

`write` returns the body of a request. `PARAMETERS` has the API's own keys with some of their
values, `MODELS` names of models that speak the wire. Nothing here asks wireglot.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any, Protocol

from tests.judged.scripts import Script

__all__ = ["ASKING", "Asking"]


class Asking(Protocol):
    """How requests of one wire are made."""

    MODELS: tuple[str, ...]
    PARAMETERS: dict[str, tuple[Any, ...]]

    def write(self, script: Script, random: Random) -> dict[str, Any]: ...


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
ASKING: dict[str, Asking] = {name: import_module(f"{__name__}.{name}") for name in _NAMES}
