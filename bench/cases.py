"""The input of every library: one conversation in each form, and the facts that it must keep."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any

import msgspec

import wireglot as wg

from .session import TOOLS, session

__all__ = [
    "MODEL",
    "SCHEMA",
    "asked",
    "body",
    "chat_with_image",
    "facts",
    "growing",
    "leaves",
    "left_out",
    "missing",
    "spoken",
    "streamed",
    "talked",
]

MODEL = "claude-sonnet-4-5"
SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "The file, from the root of the project."},
        "start": {"type": "integer"},
        "note": {"type": "string"},
    },
    "required": ["path"],
}
_STANDARD = str.maketrans("-_", "+/")  # base64 in its other alphabet means the same
_STOPS = {"toolUse": {"tool_use", "tool_call"}, "stop": {"end_turn"}}  # in other words
_is_moment = re.compile(r"\d{4}-\d\d-\d\dT").match
_USAGE = {
    "input": 10,
    "output": 3,
    "reasoning": 0,
    "cache_read": 0,
    "cache_write": 0,
    "total_tokens": 13,
}
_TURN = 5  # messages
_DELTA = " and so"
_DELTAS = 500


@cache
def spoken(messages: int = 400) -> list[dict[str, Any]]:
    """Return the session as plain data, without thinking, which not all wires can carry."""
    out = session(messages)
    for message in out:
        message["content"] = [b for b in message["content"] if b["type"] != "thinking"]
    return out


@cache
def talked(messages: int) -> list[dict[str, Any]]:
    """Return what the user and the model say in turn, without calls, results and images."""
    out = []
    for message in spoken(3 * messages):
        if message["role"] == "user" or message.get("stopReason") == "stop":
            texts = [b for b in message["content"] if b["type"] == "text"]
            out.append({**message, "content": texts})
    return out[:messages]


@cache
def growing(turns: int) -> list[dict[str, Any]]:
    """Return a conversation of short texts: a user's text and an answer for each turn."""
    out: list[dict[str, Any]] = []
    for turn in range(turns):
        now = 1_700_000_000_000 + turn * 1000
        for role, text in (
            ("user", f"Question {turn}: what then?"),
            ("assistant", f"This {turn}."),
        ):
            message: dict[str, Any] = {"role": role, "content": [{"type": "text", "text": text}]}
            if role == "assistant":
                message |= {"stopReason": "stop", "model": MODEL, "provider": "anthropic"}
                message["usage"] = {**_USAGE}
            out.append({**message, "timestamp": now})
    return out


def asked(conversation: list[dict[str, Any]], *, with_tools: bool = True) -> wg.Request:
    """Return the conversation as our request, with or without the session's tools."""
    messages = wg.llm_messages(wg.json.decode(msgspec.json.encode(conversation)))
    tools: list[Any] = [wg.Tool(name, f"Runs {name}.", dict(SCHEMA)) for name in TOOLS]
    return wg.Request(messages, model=MODEL, max_tokens=4096, tools=tools if with_tools else None)


@cache
def body(wire: str, messages: int = 400, *, with_tools: bool = True) -> bytes:
    """Return the session as the body of a request on this wire; without tools, only its texts.

    It begins with the second turn: the first has an image, which few short requests have.
    """
    conversation = spoken(messages + _TURN)[_TURN:] if with_tools else talked(messages)
    return wg.PROVIDERS[wire].encode_request(asked(conversation, with_tools=with_tools))


@cache
def chat_with_image(size: int) -> bytes:
    """Return an OpenAI chat body with one image of this size in base64."""
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * (size * 3 // 4 // 256))
    content = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64," + data.decode()}},
    ]
    messages = [{"role": "user", "content": content}]
    whole = {"model": MODEL, "max_tokens": 100, "messages": messages}
    return json.dumps(whole, separators=(",", ":")).encode()


@cache
def streamed() -> tuple[list[bytes], str]:
    """Return an Anthropic stream, one network chunk for each event, and the text in it."""
    encode = wg.providers.anthropic.StreamEncoder().encode
    text = _DELTA * _DELTAS
    api = wg.providers.anthropic.API
    opening = wg.AssistantMessage([], model=MODEL, api=api, usage=wg.Usage(25, 1))
    whole = wg.AssistantMessage(
        [wg.TextBlock(text)], wg.StopReason.STOP, MODEL, api=api, usage=wg.Usage(25, _DELTAS)
    )
    events: list[Any] = [
        wg.StreamStart(wg.Response(opening, id="msg_1")),
        wg.BlockStart(0, wg.TextBlock("")),
        *[wg.TextDelta(0, _DELTA)] * _DELTAS,
        wg.BlockEnd(0, wg.TextBlock(text)),
        wg.StreamEnd(wg.Response(whole, id="msg_1")),
    ]
    return [chunk for chunk in map(encode, events) if chunk], text


