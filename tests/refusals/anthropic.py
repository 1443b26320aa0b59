"""Anthropic Messages: what models refuse, and what the hosts Vertex and Bedrock do.

"Overview" is the page build-with-claude/overview of platform.claude.com, whose tables say which
host has which feature; "Vertex" and "Bedrock" are its pages build-with-claude/claude-on-vertex-ai
and claude-on-amazon-bedrock-legacy (InvokeModel), with lists of what they have not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.refusals.models import (
    BEFORE_CLAUDE_4_8,
    CLAUDE,
    CLAUDE_3_7_TO_4_5,
    CLAUDE_4_1_TO_4_6,
    CLAUDE_4_6,
    CLAUDE_4_6_ON,
    CLAUDE_4_7,
    CLAUDE_OF_32_000,
    CLAUDE_OF_64_000,
    CLAUDE_THAT_ALWAYS_THINKS,
    CLAUDE_UNFORCED,
    CLAUDE_WITHOUT_EFFORT,
    OPUS_4_5,
)
from tests.refusals.row import ONE_OBJECT, Json, Paths, refuses

_HI = {"role": "user", "content": "Hi"}
_BLANK = {"role": "user", "content": " "}
_OBJECT = {"type": "object", "properties": {}}
_TOOL = {"name": "f", "input_schema": _OBJECT}
_URL = {"type": "url", "url": "https://a.example/x"}
_FILE = {"type": "file", "file_id": "file_1"}
_PNG = "iVBORw0KGgo"
_THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
_THINKING = {"type": "enabled", "budget_tokens": 1024}


def _asked(model: str = "claude-sonnet-4-5", **keys: Any) -> str:
    return json.dumps({"model": model, "max_tokens": 2000, "messages": [_HI], **keys})


def _said(*content: Any) -> list[Any]:
    return [{"role": "user", "content": [*content]}]


def _called(name: str = "a", *before: Any, result: str = "1") -> list[Any]:
    """A call with its result."""
    call = {"type": "tool_use", "id": name, "name": "f", "input": {}}
    answer = {"type": "tool_result", "tool_use_id": name, "content": result}
    return [
        {"role": "assistant", "content": [*before, call]},
        {"role": "user", "content": [answer]},
    ]


def _held(schema: Any) -> dict[str, Any]:
    closed = {"type": "object", "properties": {"a": schema}, "additionalProperties": False}
    return {"format": {"type": "json_schema", "schema": closed}}


def _picture(kind: str) -> dict[str, Any]:
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": kind, "data": _PNG + "AAAA="},
    }


def _kind(body: Json, key: str) -> Any:
    value = body.get(key)
    return value.get("type") if isinstance(value, dict) else None


def _blocks(body: Json) -> Iterator[tuple[str, Json]]:
    """Yield the blocks of all messages, and of results, with their paths."""
    for i, message in enumerate(body["messages"]):
        for j, block in enumerate(_listed(message.get("content"))):
            yield f"messages.{i}.content.{j}", block
            for k, inner in enumerate(_listed(block.get("content"))):
                yield f"messages.{i}.content.{j}.content.{k}", inner


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _tools(body: Json, *kinds: str) -> Iterator[tuple[str, Json]]:
    """Yield the tools, or only those whose type begins so, with their paths."""
    for i, tool in enumerate(body.get("tools") or ()):
        if not kinds or str(tool.get("type", "")).startswith(kinds):
            yield f"tools.{i}", tool


# -- sampling and limits -----------------------------------------------------------------------


@refuses(
    "anthropic",
    "`temperature` is deprecated for this model.",
    "UKGovernmentBEIS/inspect_ai#3721, 2026-05",
    sent="no sampling parameters",
    models=CLAUDE_4_7,
    seen="claude-opus-4-7",
    taken=_asked("claude-opus-4-7"),
    refused=_asked("claude-opus-4-7", temperature=0.2),
)
def sampling_is_left_to_the_model(body: Json) -> Paths:
    for key in ("temperature", "top_p", "top_k"):
        if key in body and body[key] != 1:
            yield key


@refuses(
    "anthropic",
    "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
    "aws-samples/bedrock-chat#979, 2025-08",
    sent="only the temperature",
    models=CLAUDE_4_1_TO_4_6,
    seen="claude-opus-4-1-20250805",
    taken=_asked("claude-opus-4-1", temperature=0.2),
    refused=_asked("claude-opus-4-1", temperature=0.2, top_p=0.9),
)
def a_temperature_comes_without_top_p(body: Json) -> Paths:
    if "temperature" in body and "top_p" in body:
        yield "top_p"


@refuses(
    "anthropic",
    "`top_k` must be unset when thinking is enabled or in adaptive mode",
    "danny-avila/LibreChat#6023, 2025-02; quarkiverse/quarkus-langchain4j#1812, 2025-09",
    sent="no `top_k`",
    models=CLAUDE,
    seen="claude-opus-4-1-20250805",
    taken=_asked("claude-opus-4-1", top_k=5),
    refused=_asked("claude-opus-4-1", top_k=5, thinking=_THINKING),
)
def thinking_leaves_top_k_unset(body: Json) -> Paths:
    if "top_k" in body and _kind(body, "thinking") in ("enabled", "adaptive"):
        yield "top_k"


@refuses(
    "anthropic",
    "stop_sequences: each stop sequence must contain non-whitespace",
    "BerriAI/litellm#3286, 2024-04",
    sent="no blank stop sequences",
    models=CLAUDE,
    seen="claude-3-haiku-20240307",
    taken=_asked(stop_sequences=["END"]),
    refused=_asked(stop_sequences=["\n"]),
)
def stop_sequences_are_not_blank(body: Json) -> Paths:
    for i, word in enumerate(body.get("stop_sequences") or ()):
        if not word.strip():
            yield f"stop_sequences.{i}"


@refuses(
    "anthropic",
    "max_tokens: 40000 > 32000, which is the maximum allowed number of output tokens",
    "UKGovernmentBEIS/inspect_ai#2675, 2025-10",
    sent="what the model can write",
    models=CLAUDE_OF_32_000,
    seen="claude-opus-4-1-20250805",
    taken=_asked("claude-opus-4-1", max_tokens=32_000),
    refused=_asked("claude-opus-4-1", max_tokens=40_000),
)
def opus_4_writes_32_000_tokens(body: Json) -> Paths:
    if body["max_tokens"] > 32_000:
        yield "max_tokens"


@refuses(
    "anthropic",
    "max_tokens: 9999999 > 64000, which is the maximum allowed number of output tokens",
    "Effect-TS/effect#7129, 2026-08; vercel/ai#10554, 2025-11",
    sent="what the model can write",
    models=CLAUDE_OF_64_000,
    seen="claude-opus-4-5",
    taken=_asked(max_tokens=64_000),
    refused=_asked(max_tokens=64_001),
)
def claude_4_5_writes_64_000_tokens(body: Json) -> Paths:
    if body["max_tokens"] > 64_000:
        yield "max_tokens"


@refuses(
    "anthropic",
    "max_tokens: 9999999 > 128000, which is the maximum allowed number of output tokens for"
    " claude-opus-4-8",
    "Effect-TS/effect#7129, 2026-08",
    sent="what the model can write",
    models=CLAUDE_4_6_ON,
    seen="claude-opus-4-8",
    taken=_asked("claude-opus-4-8", max_tokens=128_000),
    refused=_asked("claude-opus-4-8", max_tokens=128_001),
)
def claude_4_6_writes_128_000_tokens(body: Json) -> Paths:
    if body["max_tokens"] > 128_000:
        yield "max_tokens"


@refuses(
    "anthropic",
    "metadata.user_id: user_id appears to contain an email address",
    "BerriAI/litellm#10106, 2025-04",
    sent="a hash of it",
    models=CLAUDE,
    seen="claude-3-7-sonnet-20250219",
    taken=_asked(metadata={"user_id": "u-1"}),
    refused=_asked(metadata={"user_id": "ann@example.com"}),
)
def a_user_id_is_not_an_address(body: Json) -> Paths:
    user = (body.get("metadata") or {}).get("user_id") or ""
    if re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+|\+?[\d\s()-]{7,}", user):
        yield "metadata.user_id"


@refuses(
    "anthropic",
    "refuses a `metadata.user_id` of more than 256 characters",
    "the API's reference, as vercel/ai#12419 has it, 2026-02",
    sent="a hash of it",
    models=CLAUDE,
    seen="claude-sonnet-4-5",
    taken=_asked(metadata={"user_id": "u" * 256}),
    refused=_asked(metadata={"user_id": "u" * 257}),
)
def a_user_id_has_at_most_256_characters(body: Json) -> Paths:
    if len((body.get("metadata") or {}).get("user_id") or "") > 256:
        yield "metadata.user_id"


# -- thinking ----------------------------------------------------------------------------------


@refuses(
    "anthropic",
    '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive"',
    "lidge-jun/opencodex#65, 2026-07; Kilo-Org/kilocode#11194, 2026-06",
    sent="adaptive thinking, with an effort that matches the budget",
    models=CLAUDE_4_7,
    seen="claude-fable-5",
    taken=_asked("claude-fable-5", thinking={"type": "adaptive"}),
    refused=_asked("claude-fable-5", thinking=_THINKING),
)
def thinking_has_no_budget(body: Json) -> Paths:
    if _kind(body, "thinking") == "enabled":
        yield "thinking.type"


@refuses(
    "anthropic",
    "adaptive thinking is not supported on this model",
    "lidge-jun/opencodex#65, 2026-07; elizaOS/eliza#16175, 2026-07",
    sent="a budget that matches the level",
    models=CLAUDE_3_7_TO_4_5,
    seen="claude-haiku-4-5",
    taken=_asked("claude-haiku-4-5", thinking=_THINKING),
    refused=_asked("claude-haiku-4-5", thinking={"type": "adaptive"}),
)
def thinking_is_not_adaptive(body: Json) -> Paths:
    if _kind(body, "thinking") == "adaptive":
        yield "thinking.type"


@refuses(
    "anthropic",
    '"thinking.type.disabled" is not supported for this model.',
    "cline/cline#13203, 2026-08; ex-machina-co/opencode-anthropic-auth#159, 2026-06",
    sent="its least effort",
    models=CLAUDE_THAT_ALWAYS_THINKS,
    seen="claude-fable-5",
    taken=_asked("claude-fable-5"),
    refused=_asked("claude-fable-5", thinking={"type": "disabled"}),
)
def thinking_cannot_be_turned_off(body: Json) -> Paths:
    if _kind(body, "thinking") == "disabled":
        yield "thinking.type"


@refuses(
    "anthropic",
    "This model does not support the effort parameter.",
    "Oaklight/llm-rosetta#289, 2026-06; elizaOS/eliza#16175, 2026-07",
    sent="a budget that matches the effort",
    models=CLAUDE_WITHOUT_EFFORT,
    seen="claude-haiku-4-5-20251001",
    taken=_asked("claude-haiku-4-5"),
    refused=_asked("claude-haiku-4-5", output_config={"effort": "low"}),
)
def there_is_no_effort(body: Json) -> Paths:
    if (body.get("output_config") or {}).get("effort"):
        yield "output_config.effort"


@refuses(
    "anthropic",
    "This model does not support effort level 'xhigh'.",
    "a recorded answer, 2026-10; the list of levels in Yeachan-Heo/gajae-code#3913, 2026-08",
    sent="the nearest effort",
    models=CLAUDE_4_6,
    seen="claude-opus-4-6",
    taken=_asked("claude-opus-4-6", output_config={"effort": "max"}),
    refused=_asked("claude-opus-4-6", output_config={"effort": "xhigh"}),
)
def there_is_no_effort_xhigh(body: Json) -> Paths:
    if (body.get("output_config") or {}).get("effort") == "xhigh":
        yield "output_config.effort"


@refuses(
    "anthropic",
    "This model does not support effort level 'max'.",
    "the page build-with-claude/effort as Yeachan-Heo/gajae-code#3913 has it, 2026-08",
    sent="the nearest effort",
    models=OPUS_4_5,
    seen="claude-opus-4-5-20251101",
    taken=_asked("claude-opus-4-5", output_config={"effort": "high"}),
    refused=_asked("claude-opus-4-5", output_config={"effort": "max"}),
)
def opus_4_5_has_three_efforts(body: Json) -> Paths:
    if (body.get("output_config") or {}).get("effort") in ("xhigh", "max"):
        yield "output_config.effort"


@refuses(
    "anthropic",
    "Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled,"
    " a final `assistant` message must start with a thinking block",
    "n8n-io/n8n#22550, 2025-12",
    sent="thinking turned off, if the answer to continue has none",
    models=CLAUDE_3_7_TO_4_5,
    seen="claude-sonnet-4-5-20250929",
    taken=_asked(thinking=_THINKING, messages=[_HI, *_called("a", _THOUGHT)], tools=[_TOOL]),
    refused=_asked(thinking=_THINKING, messages=[_HI, *_called("a")], tools=[_TOOL]),
)
def a_turn_that_goes_on_began_with_thinking(body: Json) -> Paths:
    if _kind(body, "thinking") != "enabled":
        return
    kinds = [[block.get("type") for block in _listed(m.get("content"))] for m in body["messages"]]
    last = len(kinds) - 1
    if body["messages"][last]["role"] == "user" and "tool_result" not in kinds[last]:
        return
    turn: list[Any] = []
    for i in range(last, -1, -1):  # all answers since the user said something
        if body["messages"][i]["role"] == "user" and "tool_result" not in kinds[i]:
            break
        turn += kinds[i]
    if not {"thinking", "redacted_thinking"} & {*turn}:
        yield f"messages.{last}"


# -- messages ----------------------------------------------------------------------------------


@refuses(
    "anthropic",
    "This model does not support assistant message prefill. The conversation must end with a user"
    " message.",
    "cortexkit/magic-context#511, 2026-06",
    sent="a user's message after the answer: `Go on.`",
    models=CLAUDE_4_6_ON,
    seen="claude-opus-4-6",
    taken=_asked("claude-opus-4-6"),
    refused=_asked("claude-opus-4-6", messages=[_HI, {"role": "assistant", "content": "A"}]),
)
def a_request_does_not_end_with_an_answer(body: Json) -> Paths:
    roles = [message["role"] for message in body["messages"] if message["role"] != "system"]
    if roles[-1:] == ["assistant"]:
        yield f"messages.{len(body['messages']) - 1}"


@refuses(
    "anthropic",
    "refuses a user's blank message at the end, or the model goes on with its answer",
    "langchain-ai/langchain#35081, 2026-02",
    sent="`Go on.`",
    models=CLAUDE,
    seen="claude-sonnet-4-5",
    taken=_asked(messages=[_HI]),
    refused=_asked(messages=[_HI, {"role": "assistant", "content": "A"}, _BLANK]),
)
def the_last_message_is_not_blank(body: Json) -> Paths:
    last = body["messages"][-1] if body["messages"] else {}
    blocks = last.get("content")
    texts = blocks if isinstance(blocks, list) else [{"type": "text", "text": blocks}]
    if last.get("role") == "user" and not any(
        block["type"] != "text" or (block["text"] or "").strip() for block in texts
    ):
        yield f"messages.{len(body['messages']) - 1}.content"


@refuses(
    "anthropic",
    "refuses a system prompt without a message",
    "braintrustdata/braintrust-proxy#250, 2025-06",
    sent="the text as a user's message",
    models=CLAUDE,
    seen="claude-sonnet-4-5",
    taken=_asked(system="Be brief."),
    refused=_asked(system="Be brief.", messages=[]),
)
def a_system_prompt_does_not_come_alone(body: Json) -> Paths:
    if not body["messages"]:
        yield "messages"


@refuses(
    "anthropic",
    'messages: Unexpected role "system".',
    "diegosouzapw/OmniRoute#2472, 2026-06; BerriAI/litellm#33807, 2026-07 (live); for Sonnet 5, the"
    " page build-with-claude/mid-conversation-system-messages, 2026-10",
    sent="a user's message at the same place",
    models=BEFORE_CLAUDE_4_8,
    seen="claude-opus-4-7",
    taken=_asked("claude-opus-4-7"),
    refused=_asked("claude-opus-4-7", messages=[_HI, {"role": "system", "content": "Be brief."}]),
)
def there_are_no_system_turns(body: Json) -> Paths:
    for i, message in enumerate(body["messages"]):
        if message["role"] == "system":
            yield f"messages.{i}.role"


@refuses(
    "anthropic",
    "messages.3.content.0: `tool_use` ids must be unique",
    "NVIDIA-NeMo/Switchyard#502, 2026-09; anthropics/claude-code#20631, 2026-01",
    sent="another id for the second call of one id, and for its result",
    models=CLAUDE,
    seen="claude-opus-4-6",
    taken=_asked(messages=[_HI, *_called("a"), *_called("b")], tools=[_TOOL]),
    refused=_asked(messages=[_HI, *_called("a"), *_called("a")], tools=[_TOOL]),
)
def call_ids_are_unique_in_the_whole_request(body: Json) -> Paths:
    known: set[str] = set()
    for path, block in _blocks(body):
        if block.get("type") in ("tool_use", "server_tool_use", "mcp_tool_use"):
            if block["id"] in known:
                yield f"{path}.id"
            known.add(block["id"])


@refuses(
    "anthropic",
    "messages: text content blocks must contain non-whitespace text",
    "LibreChat-AI/agents#124, 2026-05 (live)",
    sent="no blank text beside a call",
    models=CLAUDE,
    seen="claude-opus-4-6",
    taken=_asked(messages=[_HI, *_called("a")], tools=[_TOOL]),
    refused=_asked(messages=[_HI, *_called("a", {"type": "text", "text": "\n\n"})], tools=[_TOOL]),
)
def the_only_text_beside_a_call_is_not_blank(body: Json) -> Paths:
    for i, message in enumerate(body["messages"]):
        content = _listed(message.get("content"))
        texts = [block["text"] for block in content if block.get("type") == "text"]
        if texts and not any(text.strip() for text in texts):
            yield f"messages.{i}.content"


@refuses(
    "anthropic",
    "messages.0.content.0.image.source.base64: The image was specified using the image/jpeg media"
    " type, but the image appears to be a image/png image",
    "vybestack/llxprt-code#2130, 2026-05",
    sent="the type that the image's data show",
    models=CLAUDE,
    seen="claude-opus-4-6",
    taken=_asked(messages=_said(_picture("image/png"))),
    refused=_asked(messages=_said(_picture("image/jpeg"))),
)
def an_image_is_of_its_type(body: Json) -> Paths:
    for path, block in _blocks(body):
        source = block.get("source")
        known = source if isinstance(source, dict) else {}
        is_png = str(known.get("data", "")).startswith(_PNG)
        if is_png and known.get("media_type") != "image/png":
            yield f"{path}.source.media_type"


# -- tools and schemas -------------------------------------------------------------------------


@refuses(
    "anthropic",
    'tool_choice: type "tool" and "any" are not supported for this model.',
    "anthropics/claude-cookbooks#854, 2026-09",
    sent="`auto`",
    models=CLAUDE_UNFORCED,
    seen="claude-fable-5-1",
    taken=_asked("claude-fable-5-1", tools=[_TOOL], tool_choice={"type": "auto"}),
    refused=_asked("claude-fable-5-1", tools=[_TOOL], tool_choice={"type": "any"}),
)
def no_call_can_be_forced(body: Json) -> Paths:
    if _kind(body, "tool_choice") in ("any", "tool"):
        yield "tool_choice.type"


@refuses(
    "anthropic",
    "tool_choice.any may only be specified while providing tools",
    "diegosouzapw/OmniRoute#397, 2026-03",
    sent="no choice of a tool",
    models=CLAUDE,
    seen="claude-opus-4-6",
    taken=_asked(tool_choice={"type": "auto"}),
    refused=_asked(tool_choice={"type": "any"}),
)
def no_call_is_forced_without_tools(body: Json) -> Paths:
    if _kind(body, "tool_choice") in ("any", "tool") and not body.get("tools"):
        yield "tool_choice.type"


@refuses(
    "anthropic",
    "tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top"
    " level",
    "anthropics/claude-code#5319, 2025-08; anthropics/claude-code#40075, 2026-03",
    sent=ONE_OBJECT,
    models=CLAUDE,
    seen="claude-opus-4-6",
    taken=_asked(tools=[_TOOL]),
    refused=_asked(
        tools=[{"name": "f", "input_schema": {**_OBJECT, "anyOf": [{"type": "object"}]}}]
    ),
)
def a_tool_takes_no_union(body: Json) -> Paths:
    for path, tool in _tools(body):
        for key in ("oneOf", "allOf", "anyOf"):
            if key in tool.get("input_schema", {}):
                yield f"{path}.input_schema.{key}"


@refuses(
    "anthropic",
    "tools.0.custom.input_schema.properties: Property keys should match pattern"
    " '^[a-zA-Z0-9_.-]{1,64}$'",
    "decocms/studio#6874, 2026-03",
    sent="no such property; the description of the schema mentions it",
    models=CLAUDE,
    seen="claude-opus-4-6",
    taken=_asked(tools=[_TOOL]),
    refused=_asked(
        tools=[{"name": "f", "input_schema": {"type": "object", "properties": {"a[b]": {}}}}]
    ),
)
def properties_have_plain_names(body: Json) -> Paths:
    for path, tool in _tools(body):
        for name in tool.get("input_schema", {}).get("properties") or ():
            if not re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name):
                yield f"{path}.input_schema.properties.{name}"


@refuses(
    "anthropic",
    "tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12",
    "Dokploy/mcp#74, 2026-08; homeassistant-ai/ha-mcp#2361, 2026-09",
    sent="the bounds as numbers",
    models=CLAUDE,
    seen="claude-opus-4-6",
    taken=_asked(tools=[{"name": "f", "input_schema": {**_OBJECT, "minProperties": 1}}]),
    refused=_asked(
        tools=[
            {
                "name": "f",
                "input_schema": {
                    "type": "object",
                    "properties": {"n": {"minimum": 0, "exclusiveMinimum": True}},
                },
            }
        ]
    ),
)
def exclusive_bounds_are_numbers(body: Json) -> Paths:
    for path, tool in _tools(body):
        for below, schema in _schemas(tool.get("input_schema"), f"{path}.input_schema"):
            for key in ("exclusiveMinimum", "exclusiveMaximum"):
                if isinstance(schema.get(key), bool):
                    yield f"{below}.{key}"


def _schemas(schema: Any, path: str) -> Iterator[tuple[str, Json]]:
    """Yield a schema and those in it, with their paths."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key in ("properties", "$defs", "definitions"):
        named = schema.get(key)
        for name, inner in named.items() if isinstance(named, dict) else ():
            yield from _schemas(inner, f"{path}.{key}.{name}")
    for key in ("anyOf", "allOf", "oneOf", "prefixItems"):
        for i, inner in enumerate(_listed(schema.get(key))):
            yield from _schemas(inner, f"{path}.{key}.{i}")
    yield from _schemas(schema.get("items"), f"{path}.items")


