"""The benchmark's session as LangChain and Pydantic AI store it, written by their own classes.

The answers have the metadata that OpenAI's and Anthropic's answers leave in them there.
"""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from .session import session

__all__ = ["langchain_history", "pydantic_ai_history"]

_START = datetime(2026, 3, 4, 5, 6, 0, 123456, UTC)
_COUNTS = {"input_tokens": 22_100, "output_tokens": 350, "total_tokens": 22_450}
_OPENAI = {
    "token_usage": {
        "completion_tokens": 350,
        "prompt_tokens": 22_100,
        "total_tokens": 22_450,
        "completion_tokens_details": {"audio_tokens": 0, "reasoning_tokens": 80},
        "prompt_tokens_details": {"audio_tokens": 0, "cached_tokens": 20_000},
    },
    "model_provider": "openai",
    "model_name": "gpt-5",
    "system_fingerprint": None,
    "service_tier": "default",
    "logprobs": None,
}
_ANTHROPIC = {
    "model": "claude-sonnet-4-5",
    "stop_sequence": None,
    "usage": {"input_tokens": 1200, "output_tokens": 350, "cache_read_input_tokens": 20_000},
    "model_name": "claude-sonnet-4-5",
    "model_provider": "anthropic",
}


def langchain_history(provider: str) -> bytes:
    """Return what `messages_to_dict` makes, as JSON. Raises ImportError without LangChain."""
    from langchain_core.messages import HumanMessage, ToolMessage, messages_to_dict

    made: list[Any] = []
    for i, message in enumerate(session()):
        content = message["content"]
        if message["role"] == "user":
            parts = [
                block
                if block["type"] == "text"
                else {"type": "image", "base64": block["data"], "mime_type": block["mimeType"]}
                for block in content
            ]
            made.append(HumanMessage(parts if len(parts) > 1 else parts[0]["text"], id=f"h{i}"))
        elif message["role"] == "toolResult":
            id, name = message["toolCallId"], message["toolName"]
            made.append(ToolMessage(content[0]["text"], tool_call_id=id, name=name, id=f"t{i}"))
        else:
            made.append(_langchain_answer(content, provider, f"run-{i}"))
    return json.dumps(messages_to_dict(made)).encode()


def _langchain_answer(content: list[dict[str, Any]], provider: str, id: str) -> Any:
    from langchain_core.messages import AIMessage

    calls = [
        {"name": each["name"], "args": each["arguments"], "id": each["id"], "type": "tool_call"}
        for each in content
        if each["type"] == "toolCall"
    ]
    if provider == "openai":
        text = "".join(each["text"] for each in content if each["type"] == "text")
        reason = {"finish_reason": "tool_calls" if calls else "stop"}
        details = {"input_token_details": {"audio": 0, "cache_read": 20_000}}
        return AIMessage(
            text,
            id=id,
            tool_calls=calls,
            additional_kwargs={"refusal": None},
            response_metadata=_OPENAI | reason,
            usage_metadata=_COUNTS | details,
        )
    parts = [
        {"type": "tool_use", "id": each["id"], "name": each["name"], "input": each["arguments"]}
        if each["type"] == "toolCall"
        else each
        for each in content
    ]
    details = {"input_token_details": {"cache_creation": 900, "cache_read": 20_000}}
    return AIMessage(
        parts if calls else parts[0]["text"],
        id=id,
        tool_calls=calls,
        response_metadata=_ANTHROPIC | {"stop_reason": "tool_use" if calls else "end_turn"},
        usage_metadata=_COUNTS | details,
    )


def pydantic_ai_history(provider: str) -> bytes:
    """Return what `ModelMessagesTypeAdapter` writes. Raises ImportError without Pydantic AI."""
    from pydantic_ai import messages as theirs

    made: list[Any] = []
    parts: list[Any] = []
    for i, message in enumerate(session()):
        now = _START + timedelta(seconds=i)
        content = message["content"]
        if message["role"] == "user":
            said = [
                each["text"]
                if each["type"] == "text"
                else theirs.BinaryContent(base64.b64decode(each["data"]), media_type="image/png")
                for each in content
            ]
            parts.append(theirs.UserPromptPart(said if len(said) > 1 else said[0], timestamp=now))
        elif message["role"] == "toolResult":
            id, name = message["toolCallId"], message["toolName"]
            parts.append(
                theirs.ToolReturnPart(name, content[0]["text"], tool_call_id=id, timestamp=now)
            )
        else:
            about = {"run_id": "run-1", "conversation_id": "c-1"}
            made.append(theirs.ModelRequest(parts, timestamp=now, **about))
            parts = []
            made.append(_pydantic_ai_answer(content, provider, f"msg_{i}", now, about))
    return theirs.ModelMessagesTypeAdapter.dump_json(made)


def _pydantic_ai_answer(
    content: list[dict[str, Any]], provider: str, id: str, now: datetime, about: dict[str, str]
) -> Any:
    from pydantic_ai import messages as theirs
    from pydantic_ai.usage import RequestUsage

    is_text = provider == "openai"  # its calls have the model's own text
    parts = [
        theirs.ThinkingPart(each["thinking"], signature=each["signature"], provider_name=provider)
        if each["type"] == "thinking"
        else theirs.TextPart(each["text"])
        if each["type"] == "text"
        else theirs.ToolCallPart(
            each["name"],
            json.dumps(each["arguments"]) if is_text else each["arguments"],
            tool_call_id=each["id"],
        )
        for each in content
    ]
    has_calls = content[-1]["type"] == "toolCall"
    word = ("tool_calls" if has_calls else "stop") if is_text else "tool_use"
    return theirs.ModelResponse(
        parts,
        usage=RequestUsage(
            input_tokens=22_100,
            output_tokens=350,
            cache_read_tokens=20_000,
            details={"reasoning_tokens": 80},
        ),
        model_name="gpt-5" if is_text else "claude-sonnet-4-5",
        timestamp=now,
        provider_name=provider,
        provider_details={"finish_reason": word},
        provider_response_id=id,
        finish_reason="tool_call" if has_calls else "stop",
        **about,
    )
