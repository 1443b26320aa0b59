"""Ollama's chat, as its reference of 2026-11 has it."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.judged.scripts import PNG, Media, Script, drawn

MODELS = ("qwen3:8b", "llama3.3", "gpt-oss:20b", "deepseek-r1", "gemma3:4b", "ours/gemma3-tools")
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "options": (
        {"temperature": 0.5, "num_ctx": 4096},
        {"top_k": 5, "seed": 7},
        {"num_predict": 64, "stop": ["END"]},
        {"min_p": 0.1, "repeat_penalty": 1.1},
    ),
    "think": (True, False, "low", "high"),
    "format": ("json", {"type": "object", "properties": {}}),
    "keep_alive": ("5m",),
    "logprobs": (True,),
}


def write(script: Script, random: Random) -> dict[str, Any]:
    messages: list[Any] = [{"role": "system", "content": text} for text in script.system]
    for turn in script.turns:
        said = [item for item in turn.user if isinstance(item, str)]
        user: dict[str, Any] = {"role": "user", "content": "\n".join(said)}
        if any(isinstance(item, Media) and item.kind == "image" for item in turn.user):
            user["images"] = [PNG]
        messages.append(user)
        if not turn.calls and not turn.answer:
            continue
        answer: dict[str, Any] = {"role": "assistant", "content": turn.answer}
        if turn.thinking:
            answer["thinking"] = turn.thinking
        if turn.calls:
            answer["tool_calls"] = [
                {"function": {"name": call.name, "arguments": call.arguments}}
                for call in turn.calls
            ]
        messages.append(answer)
        for call in turn.calls:
            messages.append({"role": "tool", "tool_name": call.name, "content": call.result})
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
    return body | drawn(PARAMETERS, random)
