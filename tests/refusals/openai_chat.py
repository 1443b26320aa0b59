"""Chat Completions: what OpenAI's models refuse, and what other services and their models do."""

from __future__ import annotations

from collections.abc import Iterator

from tests.refusals import models
from tests.refusals.row import Json, Paths, refuses

_HI = '"messages":[{"role":"user","content":"Hi"}]}'
_FUNCTION = '{"type":"function","function":{"name":"f","parameters":%s}}'
_OBJECT = '{"type":"object","properties":{"a":{"type":"string"}}}'
_TOOLS = '"tools":[' + _FUNCTION % _OBJECT + "]"
_CALLED = (
    '"tools":[{"type":"function","function":{"name":"f"}}],'
    '"messages":[{"role":"user","content":"Hi"},'
    '{"role":"assistant","content":"","reasoning_content":"So","tool_calls":[{"id":"c",'
    '"type":"function","function":{"name":"f","arguments":"{}"}}]},'
    '{"role":"tool","tool_call_id":"c","content":"12"}]}'
)
_OF_OPENAI = "openai azure"
_EFFORT = "reasoning_effort"


def _body(model: str, *more: str) -> str:
    return "{" + ",".join([f'"model":"{model}"', *more, _HI])


def _format(schema: str) -> str:
    return (
        '"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":'
        + schema
        + "}}"
    )


def _functions(body: Json) -> Iterator[tuple[str, Json]]:
    for i, tool in enumerate(body.get("tools") or ()):
        if tool.get("type") == "function":
            yield f"tools.{i}.function", tool["function"]


def _messages(body: Json, role: str) -> Iterator[tuple[int, Json]]:
    for i, message in enumerate(body["messages"]):
        if message["role"] == role:
            yield i, message


def _is_forced(body: Json) -> bool:
    return body.get("tool_choice") not in (None, "auto", "none")


def _thinks(body: Json) -> bool:
    """Whether thinking is not turned off, by the key of DeepSeek, Moonshot and Z.AI."""
    return (body.get("thinking") or {}).get("type") != "disabled"


# OpenAI's models


@refuses(
    "openai_chat",
    "Unsupported value: 'temperature' does not support 0.8 with this model. Only the default (1)"
    " value is supported.",
    "khoj-ai/khoj#1377; FlowiseAI/Flowise#5046, 2025-08; bolna-ai/bolna#1019, 2026-09",
    hosts=_OF_OPENAI,
    models=models.THINKING_OPENAI,
    seen="gpt-5",
    taken=_body("gpt-5", '"temperature":1'),
    refused=_body("gpt-5", '"temperature":0.8'),
)
def models_that_always_think_take_no_sampling(body: Json) -> Paths:
    for key in ("temperature", "top_p"):
        if body.get(key) not in (None, 1):
            yield key


@refuses(
    "openai_chat",
    "Unsupported parameter: 'presence_penalty' is not supported with this model.",
    "pydantic-ai 2.68, profiles/openai.py",
    hosts=_OF_OPENAI,
    models=models.THINKING_OPENAI,
    seen="o3-mini",
    taken=_body("o3-mini", '"presence_penalty":0'),
    refused=_body("o3-mini", '"presence_penalty":0.5'),
)
def models_that_always_think_take_no_penalties_or_logprobs(body: Json) -> Paths:
    for key in ("presence_penalty", "frequency_penalty", "logprobs", "top_logprobs"):
        if body.get(key):
            yield key


@refuses(
    "openai_chat",
    "Unsupported value: 'temperature' does not support 0.2 with this model.",
    "vercel/ai#10940, 2025-12",
    hosts=_OF_OPENAI,
    models=models.GPT_5_1_ON,
    seen="gpt-5.2",
    taken=_body("gpt-5.2", '"temperature":0.2'),
    refused=_body("gpt-5.2", '"temperature":0.2', '"reasoning_effort":"low"'),
)
def sampling_rests_while_newer_models_think(body: Json) -> Paths:
    if body.get(_EFFORT) not in (None, "none"):
        for key in ("temperature", "top_p"):
            if body.get(key) not in (None, 1):
                yield key


