"""Answers of OpenAI Responses."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tests.judged.replies import Reply, Seen, pieces


def whole(reply: Reply) -> dict[str, Any]:
    return _response(reply, _items(reply), "incomplete" if reply.stop == "length" else "completed")


def events(reply: Reply, random: Random) -> list[dict[str, Any]]:
    begun = _response(reply, [], "in_progress") | {"usage": None, "incomplete_details": None}
    found: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.in_progress", "response": begun},
    ]
    items = _items(reply)
    for index, item in enumerate(items):
        at = {"output_index": index, "item_id": item["id"]}
        found.append(
            {"type": "response.output_item.added", "output_index": index, "item": _empty(item)}
        )
        if item["type"] == "reasoning":
            part = {**at, "summary_index": 0}
            text = item["summary"][0]["text"]
            empty = {"type": "summary_text", "text": ""}
            kind = "response.reasoning_summary_"
            found.append({"type": f"{kind}part.added", **part, "part": empty})
            found += [
                {"type": f"{kind}text.delta", **part, "delta": piece}
                for piece in pieces(text, random)
            ]
            found.append({"type": f"{kind}text.done", **part, "text": text})
            found.append({"type": f"{kind}part.done", **part, "part": item["summary"][0]})
        elif item["type"] == "message":
            part = {**at, "content_index": 0}
            whole_part = item["content"][0]
            found.append(
                {"type": "response.content_part.added", **part, "part": {**whole_part, "text": ""}}
            )
            found += [
                {"type": "response.output_text.delta", **part, "delta": piece, "logprobs": []}
                for piece in pieces(whole_part["text"], random)
            ]
            found.append(
                {
                    "type": "response.output_text.done",
                    **part,
                    "text": whole_part["text"],
                    "logprobs": [],
                }
            )
            found.append({"type": "response.content_part.done", **part, "part": whole_part})
        else:
            kind = "response.function_call_arguments"
            found += [
                {"type": f"{kind}.delta", **at, "delta": piece}
                for piece in pieces(item["arguments"], random)
            ]
            named = {"name": item["name"], "arguments": item["arguments"]}
            found.append({"type": f"{kind}.done", **at, **named})
        found.append({"type": "response.output_item.done", "output_index": index, "item": item})
    status = "incomplete" if reply.stop == "length" else "completed"
    found.append({"type": f"response.{status}", "response": _response(reply, items, status)})
    return [{**event, "sequence_number": number} for number, event in enumerate(found)]


def read(answer: dict[str, Any]) -> Seen:
    seen = Seen()
    for item in answer["output"]:
        if item["type"] == "message":
            seen.text += "".join(
                part["text"] for part in item["content"] if part["type"] == "output_text"
            )
        elif item["type"] == "function_call":
            seen.calls.append((item["name"], json.loads(item["arguments"])))
            seen.ids.append(item["call_id"])
    if answer["status"] == "incomplete":
        reason = (answer.get("incomplete_details") or {}).get("reason")
        seen.stop = "length" if reason == "max_output_tokens" else reason
    elif answer["status"] == "completed":
        seen.stop = "calls" if seen.calls else "end"
    else:
        seen.stop = answer["status"]
    return seen


def read_events(events: list[dict[str, Any]]) -> Seen:
    seen = Seen()
    written = ""
    for event in events:
        if event["type"] == "response.output_text.delta":
            seen.text += event["delta"]
        elif event["type"] == "response.output_item.added":
            written = ""
        elif event["type"] == "response.function_call_arguments.delta":
            written += event["delta"]
        elif (
            event["type"] == "response.output_item.done"
            and event["item"]["type"] == "function_call"
        ):
            seen.calls.append((event["item"]["name"], json.loads(written)))
            seen.ids.append(event["item"]["call_id"])
    seen.stop = read(events[-1]["response"]).stop if "response" in events[-1] else "error"
    return seen


def _items(reply: Reply) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if reply.thinking:
        summary = [{"type": "summary_text", "text": reply.thinking}]
        found.append({"id": "rs_1", "type": "reasoning", "summary": summary})
    if reply.text:
        part = {"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"}
        found.append({**message, "content": [part]})
    for number, call in enumerate(reply.calls):
        made = {"id": f"fc_{number}", "type": "function_call", "status": "completed"}
        arguments = json.dumps(call.arguments)
        named = {"call_id": call.id or f"call_{number}", "name": call.name}
        found.append({**made, **named, "arguments": arguments})
    return found


def _empty(item: dict[str, Any]) -> dict[str, Any]:
    less = {key: value for key, value in item.items() if key != "status"}
    for key, empty in (("summary", []), ("content", []), ("arguments", "")):
        if key in less:
            less[key] = empty
    return less if item["type"] == "reasoning" else {**less, "status": "in_progress"}


def _response(reply: Reply, items: list[dict[str, Any]], status: str) -> dict[str, Any]:
    details = {"reason": "max_output_tokens"} if status == "incomplete" else None
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": status,
        "error": None,
        "incomplete_details": details,
        "instructions": None,
        "metadata": {},
        "model": "m",
        "output": items,
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": {
            "input_tokens": reply.prompt,
            "input_tokens_details": {"cached_tokens": reply.cached},
            "output_tokens": reply.written,
            "output_tokens_details": {"reasoning_tokens": reply.reasoning},
            "total_tokens": reply.prompt + reply.written,
        },
    }
