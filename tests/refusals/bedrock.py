"""Bedrock Converse: what the models of each maker refuse of a body that the API's types allow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from tests.refusals import models
from tests.refusals.row import ONE_OBJECT, Json, Paths, refuses

_PYDANTIC = "pydantic-ai 2.68, providers/bedrock.py"
_HI = '"messages":[{"role":"user","content":[{"text":"Hi"}]}]'
_F = '{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object","properties":{}}}}}'
_TOOLS = '"toolConfig":{"tools":[' + _F + "]}"
_PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
_IMAGE = '{"image":{"format":"png","source":{"bytes":"' + _PNG + '"}}}'
_VIDEO = '{"video":{"format":"mp4","source":{"bytes":"AAAA"}}}'
_POINT = '{"cachePoint":{"type":"default"}}'
_FORM = (
    '"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"name":"r",'
    '"schema":"{\\"type\\":\\"object\\",\\"properties\\":{},\\"additionalProperties\\":false}"}}}}'
)


def _document(format: str = "pdf", more: str = "") -> str:
    source = '"source":{"bytes":"JVBERi0="}'
    return '{"document":{"format":"' + format + '","name":"a",' + source + more + "}}"


def _said(*content: str) -> str:
    return '"messages":[{"role":"user","content":[' + ",".join(content) + "]}]"


def _talk(
    call: str = "tooluse_abcdefghijklmnopqrstuv",
    result: str = '"content":[{"text":"1"}]',
    before: str = "",
    beside: str = "",
) -> str:
    return (
        f'{_TOOLS},"messages":[{{"role":"user","content":[{{"text":"Hi"}}]}},'
        f'{{"role":"assistant","content":[{before}{{"toolUse":{{"toolUseId":"{call}","name":"f",'
        f'"input":{{}}}}}}]}},{{"role":"user","content":[{{"toolResult":{{"toolUseId":"{call}",'
        f"{result}}}}}{beside}]}}]"
    )


_CALLED = (
    '{"role":"user","content":[{"text":"Hi"}]}',
    '{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}',
    '{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"text":"1"}]}}]}',
    '{"role":"assistant","content":[{"text":"A"}]}',
)


def _fields(body: Json) -> Json:
    given = body.get("additionalModelRequestFields")
    return given if isinstance(given, dict) else {}


def _blocks(body: Json, *keys: str) -> Iterator[tuple[str, Any]]:
    """Yield the path and the value of each block of some kinds, outside of results."""
    for i, message in enumerate(body.get("messages") or ()):
        for j, block in enumerate(message["content"]):
            for key in keys:
                if key in block:
                    yield f"messages.{i}.content.{j}.{key}", block[key]


def _results(body: Json) -> Iterator[tuple[str, Any]]:
    return _blocks(body, "toolResult")


def _in_results(body: Json, *keys: str) -> Iterator[tuple[str, Any]]:
    for path, result in _results(body):
        for k, part in enumerate(result["content"]):
            for key in keys:
                if key in part:
                    yield f"{path}.content.{k}.{key}", part[key]


def _tools(body: Json) -> list[Json]:
    return (body.get("toolConfig") or {}).get("tools") or []


def _points(body: Json) -> Iterator[tuple[str, Any]]:
    for name, parts in (("toolConfig.tools", _tools(body)), ("system", body.get("system") or ())):
        for i, part in enumerate(parts):
            if "cachePoint" in part:
                yield f"{name}.{i}", part["cachePoint"]
    yield from _blocks(body, "cachePoint")


# -- sampling, and what else `inferenceConfig` holds -------------------------------------------


def _sampling(body: Json) -> Paths:
    for key in ("temperature", "topP"):
        if (body.get("inferenceConfig") or {}).get(key, 1) != 1:
            yield f"inferenceConfig.{key}"
    if "top_k" in _fields(body):
        yield "additionalModelRequestFields.top_k"


@refuses(
    "bedrock",
    "`temperature` is deprecated for this model.",
    "UKGovernmentBEIS/inspect_ai#3721, 2026-05",
    sent="no sampling parameters",
    models=models.CLAUDE_4_7,
    seen="us.anthropic.claude-opus-4-7",
    taken="{" + _HI + "}",
    refused='{"inferenceConfig":{"temperature":0.2},' + _HI + "}",
)
def sampling_is_left_to_the_model(body: Json) -> Paths:
    yield from _sampling(body)


@refuses(
    "bedrock",
    "refuses temperature, top_p and top_k",
    _PYDANTIC,
    sent="no sampling parameters",
    models=models.BEDROCK_GPT,
    seen="us.openai.gpt-5.6-sol",
    taken="{" + _HI + "}",
    refused='{"inferenceConfig":{"topP":0.2},' + _HI + "}",
)
def sampling_is_left_to_gpt(body: Json) -> Paths:
    yield from _sampling(body)


@refuses(
    "bedrock",
    "refuses temperature, topP and top_k with a ValidationException",
    _PYDANTIC,
    sent="no sampling parameters",
    models=models.BEDROCK_GROK,
    seen="xai.grok-4-6",
    taken="{" + _HI + "}",
    refused='{"inferenceConfig":{"temperature":0.2},' + _HI + "}",
)
def sampling_is_left_to_grok(body: Json) -> Paths:
    yield from _sampling(body)


@refuses(
    "bedrock",
    "`temperature` and `top_p` cannot both be specified for this model.",
    "aws-samples/bedrock-chat#979, 2025-08",
    sent="only the temperature",
    models=models.CLAUDE_4_1_TO_4_6,
    seen="us.anthropic.claude-opus-4-1-20250805-v1:0",
    taken='{"inferenceConfig":{"temperature":0.2},' + _HI + "}",
    refused='{"inferenceConfig":{"temperature":0.2,"topP":0.9},' + _HI + "}",
)
def temperature_and_top_p_are_not_both_given(body: Json) -> Paths:
    config = body.get("inferenceConfig") or {}
    if "temperature" in config and "topP" in config:
        yield "inferenceConfig"


@refuses(
    "bedrock",
    "This model doesn't support the stopSequences field. Remove stopSequences and try again.",
    "langgenius/dify-official-plugins#1767, 2025-09; langchain-ai/langchain-aws#664, 2025-10",
    sent="no stop sequences",
    models=models.BEDROCK_STOPLESS,
    seen="qwen.qwen3-235b-a22b-2507-v1:0",
    taken="{" + _HI + "}",
    refused='{"inferenceConfig":{"stopSequences":["END"]},' + _HI + "}",
)
def there_are_no_stop_sequences(body: Json) -> Paths:
    if (body.get("inferenceConfig") or {}).get("stopSequences"):
        yield "inferenceConfig.stopSequences"


@refuses(
    "bedrock",
    "Malformed input request: #: extraneous key [top_k] is not permitted",
    "UKGovernmentBEIS/inspect_ai#3939, 2026-05",
    sent="`topK` in the model's own `inferenceConfig`",
    models=models.BEDROCK_NOVA,
    seen="us.amazon.nova-lite-v1:0",
    taken='{"additionalModelRequestFields":{"inferenceConfig":{"topK":5}},' + _HI + "}",
    refused='{"additionalModelRequestFields":{"top_k":5},' + _HI + "}",
)
def top_k_of_nova_has_its_own_place(body: Json) -> Paths:
    if "top_k" in _fields(body):
        yield "additionalModelRequestFields.top_k"


# -- thinking ----------------------------------------------------------------------------------


@refuses(
    "bedrock",
    '"thinking.type.enabled" is not supported for this model.',
    "lidge-jun/opencodex#65, 2026-07",
    sent="adaptive thinking, with an effort that matches the budget",
    models=models.CLAUDE_4_7,
    seen="us.anthropic.claude-opus-4-7",
    taken='{"additionalModelRequestFields":{"thinking":{"type":"adaptive"}},' + _HI + "}",
    refused='{"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":1024}},'
    + _HI
    + "}",
)
def there_is_no_thinking_budget(body: Json) -> Paths:
    if (_fields(body).get("thinking") or {}).get("type") == "enabled":
        yield "additionalModelRequestFields.thinking"


@refuses(
    "bedrock",
    "adaptive thinking is not supported on this model",
    "lidge-jun/opencodex#65, 2026-07",
    sent="a budget that matches the level",
    models=models.CLAUDE_3_7_TO_4_5,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken='{"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":1024}},'
    + _HI
    + "}",
    refused='{"additionalModelRequestFields":{"thinking":{"type":"adaptive"}},' + _HI + "}",
)
def there_is_no_adaptive_thinking(body: Json) -> Paths:
    if (_fields(body).get("thinking") or {}).get("type") == "adaptive":
        yield "additionalModelRequestFields.thinking"


@refuses(
    "bedrock",
    "This model does not support effort level 'xhigh'.",
    "recorded by pydantic/pydantic-ai, 2026-10",
    sent="the nearest effort",
    models=models.CLAUDE_4_6,
    seen="us.anthropic.claude-sonnet-4-6",
    taken='{"outputConfig":{"effort":"high"},' + _HI + "}",
    refused='{"outputConfig":{"effort":"xhigh"},' + _HI + "}",
)
def the_effort_is_one_of_four(body: Json) -> Paths:
    if (body.get("outputConfig") or {}).get("effort") not in (None, "low", "medium", "high", "max"):
        yield "outputConfig.effort"


@refuses(
    "bedrock",
    "This model doesn't support the outputConfig field",
    "spring-projects/spring-ai#2752, 2026-07",
    sent="the effort in the key that the model reads",
    models=models.BEDROCK_NOVA,
    seen="eu.amazon.nova-2-lite-v1:0",
    taken="{" + _HI + "}",
    refused='{"outputConfig":{"effort":"low"},' + _HI + "}",
)
def there_is_no_output_config(body: Json) -> Paths:
    if body.get("outputConfig"):
        yield "outputConfig"


@refuses(
    "bedrock",
    "Malformed input request: the provided reasoning config value is invalid",
    "UKGovernmentBEIS/inspect_ai#5301, 2026-09",
    sent="no thinking",
    models=models.BEDROCK_NOVA_1,
    seen="us.amazon.nova-pro-v1:0",
    taken="{" + _HI + "}",
    refused='{"additionalModelRequestFields":{"reasoningConfig":{"type":"enabled",'
    '"maxReasoningEffort":"low"}},' + _HI + "}",
)
def nova_1_cannot_be_asked_to_think(body: Json) -> Paths:
    if "reasoningConfig" in _fields(body):
        yield "additionalModelRequestFields.reasoningConfig"


@refuses(
    "bedrock",
    "maxTokens must be unset when maxReasoningEffort is high",
    "UKGovernmentBEIS/inspect_ai#3767, 2026-04",
    sent="no `maxTokens`",
    models=models.BEDROCK_NOVA_2,
    seen="us.amazon.nova-2-lite-v1:0",
    taken='{"additionalModelRequestFields":{"reasoningConfig":{"type":"enabled",'
    '"maxReasoningEffort":"high"}},' + _HI + "}",
    refused='{"inferenceConfig":{"maxTokens":99},"additionalModelRequestFields":{"reasoningConfig":'
    '{"type":"enabled","maxReasoningEffort":"high"}},' + _HI + "}",
)
def nova_thinks_hard_without_a_limit(body: Json) -> Paths:
    asked = _fields(body).get("reasoningConfig") or {}
    limit = (body.get("inferenceConfig") or {}).get("maxTokens")
    if asked.get("maxReasoningEffort") == "high" and limit is not None:
        yield "inferenceConfig.maxTokens"


@refuses(
    "bedrock",
    "temperature, topP and topK cannot be used with maxReasoningEffort set to high",
    "AWS, Extended thinking in Amazon Nova 2, 2025-12",
    sent="no sampling parameters",
    models=models.BEDROCK_NOVA_2,
    seen="us.amazon.nova-2-lite-v1:0",
    taken='{"additionalModelRequestFields":{"reasoningConfig":{"type":"enabled",'
    '"maxReasoningEffort":"high"}},' + _HI + "}",
    refused='{"inferenceConfig":{"topP":0.5},"additionalModelRequestFields":{"reasoningConfig":'
    '{"type":"enabled","maxReasoningEffort":"high"}},' + _HI + "}",
)
def nova_thinks_hard_without_sampling(body: Json) -> Paths:
    asked = _fields(body).get("reasoningConfig") or {}
    if asked.get("maxReasoningEffort") == "high":
        for key in (body.get("inferenceConfig") or {}).keys() & {"temperature", "topP"}:
            yield f"inferenceConfig.{key}"
        if "inferenceConfig" in _fields(body):
            yield "additionalModelRequestFields.inferenceConfig"


def _foreign(body: Json, *taken: str) -> Paths:
    known = {"thinking", "reasoningConfig", "reasoning_effort", "reasoning", "reasoning_config"}
    for key in _fields(body).keys() & known - {*taken}:
        yield f"additionalModelRequestFields.{key}"


@refuses(
    "bedrock",
    "Unknown parameter: 'reasoning_effort'.",
    "anomalyco/opencode#48195, 2026-09; stdapi-ai/stdapi.ai#283, 2026-09",
    sent="the effort in the key that the model reads",
    models=models.BEDROCK_GPT,
    seen="us.openai.gpt-5.6-sol",
    taken='{"additionalModelRequestFields":{"reasoning":{"effort":"low"}},' + _HI + "}",
    refused='{"additionalModelRequestFields":{"reasoning_effort":"low"},' + _HI + "}",
)
def gpt_has_its_effort_in_reasoning(body: Json) -> Paths:
    yield from _foreign(body, "reasoning")
    if (_fields(body).get("reasoning") or {}).get("effort") == "minimal":
        yield "additionalModelRequestFields.reasoning.effort"


@refuses(
    "bedrock",
    "refuses the efforts `none`, `minimal` and `xhigh`",
    _PYDANTIC + ", models/bedrock.py",
    sent="the nearest effort",
    models=models.BEDROCK_GPT_OSS,
    seen="openai.gpt-oss-120b-1:0",
    taken='{"additionalModelRequestFields":{"reasoning_effort":"low"},' + _HI + "}",
    refused='{"additionalModelRequestFields":{"reasoning_effort":"none"},' + _HI + "}",
)
def gpt_oss_has_three_efforts(body: Json) -> Paths:
    if _fields(body).get("reasoning_effort", "low") not in ("low", "medium", "high"):
        yield "additionalModelRequestFields.reasoning_effort"


@refuses(
    "bedrock",
    "User messages cannot contain reasoning content. Please remove the reasoning content",
    "langchain-ai/langchain-aws#401, 2025-03; can1357/oh-my-pi#9086, 2026-08",
    sent="no thinking of the turns before",
    models=models.BEDROCK_SILENT,
    seen="us.deepseek.r1-v1:0",
    taken='{"messages":[{"role":"user","content":[{"text":"Hi"}]},{"role":"assistant","content":'
    '[{"text":"Hi"}]},{"role":"user","content":[{"text":"So?"}]}]}',
    refused='{"messages":[{"role":"user","content":[{"text":"Hi"}]},{"role":"assistant","content":'
    '[{"reasoningContent":{"reasoningText":{"text":"Hm"}}},{"text":"Hi"}]},{"role":"user",'
    '"content":[{"text":"So?"}]}]}',
)
def thinking_does_not_come_back(body: Json) -> Paths:
    for path, _ in _blocks(body, "reasoningContent"):
        yield path


# -- the cache ---------------------------------------------------------------------------------

_UNCACHED = "You invoked an unsupported model or your request did not allow prompt caching."


@refuses(
    "bedrock",
    _UNCACHED,
    "BerriAI/litellm#39210, 2026-09; zeroclaw-labs/zeroclaw#7315, 2026-06;"
    " pensarai/apex#943, 2026-08; strands-agents/harness-sdk#1807, 2026-03",
    sent="no cache points",
    models=models.BEDROCK_UNCACHED,
    seen="qwen.qwen3-coder-next",
    taken='{"system":[{"text":"S"}],' + _HI + "}",
    refused='{"system":[{"text":"S"},' + _POINT + "]," + _HI + "}",
)
def there_is_no_prompt_cache(body: Json) -> Paths:
    for path, _ in _points(body):
        yield path


@refuses(
    "bedrock",
    _UNCACHED,
    "posit-dev/positron#12142, 2026-02; pensarai/apex#943, 2026-08",
    sent="no cache points",
    models=models.BEDROCK_UNCACHED_CLAUDE,
    seen="anthropic.claude-3-sonnet-20240229-v1:0",
    taken='{"system":[{"text":"S"}],' + _HI + "}",
    refused='{"system":[{"text":"S"},' + _POINT + "]," + _HI + "}",
)
def old_models_have_no_prompt_cache(body: Json) -> Paths:
    for path, _ in _points(body):
        yield path


@refuses(
    "bedrock",
    "Malformed input request: #/toolConfig/tools/0: extraneous key [cachePoint] is not permitted",
    "danny-avila/LibreChat#13838, 2026-06; NousResearch/hermes-agent#97289, 2026-08",
    sent="no cache points of tools",
    models=models.BEDROCK_NOVA,
    seen="us.amazon.nova-pro-v1:0",
    taken="{" + _TOOLS + "," + _HI + "}",
    refused='{"toolConfig":{"tools":[' + _F + "," + _POINT + "]}," + _HI + "}",
)
def tools_are_not_cached(body: Json) -> Paths:
    for i, tool in enumerate(_tools(body)):
        if "cachePoint" in tool:
            yield f"toolConfig.tools.{i}"


@refuses(
    "bedrock",
    "cachePoint.ttl: Extra inputs are not permitted",
    "earendil-works/pi#1570, 2026-02",
    sent="a cache point of five minutes",
    models=models.BEDROCK_CLAUDE_BEFORE_4_5,
    seen="us.anthropic.claude-opus-4-1-20250805-v1:0",
    taken='{"system":[{"text":"S"},' + _POINT + "]," + _HI + "}",
    refused='{"system":[{"text":"S"},{"cachePoint":{"type":"default","ttl":"1h"}}],' + _HI + "}",
)
def nothing_is_cached_for_an_hour(body: Json) -> Paths:
    for path, point in _points(body):
        if point.get("ttl") == "1h":
            yield path


@refuses(
    "bedrock",
    "Extended TTL prompt caching is only supported for Anthropic models",
    "earendil-works/pi#1570, 2026-02",
    sent="a cache point of five minutes",
    models=models.BEDROCK_NOVA,
    seen="us.amazon.nova-pro-v1:0",
    taken='{"system":[{"text":"S"},' + _POINT + "]," + _HI + "}",
    refused='{"system":[{"text":"S"},{"cachePoint":{"type":"default","ttl":"1h"}}],' + _HI + "}",
)
def nova_caches_for_five_minutes(body: Json) -> Paths:
    yield from nothing_is_cached_for_an_hour(body)


@refuses(
    "bedrock",
    "There is nothing available to cache.",
    "strands-agents/harness-sdk#3677, 2026-08",
    sent="no such cache point, if the body is not Bedrock's own",
    models=models.CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken="{" + _said('{"text":"a"}', _POINT) + "}",
    refused="{" + _said(_POINT, '{"text":"a"}') + "}",
)
def a_cache_point_has_content_before_it(body: Json) -> Paths:
    for i, message in enumerate(body.get("messages") or ()):
        if "cachePoint" in message["content"][0]:
            yield f"messages.{i}.content.0"


@refuses(
    "bedrock",
    "Cache point cannot be inserted after reasoning block.",
    "anomalyco/opencode#36517, 2026-07",
    sent="no such cache point, if the body is not Bedrock's own",
    models=models.CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken='{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{'
    '"reasoningContent":{"reasoningText":{"text":"b","signature":"c"}}},{"text":"d"},'
    + _POINT
    + ']},{"role":"user","content":[{"text":"e"}]}]}',
    refused='{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":[{'
    '"reasoningContent":{"reasoningText":{"text":"b","signature":"c"}}},'
    + _POINT
    + ',{"text":"d"}]},{"role":"user","content":[{"text":"e"}]}]}',
)
def no_cache_point_follows_thinking(body: Json) -> Paths:
    for i, message in enumerate(body.get("messages") or ()):
        for j, (before, block) in enumerate(pairwise(message["content"])):
            if "cachePoint" in block and "reasoningContent" in before:
                yield f"messages.{i}.content.{j + 1}"


@refuses(
    "bedrock",
    "messages.0.content.3.type: Field required",
    "strands-agents/harness-sdk#1966, 2026-03; anomalyco/opencode#29728, 2026-06",
    sent="the cache point before the document",
    models=models.CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken="{" + _said('{"text":"a"}', _POINT, _document("md")) + "}",
    refused="{" + _said('{"text":"a"}', _document("md"), _POINT) + "}",
)
def no_cache_point_follows_a_document_of_text(body: Json) -> Paths:
    for i, message in enumerate(body.get("messages") or ()):
        for j, (before, block) in enumerate(pairwise(message["content"])):
            document = before.get("document")
            if "cachePoint" not in block or document is None or document.get("format") == "pdf":
                continue
            if not (document.get("citations") or {}).get("enabled"):
                yield f"messages.{i}.content.{j + 1}"


@refuses(
    "bedrock",
    "refuses a cache point directly after a document or a video",
    _PYDANTIC + ", models/bedrock.py",
    sent="the cache point before the document or the film",
    models=models.BEDROCK_NOVA,
    seen="us.amazon.nova-lite-v1:0",
    taken="{" + _said('{"text":"a"}', _POINT, _document()) + "}",
    refused="{" + _said('{"text":"a"}', _document(), _POINT) + "}",
)
def no_cache_point_follows_a_document_or_a_video(body: Json) -> Paths:
    for i, message in enumerate(body.get("messages") or ()):
        for j, (before, block) in enumerate(pairwise(message["content"])):
            if "cachePoint" in block and before.keys() & {"document", "video"}:
                yield f"messages.{i}.content.{j + 1}"


@refuses(
    "bedrock",
    "Malformed input request: #/messages/6/content/0: extraneous key [cachePoint] is not permitted",
    "BerriAI/litellm#17479, 2025-12; zeroclaw-labs/zeroclaw#8720, 2026-07",
    models=models.BEDROCK_NOVA,
    seen="us.amazon.nova-2-lite-v1:0",
    taken="{" + _talk() + "}",
    refused="{" + _talk(beside="," + _POINT) + "}",
    sent="the point before the result, or none",
)
def no_cache_point_follows_a_result(body: Json) -> Paths:
    for i, message in enumerate(body.get("messages") or ()):
        for j, (before, block) in enumerate(pairwise(message["content"])):
            if "cachePoint" in block and "toolResult" in before:
                yield f"messages.{i}.content.{j + 1}"


# -- tools -------------------------------------------------------------------------------------


@refuses(
    "bedrock",
    "This model doesn't support tool use.",
    "langchain-ai/langchain-aws#447, 2025-04; langchain-ai/langchain-aws#175, 2024-09;"
    " AWS, Supported models and model features, 2025-08",
    sent="no tools; an `EncodeError` if the conversation has calls",
    models=models.BEDROCK_TOOLLESS,
    seen="us.deepseek.r1-v1:0",
    taken="{" + _HI + "}",
    refused="{" + _TOOLS + "," + _HI + "}",
)
def there_are_no_tools(body: Json) -> Paths:
    if _tools(body):
        yield "toolConfig"


@refuses(
    "bedrock",
    "tools.0.custom.strict: Extra inputs are not permitted",
    "BerriAI/litellm#33193, tried 2026-07; lobehub/lobehub#19876, 2026-09;"
    " vercel/ai#17919, 2026-08; BerriAI/litellm#39115, 2026-09",
    sent="the tool without `strict`",
    models=models.BEDROCK_CLAUDE_NOT_STRICT,
    seen="us.anthropic.claude-sonnet-5",
    taken="{" + _TOOLS + "," + _HI + "}",
    refused='{"toolConfig":{"tools":['
    + _F.replace('{"name"', '{"strict":false,"name"')
    + "]},"
    + _HI
    + "}",
)
def no_tool_is_strict(body: Json) -> Paths:
    for i, tool in enumerate(_tools(body)):
        if "strict" in tool.get("toolSpec", {}):
            yield f"toolConfig.tools.{i}.toolSpec.strict"


@refuses(
    "bedrock",
    "For 'object' type, 'additionalProperties' must be explicitly set to false",
    "BerriAI/litellm#25209, 2026-04",
    sent="objects that allow no other properties",
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken='{"toolConfig":{"tools":[{"toolSpec":{"name":"f","strict":true,"inputSchema":{"json":'
    '{"type":"object","properties":{},"additionalProperties":false}}}}]},' + _HI + "}",
    refused='{"toolConfig":{"tools":['
    + _F.replace('{"name"', '{"strict":true,"name"')
    + "]},"
    + _HI
    + "}",
)
def a_strict_tool_has_closed_objects(body: Json) -> Paths:
    for i, tool in enumerate(_tools(body)):
        spec = tool.get("toolSpec", {})
        if not spec.get("strict"):
            continue
        for schema in _schemas(spec["inputSchema"]["json"]):
            is_object = schema.get("type") == "object" or "properties" in schema
            if is_object and schema.get("additionalProperties") is not False:
                yield f"toolConfig.tools.{i}.toolSpec.inputSchema"


@refuses(
    "bedrock",
    "For 'array' type, property 'maxItems' is not supported",
    "BerriAI/litellm#39115, 2026-09; " + _PYDANTIC,
    sent="the limit in the description of the value",
    models=models.CLAUDE,
    seen="us.anthropic.claude-sonnet-4-6",
    taken='{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object",'
    '"properties":{"a":{"type":"array","maxItems":2}},"additionalProperties":false}}}}]},'
    + _HI
    + "}",
    refused='{"toolConfig":{"tools":[{"toolSpec":{"name":"f","strict":true,"inputSchema":{"json":'
    '{"type":"object","properties":{"a":{"type":"array","maxItems":2}},'
    '"additionalProperties":false}}}}]},' + _HI + "}",
)
def a_strict_tool_has_no_limits(body: Json) -> Paths:
    refused = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
    for i, tool in enumerate(_tools(body)):
        spec = tool.get("toolSpec", {})
        if not spec.get("strict"):
            continue
        for schema in _schemas(spec["inputSchema"]["json"]):
            if any(key in schema for key in (*refused, "maxItems", "contains")):
                yield f"toolConfig.tools.{i}.toolSpec.inputSchema"


def _schemas(schema: Any) -> Iterator[Json]:
    """Yield a schema and those in it, without data."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key in ("properties", "$defs", "definitions", "patternProperties"):
        inner = schema.get(key)
        for value in inner.values() if isinstance(inner, dict) else ():
            yield from _schemas(value)
    for key in ("anyOf", "allOf", "oneOf", "prefixItems"):
        listed = schema.get(key)
        for value in listed if isinstance(listed, list) else ():
            yield from _schemas(value)
    yield from _schemas(schema.get("items"))


