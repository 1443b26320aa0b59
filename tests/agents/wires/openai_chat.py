"""OpenAI's Chat Completions: its requests, with what it refuses, and its answers.

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
from tests.agents.script import Answer, Asked, Item, RefusalError

MODEL = "gpt-5-mini"
STREAM = "text/event-stream"
_BODY = (
    "stream stream_options tools tool_choice parallel_tool_calls reasoning_effort verbosity"
    " max_completion_tokens response_format metadata store user safety_identifier"
    " prompt_cache_key service_tier n seed modalities prediction web_search_options"
)
# What the models that think refuse.
_OLDER = "max_tokens temperature top_p frequency_penalty presence_penalty stop logprobs logit_bias"
_KEYS = {
    "system": "role name",
    "developer": "role name",
    "user": "role name",
    "assistant": "role name refusal tool_calls",
    "tool": "role",
}


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v1/chat/completions":
        raise RefusalError(f"Invalid URL (POST {path})", 404)
    thinks = str(body.get("model")).startswith("gpt-5")
    keys(body, "body", _BODY if thinks else f"{_BODY} {_OLDER}", "model messages")
    asked = Asked(body["model"], bool(body.get("stream")))
    asked.thinks = body.get("reasoning_effort") not in (None, "none", "minimal")
    if "stream_options" in body and not asked.stream:
        raise RefusalError(
            "The 'stream_options' parameter is only allowed when 'stream' is enabled."
        )
    for i, tool in enumerate(listed(body.get("tools", []), "tools")):
        at = f"tools[{i}]"
        keys(tool, at, "", "type function")
        function = keys(tool["function"], at, "description parameters strict", "name")
        asked.tools.append(matched(r"[a-zA-Z0-9_-]{1,64}", function["name"], f"{at}.function.name"))
        checked_schema(function.get("parameters", {"type": "object"}), at)
        if function.get("strict"):
            _strict(function["parameters"], at)
    for name in ("tool_choice", "parallel_tool_calls"):
        if body.get(name) is not None and not asked.tools:
            raise RefusalError(f"'{name}' is only allowed when 'tools' are specified.")
    _messages(asked, body["messages"])
    return asked


def _strict(schema: Any, at: str) -> None:
    if schema.get("additionalProperties") is not False:
        raise RefusalError(
            f"{at}: 'additionalProperties' is required to be supplied and to be false."
        )
    if sorted(schema.get("required", [])) != sorted(schema.get("properties", {})):
        raise RefusalError(f"{at}: 'required' is required to include every key in properties.")


def _messages(asked: Asked, messages: Any) -> None:
    open_calls: list[str] = []
    for i, message in enumerate(listed(messages, "messages", 1)):
        at = f"messages[{i}]"
        role = keys(message, at, " ".join(message), "role")["role"]
        if role not in _KEYS:
            raise RefusalError(f"Invalid value: '{role}' for {at}.role")
        if open_calls and role != "tool":
            raise RefusalError(
                "An assistant message with 'tool_calls' must be followed by tool messages"
                f" responding to each 'tool_call_id': {', '.join(open_calls)}"
            )
        keys(message, at, _KEYS[role] + " content", "tool_call_id" if role == "tool" else "")
        content = message.get("content")
        if role == "tool":
            if message["tool_call_id"] not in open_calls:
                raise RefusalError(f"{at}: 'tool' must be a response to a preceding 'tool_calls'.")
            open_calls.remove(message["tool_call_id"])
            parts = _parts(content, at, "text")
            text = "".join(part.text for part in parts)
            asked.add(Item("result", text, id=message["tool_call_id"]))
        elif role == "user":
            asked.add(*_parts(content, at, "text image_url"))
        elif role == "assistant":
            open_calls = _assistant(asked, message, at)
        else:
            asked.system += "".join(part.text for part in _parts(content, at, "text"))
    if open_calls:
        raise RefusalError(f"No tool messages respond to 'tool_call_id': {', '.join(open_calls)}")


def _assistant(asked: Asked, message: Any, at: str) -> list[str]:
    content, calls = message.get("content"), message.get("tool_calls")
    if content is None and calls is None:
        raise RefusalError(f"Invalid value for 'content': expected a string, got null. ({at})")
    for part in _parts(content, at, "text refusal") if content else []:
        if part.text:
            asked.add(Item("text", part.text))
    for call in listed(calls, at, 1) if calls is not None else []:
        keys(call, at, "", "id type function")
        function = keys(call["function"], at, "", "name arguments")
        data = as_object(function["arguments"], at)
        name = matched(r"[a-zA-Z0-9_-]{1,64}", function["name"], at)
        asked.add(Item("call", id=matched(r".{1,40}", call["id"], at), name=name, data=data))
    return [call["id"] for call in calls or []]


def _parts(content: Any, at: str, kinds: str) -> list[Item]:
    if isinstance(content, str):
        return [Item("user", content)]
    items = []
    for part in listed(content, f"{at}.content", 1):
        if part.get("type") not in kinds.split():
            raise RefusalError(f"Invalid value: '{part.get('type')}' for {at}.content.type")
        if part["type"] == "image_url":
            keys(part, at, "type", "image_url")
            image = keys(part["image_url"], at, "detail", "url")
            items.append(Item("image", data=data_url(image["url"], at)))
        else:
            keys(part, at, "type", part["type"])
            items.append(Item("user", text_of(part[part["type"]], at)))
    return items


def _call(mark: str, i: int, name: str, arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"id": f"call_Wg{mark}{i}", "type": "function", "function": function}


_USAGE = {
    "prompt_tokens": 31,
    "completion_tokens": 9,
    "total_tokens": 40,
    "prompt_tokens_details": {"cached_tokens": 0, "audio_tokens": 0},
    "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
}


def _head(asked: Asked, mark: str, kind: str) -> dict[str, Any]:
    head = {"id": f"chatcmpl-Wg{mark}", "object": kind, "created": 1790000000}
    return {**head, "model": asked.model, "service_tier": "default"}


def whole(asked: Asked, answer: Answer, mark: str) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None}
    message |= {"refusal": None, "annotations": []}
    if answer.calls:
        message["tool_calls"] = [_call(mark, i, *call) for i, call in enumerate(answer.calls)]
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _stop(answer)}
    head = _head(asked, mark, "chat.completion")
    return json.dumps({**head, "choices": [choice], "usage": _USAGE}).encode()


def _stop(answer: Answer) -> str:
    return "tool_calls" if answer.calls else "stop"


def _data(value: Any) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def frames(asked: Asked, answer: Answer, mark: str) -> list[bytes]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": "", "refusal": None}]
    deltas += [{"content": piece} for piece in pieces(answer.text)]
    for i, call in enumerate(answer.calls):
        begin = _call(mark, i, *call)
        arguments = begin["function"]["arguments"]
        begin["function"]["arguments"] = ""
        deltas.append({"tool_calls": [{"index": i, **begin}]})
        deltas += [
            {"tool_calls": [{"index": i, "function": {"arguments": piece}}]}
            for piece in pieces(arguments, 4)
        ]
    head = _head(asked, mark, "chat.completion.chunk")
    choices: list[dict[str, Any]] = [{"delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"delta": {}, "finish_reason": _stop(answer)})
    chunks = [
        {**head, "choices": [{"index": 0, "logprobs": None, **choice}], "obfuscation": "aB3"}
        for choice in choices
    ]
    chunks.append({**head, "choices": [], "usage": _USAGE})
    return [*map(_data, chunks), b"data: [DONE]\n\n"]


BROKEN = "The server had an error while processing your request. Sorry about that!"
OVERFLOW = (
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 301245"
    " tokens. Please reduce the length of the messages."
)
LIMIT = "Rate limit reached for gpt-5-mini in organization org-x on tokens per min (TPM)"


def error(status: int, message: str) -> tuple[dict[str, str], bytes]:
    code = {OVERFLOW: "context_length_exceeded", LIMIT: "rate_limit_exceeded"}.get(message)
    kind = "tokens" if status == 429 else "invalid_request_error"
    said = {"message": message, "type": kind, "param": None, "code": code}
    return {"x-request-id": "req_Wg"}, json.dumps({"error": said}).encode()


def broken(asked: Asked, mark: str) -> bytes:
    return _data(
        {"error": {"message": BROKEN, "type": "server_error", "param": None, "code": None}}
    )
