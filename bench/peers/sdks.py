"""The official SDKs of Anthropic and OpenAI: their own models, each of its own wire.

Stored messages: they have a type only for a model's answer, `Message`, and typed dicts for the
rest, so only the answers of the session are used. A request: `create` with their typed dicts, up to
the bytes. A stream: their `Stream`, over a response whose chunks are in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx2
from anthropic import Anthropic, Stream
from anthropic.types import Message, RawMessageStreamEvent
from openai import OpenAI
from pydantic import TypeAdapter

import wireglot as wg
from bench import cases

from .kinds import Native, Streaming, Typed
from .sending import answered, anthropic_bytes, openai_bytes, streamed

__all__ = ["EVENTS", "FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS", "TYPED"]

REQUIREMENTS = ("anthropic==2.12.0", "openai==3.54.0")
IMPORT = "import anthropic"
FLOOR = frozenset[str]()

_anthropic = Anthropic(api_key="k")
_openai = OpenAI(api_key="k")
_streaming = Anthropic(api_key="k")
_listed = TypeAdapter(list[Message])
_STOPS = {"toolUse": "tool_use", "stop": "end_turn"}


def _block(data: dict[str, Any]) -> dict[str, Any]:
    if data["type"] == "toolCall":
        return {
            "type": "tool_use",
            "id": data["id"],
            "name": data["name"],
            "input": data["arguments"],
        }
    return data


def _store(conversation: list[dict[str, Any]]) -> bytes:
    answers = [
        {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": message["model"],
            "content": list(map(_block, message["content"])),
            "stop_reason": _STOPS[message["stopReason"]],
            "stop_sequence": None,
            "usage": {
                "input_tokens": message["usage"]["input"],
                "output_tokens": message["usage"]["output"],
                "cache_read_input_tokens": message["usage"]["cache_read"],
                "cache_creation_input_tokens": message["usage"]["cache_write"],
            },
        }
        for number, message in enumerate(conversation)
    ]
    return json.dumps(answers).encode()


def _encode(messages: list[Message]) -> bytes:
    return _listed.dump_json(messages, exclude_unset=True)


NATIVE = Native(_store, _listed.validate_json, _encode, only="assistant")

_CREATE: dict[str, tuple[Any, str, Callable[[Any], bytes]]] = {
    "anthropic": (_anthropic.messages, "messages", anthropic_bytes()),
    "openai_chat": (_openai.chat.completions, "messages", openai_bytes()),
    "openai_responses": (_openai.responses, "input", openai_bytes()),
}


def _typed(name: str, conversation: list[dict[str, Any]]) -> Typed:
    resource, key, to_bytes = _CREATE[name]
    answered(resource, is_async=False)
    fixed = json.loads(wg.PROVIDERS[name].encode_request(cases.asked(conversation)))
    messages = fixed.pop(key)

    def body(messages: list[Any]) -> bytes:
        return to_bytes(resource.create(**fixed, **{key: messages}))

    return Typed(messages, body)


TYPED = {name: partial(_typed, name) for name in _CREATE}


def _events(chunks: list[bytes]) -> list[Any]:
    response = streamed(httpx2, "https://localhost/v1/messages", chunks)
    kind: Any = RawMessageStreamEvent
    return list(Stream(cast_to=kind, response=response, client=_streaming))


def _text(events: list[Any]) -> str:
    return "".join(e.delta.text for e in events if e.type == "content_block_delta")


EVENTS = Streaming(_events, _text)
