"""OpenAI Chat Completions, as its reference of 2026-11 has it, and models of all services."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.scripts import PDF, PNG, Call, Media, Script, drawn

MODELS = (
    *("gpt-3.5-turbo", "gpt-4", "gpt-4o", "gpt-4.1", "o3-mini", "o1", "gpt-5", "gpt-5-chat-latest"),
    *(
        "gpt-5.1",
        "gpt-5.4",
        "gpt-5.6",
        "gpt-6-astra",
        "gpt-6-sol",
        "deepseek-chat",
        "deepseek-v4-pro",
    ),
    *(
        "qwen3-32b",
        "grok-4",
        "grok-4.5",
        "grok-3-mini",
        "glm-5.3",
        "kimi-k2.7-code",
        "llama-3.3-70b",
    ),
    *("mistral-large-2411", "openai/gpt-oss-120b", "gemini-2.5-flash", "claude-sonnet-4-5"),
    *("kimi-k2.6", "qwen3.6-27b", "qwen/qwen3-32b", "Ministral-3B", "gpt-4o-search-preview"),
    *("grok-4.6", "grok-4-1-fast-non-reasoning", "glm-5.2", "deepseek-reasoner", "gpt-4-turbo"),
)
_SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "temperature": (0, 0.5, 1, 1.8),
    "top_p": (0.5, 1),
    "n": (1, 2),
    "stop": ("END", ["a", "b"]),
    "presence_penalty": (0, 0.5),
    "frequency_penalty": (0, 0.5),
    "logprobs": (True,),
    "seed": (7,),
    "user": ("u-1", "x" * 300),
    "max_completion_tokens": (16, 4000),
    "reasoning_effort": ("none", "minimal", "low", "medium", "high", "xhigh"),
    "response_format": (
        {"type": "json_object"},
        {"type": "text"},
        {"type": "json_schema", "json_schema": {"name": "n", "schema": _SCHEMA, "strict": True}},
        {"type": "json_schema", "json_schema": {"name": "n", "schema": _SCHEMA}},
        {
            "type": "json_schema",
            "json_schema": {"name": "n", "description": "Of a.", "schema": _SCHEMA},
        },
    ),
    "service_tier": ("auto", "flex", "priority", "default"),
    "store": (True, False),
    "metadata": ({"k": "v"},),
    "prompt_cache_key": ("k1",),
    "prompt_cache_retention": ("24h",),
    "prompt_cache_options": ({"mode": "explicit"},),
    "moderation": ({"model": "omni-moderation-latest"},),
    "safety_identifier": ("s1",),
    "verbosity": ("low", "high"),
    "logit_bias": ({"50256": -100},),
    "prediction": ({"type": "content", "content": "x"},),
    "modalities": (["text"],),
    "web_search_options": ({},),
    "stream": (True,),
}


def write(script: Script, random: Random) -> dict[str, Any]:
    role = random.choice(("system", "system", "developer"))
    messages: list[Any] = [{"role": role, "content": text} for text in script.system]
    for number, turn in enumerate(script.turns):
        if number == script.later_system:
            messages.append({"role": role, "content": "Be brief."})
        if len(turn.user) == 1 and random.random() < 0.7:
            messages.append({"role": "user", "content": turn.user[0]})
        else:
            messages.append({"role": "user", "content": [_item(item) for item in turn.user]})
        if random.random() < 0.05:
            messages[-1]["name"] = "ann"
        if not turn.calls and not turn.answer:
            continue
        answer: dict[str, Any] = {"role": "assistant", "content": turn.answer or None}
        if turn.calls:
            answer["tool_calls"] = [
                {
                    "id": call.id[:40],
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
                }
                for call in turn.calls
            ]
        elif not turn.answer:
            answer["content"] = ""
        messages += [answer, *(_result(call, random) for call in turn.calls)]
    if script.prefill:
        messages.append({"role": "assistant", "content": script.prefill})
    body: dict[str, Any] = {"model": random.choice(MODELS), "messages": messages}
    if script.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.schema
                    if tool.schema.get("type") == "object"
                    else {"type": "object", "properties": {}},
                    **({} if tool.strict is None else {"strict": False}),
                },
            }
            for tool in script.tools
        ]
        if random.random() < 0.3:
            named = {"type": "function", "function": {"name": script.tools[0].name}}
            body["tool_choice"] = random.choice(("auto", "none", "required", named))
        if random.random() < 0.2:
            body["parallel_tool_calls"] = random.choice((True, False))
    body |= drawn(PARAMETERS, random)
    if body.get("logprobs") and random.random() < 0.5:
        body["top_logprobs"] = 2
    if "metadata" in body:
        body["store"] = True
    return body


def _result(call: Call, random: Random) -> dict[str, Any]:
    text: Any = call.result
    if text and random.random() < 0.2:
        text = [{"type": "text", "text": text}, {"type": "text", "text": "more"}]
    return {"role": "tool", "tool_call_id": call.id[:40], "content": text}


def _item(item: str | Media) -> dict[str, Any]:
    if isinstance(item, str):
        return {"type": "text", "text": item}
    if item.kind == "image":
        url = "https://a.example/x.png" if item.url else f"data:image/png;base64,{PNG}"
        return {"type": "image_url", "image_url": {"url": url, "detail": "high"}}
    data = f"data:application/pdf;base64,{PDF}"
    return {"type": "file", "file": {"filename": "a.pdf", "file_data": data}}