@refuses(
    "openai_chat",
    "Unsupported parameter: 'stop' is not supported with this model.",
    "FlowiseAI/Flowise#5046, 2025-08; bolna-ai/bolna#1019, 2026-09",
    hosts=_OF_OPENAI,
    models=models.THINKING_OPENAI,
    seen="gpt-5",
    taken=_body("gpt-5"),
    refused=_body("gpt-5", '"stop":["END"]'),
)
def models_that_think_take_no_stop_sequences(body: Json) -> Paths:
    return ["stop"] if body.get("stop") else []


@refuses(
    "openai_chat",
    "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
    "langchain-ai/langchain#29704, 2025-02",
    hosts=_OF_OPENAI,
    models=models.O_SERIES,
    seen="o3-mini",
    taken=_body("o3-mini", _TOOLS),
    refused=_body("o3-mini", _TOOLS, '"parallel_tool_calls":false'),
)
def the_o_series_takes_no_word_on_parallel_calls(body: Json) -> Paths:
    return ["parallel_tool_calls"] if "parallel_tool_calls" in body else []


@refuses(
    "openai_chat",
    "Unrecognized request argument supplied: reasoning_effort",
    "umputun/tg-spam#304, 2025-06",
    hosts=_OF_OPENAI,
    models=models.GPT_BEFORE_5,
    seen="gpt-4o-mini",
    taken=_body("gpt-4o-mini"),
    refused=_body("gpt-4o-mini", '"reasoning_effort":"low"'),
)
def older_models_take_no_effort(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) is not None else []


@refuses(
    "openai_chat",
    "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model.",
    "The-PR-Agent/pr-agent#3271, 2026-09; openai/openai-agents-python#2089, 2025-11",
    hosts=_OF_OPENAI,
    models=models.GPT_5,
    seen="gpt-5",
    taken=_body("gpt-5", '"reasoning_effort":"minimal"'),
    refused=_body("gpt-5", '"reasoning_effort":"xhigh"'),
)
def gpt_5_has_four_efforts(body: Json) -> Paths:
    if body.get(_EFFORT) not in (None, "minimal", "low", "medium", "high"):
        yield _EFFORT


@refuses(
    "openai_chat",
    "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported"
    " values are: 'none', 'low', 'medium', and 'high'.",
    "livekit/agents#3966, 2025-11",
    hosts=_OF_OPENAI,
    models=models.GPT_5_1,
    seen="gpt-5.1",
    taken=_body("gpt-5.1", '"reasoning_effort":"none"'),
    refused=_body("gpt-5.1", '"reasoning_effort":"minimal"'),
)
def gpt_5_1_has_three_efforts_and_none(body: Json) -> Paths:
    if body.get(_EFFORT) not in (None, "none", "low", "medium", "high"):
        yield _EFFORT


@refuses(
    "openai_chat",
    "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.",
    "bolna-ai/bolna#852, 2026-07",
    hosts=_OF_OPENAI,
    models=models.GPT_5_4,
    seen="gpt-5.6-sol",
    taken=_body("gpt-5.6-sol", '"reasoning_effort":"xhigh"'),
    refused=_body("gpt-5.6-sol", '"reasoning_effort":"minimal"'),
)
def newer_models_have_no_minimal_effort(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) == "minimal" else []


@refuses(
    "openai_chat",
    "Unsupported value: 'reasoning_effort' does not support 'none' with this model.",
    "BerriAI/litellm-docs#1173, 2026-09; langchain-ai/langchain#40330, 2026-09",
    hosts=_OF_OPENAI,
    models=models.GPT_6_ASTRA,
    seen="gpt-6-astra",
    taken=_body("gpt-6-astra", '"reasoning_effort":"low"'),
    refused=_body("gpt-6-astra", '"reasoning_effort":"none"'),
)
def gpt_6_astra_always_thinks(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) in ("none", "minimal") else []


