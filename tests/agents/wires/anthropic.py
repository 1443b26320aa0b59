"""Anthropic Messages: its requests, with what it refuses, and its answers.

Sources: the API's reference of 2026-11 and its errors in public reports (docs/refusals.md).
"""

from __future__ import annotations

import json
from typing import Any

from tests.agents.reading import checked_image, checked_schema, keys, listed, matched, pieces
from tests.agents.reading import text_of as text_in
from tests.agents.script import Answer, Asked, Item, RefusalError, seal

MODEL = "claude-sonnet-4-5"
STREAM = "text/event-stream"
_BODY = (
    "system tools tool_choice stream temperature top_p top_k stop_sequences metadata thinking"
    " output_config cache_control service_tier container context_management"
)
_TOOL = "description cache_control strict type eager_input_streaming defer_loading input_examples"
_SEARCH = "type max_uses allowed_domains blocked_domains user_location cache_control"
_ID = r"[a-zA-Z0-9_-]+"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    if path != "/v1/messages":
        raise RefusalError(f"{path} not found", 404)
    if headers.get("anthropic-version") != "2023-06-01":
        raise RefusalError("anthropic-version: header is required")
    keys(body, "body", _BODY, "model messages max_tokens")
    asked = Asked(body["model"], body.get("stream", False))
    asked.thinks = _thinks(body)
    asked.system = _system(body.get("system", ""))
    for i, tool in enumerate(listed(body.get("tools", []), "tools")):
        if str(tool.get("type")).startswith("web_search_"):  # which the API runs itself
            asked.tools.append(keys(tool, f"tools.{i}", _SEARCH, "name")["name"])
            continue
        keys(tool, f"tools.{i}", _TOOL, "name input_schema")
        asked.tools.append(matched(r"[a-zA-Z0-9_-]{1,128}", tool["name"], f"tools.{i}.name"))
        checked_schema(tool["input_schema"], f"tools.{i}.input_schema")
    if len(set(asked.tools)) < len(asked.tools):
        raise RefusalError("tools: Tool names must be unique.")
    if body.get("tool_choice") is not None and not asked.tools:
        raise RefusalError("tool_choice may only be specified while providing tools")
    marks = json.dumps(body).count('"cache_control"')
    if marks > 4:
        raise RefusalError(
            f"A maximum of 4 blocks with cache_control may be provided. Found {marks}."
        )
    _messages(asked, body["messages"])
    return asked


def _thinks(body: Any) -> bool:
    thinking = keys(body.get("thinking") or {}, "thinking", "type budget_tokens display")
    if thinking.get("type") in (None, "disabled"):
        return False
    if thinking["type"] != "enabled":
        raise RefusalError("adaptive thinking is not supported on this model")
    budget = thinking.get("budget_tokens", 0)
    if not 1024 <= budget < body["max_tokens"]:
        raise RefusalError("`max_tokens` must be greater than `thinking.budget_tokens`")
    if body.get("temperature", 1) != 1 or "top_k" in body:
        raise RefusalError("`temperature` may only be set to 1 when thinking is enabled.")
    if (body.get("tool_choice") or {}).get("type") in ("any", "tool"):
        raise RefusalError("Thinking may not be enabled when tool_choice forces tool use.")
    return True


def _system(system: Any) -> str:
    if isinstance(system, str):
        return system
    for block in system:
        keys(block, "system", "cache_control citations", "type text")
        text_in(block["text"], "system", empty=False)
    return "\n".join(block["text"] for block in system)


def _messages(asked: Asked, messages: Any) -> None:
    open_calls: list[str] = []
    begins = True
    for i, message in enumerate(listed(messages, "messages", 1)):
        at = f"messages.{i}"
        keys(message, at, "", "role content")
        role = message["role"]
        if role not in ("user", "assistant"):
            raise RefusalError(f'{at}.role: Unexpected role "{role}".')
        if i == 0 and role != "user":
            raise RefusalError('messages: first message must use the "user" role')
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        results = [b["tool_use_id"] for b in blocks if b.get("type") == "tool_result"]
        if open_calls and (role != "user" or sorted(open_calls) != sorted(results)):
            raise RefusalError(
                f"{at}: `tool_use` ids were found without `tool_result` blocks immediately after:"
                f" {', '.join(open_calls)}."
            )
        if results and not open_calls:
            raise RefusalError(f"{at}: unexpected `tool_use_id` found in `tool_result` blocks")
        if any(b.get("type") == "tool_result" for b in blocks[len(results) :]):
            raise RefusalError(f"{at}: `tool_result` blocks come first")
        for block in listed(blocks, f"{at}.content", 1):
            asked.add(*_block(role, block, f"{at}.content"))
        open_calls = [b["id"] for b in blocks if b.get("type") == "tool_use"]
        if role == "user":
            begins = not results
        elif open_calls and asked.thinks and begins and _is_last_loop(messages[i:]):
            _check_begin(blocks[0], at)
    if open_calls:
        raise RefusalError("`tool_use` ids were found without `tool_result` blocks at the end")
    last = messages[-1]
    if last["role"] == "assistant" and asked.thinks:
        _check_begin(blocks[0], "messages")


def _check_begin(block: Any, at: str) -> None:
    if block["type"] not in ("thinking", "redacted_thinking"):
        raise RefusalError(
            f"{at}.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
            f" `{block['type']}`. When `thinking` is enabled, a final `assistant` message must"
            " start with a thinking block"
        )


def _is_last_loop(rest: list[Any]) -> bool:
    """Whether only answers and results follow: thinking counts in the turn that is going on."""
    return all(
        message["role"] == "assistant"
        or (
            isinstance(message["content"], list)
            and any(block["type"] == "tool_result" for block in message["content"])
        )
        for message in rest
    )


def _block(role: str, block: Any, at: str) -> list[Item]:
    kind = keys(block, at, " ".join(block), "type")["type"]
    if kind == "text":
        keys(block, at, "type cache_control citations", "text")
        text = text_in(block["text"], at, empty=False)
        return [Item("user" if role == "user" else "text", text)]
    if kind == "image" and role == "user":
        keys(block, at, "type cache_control", "source")
        source = keys(block["source"], at, "", "type media_type data")
        kind = source["media_type"].removeprefix("image/")
        return [Item("image", data=checked_image(kind, source["data"], at))]
    if kind == "thinking" and role == "assistant":
        keys(block, at, "type thinking", "signature")
        if block["signature"] != seal(block["thinking"]):
            raise RefusalError(f"{at}: Invalid `signature` in `thinking` block")
        return [Item("thought", block["thinking"], seal=block["signature"])]
    if kind == "tool_use" and role == "assistant":
        keys(block, at, "type cache_control caller", "id name input")
        if not isinstance(block["input"], dict):
            raise RefusalError(f"{at}.tool_use.input: Input should be an object")
        matched(r"[a-zA-Z0-9_-]{1,128}", block["name"], f"{at}.name")
        return [
            Item("call", id=matched(_ID, block["id"], at), name=block["name"], data=block["input"])
        ]
    if kind == "tool_result" and role == "user":
        keys(block, at, "type content is_error cache_control", "tool_use_id")
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
