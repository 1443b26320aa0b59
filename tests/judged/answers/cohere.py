"""Answers of Cohere's Chat, version 2."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.replies import Reply, Seen, pieces

_STOPS = {"end": "COMPLETE", "calls": "TOOL_CALL", "length": "MAX_TOKENS", None: "COMPLETE"}
_READ = {"COMPLETE": "end", "TOOL_CALL": "calls", "MAX_TOKENS": "length"}


def whole(reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant"}
    content = [{"type": "thinking", "thinking": reply.thinking}] if reply.thinking else []
    if reply.calls:
        message["tool_calls"] = _calls(reply)
        if reply.text:
            message["tool_plan"] = reply.text
    elif reply.text:
        content.append({"type": "text", "text": reply.text})
    if content:
        message["content"] = content
    ended = {"finish_reason": _STOPS[reply.stop], "usage": _usage(reply)}
    return {"id": "c1", "message": message, **ended}


def events(reply: Reply, random: Random) -> list[dict[str, Any]]:
    empty = {"role": "assistant", "content": [], "tool_plan": "", "tool_calls": [], "citations": []}
    found: list[dict[str, Any]] = [
        {"type": "message-start", "id": "c1", "delta": {"message": empty}}
    ]
    texts = [("thinking", reply.thinking)] if reply.thinking else []
    if reply.text and not reply.calls:
        texts.append(("text", reply.text))
    for index, (key, text) in enumerate(texts):
        begun = {"message": {"content": {"type": key, key: ""}}}
        found.append({"type": "content-start", "index": index, "delta": begun})
        for piece in pieces(text, random):
            delta = {"message": {"content": {key: piece}}}
            found.append({"type": "content-delta", "index": index, "delta": delta})
        found.append({"type": "content-end", "index": index})
    if reply.calls:
        for piece in pieces(reply.text, random):
            found.append({"type": "tool-plan-delta", "delta": {"message": {"tool_plan": piece}}})
    for index, call in enumerate(_calls(reply)):
        function = call["function"]
        started = {**call, "function": {**function, "arguments": ""}}
        begun = {"message": {"tool_calls": started}}
        found.append({"type": "tool-call-start", "index": index, "delta": begun})
        for piece in pieces(function["arguments"], random):
            delta = {"message": {"tool_calls": {"function": {"arguments": piece}}}}
            found.append({"type": "tool-call-delta", "index": index, "delta": delta})
        found.append({"type": "tool-call-end", "index": index})
    ended = {"finish_reason": _STOPS[reply.stop], "usage": _usage(reply)}
    return [*found, {"type": "message-end", "delta": ended}]


def read(answer: dict[str, Any]) -> Seen:
    message = answer["message"]
    texts = [part["text"] for part in message.get("content") or [] if part["type"] == "text"]
    calls = message.get("tool_calls") or []
    return Seen(
        (message.get("tool_plan") or "") + "".join(texts),
        [(call["function"]["name"], json.loads(call["function"]["arguments"])) for call in calls],
        _READ.get(answer["finish_reason"], answer["finish_reason"]),
        [call["id"] for call in calls],
    )


def read_events(events: list[dict[str, Any]]) -> Seen:
    seen = Seen()
    name, written = "", ""
    for event in events:
        message = event.get("delta", {}).get("message", {})
        if event["type"] in ("content-start", "content-delta"):
            seen.text += message["content"].get("text", "")
        elif event["type"] == "tool-plan-delta":
            seen.text += message["tool_plan"]
        elif event["type"] == "tool-call-start":
            name = message["tool_calls"]["function"]["name"]
            written = message["tool_calls"]["function"].get("arguments", "")
            seen.ids.append(message["tool_calls"]["id"])
        elif event["type"] == "tool-call-delta":
            written += message["tool_calls"]["function"]["arguments"]
        elif event["type"] == "tool-call-end":
            seen.calls.append((name, json.loads(written or "{}")))
        elif event["type"] == "message-end":
            stop = event["delta"]["finish_reason"]
            seen.stop = _READ.get(stop, stop)
    return seen


def _calls(reply: Reply) -> list[dict[str, Any]]:
    return [
        {
            "id": call.id or f"f_{i}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
        }
        for i, call in enumerate(reply.calls)
    ]


def _usage(reply: Reply) -> dict[str, Any]:
    counts = {"input_tokens": reply.prompt, "output_tokens": reply.written}
    return {"billed_units": counts, "tokens": counts}