@refuses(
    "openai_chat",
    "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions.",
    "pipecat-ai/pipecat#4043, 2026-03; onyx-dot-app/onyx#15008, 2026-09",
    hosts=_OF_OPENAI,
    models=models.GPT_5_4,
    seen="gpt-6-sol",
    taken=_body("gpt-6-sol", '"reasoning_effort":"none"', _TOOLS),
    refused=_body("gpt-6-sol", '"reasoning_effort":"low"', _TOOLS),
)
def functions_rule_out_an_effort(body: Json) -> Paths:
    if [*_functions(body)] and body.get(_EFFORT) not in (None, "none"):
        yield _EFFORT


@refuses(
    "openai_chat",
    "Function tools with reasoning_effort are not supported for gpt-5.6-luna in"
    " /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to"
    " 'none'.",
    "BerriAI/litellm#34569, 2026-07; GoogleChromeLabs/webmcp-tools#417, 2026-09",
    hosts=_OF_OPENAI,
    models=models.GPT_5_6,
    seen="gpt-5.6-terra",
    taken=_body("gpt-5.6-terra", '"reasoning_effort":"none"', _TOOLS),
    refused=_body("gpt-5.6-terra", _TOOLS),
)
def functions_want_models_that_think_unasked_to_rest(body: Json) -> Paths:
    if [*_functions(body)] and body.get(_EFFORT) != "none":
        yield "tools"


@refuses(
    "openai_chat",
    "Function tools with reasoning_effort are not supported for gpt-6-astra in"
    " /v1/chat/completions.",
    "genkit-ai/genkit#6303, 2026-09; bolna-ai/bolna#1019, 2026-09",
    hosts=_OF_OPENAI,
    models=models.GPT_6_ASTRA,
    seen="gpt-6-astra",
    taken=_body("gpt-6-astra"),
    refused=_body("gpt-6-astra", _TOOLS),
)
def gpt_6_astra_takes_no_functions(body: Json) -> Paths:
    return ["tools"] if [*_functions(body)] else []


@refuses(
    "openai_chat",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
    " 'max_completion_tokens' instead.",
    "continuedev/continue#7052, 2025-08; agentscope-ai/AgentTeams#334, 2026-03",
    hosts=_OF_OPENAI,
    models=models.Models("o1, o3, o4, gpt-5, gpt-6", r"^(o[134]|gpt-(5(?!-chat)|6))"),
    seen="gpt-5.4",
    taken=_body("gpt-5.4", '"max_completion_tokens":99'),
    refused=_body("gpt-5.4", '"max_tokens":99'),
)
def the_limit_has_its_new_name(body: Json) -> Paths:
    return ["max_tokens"] if body.get("max_tokens") is not None else []


@refuses(
    "openai_chat",
    "max_tokens is too large: 8000. This model supports at most 4096 completion tokens.",
    "ChatGPTNextWeb/NextChat#3195, 2023-11",
    hosts=_OF_OPENAI,
    models=models.GPT_4_TURBO,
    seen="gpt-4-turbo",
    taken=_body("gpt-4-turbo", '"max_completion_tokens":4096'),
    refused=_body("gpt-4-turbo", '"max_completion_tokens":8000'),
)
def gpt_4_turbo_writes_4096_tokens(body: Json) -> Paths:
    for key in ("max_tokens", "max_completion_tokens"):
        if (body.get(key) or 0) > 4096:
            yield key


@refuses(
    "openai_chat",
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    "web-infra-dev/midscene#259, 2025-01",
    hosts=_OF_OPENAI,
    models=models.GPT_3_AND_4,
    seen="gpt-4",
    taken=_body("gpt-4", '"response_format":{"type":"json_object"}'),
    refused=_body("gpt-4", _format(_OBJECT)),
)
def the_oldest_models_are_held_to_no_schema(body: Json) -> Paths:
    if (body.get("response_format") or {}).get("type") == "json_schema":
        yield "response_format.type"


@refuses(
    "openai_chat",
    "Invalid schema for response_format 'n': schema must be a JSON Schema of 'type: \"object\"',"
    " got 'type: \"array\"'.",
    "OpenAI's guide to structured outputs, 2026-06",
    hosts=_OF_OPENAI,
    models=models.OPENAI,
    seen="gpt-4o",
    taken=_body("gpt-4o", _format(_OBJECT)),
    refused=_body("gpt-4o", _format('{"type":"array","items":{"type":"string"}}')),
)
def the_schema_of_an_answer_is_that_of_an_object(body: Json) -> Paths:
    form = body.get("response_format") or {}
    schema = (form.get("json_schema") or {}).get("schema")
    if isinstance(schema, dict) and schema.get("type") != "object":
        yield "response_format.json_schema.schema"