@refuses(
    "bedrock",
    "input_schema does not support oneOf, allOf, or anyOf at the top level",
    "anthropics/claude-code#5319, 2025-08",
    sent=ONE_OBJECT,
    models=models.CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken="{" + _TOOLS + "," + _HI + "}",
    refused='{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"'
    ',"anyOf":[{"required":["a"]}]}}}}]},' + _HI + "}",
)
def no_tool_has_a_union_at_the_top(body: Json) -> Paths:
    for i, tool in enumerate(_tools(body)):
        schema = tool.get("toolSpec", {}).get("inputSchema", {}).get("json", {})
        if schema.keys() & {"oneOf", "allOf", "anyOf"}:
            yield f"toolConfig.tools.{i}"


@refuses(
    "bedrock",
    "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'",
    "decocms/studio#6874, 2026-08",
    sent="no such property; the description of the schema mentions it",
    models=models.CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken="{" + _TOOLS + "," + _HI + "}",
    refused='{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object"'
    ',"properties":{"a[b]":{}}}}}}]},' + _HI + "}",
)
def properties_have_plain_names(body: Json) -> Paths:
    for i, tool in enumerate(_tools(body)):
        for schema in _schemas(tool.get("toolSpec", {}).get("inputSchema", {}).get("json")):
            for name in schema.get("properties") or ():
                if not re.fullmatch(r"[a-zA-Z0-9_.-]{1,64}", name):
                    yield f"toolConfig.tools.{i}"


