"""What the web searches of several APIs have in common: a tool whose type names it, its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from .._state.facts import SearchForm

KEYS: Final = {
    "allowed": "allowed_domains",
    "blocked": "blocked_domains",
    "max_uses": "max_uses",
    "context_size": "search_context_size",
    "place": "user_location",
}
"""What a search may be asked for -> its usual key."""
ALL: Final = frozenset(KEYS)


def typed(tool: dict[str, Any], is_search: Callable[[str], Any]) -> dict[str, Any] | None:
    """Return the options of a tool whose type names the search; inner objects are opened."""
    kind = tool.get("type")
    if not isinstance(kind, str) or not is_search(kind):
        return None
    options = {key: tool[key] for key in tool if key != "type"}
    for group in ("filters", "parameters"):
        inner = options.get(group)
        if isinstance(inner, dict):
            del options[group]
            options = inner | options
    return options


def excluding(options: dict[str, Any]) -> dict[str, Any]:
    """Return options by the keys that xAI and OpenRouter have."""
    names = {"blocked_domains": "excluded_domains"}
    return {names.get(key, key): value for key, value in options.items()}


def _openrouters(options: dict[str, Any]) -> dict[str, Any]:
    parameters = excluding(options)
    tool = {"type": "openrouter:web_search"}
    return {**tool, "parameters": parameters} if parameters else tool


OPENROUTER: Final = SearchForm(_openrouters, ALL)
"""OpenRouter's server tool, which it has on two APIs."""