_NOT_AT_TOP = {"oneOf", "anyOf", "allOf", "enum", "not"}


@refuses(
    "openai_chat",
    "Invalid schema for function 'f': schema must have type 'object' and not have"
    " 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
    "BerriAI/litellm#38839, 2026-08",
    hosts=_OF_OPENAI,
    models=models.OPENAI,
    seen="gpt-4o",
    taken=_body("gpt-4o", _TOOLS),
    refused=_body(
        "gpt-4o",
        '"tools":[' + _FUNCTION % (_OBJECT[:-1] + ',"anyOf":[{"required":["a"]}]}') + "]",
    ),
)
def the_schema_of_a_function_is_no_union(body: Json) -> Paths:
    for path, function in _functions(body):
        if _NOT_AT_TOP & (function.get("parameters") or {}).keys():
            yield f"{path}.parameters"


@refuses(
    "openai_chat",
    "Invalid schema for function 'f': In context=(), 'required' is required to be supplied and to"
    " be an array including every key in properties.",
    "ash-project/ash_ai#155, 2025-10",
    hosts=_OF_OPENAI,
    models=models.OPENAI,
    seen="gpt-4o",
    taken=_body("gpt-4o", _TOOLS),
    refused=_body("gpt-4o", _TOOLS.replace('"name":"f"', '"name":"f","strict":true')),
)
def a_strict_function_requires_all_of_its_properties(body: Json) -> Paths:
    for path, function in _functions(body):
        schema = function.get("parameters") or {}
        if function.get("strict") and {*schema.get("properties", {})} - {
            *schema.get("required", ())
        }:
            yield f"{path}.parameters.required"


@refuses(
    "openai_chat",
    "prompt_cache_breakpoint is not supported on this model",
    "Kilo-Org/kilocode#13052, 2026-08",
    hosts="openai",
    models=models.GPT_BEFORE_5_6,
    seen="gpt-5.2",
    taken='{"model":"gpt-5.2","messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}',
    refused='{"model":"gpt-5.2","messages":[{"role":"user","content":[{"type":"text","text":"Hi",'
    '"prompt_cache_breakpoint":{"mode":"explicit"}}]}]}',
)
def older_models_take_no_breakpoints(body: Json) -> Paths:
    for i, message in enumerate(body["messages"]):
        content = message.get("content")
        for k, part in enumerate(content if isinstance(content, list) else ()):
            if "prompt_cache_breakpoint" in part:
                yield f"messages.{i}.content.{k}.prompt_cache_breakpoint"


@refuses(
    "openai_chat",
    "Unsupported value: 'verbosity' does not support 'low' with this model. Supported values are:"
    " 'medium'.",
    "google-deepmind/concordia#164, 2025-09; enricoros/big-AGI#947, 2026-01",
    hosts=_OF_OPENAI,
    models=models.GPT_BEFORE_5,
    seen="gpt-4o",
    taken=_body("gpt-4o", '"verbosity":"medium"'),
    refused=_body("gpt-4o", '"verbosity":"low"'),
)
def older_models_have_one_verbosity(body: Json) -> Paths:
    return ["verbosity"] if body.get("verbosity") not in (None, "medium") else []


@refuses(
    "openai_chat",
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    "pydantic/pydantic-ai#974, 2025-02",
    hosts=_OF_OPENAI,
    models=models.O1_MINI,
    seen="o1-mini",
    taken=_body("o1-mini"),
    refused='{"model":"o1-mini","messages":[{"role":"system","content":"Be brief."},'
    '{"role":"user","content":"Hi"}]}',
)
def o1_mini_takes_no_system_prompt(body: Json) -> Paths:
    for role in ("system", "developer"):
        yield from (f"messages.{i}.role" for i, _ in _messages(body, role))


