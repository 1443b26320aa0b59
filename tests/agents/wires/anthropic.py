"""Anthropic Messages: its requests and its answers. Source: the API's reference of 2026-11."""

from __future__ import annotations

import json
from typing import Any

from tests.agents.reading import checked_image, checked_schema, pieces
from tests.agents.script import Answer, Asked, Item, RefusalError, seal

MODEL = "claude-sonnet-4-5"
STREAM = "text/event-stream"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v1/messages":
        raise RefusalError(f"{path} not found", 404)
    if headers.get("anthropic-version") != "2023-06-01":
        raise RefusalError("anthropic-version: header is required")
    asked = Asked(body["model"], body.get("stream", False))
    asked.thinks = (body.get("thinking") or {}).get("type") not in (None, "disabled")
    asked.system = _system(body.get("system", ""))
    for i, tool in enumerate(body.get("tools", [])):
        asked.tools.append(tool["name"])
        if "input_schema" in tool:
            checked_schema(tool["input_schema"], f"tools.{i}.input_schema")
    if body.get("tool_choice") is not None and not asked.tools:
        raise RefusalError("tool_choice may only be specified while providing tools")
    for i, message in enumerate(body["messages"]):
        if i == 0 and message["role"] != "user":
            raise RefusalError('messages: first message must use the "user" role')
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            asked.add(*_block(message["role"], block, f"messages.{i}.content"))
    return asked


def _system(system: Any) -> str:
    return system if isinstance(system, str) else "\n".join(block["text"] for block in system)


def _block(role: str, block: Any, at: str) -> list[Item]:
    kind = block["type"]
    if kind == "text":
        return [Item("user" if role == "user" else "text", block["text"])]
    if kind == "image" and role == "user":
        source = block["source"]
        kind = source["media_type"].removeprefix("image/")
        return [Item("image", data=checked_image(kind, source["data"], at))]
    if kind == "thinking" and role == "assistant":
        if block["signature"] != seal(block["thinking"]):
            raise RefusalError(f"{at}: Invalid `signature` in `thinking` block")
        return [Item("thought", block["thinking"], seal=block["signature"])]
    if kind == "tool_use" and role == "assistant":
        return [Item("call", id=block["id"], name=block["name"], data=block["input"])]
    if kind == "tool_result" and role == "user":
        content = block.get("content", "")
        inner = [{"type": "text", "text": content}] if isinstance(content, str) else content
        items = [item for part in inner for item in _block("user", part, at)]
        text = "".join(item.text for item in items)
        images = [item for item in items if item.kind == "image"]
        return [Item("result", text, id=block["tool_use_id"]), *images]
    raise RefusalError(f"{at}: Input tag '{kind}' found in a message of the role {role}")


def _blocks(answer: Answer, mark: str) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if answer.thinking:
        signed = {"thinking": answer.thinking, "signature": seal(answer.thinking)}
        blocks.append({"type": "thinking", **signed})
    if answer.text:
        blocks.append({"type": "text", "text": answer.text})
    for i, (name, arguments) in enumerate(answer.calls):
        call = {"id": f"toolu_01Wg{mark}{i}", "name": name, "input": arguments}
        blocks.append({"type": "tool_use", **call})
    return blocks


def _message(asked: Asked, mark: str, **more: Any) -> dict[str, Any]:
    head = {"id": f"msg_01Wg{mark}", "type": "message", "role": "assistant", "model": asked.model}
    usage = {
        "input_tokens": 31,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": 9,
        "service_tier": "standard",
    }
    ends = {"stop_reason": None, "stop_sequence": None, "usage": usage}
    return {**head, "content": [], **ends, **more}


def _stop(answer: Answer) -> str:
    return "tool_use" if answer.calls else "end_turn"


def whole(asked: Asked, answer: Answer, mark: str) -> bytes:
    message = _message(asked, mark, content=_blocks(answer, mark), stop_reason=_stop(answer))
    return json.dumps(message).encode()


def _event(kind: str, **more: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode()


_EMPTY = {
    "text": {"text": ""},
    "thinking": {"thinking": "", "signature": ""},
    "tool_use": {"input": {}},
}


def _deltas(block: dict[str, Any]) -> list[dict[str, Any]]:
    if block["type"] == "text":
        return [{"type": "text_delta", "text": piece} for piece in pieces(block["text"])]
    if block["type"] == "thinking":
        deltas = [
            {"type": "thinking_delta", "thinking": part} for part in pieces(block["thinking"])
        ]
        return [*deltas, {"type": "signature_delta", "signature": block["signature"]}]
    parts = ["", *pieces(json.dumps(block["input"], ensure_ascii=False), 4)]
    return [{"type": "input_json_delta", "partial_json": part} for part in parts]


def frames(asked: Asked, answer: Answer, mark: str) -> list[bytes]:
    events = [_event("message_start", message=_message(asked, mark)), _event("ping")]
    for index, block in enumerate(_blocks(answer, mark)):
        begin = {**block, **_EMPTY[block["type"]]}
        events.append(_event("content_block_start", index=index, content_block=begin))
        events += [
            _event("content_block_delta", index=index, delta=delta) for delta in _deltas(block)
        ]
        events.append(_event("content_block_stop", index=index))
    ends = {"stop_reason": _stop(answer), "stop_sequence": None}
    events.append(_event("message_delta", delta=ends, usage={"output_tokens": 9}))
    return [*events, _event("message_stop")]


_KINDS = {429: "rate_limit_error", 404: "not_found_error", 529: "overloaded_error"}


def _error(status: int, message: str) -> dict[str, Any]:
    kind = _KINDS.get(status, "invalid_request_error")
    said = {"type": kind, "message": message}
    return {"type": "error", "error": said, "request_id": "req_011Wg"}


def error(status: int, message: str) -> tuple[dict[str, str], bytes]:
    return {"request-id": "req_011Wg"}, json.dumps(_error(status, message)).encode()


BROKEN = "Overloaded"
OVERFLOW = "prompt is too long: 212301 tokens > 200000 maximum"
LIMIT = "This request would exceed your organization's rate limit of 50,000 input tokens per minute"


def broken(asked: Asked, mark: str) -> bytes:
    said = {"error": {"type": "overloaded_error", "message": BROKEN}}
    return _event("error", **said)
