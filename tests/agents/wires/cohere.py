"""Cohere's chat (v2): its requests and its answers.

Source: the API's reference of 2026-11.
"""

from __future__ import annotations

import json
from typing import Any

from tests.agents.reading import (
    as_object,
    checked_schema,
    data_url,
    matched,
    pieces,
    text_of,
)
from tests.agents.script import Answer, Asked, Item, RefusalError

MODEL = "command-a-reasoning-08-2025"
STREAM = "text/event-stream"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v2/chat":
        raise RefusalError("404 page not found", 404)
    asked = Asked(body["model"], bool(body.get("stream")))
    asked.thinks = (body.get("thinking") or {}).get("type") == "enabled"
    for i, tool in enumerate(body.get("tools", [])):
        at = f"tools[{i}]"
        asked.tools.append(matched(r"[a-zA-Z_][a-zA-Z0-9_-]*", tool["function"]["name"], at))
        checked_schema(tool["function"]["parameters"], at)
    _messages(asked, body["messages"])
    if asked.tools and any(item.kind == "image" for item in asked.items):
        raise RefusalError("tools are not supported with images")
    return asked


def _messages(asked: Asked, messages: list[Any]) -> None:
    for i, message in enumerate(messages):
        at = f"messages[{i}]"
        role = message["role"]
        if role == "assistant":
            _assistant(asked, message, at)
            continue
        parts = _parts(message["content"], at)
        if role == "user":
            asked.add(*parts)
        elif role == "tool":
            text = "".join(part.text for part in parts)
            asked.add(Item("result", text, id=message["tool_call_id"]))
        else:
            asked.system += "".join(part.text for part in parts)


def _assistant(asked: Asked, message: Any, at: str) -> None:
    for part in _parts(message.get("content") or [], at):
        asked.add(Item("thought" if part.kind == "thought" else "text", part.text))
    if message.get("tool_plan"):
        asked.add(Item("text", message["tool_plan"]))
    for call in message.get("tool_calls") or []:
        function = call["function"]
        data = as_object(function["arguments"], at)
        asked.add(Item("call", id=call["id"], name=function["name"], data=data))


def _parts(content: Any, at: str) -> list[Item]:
    if isinstance(content, str):
        return [Item("user", text_of(content, at, empty=False))]
    items = []
    for part in content:
        kind = part["type"]
        if kind == "image_url":
            items.append(Item("image", data=data_url(part["image_url"]["url"], at)))
        elif kind == "document":
            items.append(Item("user", "".join(map(str, part["document"]["data"].values()))))
        else:
            items.append(Item("thought" if kind == "thinking" else "user", part[kind]))
    return items


def _calls(answer: Answer, mark: str) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{name}_Wg{mark}{i}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)},
        }
        for i, (name, arguments) in enumerate(answer.calls)
    ]


_USAGE = {
    "billed_units": {"input_tokens": 31, "output_tokens": 9},
    "tokens": {"input_tokens": 61, "output_tokens": 9},
}


def _stop(answer: Answer) -> str:
    return "TOOL_CALL" if answer.calls else "COMPLETE"


def _content(answer: Answer) -> list[dict[str, Any]]:
    thought = {"type": "thinking", "thinking": answer.thinking}
    text = {"type": "text", "text": answer.text}
    return [*([thought] if answer.thinking else []), *([text] if _says(answer) else [])]


def _says(answer: Answer) -> bool:
    """Whether the text is content: beside calls it is their plan."""
    return bool(answer.text) and not answer.calls


def whole(asked: Asked, answer: Answer, mark: str) -> bytes:
    message: dict[str, Any] = {"role": "assistant"}
    if content := _content(answer):
        message["content"] = content
    if answer.calls:
        message |= {"tool_plan": answer.text, "tool_calls": _calls(answer, mark)}
    end = {"finish_reason": _stop(answer), "usage": _USAGE}
    return json.dumps({"id": f"Wg{mark}", "message": message, **end}).encode()


def _event(kind: str, **more: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode()


def _delta(kind: str, index: int, **message: Any) -> bytes:
    return _event(kind, index=index, delta={"message": message})


def frames(asked: Asked, answer: Answer, mark: str) -> list[bytes]:
    empty = {"role": "assistant", "content": [], "tool_plan": "", "tool_calls": [], "citations": []}
    events = [_event("message-start", id=f"Wg{mark}", delta={"message": empty})]
    if answer.calls:
        events += [
            _event("tool-plan-delta", delta={"message": {"tool_plan": piece}})
            for piece in pieces(answer.text)
        ]
    for index, part in enumerate(_content(answer)):
        kind = part["type"]
        events.append(_delta("content-start", index, content={"type": kind, kind: ""}))
        events += [
            _delta("content-delta", index, content={kind: piece}) for piece in pieces(part[kind])
        ]
        events.append(_event("content-end", index=index))
    for index, call in enumerate(_calls(answer, mark)):
        arguments = call["function"].pop("arguments")
        begin = {**call, "function": {**call["function"], "arguments": ""}}
        events.append(_delta("tool-call-start", index, tool_calls=begin))
        events += [
            _delta("tool-call-delta", index, tool_calls={"function": {"arguments": piece}})
            for piece in pieces(arguments, 4)
        ]
        events.append(_event("tool-call-end", index=index))
    end = {"finish_reason": _stop(answer), "usage": _USAGE}
    return [*events, _event("message-end", id=f"Wg{mark}", delta=end), b"data: [DONE]\n\n"]


BROKEN = "internal server error"
OVERFLOW = (
    "too many tokens: size limit exceeded by 25836 tokens. Try using shorter or fewer inputs. The"
    " limit for this model is 288000 tokens."
)
LIMIT = "Please wait and try again later"


def error(status: int, message: str) -> tuple[dict[str, str], bytes]:
    return {}, json.dumps({"id": "Wg", "message": message}).encode()


def broken(asked: Asked, mark: str) -> bytes:
    end = {"finish_reason": "ERROR", "error": BROKEN}
    return _event("message-end", id="Wg", delta=end)
