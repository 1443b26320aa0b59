"""The bytes of a stream -> its calls, as a client reads them that keeps one current block.

The APIs of these wires end a block before the next one begins, and many clients count on that.
Sources: Anthropic, "Streaming messages"; Bedrock, `ConverseStream`; Cohere, "Streaming"; OpenAI,
"Streaming API responses".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from wireglot.framing import eventstream, sse

__all__ = ["READERS", "Calls", "OverlapError"]

Calls = list[tuple[str, Any]]
"""The name and the arguments of each call."""


class OverlapError(AssertionError):
    """A block that begins before the last one has ended, or whose number is not the next."""


class _Reader:
    """Keeps one current block. `numbers` counts the blocks that have begun."""

    def __init__(self) -> None:
        self.calls: Calls = []
        self.block: dict[str, Any] | None = None
        self.numbers: dict[str, int] = {}

    def begin(self, number: int | None, name: str | None = None, kind: str = "block") -> None:
        if self.block is not None:
            raise OverlapError(f"{kind} {number} begins within {self.block}")
        expected = self.numbers.get(kind, 0)
        if number not in (expected, None):
            raise OverlapError(f"{kind} {number} begins, expected {expected}")
        self.numbers[kind] = expected + 1
        self.block = {"kind": kind, "number": number, "name": name, "text": ""}

    def grow(self, number: int | None, text: str = "") -> None:
        if self.block is None or self.block["number"] != number:
            raise OverlapError(f"a delta of {number} within {self.block}")
        self.block["text"] += text

    def end(self, number: int | None) -> None:
        self.grow(number)
        assert self.block is not None
        if self.block["name"] is not None:
            self.calls.append((self.block["name"], _value(self.block["text"])))
        self.block = None


def _value(text: str) -> Any:
    """Return the value of arguments; the input of a custom tool is text."""
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def _events(data: bytes) -> Iterator[dict[str, Any]]:
    decoder = sse.Decoder()
    for _, text in decoder.feed(data) + decoder.close():
        if text != b"[DONE]":
            yield json.loads(text)


def _anthropic(data: bytes) -> Calls:
    reader = _Reader()
    for event in _events(data):
        if event["type"] == "content_block_start":
            block = event["content_block"]
            reader.begin(event["index"], block["name"] if block["type"] == "tool_use" else None)
        elif event["type"] == "content_block_delta":
            reader.grow(event["index"], event["delta"].get("partial_json", ""))
        elif event["type"] == "content_block_stop":
            reader.end(event["index"])
    return reader.calls


def _bedrock(data: bytes) -> Calls:
    reader = _Reader()
    for headers, text in eventstream.Decoder().feed(data):
        kind, event = headers.get(":event-type"), json.loads(text)
        number = event.get("contentBlockIndex")
        if kind == "contentBlockStart":
            call = event["start"].get("toolUse", {})
            is_own = call.get("type") == "server_tool_use"  # which the API runs itself
            reader.begin(number, None if is_own else call.get("name"))
        elif kind == "contentBlockDelta":
            if reader.block is None:  # text has no start
                reader.begin(number)
            delta = event["delta"].get("toolUse", {})
            reader.grow(number, delta.get("input", ""))
        elif kind == "contentBlockStop":
            reader.end(number)
    return reader.calls


def _cohere(data: bytes) -> Calls:
    reader = _Reader()
    for event in _events(data):
        kind, _, step = event["type"].rpartition("-")
        if reader.block is not None and reader.block["kind"] == "plan" and step != "delta":
            reader.end(None)  # a plan has no end
        if event["type"] == "tool-plan-delta":
            if reader.block is None:
                reader.begin(None, kind="plan")
            reader.grow(None)
        elif kind in ("content", "tool-call"):
            message = event.get("delta", {}).get("message", {})
            function = message.get("tool_calls", {}).get("function", {})
            if step == "start":
                reader.begin(event["index"], function.get("name"), kind)
            if step != "end" and "logprobs" not in event:  # they follow the content
                reader.grow(event["index"], function.get("arguments", ""))
            elif step == "end":
                reader.end(event["index"])
    return reader.calls


def _responses(data: bytes) -> Calls:
    reader, part = _Reader(), _Reader()
    for event in _events(data):
        number = event.get("output_index")
        if event["type"] == "response.output_item.added":
            reader.begin(number, event["item"].get("name"))
            part = _Reader()
        elif event["type"] == "response.content_part.added":
            part.begin(event["content_index"])
        elif event["type"] == "response.content_part.done":
            part.end(event["content_index"])
        elif event["type"] == "response.output_item.done":
            reader.end(number)
        elif event["type"].endswith((".delta", "_delta")):
            is_call = "arguments" in event["type"] or "input" in event["type"]
            reader.grow(number, event["delta"] if is_call else "")
            if event["type"] in ("response.output_text.delta", "response.refusal.delta"):
                part.grow(event["content_index"])
    return reader.calls


READERS: dict[str, Callable[[bytes], Calls]] = {
    "anthropic": _anthropic,
    "bedrock": _bedrock,
    "cohere": _cohere,
    "openai_responses": _responses,
}
"""Name of a provider -> the reader of its streams."""
