"""Anthropic Messages, as its reference of 2026-11 has it."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.judged.scripts import PDF, PNG, Call, Media, Script, drawn

MODELS = (
    *("claude-3-haiku-20240307", "claude-3-7-sonnet-20250219", "claude-sonnet-4-20250514"),
    *("claude-opus-4-1", "claude-sonnet-4-5", "claude-opus-4-5", "claude-haiku-4-5"),
    *(
        "claude-sonnet-4-6",
        "claude-opus-4-7",
        "claude-opus-4-8",
        "claude-fable-5",
        "claude-fable-5-1",
    ),
    "claude-opus-5-5",
)
_MARK = {"type": "ephemeral"}
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "temperature": (0, 0.5, 1),
    "top_p": (0.5, 1),
    "top_k": (5,),
    "stop_sequences": (["END"],),
    "metadata": ({"user_id": "u-1"}, {"user_id": "x" * 200}),
    "thinking": (
        {"type": "enabled", "budget_tokens": 1024},
        {"type": "adaptive"},
        {"type": "disabled"},
    ),
    "output_config": (
        {"effort": "low"},
        {"effort": "max"},
        {
            "format": {
                "type": "json_schema",
                "schema": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}},
                    "required": ["a"],
                    "additionalProperties": False,
                },
            }
        },
    ),
    "service_tier": ("auto", "standard_only"),
    "cache_control": (_MARK, {"type": "ephemeral", "ttl": "1h"}),
    "stream": (True,),
    "container": ({"id": "c"},),
    "diagnostics": ({"previous_message_id": "m"},),
    "inference_geo": ("us",),
    "speed": ("fast",),
    "context_management": ({"edits": []},),
}
_SERVER_TOOLS: tuple[dict[str, Any], ...] = (
    {"type": "web_search_20250305", "name": "web_search"},
    {"type": "web_search_20260209", "name": "web_search", "max_uses": 3},
    {"type": "web_fetch_20250910", "name": "web_fetch"},
    {"type": "code_execution_20250825", "name": "code_execution"},
    {"type": "computer_toolset_20260801"},
    {"type": "bash_20250124", "name": "bash"},
)
_TOOL_KEYS: tuple[dict[str, Any], ...] = (
    {"eager_input_streaming": True},
    {"defer_loading": True},
    {"allowed_callers": ["direct"]},
)
_CHOICES = ({"type": "auto"}, {"type": "any"}, {"type": "none"})


def write(script: Script, random: Random) -> dict[str, Any]:
    messages: list[Any] = []
    for number, turn in enumerate(script.turns):
        before = script.turns[number - 1].calls if number else []
        content = [_result(call) for call in before]
        content += [_item(item) for item in turn.user]
        if random.random() < 0.1:
            content[-1]["cache_control"] = _MARK
        messages.append({"role": "user", "content": content})
        if number == script.later_system:
            messages.append({"role": "system", "content": "Be brief."})
        answer: list[Any] = []
        if turn.thinking:
            answer.append({"type": "thinking", "thinking": turn.thinking, "signature": "c2lnbmVk"})
        if turn.answer.strip():
            answer.append({"type": "text", "text": turn.answer})
        answer += [
            {"type": "tool_use", "id": _id(call), "name": call.name, "input": call.arguments}
            for call in turn.calls
        ]
        if answer:
            messages.append({"role": "assistant", "content": answer})
    if script.turns[-1].calls:
        messages.append({"role": "user", "content": [_result(c) for c in script.turns[-1].calls]})
    elif script.prefill:
        messages.append({"role": "assistant", "content": script.prefill.strip()})
    body: dict[str, Any] = {
        "model": random.choice(MODELS),
        "max_tokens": random.choice((64, 4000, 32_000)),
        "messages": messages,
    }
    if script.system:
        system: list[Any] = [{"type": "text", "text": text} for text in script.system]
        if random.random() < 0.3:
            system[-1]["cache_control"] = _MARK
        body["system"] = random.choice((system, "\n".join(script.system)))
    if script.tools:
        body["tools"] = [
            {
                "name": tool.name,
                **({"description": tool.description} if tool.description else {}),
                "input_schema": tool.schema
                if tool.schema.get("type") == "object"
                else {"type": "object"},
                **({} if tool.strict is None else {"strict": tool.strict}),
            }
            for tool in script.tools
        ]
        if random.random() < 0.2:
            body["tools"][-1]["cache_control"] = _MARK
        if random.random() < 0.1:
            body["tools"][-1] |= random.choice(_TOOL_KEYS)
        if random.random() < 0.1:
            body["tools"].append(dict(random.choice(_SERVER_TOOLS)))
        if random.random() < 0.3:
            body["tool_choice"] = random.choice(
                (*_CHOICES, {"type": "tool", "name": script.tools[0].name})
            )
    return body | drawn(PARAMETERS, random)


def _id(call: Call) -> str:
    return "".join(c if c.isalnum() or c in "_-" else "_" for c in call.id)


def _result(call: Call) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": _id(call)}
    if call.media:
        block["content"] = [{"type": "text", "text": call.result or "x"}, _item(call.media)]
    elif call.result:
        block["content"] = call.result
    if call.error:
        block["is_error"] = True
    return block


def _item(item: str | Media) -> dict[str, Any]:
    if isinstance(item, str):
        return {"type": "text", "text": item}
    if item.url:
        source = {
            "type": "url",
            "url": "https://a.example/x." + ("png" if item.kind == "image" else "pdf"),
        }
    elif item.kind == "image":
        source = {"type": "base64", "media_type": "image/png", "data": PNG}
    else:
        source = {"type": "base64", "media_type": "application/pdf", "data": PDF}
    return {"type": item.kind, "source": source}
