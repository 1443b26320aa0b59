"""OpenAI's Responses: its requests and its answers.

Source: the API's reference of 2026-11.
"""

from __future__ import annotations

import json
from typing import Any

from tests.agents.reading import (
    as_object,
    checked_schema,
    data_url,
    pieces,
)
from tests.agents.script import Answer, Asked, Item, RefusalError, seal

MODEL = "gpt-5.1"
STREAM = "text/event-stream"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v1/responses":
        raise RefusalError(f"Invalid URL (POST {path})", 404)
    asked = Asked(body["model"], bool(body.get("stream")))
    asked.system = body.get("instructions") or ""
    asked.thinks = (body.get("reasoning") or {}).get("effort") not in (None, "none")
    for i, tool in enumerate(body.get("tools") or []):
        if tool["type"] == "function":
            checked_schema(tool.get("parameters") or {"type": "object"}, f"tools[{i}]")
        if tool["type"] in ("function", "custom"):
            asked.tools.append(tool["name"])
    items = body["input"]
    if isinstance(items, str):
        items = [{"role": "user", "content": items}]
    for i, item in enumerate(items):
        at = f"input[{i}]"
        kind = item.get("type", "message")
        if kind == "message":
            _message(asked, item, at)
        elif kind == "reasoning":
            _reasoning(asked, item, body.get("store", True))
        elif kind == "function_call":
            data = as_object(item["arguments"], at)
            if "think" in (item.get("id") or "") and items[i - 1].get("type") != "reasoning":
                raise RefusalError(
                    f"Item '{item['id']}' of type 'function_call' was provided without its"
                    " required 'reasoning' item"
                )
            asked.add(Item("call", id=item["call_id"], name=item["name"], data=data))
        elif kind == "custom_tool_call":
            asked.add(Item("call", id=item["call_id"], name=item["name"], data=item["input"]))
        else:
            said = _parts(item["output"], at)
            text = "".join(part.text for part in said)
            asked.add(Item("result", text, id=item["call_id"]))
            asked.add(*(part for part in said if part.kind == "image"))
    return asked


def _reasoning(asked: Asked, item: Any, stored: bool) -> None:
    sealed = item.get("encrypted_content")
    if sealed is None and not stored:
        raise RefusalError(
            f"Item with id '{item.get('id')}' not found. Items are not persisted when `store` is"
            " set to false."
        )
    text = "".join(part["text"] for part in item["summary"])
    if sealed is not None and sealed != seal(text):
        raise RefusalError("The encrypted content could not be verified.")
    asked.add(Item("thought", text, seal=sealed))


def _message(asked: Asked, item: Any, at: str) -> None:
    parts = _parts(item["content"], at)
    if item["role"] == "user":
        asked.add(*parts)
    elif item["role"] == "assistant":
        asked.add(*(Item("text", part.text) for part in parts if part.text))
    else:
        asked.system += "".join(part.text for part in parts)


def _parts(content: Any, at: str) -> list[Item]:
    if isinstance(content, str):
        return [Item("user", content)]
    return [
        Item("image", data=data_url(part["image_url"], at))
        if part["type"] == "input_image"
        else Item("user", part.get("text", ""))
        for part in content
    ]


def _output(answer: Answer, mark: str) -> list[dict[str, Any]]:
    output: list[dict[str, Any]] = []
    if answer.thinking:
        summary = [{"type": "summary_text", "text": answer.thinking}]
        sealed = {"encrypted_content": seal(answer.thinking), "summary": summary}
        output.append({"id": f"rs_Wg{mark}", "type": "reasoning", **sealed})
    if answer.text:
        part = {"type": "output_text", "annotations": [], "logprobs": [], "text": answer.text}
        head = {"id": f"msg_Wg{mark}", "type": "message", "status": "completed"}
        output.append({**head, "content": [part], "role": "assistant"})
    thinks = "think" if answer.thinking else ""
    for i, (name, arguments) in enumerate(answer.calls):
        head = {"id": f"fc_Wg{thinks}{mark}{i}", "type": "function_call", "status": "completed"}
        call = {"call_id": f"call_Wg{mark}{i}", "name": name}
        text = json.dumps(arguments, ensure_ascii=False)
        output.append({**head, "arguments": text, **call})
    return output


