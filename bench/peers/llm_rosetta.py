"""LLM-Rosetta: dicts of one provider to dicts of another, through typed dicts of its own.

Between wires: `convert`, its public function. A request: `request_to_provider` of the converter. A
stream: the classes that its gateway puts together for one, of which `process_chunk` is public. It
has no JSON of its own for bodies: they are read and written by msgspec here, in its favour. Chunks
of streams are read by `json` and written by its gateway's own function.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec
from llm_rosetta import ConversionPipeline, convert, get_converter_for_provider
from llm_rosetta._vendor.sse import EventSource
from llm_rosetta.gateway.transport.sse_format import SSE_FORMATTERS, format_sse_done

from bench.cases import MODEL, SCHEMA
from bench.session import TOOLS

from .kinds import Streaming, Typed

__all__ = ["CHUNKS", "EVENTS", "FLOOR", "IMPORT", "REQUIREMENTS", "TRANSLATE", "TYPED"]

REQUIREMENTS = ("llm-rosetta==0.13.0",)
IMPORT = "from llm_rosetta import AnthropicConverter"
FLOOR = frozenset[str]()

_ROLES = {"user": "user", "assistant": "assistant", "toolResult": "tool"}
_WIRES = {
    "anthropic": "anthropic",
    "openai_chat": "openai_chat",
    "openai_responses": "openai_responses",
    "gemini": "google",
}
_TOOLS = [
    {"type": "function", "name": tool, "description": f"Runs {tool}.", "parameters": SCHEMA}
    for tool in TOOLS
]
_decoded = msgspec.json.Decoder().decode
_encoded = msgspec.json.Encoder().encode


def _part(block: dict[str, Any]) -> dict[str, Any]:
    if block["type"] == "text":
        return block
    if block["type"] == "image":
        data = {"data": block["data"], "media_type": block["mimeType"]}
        return {"type": "image", "image_data": data}
    call = {"tool_call_id": block["id"], "tool_name": block["name"]}
    return {"type": "tool_call", **call, "tool_input": block["arguments"], "tool_type": "function"}


def _message(data: dict[str, Any]) -> dict[str, Any]:
    if data["role"] == "toolResult":
        result = {"tool_call_id": data["toolCallId"], "result": data["content"][0]["text"]}
        return {"role": "tool", "content": [{"type": "tool_result", **result}]}
    return {"role": _ROLES[data["role"]], "content": list(map(_part, data["content"]))}


def _typed(provider: str, conversation: list[dict[str, Any]]) -> Typed:
    write: Any = get_converter_for_provider(provider).request_to_provider
    if provider == "google":  # otherwise it makes the arguments of Google's SDK
        write = partial(write, output_format="rest")
    fixed = {"model": MODEL, "tools": _TOOLS, "generation": {"max_tokens": 4096}}

    def body(messages: list[Any]) -> bytes:
        return _encoded(write({**fixed, "messages": messages})[0])

    return Typed(list(map(_message, conversation)), body)


TYPED: dict[str, Callable[[list[dict[str, Any]]], Typed]] = {
    name: partial(_typed, provider) for name, provider in _WIRES.items()
}


def _translated(source: str, target: str, data: bytes) -> bytes:
    return _encoded(convert(_decoded(data), target, source))


TRANSLATE = {
    pair: partial(_translated, *pair)
    for pair in (("openai_chat", "anthropic"), ("anthropic", "openai_chat"))
}


def _read(chunks: list[bytes]) -> Iterator[dict[str, Any]]:
    lines = (line for chunk in chunks for line in chunk.decode().split("\n")[:-1])
    return (json.loads(event.data) for event in EventSource(lines))


def _events(chunks: list[bytes]) -> list[Any]:
    converter = get_converter_for_provider("anthropic")
    read, context = converter.stream_response_from_provider, converter.create_stream_context()
    return [event for payload in _read(chunks) for event in read(payload, context=context)]


def _text(events: list[Any]) -> str:
    return "".join(event["text"] for event in events if event["type"] == "text_delta")


EVENTS = Streaming(_events, _text)
_asked = {"model": MODEL, "messages": [{"role": "user", "content": "Say it."}], "stream": True}


def _chunks(chunks: list[bytes]) -> list[bytes]:
    pipeline = ConversionPipeline("openai_chat", "anthropic")
    pipeline.convert_request(dict(_asked))
    process = pipeline.create_stream_processor().process_chunk
    write = SSE_FORMATTERS["openai_chat"]
    made = [write(out).encode() for payload in _read(chunks) for out in process(payload)]
    made.append(format_sse_done().encode())
    return made


CHUNKS = _chunks