@refuses(
    "openai_chat",
    "tools is not supported in this model.",
    "UKGovernmentBEIS/inspect_ai#1290, 2025-02",
    hosts=_OF_OPENAI,
    models=models.O1_MINI,
    seen="o1-mini",
    taken=_body("o1-mini"),
    refused=_body("o1-mini", _TOOLS),
)
def o1_mini_takes_no_functions(body: Json) -> Paths:
    return ["tools"] if body.get("tools") else []


@refuses(
    "openai_chat",
    "Model incompatible request arguments supplied: frequency_penalty, presence_penalty,"
    " temperature, top_p",
    "ChatGPTNextWeb/NextChat#6569, 2025-07; crmne/ruby_llm#155, 2025-05",
    hosts=_OF_OPENAI,
    models=models.GPT_4O_SEARCH,
    seen="gpt-4o-mini-search-preview",
    taken=_body("gpt-4o-mini-search-preview"),
    refused=_body("gpt-4o-mini-search-preview", '"temperature":0.7'),
)
def models_that_search_take_no_sampling(body: Json) -> Paths:
    for key in ("frequency_penalty", "presence_penalty", "temperature", "top_p"):
        if key in body:
            yield key


# Azure


@refuses(
    "openai_chat",
    "extra_forbidden: Extra inputs are not permitted - body.max_completion_tokens (422)",
    "pydantic/pydantic-ai#6593, 2026-07; BerriAI/litellm#42146, 2026-09",
    hosts="azure",
    models=models.MISTRAL,
    seen="Ministral-3B",
    taken=_body("Ministral-3B", '"max_tokens":256'),
    refused=_body("Ministral-3B", '"max_completion_tokens":256'),
)
def mistrals_models_have_the_old_limit(body: Json) -> Paths:
    return ["max_completion_tokens"] if body.get("max_completion_tokens") is not None else []


@refuses(
    "openai_chat",
    "Unrecognized request argument supplied: prompt_cache_key",
    "zed-industries/zed#52000, 2026-03; vectorize-io/hindsight#3518, 2026-08",
    hosts="azure",
    models=models.NOT_OF_OPENAI,
    seen="Kimi-K2.5",
    taken=_body("Kimi-K2.5"),
    refused=_body("Kimi-K2.5", '"prompt_cache_key":"k"'),
)
def models_of_others_take_no_cache_key(body: Json) -> Paths:
    return ["prompt_cache_key"] if "prompt_cache_key" in body else []


# DeepSeek


@refuses(
    "openai_chat",
    "Thinking mode does not support this tool_choice",
    "BerriAI/litellm#37470, 2026-08; cloudwego/eino#994, 2026-04",
    hosts="deepseek",
    models=models.DEEPSEEK_4,
    seen="deepseek-v4-flash",
    taken=_body(
        "deepseek-v4-flash", '"thinking":{"type":"disabled"}', '"tool_choice":"required"', _TOOLS
    ),
    refused=_body("deepseek-v4-flash", '"tool_choice":"required"', _TOOLS),
)
def a_call_cannot_be_forced_while_deepseek_thinks(body: Json) -> Paths:
    if _is_forced(body) and _thinks(body):
        yield "tool_choice"


@refuses(
    "openai_chat",
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "openclaw/openclaw#73417, 2026-04; MoonshotAI/kimi-cli#2141, 2026-05; the guide to thinking"
    " mode, 2026-08",
    hosts="deepseek",
    models=models.DEEPSEEK_4,
    seen="deepseek-v4-pro",
    taken='{"model":"deepseek-v4-pro",' + _CALLED,
    refused='{"model":"deepseek-v4-pro",' + _CALLED.replace('"reasoning_content":"So",', ""),
)
def each_answer_brings_its_thinking_where_there_are_tools(body: Json) -> Paths:
    if body.get("tools") and _thinks(body):
        for i, message in _messages(body, "assistant"):
            if "reasoning_content" not in message:
                yield f"messages.{i}.reasoning_content"


@refuses(
    "openai_chat",
    "This response_format type is unavailable now",
    "llm-exe/llm-exe#662, 2026-07; UKGovernmentBEIS/inspect_ai#4916, 2026-08",
    hosts="deepseek",
    seen="deepseek-v4-flash",
    taken=_body("deepseek-v4-flash", '"response_format":{"type":"json_object"}'),
    refused=_body("deepseek-v4-flash", _format(_OBJECT)),
)
def deepseek_is_held_to_no_schema(body: Json) -> Paths:
    if (body.get("response_format") or {}).get("type") == "json_schema":
        yield "response_format.type"


