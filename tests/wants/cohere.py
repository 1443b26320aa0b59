"""What clients of Cohere's Chat want."""

from __future__ import annotations

from tests.wants.common import are_objects, repeated
from tests.wants.row import Json, Paths, wants

_INDEX = '"index":0,'
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


@wants(
    "cohere",
    "answer",
    "Clients parse the arguments of a function as an object.",
    "Cohere, Tool use, 2026-11",
    kept=f'{{"message":{{"tool_calls":[{_CALL}]}}}}',
    broken=f'{{"message":{{"tool_calls":[{_CALL.replace("{}", "")}]}}}}',
)
def arguments_are_an_object(answer: Json) -> Paths:
    calls = enumerate(answer["message"].get("tool_calls") or [])
    at = "message.tool_calls"
    yield from are_objects((f"{at}.{i}.arguments", c["function"]["arguments"]) for i, c in calls)


_START = '{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":' + _CALL + "}}}"
_PIECE = (
    '{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":'
    '{"arguments":"{}"}}}}}'
)
_END = '{"type":"message-end","delta":{"finish_reason":"%s"}}'


@wants(
    "cohere",
    "stream",
    "Pydantic AI leaves out a piece of a call that has no `index`.",
    "pydantic-ai 2.68, models/cohere.py",
    kept=f"[{_START},{_PIECE}]",
    broken=f"[{_START},{_PIECE.replace(_INDEX, '')}]",
)
def every_piece_of_a_call_has_its_index(events: list[Json]) -> Paths:
    for i, event in enumerate(events):
        if event["type"].startswith("tool-call-") and event.get("index") is None:
            yield f"{i}"


@wants(
    "cohere",
    "stream",
    "Agents wait for the call of a `TOOL_CALL` stop, and run none at `COMPLETE`.",
    "Cohere, Tool use, 2026-11",
    kept=f"[{_START},{_END % 'TOOL_CALL'}]",
    broken=f"[{_START},{_END % 'COMPLETE'}]",
)
def a_stream_stops_for_tools_if_it_has_a_call(events: list[Json]) -> Paths:
    called = any(event["type"] == "tool-call-start" for event in events)
    stops = [e["delta"].get("finish_reason") for e in events if e["type"] == "message-end"]
    if (called and "COMPLETE" in stops) or (not called and "TOOL_CALL" in stops):
        yield "finish_reason"


@wants(
    "cohere",
    "stream",
    "A client finds the result of a call by its id.",
    "Cohere, Tool use, 2026-11",
    kept=f"[{_START}]",
    broken=f"[{_START},{_START}]",
)
def every_call_of_a_stream_has_an_id_of_its_own(events: list[Json]) -> Paths:
    yield from repeated(
        (f"{i}.id", event["delta"]["message"]["tool_calls"]["id"])
        for i, event in enumerate(events)
        if event["type"] == "tool-call-start"
    )
