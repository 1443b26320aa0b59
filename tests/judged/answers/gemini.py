"""Answers of Google Gemini's generateContent."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.judged.replies import Reply, Seen, pieces

_STOPS = {"end": "STOP", "calls": "STOP", "length": "MAX_TOKENS", None: None}


def whole(reply: Reply) -> dict[str, Any]:
    return _answer(_parts(reply), reply.stop) | {"usageMetadata": _usage(reply)}


def events(reply: Reply, random: Random) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    for part in _parts(reply):
        if "text" in part:
            parts += [{**part, "text": piece} for piece in pieces(part["text"], random)]
        else:
            parts.append(part)
    found = [_answer([part], None) for part in parts]
    if random.random() < 0.5 and found:
        found[-1] = _answer([parts[-1]], reply.stop)
    else:
        found.append(_answer([{"text": ""}], reply.stop))
    found[-1]["usageMetadata"] = _usage(reply)
    return found


def read(answer: dict[str, Any]) -> Seen:
    return read_events([answer])


def read_events(events: list[dict[str, Any]]) -> Seen:
    seen = Seen()
    for event in events:
        for candidate in event.get("candidates", []):
            for part in candidate.get("content", {}).get("parts", []):
                if not part.get("thought"):
                    seen.text += part.get("text", "")
                if call := part.get("functionCall"):
                    seen.calls.append((call["name"], call.get("args", {})))
                    seen.ids.append(call.get("id", f"by place {len(seen.ids)}"))
            stop = candidate.get("finishReason")
            if stop is not None:
                seen.stop = {"STOP": "end", "MAX_TOKENS": "length"}.get(stop, stop)
    if seen.stop == "end" and seen.calls:
        seen.stop = "calls"
    return seen


def _parts(reply: Reply) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if reply.thinking:
        found.append({"text": reply.thinking, "thought": True})
    if reply.text:
        found.append({"text": reply.text})
    for call in reply.calls:
        named = {"name": call.name, "args": call.arguments}
        found.append({"functionCall": named | ({"id": call.id} if call.id else {})})
    return found


def _answer(parts: list[dict[str, Any]], stop: str | None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": parts}}
    if _STOPS[stop] is not None:
        candidate["finishReason"] = _STOPS[stop]
    return {"candidates": [candidate], "modelVersion": "m", "responseId": "r1"}


def _usage(reply: Reply) -> dict[str, Any]:
    return {
        "promptTokenCount": reply.prompt,
        "cachedContentTokenCount": reply.cached,
        "candidatesTokenCount": reply.written - reply.reasoning,
        "thoughtsTokenCount": reply.reasoning,
        "totalTokenCount": reply.prompt + reply.written,
    }
