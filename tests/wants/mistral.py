"""What clients of Mistral's Chat Completion want."""

from __future__ import annotations

from tests.wants.common import repeated
from tests.wants.row import Json, Paths, wants

_CALL = '{"id":"a","function":{"name":"f","arguments":"{}"}}'


def _answer(message: str, stop: str) -> str:
    return f'{{"choices":[{{"message":{message},"finish_reason":"{stop}"}}]}}'


@wants(
    "mistral",
    "answer",
    "Agents wait for the call of a `tool_calls` stop.",
    "Mistral, Function calling, 2026-11",
    kept=_answer(f'{{"tool_calls":[{_CALL}]}}', "tool_calls"),
    broken=_answer('{"content":"x"}', "tool_calls"),
)
def a_tool_stop_has_a_call(answer: Json) -> Paths:
    for i, choice in enumerate(answer["choices"]):
        if choice["finish_reason"] == "tool_calls" and not choice["message"].get("tool_calls"):
            yield f"choices.{i}.finish_reason"


@wants(
    "mistral",
    "answer",
    "Agents end their loop at `stop`, and never run the call.",
    "Mistral, Function calling, 2026-11",
    kept=_answer(f'{{"tool_calls":[{_CALL}]}}', "tool_calls"),
    broken=_answer(f'{{"tool_calls":[{_CALL}]}}', "stop"),
)
def a_call_stops_for_tools(answer: Json) -> Paths:
    for i, choice in enumerate(answer["choices"]):
        if choice["finish_reason"] == "stop" and choice["message"].get("tool_calls"):
            yield f"choices.{i}.finish_reason"


@wants(
    "mistral",
    "answer",
    "The API refuses the next request if two calls of a message have one id.",
    "mistral-common 1.8, validator",
    kept=_answer(f'{{"tool_calls":[{_CALL}]}}', "tool_calls"),
    broken=_answer(f'{{"tool_calls":[{_CALL},{_CALL}]}}', "tool_calls"),
)
def every_call_has_an_id_of_its_own(answer: Json) -> Paths:
    for i, choice in enumerate(answer["choices"]):
        calls = choice["message"].get("tool_calls") or []
        yield from repeated(
            (f"choices.{i}.message.tool_calls.{j}.id", call["id"]) for j, call in enumerate(calls)
        )
