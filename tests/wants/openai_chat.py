"""What clients of OpenAI's Chat Completions want."""

from __future__ import annotations

from collections.abc import Iterator

from tests.wants.common import are_objects, repeated
from tests.wants.row import Json, Paths, wants

_CALL = '{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}'


def _answer(message: str, stop: str) -> str:
    return f'{{"choices":[{{"message":{message},"finish_reason":{stop}}}]}}'


def _calls(answer: Json) -> Iterator[tuple[str, Json]]:
    for i, choice in enumerate(answer["choices"]):
        for j, call in enumerate(choice["message"].get("tool_calls") or []):
            yield f"choices.{i}.message.tool_calls.{j}", call


@wants(
    "openai_chat",
    "answer",
    "Agents wait for the call of a `tool_calls` stop.",
    "opencode2api#27, 2026-05",
    kept=_answer(f'{{"tool_calls":[{_CALL}]}}', '"tool_calls"'),
    broken=_answer('{"content":"x"}', '"tool_calls"'),
)
def a_tool_stop_has_a_call(answer: Json) -> Paths:
    for i, choice in enumerate(answer["choices"]):
        message = choice["message"]
        called = message.get("tool_calls") or message.get("function_call")
        if choice["finish_reason"] in ("tool_calls", "function_call") and not called:
            yield f"choices.{i}.finish_reason"


@wants(
    "openai_chat",
    "answer",
    "Agents end their loop at `stop`, and never run the call.",
    "OpenAI, Function calling guide, 2026-11",
    kept=_answer(f'{{"tool_calls":[{_CALL}]}}', '"tool_calls"'),
    broken=_answer(f'{{"tool_calls":[{_CALL}]}}', '"stop"'),
)
def a_call_stops_for_tools(answer: Json) -> Paths:
    for i, choice in enumerate(answer["choices"]):
        if choice["finish_reason"] in ("stop", None) and choice["message"].get("tool_calls"):
            yield f"choices.{i}.finish_reason"


@wants(
    "openai_chat",
    "answer",
    "A client finds the result of a call by its id.",
    "vllm-project/vllm#32713, 2026-01",
    kept=_answer(f'{{"tool_calls":[{_CALL}]}}', '"tool_calls"'),
    broken=_answer(f'{{"tool_calls":[{_CALL},{_CALL}]}}', '"tool_calls"'),
)
def every_call_has_an_id_of_its_own(answer: Json) -> Paths:
    yield from repeated((f"{path}.id", call["id"]) for path, call in _calls(answer))


@wants(
    "openai_chat",
    "answer",
    "Clients parse the arguments of a function as an object.",
    "openai-python 3.57, lib/_tools",
    kept=_answer(f'{{"tool_calls":[{_CALL}]}}', '"tool_calls"'),
    broken=_answer(f'{{"tool_calls":[{_CALL.replace("{}", "")}]}}', '"tool_calls"'),
)
def arguments_are_an_object(answer: Json) -> Paths:
    calls = ((path, call.get("function")) for path, call in _calls(answer))
    yield from are_objects(
        (f"{path}.function.arguments", made["arguments"]) for path, made in calls if made
    )


@wants(
    "openai_chat",
    "answer",
    "Costs are computed from the counts: what is cached is part of the prompt.",
    "BerriAI/litellm#27065, 2026-05",
    kept='{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}',
    broken='{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":6}}',
)
def counts_add_up(answer: Json) -> Paths:
    usage = answer.get("usage")
    if usage:
        if usage["total_tokens"] != usage["prompt_tokens"] + usage["completion_tokens"]:
            yield "usage.total_tokens"
        if (usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0) > usage[
            "prompt_tokens"
        ]:
            yield "usage.prompt_tokens_details.cached_tokens"
        details = usage.get("completion_tokens_details") or {}
        if details.get("reasoning_tokens", 0) > usage["completion_tokens"]:
            yield "usage.completion_tokens_details.reasoning_tokens"


@wants(
    "openai_chat",
    "stream",
    "OpenAI's own stream helper raises at a second delta of annotations without `index`.",
    "openai/openai-java#297, 2026-02",
    kept='[{"choices":[{"delta":{"annotations":[]}}]}]',
    broken='[{"choices":[{"delta":{"annotations":[]}}]},{"choices":[{"delta":{"annotations":[]}}]}]',
)
def annotations_come_at_once(events: list[Json]) -> Paths:
    having = [
        i
        for i, event in enumerate(events)
        for choice in event.get("choices", [])
        if "annotations" in choice["delta"]
    ]
    yield from (f"{i}" for i in having[1:])


@wants(
    "openai_chat",
    "stream",
    "Many frameworks keep only the call that began last.",
    "farion1231/cc-switch#2303, 2026-06",
    kept='[{"choices":[{"delta":{"tool_calls":[{"index":0},{"index":0},{"index":1}]}}]}]',
    broken='[{"choices":[{"delta":{"tool_calls":[{"index":0},{"index":1},{"index":0}]}}]}]',
)
def one_call_ends_before_the_next_begins(events: list[Json]) -> Paths:
    last = 0
    for i, event in enumerate(events):
        for choice in event.get("choices", []):
            for call in choice["delta"].get("tool_calls") or []:
                if call["index"] < last:
                    yield f"{i}"
                last = call["index"]
