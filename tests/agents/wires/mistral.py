"""Mistral's chat completions: their requests, with what they refuse, and their answers.

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

MODEL = "mistral-small-latest"
STREAM = "text/event-stream"
_BODY = (
    "stream max_tokens min_tokens temperature top_p stop random_seed tools tool_choice"
    " parallel_tool_calls response_format n presence_penalty frequency_penalty prompt_mode"
    " reasoning_effort safe_prompt prediction metadata prompt_cache_key service_tier guardrails"
    " top_k repetition_penalty logprobs top_logprobs prompt_logprobs"
)
_ID = r"[a-zA-Z0-9]{9}"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v1/chat/completions":
        raise RefusalError("no Route matched with those values", 404)
    keys(body, "body", _BODY, "model messages")
    asked = Asked(body["model"], bool(body.get("stream")))
    asked.thinks = body.get("prompt_mode") == "reasoning" or bool(body.get("reasoning_effort"))
    for i, tool in enumerate(listed(body.get("tools") or [], "tools")):
        at = f"tools.{i}"
        function = keys(
            keys(tool, at, "type", "function")["function"],
            at,
            "description strict",
            "name parameters",
        )
        asked.tools.append(matched(r"[a-zA-Z0-9_-]{1,256}", function["name"], at))
        checked_schema(function["parameters"], at)
    _messages(asked, listed(body["messages"], "messages", 1))
    return asked


# As the validator of `mistral-common` 1.13 has it.
_NEXT = {
    "start": "system user",
    "system": "system user assistant",
    "user": "user assistant system",
    "assistant": "assistant user tool",
    "tool": "tool assistant user",
}
_COUNT = "Not the same number of function calls and responses"


def _messages(asked: Asked, messages: list[Any]) -> None:
    open_calls: list[str] = []
    before = "start"
    for i, message in enumerate(messages):
        at = f"messages.{i}"
        role = keys(message, at, " ".join(message), "role")["role"]
        if role not in _NEXT[before].split():
            raise RefusalError(f"Unexpected role '{role}' after role '{before}'")
        if open_calls and role != "tool":
            raise RefusalError(_COUNT)
        if role == "assistant":
            open_calls = _assistant(asked, message, at)
        elif role == "tool":
            keys(message, at, "role name", "tool_call_id content")
            if message["tool_call_id"] not in open_calls:
                raise RefusalError(_COUNT)
            open_calls.remove(message["tool_call_id"])
            text = "".join(part.text for part in _parts(message["content"], at))
            asked.add(Item("result", text, id=message["tool_call_id"]))
        elif role == "user":
            keys(message, at, "role", "content")
            asked.add(*_parts(message["content"], at))
        else:
            keys(message, at, "role", "content")
            asked.system += "".join(part.text for part in _parts(message["content"], at))
        before = role
    if open_calls:
        raise RefusalError(_COUNT)
    if before not in ("user", "tool") and not messages[-1].get("prefix"):
        raise RefusalError(f"Expected last role User or Tool for serving but got {before}")


def _assistant(asked: Asked, message: Any, at: str) -> list[str]:
    keys(message, at, "role content tool_calls prefix")
    calls = message.get("tool_calls") or []
    if not calls and not message.get("content"):
        raise RefusalError(
            "Assistant message must have either content or tool_calls, but not none."
        )
    for part in _parts(message.get("content") or "", at):
        if part.text:
            asked.add(Item("thought" if part.kind == "thought" else "text", part.text))
    for call in calls:
        keys(call, at, "type index", "id function")
        function = keys(call["function"], at, "", "name arguments")
        call_id = call["id"]
        if len(call_id) != 9 or not call_id.isalnum():
            raise RefusalError(
                f"Tool call id was {call_id} but must be a-z, A-Z, 0-9, with a length of 9."
            )
        data = as_object(function["arguments"], at)
        asked.add(Item("call", id=call_id, name=function["name"], data=data))
    return [call["id"] for call in calls]


def _parts(content: Any, at: str) -> list[Item]:
    if isinstance(content, str):
        return [Item("user", content)]
    items = []
    for part in listed(content, at, 1):
        kind = part.get("type")
        if kind == "text":
            items.append(Item("user", text_of(keys(part, at, "type", "text")["text"], at)))
        elif kind == "image_url":
            url = keys(part, at, "type", "image_url")["image_url"]
            if not isinstance(url, str):
                url = keys(url, at, "detail", "url")["url"]
            items.append(Item("image", data=data_url(url, at)))
        elif kind == "thinking":
            inner = keys(part, at, "type closed signature", "thinking")["thinking"]
            text = "".join(keys(one, at, "type", "text")["text"] for one in listed(inner, at))
            items.append(Item("thought", text))
        else:
            raise RefusalError(f"{at}.content: Input tag '{kind}' found")
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
