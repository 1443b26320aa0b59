"""A web search that a provider runs: the tool of one API <-> that of another.

Tools of providers are opaque, and go to their own API as they came. A search is one that other APIs
have too, so there it becomes theirs. Sources: Anthropic's tools `web_search_20250305` and later;
OpenAI's `web_search` and `web_search_preview` (Responses) and `web_search_options` (Chat, which
only some models take); Google's `googleSearch`; xAI's `web_search`; OpenRouter's server tool
`openrouter:web_search`; November 2026. The chat APIs of Mistral, Cohere and Ollama have none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from ..._body.fields import changed
from ...capabilities import generation
from ...errors import DecodeError
from ...model import OpaqueBlock, RawJson, Request, Tool
from .._state.encoding import Writer
from .._state.stored import loose

__all__ = ["CHAT_OPTIONS", "is_chat_option", "translate_search"]

CHAT_OPTIONS: Final = "web_search_options"
"""The key of Chat's body that is its search tool; in the model, the only key of an opaque tool."""
_ANTHROPIC: Final = "web_search"  # the name of the tool, which a function may have too


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
    "name": _ANTHROPIC,
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
_GOOGLES: Final = (
    "googleSearch",
    "google_search",
    "enterpriseWebSearch",
    "enterprise_web_search",
    "googleSearchRetrieval",
    "google_search_retrieval",
)
_is_claudes: Final = re.compile(r"web_search_\d{8}").fullmatch
_is_openais: Final = re.compile(r"(openrouter:)?web_search(_preview)?(_\d{4}_\d\d_\d\d)?").fullmatch


def _typed(tool: dict[str, Any], is_search: Callable[[str], Any]) -> dict[str, Any] | None:
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


def _claudes(tool: dict[str, Any]) -> dict[str, Any] | None:
    return _typed(tool, _is_claudes)


def _openais(tool: dict[str, Any]) -> dict[str, Any] | None:
    return _typed(tool, _is_openais)


def _chats(tool: dict[str, Any]) -> dict[str, Any] | None:
    options = tool.get(CHAT_OPTIONS)
    return options if isinstance(options, dict) and len(tool) == 1 else _openais(tool)


def is_chat_option(tool: Tool | OpaqueBlock) -> bool:
    """Whether a tool of Chat is the search that is a key of the body."""
    value = loose(tool.raw) if isinstance(tool, OpaqueBlock) else None
    return isinstance(value, dict) and value.keys() == {CHAT_OPTIONS}


def _googles(tool: dict[str, Any]) -> dict[str, Any] | None:
    key = next((key for key in _GOOGLES if isinstance(tool.get(key), dict)), None)
    if key is None:
        return None
    options: dict[str, Any] = tool[key]
    return options | {other: tool[other] for other in tool if other != key}


_FIND: Final[Mapping[str, Callable[[dict[str, Any]], dict[str, Any] | None]]] = {
    "anthropic-messages": _claudes,
    "gemini-generate-content": _googles,
    "openai-chat": _chats,
    "openai-responses": _openais,
}
"""API -> the function that returns the options of a tool, None if it is not a search."""


def _search(tool: OpaqueBlock) -> _Search | None:
    """Return what an opaque tool searches for, None if it is not a search."""
    find = _FIND.get(tool.api)
    value = loose(tool.raw) if find is not None else None
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


class _Form(Struct, frozen=True):
    """How a service writes a search, and which options it has."""

    write: Callable[[dict[str, Any]], dict[str, Any]]
    """Returns the tool for the options, which are by their usual key."""
    takes: frozenset[str]
    is_had: Callable[[Request], bool] = lambda _: True
    """Whether a request can have the search."""
    one_list: bool = False
    """Whether domains are either allowed or blocked."""


_KEYS: Final = {
    "allowed": "allowed_domains",
    "blocked": "blocked_domains",
    "max_uses": "max_uses",
    "context_size": "search_context_size",
    "place": "user_location",
}
_ALL: Final = frozenset(_KEYS)


def _for_claude(options: dict[str, Any]) -> dict[str, Any]:
    return {"type": "web_search_20250305", "name": _ANTHROPIC, **options}


def _for_responses(options: dict[str, Any]) -> dict[str, Any]:
    names = [key for key in ("allowed_domains", "blocked_domains") if key in options]
    filters = {key: options.pop(key) for key in names}
    return {"type": "web_search", **({"filters": filters} if filters else {}), **options}


def _for_xai(options: dict[str, Any]) -> dict[str, Any]:
    filters = _excluding(options)
    return {"type": "web_search", **({"filters": filters} if filters else {})}


def _for_openrouter(options: dict[str, Any]) -> dict[str, Any]:
    parameters = _excluding(options)
    tool = {"type": "openrouter:web_search"}
    return {**tool, "parameters": parameters} if parameters else tool


def _for_chat(options: dict[str, Any]) -> dict[str, Any]:
    place = options.get("user_location")
    if place is not None:
        inner = {key: place[key] for key in place if key != "type"}
        options["user_location"] = {"type": place["type"], "approximate": inner}
    return {CHAT_OPTIONS: options}