@refuses(
    "bedrock",
    'tool_choice: type "tool" and "any" are not supported for this model.',
    "anthropics/claude-cookbooks#854, 2026-09",
    sent="`auto`",
    models=models.CLAUDE_UNFORCED,
    seen="us.anthropic.claude-opus-5-5",
    taken='{"toolConfig":{"tools":[' + _F + '],"toolChoice":{"auto":{}}},' + _HI + "}",
    refused='{"toolConfig":{"tools":[' + _F + '],"toolChoice":{"any":{}}},' + _HI + "}",
)
def no_call_is_forced(body: Json) -> Paths:
    yield from _forced(body)


@refuses(
    "bedrock",
    "This model doesn't support the toolConfig.toolChoice.tool field.",
    "maximhq/bifrost#3196, 2026-05; langchain-ai/langchain-aws#620, 2025-09",
    sent="`auto`",
    models=models.BEDROCK_LLAMA,
    seen="us.meta.llama4-maverick-17b-instruct-v1:0",
    taken="{" + _TOOLS + "," + _HI + "}",
    refused='{"toolConfig":{"tools":[' + _F + '],"toolChoice":{"tool":{"name":"f"}}},' + _HI + "}",
)
def llama_is_not_forced(body: Json) -> Paths:
    yield from _forced(body)


