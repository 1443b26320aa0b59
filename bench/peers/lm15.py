"""lm15: its own message types, and its adapters of four wires.

A request: `build_request` of the adapter, which returns the bytes of the body with URL and headers.
From an OpenAI body: `request_from_openai_chat`, the only foreign format that it reads. A stream:
`parse_sse` and the adapter's `parse_stream_events`, which its `stream` consists of. Its `serde`
stops at dicts: their JSON is read and written by msgspec here, in its favour.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from lm15 import (
    AnthropicLM,
    Config,
    FunctionTool,
    GeminiLM,
    ImagePart,
    Message,
    Request,
    TextDelta,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from lm15.providers.openai import OpenAILM
from lm15.providers.openai_chat import OpenAIChatLM, request_from_openai_chat
from lm15.serde import messages_from_json, messages_to_json
from lm15.sse import parse_sse
from lm15.types import ContinuationState

from bench.cases import MODEL, SCHEMA
from bench.session import TOOLS

from .kinds import Native, Streaming, Typed

__all__ = ["EVENTS", "FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS", "TRANSLATE", "TYPED"]

REQUIREMENTS = ("lm15==1.5.0",)
IMPORT = "from lm15 import AnthropicLM, Message, Request"
FLOOR = frozenset[str]()

_ROLES = {"user": "user", "assistant": "assistant", "toolResult": "tool"}
_ADAPTERS = {
    "anthropic": AnthropicLM(api_key="k"),
    "openai_chat": OpenAIChatLM(api_key="k"),
    "openai_responses": OpenAILM(api_key="k"),
    "gemini": GeminiLM(api_key="k"),
}
_decoded = msgspec.json.Decoder().decode


def _part(block: dict[str, Any]) -> Any:
    if block["type"] == "text":
        return TextPart(block["text"])
    if block["type"] == "image":
        return ImagePart(media_type=block["mimeType"], data=block["data"])
    if block["type"] == "thinking":
        signature = {"signature": block["signature"]}
        state = ContinuationState("anthropic", "thinking_signature", signature)
        return ThinkingPart(block["thinking"], (state,))
    return ToolCallPart(block["id"], block["name"], block["arguments"])


def _message(data: dict[str, Any]) -> Message:
    parts = tuple(map(_part, data["content"]))
    if data["role"] == "toolResult":
        parts = (ToolResultPart(data["toolCallId"], parts, data["toolName"]),)
    return Message(_ROLES[data["role"]], parts)


def _store(conversation: list[dict[str, Any]]) -> bytes:
    return _encode(list(map(_message, conversation)))


def _encode(messages: list[Message]) -> bytes:
    return msgspec.json.encode(messages_to_json(messages))


NATIVE = Native(_store, lambda data: messages_from_json(_decoded(data)), _encode)


def _typed(name: str, conversation: list[dict[str, Any]]) -> Typed:
    build = _ADAPTERS[name].build_request
    tools = tuple(FunctionTool(tool, f"Runs {tool}.", SCHEMA) for tool in TOOLS)
    config = Config(max_tokens=4096)

    def body(messages: list[Message]) -> bytes:
        return build(Request(MODEL, tuple(messages), tools=tools, config=config), False).body

    return Typed(list(map(_message, conversation)), body)


TYPED: dict[str, Callable[[list[dict[str, Any]]], Typed]] = {
    name: partial(_typed, name) for name in _ADAPTERS
}


def _chat_to_anthropic(data: bytes) -> bytes:
    return (
        _ADAPTERS["anthropic"].build_request(request_from_openai_chat(_decoded(data)), False).body
    )


TRANSLATE = {("openai_chat", "anthropic"): _chat_to_anthropic}


def _events(chunks: list[bytes]) -> list[Any]:
    parse = _ADAPTERS["anthropic"].parse_stream_events
    asked = Request(MODEL, (Message.user("Say it."),))
    lines = (line for chunk in chunks for line in chunk.splitlines(keepends=True))
    return [event for raw in parse_sse(lines) for event in parse(asked, raw)]


def _text(events: list[Any]) -> str:
    deltas = [event.delta for event in events if hasattr(event, "delta")]
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


EVENTS = Streaming(_events, _text)
