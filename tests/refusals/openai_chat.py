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


def _thought(model: str, answer: str) -> str:
    return (
        f'{{"model":"{model}","messages":[{{"role":"user","content":"Hi"}},'
        f'{{"role":"assistant",{answer}}},{{"role":"user","content":"So?"}}]}}'
    )


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
    "max_tokens is too large: 8000. This model supports at most 4096 completion tokens.",
    "ChatGPTNextWeb/NextChat#3195, 2023-11",
    sent="what the model can write",
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
    "Invalid schema for response_format 'n': schema must be a JSON Schema of 'type: \"object\"',"
    " got 'type: \"array\"'.",
    "OpenAI's guide to structured outputs, 2026-06",
    sent="JSON without a schema",
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


# Azure


@refuses(
    "openai_chat",
    "extra_forbidden: Extra inputs are not permitted - body.max_completion_tokens (422)",
    "pydantic/pydantic-ai#6593, 2026-07; BerriAI/litellm#42146, 2026-09",
    sent="`max_tokens`",
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
    sent="the parameter is left out",
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
    sent="no thinking, if a call is forced",
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
    sent="an empty thinking, where an answer has none",
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
    sent="JSON without a schema",
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
    sent="no penalties",
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
    sent="no stop sequences",
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
    sent="no effort",
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
    sent="the effort `low`",
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
    sent="no names of authors",
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
    sent="one answer, without log probabilities",
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
    sent="the effort `default`",
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
    sent="the nearest effort",
    hosts="groq",
    models=models.GPT_OSS,
    seen="openai/gpt-oss-120b",
    taken=_body("openai/gpt-oss-120b", '"reasoning_effort":"low"'),
    refused=_body("openai/gpt-oss-120b", '"reasoning_effort":"none"'),
)
def gpt_oss_always_thinks_at_groq(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) not in (None, "low", "medium", "high") else []


@refuses(
    "openai_chat",
    "`reasoning_effort` is not supported with this model",
    "diegosouzapw/OmniRoute#3258, 2026-06, and #12134, 2026-08; Groq's page on reasoning, 2026-11",
    sent="nothing of thinking",
    hosts="groq",
    models=models.GROQ_UNTHINKING,
    seen="llama-3.3-70b-versatile",
    taken=_body("llama-3.3-70b-versatile"),
    refused=_body("llama-3.3-70b-versatile", '"reasoning_effort":"low"'),
)
def most_models_at_groq_take_no_effort(body: Json) -> Paths:
    yield from (key for key in (_EFFORT, "reasoning_format", "include_reasoning") if key in body)


@refuses(
    "openai_chat",
    "`messages[1].reasoning`: reasoning is not supported with this model",
    "vercel/ai#8056, 2025-08",
    sent="no thinking",
    hosts="groq",
    models=models.GROQ_UNTHINKING,
    seen="moonshotai/kimi-k2-instruct",
    taken=_thought("moonshotai/kimi-k2-instruct", '"content":"Yes."'),
    refused=_thought("moonshotai/kimi-k2-instruct", '"content":"Yes.","reasoning":"Hm."'),
)
def most_models_at_groq_take_no_thinking(body: Json) -> Paths:
    for i, message in _messages(body, "assistant"):
        if "reasoning" in message:
            yield f"messages.{i}.reasoning"


# Z.AI


@refuses(
    "openai_chat",
    "This model always engages in thinking and cannot be disabled; please use low, high, or max"
    " (1210)",
    "NousResearch/hermes-agent#108321, 2026-09; PrimeIntellect-ai/prime-agent#1565, 2026-08",
    sent="its least effort",
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
    sent="the nearest effort",
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
    sent="no thinking, and the model chooses, if a call is forced",
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
    sent="no thinking, and the model chooses, if a call is forced",
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
    sent="no thinking, unless the answer is a stream",
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
    sent="no sampling parameters",
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
    sent="no thinking, if a call is forced",
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
    sent="`auto`",
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
    sent="a blank thinking, where an answer with calls has none",
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
    sent="`thinking` off",
    hosts="generic",
    models=models.KIMI_2_5_ON,
    seen="kimi-k2.6",
    taken=_body("kimi-k2.6"),
    refused=_body("kimi-k2.6", '"reasoning_effort":"none"'),
)
def kimi_has_no_effort_of_none(body: Json) -> Paths:
    return [_EFFORT] if body.get(_EFFORT) == "none" else []


# Gemini's own OpenAI endpoint, which has no dialect either


@refuses(
    "openai_chat",
    "Expected string or list of content parts, got: null",
    "langchain-ai/langchain#30803, 2025-04; odysseus-dev/odysseus#837, 2026-06 (an empty text)",
    sent="no `content` where there are calls alone",
    hosts="generic",
    models=models.GEMINI,
    seen="gemini-3-flash",
    taken='{"model":"gemini-3-flash",' + _CALLED.replace('"content":"",', ""),
    refused='{"model":"gemini-3-flash",' + _CALLED.replace('"content":""', '"content":null'),
)
def calls_to_gemini_have_a_text_or_no_content(body: Json) -> Paths:
    for i, message in _messages(body, "assistant"):
        if message.get("tool_calls") and message.get("content", "-") in (None, ""):
            yield f"messages.{i}.content"


# Servers of open models


@refuses(
    "openai_chat",
    "invalid message content type: <nil>",
    "pydantic/pydantic-ai#3406, 2025-11, and #5206, 2026-04; ollama/ollama, openai/openai.go,"
    " refuses it where there are no calls",
    sent="an empty text",
    hosts="ollama",
    seen="qwen3:32b",
    taken=_thought("qwen3:32b", '"content":"","reasoning":"Hm."'),
    refused=_thought("qwen3:32b", '"content":null,"reasoning":"Hm."'),
)
def each_answer_to_ollama_has_a_text(body: Json) -> Paths:
    for i, message in _messages(body, "assistant"):
        if message.get("content") is None:
            yield f"messages.{i}.content"


@refuses(
    "openai_chat",
    "System message must be at the beginning.",
    "vllm-project/vllm#41114, 2026-04; ggml-org/llama.cpp#20733, 2026-03; BerriAI/litellm#37351",
    sent="later system messages as a user's",
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