def _forced(body: Json) -> Paths:
    if ((body.get("toolConfig") or {}).get("toolChoice") or {}).keys() & {"any", "tool"}:
        yield "toolConfig.toolChoice"


@refuses(
    "bedrock",
    "Tool call id was a but must be a-z, A-Z, 0-9, with a length of 9.",
    "anomalyco/opencode#48843, tried 2026-09; vercel/ai#11802, 2026-01",
    sent="ids of nine letters",
    models=models.BEDROCK_MISTRAL,
    seen="us.mistral.pixtral-large-2502-v1:0",
    taken="{" + _talk("abcdef123") + "}",
    refused="{" + _talk("call_0") + "}",
)
def ids_have_nine_letters(body: Json) -> Paths:
    for path, block in _blocks(body, "toolUse", "toolResult"):
        if not re.fullmatch(r"[a-zA-Z0-9]{9}", block["toolUseId"]):
            yield path


@refuses(
    "bedrock",
    "This model doesn't support the status field. Remove status and try again.",
    _PYDANTIC,
    sent="the result without it",
    models=models.BEDROCK_WRITER,
    seen="us.writer.palmyra-x5-v1:0",
    taken="{" + _talk() + "}",
    refused="{" + _talk(result='"content":[{"text":"1"}],"status":"error"') + "}",
)
def results_have_no_status(body: Json) -> Paths:
    for path, result in _results(body):
        if "status" in result:
            yield f"{path}.status"


