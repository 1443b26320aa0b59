"""The web search of OpenAI's Responses, and those of xAI and OpenRouter there."""

from __future__ import annotations

import re
from typing import Any, Final

from .._across.search_tools import ALL, OPENROUTER, excluding, typed
from .._state.facts import SearchForm

_is_search: Final = re.compile(r"(openrouter:)?web_search(_preview)?(_\d{4}_\d\d_\d\d)?").fullmatch


def search_in(tool: dict[str, Any]) -> dict[str, Any] | None:
    """Return the options of a search."""
    return typed(tool, _is_search)


def _tool(options: dict[str, Any]) -> dict[str, Any]:
    names = [key for key in ("allowed_domains", "blocked_domains") if key in options]
    filters = {key: options.pop(key) for key in names}
    return {"type": "web_search", **({"filters": filters} if filters else {}), **options}


def _xais_tool(options: dict[str, Any]) -> dict[str, Any]:
    filters = excluding(options)
    return {"type": "web_search", **({"filters": filters} if filters else {})}


_FORM: Final = SearchForm(_tool, ALL - {"max_uses"})
SEARCHES: Final = {
    "openai": _FORM,
    "azure": _FORM,
    "openrouter": OPENROUTER,
    "xai": SearchForm(_xais_tool, frozenset({"allowed", "blocked"})),
}