def _binding(body: Json) -> Iterator[tuple[str, Json]]:
    """Yield the schemas that bind the model: of the answer, and of strict tools."""
    form = (body.get("output_config") or {}).get("format") or {}
    yield from _schemas(form.get("schema"), "output_config.format.schema")
    for path, tool in _tools(body):
        if tool.get("strict"):
            yield from _schemas(tool.get("input_schema"), f"{path}.input_schema")


@refuses(
    "anthropic",
    "output_config.format.schema: For 'integer' type, property 'minimum' is not supported",
    "agentjido/req_llm#302, 2025-12; agentjido/req_llm#707, 2026-05; laravel/ai#715, 2026-06;"
    " BerriAI/litellm#34313, 2026-07",
    sent="the limit in the description of the value",
    models=CLAUDE,
    seen="claude-haiku-4-5",
    taken=_asked(output_config=_held({"type": "integer"})),
    refused=_asked(output_config=_held({"type": "integer", "minimum": 1})),
)
def a_schema_that_binds_has_no_bounds(body: Json) -> Paths:
    bounds = (
        *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
        *("minLength", "maxLength", "maxItems", "uniqueItems", "minProperties", "maxProperties"),
    )
    for path, schema in _binding(body):
        yield from (f"{path}.{key}" for key in bounds if key in schema)
        if schema.get("minItems", 0) not in (0, 1):
            yield f"{path}.minItems"