@refuses(
    "bedrock",
    "refuses an empty `content` of a `toolResult`",
    "stdapi-ai/stdapi.ai#226, tried 2026; pydantic/pydantic-ai#6155, 2026-07",
    sent="an empty text in the result",
    models=models.BEDROCK_NOVA,
    seen="us.amazon.nova-2-lite-v1:0",
    taken="{" + _talk() + "}",
    refused="{" + _talk(result='"content":[]') + "}",
)
def results_have_content(body: Json) -> Paths:
    for path, result in _results(body):
        if not result["content"]:
            yield path


# -- turns -------------------------------------------------------------------------------------


@refuses(
    "bedrock",
    "messages.2.content: Conversation blocks and tool result blocks cannot be provided in the same"
    " turn.",
    "langchain-ai/langchain-aws#141, 2024-08; browser-use/browser-use#710, 2025-02; " + _PYDANTIC,
    sent="a turn of its own for the text",
    models=models.BEDROCK_APART,
    seen="us.meta.llama3-3-70b-instruct-v1:0",
    taken="{" + _talk() + "}",
    refused="{" + _talk(beside=',{"text":"So?"}') + "}",
)
def results_are_alone_in_their_turn(body: Json) -> Paths:
    for i, message in enumerate(body.get("messages") or ()):
        kinds = {key for block in message["content"] for key in block} - {"cachePoint"}
        if "toolResult" in kinds and len(kinds) > 1:
            yield f"messages.{i}.content"


