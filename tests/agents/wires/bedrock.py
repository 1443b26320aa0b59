"""Bedrock Converse: its requests and its answers.

Source: the API's service model of 2026-11.
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
    pieces,
)
from tests.agents.script import Answer, Asked, Item, RefusalError, seal
from wireglot.framing import eventstream

MODEL = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
STREAM = "application/vnd.amazon.eventstream"


def read(path: str, body: Any, headers: dict[str, str]) -> Asked:
    found = re.fullmatch(r"/model/([^/]+)/converse(-stream)?", path)
    if found is None:
        raise RefusalError("UnknownOperationException", 404)
    asked = Asked(unquote(found[1]), found[2] is not None)
    extra = keys(
        body.get("additionalModelRequestFields") or {},
        "additionalModelRequestFields",
        "thinking top_k anthropic_beta output_config",
    )
    asked.thinks = (extra.get("thinking") or {}).get("type") == "enabled"
    asked.system = "".join(block.get("text", "") for block in body.get("system", []))
    for i, tool in enumerate((body.get("toolConfig") or {}).get("tools", [])):
        if "toolSpec" in tool:
            asked.tools.append(tool["toolSpec"]["name"])
            checked_schema(tool["toolSpec"]["inputSchema"]["json"], f"toolConfig.tools.{i}")
    _messages(asked, body["messages"])
    return asked


def _messages(asked: Asked, messages: list[Any]) -> None:
    begins = True
    for i, message in enumerate(messages):
        at = f"messages.{i}"
        role, blocks = message["role"], message["content"]
        if i == 0 and role != "user":
            raise RefusalError("A conversation must start with a user message.")
        for block in blocks:
            asked.add(*_block(block, role, f"{at}.content"))
        is_bare = "reasoningContent" not in blocks[0]
        calls = any("toolUse" in block for block in blocks)
        if role == "user":
            begins = not any("toolResult" in block for block in blocks)
        elif calls and asked.thinks and begins and is_bare and _is_last_loop(messages[i:]):
            raise RefusalError(f"{at}.content.0.type: Expected `thinking`, but found `tool_use`.")
    if role == "assistant" and asked.thinks and is_bare:
        raise RefusalError("a final `assistant` message must start with a thinking block")


def _is_last_loop(rest: list[Any]) -> bool:
    return all(
        message["role"] == "assistant" or any("toolResult" in b for b in message["content"])
        for message in rest
    )


def _block(block: Any, role: str, at: str) -> list[Item]:
    ((kind, value),) = block.items()
    if kind == "text":
        return [Item("user" if role == "user" else "text", value)]
    if kind == "cachePoint":
        return []
    if kind == "image":
        return [Item("image", data=checked_image(value["format"], value["source"]["bytes"], at))]
    if kind == "document":
        return [Item("document", data=value["source"])]
    if kind == "toolUse" and role == "assistant":
        return [Item("call", id=value["toolUseId"], name=value["name"], data=value["input"])]
    if kind == "toolResult" and role == "user":
        text = "".join(
            json.dumps(part["json"]) if "json" in part else part.get("text", "")
            for part in value["content"]
        )
        return [Item("result", text, id=value["toolUseId"])]
    if kind == "reasoningContent" and role == "assistant":
        said = value["reasoningText"]
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
