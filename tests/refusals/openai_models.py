"""OpenAI's models: what they refuse on Chat Completions and on Responses, at OpenAI and Azure."""

from __future__ import annotations

from collections.abc import Callable

from tests.refusals.openai import (
    ALWAYS,
    ASKED,
    AT_REST,
    AT_WILL,
    BEFORE_4O,
    BEFORE_5,
    BEFORE_5_6,
    BLIND,
    CHAT_LATEST,
    DEEP_RESEARCH,
    FORMATS,
    FROM_5_4,
    FROM_5_5,
    GPT,
    GPT_5,
    GPT_5_1,
    GPT_5_2_TO_5_5,
    GPT_5_4_AND_5_5,
    GPT_5_PRO,
    HOSTS,
    LATER_PRO,
    NEVER_OFF,
    NO_SEARCH,
    O1_MINI,
    O_SERIES,
    ONE_VERBOSITY,
    SEARCH,
    SHORT_CACHE,
    THINKERS,
    UNASKED,
    UNHELD,
    both,
    effort,
    has_functions,
    has_lookaround,
    parts,
    schemas,
    strict_parts,
)
from tests.refusals.row import ONE_OBJECT, Json, Models, Paths, refuses

# -- sampling ----------------------------------------------------------------------------------

_SAMPLING = ("temperature", "top_p")
_PENALTIES = ("presence_penalty", "frequency_penalty")
_GUIDE = "developers.openai.com, deployment checklist, 2026-11"


def _sampled(body: Json) -> Paths:
    yield from (key for key in _SAMPLING if body.get(key) not in (None, 1))
    yield from (key for key in _PENALTIES if body.get(key) not in (None, 0))
    yield from (key for key in ("logprobs", "top_logprobs") if body.get(key))
    if "message.output_text.logprobs" in (body.get("include") or ()):
        yield "include"


@both(
    "'temperature' does not support 0.8 with this model. Only the default (1) value is supported.",
    "FlowiseAI/Flowise#5046, 2025-08; khoj-ai/khoj#1377, 2026-07",
    sent="no sampling parameters, penalties or log probabilities",
    models=ALWAYS,
    seen="gpt-5",
    taken='"temperature":1',
    refused='"temperature":0.8',
)
def a_model_that_always_thinks_takes_no_sampling(body: Json) -> Paths:
    yield from _sampled(body)


@both(
    "When reasoning effort is not none, remove temperature, top_p, and top_logprobs",
    f"{_GUIDE}; pydantic-ai 2.68, tried 2026-07",
    sent="no sampling parameters and log probabilities, unless its effort is `none`",
    models=UNASKED,
    seen="gpt-5.6",
    taken='"temperature":1',
    refused='"temperature":0.8',
)
def a_model_that_thinks_unasked_takes_no_sampling(body: Json) -> Paths:
    if effort(body) != "none":
        yield from _sampled(body)


def _thinks_asked(body: Json) -> Paths:
    if effort(body) not in (None, "none"):
        yield from _sampled(body)


for _wire, _asks in (
    ("openai_chat", '"messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"low"'),
    ("openai_responses", '"input":"Hi","reasoning":{"effort":"low"}'),
):

    @refuses(
        _wire,
        "When reasoning effort is not none, remove temperature, top_p, and top_logprobs",
        f"{_GUIDE}; pydantic-ai 2.68, tried 2026-07",
        sent="no sampling parameters and log probabilities, if it is asked to think",
        models=ASKED,
        hosts=HOSTS,
        seen="gpt-5.1",
        taken='{"model":"gpt-5.1",' + _asks + "}",
        refused='{"model":"gpt-5.1",' + _asks + ',"top_p":0.5}',
    )
    def a_model_that_is_asked_to_think_takes_no_sampling(body: Json) -> Paths:
        yield from _thinks_asked(body)