@refuses(
    "bedrock",
    "refuses documents and videos in a turn with results",
    _PYDANTIC + "; pydantic/pydantic-ai#6081, 2026-07",
    sent="a turn of its own for the document",
    models=models.CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken="{" + _talk(beside=',{"text":"So?"}') + "}",
    refused="{" + _talk(beside=',{"text":"So?"},' + _document()) + "}",
)
def no_document_is_beside_results(body: Json) -> Paths:
    for i, message in enumerate(body.get("messages") or ()):
        kinds = {key for block in message["content"] for key in block}
        if "toolResult" in kinds and kinds & {"document", "video"}:
            yield f"messages.{i}.content"


@refuses(
    "bedrock",
    "messages.7.content: Conversation blocks and tool use blocks cannot be provided in the same"
    " turn.",
    "quarkiverse/quarkus-langchain4j#1983, 2025-11; langchain-ai/langchain-aws#274, 2024-11",
    sent="a turn of its own for the text",
    models=models.BEDROCK_LLAMA,
    seen="us.meta.llama3-2-11b-instruct-v1:0",
    taken="{" + _talk() + "}",
    refused="{" + _talk(before='{"text":"I look."},') + "}",
)
def calls_are_alone_in_their_turn(body: Json) -> Paths:
    for i, message in enumerate(body.get("messages") or ()):
        kinds = {key for block in message["content"] for key in block} - {"cachePoint"}
        if "toolUse" in kinds and len(kinds) > 1:
            yield f"messages.{i}.content"


