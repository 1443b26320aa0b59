"""OpenAI's Responses: its requests, with what it refuses, and its answers.

Sources: the API's reference of 2026-11 and its errors in public reports (docs/refusals.md).
"""

from __future__ import annotations

import json
from typing import Any

from tests.agents.reading import (
    as_object,
    checked_schema,
    data_url,
    keys,
    listed,
    matched,
    pieces,
    text_of,
)
from tests.agents.script import Answer, Asked, Item, RefusalError, seal

MODEL = "gpt-5.1"
STREAM = "text/event-stream"
_BODY = (
    "stream stream_options instructions tools tool_choice parallel_tool_calls reasoning text"
    " include store max_output_tokens metadata user safety_identifier prompt_cache_key"
    " prompt_cache_retention service_tier truncation max_tool_calls background top_logprobs"
    " client_metadata"
)
_NAME = r"[a-zA-Z0-9_-]{1,128}"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v1/responses":
        raise RefusalError(f"Invalid URL (POST {path})", 404)
    reasoning = keys(body.get("reasoning") or {}, "reasoning", "effort summary context")
    thinks = reasoning.get("effort") not in (None, "none")  # gpt-5.1 does not by itself
    keys(body, "body", _BODY if thinks else f"{_BODY} temperature top_p", "model input")
    asked = Asked(body["model"], bool(body.get("stream")))
    asked.system = body.get("instructions") or ""
    asked.thinks = thinks
    for i, tool in enumerate(listed(body.get("tools") or [], "tools")):
        _tool(asked, tool, f"tools[{i}]")
    if body.get("tool_choice") not in (None, "auto", "none") and not asked.tools:
        raise RefusalError("Tool choice must be 'auto' or 'none' when no tools are given.")
    items = body["input"]
    if isinstance(items, str):
        items = [{"role": "user", "content": items}]
    _items(asked, listed(items, "input", 1), body.get("store", True))
    return asked


def _tool(asked: Asked, tool: Any, at: str) -> None:
    kind = keys(tool, at, " ".join(tool), "type")["type"]
    if kind == "function":
        keys(tool, at, "type description strict parameters defer_loading", "name")
        checked_schema(tool.get("parameters") or {"type": "object"}, at)
        # Left out, `strict` is true where the schema allows it; said so, the schema has to.
        if tool.get("strict"):
            schema = tool["parameters"]
            if sorted(schema.get("required", [])) != sorted(schema.get("properties", {})):
                raise RefusalError(f"Invalid schema for function '{tool['name']}': 'required'")
        asked.tools.append(matched(_NAME, tool["name"], f"{at}.name"))
    elif kind == "custom":
        keys(tool, at, "type description format defer_loading", "name")
        asked.tools.append(matched(_NAME, tool["name"], f"{at}.name"))
    elif kind not in ("web_search", "namespace", "tool_search", "local_shell", "image_generation"):
        raise RefusalError(f"Invalid value: '{kind}' for {at}.type")


def _items(asked: Asked, items: list[Any], stored: bool) -> None:
    calls: list[str] = []
    results: list[str] = []
    for i, item in enumerate(items):
        at = f"input[{i}]"
        kind = item.get("type", "message")
        if kind == "message":
            _message(asked, item, at)
        elif kind == "function_call":
            keys(item, at, "type id status namespace", "call_id name arguments")
            if item.get("id") is not None:
                matched(r"fc_.{1,60}", item["id"], f"{at}.id")
                if "think" in item["id"] and items[i - 1].get("type") != "reasoning":
                    raise RefusalError(
                        f"Item '{item['id']}' of type 'function_call' was provided without its"
                        " required 'reasoning' item"
                    )
            call_id = matched(r".{1,64}", item["call_id"], f"{at}.call_id")
            data = as_object(item["arguments"], at)
            name = matched(_NAME, item["name"], f"{at}.name")
            asked.add(Item("call", id=call_id, name=name, data=data))
            calls.append(call_id)
        elif kind == "custom_tool_call":
            keys(item, at, "type id status namespace", "call_id name input")
            asked.add(Item("call", id=item["call_id"], name=item["name"], data=item["input"]))
            calls.append(item["call_id"])
        elif kind in ("function_call_output", "custom_tool_call_output"):
            keys(item, at, "type id status", "call_id output")
            if item["call_id"] not in calls:
                raise RefusalError(
                    f"No tool call found for function call output with call_id {item['call_id']}."
                )
            results.append(item["call_id"])
            said = _parts(item["output"], "input_text input_image", at)
            text = "".join(part.text for part in said)
            asked.add(Item("result", text, id=item["call_id"]))
            asked.add(*(part for part in said if part.kind == "image"))
        elif kind == "reasoning":
            _reasoning(asked, item, at, stored)
            following = items[i + 1].get("type", "message") if i + 1 < len(items) else None
            if following in (None, "function_call_output"):
                raise RefusalError(
                    f"Item '{item.get('id')}' of type 'reasoning' was provided without its required"
                    " following item."
                )
        else:
            raise RefusalError(f"Invalid value: '{kind}' for {at}.type")
    for call_id in calls:
        if call_id not in results:
            raise RefusalError(f"No tool output found for function call {call_id}.")


def _reasoning(asked: Asked, item: Any, at: str, stored: bool) -> None:
    keys(item, at, "type id content encrypted_content status", "summary")
    if item.get("id") is not None:
        matched(r"rs_.{1,60}", item["id"], f"{at}.id")
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
    keys(item, at, "type id status phase", "role content")
    role = item["role"]
    if role == "assistant":
        if item.get("id") is not None:
            matched(r"msg_.{1,60}", item["id"], f"{at}.id")
        for part in _parts(item["content"], "output_text refusal", at):
            if part.text:
                asked.add(Item("text", part.text))
    elif role == "user":
        asked.add(*_parts(item["content"], "input_text input_image input_file", at))
    elif role in ("system", "developer"):
        parts = _parts(item["content"], "input_text", at)
        asked.system += "".join(part.text for part in parts)
    else:
        raise RefusalError(f"Invalid value: '{role}' for {at}.role")


def _parts(content: Any, kinds: str, at: str) -> list[Item]:
    if isinstance(content, str):
        return [Item("user", content)]
    items = []
    for part in listed(content, f"{at}.content"):
        kind = part.get("type")
        if kind not in kinds.split():
            raise RefusalError(f"Invalid value: '{kind}' for {at}.content.type")
        if kind == "input_image":
            keys(part, at, "type detail", "image_url")
            items.append(Item("image", data=data_url(part["image_url"], at)))
        else:
            keys(part, at, "type annotations logprobs", "text")
            items.append(Item("user", text_of(part["text"], at)))
    return items


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
