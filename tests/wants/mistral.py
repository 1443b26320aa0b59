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


@wants(
    "mistral",
    "answer",
    "Pydantic AI stops with an AssertionError at an answer without a choice.",
    "pydantic-ai 2.68, models/mistral.py",
    kept=_answer('{"content":"x"}', "stop"),
    broken='{"choices":[]}',
)
def there_is_a_choice(answer: Json) -> Paths:
    if not answer["choices"]:
        yield "choices"


@wants(
    "mistral",
    "answer",
    "Costs are computed from the counts.",
    "mistralai 3.7, UsageInfo",
    kept='{"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}',
    broken='{"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":6}}',
)
def counts_add_up(answer: Json) -> Paths:
    usage = answer.get("usage")
    if usage and usage["total_tokens"] != usage["prompt_tokens"] + usage["completion_tokens"]:
        yield "usage.total_tokens"


@wants(
    "mistral",
    "stream",
    "The AI SDK wants an id in each entry of `tool_calls`: a call comes whole, in one chunk.",
    "anomalyco/opencode#49692, 2026-09",
    kept=f'[{{"choices":[{{"delta":{{"tool_calls":[{_CALL}]}}}}]}}]',
    broken=f'[{{"choices":[{{"delta":{{"tool_calls":[{_CALL}]}}}}]}},'
    '{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}]',
)
def every_piece_of_a_call_has_its_id(events: list[Json]) -> Paths:
    for i, event in enumerate(events):
        for choice in event.get("choices", []):
            for call in choice["delta"].get("tool_calls") or []:
                if not call.get("id"):
                    yield f"{i}"


def _delta(events: list[Json], key: str) -> bool:
    return any(choice["delta"].get(key) for event in events for choice in event.get("choices", []))


_CALLING = f'{{"choices":[{{"delta":{{"tool_calls":[{_CALL}]}},"finish_reason":"tool_calls"}}]}}'


@wants(
    "mistral",
    "stream",
    "Agents wait for the call of a `tool_calls` stop, and run none at `stop`.",
    "Mistral, Function calling, 2026-11",
    kept=f"[{_CALLING}]",
    broken="[" + _CALLING.replace('"finish_reason":"tool_calls"', '"finish_reason":"stop"') + "]",
)
def a_stream_stops_for_tools_if_it_has_a_call(events: list[Json]) -> Paths:
    called = _delta(events, "tool_calls")
    stops = {choice.get("finish_reason") for event in events for choice in event.get("choices", [])}
    if (called and "stop" in stops) or (not called and "tool_calls" in stops):
        yield "finish_reason"
