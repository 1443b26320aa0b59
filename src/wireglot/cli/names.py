"""A name as a person types it -> the name that the command knows, or the name as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from ..providers import PROVIDERS, facts_named

__all__ = ["aliases", "wire_named"]


@cache
def aliases() -> Mapping[str, str]:
    """Return other names of wires, for the command alone: the library has one name for each."""
    found: dict[str, str] = {}
    for name in PROVIDERS:
        for alias in facts_named(name).also_called.get("command", ()):
            alias, colon, dialect = alias.partition(":")
            found[alias] = f"{name}{colon}{dialect}"
    return found


def wire_named(name: str, is_known: Callable[[str], bool]) -> str:
    """Return the wire of a known name, of an alias, or of a name with `-` in place of `_`.

    An alias may name a dialect as well: `wire:dialect`. An unknown name is returned as it is.
    """
    if is_known(name):
        return name
    spelled = name.replace("-", "_")
    return spelled if is_known(spelled) else aliases().get(name, name)
