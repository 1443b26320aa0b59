"""Answers of OpenAI's Chat Completions."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.replies import Call, Reply, Seen, pieces

_STOPS = {"end": "stop", "calls": "tool_calls", "length": "length", None: None}
_READ = {word: name for name, word in _STOPS.items()}


def whole(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": None}
    if reply.thinking:
        message["reasoning_content"] = reply.thinking
    if reply.calls:
        message["tool_calls"] = [{"type": "function", **_call(call)} for call in reply.calls]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _STOPS[reply.stop]}
    return {**_head("chat.completion"), "choices": [choice], "usage": _usage(reply)}


def events(reply: Reply, random: Random) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": piece} for piece in pieces(reply.thinking, random)]
    deltas += [{"content": piece} for piece in pieces(reply.text, random)]
    parts: list[dict[str, Any]] = []
    for index, call in enumerate(reply.calls):
        first, *rest = pieces(json.dumps(call.arguments), random)
        function = {"name": call.name, "arguments": first}
        parts.append({"index": index, "id": call.id, "type": "function", "function": function})
        parts += [{"index": index, "function": {"arguments": piece}} for piece in rest]
    if parts and random.random() < 0.2:
        deltas.append({"tool_calls": parts})  # as Gemini's service of this wire sends them
    else:
        deltas += [{"tool_calls": [part]} for part in parts]
    chunks = [
        {**_head("chat.completion.chunk"), "choices": [_delta(delta, None)]} for delta in deltas
    ]
    last = _delta({}, _STOPS[reply.stop])
    chunks.append({**_head("chat.completion.chunk"), "choices": [last]})
    if random.random() < 0.8:
        counts = {"choices": [], "usage": _usage(reply)}
        chunks.append({**_head("chat.completion.chunk"), **counts})
    return chunks


def read(answer: dict[str, Any]) -> Seen:
    choice = answer["choices"][0]
    calls = choice["message"].get("tool_calls") or []
    return Seen(
        choice["message"]["content"] or "",
        [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in calls],
        _READ.get(choice["finish_reason"], choice["finish_reason"]),
        [call["id"] for call in calls],
    )


def read_events(events: list[dict[str, Any]]) -> Seen:
    seen = Seen()
    calls: list[dict[str, str]] = []
    for event in events:
        for choice in event["choices"]:
            seen.text += choice["delta"].get("content") or ""
            for call in choice["delta"].get("tool_calls") or []:
                if call.get("id") is not None:
                    calls.append({"name": "", "arguments": ""})
                    seen.ids.append(call["id"])
                for key, text in call["function"].items():
                    calls[call["index"]][key] += text
            if choice["finish_reason"] is not None:
                seen.stop = _READ.get(choice["finish_reason"], choice["finish_reason"])
    seen.calls = [(call["name"], json.loads(call["arguments"])) for call in calls]
    return seen


def _call(call: Call) -> dict[str, Any]:
    return {"id": call.id, "function": {"name": call.name, "arguments": json.dumps(call.arguments)}}


def _head(kind: str) -> dict[str, Any]:
    return {"id": "c1", "object": kind, "created": 1, "model": "m"}


def _delta(delta: dict[str, Any], stop: str | None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": stop}


def _usage(reply: Reply) -> dict[str, Any]:
    return {
        "prompt_tokens": reply.prompt,
        "completion_tokens": reply.written,
        "total_tokens": reply.prompt + reply.written,
        "prompt_tokens_details": {"cached_tokens": reply.cached},
        "completion_tokens_details": {"reasoning_tokens": reply.reasoning},
    }
