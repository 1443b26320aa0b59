"""Bedrock Converse: its requests, with what it refuses for Claude, and its answers.

Sources: the API's service model of 2026-11 and its errors in public reports (docs/refusals.md).
"""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import unquote

from tests.agents.reading import (
    checked_image,
    checked_schema,
    keys,
    listed,
    matched,
    pieces,
    text_of,
)
from tests.agents.script import Answer, Asked, Item, RefusalError, seal
from wireglot.framing import eventstream

MODEL = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
STREAM = "application/vnd.amazon.eventstream"
_BODY = (
    "system inferenceConfig toolConfig additionalModelRequestFields requestMetadata"
    " additionalModelResponseFieldPaths performanceConfig serviceTier outputConfig"
)
_ID = r"[a-zA-Z0-9_.:-]{1,64}"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    found = re.fullmatch(r"/model/([^/]+)/converse(-stream)?", path)
    if found is None:
        raise RefusalError("UnknownOperationException", 404)
    keys(body, "body", _BODY, "messages")
    asked = Asked(unquote(found[1]), found[2] is not None)
    settings = keys(
        body.get("inferenceConfig", {}),
        "inferenceConfig",
        "maxTokens temperature topP stopSequences",
    )
    extra = keys(
        body.get("additionalModelRequestFields") or {},
        "additionalModelRequestFields",
        "thinking top_k anthropic_beta output_config",
    )
    thinking = extra.get("thinking") or {}
    asked.thinks = thinking.get("type") == "enabled"
    if asked.thinks and not 1024 <= thinking["budget_tokens"] < settings.get("maxTokens", 64000):
        raise RefusalError("`max_tokens` must be greater than `thinking.budget_tokens`.")
    for block in listed(body.get("system", []), "system"):
        keys(block, "system", "text cachePoint guardContent")
        asked.system += text_of(block.get("text", "-"), "system", empty=False)
    config = keys(body.get("toolConfig") or {}, "toolConfig", "tools toolChoice")
    for i, tool in enumerate(config.get("tools", [])):
        at = f"toolConfig.tools.{i}"
        if "toolSpec" in keys(tool, at, "toolSpec cachePoint systemTool"):
            spec = keys(tool["toolSpec"], at, "description strict", "name inputSchema")
            asked.tools.append(matched(r"[a-zA-Z0-9_-]{1,64}", spec["name"], f"{at}.name"))
            text_of(spec.get("description", "-"), f"{at}.description", empty=False)
            checked_schema(keys(spec["inputSchema"], at, "", "json")["json"], at)
    _messages(asked, listed(body["messages"], "messages", 1))
    if not asked.tools and any(item.kind in ("call", "result") for item in asked.items):
        raise RefusalError(
            "The toolConfig field must be defined when using toolUse and toolResult content blocks."
        )
    return asked


def _messages(asked: Asked, messages: list[Any]) -> None:
    open_calls: list[str] = []
    before = "assistant"
    begins = True
    for i, message in enumerate(messages):
        at = f"messages.{i}"
        role = keys(message, at, "", "role content")["role"]
        if i == 0 and role != "user":
            raise RefusalError("A conversation must start with a user message.")
        if role not in ("user", "assistant") or role == before:
            raise RefusalError(
                f"{at}.role: A conversation must alternate between user and assistant"
            )
        blocks = listed(message["content"], at, 1)
        results = [b["toolResult"]["toolUseId"] for b in blocks if "toolResult" in b]
        if sorted(results) != sorted(open_calls):
            raise RefusalError(
                f"Expected toolResult blocks at {at}.content for the following Ids:"
                f" {', '.join(open_calls)}"
            )
        for block in blocks:
            asked.add(*_block(block, role, f"{at}.content"))
        calls = [block for block in blocks if "toolUse" in block]
        open_calls = [block["toolUse"]["toolUseId"] for block in calls]
        is_bare = "reasoningContent" not in blocks[0]
        if role == "user":
            begins = not results
        elif calls and asked.thinks and begins and is_bare and _is_last_loop(messages[i:]):
            raise RefusalError(f"{at}.content.0.type: Expected `thinking`, but found `tool_use`.")
        before = role
    if before == "assistant" and asked.thinks and is_bare:
        raise RefusalError("a final `assistant` message must start with a thinking block")


def _is_last_loop(rest: list[Any]) -> bool:
    return all(
        message["role"] == "assistant" or any("toolResult" in b for b in message["content"])
        for message in rest
    )


