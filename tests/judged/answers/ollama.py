"""Answers of Ollama's chat."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.judged.replies import Reply, Seen, pieces

_STOPS = {"end": "stop", "calls": "stop", "length": "length", None: None}


def whole(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.thinking:
        message["thinking"] = reply.thinking
    if reply.calls:
        message["tool_calls"] = _calls(reply)
    return {**_HEAD, "message": message, **_end(reply)}


def events(reply: Reply, random: Random) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    for piece in pieces(reply.thinking, random):
        messages.append({"role": "assistant", "content": "", "thinking": piece})
    for piece in pieces(reply.text, random):
        messages.append({"role": "assistant", "content": piece})
    for call in _calls(reply):
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
    lines = [{**_HEAD, "message": message, "done": False} for message in messages]
    return [*lines, {**_HEAD, "message": {"role": "assistant", "content": ""}, **_end(reply)}]


def read(answer: dict[str, Any]) -> Seen:
    return read_events([answer])


def read_events(events: list[dict[str, Any]]) -> Seen:
    seen = Seen()
    for event in events:
        seen.text += event["message"]["content"]
        for call in event["message"].get("tool_calls") or []:
            seen.calls.append((call["function"]["name"], call["function"]["arguments"]))
        if event["done"] and event.get("done_reason") is not None:
            stop = event["done_reason"]
            seen.stop = {"stop": "end"}.get(stop, stop)
    if seen.stop == "end" and seen.calls:
        seen.stop = "calls"
    return seen


_HEAD = {"model": "m", "created_at": "2026-11-01T00:00:00Z"}


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [{"function": {"name": call.name, "arguments": call.arguments}} for call in reply.calls]


def _end(reply: Reply) -> dict[str, Any]:
    stop = {} if _STOPS[reply.stop] is None else {"done_reason": _STOPS[reply.stop]}
    counts = {"prompt_eval_count": reply.prompt, "eval_count": reply.written}
    times = {"total_duration": 5, "load_duration": 1, "prompt_eval_duration": 2, "eval_duration": 2}
    return {"done": True, **stop, **times, **counts}
