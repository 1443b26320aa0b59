"""A name as a person types it -> the name that the command knows, or the name as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

__all__ = ["ALIASES", "wire_named"]

ALIASES: Final = {
    "openai": "openai_chat",
    "chat": "openai_chat",
    "responses": "openai_responses",
    "claude": "anthropic",
    "google": "gemini",
    "vertex": "gemini:vertex",
    "converse": "bedrock",
}
"""Other names of wires, for the command alone: the library has one name for each."""


def wire_named(name: str, is_known: Callable[[str], bool]) -> str:
    """Return the wire of a known name, of an alias, or of a name with `-` in place of `_`.

    An alias may name a dialect as well: `wire:dialect`. An unknown name is returned as it is.
    """
    if is_known(name):
        return name
    spelled = name.replace("-", "_")
    return spelled if is_known(spelled) else ALIASES.get(name, name)
