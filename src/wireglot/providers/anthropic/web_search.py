"""The web search of Anthropic's API: `web_search_20250305` and later."""

from __future__ import annotations

import re
from typing import Any, Final

from ...model import Request, Tool
from .._across.search_tools import ALL, typed
from .._state.facts import SearchForm

_NAME: Final = "web_search"  # which a function may have too
_is_search: Final = re.compile(r"web_search_\d{8}").fullmatch


def search_in(tool: dict[str, Any]) -> dict[str, Any] | None:
    """Return the options of a search."""
    return typed(tool, _is_search)


def _tool(options: dict[str, Any]) -> dict[str, Any]:
    return {"type": "web_search_20250305", "name": _NAME, **options}


def _has_its_name(request: Request) -> bool:
    """Whether the search can have the name that it must have: names of tools differ."""
    return _NAME not in (tool.name for tool in request.tools or () if isinstance(tool, Tool))


_FORM: Final = SearchForm(_tool, ALL - {"context_size"}, _has_its_name, True)
SEARCHES: Final = {"anthropic": _FORM, "vertex": _FORM}