@refuses(
    "anthropic",
    "output_config.format.schema: For 'array' type, property 'prefixItems' is not supported",
    "`transform_schema` of anthropic 2.14, which moves all that the API takes not into the"
    " description; ENTERPILOT/GoModel#963, 2026-09; for propertyNames can1357/oh-my-pi#1107,"
    " 2026-05",
    sent="the keyword in the description of the value",
    models=CLAUDE,
    seen="claude-sonnet-4-5",
    taken=_asked(output_config=_held({"type": "array", "items": {"type": "string"}})),
    refused=_asked(output_config=_held({"type": "array", "prefixItems": [{"type": "string"}]})),
)
def a_schema_that_binds_has_plain_keys(body: Json) -> Paths:
    keys = (
        *("prefixItems", "contains", "minContains", "maxContains", "patternProperties"),
        *("propertyNames", "dependentRequired", "dependentSchemas", "not", "if", "then", "else"),
        *("unevaluatedProperties", "unevaluatedItems"),
    )
    for path, schema in _binding(body):
        yield from (f"{path}.{key}" for key in keys if key in schema)


@refuses(
    "anthropic",
    "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set"
    " to false",
    "pydantic/pydantic-ai#6512, 2026-07; the page build-with-claude/structured-outputs, 2026-07",
    sent="objects that allow no other properties",
    models=CLAUDE,
    seen="claude-sonnet-4-5",
    taken=_asked(output_config=_held({"type": "string"})),
    refused=_asked(output_config=_held({"type": "object", "properties": {}})),
)
def objects_that_bind_are_closed(body: Json) -> Paths:
    for path, schema in _binding(body):
        if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
            yield f"{path}.additionalProperties"


