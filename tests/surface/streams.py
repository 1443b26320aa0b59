"""An event of a stream -> the events of a whole answer around it; and bytes -> events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

import wireglot as wg

from .bodies import server_call
from .values import MODEL

Json = Any
_TIME = "2026-01-02T03:04:05Z"


def read_stream(wire: str, data: bytes) -> list[Json]:
    """Return the events that a stream's bytes hold."""
    if wire == "bedrock":
        frames = wg.framing.eventstream.Decoder().feed(data)
        return [{h[":event-type"]: msgspec.json.decode(body or b"{}")} for h, body in frames]
    lines = data.decode().splitlines()
    if wire != "ollama":
        lines = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    return [msgspec.json.decode(line) for line in lines if line and line != "[DONE]"]


def plain_stream(wire: str) -> list[Json]:
    """Return the events of an answer with a text."""
    return STREAMS[wire](_PLAIN[wire]())


# -- Anthropic ---------------------------------------------------------------------------------

_OPENED = {
    "input_json_delta": {"type": "tool_use", "id": "toolu_zq", "name": "zqname", "input": {}},
    "thinking_delta": {"type": "thinking", "thinking": "", "signature": ""},
    "signature_delta": {"type": "thinking", "thinking": "", "signature": ""},
    "compaction_delta": {"type": "compaction", "content": None},
}
_EMPTY = {"type": "text", "text": ""}


def _anthropic(event: Json) -> list[Json]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_zq", "type": "message", "role": "assistant", "model": MODEL}
    message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
    kind = event["type"]
    start = {"type": "message_start", "message": message}
    block = _block(_EMPTY)
    text = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta"}}
    text["delta"]["text"] = "Hi."  # type: ignore[index]
    stop = {"type": "content_block_stop", "index": 0}
    ended = {"stop_reason": "end_turn", "stop_sequence": None}
    delta = {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 2}}
    end = {"type": "message_stop"}
    if kind == "message_start":
        return [{**event, "message": {**event["message"], "content": []}}, block, text, stop, delta]
    if kind == "content_block_start":
        calls = [_block(call) for call in server_call(event["content_block"])]
        before = [*calls, stop] if calls else []
        at = {"index": len(calls)}
        return [start, *before, {**event, **at}, {**stop, **at}, delta, end]
    if kind == "content_block_delta":
        opened = _OPENED.get(event["delta"]["type"], _EMPTY)
        return [start, _block(opened), event, stop, delta, end]
    return [
        start, block, text, event if kind == "content_block_stop" else stop,
        event if kind == "message_delta" else delta, event if kind == "message_stop" else end,
    ]  # fmt: skip


def _block(block: Json) -> Json:
    return {"type": "content_block_start", "index": 0, "content_block": block}


# -- Chat Completions and Mistral, Gemini, Ollama ----------------------------------------------


def _chunk(**choice: Json) -> Json:
    chunk = {"id": "chatcmpl-zq", "object": "chat.completion.chunk", "created": 1700000001}
    return {**chunk, "model": MODEL, "choices": [{"index": 0, **choice}]}


def _chat(event: Json) -> list[Json]:
    choices = [{**choice, "index": 0} for choice in event.get("choices") or ()]
    first, reason = _chunk(delta={"role": "assistant"}), "stop"
    if any((choice.get("delta") or {}).get("tool_calls") for choice in choices):
        reason = "tool_calls"
    done = any(choice.get("finish_reason") for choice in choices)
    last = [] if done else [_chunk(delta={}, finish_reason=reason)]
    return [first, {**event, "id": "chatcmpl-zq", "choices": choices}, *last]


def _ollama(event: Json) -> list[Json]:
    message = {"content": "Zq content.", **(event.get("message") or {}), "role": "assistant"}
    message.pop("tool_name", None)
    event = {**event, "message": message}
    if event.get("done") or event.keys() & {"done_reason", "eval_count"}:
        return [{**event, "done": True}]
    empty = {"role": "assistant", "content": ""}
    last = {"model": MODEL, "created_at": _TIME, "message": empty, "done": True}
    return [event, {**last, "done_reason": "stop"}]