_USAGE = {
    "input_tokens": 31,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 9,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 40,
}


def _response(asked: Asked, mark: str, **more: Any) -> dict[str, Any]:
    head = {"id": f"resp_Wg{mark}", "object": "response", "created_at": 1790000000}
    rest = {
        "status": "in_progress",
        "background": False,
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "max_output_tokens": None,
        "model": asked.model,
        "output": [],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": "medium", "summary": None},
        "store": False,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}, "verbosity": "medium"},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": None,
        "metadata": {},
    }
    return {**head, **rest, **more}


def whole(asked: Asked, answer: Answer, mark: str) -> bytes:
    done = {"status": "completed", "output": _output(answer, mark), "usage": _USAGE}
    return json.dumps(_response(asked, mark, **done)).encode()


def _within(item: dict[str, Any], index: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return an item as it begins, and the events until its end."""
    place = {"item_id": item["id"], "output_index": index}
    events: list[dict[str, Any]]
    if item["type"] == "message":
        (part,) = item["content"]
        place["content_index"] = 0
        events = [{"type": "response.content_part.added", "part": {**part, "text": ""}}]
        events += [
            {"type": "response.output_text.delta", "delta": piece, "logprobs": []}
            for piece in pieces(part["text"])
        ]
        done = {"type": "response.output_text.done", "text": part["text"], "logprobs": []}
        events += [done, {"type": "response.content_part.done", "part": part}]
        begin = {"content": [], "status": "in_progress"}
    elif item["type"] == "reasoning":
        (part,) = item["summary"]
        place["summary_index"] = 0
        name = "response.reasoning_summary"
        events = [{"type": f"{name}_part.added", "part": {**part, "text": ""}}]
        events += [{"type": f"{name}_text.delta", "delta": piece} for piece in pieces(part["text"])]
        events += [
            {"type": f"{name}_text.done", "text": part["text"]},
            {"type": f"{name}_part.done", "part": part},
        ]
        # Real streams have another encrypted content at the start, which is not to be used.
        begin = {"summary": [], "encrypted_content": "not yet"}
    else:
        name = "response.function_call_arguments"
        events = [{"type": f"{name}.delta", "delta": p} for p in pieces(item["arguments"], 4)]
        events.append({"type": f"{name}.done", "arguments": item["arguments"]})
        begin = {"arguments": "", "status": "in_progress"}
    return {**item, **begin}, [{**event, **place} for event in events]


def frames(asked: Asked, answer: Answer, mark: str) -> list[bytes]:
    output = _output(answer, mark)
    start = _response(asked, mark)
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": start},
        {"type": "response.in_progress", "response": start},
    ]
    for index, item in enumerate(output):
        begin, within = _within(item, index)
        events.append({"type": "response.output_item.added", "output_index": index, "item": begin})
        events += within
        events.append({"type": "response.output_item.done", "output_index": index, "item": item})
    end = _response(asked, mark, status="completed", output=output, usage=_USAGE)
    events.append({"type": "response.completed", "response": end})
    return [_event(event, number) for number, event in enumerate(events)]


def _event(event: dict[str, Any], number: int) -> bytes:
    numbered = {**event, "sequence_number": number}
    return f"event: {event['type']}\ndata: {json.dumps(numbered)}\n\n".encode()


BROKEN = "An error occurred while processing your request."
OVERFLOW = "Your input exceeds the context window of this model. Please adjust your input."
LIMIT = "Rate limit reached for gpt-5.1 in organization org-x on tokens per min (TPM)"


def error(status: int, message: str) -> tuple[dict[str, str], bytes]:
    code = {OVERFLOW: "context_length_exceeded", LIMIT: "rate_limit_exceeded"}.get(message)
    kind = "tokens" if status == 429 else "invalid_request_error"
    said = {"message": message, "type": kind, "param": None, "code": code}
    return {"x-request-id": "req_Wg"}, json.dumps({"error": said}).encode()


def broken(asked: Asked, mark: str) -> bytes:
    failed = {"status": "failed", "error": {"code": "server_error", "message": BROKEN}}
    response = _response(asked, mark, **failed)
    return _event({"type": "response.failed", "response": response}, 7)
