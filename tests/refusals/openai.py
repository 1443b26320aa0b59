"""What rows of both wires of OpenAI share: its models, both bodies of a row, and schemas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.refusals.row import ALL, Json, Models, Paths, refuses

# The models, by the form of their names; newer ones take after the newest.
_LATER_5 = r"gpt-5\.(?:[{}]|\d\d)(?!\d)"
_GPT_6 = r"gpt-[6-9](?!\d)"
_AT_WILL = r"gpt-6-(?:sol|luna)|gpt-6\.1-terra"
_O = r"(?<![a-z\d])o[134](?![a-z\d])"
_GPT_5 = r"gpt-5(?![.\d]|-chat|-pro)"
_PLAIN = r"^(?!.*(?:codex|-chat|-pro))"
GPT = Models("all of OpenAI", rf"gpt-[3-9]|{_O}")
BEFORE_4O = Models("gpt-3.5, gpt-4", r"gpt-3\.5|gpt-4(?![o.])")
BEFORE_5 = Models("gpt-4o, gpt-4.1 and older", r"gpt-(?:3\.5|4)")
AT_REST = Models("gpt-4o, gpt-4.1, gpt-5-chat-latest", r"gpt-(?:3\.5|4)|gpt-5-chat")
O_SERIES = Models("o1, o3, o4", _O)
O1_MINI = Models("o1-mini, o1-preview", r"(?<![a-z\d])o1-(?:mini|preview)")
GPT_5 = Models("gpt-5", _GPT_5)
GPT_5_PRO = Models("gpt-5-pro", r"gpt-5-pro")
LATER_PRO = Models("gpt-5.2-pro, gpt-5.4-pro, gpt-5.5-pro", r"gpt-5\.[245]-pro")
CHAT_LATEST = Models("gpt-5.1-chat-latest and later", r"gpt-5\.[123]-chat")
DEEP_RESEARCH = Models("deep research", "-deep-research")
GPT_5_1 = Models("gpt-5.1", rf"{_PLAIN}.*gpt-5\.1(?!\d)")
GPT_5_2_TO_5_5 = Models("gpt-5.2 to gpt-5.5", rf"{_PLAIN}.*gpt-5\.[2-5](?!\d)")
GPT_5_4_AND_5_5 = Models("gpt-5.4, gpt-5.5", rf"{_PLAIN}.*gpt-5\.[45](?!\d)")
AT_WILL = Models("gpt-5.6, gpt-6-sol, gpt-6-luna, gpt-6.1-terra", rf"gpt-5\.6|{_AT_WILL}")
UNASKED = Models(
    "gpt-5.5, gpt-5.6, gpt-6-sol, gpt-6-luna, gpt-6.1-terra",
    rf"{_PLAIN}.*gpt-5\.[56](?!\d)|{_AT_WILL}",
)
ASKED = Models("gpt-5.1 to gpt-5.4", rf"{_PLAIN}.*gpt-5\.[1-4](?!\d)")
NEVER_OFF = Models("gpt-6-astra, gpt-6.1-sol and later", r"gpt-6-astra|gpt-6\.1-sol|gpt-6\.[2-9]")
ALWAYS = Models("o1, o3, o4, gpt-5, gpt-6-astra", rf"{_O}|{_GPT_5}|{NEVER_OFF.pattern}")
THINKERS = Models("o1, o3, o4, gpt-5 and later", rf"{_O}|gpt-5(?!-chat|\d)|{_GPT_6}")
FROM_5_4 = Models("gpt-5.4 and later", rf"{_LATER_5.format('4-9')}|{_GPT_6}")
FROM_5_5 = Models("gpt-5.5 and later", rf"{_LATER_5.format('5-9')}|{_GPT_6}")
BEFORE_5_6 = Models("before gpt-5.6", rf"gpt-(?:3\.5|4)|gpt-5(?![.\d])|gpt-5\.[1-5](?!\d)|{_O}")
SHORT_CACHE = Models("gpt-3.5, gpt-4, gpt-4o, o1, o3, o4", rf"gpt-3\.5|gpt-4(?!\.)|{_O}")
ONE_VERBOSITY = Models(
    "gpt-4.1 and older, o1, o3, o4, gpt-5-chat-latest, codex of 5.1 and 5.2",
    rf"gpt-(?:3\.5|4)|{_O}|gpt-5-chat|gpt-5\.[12]-codex",
)
SEARCH = Models("gpt-4o-search-preview", "-search-preview")
NO_SEARCH = Models("all but those of search", rf"^(?!.*search).*(?:gpt-[3-9]|{_O})")
BLIND = Models(
    "gpt-3.5, gpt-4-0613, o1-mini, o3-mini",
    r"gpt-3\.5|gpt-4(?:-0\d{3})?$|(?<![a-z\d])o[13]-mini",
)

HOSTS = "openai azure"
_BODIES = {
    "openai_chat": '{"model":"m","messages":[{"role":"user","content":"Hi"}]%s}',
    "openai_responses": '{"model":"m","input":"Hi"%s}',
}
"""Wire -> a body, before further keys."""


def both(
    says: str,
    source: str,
    *,
    sent: str,
    seen: str,
    refused: str,
    taken: str = "",
    models: Models = ALL,
    hosts: str = HOSTS,
) -> Callable[[Callable[[Json], Paths]], Callable[[Json], Paths]]:
    """Make a row for each wire; `taken` and `refused` are further keys of the same bodies."""

    def added(find: Callable[[Json], Paths]) -> Callable[[Json], Paths]:
        for wire, body in _BODIES.items():
            refuses(
                wire,
                says,
                source,
                models=models,
                hosts=hosts,
                sent=sent,
                seen=seen,
                taken=body % (taken and f",{taken}"),
                refused=body % f",{refused}",
            )(find)
        return find

    return added


def effort(body: Json) -> str | None:
    """Return the effort that a body of either wire asks for."""
    found = (body.get("reasoning") or {}).get("effort") or body.get("reasoning_effort")
    return str(found) if found is not None else None


def has_functions(body: Json) -> bool:
    """Whether a body has functions."""
    return any(tool.get("type") == "function" for tool in body.get("tools") or ())


UNHELD = (
    *("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"),
    *("patternProperties", "propertyNames", "minProperties", "maxProperties"),
    *("unevaluatedProperties", "unevaluatedItems", "contains", "minContains", "maxContains"),
    *("uniqueItems",),
)
"""The keywords that a strict schema must not have."""
FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
"""The formats that a strict schema can have."""
_NAMED = ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas")
_DATA = ("const", "default", "enum", "examples")


def schemas(body: Json) -> Iterator[tuple[str, Json, bool]]:
    """Yield the schemas of tools and of the answer: path, schema, and whether it is strict."""
    for i, tool in enumerate(body.get("tools") or ()):
        function = tool.get("function", tool) if tool.get("type") == "function" else {}
        schema = function.get("parameters")
        if isinstance(schema, dict):
            yield f"tools.{i}", schema, function.get("strict") is True
    form = (body.get("text") or {}).get("format") or body.get("response_format") or {}
    inner = form.get("json_schema", form) if form.get("type") == "json_schema" else {}
    if isinstance(inner.get("schema"), dict):
        yield "the answer", inner["schema"], inner.get("strict") is True


def parts(schema: Any, path: str) -> Iterator[tuple[str, Json]]:
    """Yield the schemas in a schema, and itself."""
    if isinstance(schema, list):
        for i, inner in enumerate(schema):
            yield from parts(inner, f"{path}.{i}")
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            for name, inner in value.items():
                yield from parts(inner, f"{path}.{key}.{name}")
        elif key not in _DATA:
            yield from parts(value, f"{path}.{key}")


def strict_parts(body: Json) -> Iterator[tuple[str, Json]]:
    """Yield the schemas in all strict schemas."""
    for path, schema, is_strict in schemas(body):
        if is_strict:
            yield from parts(schema, path)


def has_lookaround(pattern: Any) -> bool:
    """Whether a pattern looks ahead or behind, outside of escapes."""
    text = re.sub(r"\\.", "", pattern) if isinstance(pattern, str) else ""
    return re.search(r"\(\?<?[=!]", text) is not None
