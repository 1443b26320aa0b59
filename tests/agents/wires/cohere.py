"""Cohere's chat (v2): its requests, with what it refuses, and its answers.

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

MODEL = "command-a-reasoning-08-2025"
STREAM = "text/event-stream"
_BODY = (
    "stream tools strict_tools documents citation_options response_format safety_mode max_tokens"
    " stop_sequences temperature seed frequency_penalty presence_penalty k p logprobs tool_choice"
    " thinking priority"
)


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v2/chat":
        raise RefusalError("404 page not found", 404)
    keys(body, "body", _BODY, "model messages")
    asked = Asked(body["model"], bool(body.get("stream")))
    thinking = keys(body.get("thinking") or {}, "thinking", "type token_budget")
    asked.thinks = thinking.get("type") == "enabled"
    for i, tool in enumerate(listed(body.get("tools", []), "tools")):
        at = f"tools[{i}]"
        function = keys(
            keys(tool, at, "", "type function")["function"], at, "description", "name parameters"
        )
        asked.tools.append(matched(r"[a-zA-Z_][a-zA-Z0-9_-]*", function["name"], at))
        checked_schema(function["parameters"], at)
    if body.get("tool_choice") not in (None, "REQUIRED", "NONE"):
        raise RefusalError(f"invalid tool_choice: {body['tool_choice']}")
    if body.get("tool_choice") is not None and not asked.tools:
        raise RefusalError("tool_choice is only allowed with tools")
    _messages(asked, listed(body["messages"], "messages", 1))
    if asked.tools and any(item.kind == "image" for item in asked.items):
        raise RefusalError("tools are not supported with images")
    return asked


def _messages(asked: Asked, messages: list[Any]) -> None:
    open_calls: list[str] = []
    for i, message in enumerate(messages):
        at = f"messages[{i}]"
        role = keys(message, at, " ".join(message), "role")["role"]
        if role == "tool":
            keys(message, at, "role", "tool_call_id content")
            if message["tool_call_id"] not in open_calls:
                raise RefusalError(
                    f"tool_call_id {message['tool_call_id']} not found in tool calls"
                )
            open_calls.remove(message["tool_call_id"])
            text = "".join(part.text for part in _parts(message["content"], at, "text document"))
            asked.add(Item("result", text, id=message["tool_call_id"]))
            continue
        if open_calls:
            raise RefusalError(f"{at}: tool calls without results: {', '.join(open_calls)}")
        if role == "user":
            keys(message, at, "role", "content")
            asked.add(*_parts(message["content"], at, "text image_url"))
        elif role == "system":
            keys(message, at, "role", "content")
            asked.system += "".join(part.text for part in _parts(message["content"], at, "text"))
        elif role == "assistant":
            open_calls = _assistant(asked, message, at)
        else:
            raise RefusalError(f"{at}: invalid role {role}")
    if open_calls:
        raise RefusalError(f"tool calls without results: {', '.join(open_calls)}")


def _assistant(asked: Asked, message: Any, at: str) -> list[str]:
    keys(message, at, "role content tool_plan tool_calls citations")
    calls = message.get("tool_calls") or []
    if message.get("content"):
        for part in _parts(message["content"], at, "text thinking"):
            asked.add(Item("thought" if part.kind == "thought" else "text", part.text))
    elif not calls:
        raise RefusalError("all elements in messages must have content or tool calls")
    if message.get("tool_plan"):
        asked.add(Item("text", message["tool_plan"]))
    for call in calls:
        keys(call, at, "", "id type function")
        function = keys(call["function"], at, "", "name arguments")
        data = as_object(function["arguments"], at)
        asked.add(Item("call", id=call["id"], name=function["name"], data=data))
    return [call["id"] for call in calls]


def _parts(content: Any, at: str, kinds: str) -> list[Item]:
    if isinstance(content, str):
        return [Item("user", text_of(content, at, empty=False))]
    items = []
    for part in listed(content, at, 1):
        kind = part.get("type")
        if kind not in kinds.split():
            raise RefusalError(f"{at}: invalid content type {kind}")
        value = keys(part, at, "type", kind)[kind]
        if kind == "image_url":
            items.append(Item("image", data=data_url(keys(value, at, "detail", "url")["url"], at)))
        elif kind == "document":
            data = keys(value, at, "id", "data")["data"]
            items.append(Item("user", "".join(str(one) for one in data.values())))
        else:
            items.append(Item("thought" if kind == "thinking" else "user", text_of(value, at)))
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