# -- Responses ---------------------------------------------------------------------------------

_ITEM_OF = {
    "output_text": "message", "refusal": "message", "content_part": "message",
    "reasoning_summary_part": "reasoning", "reasoning_summary_text": "reasoning",
    "reasoning_text": "reasoning", "function_call_arguments": "function_call",
    "custom_tool_call_input": "custom_tool_call", "mcp_call_arguments": "mcp_call",
    "code_interpreter_call_code": "code_interpreter_call", "shell_call_command": "shell_call",
    "shell_call_output_content": "shell_call_output",
}  # fmt: skip
"""The middle of an event's name -> the item that it is about."""
_CALL: Json = {"call_id": "call_zq", "name": "zqname"}
_BARE: dict[str, Json] = {
    "message": {"role": "assistant", "content": [], "status": "in_progress"},
    "reasoning": {"summary": []},
    "function_call": {**_CALL, "arguments": "", "status": "in_progress"},
    "custom_tool_call": {**_CALL, "input": ""},
    "code_interpreter_call": {"container_id": "cntr_zq", "code": "", "status": "in_progress"},
    "mcp_call": {"name": "zqname", "server_label": "zqs", "arguments": ""},
    "web_search_call": {"action": {"type": "search", "query": "zq"}, "status": "in_progress"},
    "file_search_call": {"status": "in_progress", "queries": []},
    "image_generation_call": {"status": "in_progress", "result": None},
    "mcp_list_tools": {"server_label": "zqs", "tools": []},
    "shell_call": {"call_id": "call_zq", "action": {"commands": []}, "status": "in_progress"},
    "shell_call_output": {"call_id": "call_zq", "output": []},
}
_TEXT = {"type": "output_text", "text": "", "annotations": []}
_AT = {"item_id": "item_zq", "output_index": 0, "content_index": 0, "sequence_number": 2}


def _responses(event: Json) -> list[Json]:
    whole: Json = {"id": "resp_zq", "object": "response", "created_at": 1700000001, "model": MODEL}
    whole |= {"status": "in_progress", "output": [], "tools": [], "tool_choice": "auto"}
    whole |= {"parallel_tool_calls": True, "metadata": {}, "temperature": 1, "top_p": 1}
    kind = event["type"]
    created = {"type": "response.created", "response": whole, "sequence_number": 0}
    said = {"type": "message", "id": "msg_zq", "role": "assistant", "status": "completed"}
    said["content"] = [{**_TEXT, "text": "Hi."}]  # type: ignore[assignment]

    def done(*items: Json) -> Json:
        response = {**whole, "status": "completed", "output": [*items]}
        return {"type": "response.completed", "response": response, "sequence_number": 99}

    if not kind:
        return [created, done(said)]
    if kind in ("response.created", "response.queued", "response.in_progress"):
        begun = {**event["response"], "status": "in_progress", "output": [], "id": "resp_zq"}
        before = [] if kind == "response.created" else [created]
        return [*before, {**event, "response": begun}, done(said)]
    if kind in ("response.completed", "response.incomplete", "response.failed"):
        response = {**event["response"], "status": kind.partition(".")[2]}
        return [created, {**event, "response": response}]
    if kind == "error":
        return [created, event]
    if kind in ("response.output_item.added", "response.output_item.done"):
        return [created, event, done(event["item"])]
    name = kind.split(".")[1]
    item = _ITEM_OF.get(name, name)
    if item not in _BARE:
        return [created, event, done(said)]
    made = {"type": item, "id": "item_zq", **_BARE[item]}
    before = [{"type": "response.output_item.added", "output_index": 0, "item": made}]
    if item == "message" and name != "content_part":
        part = {"type": "refusal", "refusal": ""} if name == "refusal" else _TEXT
        before.append({"type": "response.content_part.added", **_AT, "part": part})
    if name == "output_text" and not kind.endswith("delta"):
        before.append({"type": "response.output_text.delta", **_AT, "delta": "Zq text."})
    if "item_id" in event:
        event = {**event, "item_id": "item_zq"}
    return [created, *before, event, done()]


# -- Bedrock -----------------------------------------------------------------------------------

