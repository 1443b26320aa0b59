"""LangChain: the messages of langchain-core, and its chat models for Anthropic and OpenAI.

Stored messages: `messages_to_dict` and `messages_from_dict`, whose dicts msgspec reads and writes
here, in LangChain's favour. A request: the chat model's `_get_request_payload`, which is what
`invoke` hands to the SDK's `create`, and the SDK's steps from there to bytes. From an OpenAI body:
`convert_to_messages`, its public reader of such dicts, `convert_to_anthropic_tool`, which
`bind_tools` calls, and the payload, which msgspec writes. A stream: the SDK's stream, and
`_make_message_chunk_from_anthropic_event`, which `stream` calls for each event.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import httpx2
import msgspec
from anthropic import Anthropic, Stream
from anthropic.types import RawMessageStreamEvent
from langchain_anthropic import ChatAnthropic
from langchain_anthropic.chat_models import convert_to_anthropic_tool
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    ToolMessage,
    convert_to_messages,
    messages_from_dict,
    messages_to_dict,
)
from langchain_openai import ChatOpenAI

from bench.cases import MODEL, SCHEMA
from bench.session import TOOLS

from .kinds import Native, Streaming, Typed
from .sending import answered, anthropic_bytes, openai_bytes, streamed

__all__ = ["EVENTS", "FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS", "TRANSLATE", "TYPED"]

REQUIREMENTS = (
    "langchain-core==1.7.2",
    "langchain-anthropic==1.7.7",
    "langchain-openai==1.7.3",
    "anthropic==2.12.0",
    "openai==3.54.0",
)
IMPORT = "from langchain_anthropic import ChatAnthropic"
FLOOR = frozenset[str]()

_STOPS = {"toolUse": "tool_use", "stop": "end_turn"}
_decoded = msgspec.json.Decoder().decode
_encoded = msgspec.json.Encoder().encode


def _block(data: dict[str, Any]) -> dict[str, Any]:
    if data["type"] == "image":  # the form that is cheapest for both chat models
        url = f"data:{data['mimeType']};base64,{data['data']}"
        return {"type": "image_url", "image_url": {"url": url}}
    return data


def _content(blocks: list[dict[str, Any]]) -> Any:
    """Return a single text as a string, which costs LangChain a hundredth of a block."""
    if len(blocks) == 1 and blocks[0]["type"] == "text":
        return blocks[0]["text"]
    return list(map(_block, blocks))


def _message(data: dict[str, Any]) -> BaseMessage:
    content = data["content"]
    if data["role"] == "toolResult":
        return ToolMessage(content[0]["text"], tool_call_id=data["toolCallId"])
    if data["role"] == "user":
        return HumanMessage(_content(content))
    calls = [
        {"name": block["name"], "args": block["arguments"], "id": block["id"], "type": "tool_call"}
        for block in content
        if block["type"] == "toolCall"
    ]
    said = _content([block for block in content if block["type"] != "toolCall"])
    used = data["usage"]
    usage: Any = {
        "input_tokens": used["input"],
        "output_tokens": used["output"],
        "total_tokens": used["total_tokens"],
        "input_token_details": {
            "cache_read": used["cache_read"],
            "cache_creation": used["cache_write"],
        },
        "output_token_details": {"reasoning": used["reasoning"]},
    }
    answered_by = {
        "model_name": data["model"],
        "model_provider": data["provider"],
        "stop_reason": _STOPS[data["stopReason"]],
    }
    return AIMessage(said, tool_calls=calls, usage_metadata=usage, response_metadata=answered_by)


def _store(conversation: list[dict[str, Any]]) -> bytes:
    return _encode(list(map(_message, conversation)))


def _encode(messages: list[BaseMessage]) -> bytes:
    return _encoded(messages_to_dict(messages))


NATIVE = Native(_store, lambda data: messages_from_dict(_decoded(data)), _encode)


def _tools() -> list[dict[str, Any]]:
    return [
        {"name": tool, "description": f"Runs {tool}.", "input_schema": SCHEMA} for tool in TOOLS
    ]


def _functions(*, flat: bool) -> list[dict[str, Any]]:
    made = [{"name": tool, "description": f"Runs {tool}.", "parameters": SCHEMA} for tool in TOOLS]
    if flat:
        return [{"type": "function", **function} for function in made]
    return [{"type": "function", "function": function} for function in made]


def _writer(name: str) -> Callable[[Any], bytes]:
    """Return a function from messages to bytes, with tools as `bind_tools` prepares them."""
    model: Any
    tools: list[dict[str, Any]]
    settings: Any = {"model": "gpt-5", "max_tokens": 4096, "api_key": "k"}
    if name == "anthropic":
        model = ChatAnthropic(model=MODEL, max_tokens=4096, api_key="k")
        resource, to_bytes, tools = model._client.messages, anthropic_bytes(), _tools()
    elif name == "openai_chat":
        model = ChatOpenAI(**settings)
        resource, to_bytes = model.root_client.chat.completions, openai_bytes()
        tools = _functions(flat=False)
    else:
        model = ChatOpenAI(**settings, use_responses_api=True)
        resource, to_bytes = model.root_client.responses, openai_bytes()
        tools = _functions(flat=True)
    answered(resource, is_async=False)
    return lambda messages: to_bytes(
        resource.create(**model._get_request_payload(messages, tools=tools))
    )


def _typed(name: str, conversation: list[dict[str, Any]]) -> Typed:
    return Typed(list(map(_message, conversation)), _writer(name))


TYPED = {name: partial(_typed, name) for name in ("anthropic", "openai_chat", "openai_responses")}
_model = ChatAnthropic(model=MODEL, max_tokens=4096, api_key="k")
_streaming = Anthropic(api_key="k")


def _chat_to_anthropic(data: bytes) -> bytes:
    asked = _decoded(data)
    tools = list(map(convert_to_anthropic_tool, asked.get("tools", ())))
    messages = convert_to_messages(asked["messages"])
    limit = asked.get("max_completion_tokens") or asked["max_tokens"]
    return _encoded(_model._get_request_payload(messages, tools=tools, max_tokens=limit))


TRANSLATE = {("openai_chat", "anthropic"): _chat_to_anthropic}


def _events(chunks: list[bytes]) -> list[Any]:
    response = streamed(httpx2, "https://localhost/v1/messages", chunks)
    kind: Any = RawMessageStreamEvent
    made: list[Any] = []
    start = None
    for event in Stream(cast_to=kind, response=response, client=_streaming):
        message, start = _model._make_message_chunk_from_anthropic_event(
            event, coerce_content_to_string=True, block_start_event=start
        )
        if message is not None:
            made.append(message)
    return made


EVENTS = Streaming(_events, lambda events: "".join(event.content for event in events))