# xAI


@refuses(
    "openai_chat",
    "Model grok-4-1-fast-non-reasoning does not support parameter presencePenalty.",
    "lobehub/lobehub#13332, 2026-03; miaoxworld/NativeTavern#83, 2026-09",
    hosts="xai",
    models=models.GROK_4_ON,
    seen="grok-4-1-fast-non-reasoning",
    taken=_body("grok-4-1-fast-non-reasoning"),
    refused=_body("grok-4-1-fast-non-reasoning", '"presence_penalty":0'),
)
def grok_takes_no_penalties(body: Json) -> Paths:
    for key in ("presence_penalty", "frequency_penalty"):
        if key in body:
            yield key


@refuses(
    "openai_chat",
    "Model grok-4.6 does not support parameter stop.",
    "mnfst/modelparams.dev#330, 2026-08; can1357/oh-my-pi#7454, 2026-08",
    hosts="xai",
    models=models.Models("grok-4.5 and grok-4.6", r"^grok-4\.[56]"),
    seen="grok-4.6",
    taken=_body("grok-4.6"),
    refused=_body("grok-4.6", '"stop":["END"]'),
)
def grok_takes_no_stop_sequences(body: Json) -> Paths:
    return ["stop"] if body.get("stop") else []


@refuses(
    "openai_chat",
    "Model grok-4-latest does not support parameter reasoningEffort.",
    "BerriAI/litellm#16265, 2025-11; charmbracelet/catwalk#181, 2026-02",
    hosts="xai",
    models=models.GROK_4,
    seen="grok-4-latest",
    taken=_body("grok-4-latest"),
    refused=_body("grok-4-latest", '"reasoning_effort":"low"'),
)
def grok_4_takes_no_effort(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) is not None else []


@refuses(
    "openai_chat",
    "Reasoning cannot be disabled: `none` is not a value of this model.",
    "mnfst/modelparams.dev#330, 2026-08; pydantic-ai 2.68, profiles/grok.py",
    hosts="xai",
    models=models.GROK_4_5,
    seen="grok-4.5",
    taken=_body("grok-4.5", '"reasoning_effort":"low"'),
    refused=_body("grok-4.5", '"reasoning_effort":"none"'),
)
def newer_groks_always_think(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) == "none" else []


# Groq


@refuses(
    "openai_chat",
    "property 'name' is unsupported",
    "console.groq.com/docs/openai, 2026-07",
    hosts="groq",
    seen="llama-3.3-70b-versatile",
    taken=_body("llama-3.3-70b-versatile"),
    refused='{"model":"llama-3.3-70b-versatile","messages":[{"role":"user","name":"ann",'
    '"content":"Hi"}]}',
)
def messages_have_no_names_of_authors(body: Json) -> Paths:
    for i, message in enumerate(body["messages"]):
        if message["role"] in ("system", "user", "assistant") and "name" in message:
            yield f"messages.{i}.name"


@refuses(
    "openai_chat",
    "`n` must be 1, and `logprobs`, `top_logprobs` and `logit_bias` are not supported.",
    "console.groq.com/docs/openai, 2026-07; groq 1.7",
    hosts="groq",
    seen="llama-3.3-70b-versatile",
    taken=_body("llama-3.3-70b-versatile", '"n":1'),
    refused=_body("llama-3.3-70b-versatile", '"logprobs":true', '"top_logprobs":2'),
)
def groq_has_one_answer_without_log_probabilities(body: Json) -> Paths:
    if body.get("n") not in (None, 1):
        yield "n"
    yield from (key for key in ("logprobs", "top_logprobs", "logit_bias") if body.get(key))