def facts(request: wg.Request, *, ids: bool = True) -> list[tuple[Any, ...]]:
    """Return what a request says: its limit and tools, texts, images, calls and results in order.

    How these are distributed over messages depends on the wire. Some wires have calls without ids.
    """
    out: list[tuple[Any, ...]] = [("max_tokens", request.max_tokens)]
    out += [_offered(tool) for tool in request.tools or () if isinstance(tool, wg.Tool)]
    for message in request.messages:
        if isinstance(message, wg.ToolResultMessage):
            out.append(("result", message.tool_call_id if ids else "", _said(message.content)))
            continue
        for block in message.content:
            if isinstance(block, wg.ToolResultBlock):
                out.append(("result", block.tool_call_id if ids else "", _said(block.content)))
            elif isinstance(block, wg.ToolCallBlock):
                out.append(("call", block.id if ids else "", block.name, block.arguments.value))
            elif isinstance(block, wg.ImageBlock) and block.data is not None:
                digest = hashlib.sha256(block.data.to_bytes()).hexdigest()
                out.append(("image", message.role, digest))
            elif isinstance(block, wg.TextBlock) and block.text:
                out.append(("text", message.role, block.text))
    return out


def _offered(tool: wg.Tool) -> tuple[Any, ...]:
    """Return what a tool is, and takes. Libraries add `additionalProperties` to a schema."""
    schema = {} if tool.parameters is None else tool.parameters.value
    return ("tool", tool.name, tool.description, schema.get("properties"), schema.get("required"))


def _said(content: Any) -> str:
    """Return the text of a result. If the wire wants an object, libraries choose its only key."""
    text = "".join(block.text for block in content if isinstance(block, wg.TextBlock))
    if text.startswith("{"):
        value = json.loads(text)
        if isinstance(value, dict) and len(value) == 1:
            (inner,) = value.values()
            return str(inner)
    return text


def missing(conversation: list[dict[str, Any]], written: bytes) -> str | None:
    """Say what is missing from this JSON: a text at its place, an image, or a call as a whole."""
    parsed = json.loads(written)
    found, calls = list(leaves(parsed)), _by_id(parsed)
    known, position = set(found), 0
    known |= {leaf.translate(_STANDARD) for leaf in known if isinstance(leaf, str)}
    for message in conversation:
        for block in message["content"]:
            kind = block["type"]
            if kind == "toolCall":
                if not any(_is_call(block, values) for values in calls.get(block["id"], ())):
                    return f"no call {block['id']!r} of {block['name']!r} with its arguments"
            elif kind == "image":
                if block["data"] not in known:
                    return f"no image {block['data'][:20]!r}"
            else:
                text = block.get("text") or block["thinking"]
                try:
                    position = found.index(text, position)
                except ValueError:
                    return f"no {kind} {text[:20]!r} at its place"
    return None


def left_out(conversation: list[dict[str, Any]], written: bytes) -> list[str]:
    """Return the names of the fields whose values are not in this JSON, in any spelling.

    Roles, and what a call and its result both have, are not looked for.
    """
    known = set(leaves(json.loads(written)))
    known |= {_milliseconds(leaf) for leaf in known if isinstance(leaf, str)}
    known |= {name for name, words in _STOPS.items() if words & known}
    fields = dict.fromkeys(
        name for message in conversation for name, value in _fields(message) if value not in known
    )
    return list(fields)


def _fields(message: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for block in message["content"]:
        if block["type"] == "thinking":
            yield "signature", block["signature"]
        elif block["type"] == "image":
            yield "mimeType", block["mimeType"]
    if message["role"] == "assistant":
        yield from ((name, message[name]) for name in ("stopReason", "model", "provider"))
        yield from ((f"usage.{name}", count) for name, count in message["usage"].items())
    yield "timestamp", message["timestamp"]


def _milliseconds(text: str) -> int | None:
    """Return a moment in ISO 8601 as the session has it, None for other texts."""
    if not _is_moment(text):
        return None
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def _by_id(parsed: Any) -> dict[str, list[list[Any]]]:
    """Return the values of every object, by each text among these values."""
    out: dict[str, list[list[Any]]] = {}
    waiting = [parsed]
    while waiting:
        value = waiting.pop()
        inner = list(value.values()) if isinstance(value, dict) else value
        waiting += [one for one in inner if isinstance(one, dict | list)]
        if isinstance(value, dict):
            for text in inner:
                if isinstance(text, str):
                    out.setdefault(text, []).append(inner)
    return out


def _is_call(block: dict[str, Any], values: list[Any]) -> bool:
    """Whether an object is this call: its arguments are an object, or the JSON of one."""
    read = (json.loads(one) for one in values if isinstance(one, str) and one.startswith("{"))
    return block["name"] in values and block["arguments"] in (*values, *read)


def leaves(value: Any) -> Iterator[Any]:
    """Yield every string and number of parsed JSON, and of JSON inside its strings."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    elif isinstance(value, str) and value.startswith("{"):
        yield from leaves(json.loads(value))
    elif isinstance(value, str) and value.startswith("data:"):
        kind, _, data = value.removeprefix("data:").partition(",")
        yield from (kind.partition(";")[0], data)
    else:
        yield value
