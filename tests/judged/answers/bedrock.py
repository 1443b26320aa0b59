"""Answers of AWS Bedrock Converse."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.replies import Reply, Seen, pieces

_STOPS = {"end": "end_turn", "calls": "tool_use", "length": "max_tokens", None: "end_turn"}
_READ = {"end_turn": "end", "tool_use": "calls", "max_tokens": "length"}


def whole(reply: Reply) -> dict[str, Any]:
    content: list[dict[str, Any]] = []
    if reply.thinking:
        signed = {"text": reply.thinking, "signature": "c2lnbmVk"}
        content.append({"reasoningContent": {"reasoningText": signed}})
    if reply.text:
        content.append({"text": reply.text})
    for use in _uses(reply):
        content.append({"toolUse": use})
    return {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": _STOPS[reply.stop],
        "usage": _usage(reply),
        "metrics": {"latencyMs": 5},
    }


def events(reply: Reply, random: Random) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"messageStart": {"role": "assistant"}}]
    blocks: list[tuple[dict[str, Any] | None, list[dict[str, Any]]]] = []
    if reply.thinking:
        deltas = [{"reasoningContent": {"text": piece}} for piece in pieces(reply.thinking, random)]
        blocks.append((None, [*deltas, {"reasoningContent": {"signature": "c2lnbmVk"}}]))
    if reply.text:
        blocks.append((None, [{"text": piece} for piece in pieces(reply.text, random)]))
    for use in _uses(reply):
        start = {"toolUse": {key: use[key] for key in ("toolUseId", "name")}}
        text = json.dumps(use["input"])
        blocks.append((start, [{"toolUse": {"input": p}} for p in pieces(text, random)]))
    for index, (start, deltas) in enumerate(blocks):
        at = {"contentBlockIndex": index}
        if start is not None:
            found.append({"contentBlockStart": {"start": start, **at}})
        found += [{"contentBlockDelta": {"delta": delta, **at}} for delta in deltas]
        found.append({"contentBlockStop": at})
    found.append({"messageStop": {"stopReason": _STOPS[reply.stop]}})
    metadata = {"usage": _usage(reply), "metrics": {"latencyMs": 5}}
    return [*found, {"metadata": metadata}]


def read(answer: dict[str, Any]) -> Seen:
    seen = Seen(stop=_READ.get(answer["stopReason"], answer["stopReason"]))
    for block in answer["output"]["message"]["content"]:
        seen.text += block.get("text", "")
        if use := block.get("toolUse"):
            seen.calls.append((use["name"], use["input"]))
            seen.ids.append(use["toolUseId"])
    return seen


def read_events(events: list[dict[str, Any]]) -> Seen:
    seen = Seen()
    name, written = "", ""
    for event in events:
        ((kind, value),) = event.items()
        if kind == "contentBlockStart" and "toolUse" in value["start"]:
            name, written = value["start"]["toolUse"]["name"], ""
            seen.ids.append(value["start"]["toolUse"]["toolUseId"])
        elif kind == "contentBlockDelta":
            seen.text += value["delta"].get("text", "")
            written += value["delta"].get("toolUse", {}).get("input", "")
        elif kind == "contentBlockStop" and name:
            seen.calls.append((name, json.loads(written or "{}")))
            name = ""
        elif kind == "messageStop":
            seen.stop = _READ.get(value["stopReason"], value["stopReason"])
    return seen


def _uses(reply: Reply) -> list[dict[str, Any]]:
    return [
        {"toolUseId": call.id[:64] or f"tooluse_{i}", "name": call.name, "input": call.arguments}
        for i, call in enumerate(reply.calls)
    ]


def _usage(reply: Reply) -> dict[str, Any]:
    return {
        "inputTokens": reply.prompt - reply.cached,
        "outputTokens": reply.written,
        "totalTokens": reply.prompt + reply.written,
        "cacheReadInputTokens": reply.cached,
        "cacheWriteInputTokens": 0,
    }