# -- hosts -------------------------------------------------------------------------------------


@refuses(
    "anthropic",
    "output_config.format: Extra inputs are not permitted",
    "presenton/presenton#939, 2026-07",
    sent="no schema",
    hosts="bedrock",
    models=CLAUDE_4_7,
    seen="us.anthropic.claude-opus-4-7",
    taken=_asked("claude-opus-4-7", output_config={"effort": "low"}),
    refused=_asked("claude-opus-4-7", output_config=_held({"type": "string"})),
)
def invoke_model_binds_no_answer(body: Json) -> Paths:
    if (body.get("output_config") or {}).get("format"):
        yield "output_config.format"


@refuses(
    "anthropic",
    "tools.0.custom.strict: Extra inputs are not permitted",
    "BerriAI/litellm#33193, 2026-07 (live); vercel/ai#16121, 2026-07",
    sent="the tool without `strict`",
    hosts="bedrock",
    models=CLAUDE_4_7,
    seen="us.anthropic.claude-opus-5",
    taken=_asked("claude-opus-4-7", tools=[_TOOL]),
    refused=_asked("claude-opus-4-7", tools=[{**_TOOL, "strict": False}]),
)
def invoke_model_has_no_strict_tools(body: Json) -> Paths:
    for path, tool in _tools(body):
        if "strict" in tool:
            yield f"{path}.strict"


