"""Answers of Mistral's Chat Completion."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.replies import Reply, Seen, pieces

_STOPS = {"end": "stop", "calls": "tool_calls", "length": "length", None: None}
_READ = {word: name for name, word in _STOPS.items()}


def whole(reply: Reply) -> dict[str, Any]:
    content: Any = reply.text
    if reply.thinking:
        content = [{"type": "thinking", "thinking": [{"type": "text", "text": reply.thinking}]}]
        content += [{"type": "text", "text": reply.text}] if reply.text else []
    message = {"role": "assistant", "content": content, "tool_calls": _calls(reply) or None}
    choice = {"index": 0, "message": message, "finish_reason": _STOPS[reply.stop]}
    return {**_HEAD, "object": "chat.completion", "choices": [choice], "usage": _usage(reply)}


def events(reply: Reply, random: Random) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    for piece in pieces(reply.thinking, random):
        chunk = {"type": "thinking", "thinking": [{"type": "text", "text": piece}]}
        deltas.append({"content": [chunk]})
    deltas += [{"content": piece} for piece in pieces(reply.text, random)]
    last: dict[str, Any] = {"content": ""}
    if reply.calls:
        last["tool_calls"] = [{**call, "index": i} for i, call in enumerate(_calls(reply))]
    chunks = [_chunk(delta, None) for delta in deltas]
    return [*chunks, _chunk(last, _STOPS[reply.stop]) | {"usage": _usage(reply)}]


def read(answer: dict[str, Any]) -> Seen:
    choice = answer["choices"][0]
    calls = choice["message"].get("tool_calls") or []
    return Seen(
        _text(choice["message"].get("content")),
        [(call["function"]["name"], _value(call["function"]["arguments"])) for call in calls],
        _READ.get(choice["finish_reason"], choice["finish_reason"]),
        [call["id"] for call in calls],
    )


def read_events(events: list[dict[str, Any]]) -> Seen:
    seen = Seen()
    calls: dict[int, dict[str, Any]] = {}
    for event in events:
        for choice in event["choices"]:
            seen.text += _text(choice["delta"].get("content"))
            for call in choice["delta"].get("tool_calls") or []:
                known = calls.setdefault(call["index"], {"name": "", "arguments": ""})
                known["name"] += call["function"]["name"]
                known["arguments"] += call["function"]["arguments"]
                if call.get("id"):
                    seen.ids.append(call["id"])
            if choice["finish_reason"] is not None:
                seen.stop = _READ.get(choice["finish_reason"], choice["finish_reason"])
    seen.calls = [(call["name"], _value(call["arguments"])) for call in calls.values()]
    return seen


_HEAD = {"id": "m1", "model": "m", "created": 1}


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [
        {
            "id": call.id or "null",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
        }
        for call in reply.calls
    ]


def _chunk(delta: dict[str, Any], stop: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": stop}
    return {**_HEAD, "object": "chat.completion.chunk", "choices": [choice]}


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part["type"] == "text")
    return content or ""


def _value(arguments: Any) -> Any:
    return json.loads(arguments) if isinstance(arguments, str) else arguments


def _usage(reply: Reply) -> dict[str, Any]:
    return {
        "prompt_tokens": reply.prompt,
        "completion_tokens": reply.written,
        "total_tokens": reply.prompt + reply.written,
    }
