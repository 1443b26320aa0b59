"""Ollama's chat: its requests and its answers.

Source: the server's own types (`api/types.go`, 2026-11), which ignore unknown keys.
"""

from __future__ import annotations

import json
from typing import Any

from tests.agents.reading import checked_image, checked_schema, pieces, text_of
from tests.agents.script import Answer, Asked, Item, RefusalError

MODEL = "qwen3-vl"
STREAM = "application/x-ndjson"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/api/chat":
        raise RefusalError("404 page not found", 404)
    asked = Asked(body["model"], body.get("stream", True))
    asked.thinks = bool(body.get("think"))
    for i, tool in enumerate(body.get("tools") or []):
        at = f"tools[{i}]"
        asked.tools.append(text_of(tool["function"]["name"], at, empty=False))
        checked_schema(tool["function"].get("parameters"), at)
    for i, message in enumerate(body["messages"]):
        _message(asked, message, f"messages[{i}]")
    return asked


def _message(asked: Asked, message: Any, at: str) -> None:
    role, content = message["role"], message.get("content", "")
    if role == "tool":
        calls = [item for item in asked.items if item.kind == "call"]
        call = calls[sum(item.kind == "result" for item in asked.items)]
        if message.get("tool_name", call.name) != call.name:
            raise RefusalError(f"{at}: a result of another tool")
        asked.add(Item("result", content, id=message.get("tool_call_id", call.id)))
    elif role == "user":
        asked.add(Item("user", content))
        for image in message.get("images") or []:
            asked.add(Item("image", data=checked_image("png", image, f"{at}.images")))
    elif role == "assistant":
        if message.get("thinking"):
            asked.add(Item("thought", message["thinking"]))
        if content:
            asked.add(Item("text", content))
        for call in message.get("tool_calls") or []:
            function = call["function"]
            item = Item("call", id=call.get("id"), name=function["name"])
            item.data = function["arguments"]
            asked.add(item)
    else:
        asked.system += content


def _line(asked: Asked, message: dict[str, Any], **more: Any) -> bytes:
    head = {"model": asked.model, "created_at": "2026-09-21T14:13:20.123456789Z"}
    said = {"role": "assistant", "content": "", **message}
    return json.dumps({**head, "message": said, "done": False, **more}).encode() + b"\n"


def _calls(answer: Answer, mark: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_Wg{mark}{i}",
            "function": {"index": i, "name": name, "arguments": arguments},
        }
        for i, (name, arguments) in enumerate(answer.calls)
    ]


_END = {
    "done": True,
    "done_reason": "stop",
    "total_duration": 174560334,
    "load_duration": 101397084,
    "prompt_eval_count": 31,
    "prompt_eval_duration": 13074791,
    "eval_count": 9,
    "eval_duration": 52479709,
}


def whole(asked: Asked, answer: Answer, mark: str) -> bytes:
    message: dict[str, Any] = {"content": answer.text}
    if answer.thinking:
        message["thinking"] = answer.thinking
    if answer.calls:
        message["tool_calls"] = _calls(answer, mark)
    return _line(asked, message, **_END)


def frames(asked: Asked, answer: Answer, mark: str) -> list[bytes]:
    lines = [_line(asked, {"thinking": piece}) for piece in pieces(answer.thinking)]
    lines += [_line(asked, {"content": piece}) for piece in pieces(answer.text)]
    lines += [_line(asked, {"tool_calls": [call]}) for call in _calls(answer, mark)]
    return [*lines, _line(asked, {}, **_END)]


BROKEN = "an error was encountered while running the model"
OVERFLOW = "prompt too long; exceeded max context length by 1119046 tokens"
LIMIT = "you've reached your hourly usage limit"


def error(status: int, message: str) -> tuple[dict[str, str], bytes]:
    return {}, json.dumps({"error": message}).encode()


def broken(asked: Asked, mark: str) -> bytes:
    return json.dumps({"error": BROKEN}).encode() + b"\n"