@refuses(
    "openai_chat",
    "`reasoning_effort` must be one of `none` or `default`",
    "mnfst/modelparams.dev#114, 2026-07; groq 1.7",
    hosts="groq",
    models=models.Models("Qwen 3", r"^qwen/qwen3"),
    seen="qwen/qwen3-32b",
    taken=_body("qwen/qwen3-32b", '"reasoning_effort":"default"'),
    refused=_body("qwen/qwen3-32b", '"reasoning_effort":"low"'),
)
def qwen_thinks_or_not_at_groq(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) not in (None, "none", "default") else []


@refuses(
    "openai_chat",
    "`reasoning_effort` must be one of `low`, `medium`, or `high`",
    "pydantic-ai 2.68, profiles/groq.py; ENTERPILOT/GoModel#946, 2026-09",
    hosts="groq",
    models=models.GPT_OSS,
    seen="openai/gpt-oss-120b",
    taken=_body("openai/gpt-oss-120b", '"reasoning_effort":"low"'),
    refused=_body("openai/gpt-oss-120b", '"reasoning_effort":"none"'),
)
def gpt_oss_always_thinks_at_groq(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) not in (None, "low", "medium", "high") else []


# Z.AI


@refuses(
    "openai_chat",
    "This model always engages in thinking and cannot be disabled; please use low, high, or max"
    " (1210)",
    "NousResearch/hermes-agent#108321, 2026-09; PrimeIntellect-ai/prime-agent#1565, 2026-08",
    hosts="zai",
    models=models.GLM_5_2,
    seen="glm-5.3-flash",
    taken=_body("glm-5.3-flash", '"thinking":{"type":"enabled"}'),
    refused=_body("glm-5.3-flash", '"thinking":{"type":"disabled"}'),
)
def glm_always_thinks(body: Json) -> Paths:
    return [] if _thinks(body) else ["thinking.type"]


@refuses(
    "openai_chat",
    "Only max, high and low are supported. Any other input will result in an error.",
    "docs.z.ai/guides/capabilities/thinking, by charmbracelet/catwalk#603, 2026-09",
    hosts="zai",
    models=models.GLM_5_3,
    seen="glm-5.3",
    taken=_body("glm-5.3", '"reasoning_effort":"low"'),
    refused=_body("glm-5.3", '"reasoning_effort":"medium"'),
)
def glm_5_3_has_three_efforts(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) not in (None, "low", "high", "max") else []


# Qwen's own service


@refuses(
    "openai_chat",
    "The tool_choice parameter does not support being set to required or object in thinking mode",
    "cloudwego/eino#994, 2026-04; QwenLM/qwen-code#7659, 2026-07",
    hosts="qwen",
    seen="qwen3-32b",
    taken=_body("qwen3-32b", '"enable_thinking":false', '"tool_choice":"required"', _TOOLS),
    refused=_body("qwen3-32b", '"enable_thinking":true', '"tool_choice":"required"', _TOOLS),
)
def a_call_cannot_be_forced_while_qwen_thinks(body: Json) -> Paths:
    if _is_forced(body) and body.get("enable_thinking"):
        yield "tool_choice"


@refuses(
    "openai_chat",
    "The tool_choice parameter does not support being set to required or object in thinking mode",
    "can1357/oh-my-pi#886, 2026-06",
    hosts="qwen",
    models=models.QWEN_3_5,
    seen="qwen3.7-plus",
    taken=_body("qwen3.7-plus", '"enable_thinking":false', '"tool_choice":"required"', _TOOLS),
    refused=_body("qwen3.7-plus", '"tool_choice":"required"', _TOOLS),
)
def newer_qwens_think_unless_told_not_to(body: Json) -> Paths:
    if _is_forced(body) and body.get("enable_thinking") is not False:
        yield "tool_choice"


@refuses(
    "openai_chat",
    "parameter.enable_thinking must be set to false for non-streaming calls",
    "OpenBMB/UltraRAG#287, 2026-01; QuantumNous/new-api#1109, 2025-05",
    hosts="qwen",
    models=models.QWEN_3_OPEN,
    seen="qwen3-32b",
    taken=_body("qwen3-32b", '"enable_thinking":false'),
    refused=_body("qwen3-32b"),
)
def open_models_think_in_streams_alone(body: Json) -> Paths:
    if not body.get("stream") and body.get("enable_thinking") is not False:
        yield "enable_thinking"


