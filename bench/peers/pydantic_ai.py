"""Pydantic AI: its own message types, stored by `ModelMessagesTypeAdapter`.

A request: the model class's own preparation of what it hands to the provider's SDK
(`_prepare_messages_create`, `_completions_create`, ...: what `Model.request` calls once settings
are merged), and the SDK's way from there to bytes; for Bedrock that is botocore's serializer. A
stream: its `AnthropicStreamedResponse` over the SDK's stream, which yields its events.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any

import httpx2
from anthropic import AsyncAnthropic, AsyncStream
from anthropic.types.beta import BetaRawMessageStreamEvent
from pydantic_ai.messages import (
    BinaryContent,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from bench.cases import MODEL, SCHEMA
from bench.session import TOOLS

from .kinds import Native, Streaming, Typed
from .sending import answered, anthropic_bytes, finished, openai_bytes, streamed

__all__ = ["EVENTS", "FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS", "TYPED"]

REQUIREMENTS = (
    "pydantic-ai-slim[anthropic,bedrock,google,openai]==2.68.0",
    "anthropic==2.12.0",
    "openai==3.54.0",
    "google-genai==2.34.0",
    "boto3==1.44.5",
)
IMPORT = "from pydantic_ai.models.anthropic import AnthropicModel"
FLOOR = frozenset[str]()

_SETTINGS: Any = {"max_tokens": 4096}
_STOPS: dict[str, Any] = {"toolUse": "tool_call", "stop": "stop"}
_OFFERED = ModelRequestParameters(
    function_tools=[
        ToolDefinition(name=tool, description=f"Runs {tool}.", parameters_json_schema=SCHEMA)
        for tool in TOOLS
    ],
    allow_text_output=True,
)


def _time(message: dict[str, Any]) -> datetime:
    return datetime.fromtimestamp(message["timestamp"] / 1000, UTC)


def _asked(block: dict[str, Any]) -> Any:
    if block["type"] == "text":
        return block["text"]
    return BinaryContent(base64.b64decode(block["data"]), media_type=block["mimeType"])


def _answered(block: dict[str, Any]) -> Any:
    if block["type"] == "text":
        return TextPart(block["text"])
    if block["type"] == "thinking":
        name = "anthropic"
        return ThinkingPart(block["thinking"], signature=block["signature"], provider_name=name)
    return ToolCallPart(block["name"], block["arguments"], block["id"])


def _message(data: dict[str, Any]) -> ModelRequest | ModelResponse:
    if data["role"] == "assistant":
        used = data["usage"]
        usage = RequestUsage(
            input_tokens=used["input"],
            cache_write_tokens=used["cache_write"],
            cache_read_tokens=used["cache_read"],
            output_tokens=used["output"],
            output_reasoning_tokens=used["reasoning"],
        )
        parts = list(map(_answered, data["content"]))
        return ModelResponse(
            parts,
            usage=usage,
            model_name=data["model"],
            timestamp=_time(data),
            provider_name="anthropic",
            finish_reason=_STOPS[data["stopReason"]],
        )
    if data["role"] == "toolResult":
        text = data["content"][0]["text"]
        result = ToolReturnPart(data["toolName"], text, data["toolCallId"], timestamp=_time(data))
        return ModelRequest([result])
    prompt = UserPromptPart(list(map(_asked, data["content"])), timestamp=_time(data))
    return ModelRequest([prompt])


def _store(conversation: list[dict[str, Any]]) -> bytes:
    return ModelMessagesTypeAdapter.dump_json(list(map(_message, conversation)))


NATIVE = Native(_store, ModelMessagesTypeAdapter.validate_json, ModelMessagesTypeAdapter.dump_json)


@cache
def _anthropic() -> Any:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    return AnthropicModel(MODEL, provider=AnthropicProvider(api_key="k"))


def _to_anthropic() -> Callable[[list[Any]], bytes]:
    model, to_bytes = _anthropic(), anthropic_bytes()
    answered(model.client.beta.messages)

    def body(messages: list[Any]) -> bytes:
        sent = model._messages_create(messages, False, _SETTINGS, offered)
        return to_bytes(finished(sent))

    _, offered = model.prepare_request(_SETTINGS, _OFFERED)
    return body


def _to_chat() -> Callable[[list[Any]], bytes]:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model, to_bytes = OpenAIChatModel("gpt-5", provider=OpenAIProvider(api_key="k")), openai_bytes()
    answered(model.client.chat.completions)
    settings, offered = model.prepare_request(_SETTINGS, _OFFERED)
    return lambda messages: to_bytes(
        finished(model._completions_create(messages, False, settings, offered))
    )


def _to_responses() -> Callable[[list[Any]], bytes]:
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIResponsesModel("gpt-5", provider=OpenAIProvider(api_key="k"))
    to_bytes = openai_bytes()
    answered(model.client.responses)
    settings, offered = model.prepare_request(_SETTINGS, _OFFERED)
    return lambda messages: to_bytes(
        finished(model._responses_create(messages, False, settings, offered))
    )


def _to_gemini() -> Callable[[list[Any]], bytes]:
    from google.genai import _common, types
    from google.genai.models import _GenerateContentParameters_to_mldev
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    model = GoogleModel("gemini-2.5-pro", provider=GoogleProvider(api_key="k"))
    client = model.client._api_client
    settings, offered = model.prepare_request(_SETTINGS, _OFFERED)

    def body(messages: list[Any]) -> bytes:
        contents, config = finished(model._build_content_and_config(messages, settings, offered))
        config.pop("http_options", None)
        asked = types._GenerateContentParameters(model=MODEL, contents=contents, config=config)
        sent = _GenerateContentParameters_to_mldev(client, asked, None, asked)
        sent.pop("_url")
        sent = _common.encode_unserializable_types(_common.convert_to_dict(sent))
        return json.dumps(sent).encode()

    return body


def _to_bedrock() -> Callable[[list[Any]], bytes]:
    import boto3
    from botocore.serialize import create_serializer
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    client = boto3.client(
        "bedrock-runtime", "us-east-1", aws_access_key_id="k", aws_secret_access_key="k"
    )
    model = BedrockConverseModel(
        "anthropic.claude-sonnet-4-5-20250929-v1:0", provider=BedrockProvider(bedrock_client=client)
    )
    operation = client.meta.service_model.operation_model("Converse")
    serialize = create_serializer("rest-json").serialize_to_request
    settings, offered = model.prepare_request(_SETTINGS, _OFFERED)

    def body(messages: list[Any]) -> bytes:
        system, mapped = finished(model._map_messages(messages, offered, settings))
        params = {
            "modelId": model.model_name,
            "messages": mapped,
            "system": system,
            "inferenceConfig": model._map_inference_config(settings),
            "toolConfig": model._map_tool_config(offered, settings, mapped),
        }
        made: bytes = serialize(params, operation)["body"]
        return made

    return body


_WAYS = {
    "anthropic": _to_anthropic,
    "openai_chat": _to_chat,
    "openai_responses": _to_responses,
    "gemini": _to_gemini,
    "bedrock": _to_bedrock,
}


def _typed(name: str, conversation: list[dict[str, Any]]) -> Typed:
    return Typed(list(map(_message, conversation)), _WAYS[name]())


TYPED = {name: partial(_typed, name) for name in _WAYS}
_streaming = AsyncAnthropic(api_key="k")


async def _drained(chunks: list[bytes]) -> list[Any]:
    from pydantic_ai._utils import PeekableAsyncStream

    response = streamed(httpx2, "https://localhost/v1/messages", chunks, is_async=True)
    kind: Any = BetaRawMessageStreamEvent
    raw = AsyncStream(cast_to=kind, response=response, client=_streaming)
    made = await _anthropic()._process_streamed_response(PeekableAsyncStream(raw), _OFFERED, {})
    return [event async for event in made]


def _text(events: list[Any]) -> str:
    out = ""
    for event in events:
        if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
            out += event.part.content
        elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
            out += event.delta.content_delta
    return out


_loop = asyncio.new_event_loop()  # its streams need one; made before the timing
EVENTS = Streaming(lambda chunks: _loop.run_until_complete(_drained(chunks)), _text)
