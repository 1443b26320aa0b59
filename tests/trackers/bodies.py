"""Short bodies of each API: requests, answers and the events of streams."""

from __future__ import annotations

import json
from typing import Any, Final

Json = dict[str, Any]

HI: Final = {"role": "user", "content": "Hi"}
OBJECT: Final[Json] = {"type": "object", "properties": {"x": {"type": "string"}}}
PNG: Final = "iVBORw0KGgo"
DATA_URL: Final = f"data:image/png;base64,{PNG}"
CHAT_TOOL: Final[Json] = {"type": "function", "function": {"name": "f", "parameters": OBJECT}}
TOOL: Final[Json] = {"name": "f", "input_schema": OBJECT}
RESPONSES_TOOL: Final[Json] = {"type": "function", "name": "f", "parameters": OBJECT}


# -- requests ------------------------------------------------------------------------------------


def chat(*messages: Json, model: str = "gpt-5", **keys: Any) -> Json:
    """Return a request of Chat Completions."""
    return {"model": model, "messages": [*messages] or [HI], **keys}


def anthropic(*messages: Json, model: str = "claude-sonnet-4-5", **keys: Any) -> Json:
    """Return a request of Anthropic Messages."""
    return {"model": model, "max_tokens": 4096, "messages": [*messages] or [HI], **keys}


def responses(*items: Json, model: str = "gpt-5", **keys: Any) -> Json:
    """Return a request of OpenAI Responses."""
    return {"model": model, "input": [*items] or [HI], **keys}


def gemini(*contents: Json, **keys: Any) -> Json:
    """Return a request of Gemini."""
    return {"contents": [*contents] or [said("user", {"text": "Hi"})], **keys}


def bedrock(*messages: Json, **keys: Any) -> Json:
    """Return a request of Bedrock's Converse."""
    return {"messages": [*messages] or [{"role": "user", "content": [{"text": "Hi"}]}], **keys}


def said(role: str, *parts: Json) -> Json:
    """Return a content of Gemini."""
    return {"role": role, "parts": [*parts]}


def user(*blocks: Json) -> Json:
    """Return a message of the user with blocks."""
    return {"role": "user", "content": [*blocks]}


def assistant(*blocks: Json) -> Json:
    """Return a message of the assistant with blocks."""
    return {"role": "assistant", "content": [*blocks]}


def text(value: str = "Hi", **keys: Any) -> Json:
    """Return a block of text."""
    return {"type": "text", "text": value, **keys}


def use(identity: str = "a", name: str = "f", **arguments: Any) -> Json:
    """Return Anthropic's block of a call."""
    return {"type": "tool_use", "id": identity, "name": name, "input": arguments}


def result(content: Any = "1", identity: str = "a", **keys: Any) -> Json:
    """Return Anthropic's block of a result."""
    return {"type": "tool_result", "tool_use_id": identity, "content": content, **keys}


def thought(value: str = "Hm.", signature: str = "c2ln") -> Json:
    """Return Anthropic's block of thinking."""
    return {"type": "thinking", "thinking": value, "signature": signature}


def call(identity: str = "a", name: str = "f", arguments: str = "{}", **keys: Any) -> Json:
    """Return Chat's call."""
    function = {"name": name, "arguments": arguments}
    return {"id": identity, "type": "function", "function": function, **keys}


def calls(*made: Json, content: Any = None, **keys: Any) -> Json:
    """Return Chat's message with calls."""
    return {"role": "assistant", "content": content, "tool_calls": [*made], **keys}


def tool(content: Any = "1", identity: str = "a") -> Json:
    """Return Chat's message of a result."""
    return {"role": "tool", "tool_call_id": identity, "content": content}


def function_call(identity: str = "a", name: str = "f", arguments: str = "{}") -> Json:
    """Return the item of a call of Responses."""
    return {"type": "function_call", "call_id": identity, "name": name, "arguments": arguments}


def function_output(output: Any = "1", identity: str = "a") -> Json:
    """Return the item of a result of Responses."""
    return {"type": "function_call_output", "call_id": identity, "output": output}


# -- answers -------------------------------------------------------------------------------------