@refuses(
    "openai_chat",
    "Model incompatible request arguments supplied: frequency_penalty, temperature, top_p",
    "vercel/ai#5609, 2025-04; ChatGPTNextWeb/NextChat#6569, 2025-07",
    sent="no sampling parameters and penalties",
    models=SEARCH,
    hosts=HOSTS,
    seen="gpt-4o-search-preview",
    taken='{"model":"m","messages":[{"role":"user","content":"Hi"}]}',
    refused='{"model":"m","messages":[{"role":"user","content":"Hi"}],"temperature":0.7}',
)
def a_model_of_search_takes_no_sampling(body: Json) -> Paths:
    yield from (key for key in (*_SAMPLING, *_PENALTIES) if body.get(key) is not None)


@refuses(
    "openai_chat",
    "'stop' is not supported with this model.",
    "FlowiseAI/Flowise#5046, 2025-08",
    sent="no stop sequences",
    models=ALWAYS,
    hosts=HOSTS,
    seen="gpt-5",
    taken='{"model":"m","messages":[{"role":"user","content":"Hi"}]}',
    refused='{"model":"m","messages":[{"role":"user","content":"Hi"}],"stop":"END"}',
)
def a_model_that_always_thinks_takes_no_stop(body: Json) -> Paths:
    if body.get("stop"):
        yield "stop"


@refuses(
    "openai_chat",
    "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "continuedev/continue#7052, 2025-08; anomalyco/opencode#37964, 2026-07",
    sent="`max_completion_tokens`",
    models=THINKERS,
    hosts=HOSTS,
    seen="gpt-5",
    taken='{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_completion_tokens":9}',
    refused='{"model":"m","messages":[{"role":"user","content":"Hi"}],"max_tokens":9}',
)
def the_old_name_of_the_limit_is_refused(body: Json) -> Paths:
    if body.get("max_tokens") is not None:
        yield "max_tokens"


# -- effort ------------------------------------------------------------------------------------


def _takes(efforts: str, these: Models, seen: str, source: str) -> None:
    """Make the rows for models that take only these efforts."""
    known = efforts.split()
    says = (
        f"Supported values are: {', '.join(known)}"
        if known
        else ("'reasoning.effort' is not supported with this model.")
    )
    other = "minimal" if "minimal" not in known else "none"

    def other_efforts_are_refused(body: Json) -> Paths:
        if effort(body) not in (None, *known):
            yield "effort"

    for wire, asks in (
        ("openai_chat", '"messages":[{"role":"user","content":"Hi"}]%s'),
        ("openai_responses", '"input":"Hi"%s'),
    ):
        key = '"reasoning_effort":"%s"' if wire == "openai_chat" else '"reasoning":{"effort":"%s"}'
        fine = f",{key % known[0]}" if known else ""
        refuses(
            wire,
            says,
            source,
            models=these,
            hosts=HOSTS,
            sent="the nearest effort" if known else "no effort",
            seen=seen,
            taken='{"model":"m",' + asks % fine + "}",
            refused='{"model":"m",' + asks % f",{key % other}" + "}",
        )(other_efforts_are_refused)


_TRIED = "pydantic-ai 2.68, tried 2026-07 to 2026-10"
_takes("", AT_REST, "gpt-4.1", "BoundaryML/baml#2708, 2025-11; umputun/tg-spam#304, 2025-06")
_takes("low medium high", O_SERIES, "o3", f"{_TRIED}; anomalyco/opencode#26273, 2026-05")
_takes("medium", DEEP_RESEARCH, "o3-deep-research", "anomalyco/opencode#26273, 2026-05")
_takes("minimal low medium high", GPT_5, "gpt-5", f"{_TRIED}; The-PR-Agent/pr-agent#3271, 2026-09")
_takes("high", GPT_5_PRO, "gpt-5-pro", _TRIED)
_takes("medium high xhigh", LATER_PRO, "gpt-5.2-pro", _TRIED)
_takes("medium", CHAT_LATEST, "gpt-5.2-chat-latest", _TRIED)
_takes("none low medium high", GPT_5_1, "gpt-5.1", "openai/openai-agents-python#2089, 2025-11")
_takes("none low medium high xhigh", GPT_5_2_TO_5_5, "gpt-5.2", "bolna-ai/bolna#852, 2026-07")
_takes(
    "none low medium high xhigh max",
    AT_WILL,
    "gpt-5.6-luna",
    "experientiallabs/experiential#764, 2026-09; docs.litellm.ai, GPT-6 Sol and Luna, 2026-09",
)
_takes(
    "low medium high xhigh max",
    NEVER_OFF,
    "gpt-6-astra",
    "UKGovernmentBEIS/inspect_ai#5254, 2026-09; bolna-ai/bolna#1019, 2026-09",
)


