"""Streams of OpenAI Responses, piece by piece, and what is looked for in bodies of any API."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.trackers.bodies import Json, responses_answer

__all__ = [
    "CHAT_SCHEMA",
    "every",
    "function_item",
    "keys_of",
    "message_item",
    "streamed",
    "thinking_item",
]

CHAT_SCHEMA: Final[Json] = {
    "type": "json_schema",
    "json_schema": {
        "name": "n",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"x": {"type": "string"}},
            "required": ["x"],
            "additionalProperties": False,
        },
    },
}
"""A schema for an answer, as Chat Completions has it."""


def every(value: Any, key: str) -> Iterator[Any]:
    """Yield what stands under a key, at any depth."""
    if isinstance(value, dict):
        if key in value:
            yield value[key]
        for inner in value.values():
            yield from every(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from every(inner, key)


def keys_of(value: Any) -> set[str]:
    """Return all keys, at any depth."""
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def streamed(*events: Json, last: Json | None = None, **keys: Any) -> list[Json]:
    """Return a stream with its first and its last event, and numbers."""
    begun = responses_answer(status="in_progress", usage=None)
    ended = last or {"type": "response.completed", "response": responses_answer(**keys)}
    all_of_it = [{"type": "response.created", "response": begun}, *events, ended]
    return [{**event, "sequence_number": i} for i, event in enumerate(all_of_it)]


def message_item(value: str, index: int = 0, *, has_deltas: bool = True) -> list[Json]:
    """Return the events of a message."""
    at = {"output_index": index, "item_id": f"msg_{index}", "content_index": 0}
    item = {"id": f"msg_{index}", "type": "message", "role": "assistant"}
    part = {"type": "output_text", "text": value, "annotations": []}
    empty = {"type": "output_text", "text": "", "annotations": []}
    delta = [{"type": "response.output_text.delta", **at, "delta": value, "logprobs": []}]
    return [
        _added(index, {**item, "status": "in_progress", "content": []}),
        {"type": "response.content_part.added", **at, "part": empty},
        *(delta if has_deltas else []),
        {"type": "response.output_text.done", **at, "text": value, "logprobs": []},
        {"type": "response.content_part.done", **at, "part": part},
        _done(index, {**item, "status": "completed", "content": [part]}),
    ]


def function_item(
    arguments: str,
    index: int = 0,
    *,
    deltas: tuple[str, ...] | None = None,
    has_done: bool = True,
    name: str = "f",
) -> list[Json]:
    """Return the events of a call; `deltas` are the pieces of its arguments, by default one."""
    at = {"output_index": index, "item_id": f"fc_{index}"}
    item = {"id": f"fc_{index}", "type": "function_call", "call_id": f"call_{index}", "name": name}
    pieces = (arguments,) if deltas is None else deltas
    done = {"type": "response.function_call_arguments.done", **at, "arguments": arguments}
    return [
        _added(index, {**item, "arguments": "", "status": "in_progress"}),
        *(
            {"type": "response.function_call_arguments.delta", **at, "delta": piece}
            for piece in pieces
        ),
        *([done] if has_done else []),
        _done(index, {**item, "arguments": arguments, "status": "completed"}),
    ]


def thinking_item(
    *summaries: str, index: int = 0, encrypted: str | None = None, text: str = ""
) -> list[Json]:
    """Return the events of thinking: summaries, or the text itself."""
    at = {"output_index": index, "item_id": f"rs_{index}"}
    item: Json = {"id": f"rs_{index}", "type": "reasoning"}
    parts = [{"type": "summary_text", "text": summary} for summary in summaries]
    whole: Json = {**item, "summary": parts}
    events = [_added(index, {**item, "summary": []})]
    for i, summary in enumerate(summaries):
        here = {**at, "summary_index": i}
        empty = {"type": "summary_text", "text": ""}
        events += [
            {"type": "response.reasoning_summary_part.added", **here, "part": empty},
            {"type": "response.reasoning_summary_text.delta", **here, "delta": summary},
            {"type": "response.reasoning_summary_text.done", **here, "text": summary},
            {"type": "response.reasoning_summary_part.done", **here, "part": parts[i]},
        ]
    if text:
        here = {**at, "content_index": 0}
        events += [
            {"type": "response.reasoning_text.delta", **here, "delta": text},
            {"type": "response.reasoning_text.done", **here, "text": text},
        ]
        whole["content"] = [{"type": "reasoning_text", "text": text}]
    if encrypted is not None:
        whole["encrypted_content"] = encrypted
    return [*events, _done(index, whole)]


def _added(index: int, item: Json) -> Json:
    return {"type": "response.output_item.added", "output_index": index, "item": item}


def _done(index: int, item: Json) -> Json:
    return {"type": "response.output_item.done", "output_index": index, "item": item}
