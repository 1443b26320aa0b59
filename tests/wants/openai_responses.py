"""What clients of OpenAI Responses want."""

from __future__ import annotations

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