@refuses(
    "openai_chat",
    "refuses the effort `max`",
    "pydantic-ai 2.68, tried 2026-10; docs.laozhang.ai, GPT-6 tools, 2026-11",
    sent="the effort `xhigh`",
    models=FROM_5_4,
    hosts=HOSTS,
    seen="gpt-6.1-sol",
    taken=('{"model":"m","messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"xhigh"}'),
    refused='{"model":"m","messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"max"}',
)
def chat_has_no_effort_max(body: Json) -> Paths:
    if effort(body) == "max":
        yield "reasoning_effort"


_CHAT_TOOLS = (
    '{"model":"m","messages":[{"role":"user","content":"Hi"}]%s,'
    '"tools":[{"type":"function","function":{"name":"f"}}]}'
)


@refuses(
    "openai_chat",
    "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions.",
    "pipecat-ai/pipecat#4043, 2026-03",
    sent="the effort `none`, if the request has tools",
    models=GPT_5_4_AND_5_5,
    hosts=HOSTS,
    seen="gpt-5.4",
    taken=_CHAT_TOOLS % "",
    refused=_CHAT_TOOLS % ',"reasoning_effort":"low"',
)
def an_effort_beside_functions_is_refused(body: Json) -> Paths:
    if has_functions(body) and effort(body) not in (None, "none"):
        yield "reasoning_effort"


@refuses(
    "openai_chat",
    "To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    "livekit/agents#7169, 2026-09; BerriAI/litellm#34569, 2026-07",
    sent="the effort `none`, if the request has tools",
    models=AT_WILL,
    hosts=HOSTS,
    seen="gpt-6-sol",
    taken=_CHAT_TOOLS % ',"reasoning_effort":"none"',
    refused=_CHAT_TOOLS % "",
)
def functions_go_with_the_effort_none(body: Json) -> Paths:
    if has_functions(body) and effort(body) != "none":
        yield "tools"


@refuses(
    "openai_chat",
    "GPT-6 Astra and GPT-6.1 Sol require Responses for tool calling",
    f"{_GUIDE}; bolna-ai/bolna#1019, 2026-09",
    sent="no tools",
    models=NEVER_OFF,
    hosts=HOSTS,
    seen="gpt-6-astra",
    taken='{"model":"m","messages":[{"role":"user","content":"Hi"}]}',
    refused=_CHAT_TOOLS % "",
)
def functions_go_over_responses_alone(body: Json) -> Paths:
    if has_functions(body):
        yield "tools"


# -- tools and schemas -------------------------------------------------------------------------


def _tool(schema: str, strict: str = "") -> dict[str, str]:
    """Return a function on each wire, as a further key of a body."""
    chat = '"tools":[{"type":"function","function":{"name":"f","parameters":%s%s}}]'
    flat = '"tools":[{"type":"function","name":"f","parameters":%s%s}]'
    told = {"openai_chat": strict, "openai_responses": strict or ',"strict":false'}
    return {"openai_chat": chat % (schema, told["openai_chat"])} | {
        "openai_responses": flat % (schema, told["openai_responses"])
    }


_MADE = {
    "openai_chat": '{"model":"m","messages":[{"role":"user","content":"Hi"}],%s}',
    "openai_responses": '{"model":"m","input":"Hi",%s}',
}