def _for_google(options: dict[str, Any]) -> dict[str, Any]:
    blocked = options.get("blocked_domains")
    return {"googleSearch": {"excludeDomains": blocked} if blocked else {}}


def _excluding(options: dict[str, Any]) -> dict[str, Any]:
    names = {"blocked_domains": "excluded_domains"}
    return {names.get(key, key): value for key, value in options.items()}


def _has_its_name(request: Request) -> bool:
    """Whether the search can have the name that it must have: names of tools differ."""
    names = (tool.name for tool in request.tools or () if isinstance(tool, Tool))
    return _ANTHROPIC not in names


def _is_search_model(request: Request) -> bool:
    """Whether the model is one of those that always search, such as `gpt-4o-search-preview`."""
    return re.search(r"-search(-preview|-api)", request.model or "") is not None


def _combines(request: Request) -> bool:
    """Whether the model takes functions beside the search, if there are any."""
    known = generation(request.model)
    is_old = known is not None and known.family == "gemini" and known.since < (3, 0)
    return not is_old or not any(isinstance(tool, Tool) for tool in request.tools or ())


_DOMAINS: Final = frozenset({"allowed", "blocked"})
_CLAUDES_FORM: Final = _Form(_for_claude, _ALL - {"context_size"}, _has_its_name, True)
_OPENAIS_FORM: Final = _Form(_for_responses, _ALL - {"max_uses"})
_OPENROUTERS_FORM: Final = _Form(_for_openrouter, _ALL)
_FORMS: Final[Mapping[tuple[str, str], _Form]] = {
    ("anthropic-messages", "anthropic"): _CLAUDES_FORM,
    ("anthropic-messages", "vertex"): _CLAUDES_FORM,
    ("gemini-generate-content", "gemini"): _Form(_for_google, frozenset(), _combines),
    ("gemini-generate-content", "vertex"): _Form(_for_google, frozenset({"blocked"}), _combines),
    ("openai-chat", "openai"): _Form(
        _for_chat, frozenset({"context_size", "place"}), _is_search_model
    ),
    ("openai-chat", "openrouter"): _OPENROUTERS_FORM,
    ("openai-responses", "openai"): _OPENAIS_FORM,
    ("openai-responses", "azure"): _OPENAIS_FORM,
    ("openai-responses", "openrouter"): _OPENROUTERS_FORM,
    ("openai-responses", "xai"): _Form(_for_xai, _DOMAINS),
}
"""API and dialect -> the form of its search; any other has none."""


def translate_search(writer: Writer) -> None:
    """Make the search of another API, in the request that `writer` is for, one of this API.

    The request becomes a copy. Options that this API's search does not have are a loss. A search
    that this API cannot run, and any after the first, is left for the writer of tools to lose.
    """
    request: Request = writer.root
    found = _foreign(request, writer)
    if found is None:
        return
    index, tool, search, form = found
    tools: list[Any] = [*(request.tools or ())]
    options, lost = _options(search, form)
    tools[index] = OpaqueBlock(writer.api, RawJson.of(form.write(options)), tool.extras)
    writer.derived(tools[index], tool)
    made = changed(request, {"tools": tools})
    writer.stand_in(made)
    writer.has_new_search = True
    if lost:
        writer.lose("web search", tools[index], names=[name[:_NAME] for name in lost[:_FEW]])
    choice = request.tool_choice
    if (
        choice is not None
        and choice.name is not None
        and choice.name == loose(tool.raw).get("name")
    ):
        # A name that the search has at the other API.
        made.tool_choice = free = replace(choice, mode="auto", name=None)
        writer.derived(free, choice)
        if len(tools) == 1:
            free.mode = "required"
        else:
            writer.lose("tool choice lost", free)


def _foreign(request: Request, writer: Writer) -> tuple[int, OpaqueBlock, _Search, _Form] | None:
    """Return the first search of another API, and its place, if this API can run one."""
    opaque = [
        (i, tool) for i, tool in enumerate(request.tools or ()) if isinstance(tool, OpaqueBlock)
    ]
    if all(tool.api == writer.api for _, tool in opaque):
        return None
    form = _FORMS.get((writer.api, writer.dialect))
    if form is None or not form.is_had(request):
        return None
    searches = [(i, tool, search) for i, tool in opaque if (search := _search(tool)) is not None]
    if not searches or any(tool.api == writer.api for _, tool, _ in searches):
        return None
    return *searches[0], form


def _options(search: _Search, form: _Form) -> tuple[dict[str, Any], list[str]]:
    """Return the options that a form has, by their usual key, and the keys of the others."""
    options: dict[str, Any] = {}
    lost = list(search.rest)
    for field, key in _KEYS.items():
        value = getattr(search, field)
        if value is None:
            continue
        is_second = field == "blocked" and form.one_list and search.allowed is not None
        if field in form.takes and not is_second:
            options[key] = {"type": "approximate", **value} if field == "place" else value
        elif value and value != "medium":  # which is the default where there are sizes
            lost.append(key)
    return options, lost