def chat_answer(message: Json, finish: str | None = "stop", **keys: Any) -> Json:
    """Return an answer of Chat Completions."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    usage = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    top = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m"}
    return {**top, "choices": [choice], "usage": usage, **keys}


def anthropic_answer(*content: Json, stop: str = "end_turn", **keys: Any) -> Json:
    """Return an answer of Anthropic Messages."""
    usage = {"input_tokens": 3, "output_tokens": 2}
    top = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m"}
    stops = {"stop_reason": stop, "stop_sequence": None}
    return {**top, "content": [*content], **stops, "usage": usage, **keys}


def gemini_answer(*parts: Json, finish: str = "STOP", **keys: Any) -> Json:
    """Return an answer of Gemini, or a chunk of one."""
    candidate = {"content": {"role": "model", "parts": [*parts]}, "finishReason": finish}
    usage = {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5}
    if not finish:
        del candidate["finishReason"]
    top = {"responseId": "r1", "modelVersion": "m"}
    return {"candidates": [candidate], "usageMetadata": usage, **top, **keys}


def responses_answer(*output: Json, status: str = "completed", **keys: Any) -> Json:
    """Return an answer of OpenAI Responses."""
    usage = {
        "input_tokens": 3,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 2,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 5,
    }
    top = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": status}
    return {**top, "output": [*output], "usage": usage, **keys}


def bedrock_answer(*content: Json, stop: str = "end_turn", **keys: Any) -> Json:
    """Return an answer of Bedrock's Converse."""
    usage = {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}
    message = {"role": "assistant", "content": [*content]}
    return {"output": {"message": message}, "stopReason": stop, "usage": usage, **keys}


# -- streams -------------------------------------------------------------------------------------


def chunk(delta: Json, finish: str | None = None, **keys: Any) -> Json:
    """Return a chunk of Chat Completions."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    top = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return {**top, "choices": [choice], **keys}


def called(
    arguments: str = "{}", index: int = 0, identity: str | None = "a", name: str | None = "f"
) -> Json:
    """Return a delta of Chat Completions with a call, or with more of its arguments."""
    function = {"name": name, "arguments": arguments} if name else {"arguments": arguments}
    head = {"id": identity, "type": "function"} if identity else {}
    return {"tool_calls": [{"index": index, **head, "function": function}]}


COUNTS: Final = {
    "id": "c1",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "m",
    "choices": [],
    "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
}
START: Final = {
    "type": "message_start",
    "message": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 1},
    },
}


def block(index: int, start: Json, *deltas: Json) -> list[Json]:
    """Return the events of one block of Anthropic's stream."""
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def end(stop: str = "end_turn", **usage: Any) -> list[Json]:
    """Return the last events of Anthropic's stream."""
    delta = {"stop_reason": stop, "stop_sequence": None}
    counts = {"output_tokens": 2, **usage}
    return [{"type": "message_delta", "delta": delta, "usage": counts}, {"type": "message_stop"}]


def deltas(events: list[Json], key: str) -> list[Any]:
    """Return what the chunks of Chat have under a key of their delta."""
    parts = [c["delta"] for e in events for c in e.get("choices", [])]
    return [part[key] for part in parts if part.get(key) is not None]


def finish(events: list[Json]) -> list[str]:
    """Return the reasons that the chunks of Chat end with."""
    reasons = [c.get("finish_reason") for e in events for c in e.get("choices", [])]
    return [reason for reason in reasons if reason]


def blocks(events: list[Json]) -> list[Json]:
    """Return the starts of the blocks of Anthropic's stream."""
    return [e["content_block"] for e in events if e["type"] == "content_block_start"]


def grown(events: list[Json], kind: str, key: str) -> str:
    """Return what the deltas of one kind in Anthropic's stream make together."""
    parts = [e["delta"] for e in events if e["type"] == "content_block_delta"]
    return "".join(part[key] for part in parts if part["type"] == kind)


def stop(events: list[Json]) -> str:
    """Return the stop reason of Anthropic's stream."""
    (delta,) = [e for e in events if e["type"] == "message_delta"]
    reason: str = delta["delta"]["stop_reason"]
    return reason


def line(done: str | None = None, **message: Any) -> Json:
    """Return a line of Ollama's stream; the last one has a reason."""
    top = {"model": "m", "created_at": "2026-01-01T00:00:00Z"}
    counts = {"done_reason": done, "prompt_eval_count": 3, "eval_count": 2} if done else {}
    return {
        **top,
        "message": {"role": "assistant", "content": "", **message},
        "done": bool(done),
        **counts,
    }


def mentions(body: Any, word: str) -> bool:
    """Return whether a word is anywhere in a body."""
    return word in json.dumps(body)