@refuses(
    "bedrock",
    "messages.3.content.0: `tool_use` ids must be unique",
    "NVIDIA-NeMo/Switchyard#502, 2026-09",
    sent="another id for the second call of one id, and for its result",
    models=models.CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken="{" + _talk() + "}",
    refused="{" + _TOOLS + ',"messages":[' + ",".join((_CALLED * 2)[:-1]) + "]}",
)
def call_ids_are_unique_in_the_whole_request(body: Json) -> Paths:
    known: set[str] = set()
    for path, use in _blocks(body, "toolUse"):
        if use["toolUseId"] in known:
            yield f"{path}.toolUseId"
        known.add(use["toolUseId"])


@refuses(
    "bedrock",
    "refuses a user's blank message at the end, or the model goes on with its answer",
    "langchain-ai/langchain#35081, 2026-02",
    sent="`Go on.`",
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken='{"messages":[{"role":"user","content":[{"text":"a"}]}]}',
    refused='{"messages":[{"role":"user","content":[{"text":"a"}]},'
    '{"role":"assistant","content":[{"text":"b"}]},{"role":"user","content":[{"text":" "}]}]}',
)
def the_last_message_is_not_blank(body: Json) -> Paths:
    messages = body.get("messages") or []
    content = messages[-1]["content"] if messages and messages[-1]["role"] == "user" else [{}]
    if not any(set(block) != {"text"} or block["text"].strip() for block in content):
        yield f"messages.{len(messages) - 1}.content"


@refuses(
    "bedrock",
    "refuses a system prompt without a message",
    "braintrustdata/braintrust-proxy#250, 2025-06; BerriAI/litellm#8247, 2025-02",
    sent="the text as a user's message",
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken='{"system":[{"text":"S"}],"messages":[{"role":"user","content":[{"text":"a"}]}]}',
    refused='{"system":[{"text":"S"}],"messages":[]}',
)
def a_system_prompt_does_not_come_alone(body: Json) -> Paths:
    if not body.get("messages"):
        yield "messages"


@refuses(
    "bedrock",
    "This model does not support assistant message prefill. The conversation must end with a user"
    " message.",
    "cortexkit/magic-context#511; NousResearch/hermes-agent#101401, 2026-09",
    sent="a user's message after the answer: `Go on.`",
    models=models.CLAUDE_4_6_ON,
    seen="eu.anthropic.claude-sonnet-5",
    taken="{" + _HI + "}",
    refused='{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":['
    '{"text":"b"}]}]}',
)
def the_user_has_the_last_word(body: Json) -> Paths:
    turns = body.get("messages") or ()
    if turns and turns[-1]["role"] == "assistant":
        yield f"messages.{len(turns) - 1}"


@refuses(
    "bedrock",
    "messages: final assistant content cannot end with trailing whitespace",
    "langchain-ai/langchain-aws#599, 2025-08",
    sent="the text without it",
    models=models.CLAUDE_BEFORE_4_6,
    seen="us.anthropic.claude-sonnet-4-20250514-v1:0",
    taken='{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":['
    '{"text":"b:"}]}]}',
    refused='{"messages":[{"role":"user","content":[{"text":"a"}]},{"role":"assistant","content":['
    '{"text":"b: "}]}]}',
)
def a_begun_answer_does_not_end_with_white_space(body: Json) -> Paths:
    turns = body.get("messages") or ()
    if turns and turns[-1]["role"] == "assistant":
        text = turns[-1]["content"][-1].get("text", "")
        if text != text.rstrip():
            yield f"messages.{len(turns) - 1}"


@refuses(
    "bedrock",
    "This model doesn't support system messages. Try again without a system message",
    "567-labs/instructor#1753, 2025-07; danny-avila/LibreChat#6456, 2025-03",
    sent="the text as a user's message",
    models=models.BEDROCK_PROMPTLESS,
    seen="mistral.mistral-7b-instruct-v0:2",
    taken="{" + _HI + "}",
    refused='{"system":[{"text":"S"}],' + _HI + "}",
)
def there_is_no_system_prompt(body: Json) -> Paths:
    if body.get("system"):
        yield "system"


# -- media -------------------------------------------------------------------------------------


@refuses(
    "bedrock",
    "This model doesn't support the video content block that you provided.",
    "recorded by pydantic/pydantic-ai, 2026-10; " + _PYDANTIC,
    sent="no film; its transcript, if there is one",
    models=models.BEDROCK_NO_VIDEO,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken="{" + _HI + "}",
    refused="{" + _said('{"text":"a"}', _VIDEO) + "}",
)
def there_is_no_video(body: Json) -> Paths:
    for path, _ in (*_blocks(body, "video"), *_in_results(body, "video")):
        yield path


@refuses(
    "bedrock",
    "refuses images, videos and documents",
    "AWS, Supported models and model features, 2025-08",
    sent="no media",
    models=models.BEDROCK_NOVA_MICRO,
    seen="us.amazon.nova-micro-v1:0",
    taken="{" + _HI + "}",
    refused="{" + _said('{"text":"a"}', _IMAGE) + "}",
)
def there_is_text_alone(body: Json) -> Paths:
    kinds = ("image", "video", "document", "audio")
    for path, _ in (*_blocks(body, *kinds), *_in_results(body, *kinds)):
        yield path


@refuses(
    "bedrock",
    "This model doesn't support the image content block that you provided.",
    "AWS, Supported models and model features, 2025-08",
    sent="no images",
    models=models.BEDROCK_BLIND,
    seen="us.meta.llama3-3-70b-instruct-v1:0",
    taken="{" + _HI + "}",
    refused="{" + _said('{"text":"a"}', _IMAGE) + "}",
)
def there_are_no_images(body: Json) -> Paths:
    for path, _ in (*_blocks(body, "image"), *_in_results(body, "image")):
        yield path


