"""The web search of Gemini's API: `googleSearch`, and the names that it had before."""

from __future__ import annotations

from typing import Any, Final

from ...capabilities import generation
from ...model import Request, Tool
from .._state.facts import SearchForm

_KEYS: Final = (
    "googleSearch",
    "google_search",
    "enterpriseWebSearch",
    "enterprise_web_search",
    "googleSearchRetrieval",
    "google_search_retrieval",
)
_SINCE: Final = (3, 0)


def search_in(tool: dict[str, Any]) -> dict[str, Any] | None:
    """Return the options of a search."""
    key = next((key for key in _KEYS if isinstance(tool.get(key), dict)), None)
    if key is None:
        return None
    options: dict[str, Any] = tool[key]
    return options | {other: tool[other] for other in tool if other != key}


def _tool(options: dict[str, Any]) -> dict[str, Any]:
    blocked = options.get("blocked_domains")
    return {"googleSearch": {"excludeDomains": blocked} if blocked else {}}


def _combines(request: Request) -> bool:
    """Whether the model takes functions beside the search, if there are any."""
    known = generation(request.model)
    is_old = known is not None and known.family == "gemini" and known.since < _SINCE
    return not is_old or not any(isinstance(tool, Tool) for tool in request.tools or ())


SEARCHES: Final = {
    "gemini": SearchForm(_tool, frozenset(), _combines),
    "vertex": SearchForm(_tool, frozenset({"blocked"}), _combines),
}
