"""LiteLLM: OpenAI's messages as dicts to every provider's body, and answers to OpenAI's.

A request: the provider's config, `map_openai_params` and `transform_request`, which `completion`
calls, and JSON as its HTTP handler writes it, with `json.dumps`; OpenAI's own API through OpenAI's
SDK, as it does. Between wires: the same behind a parsed body, and `AnthropicAdapter` for the way
back, which its `/v1/messages` takes; bodies are read by orjson, as in its proxy, and what goes to
OpenAI's SDK is written by orjson too, which saves LiteLLM the SDK's own work there. A
stream: the iterator of its Anthropic handler over lines, without the wrapper that `completion` puts
around it; and the proxy's own function that writes a chunk.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from functools import cache, partial
from typing import Any

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # otherwise it fetches prices from the network

import orjson

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import litellm
    from litellm.llms.anthropic.chat.handler import ModelResponseIterator
    from litellm.llms.anthropic.pass_through.adapters.transformation import AnthropicAdapter
    from litellm.llms.vertex_ai.gemini.transformation import transform_request_body

import wireglot as wg
from bench import cases

from .kinds import Streaming, Typed
from .sending import answered, openai_bytes

__all__ = ["CHUNKS", "EVENTS", "FLOOR", "IMPORT", "REQUIREMENTS", "TRANSLATE", "TYPED"]

REQUIREMENTS = ("litellm[proxy]==1.106.2", "openai==2.54.0", "boto3==1.44.5")
IMPORT = "import litellm"
FLOOR = frozenset[str]()

_SETTINGS = ("tools", "max_tokens", "max_completion_tokens")
_MODELS = {
    "anthropic": "claude-sonnet-4-5",
    "openai_chat": "gpt-5",
    "gemini": "gemini-2.5-pro",
    "bedrock": "anthropic.claude-sonnet-4-5-20250929-v1:0",
    "mistral": "mistral-large-latest",
    "cohere": "command-a-03-2025",
    "ollama": "llama3.1",
}


def _configs() -> dict[str, Any]:
    return {
        "anthropic": litellm.AnthropicConfig(),
        "openai_chat": litellm.OpenAIGPTConfig(),
        "gemini": litellm.GoogleAIStudioGeminiConfig(),
        "bedrock": litellm.AmazonConverseConfig(),
        "mistral": litellm.MistralConfig(),
        "cohere": litellm.CohereV2ChatConfig(),
        "ollama": litellm.OllamaChatConfig(),
    }


_CONFIGS = _configs()


def _transformed(name: str, messages: list[Any], settings: dict[str, Any]) -> Any:
    config, model = _CONFIGS[name], _MODELS[name]
    params = config.map_openai_params(dict(settings), {}, model, False)
    if name == "gemini":
        return transform_request_body(messages, model, params, "gemini", {}, None)
    return config.transform_request(model, messages, params, {}, {})


@cache
def _openai() -> Callable[[Any], bytes]:
    """Return the SDK's function from the arguments that LiteLLM passes to it to bytes."""
    from openai import OpenAI

    resource, to_bytes = OpenAI(api_key="k").chat.completions, openai_bytes()
    answered(resource, is_async=False)
    return lambda data: to_bytes(resource.create(**data))


def _written(name: str, messages: list[Any], settings: dict[str, Any]) -> bytes:
    data = _transformed(name, messages, settings)
    return _openai()(data) if name == "openai_chat" else json.dumps(data).encode()


def _typed(name: str, conversation: list[dict[str, Any]]) -> Typed:
    fixed = json.loads(wg.providers.openai_chat.encode_request(cases.asked(conversation)))
    settings = {"tools": fixed["tools"], "max_tokens": 4096}
    return Typed(fixed["messages"], lambda messages: _written(name, messages, settings))


TYPED = {name: partial(_typed, name) for name in _MODELS}


def _chat_to_anthropic(data: bytes) -> bytes:
    asked = orjson.loads(data)
    settings = {key: asked[key] for key in _SETTINGS if key in asked}
    return _written("anthropic", asked["messages"], settings)


def _anthropic_to_chat(data: bytes) -> bytes:
    asked = AnthropicAdapter().translate_completion_input_params(orjson.loads(data))
    assert asked is not None
    settings = {key: asked[key] for key in _SETTINGS if key in asked}
    return orjson.dumps(_transformed("openai_chat", asked["messages"], settings))


TRANSLATE = {
    ("openai_chat", "anthropic"): _chat_to_anthropic,
    ("anthropic", "openai_chat"): _anthropic_to_chat,
}


def _events(chunks: list[bytes]) -> list[Any]:
    # It would make an empty chunk of every line that is not data, which no job asks for.
    lines = (line for chunk in chunks for line in chunk.decode().split("\n") if line[:5] == "data:")
    return list(ModelResponseIterator(streaming_response=lines, sync_stream=True))


def _text(events: list[Any]) -> str:
    return "".join(event.choices[0].delta.content or "" for event in events if event.choices)


EVENTS = Streaming(_events, _text)


@cache
def _serialized() -> Callable[[Any], str | bytes]:
    from litellm.proxy.proxy_server import _serialize_streaming_chunk

    return _serialize_streaming_chunk


def _chunks(chunks: list[bytes]) -> list[bytes]:
    serialized = _serialized()
    made: list[bytes] = []
    for event in _events(chunks):
        event.model = cases.MODEL
        text = serialized(event)
        made.append(b"data: " + (text if isinstance(text, bytes) else text.encode()) + b"\n\n")
    made.append(b"data: [DONE]\n\n")
    return made


CHUNKS = _chunks
