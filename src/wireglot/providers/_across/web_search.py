"""A web search that a provider runs: the tool of one API <-> that of another.

Tools of providers are opaque, and go to their own API as they came. A search is one that other APIs
have too, so there it becomes theirs. Sources: Anthropic's tools `web_search_20250305` and later;
OpenAI's `web_search` and `web_search_preview` (Responses) and `web_search_options` (Chat, which
only some models take); Google's `googleSearch`; xAI's `web_search`; OpenRouter's server tool
`openrouter:web_search`; November 2026. The chat APIs of Mistral, Cohere and Ollama have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from ..._body.fields import changed
from ...errors import DecodeError
from ...model import OpaqueBlock, RawJson, Request
from .._state.encoding import Encoding
from .._state.facts import SearchForm, facts_of
from .._state.stored import lenient_value
from .search_tools import KEYS

_FEW, _NAME = 8, 64  # the most options that a loss names, and the characters of each


class _Search(Struct):
    """What a search is asked for. `place` is the user's, by the keys that all APIs share."""

    allowed: list[str] | None = None
    blocked: list[str] | None = None
    max_uses: int | None = None
    context_size: str | None = None
    place: dict[str, str] | None = None
    rest: list[str] = []
    """The options that no other API has."""


# -- tool -> search ----------------------------------------------------------------------------

_OPTIONS: Final = {
    "allowed_domains": "allowed",
    "blocked_domains": "blocked",
    "excluded_domains": "blocked",  # xAI, OpenRouter
    "excludeDomains": "blocked",
    "exclude_domains": "blocked",
    "max_uses": "max_uses",
    "search_context_size": "context_size",
    "user_location": "place",
}
_USUAL: Final[Mapping[str, Any]] = {
    "allowed_callers": ["direct"],
    "defer_loading": False,
    "external_web_access": True,
    "name": "web_search",
    "response_inclusion": "full",
    "search_content_types": ["text"],
    "searchTypes": {"webSearch": {}},
    "search_types": {"web_search": {}},
    "strict": False,
}
"""Option -> the value that says as much as none."""
_UNUSUAL: Final = object()
_PLACE: Final = ("city", "region", "country", "timezone")
_SIZES: Final = frozenset({"low", "medium", "high"})


def _search(tool: OpaqueBlock) -> _Search | None:
    """Return what an opaque tool searches for, None if it is not a search."""
    find = facts_of(tool.api).search_in
    value = lenient_value(tool.raw) if find is not None else None
    options = find(value) if find is not None and isinstance(value, dict) else None
    if options is None:
        return None
    found = _Search()
    none: tuple[Any, ...] = (None, [], {}) if _is_exact(tool) else ([], {})
    for name, value in options.items():
        field = _OPTIONS.get(name)
        read = _READ[field](value) if field is not None else None
        if read is not None and field is not None and getattr(found, field) is None:
            setattr(found, field, read)
        elif value not in none and value != _USUAL.get(name, _UNUSUAL):
            found.rest.append(name)
    return found


def _is_exact(tool: OpaqueBlock) -> bool:
    """Whether None in the value of a tool is null; else it may be what Python cannot hold."""
    try:
        return tool.raw.value is not None
    except DecodeError:
        return False


def _domains(value: Any) -> list[str] | None:
    is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return value or None if is_list else None


def _number(value: Any) -> int | None:
    return value if type(value) is int else None


def _size(value: Any) -> str | None:
    return value if isinstance(value, str) and value in _SIZES else None


def _place(value: Any) -> dict[str, str] | None:
    """Return a place; Chat nests it."""
    if not isinstance(value, dict):
        return None
    keys: dict[str, Any] = {key: value[key] for key in value if value[key] is not None}
    if keys.pop("type", "approximate") != "approximate":
        return None
    inner = keys.get("approximate")
    if isinstance(inner, dict) and len(keys) == 1:
        return _place(inner) if "approximate" not in inner else None
    is_known = keys.keys() <= {*_PLACE} and all(isinstance(each, str) for each in keys.values())
    return {key: keys[key] for key in _PLACE if key in keys} if is_known else None


_READ: Final[Mapping[str, Callable[[Any], Any]]] = {
    "allowed": _domains,
    "blocked": _domains,
    "max_uses": _number,
    "context_size": _size,
    "place": _place,
}


# -- search -> tool ----------------------------------------------------------------------------


def translate_search(encoding: Encoding) -> None:
    """Make the search of another API, in the request that `writer` is for, one of this API.

    So it is with a search of this API that the host does not run, if it runs another.

    The request becomes a copy. Options that this API's search does not have are a loss. A search
    that this API cannot run, and any after the first, is left for the writer of tools to lose.
    """
    request: Request = encoding.root
    found = _foreign(request, encoding)
    if found is None:
        return
    index, tool, search, form = found
    tools: list[Any] = [*(request.tools or ())]
    options, lost = _options(search, form)
    tools[index] = OpaqueBlock(encoding.api, RawJson.of(form.write(options)), tool.extras)
    encoding.derived(tools[index], tool)
    made = changed(request, {"tools": tools})
    encoding.stand_in(made)
    encoding.has_new_search = True
    if lost:
        encoding.lose("web search", tools[index], names=[name[:_NAME] for name in lost[:_FEW]])
    choice = request.tool_choice
    if (
        choice is not None
        and choice.name is not None
        and choice.name == lenient_value(tool.raw).get("name")
    ):
        # A name that the search has at the other API.
        made.tool_choice = free = replace(choice, mode="auto", name=None)
        encoding.derived(free, choice)
        if len(tools) == 1:
            free.mode = "required"
        else:
            encoding.lose("tool choice lost", free)


def _foreign(
    request: Request, encoding: Encoding
) -> tuple[int, OpaqueBlock, _Search, SearchForm] | None:
    """Return the first search of another API, and its place, if this API can run one."""
    opaque = [
        (i, tool) for i, tool in enumerate(request.tools or ()) if isinstance(tool, OpaqueBlock)
    ]
    if all(encoding.is_run(tool) for _, tool in opaque):
        return None
    form = facts_of(encoding.api).searches.get(encoding.dialect)
    if form is None or not form.is_had(request):
        return None
    searches = [(i, tool, search) for i, tool in opaque if (search := _search(tool)) is not None]
    if not searches or any(encoding.is_run(tool) for _, tool, _ in searches):
        return None
    return *searches[0], form


def _options(search: _Search, form: SearchForm) -> tuple[dict[str, Any], list[str]]:
    """Return the options that a form has, by their usual key, and the keys of the others."""
    options: dict[str, Any] = {}
    lost = list(search.rest)
    for field, key in KEYS.items():
        value = getattr(search, field)
        if value is None:
            continue
        is_second = field == "blocked" and form.one_list and search.allowed is not None
        if field in form.takes and not is_second:
            options[key] = {"type": "approximate", **value} if field == "place" else value
        elif value and value != "medium":  # which is the default where there are sizes
            lost.append(key)
    return options, lost