def _block(block: Any, role: str, at: str) -> list[Item]:
    kinds = "text image document toolUse toolResult reasoningContent cachePoint"
    if len(keys(block, at, kinds)) != 1:
        raise RefusalError(f"{at}: Invalid number of parameters set for tagged union structure")
    ((kind, value),) = block.items()
    if kind == "text":
        text = text_of(value, at, empty=False)
        return [Item("user" if role == "user" else "text", text)]
    if kind == "cachePoint":
        keys(value, at, "ttl", "type")
        return []
    if kind == "image":
        keys(value, at, "", "format source")
        data = keys(value["source"], at, "", "bytes")["bytes"]
        return [Item("image", data=checked_image(value["format"], data, at))]
    if kind == "document":
        keys(value, at, "context citations", "format name source")
        matched(r"[a-zA-Z0-9()\[\]-]+( [a-zA-Z0-9()\[\]-]+)*", value["name"], f"{at}.name")
        return [Item("document", data=value["source"])]
    if kind == "toolUse" and role == "assistant":
        keys(value, at, "type", "toolUseId name input")
        if not isinstance(value["input"], dict):
            raise RefusalError("The format of the value at toolUse.input is invalid")
        matched(r"[a-zA-Z0-9_-]{1,64}", value["name"], at)
        call_id = matched(_ID, value["toolUseId"], at)
        return [Item("call", id=call_id, name=value["name"], data=value["input"])]
    if kind == "toolResult" and role == "user":
        keys(value, at, "status type", "toolUseId content")
        text = "".join(
            json.dumps(part["json"]) if "json" in part else part.get("text", "")
            for part in listed(value["content"], at)
        )
        return [Item("result", text, id=value["toolUseId"])]
    if kind == "reasoningContent" and role == "assistant":
        said = keys(keys(value, at, "", "reasoningText")["reasoningText"], at, "", "text signature")
        if said["signature"] != seal(said["text"]):
            raise RefusalError(f"{at}: Invalid `signature` in `thinking` block")
        return [Item("thought", said["text"], seal=said["signature"])]
    raise RefusalError(f"{at}: {kind} in a message of the role {role}")


def _blocks(answer: Answer, mark: str) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if answer.thinking:
        said = {"text": answer.thinking, "signature": seal(answer.thinking)}
        blocks.append({"reasoningContent": {"reasoningText": said}})
    if answer.text:
        blocks.append({"text": answer.text})
    for i, (name, arguments) in enumerate(answer.calls):
        call = {"toolUseId": f"tooluse_Wg{mark}{i}", "name": name, "input": arguments}
        blocks.append({"toolUse": call})
    return blocks


_USAGE = {"inputTokens": 31, "outputTokens": 9, "totalTokens": 40}


def _stop(answer: Answer) -> str:
    return "tool_use" if answer.calls else "end_turn"


def whole(asked: Asked, answer: Answer, mark: str) -> bytes:
    message = {"role": "assistant", "content": _blocks(answer, mark)}
    end = {"stopReason": _stop(answer), "usage": _USAGE, "metrics": {"latencyMs": 5}}
    return json.dumps({"metrics": {}, "output": {"message": message}, **end}).encode()


def _event(kind: str, **payload: Any) -> bytes:
    headers = {
        ":event-type": kind,
        ":content-type": "application/json",
        ":message-type": "event",
    }
    return eventstream.encode(headers, json.dumps({**payload, "p": "abcdefgh"}).encode())


def _deltas(block: dict[str, Any]) -> list[dict[str, Any]]:
    ((kind, value),) = block.items()
    if kind == "text":
        return [{"text": piece} for piece in pieces(value)]
    if kind == "toolUse":
        text = json.dumps(value["input"], ensure_ascii=False)
        return [{"toolUse": {"input": piece}} for piece in pieces(text, 4)]
    said = value["reasoningText"]
    parts = [{"text": piece} for piece in pieces(said["text"])]
    return [{"reasoningContent": part} for part in [*parts, {"signature": said["signature"]}]]


def frames(asked: Asked, answer: Answer, mark: str) -> list[bytes]:
    events = [_event("messageStart", role="assistant")]
    for index, block in enumerate(_blocks(answer, mark)):
        if "toolUse" in block:
            start = {key: block["toolUse"][key] for key in ("toolUseId", "name")}
            events.append(
                _event("contentBlockStart", contentBlockIndex=index, start={"toolUse": start})
            )
        events += [
            _event("contentBlockDelta", contentBlockIndex=index, delta=delta)
            for delta in _deltas(block)
        ]
        events.append(_event("contentBlockStop", contentBlockIndex=index))
    events.append(_event("messageStop", stopReason=_stop(answer)))
    return [*events, _event("metadata", usage=_USAGE, metrics={"latencyMs": 5})]


BROKEN = "The system encountered an unexpected error during processing."
OVERFLOW = (
    "The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds"
    " maximum length. Please update the input to try again."
)
LIMIT = "Too many tokens, please wait before trying again."
_TYPES = {429: "ThrottlingException", 404: "ResourceNotFoundException"}


def error(status: int, message: str) -> tuple[dict[str, str], bytes]:
    kind = _TYPES.get(status, "ValidationException")
    return {"x-amzn-errortype": kind}, json.dumps({"message": message}).encode()


def broken(asked: Asked, mark: str) -> bytes:
    headers = {
        ":exception-type": "modelStreamErrorException",
        ":content-type": "application/json",
        ":message-type": "exception",
    }
    said = {"message": BROKEN}
    return eventstream.encode(headers, json.dumps(said).encode())
