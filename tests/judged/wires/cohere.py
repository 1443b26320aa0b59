"""Cohere's Chat, version 2, as its reference of 2026-11 has it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.scripts import PNG, Media, Script, drawn

MODELS = (
    "command-a-03-2025",
    "command-r7b-12-2024",
    "command-a-reasoning-08-2025",
    "command-r-plus",
)
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "temperature": (0, 0.5, 1),
    "p": (0.5, 0.9),
    "k": (5,),
    "max_tokens": (16, 4000),
    "stop_sequences": (["END"],),
    "seed": (7,),
    "presence_penalty": (0.5,),
    "frequency_penalty": (0.5,),
    "safety_mode": ("OFF", "CONTEXTUAL"),
    "logprobs": (True,),
    "documents": ([{"id": "d1", "data": {"text": "Oslo is cold."}}],),
    "citation_options": ({"mode": "FAST"},),
    "thinking": ({"type": "enabled", "token_budget": 500}, {"type": "disabled"}),
    "response_format": (
        {"type": "json_object"},
        {"type": "json_object", "json_schema": {"type": "object", "properties": {}}},
    ),
    "priority": (3,),
}


def write(script: Script, random: Random) -> dict[str, Any]:
    messages: list[Any] = [{"role": "system", "content": text} for text in script.system]
    for turn in script.turns:
        content: Any = [_item(item) for item in turn.user]
        kept = [part for part in content if part is not None]
        messages.append({"role": "user", "content": kept})
        if turn.calls:
            messages.append(
                {
                    "role": "assistant",
                    "tool_plan": turn.answer or "I look.",
                    "tool_calls": [
                        {
                            "id": call.id[:64],
                            "type": "function",
                            "function": {
                                "name": call.name,
                                "arguments": json.dumps(call.arguments),
                            },
                        }
                        for call in turn.calls
                    ],
                }
            )
            for call in turn.calls:
                messages.append(
                    {"role": "tool", "tool_call_id": call.id[:64], "content": call.result or "x"}
                )
        elif turn.answer.strip():
            messages.append({"role": "assistant", "content": turn.answer})
    body: dict[str, Any] = {
        "model": random.choice(MODELS),
        "messages": messages,
        "stream": random.choice((True, False)),
    }
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
            body["tool_choice"] = random.choice(("REQUIRED", "NONE"))
    return body | drawn(PARAMETERS, random)


def _item(item: str | Media) -> dict[str, Any] | None:
    if isinstance(item, str):
        return {"type": "text", "text": item}
    if item.kind == "image":
        return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    return None
