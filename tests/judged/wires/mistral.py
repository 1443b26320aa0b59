"""Mistral's Chat Completion, as its reference of 2026-11 has it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.scripts import PNG, Call, Media, Script, drawn

MODELS = (
    *("mistral-large-2512", "mistral-small-2603", "mistral-medium-2604", "ministral-14b-2512"),
    *("codestral-2508", "magistral-medium-2509", "mistral-large-latest", "mistral-small-latest"),
    *("devstral-2512", "open-mistral-nemo", "pixtral-large-latest", "voxtral-small-2507"),
    *("mistral-medium-3-5", "magistral-small-latest", "ministral-8b-latest"),
)
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "temperature": (0.5, 1),
    "top_p": (0.5, 1),
    "max_tokens": (16, 4000),
    "stop": ("END", ["a"]),
    "random_seed": (7,),
    "n": (1, 2),
    "presence_penalty": (0.5,),
    "frequency_penalty": (0.5,),
    "safe_prompt": (True,),
    "prompt_mode": ("reasoning",),
    "reasoning_effort": ("none", "high"),
    "prediction": ({"type": "content", "content": "x"},),
    "response_format": (
        {"type": "json_object"},
        {
            "type": "json_schema",
            "json_schema": {"name": "n", "schema": {"type": "object", "properties": {}}},
        },
    ),
    "stream": (True,),
}


def write(script: Script, random: Random) -> dict[str, Any]:
    messages: list[Any] = [{"role": "system", "content": text} for text in script.system]
    for turn in script.turns:
        if len(turn.user) == 1:
            messages.append({"role": "user", "content": turn.user[0]})
        else:
            messages.append({"role": "user", "content": [_item(item) for item in turn.user]})
        if not turn.calls and not turn.answer:
            continue
        answer: dict[str, Any] = {"role": "assistant", "content": turn.answer}
        if turn.calls:
            answer["tool_calls"] = [
                {
                    "id": _id(call),
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
                }
                for call in turn.calls
            ]
        messages.append(answer)
        for call in turn.calls:
            messages.append(
                {
                    "role": "tool",
                    "name": call.name,
                    "tool_call_id": _id(call),
                    "content": call.result,
                }
            )
        if turn.calls and turn is not script.turns[-1]:
            messages.append({"role": "assistant", "content": "So."})
    body: dict[str, Any] = {"model": random.choice(MODELS), "messages": messages}
    if script.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.schema,
                },
            }
            for tool in script.tools
        ]
        if random.random() < 0.3:
            named = {"type": "function", "function": {"name": script.tools[0].name}}
            body["tool_choice"] = random.choice(("auto", "none", "any", "required", named))
        if random.random() < 0.2:
            body["parallel_tool_calls"] = random.choice((True, False))
    return body | drawn(PARAMETERS, random)


def _id(call: Call) -> str:
    plain = "".join(c for c in call.id if c.isalnum())
    return (plain[-9:] if len(plain) >= 9 else plain.ljust(9, "0")) if call else ""


def _item(item: str | Media) -> dict[str, Any]:
    if isinstance(item, str):
        return {"type": "text", "text": item}
    if item.kind == "image":
        url = "https://a.example/x.png" if item.url else f"data:image/png;base64,{PNG}"
        return {"type": "image_url", "image_url": url}
    return {"type": "document_url", "document_url": "https://a.example/x.pdf"}
