"""Mistral's chat completions: their requests and their answers.

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

MODEL = "mistral-small-latest"
STREAM = "text/event-stream"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v1/chat/completions":
        raise RefusalError("no Route matched with those values", 404)
    asked = Asked(body["model"], bool(body.get("stream")))
    asked.thinks = body.get("prompt_mode") == "reasoning" or bool(body.get("reasoning_effort"))
    for i, tool in enumerate(body.get("tools") or []):
        asked.tools.append(tool["function"]["name"])
        checked_schema(tool["function"]["parameters"], f"tools.{i}")
    _messages(asked, body["messages"])
    return asked


# As the validator of `mistral-common` 1.13 has it.
_NEXT = {
    "start": "system user",
    "system": "system user assistant",
    "user": "user assistant system",
    "assistant": "assistant user tool",
    "tool": "tool assistant user",
}


def _messages(asked: Asked, messages: list[Any]) -> None:
    before = "start"
    for i, message in enumerate(messages):
        at = f"messages.{i}"
        role = message["role"]
        if role not in _NEXT[before].split():
            raise RefusalError(f"Unexpected role '{role}' after role '{before}'")
        if role == "assistant":
            _assistant(asked, message, at)
        elif role == "tool":
            text = "".join(part.text for part in _parts(message["content"], at))
            asked.add(Item("result", text, id=message["tool_call_id"]))
        elif role == "user":
            asked.add(*_parts(message["content"], at))
        else:
            asked.system += "".join(part.text for part in _parts(message["content"], at))
        before = role


def _assistant(asked: Asked, message: Any, at: str) -> None:
    for part in _parts(message.get("content") or "", at):
        if part.text:
            asked.add(Item("thought" if part.kind == "thought" else "text", part.text))
    for call in message.get("tool_calls") or []:
        function = call["function"]
        data = as_object(function["arguments"], at)
        asked.add(Item("call", id=call["id"], name=function["name"], data=data))


def _parts(content: Any, at: str) -> list[Item]:
    if isinstance(content, str):
        return [Item("user", content)]
    items = []
    for part in content:
        if part["type"] == "image_url":
            url = part["image_url"]
            url = url if isinstance(url, str) else url["url"]
            items.append(Item("image", data=data_url(url, at)))
        elif part["type"] == "thinking":
            items.append(Item("thought", "".join(one["text"] for one in part["thinking"])))
        else:
            items.append(Item("user", part["text"]))
    return items


_USAGE = {"prompt_tokens": 31, "completion_tokens": 9, "total_tokens": 40}


def _calls(answer: Answer, mark: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"Wg{mark}{i}z",
            "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)},
            "index": i,
        }
        for i, (name, arguments) in enumerate(answer.calls)
    ]


def _thinking(text: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}


def _head(asked: Asked, mark: str, kind: str) -> dict[str, Any]:
    return {"id": f"cmpl{mark}", "object": kind, "created": 1790000000, "model": asked.model}


def _stop(answer: Answer) -> str:
    return "tool_calls" if answer.calls else "stop"


def whole(asked: Asked, answer: Answer, mark: str) -> bytes:
    message = {"role": "assistant", "tool_calls": _calls(answer, mark) or None}
    message["content"] = answer.text
    if answer.thinking:
        message["content"] = [_thinking(answer.thinking)]
        message["content"] += [{"type": "text", "text": answer.text}] if answer.text else []
    choice = {"index": 0, "message": message, "finish_reason": _stop(answer)}
    head = _head(asked, mark, "chat.completion")
    return json.dumps({**head, "usage": _USAGE, "choices": [choice]}).encode()


def _data(value: Any) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def frames(asked: Asked, answer: Answer, mark: str) -> list[bytes]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": [_thinking(piece)]} for piece in pieces(answer.thinking)]
    deltas += [{"content": piece} for piece in pieces(answer.text)]
    end: dict[str, Any] = {"content": ""}
    if answer.calls:  # whole, in one delta
        end["tool_calls"] = _calls(answer, mark)
    choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": end, "finish_reason": _stop(answer)})
    head = _head(asked, mark, "chat.completion.chunk")
    chunks = [{**head, "choices": [choice], "p": "abc"} for choice in choices]
    chunks[-1]["usage"] = _USAGE
    return [*map(_data, chunks), b"data: [DONE]\n\n"]


BROKEN = "Internal server error"
OVERFLOW = (
    "Prompt contains 212301 tokens and 0 draft tokens, too large for model with 131072 maximum"
    " context length"
)
LIMIT = "Rate limit exceeded"


def error(status: int, message: str) -> tuple[dict[str, str], bytes]:
    kind, code = ("rate_limited", "1300") if status == 429 else ("invalid_request_message", "3230")
    said = {"object": "error", "message": message, "type": kind, "param": None, "code": code}
    return {}, json.dumps({**said, "raw_status_code": status}).encode()


def broken(asked: Asked, mark: str) -> bytes:
    said = {"object": "error", "message": BROKEN, "type": "internal_server_error"}
    return _data({**said, "param": None, "code": "1000", "raw_status_code": 500})
