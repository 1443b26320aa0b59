"""any-llm: OpenAI's messages as dicts to the SDKs of the providers.

A request: `CompletionParams`, which `completion` makes of its arguments, and the provider class's
`_convert_completion_params`, then the SDK's way to bytes. From an Anthropic body:
`messages_params_to_completion_params`, which `messages` takes for providers that do not speak that
API. A stream: the SDK's stream and `_convert_completion_chunk_response`, whose chunks pydantic
writes. Between wires, msgspec reads the body and writes what the SDK is given, which saves any-llm
the SDK's own work there.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import msgspec
from anthropic import Anthropic, Stream
from anthropic.types import RawMessageStreamEvent
from any_llm.providers.anthropic import AnthropicProvider
from any_llm.providers.openai import OpenaiProvider
from any_llm.types.completion import CompletionParams
from any_llm.types.messages import MessagesParams
from any_llm.utils.messages_compat import messages_params_to_completion_params

import wireglot as wg
from bench import cases

from .kinds import Streaming, Typed
from .sending import answered, anthropic_bytes, finished, openai_bytes, streamed

__all__ = ["CHUNKS", "EVENTS", "FLOOR", "IMPORT", "REQUIREMENTS", "TRANSLATE", "TYPED"]

REQUIREMENTS = ("any-llm-sdk[anthropic,openai]==1.40.2", "anthropic==0.125.0", "openai==3.54.0")
IMPORT = "from any_llm.providers.anthropic import AnthropicProvider"
FLOOR = frozenset[str]()

_decoded = msgspec.json.Decoder().decode
_encoded = msgspec.json.Encoder().encode
_anthropic = AnthropicProvider(api_key="k")
_openai = OpenaiProvider(api_key="k")
answered(_anthropic.client.messages)
answered(_openai.client.chat.completions)
_anthropic_bytes, _openai_bytes = anthropic_bytes(), openai_bytes()


def _for_anthropic(params: CompletionParams) -> dict[str, Any]:
    return _anthropic._convert_completion_params(params, provider_name="anthropic")


def _for_chat(params: CompletionParams) -> dict[str, Any]:
    sent = _openai._convert_completion_params(params)
    return {"model": params.model_id, "messages": params.messages, **sent}


def _to_anthropic(params: CompletionParams) -> bytes:
    create = _anthropic.client.messages.create
    return _anthropic_bytes(finished(create(**_for_anthropic(params))))


def _to_chat(params: CompletionParams) -> bytes:
    create = _openai.client.chat.completions.create
    return _openai_bytes(finished(create(**_for_chat(params))))


_WAYS: dict[str, Callable[[CompletionParams], bytes]] = {
    "anthropic": _to_anthropic,
    "openai_chat": _to_chat,
}


def _typed(name: str, conversation: list[dict[str, Any]]) -> Typed:
    fixed = json.loads(wg.providers.openai_chat.encode_request(cases.asked(conversation)))
    messages, write = fixed.pop("messages"), _WAYS[name]

    def body(messages: list[Any]) -> bytes:
        params = CompletionParams(
            model_id=cases.MODEL, messages=messages, tools=fixed["tools"], max_tokens=4096
        )
        return write(params)

    return Typed(messages, body)


TYPED = {name: partial(_typed, name) for name in _WAYS}


def _chat_to_anthropic(data: bytes) -> bytes:
    asked = _decoded(data)
    limit = asked.get("max_completion_tokens") or asked.get("max_tokens")
    params = CompletionParams(
        model_id=asked["model"],
        messages=asked["messages"],
        tools=asked.get("tools"),
        max_tokens=limit,
    )
    return _encoded(_for_anthropic(params))


def _anthropic_to_chat(data: bytes) -> bytes:
    params = messages_params_to_completion_params(MessagesParams(**_decoded(data)))
    return _encoded(_for_chat(CompletionParams(**params)))


TRANSLATE = {
    ("openai_chat", "anthropic"): _chat_to_anthropic,
    ("anthropic", "openai_chat"): _anthropic_to_chat,
}
_streaming = Anthropic(api_key="k")


def _events(chunks: list[bytes]) -> list[Any]:
    response = streamed(httpx, "https://localhost/v1/messages", chunks)
    kind: Any = RawMessageStreamEvent
    made = _anthropic._convert_completion_chunk_response
    stream = Stream(cast_to=kind, response=response, client=_streaming)
    return [made(event, model_id=cases.MODEL) for event in stream]


def _text(events: list[Any]) -> str:
    choices = (choice for event in events for choice in event.choices)
    return "".join(choice.delta.content or "" for choice in choices)


EVENTS = Streaming(_events, _text)


def _chunks(chunks: list[bytes]) -> list[bytes]:
    made = [event.model_dump_json(exclude_none=True) for event in _events(chunks)]
    return [f"data: {text}\n\n".encode() for text in [*made, "[DONE]"]]


CHUNKS = _chunks
