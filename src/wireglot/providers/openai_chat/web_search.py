"""The web search of OpenAI's chat API, which some models alone have, and OpenRouter's."""

from __future__ import annotations

import re
from typing import Any, Final

from ...model import OpaqueBlock, Request, Tool
from .._across.search_tools import OPENROUTER, typed
from .._state.facts import SearchForm
from .._state.stored import lenient_value

CHAT_OPTIONS: Final = "web_search_options"
"""The key of Chat's body that is its search tool; in the model, the only key of an opaque tool."""
_is_search: Final = re.compile(r"(openrouter:)?web_search(_preview)?(_\d{4}_\d\d_\d\d)?").fullmatch


def search_in(tool: dict[str, Any]) -> dict[str, Any] | None:
    """Return the options of a search."""
    options = tool.get(CHAT_OPTIONS)
    return options if isinstance(options, dict) and len(tool) == 1 else typed(tool, _is_search)


def is_chat_option(tool: Tool | OpaqueBlock) -> bool:
    """Whether a tool of Chat is the search that is a key of the body."""
    value = lenient_value(tool.raw) if isinstance(tool, OpaqueBlock) else None
    return isinstance(value, dict) and value.keys() == {CHAT_OPTIONS}


def _tool(options: dict[str, Any]) -> dict[str, Any]:
    place = options.get("user_location")
    if place is not None:
        inner = {key: place[key] for key in place if key != "type"}
        options["user_location"] = {"type": place["type"], "approximate": inner}
    return {CHAT_OPTIONS: options}


def _is_search_model(request: Request) -> bool:
    """Whether the model is one of those that always search, such as `gpt-4o-search-preview`."""
    return re.search(r"-search(-preview|-api)", request.model or "") is not None


SEARCHES: Final = {
    "openai": SearchForm(_tool, frozenset({"context_size", "place"}), _is_search_model),
    "openrouter": OPENROUTER,
}