def _schema_row(
    says: str,
    source: str,
    taken: str,
    refused: str,
    *,
    sent: str,
    these: Models = GPT,
    seen: str = "gpt-5.5",
    strict: str = ',"strict":true',
    wires: tuple[str, ...] = ("openai_chat", "openai_responses"),
) -> Callable[[Callable[[Json], Paths]], Callable[[Json], Paths]]:
    """Make rows of a function's schema that is taken, and one that is refused."""

    def added(find: Callable[[Json], Paths]) -> Callable[[Json], Paths]:
        for wire in wires:
            refuses(
                wire,
                says,
                source,
                models=these,
                hosts=HOSTS,
                sent=sent,
                seen=seen,
                taken=_MADE[wire] % _tool(taken, strict)[wire],
                refused=_MADE[wire] % _tool(refused, strict)[wire],
            )(find)
        return find

    return added


def _closed(inner: str) -> str:
    return (
        '{"type":"object","properties":{"a":' + inner + '},"required":["a"],'
        '"additionalProperties":false}'
    )


_OPEN = '{"type":"object","properties":{"a":{"type":"string"}}}'
_UNION = '{"type":"object","properties":{},"anyOf":[{"type":"object"}]}'
_TOP = ("oneOf", "anyOf", "allOf", "enum", "const", "not")
_UNION_SAYS = (
    "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at "
    "the top level"
)


def _unions(body: Json) -> Paths:
    for path, schema, _ in schemas(body):
        if path.startswith("tools"):
            yield from (f"{path}.{key}" for key in _TOP if key in schema)


@_schema_row(
    _UNION_SAYS,
    "BerriAI/litellm#38839, 2026-09",
    _OPEN,
    _UNION,
    sent=ONE_OBJECT,
    strict="",
    wires=("openai_chat",),
)
def a_functions_schema_is_no_union(body: Json) -> Paths:
    yield from _unions(body)


@_schema_row(
    _UNION_SAYS,
    "BerriAI/litellm#38792, 2026-09",
    _OPEN,
    _UNION,
    sent=ONE_OBJECT,
    these=BEFORE_5,
    seen="gpt-4.1",
    strict="",
    wires=("openai_responses",),
)
def an_older_functions_schema_is_no_union(body: Json) -> Paths:
    yield from _unions(body)


@_schema_row(
    "'required' is required to be supplied and to be an array including every key in properties.",
    "ash-project/ash_ai#155, 2025-12; sherifkozman/the-llm-council#9, 2025-12",
    _closed('{"type":"string"}'),
    _OPEN,
    sent="the schema without `strict`",
)
def a_strict_schema_is_closed_and_requires_all(body: Json) -> Paths:
    for path, schema in strict_parts(body):
        properties = schema.get("properties") or {}
        is_object = "object" in (schema.get("type"), *_listed(schema.get("type")))
        is_open = schema.get("additionalProperties") is not False
        if (properties or is_object) and (is_open or {*properties} - {*schema.get("required", ())}):
            yield path


def _listed(kind: object) -> list[object]:
    return kind if isinstance(kind, list) else []


@_schema_row(
    "In context=('properties', 'ids'), 'uniqueItems' is not permitted.",
    "1jehuang/jcode#687, 2026-07; can1357/oh-my-pi#209, 2026-02; pydantic-ai 2.68",
    _closed('{"type":"array","items":{"type":"string"},"minItems":1}'),
    _closed('{"type":"array","items":{"type":"string"},"uniqueItems":true}'),
    sent="the keyword in the description of the value",
)
def a_strict_schema_has_only_some_keywords(body: Json) -> Paths:
    for path, schema in strict_parts(body):
        yield from (f"{path}.{key}" for key in UNHELD if key in schema)


