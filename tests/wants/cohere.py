"""What clients of Cohere's Chat want."""

from __future__ import annotations

from tests.wants.common import repeated
from tests.wants.row import Json, Paths, wants

_CALL = '{"id":"a","function":{"name":"f","arguments":"{}"}}'


@wants(
    "cohere",
    "answer",
    "Agents wait for the call of a `TOOL_CALL` stop.",
    "Cohere, Tool use, 2026-11",
    kept=f'{{"message":{{"tool_calls":[{_CALL}]}},"finish_reason":"TOOL_CALL"}}',
    broken='{"message":{"content":[]},"finish_reason":"TOOL_CALL"}',
)
def a_tool_stop_has_a_call(answer: Json) -> Paths:
    if answer["finish_reason"] == "TOOL_CALL" and not answer["message"].get("tool_calls"):
        yield "finish_reason"


@wants(
    "cohere",
    "answer",
    "Agents end their loop at `COMPLETE`, and never run the call.",
    "Cohere, Tool use, 2026-11",
    kept=f'{{"message":{{"tool_calls":[{_CALL}]}},"finish_reason":"TOOL_CALL"}}',
    broken=f'{{"message":{{"tool_calls":[{_CALL}]}},"finish_reason":"COMPLETE"}}',
)
def a_call_stops_for_tools(answer: Json) -> Paths:
    if answer["finish_reason"] == "COMPLETE" and answer["message"].get("tool_calls"):
        yield "finish_reason"


@wants(
    "cohere",
    "answer",
    "A client finds the result of a call by its id.",
    "Cohere, Tool use, 2026-11",
    kept=f'{{"message":{{"tool_calls":[{_CALL}]}}}}',
    broken=f'{{"message":{{"tool_calls":[{_CALL},{_CALL}]}}}}',
)
def every_call_has_an_id_of_its_own(answer: Json) -> Paths:
    calls = answer["message"].get("tool_calls") or []
    yield from repeated((f"message.tool_calls.{i}.id", c["id"]) for i, c in enumerate(calls))