_STARTS: dict[str, Json] = {
    "toolUse": {"toolUseId": "zqid", "name": "zqname"},
    "toolResult": {"toolUseId": "zqid", "type": "zq_result", "status": "success"},
    "image": {"format": "png"},
    "audio": {"format": "wav"},
}
"""What is in a delta -> what the block begins with."""


def _bedrock(event: Json) -> list[Json]:
    kind = next(iter(event), "")
    start, stop = {"messageStart": {"role": "assistant"}}, {"contentBlockStop": _AT_0}
    text = {"contentBlockDelta": {**_AT_0, "delta": {"text": "Hi."}}}
    end = {"messageStop": {"stopReason": "end_turn"}}
    if kind == "contentBlockStart":
        return [start, event, stop, end]
    if kind == "contentBlockDelta":
        began = [{key: _STARTS[key]} for key in event[kind]["delta"] if key in _STARTS]
        before = [{"contentBlockStart": {**_AT_0, "start": each}} for each in began]
        return [start, *before, event, stop, end]
    if kind == "messageStart":
        return [{kind: {**event[kind], "role": "assistant"}}, text, stop, end]
    if kind == "contentBlockStop" or not kind:
        return [start, text, event or stop, end]
    return [start, text, stop, *([end] if kind == "metadata" else []), event]


_AT_0 = {"contentBlockIndex": 0}


# -- Cohere ------------------------------------------------------------------------------------


def _cohere(event: Json) -> list[Json]:
    kind = event["type"]
    start, end = _of("message-start", {"role": "assistant", "content": []}), _of("message-end")
    start["id"] = "zqid"
    used = {"tokens": {"input_tokens": 1, "output_tokens": 2}}
    end["delta"] = {"finish_reason": "COMPLETE", "usage": used}
    of_text = {"type": "text", "text": ""}
    said = (event.get("delta") or {}).get("message") or {}
    if kind == "content-delta" and "thinking" in said.get("content", {}):
        of_text = {"type": "thinking", "thinking": ""}
    text = [
        _of("content-start", {"content": of_text}),
        _of("content-delta", {"content": {"text": "Hi there."}}),
        _of("content-end"),
    ]
    function = {"name": "zqname", "arguments": ""}
    call = {"id": "zqid", "type": "function", "function": function}
    calls = [_of("tool-call-start", {"tool_calls": call}), event, _of("tool-call-end")]
    if kind.startswith("tool-call"):
        if kind != "tool-call-delta":
            calls = [each for each in calls if each is event or each["type"] != kind]
        return [start, *calls, end]
    if kind in ("message-start", "message-end"):
        return [event, *text, end] if kind == "message-start" else [start, *text, event]
    if kind.startswith("content"):
        return [start, *(event if each["type"] == kind else each for each in text), end]
    at = 2 if kind.startswith("citation") else 0
    return [start, *text[:at], event, *text[at:], end]


def _of(kind: str, message: Json = None) -> Json:
    event = {"type": kind, "index": 0}
    return event if message is None else {**event, "delta": {"message": message}}


_PLAIN: dict[str, Callable[[], Json]] = {
    "anthropic": lambda: {"type": "content_block_stop", "index": 0},
    "openai_chat": lambda: _chunk(delta={"content": "Hi."}),
    "openai_responses": lambda: {"type": ""},
    "gemini": lambda: {
        "candidates": [
            {"content": {"role": "model", "parts": [{"text": "Hi."}]}, "finishReason": "STOP"}
        ]
    },
    "bedrock": lambda: {"contentBlockStop": _AT_0},
    "mistral": lambda: _chunk(delta={"content": "Hi."}, finish_reason=None),
    "cohere": lambda: _of("content-end"),
    "ollama": lambda: {"model": MODEL, "created_at": _TIME, "done": False},
}
STREAMS: dict[str, Callable[[Json], list[Json]]] = {
    "anthropic": _anthropic,
    "openai_chat": _chat,
    "openai_responses": _responses,
    "gemini": lambda event: [event],
    "bedrock": _bedrock,
    "mistral": _chat,
    "cohere": _cohere,
    "ollama": _ollama,
}