@_schema_row(
    "'uri' is not a valid format.",
    "can1357/oh-my-pi#206, 2026-02; pydantic-ai 2.68",
    _closed('{"type":"string","format":"date"}'),
    _closed('{"type":"string","format":"uri"}'),
    sent="the format in the description of the value",
)
def a_strict_schema_has_only_some_formats(body: Json) -> Paths:
    for path, schema in strict_parts(body):
        if schema.get("format", "date") not in FORMATS:
            yield f"{path}.format"


@_schema_row(
    "In context=('properties', 'a'), array schema missing items.",
    "pydantic/pydantic-ai#4425, 2026-02; pydantic-ai 2.68",
    _closed('{"type":"array","items":{"type":"string"}}'),
    _closed('{"type":"array"}'),
    sent="the schema without `strict`",
)
def a_strict_list_says_what_it_holds(body: Json) -> Paths:
    typed = {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"}
    for path, schema in strict_parts(body):
        if schema.get("type") == "array" and "prefixItems" not in schema:
            items = schema.get("items")
            if not isinstance(items, dict) or typed.isdisjoint(items):
                yield f"{path}.items"


@_schema_row(
    "$ref cannot have keywords {'description'}.",
    "pydantic-ai 2.68, profiles/openai.py",
    '{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],'
    '"additionalProperties":false,"$defs":{"A":{"type":"string"}}}',
    '{"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"d"}},"required":["a"],'
    '"additionalProperties":false,"$defs":{"A":{"type":"string"}}}',
    sent="what stands beside the reference is put around it",
)
def a_strict_reference_stands_alone(body: Json) -> Paths:
    for path, schema in strict_parts(body):
        if "$ref" in schema and len(schema) > 1:
            yield f"{path}.$ref"


_LOOKS = "Invalid JSON schema: regex lookaround is not supported. Found at $.properties.a.pattern."
_PATTERN = '{"type":"string","pattern":"%s"}'


@_schema_row(
    _LOOKS,
    "vercel/ai#21037, 2026-09; pydantic/pydantic-ai#5519, 2026-05",
    _closed(_PATTERN % "^(?:a|b)+$"),
    _closed(_PATTERN % "^(?=.*a)[a-z]+$"),
    sent="the pattern in the description of the value",
    seen="gpt-5.6-luna",
)
def a_strict_pattern_does_not_look_around(body: Json) -> Paths:
    for path, schema in strict_parts(body):
        if has_lookaround(schema.get("pattern")):
            yield f"{path}.pattern"


@_schema_row(
    _LOOKS,
    "tombii/better-ccflare#357, 2026-07; anomalyco/opencode#32073, 2026-06; cline/cline#12205",
    _OPEN,
    '{"type":"object","properties":{"a":' + _PATTERN % "^(?=.*a)[a-z]+$" + "}}",
    sent="the pattern in the description of the value",
    these=FROM_5_4,
    strict="",
)
def no_pattern_looks_around(body: Json) -> Paths:
    for path, schema, _ in schemas(body):
        for inner, part in parts(schema, path):
            if has_lookaround(part.get("pattern")):
                yield f"{inner}.pattern"


_BARE_TOOL = _tool('{"type":"object","properties":{}}')
for _wire in _MADE:

    @refuses(
        _wire,
        "'parallel_tool_calls' is not supported with this model.",
        "langchain-ai/langchain#29704, 2025-02; langchain-ai/open-swe#628, 2025-07",
        sent="the parameter is left out",
        models=O_SERIES,
        hosts=HOSTS,
        seen="o3-mini",
        taken=_MADE[_wire] % _BARE_TOOL[_wire],
        refused=_MADE[_wire] % f'{_BARE_TOOL[_wire]},"parallel_tool_calls":false',
    )
    def tools_are_not_counted(body: Json) -> Paths:
        if body.get("parallel_tool_calls") is not None:
            yield "parallel_tool_calls"

    @refuses(
        _wire,
        "tools is not supported in this model.",
        "UKGovernmentBEIS/inspect_ai#1290, 2025-02",
        sent="no tools",
        models=O1_MINI,
        hosts=HOSTS,
        seen="o1-mini",
        taken=_MADE[_wire] % '"user":"u"',
        refused=_MADE[_wire] % _BARE_TOOL[_wire],
    )
    def there_are_no_tools(body: Json) -> Paths:
        if body.get("tools"):
            yield "tools"


_FORM = '{"type":"object","properties":{},"required":[],"additionalProperties":false}'


for _wire, _taken, _refused in (
    (
        "openai_chat",
        '"response_format":{"type":"json_object"}',
        '"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":'
        + _FORM
        + "}}",
    ),
    (
        "openai_responses",
        '"text":{"format":{"type":"json_object"}}',
        '"text":{"format":{"type":"json_schema","name":"n","schema":' + _FORM + "}}",
    ),
):

    @refuses(
        _wire,
        "'response_format' of type 'json_schema' is not supported with this model.",
        "web-infra-dev/midscene#259, 2025-01",
        sent="JSON without a schema",
        models=BEFORE_4O,
        hosts=HOSTS,
        seen="gpt-4-turbo",
        taken=_MADE[_wire] % _taken,
        refused=_MADE[_wire] % _refused,
    )
    def an_answer_is_not_held_to_a_schema(body: Json) -> Paths:
        if any(path == "the answer" for path, _, _ in schemas(body)):
            yield "the answer"


# -- messages ----------------------------------------------------------------------------------


for _wire, _key, _image in (
    (
        "openai_chat",
        "messages",
        '{"type":"image_url","image_url":{"url":"https://a.example/x.png"}}',
    ),
    (
        "openai_responses",
        "input",
        '{"type":"input_image","detail":"auto","image_url":"https://a.example/x.png"}',
    ),
):

    @refuses(
        _wire,
        "'messages[0].role' does not support 'system' with this model.",
        "pydantic/pydantic-ai#974, 2025-02",
        sent="the text as a user's message",
        models=O1_MINI,
        hosts=HOSTS,
        seen="o1-mini",
        taken=_MADE[_wire] % '"user":"u"',
        refused='{"model":"m","' + _key + '":[{"role":"system","content":"Hi"}]}',
    )
    def there_are_no_system_messages(body: Json) -> Paths:
        for i, message in enumerate(_items(body)):
            if message.get("role") in ("system", "developer"):
                yield f"{i}.role"

    @refuses(
        _wire,
        "Invalid content type. image_url is only supported by certain models.",
        "nextcloud/integration_openai#282, 2025-10; machine-theory/lm-council#14, 2025-05",
        sent="no images",
        models=BLIND,
        hosts=HOSTS,
        seen="gpt-3.5-turbo",
        taken=_MADE[_wire] % '"user":"u"',
        refused='{"model":"m","' + _key + '":[{"role":"user","content":[' + _image + "]}]}",
    )
    def there_are_no_images(body: Json) -> Paths:
        for i, message in enumerate(_items(body)):
            for key in ("content", "output"):
                for part in message.get(key) if isinstance(message.get(key), list) else ():
                    if part.get("type") in ("image_url", "input_image"):
                        yield f"{i}.{key}"


_MARKED = {
    "openai_chat": (
        '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Hi"%s}]}]}'
    ),
    "openai_responses": (
        '{"model":"m","input":[{"role":"user","content":[{"type":"input_text","text":"Hi"%s}]}]}'
    ),
}
for _wire, _body in _MARKED.items():

    @refuses(
        _wire,
        "prompt_cache_breakpoint is not supported on this model",
        "Kilo-Org/kilocode#13052, 2026-08",
        sent="no breakpoints",
        models=BEFORE_5_6,
        hosts=HOSTS,
        seen="gpt-5.5",
        taken=_body % "",
        refused=_body % ',"prompt_cache_breakpoint":{"mode":"explicit"}',
    )
    def there_are_no_breakpoints(body: Json) -> Paths:
        for i, item in enumerate(_items(body)):
            for key in ("content", "output"):
                for part in item.get(key) if isinstance(item.get(key), list) else ():
                    if part.get("prompt_cache_breakpoint") is not None:
                        yield f"{i}.{key}"


def _items(body: Json) -> list[Json]:
    items = body.get("messages", body.get("input"))
    return items if isinstance(items, list) else []


# -- keys of the service -----------------------------------------------------------------------


@both(
    "Supported for `gpt-5.6` and later models",
    "openai 3.57, prompt_cache_options",
    sent="the parameter is left out",
    models=BEFORE_5_6,
    seen="gpt-5.5",
    refused='"prompt_cache_options":{"ttl":"30m"}',
)
def there_are_no_options_of_the_cache(body: Json) -> Paths:
    if body.get("prompt_cache_options"):
        yield "prompt_cache_options"


@both(
    "prompt_cache_retention is not supported on this model",
    "OpenHands/software-agent-sdk#2295, 2026-03; developers.openai.com, prompt caching, 2026-07",
    sent="the parameter is left out",
    models=SHORT_CACHE,
    seen="gpt-4o",
    taken='"prompt_cache_key":"k"',
    refused='"prompt_cache_retention":"24h"',
)
def the_cache_is_not_kept(body: Json) -> Paths:
    if body.get("prompt_cache_retention") == "24h":
        yield "prompt_cache_retention"


@both(
    "For `gpt-5.5`, `gpt-5.5-pro`, and future models, only `24h` is supported",
    "openai 3.57, prompt_cache_retention",
    sent="the parameter is left out",
    models=FROM_5_5,
    seen="gpt-5.5",
    taken='"prompt_cache_retention":"24h"',
    refused='"prompt_cache_retention":"in_memory"',
)
def the_cache_is_kept_for_a_day(body: Json) -> Paths:
    if body.get("prompt_cache_retention") == "in_memory":
        yield "prompt_cache_retention"


@both(
    "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64",
    "theopenco/llmgateway#3110, 2026-07; earendil-works/pi#4720, 2026-05",
    sent="a key that ends in a hash",
    seen="gpt-5",
    taken='"prompt_cache_key":"k"',
    refused=f'"prompt_cache_key":"{"k" * 72}"',
)
def a_key_of_the_cache_has_at_most_64_characters(body: Json) -> Paths:
    if len(body.get("prompt_cache_key") or "") > 64:
        yield "prompt_cache_key"


_VERBOSITY = "Unsupported value: 'verbosity' does not support 'low' with this model."
for _wire, _key in (
    ("openai_chat", '"verbosity":"%s"'),
    ("openai_responses", '"text":{"verbosity":"%s"}'),
):

    @refuses(
        _wire,
        _VERBOSITY,
        "google-deepmind/concordia#164, 2025-09; enricoros/big-AGI#947, 2026-01; codex#19188",
        sent="no verbosity",
        models=ONE_VERBOSITY,
        hosts=HOSTS,
        seen="gpt-4o",
        taken=_MADE[_wire] % (_key % "medium"),
        refused=_MADE[_wire] % (_key % "low"),
    )
    def the_verbosity_is_medium(body: Json) -> Paths:
        asked = body.get("verbosity") or (body.get("text") or {}).get("verbosity")
        if asked not in (None, "medium"):
            yield "verbosity"


@refuses(
    "openai_chat",
    "Web search options not supported with this model.",
    "cpbotha/obsidian-ai-chat-as-md#5, 2025-07; BerriAI/litellm#12311, 2025-07",
    sent="no search",
    models=NO_SEARCH,
    hosts=HOSTS,
    seen="gpt-4o",
    taken='{"model":"m","messages":[{"role":"user","content":"Hi"}]}',
    refused='{"model":"m","messages":[{"role":"user","content":"Hi"}],"web_search_options":{}}',
)
def only_models_of_search_search(body: Json) -> Paths:
    if body.get("web_search_options") is not None:
        yield "web_search_options"