@refuses(
    "bedrock",
    "This model doesn't support the image field for user messages.",
    "can1357/oh-my-pi#11685, tried 2026-09; " + _PYDANTIC,
    sent="the image after the result, with a text that names the result",
    models=models.BEDROCK_TEXT_RESULTS,
    seen="us.openai.gpt-5.6-sol",
    taken="{" + _talk() + "}",
    refused="{" + _talk(result='"content":[' + _IMAGE + "]") + "}",
)
def results_have_no_images(body: Json) -> Paths:
    for path, _ in _in_results(body, "image"):
        yield path


@refuses(
    "bedrock",
    "refuses documents of pages in a result",
    "recorded by pydantic/pydantic-ai, 2026-10; " + _PYDANTIC,
    sent="the document after the result, with a text that names the result",
    models=models.BEDROCK_NOVA,
    seen="us.amazon.nova-2-lite-v1:0",
    taken="{" + _talk(result='"content":[' + _document("txt") + "]") + "}",
    refused="{" + _talk(result='"content":[' + _document() + "]") + "}",
)
def results_have_no_documents_of_pages(body: Json) -> Paths:
    for path, document in _in_results(body, "document"):
        if document.get("format") in ("pdf", "doc", "docx", "xls", "xlsx"):
            yield path


@refuses(
    "bedrock",
    "refuses a video in a result",
    "recorded by pydantic/pydantic-ai, 2026-10",
    sent="the film after the result, with a text that names the result",
    models=models.BEDROCK_NOVA,
    seen="us.amazon.nova-2-lite-v1:0",
    taken="{" + _talk() + "}",
    refused="{" + _talk(result='"content":[' + _VIDEO + "]") + "}",
)
def results_have_no_videos(body: Json) -> Paths:
    for path, _ in _in_results(body, "video"):
        yield path


@refuses(
    "bedrock",
    "This model doesn't support the s3Uri field. Remove s3Uri and try again.",
    "recorded by pydantic/pydantic-ai, 2026-10; AWS, Supported models and model features, 2025-08",
    sent="no media from S3",
    models=models.CLAUDE,
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken="{" + _said(_IMAGE) + "}",
    refused="{"
    + _said('{"image":{"format":"png","source":{"s3Location":{"uri":"s3://buck/a"}}}}')
    + "}",
)
def nothing_is_read_from_s3(body: Json) -> Paths:
    kinds = ("image", "document", "video")
    for path, media in (*_blocks(body, *kinds), *_in_results(body, *kinds)):
        if "s3Location" in media["source"]:
            yield path


@refuses(
    "bedrock",
    "This model doesn't support citations.",
    _PYDANTIC + ", tried 2026-10",
    sent="the document without them",
    models=models.BEDROCK_UNCITED,
    seen="us.amazon.nova-lite-v1:0",
    taken="{" + _said('{"text":"a"}', _document()) + "}",
    refused="{" + _said('{"text":"a"}', _document(more=',"citations":{"enabled":true}')) + "}",
)
def documents_are_not_cited(body: Json) -> Paths:
    for path, document in (*_blocks(body, "document"), *_in_results(body, "document")):
        if (document.get("citations") or {}).get("enabled"):
            yield path


# -- the form of the answer --------------------------------------------------------------------


@refuses(
    "bedrock",
    "This model doesn't support the outputConfig field",
    "langchain4j/langchain4j#4552, 2026-02; spring-projects/spring-ai#2752, 2026-07;"
    " presenton/presenton#939, 2026-06; " + _PYDANTIC,
    sent="no schema",
    models=models.BEDROCK_UNFORMED,
    seen="us.meta.llama3-3-70b-instruct-v1:0",
    taken="{" + _HI + "}",
    refused="{" + _FORM + "," + _HI + "}",
)
def no_answer_is_held_to_a_schema(body: Json) -> Paths:
    if (body.get("outputConfig") or {}).get("textFormat"):
        yield "outputConfig.textFormat"


@refuses(
    "bedrock",
    "For 'object' type, 'additionalProperties' must be explicitly set to false",
    "AWS, Get validated JSON results from models, 2026-02; " + _PYDANTIC,
    sent="objects that allow no other properties",
    seen="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    taken="{" + _FORM + "," + _HI + "}",
    refused="{" + _FORM.replace(',\\"additionalProperties\\":false', "") + "," + _HI + "}",
)
def an_answers_schema_has_closed_objects(body: Json) -> Paths:
    form = (body.get("outputConfig") or {}).get("textFormat")
    if not form:
        return
    for schema in _schemas(json.loads(form["structure"]["jsonSchema"]["schema"])):
        is_object = schema.get("type") == "object" or "properties" in schema
        if is_object and schema.get("additionalProperties") is not False:
            yield "outputConfig.textFormat"


_FORCED = _HI + ',"toolConfig":{"tools":[' + _F + '],"toolChoice":{"any":{}}}'


@refuses(
    "bedrock",
    "Thinking may not be enabled when tool_choice forces tool use.",
    "langchain-ai/langchain-aws#1151, 2026-07",
    models=models.BEDROCK_OPUS_4_6,
    seen="anthropic.claude-opus-4-6-v1",
    sent="no thinking, if a call is forced",
    taken="{" + _FORCED + "}",
    refused="{" + _FORCED + ',"additionalModelRequestFields":{"thinking":{"type":"adaptive"}}}',
)
def adaptive_thinking_goes_with_no_forced_call(body: Json) -> Paths:
    choice = (body.get("toolConfig") or {}).get("toolChoice") or {}
    thinking = _fields(body).get("thinking") or {}
    if thinking.get("type") == "adaptive" and not choice.keys().isdisjoint({"any", "tool"}):
        yield "additionalModelRequestFields.thinking"
