"""OpenAI Responses, as its reference of 2026-11 has it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.scripts import PDF, PNG, Media, Script, drawn

MODELS = (
    *("gpt-3.5-turbo", "gpt-4-turbo", "gpt-4o", "gpt-4.1", "o3", "o4-mini", "o3-deep-research"),
    *("gpt-5", "gpt-5-pro", "gpt-5-chat-latest", "gpt-5.1", "gpt-5.2-codex", "gpt-5.2-pro"),
    *("gpt-5.2-chat-latest", "gpt-5.4", "gpt-5.5", "gpt-5.6", "gpt-6-astra", "gpt-6-sol"),
    *("gpt-6.1-sol", "gpt-6.1-terra", "grok-4"),
)
_SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "temperature": (0, 0.5, 1),
    "top_p": (0.5, 1),
    "max_output_tokens": (16, 4000),
    "reasoning": (
        {"effort": "none"},
        {"effort": "minimal"},
        {"effort": "medium", "summary": "auto"},
        {"effort": "high"},
        {"effort": "xhigh"},
        {"effort": "max"},
    ),
    "text": (
        {"format": {"type": "text"}},
        {"format": {"type": "json_object"}},
        {"format": {"type": "json_schema", "name": "n", "schema": _SCHEMA, "strict": True}},
        {"verbosity": "low"},
        {"verbosity": "high", "format": {"type": "text"}},
    ),
    "store": (True, False),
    "metadata": ({"k": "v"},),
    "service_tier": ("auto", "flex", "priority", "default"),
    "prompt_cache_key": ("k1", "k" * 72),
    "prompt_cache_retention": ("24h", "in_memory"),
    "prompt_cache_options": ({"ttl": "30m"},),
    "moderation": ({"model": "omni-moderation-latest"},),
    "safety_identifier": ("s1",),
    "top_logprobs": (2,),
    "include": (["reasoning.encrypted_content"], ["message.output_text.logprobs"]),
    "truncation": ("disabled", "auto"),
    "max_tool_calls": (3,),
    "background": (False,),
    "context_management": ([{"type": "compaction", "compact_threshold": 200_000}],),
    "stream_options": ({"include_obfuscation": False},),
    "stream": (True,),
}


def write(script: Script, random: Random) -> dict[str, Any]:
    items: list[Any] = []
    for text in script.system[1:]:
        items.append({"role": "developer", "content": text})
    for number, turn in enumerate(script.turns):
        if number == script.later_system:
            items.append({"role": "developer", "content": "Be brief."})
        items.append({"role": "user", "content": [_item(item) for item in turn.user]})
        if turn.thinking and (turn.answer or turn.calls):
            items.append(
                {
                    "type": "reasoning",
                    "id": f"rs_{number}",
                    "summary": [{"type": "summary_text", "text": turn.thinking}],
                    "encrypted_content": "gAAA",
                }
            )
        if turn.answer:
            items.append(
                {
                    "type": "message",
                    "id": f"msg_{number}",
                    "role": "assistant",
                    "status": "completed",
                    "content": [{"type": "output_text", "text": turn.answer, "annotations": []}],
                }
            )
        for call in turn.calls:
            items.append(
                {
                    "type": "function_call",
                    "call_id": call.id[:64],
                    "name": call.name,
                    "arguments": json.dumps(call.arguments),
                }
            )
        for call in turn.calls:
            output: Any = call.result
            if call.media:
                output = [{"type": "input_text", "text": call.result}, _item(call.media)]
            items.append(
                {"type": "function_call_output", "call_id": call.id[:64], "output": output}
            )
    if script.prefill:
        items.append({"role": "assistant", "content": script.prefill})
    body: dict[str, Any] = {"model": random.choice(MODELS), "input": items}
    if script.system:
        body["instructions"] = script.system[0]
    if script.tools:
        body["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.schema
                if tool.schema.get("type") == "object"
                else {"type": "object", "properties": {}},
                "strict": bool(tool.strict),
            }
            for tool in script.tools
        ]
        if random.random() < 0.3:
            named = {"type": "function", "name": script.tools[0].name}
            body["tool_choice"] = random.choice(("auto", "none", "required", named))
    if len(items) == 1 and not isinstance(items[0]["content"], str) and random.random() < 0.3:
        body["input"] = str(script.turns[0].user[0])
    return body | drawn(PARAMETERS, random)


def _item(item: str | Media) -> dict[str, Any]:
    if isinstance(item, str):
        return {"type": "input_text", "text": item}
    if item.kind == "image":
        url = "https://a.example/x.png" if item.url else f"data:image/png;base64,{PNG}"
        return {"type": "input_image", "image_url": url, "detail": "high"}
    if item.url:
        return {"type": "input_file", "file_url": "https://a.example/x.pdf"}
    data = f"data:application/pdf;base64,{PDF}"
    return {"type": "input_file", "filename": "a.pdf", "file_data": data}
