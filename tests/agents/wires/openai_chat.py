"""OpenAI's Chat Completions: its requests and its answers.

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
from tests.agents.script import Answer, Asked, Item, RefusalError

MODEL = "gpt-5-mini"
STREAM = "text/event-stream"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v1/chat/completions":
        raise RefusalError(f"Invalid URL (POST {path})", 404)
    asked = Asked(body["model"], bool(body.get("stream")))
    asked.thinks = body.get("reasoning_effort") not in (None, "none", "minimal")
    for i, tool in enumerate(body.get("tools", [])):
        function = tool["function"]
        asked.tools.append(function["name"])
        checked_schema(function.get("parameters", {"type": "object"}), f"tools[{i}]")
    if "logit_bias" in body:
        raise RefusalError("Unsupported parameter: 'logit_bias' is not supported with this model.")
    _messages(asked, body["messages"])
    return asked


def _messages(asked: Asked, messages: Any) -> None:
    for i, message in enumerate(messages):
        at = f"messages[{i}]"
        role, content = message["role"], message.get("content")
        if role == "tool":
            text = "".join(part.text for part in _parts(content, at))
            asked.add(Item("result", text, id=message["tool_call_id"]))
        elif role == "user":
            asked.add(*_parts(content, at))
        elif role == "assistant":
            _assistant(asked, message, at)
        else:
            asked.system += "".join(part.text for part in _parts(content, at))


def _assistant(asked: Asked, message: Any, at: str) -> None:
    for part in _parts(message.get("content") or [], at):
        if part.text:
            asked.add(Item("text", part.text))
    for call in message.get("tool_calls") or []:
        function = call["function"]
        data = as_object(function["arguments"], at)
        asked.add(Item("call", id=call["id"], name=function["name"], data=data))


def _parts(content: Any, at: str) -> list[Item]:
    if isinstance(content, str):
        return [Item("user", content)]
    return [
        Item("image", data=data_url(part["image_url"]["url"], at))
        if part["type"] == "image_url"
        else Item("user", part[part["type"]])
        for part in content
    ]


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
