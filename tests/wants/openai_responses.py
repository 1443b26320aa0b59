"""What clients of OpenAI Responses want."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.wants.common import are_objects, repeated
from tests.wants.row import Json, Paths, wants

_CALL = '{"type":"function_call","id":"fc_1","call_id":"a","name":"f","arguments":"{}"}'


@wants(
    "openai_responses",
    "answer",
    "A client finds the result of a call by its id.",
    "openai-python 3.57, ResponseFunctionToolCall",
    kept=f'{{"output":[{_CALL}]}}',
    broken=f'{{"output":[{_CALL},{_CALL}]}}',
)
def every_call_has_an_id_of_its_own(answer: Json) -> Paths:
    items = [
        (f"output.{i}.call_id", item["call_id"])
        for i, item in enumerate(answer["output"])
        if item["type"] == "function_call"
    ]
    yield from repeated(items)


@wants(
    "openai_responses",
    "answer",
    "Clients parse the arguments of a function as an object.",
    "openai/codex, codex-rs/core, 2026-11",
    kept=f'{{"output":[{_CALL}]}}',
    broken=f'{{"output":[{_CALL.replace("{}", "")}]}}',
)
def arguments_are_an_object(answer: Json) -> Paths:
    calls = (item for item in answer["output"] if item["type"] == "function_call")
    yield from are_objects((f"output.{i}.arguments", c["arguments"]) for i, c in enumerate(calls))


@wants(
    "openai_responses",
    "stream",
    "Codex keeps one current item.",
    "openai/codex, codex-rs/core, 2026-11",
    kept='[{"type":"response.output_item.added"},{"type":"response.output_item.done"}]',
    broken='[{"type":"response.output_item.added"},{"type":"response.output_item.added"}]',
)
def one_item_ends_before_the_next_begins(events: list[Json]) -> Paths:
    is_open = False
    for i, event in enumerate(events):
        if event["type"] == "response.output_item.added":
            if is_open:
                yield f"{i}"
            is_open = True
        elif event["type"] == "response.output_item.done":
            is_open = False


@wants(
    "openai_responses",
    "answer",
    "Codex counts its context by the total, and what is cached as a part of the prompt.",
    "openai/codex, codex-rs/codex-api, 2026-11",
    kept='{"usage":{"input_tokens":3,"output_tokens":2,"total_tokens":5}}',
    broken='{"usage":{"input_tokens":3,"output_tokens":2,"total_tokens":3}}',
)
def counts_add_up(answer: Json) -> Paths:
    usage = answer.get("usage")
    if usage:
        if usage["total_tokens"] != usage["input_tokens"] + usage["output_tokens"]:
            yield "usage.total_tokens"
        if (usage.get("input_tokens_details") or {}).get("cached_tokens", 0) > usage[
            "input_tokens"
        ]:
            yield "usage.input_tokens_details.cached_tokens"
        details = usage.get("output_tokens_details") or {}
        if details.get("reasoning_tokens", 0) > usage["output_tokens"]:
            yield "usage.output_tokens_details.reasoning_tokens"


@wants(
    "openai_responses",
    "answer",
    "OpenAI's own stream helper raises RuntimeError at two items with one id.",
    "openai 3.57, lib/streaming/responses/_responses.py",
    kept='{"output":[{"type":"message","id":"msg_1"},{"type":"message","id":"msg_2"}]}',
    broken='{"output":[{"type":"message","id":"msg_1"},{"type":"message","id":"msg_1"}]}',
)
def every_item_has_an_id_of_its_own(answer: Json) -> Paths:
    ids = [(f"output.{i}.id", item.get("id")) for i, item in enumerate(answer["output"])]
    yield from repeated((path, item_id) for path, item_id in ids if item_id)


@wants(
    "openai_responses",
    "answer",
    "Codex shows the message of a failed answer, and decides by its code whether to try again.",
    "openai/codex, codex-rs/codex-api, 2026-11",
    kept='{"status":"failed","error":{"code":"server_error","message":"x"},"output":[]}',
    broken='{"status":"failed","error":null,"output":[]}',
)
def a_failed_answer_says_why(answer: Json) -> Paths:
    error = answer.get("error") or {}
    if answer.get("status") == "failed" and not (error.get("code") and error.get("message")):
        yield "error"


def _ends(events: list[Json], key: str) -> Iterator[tuple[int, Any]]:
    for i, event in enumerate(events):
        if key in event:
            yield i, event[key]


@wants(
    "openai_responses",
    "stream",
    "OpenAI's own stream helper raises RuntimeError if the id of the answer changes.",
    "openai 3.57, lib/streaming/responses/_responses.py",
    kept='[{"type":"response.created","response":{"id":"resp_1"}},'
    '{"type":"response.completed","response":{"id":"resp_1"}}]',
    broken='[{"type":"response.created","response":{"id":"resp_1"}},'
    '{"type":"response.completed","response":{"id":"resp_2"}}]',
)
def an_answer_keeps_its_id(events: list[Json]) -> Paths:
    ids = [(i, response.get("id")) for i, response in _ends(events, "response")]
    yield from (f"{i}.response.id" for i, response_id in ids if response_id != ids[0][1])


@wants(
    "openai_responses",
    "stream",
    "OpenAI's own stream helper raises RuntimeError if an item ends as another than it began.",
    "openai 3.57, lib/streaming/responses/_responses.py",
    kept='[{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"a"}},'
    '{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"a"}}]',
    broken='[{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"a"}},'
    '{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"b"}}]',
)
def an_item_ends_as_it_began(events: list[Json]) -> Paths:
    begun: dict[int, tuple[Any, ...]] = {}
    for i, item in _ends(events, "item"):
        known = (item["type"], item.get("id"), item.get("call_id"))
        if begun.setdefault(events[i]["output_index"], known) != known:
            yield f"{i}.item"


@wants(
    "openai_responses",
    "stream",
    "Codex waits for `response.output_item.done`, and runs no call without it.",
    "openai/codex, codex-rs/codex-api, 2026-11",
    kept='[{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"a"}},'
    '{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"a"}},'
    '{"type":"response.completed","response":{}}]',
    broken='[{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"a"}},'
    '{"type":"response.completed","response":{}}]',
)
def every_item_ends_before_the_answer(events: list[Json]) -> Paths:
    begun: set[int] = set()
    for i, event in enumerate(events):
        if event["type"] == "response.output_item.added":
            begun.add(event["output_index"])
        elif event["type"] == "response.output_item.done":
            begun.discard(event["output_index"])
        elif event["type"] == "response.completed" and begun:
            yield f"{i}"


@wants(
    "openai_responses",
    "stream",
    "A client finds the result of a call by its id.",
    "openai-python 3.57, ResponseFunctionToolCall",
    kept=f'[{{"type":"response.output_item.done","output_index":0,"item":{_CALL}}}]',
    broken=f'[{{"type":"response.output_item.done","output_index":0,"item":{_CALL}}},'
    f'{{"type":"response.output_item.done","output_index":1,"item":{_CALL}}}]',
)
def every_call_of_a_stream_has_an_id_of_its_own(events: list[Json]) -> Paths:
    yield from repeated(
        (f"{i}.item.call_id", item["call_id"])
        for i, item in _ends(events, "item")
        if events[i]["type"] == "response.output_item.done" and item["type"] == "function_call"
    )


@wants(
    "openai_responses",
    "stream",
    "Codex shows the message of a failed answer, and decides by its code whether to try again.",
    "openai/codex, codex-rs/codex-api, 2026-11",
    kept='[{"type":"response.failed","response":{"error":{"code":"server_error","message":"x"}}}]',
    broken='[{"type":"response.failed","response":{"error":null}}]',
)
def a_stream_that_failed_says_why(events: list[Json]) -> Paths:
    for i, response in _ends(events, "response"):
        error = response.get("error") or {}
        is_failed = events[i]["type"] == "response.failed"
        if is_failed and not (error.get("code") and error.get("message")):
            yield f"{i}.response.error"