@refuses(
    "anthropic",
    "tools.0.custom.eager_input_streaming: Extra inputs are not permitted",
    "BerriAI/litellm#23825, 2026-03; anthropics/claude-agent-sdk-python#694, 2026-03",
    sent="the tool without it",
    hosts="bedrock",
    models=CLAUDE_3_7_TO_4_5,
    seen="us.anthropic.claude-haiku-4-5-20251001-v1:0",
    taken=_asked(tools=[_TOOL]),
    refused=_asked(tools=[{**_TOOL, "eager_input_streaming": True}]),
)
def invoke_model_streams_no_input_eagerly(body: Json) -> Paths:
    for path, tool in _tools(body):
        if "eager_input_streaming" in tool:
            yield f"{path}.eager_input_streaming"


@refuses(
    "anthropic",
    "cache_control: Extra inputs are not permitted",
    "UKGovernmentBEIS/inspect_ai#3851, 2026-05; Bedrock, 2026-10",
    sent="a breakpoint on the last block",
    hosts="bedrock",
    models=CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken=_asked(
        messages=_said({"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}})
    ),
    refused=_asked(cache_control={"type": "ephemeral"}),
)
def invoke_model_caches_nothing_by_itself(body: Json) -> Paths:
    if "cache_control" in body:
        yield "cache_control"


@refuses(
    "anthropic",
    "messages.0.content.1.image.source.base64.data: URL sources are not supported",
    "BerriAI/litellm#18430, 2025-12; anthropics/anthropic-sdk-typescript#1038, 2026-05; Vertex and"
    " Bedrock, 2026-10",
    sent="no media by URL",
    hosts="vertex bedrock",
    models=CLAUDE,
    seen="claude-sonnet-4-5",
    taken=_asked(messages=_said({"type": "text", "text": "a"})),
    refused=_asked(messages=_said({"type": "image", "source": _URL})),
)
def clouds_fetch_no_media(body: Json) -> Paths:
    for path, block in _blocks(body):
        if _kind(block, "source") == "url":
            yield f"{path}.source"


@refuses(
    "anthropic",
    "the Files API is not supported",
    "Vertex and Bedrock, features not supported, 2026-10",
    sent="no files by id",
    hosts="vertex bedrock",
    models=CLAUDE,
    seen="claude-sonnet-4-5",
    taken=_asked(messages=_said({"type": "text", "text": "a"})),
    refused=_asked(messages=_said({"type": "document", "source": _FILE})),
)
def clouds_store_no_files(body: Json) -> Paths:
    for path, block in _blocks(body):
        if _kind(block, "source") == "file" or block.get("type") == "container_upload":
            yield path


@refuses(
    "anthropic",
    "server-side tools (code execution, web fetch) are not supported",
    "Overview, Vertex and Bedrock, 2026-10; dust-tt/dust#26813, 2026-06",
    sent="no such tools",
    hosts="vertex bedrock",
    models=CLAUDE,
    seen="claude-sonnet-4-5",
    taken=_asked(tools=[{"type": "bash_20250124", "name": "bash"}]),
    refused=_asked(tools=[{"type": "web_fetch_20250910", "name": "web_fetch"}]),
)
def clouds_run_no_code_and_fetch_no_pages(body: Json) -> Paths:
    kinds = ("code_execution_", "web_fetch_", "advisor_", "mcp_toolset")
    yield from (f"{path}.type" for path, _ in _tools(body, *kinds))


@refuses(
    "anthropic",
    "web search is not available on Amazon Bedrock",
    "the page agents-and-tools/tool-use/web-search-tool, 2026-10; Bedrock, 2026-10",
    sent="no search",
    hosts="bedrock",
    models=CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken=_asked(tools=[_TOOL]),
    refused=_asked(tools=[{"type": "web_search_20250305", "name": "web_search"}]),
)
def bedrock_searches_nothing(body: Json) -> Paths:
    yield from (f"{path}.type" for path, _ in _tools(body, "web_search_"))


@refuses(
    "anthropic",
    "on Google Cloud, only the basic web search tool (without dynamic filtering) is available",
    "the page agents-and-tools/tool-use/web-search-tool, 2026-10",
    sent="the basic search",
    hosts="vertex",
    models=CLAUDE,
    seen="claude-opus-4-6",
    taken=_asked(tools=[{"type": "web_search_20250305", "name": "web_search"}]),
    refused=_asked(tools=[{"type": "web_search_20260209", "name": "web_search"}]),
)
def vertex_has_the_basic_search_alone(body: Json) -> Paths:
    yield from (f"{path}.type" for path, _ in _tools(body, "web_search_2026"))


@refuses(
    "anthropic",
    "`computer_toolset_20260801` and `browser_toolset_20260801` are not available on Amazon"
    " Bedrock",
    "Bedrock, features not supported, 2026-10",
    sent="no such tools",
    hosts="bedrock",
    models=CLAUDE,
    seen="us.anthropic.claude-opus-4-8",
    taken=_asked("claude-opus-4-8", tools=[_TOOL]),
    refused=_asked("claude-opus-4-8", tools=[{"type": "browser_toolset_20260801"}]),
)
def bedrock_has_no_toolsets(body: Json) -> Paths:
    yield from (f"{path}.type" for path, _ in _tools(body, "browser_toolset", "computer_toolset"))


@refuses(
    "anthropic",
    "fallbacks: Extra inputs are not permitted",
    "Vertex and Bedrock, features not supported, 2026-10; Overview (data residency), 2026-10;"
    " BerriAI/litellm#36442, 2026-08",
    sent="the parameter is left out",
    hosts="vertex bedrock",
    models=CLAUDE,
    seen="claude-fable-5",
    taken=_asked("claude-fable-5"),
    refused=_asked("claude-fable-5", inference_geo="us"),
)
def clouds_lack_what_anthropic_runs_itself(body: Json) -> Paths:
    for key in ("container", "fallbacks", "inference_geo", "mcp_servers", "speed"):
        if body.get(key) is not None:
            yield key


@refuses(
    "anthropic",
    "context_management: Extra inputs are not permitted",
    "BerriAI/litellm#22321, 2026-02 (Vertex, live: 400 without the beta, 200 with it);"
    " NVIDIA/OpenShell#2444, 2026-07; braintrustdata/lingua#349, 2026-07 (Bedrock)",
    sent="the parameter only if `anthropic_beta` in the body names its beta",
    hosts="vertex bedrock",
    models=CLAUDE,
    seen="claude-opus-4-8",
    taken=_asked(
        context_management={"edits": []}, anthropic_beta=["context-management-2025-06-27"]
    ),
    refused=_asked(context_management={"edits": []}),
)
def clouds_edit_contexts_only_if_the_beta_is_named(body: Json) -> Paths:
    betas = body.get("anthropic_beta") or []
    is_named = any(str(each).startswith(("context-management-", "compact-")) for each in betas)
    if "context_management" in body and not is_named:
        yield "context_management"


@refuses(
    "anthropic",
    "diagnostics: Extra inputs are not permitted",
    "anthropics/claude-code#82539, 2026-07",
    sent="the parameter is left out",
    hosts="vertex",
    models=CLAUDE,
    seen="claude-fable-5",
    taken=_asked("claude-fable-5"),
    refused=_asked("claude-fable-5", diagnostics={"previous_message_id": "msg_1"}),
)
def vertex_diagnoses_nothing(body: Json) -> Paths:
    if body.get("diagnostics") is not None:
        yield "diagnostics"
