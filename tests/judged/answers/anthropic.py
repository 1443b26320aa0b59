"""Answers of Anthropic Messages."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.replies import Reply, Seen, pieces

_STOPS = {"end": "end_turn", "calls": "tool_use", "length": "max_tokens", None: None}
_READ = {word: name for name, word in _STOPS.items()}


def whole(reply: Reply) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": _content(reply),
        "stop_reason": _STOPS[reply.stop],
        "stop_sequence": None,
        "usage": _usage(reply),
    }


def events(reply: Reply, random: Random) -> list[dict[str, Any]]:
    begun = {**whole(reply), "content": [], "stop_reason": None}
    found: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for index, block in enumerate(_content(reply)):
        kind = block["type"]
        if kind == "text":
            empty, deltas = {"text": ""}, _deltas("text", block["text"], random)
        elif kind == "thinking":
            empty = {"thinking": "", "signature": ""}
            deltas = _deltas("thinking", block["thinking"], random)
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        else:
            empty = {"input": {}}
            text = json.dumps(block["input"])
            deltas = [
                {"type": "input_json_delta", "partial_json": piece}
                for piece in ("", *pieces(text, random))
            ]
        found.append(
            {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
        )
        found += [
            {"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas
        ]
        found.append({"type": "content_block_stop", "index": index})
    ended = {"stop_reason": _STOPS[reply.stop], "stop_sequence": None}
    counts = {"output_tokens": reply.written}
    found.append({"type": "message_delta", "delta": ended, "usage": counts})
    return [*found, {"type": "message_stop"}]


def read(answer: dict[str, Any]) -> Seen:
    calls = [block for block in answer["content"] if block["type"] == "tool_use"]
    return Seen(
        "".join(block["text"] for block in answer["content"] if block["type"] == "text"),
        [(call["name"], call["input"]) for call in calls],
        _READ.get(answer["stop_reason"], answer["stop_reason"]),
        [call["id"] for call in calls],
    )


def read_events(events: list[dict[str, Any]]) -> Seen:
    seen = Seen()
    block: dict[str, Any] = {}
    written = ""
    for event in events:
        if event["type"] == "content_block_start":
            block, written = event["content_block"], ""
            if block["type"] == "text":
                seen.text += block["text"]
        elif event["type"] == "content_block_delta":
            seen.text += event["delta"].get("text", "")
            written += event["delta"].get("partial_json", "")
        elif event["type"] == "content_block_stop" and block["type"] == "tool_use":
            seen.calls.append((block["name"], json.loads(written or "{}")))
            seen.ids.append(block["id"])
        elif event["type"] == "message_delta":
            seen.stop = _READ.get(event["delta"]["stop_reason"], event["delta"]["stop_reason"])
    return seen


def _content(reply: Reply) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if reply.thinking:
        found.append({"type": "thinking", "thinking": reply.thinking, "signature": "c2lnbmVk"})
    if reply.text:
        found.append({"type": "text", "text": reply.text})
    for number, call in enumerate(reply.calls):
        use = {"id": call.id or f"toolu_{number}", "name": call.name, "input": call.arguments}
        found.append({"type": "tool_use", **use})
    return found


def _deltas(key: str, text: str, random: Random) -> list[dict[str, Any]]:
    return [{"type": f"{key}_delta", key: piece} for piece in pieces(text, random)]


def _usage(reply: Reply) -> dict[str, Any]:
    return {
        "input_tokens": reply.prompt - reply.cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": reply.cached,
        "output_tokens": reply.written,
    }