# Moonshot, which has no dialect of its own


@refuses(
    "openai_chat",
    "invalid temperature: only 1 is allowed for this model",
    "QuantumNous/new-api#5372, 2026-06; HKUDS/nanobot#4967, 2026-07; simstudioai/sim#5716, 2026-07",
    hosts="generic",
    models=models.KIMI_2_5_ON,
    seen="kimi-k2.6",
    taken=_body("kimi-k2.6"),
    refused=_body("kimi-k2.6", '"temperature":0.6'),
)
def kimi_has_a_temperature_of_its_own(body: Json) -> Paths:
    return ["temperature"] if body.get("temperature") not in (None, 1) else []


@refuses(
    "openai_chat",
    "tool_choice 'required' is incompatible with thinking enabled",
    "can1357/oh-my-pi#1077, 2026-05; UKGovernmentBEIS/inspect_ai#5152, 2026-08",
    hosts="generic",
    models=models.KIMI_2_5,
    seen="kimi-k2.6",
    taken=_body("kimi-k2.6", '"tool_choice":"auto"', _TOOLS),
    refused=_body("kimi-k2.6", '"tool_choice":"required"', _TOOLS),
)
def a_call_cannot_be_forced_while_kimi_thinks(body: Json) -> Paths:
    if _is_forced(body) and _thinks(body):
        yield "tool_choice"


@refuses(
    "openai_chat",
    "tool_choice 'specified' is incompatible with thinking enabled",
    "UKGovernmentBEIS/inspect_ai#5152, 2026-08; simstudioai/sim#5716, 2026-07",
    hosts="generic",
    models=models.KIMI_2_7,
    seen="kimi-k2.7-code",
    taken=_body("kimi-k2.7-code", '"tool_choice":"auto"', _TOOLS),
    refused=_body("kimi-k2.7-code", '"tool_choice":"required"', _TOOLS),
)
def kimi_that_always_thinks_is_not_forced(body: Json) -> Paths:
    return ["tool_choice"] if _is_forced(body) else []


@refuses(
    "openai_chat",
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index"
    " 2",
    "mastra-ai/mastra#12592, 2026-02; BerriAI/litellm#26156, 2026-04",
    hosts="generic",
    models=models.KIMI_2_5_ON,
    seen="kimi-k2.5",
    taken='{"model":"kimi-k2.5",' + _CALLED,
    refused='{"model":"kimi-k2.5",' + _CALLED.replace('"reasoning_content":"So",', ""),
)
def calls_bring_their_thinking_to_kimi(body: Json) -> Paths:
    for i, message in _messages(body, "assistant"):
        if message.get("tool_calls") and _thinks(body) and not message.get("reasoning_content"):
            yield f"messages.{i}.reasoning_content"


@refuses(
    "openai_chat",
    "reasoning_effort 'none' is not supported",
    "pydantic-ai 2.68, providers/moonshotai.py",
    hosts="generic",
    models=models.KIMI_2_5_ON,
    seen="kimi-k2.6",
    taken=_body("kimi-k2.6"),
    refused=_body("kimi-k2.6", '"reasoning_effort":"none"'),
)
def kimi_has_no_effort_of_none(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) == "none" else []


# Servers of open models


@refuses(
    "openai_chat",
    "System message must be at the beginning.",
    "vllm-project/vllm#41114, 2026-04; ggml-org/llama.cpp#20733, 2026-03; BerriAI/litellm#37351",
    hosts="vllm llamacpp generic",
    models=models.QWEN_3_5,
    seen="Qwen/Qwen3.6-27B-FP8",
    taken='{"model":"Qwen/Qwen3.6-27B-FP8","messages":[{"role":"system","content":"Be brief."},'
    '{"role":"user","content":"Hi"}]}',
    refused='{"model":"Qwen/Qwen3.6-27B-FP8","messages":[{"role":"user","content":"Hi"},'
    '{"role":"system","content":"Be brief."},{"role":"user","content":"So?"}]}',
)
def the_template_of_qwen_has_one_system_message_first(body: Json) -> Paths:
    for role in ("system", "developer"):
        yield from (f"messages.{i}.role" for i, _ in _messages(body, role) if i)
