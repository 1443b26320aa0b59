"""What clients of OpenAI's Chat Completions want."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.wants.common import are_objects, repeated
from tests.wants.row import Json, Paths, wants

_TOOL_STOP, _END_STOP = '"tool_calls"', '"stop"'
_ID, _OTHER_ID = '"id":"c"', '"id":"d"'
_COUNTS = '{"prompt_tokens":3,"completion_tokens":2,"total_tokens":%d}'
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


def _deltas(events: list[Json]) -> Iterator[tuple[int, int, Json]]:
    for i, event in enumerate(events):
        for choice in event.get("choices", []):
            yield i, choice.get("index", 0), choice["delta"]


def _call_deltas(events: list[Json]) -> Iterator[tuple[int, int, Json]]:
    for i, choice, delta in _deltas(events):
        for call in delta.get("tool_calls") or []:
            yield i, choice, call


def _chunk(delta: str, stop: str = "null", more: str = "") -> str:
    return f'{{"id":"c","choices":[{{"index":0,"delta":{delta},"finish_reason":{stop}}}]{more}}}'


_FIRST = '{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}'
_CALLING = _chunk(f'{{"tool_calls":[{_FIRST}]}}')
_MORE = '{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}'


def _stops(events: list[Json]) -> Iterator[tuple[Any, bool]]:
    """Yield the stop of each choice, and whether it has a call."""
    stops: dict[int, Any] = {}
    for event in events:
        for choice in event.get("choices", []):
            stops[choice.get("index", 0)] = choice.get("finish_reason") or stops.get(
                choice.get("index", 0)
            )
    called = {choice for _, choice, delta in _deltas(events) if delta.get("tool_calls")}
    called |= {choice for _, choice, delta in _deltas(events) if delta.get("function_call")}
    yield from ((stop, choice in called) for choice, stop in stops.items())


@wants(
    "openai_chat",
    "stream",
    "Agents wait for the call of a `tool_calls` stop.",
    "opencode2api#27, 2026-05",
    kept=f"[{_CALLING},{_chunk('{}', _TOOL_STOP)}]",
    broken=f"[{_chunk('{}', _TOOL_STOP)}]",
)
def a_stream_that_stops_for_tools_has_a_call(events: list[Json]) -> Paths:
    if any(
        stop in ("tool_calls", "function_call") and not called for stop, called in _stops(events)
    ):
        yield "finish_reason"


@wants(
    "openai_chat",
    "stream",
    "Clients that run a call at `tool_calls` alone, such as Zed, drop it at `stop`.",
    "BerriAI/litellm#35663, 2026-08",
    kept=f"[{_CALLING},{_chunk('{}', _TOOL_STOP)}]",
    broken=f"[{_CALLING},{_chunk('{}', _END_STOP)}]",
)
def a_stream_with_a_call_stops_for_tools(events: list[Json]) -> Paths:
    if any(stop in ("stop", None) and called for stop, called in _stops(events)):
        yield "finish_reason"


@wants(
    "openai_chat",
    "stream",
    "The AI SDK ends the turn if the first delta of a call has no id or no name.",
    "vercel/ai#18440, 2026-08; anomalyco/opencode#47954, 2026-09",
    kept=f"[{_CALLING},{_chunk(_MORE)}]",
    broken=f"[{_chunk(_MORE)},{_CALLING}]",
)
def a_call_begins_with_its_id_and_its_name(events: list[Json]) -> Paths:
    begun: set[tuple[int, int]] = set()
    for i, choice, call in _call_deltas(events):
        named = (call.get("function") or call.get("custom") or {}).get("name")
        if (choice, call["index"]) not in begun and not (call.get("id") and named):
            yield f"{i}"
        begun.add((choice, call["index"]))


@wants(
    "openai_chat",
    "stream",
    "OpenAI's own accumulator joins texts: a second id or name is put behind the first.",
    "openai 3.57, lib/streaming/_deltas.py",
    kept=f"[{_CALLING},{_chunk(_MORE)}]",
    broken=f"[{_CALLING},{_CALLING}]",
)
def an_id_and_a_name_come_once(events: list[Json]) -> Paths:
    begun: set[tuple[int, int]] = set()
    for i, choice, call in _call_deltas(events):
        again = call.get("id") or (call.get("function") or {}).get("name")
        if (choice, call["index"]) in begun and again:
            yield f"{i}"
        begun.add((choice, call["index"]))


@wants(
    "openai_chat",
    "stream",
    "OpenAI's own accumulator joins texts: a second role makes `assistantassistant`.",
    "openai 3.57, lib/streaming/_deltas.py",
    kept='[{"choices":[{"index":0,"delta":{"role":"assistant"}}]},'
    '{"choices":[{"index":0,"delta":{"content":"x"}}]}]',
    broken='[{"choices":[{"index":0,"delta":{"role":"assistant"}}]},'
    '{"choices":[{"index":0,"delta":{"role":"assistant","content":"x"}}]}]',
)
def the_role_comes_once(events: list[Json]) -> Paths:
    known: set[int] = set()
    for i, choice, delta in _deltas(events):
        if delta.get("role"):
            if choice in known:
                yield f"{i}"
            known.add(choice)


@wants(
    "openai_chat",
    "stream",
    "OpenAI's own accumulator takes the number of a call for its position in a list.",
    "openai 3.57, lib/streaming/_deltas.py; BerriAI/litellm#11407, 2025-06",
    kept=f"[{_CALLING}]",
    broken="[" + _CALLING.replace('{"index":0,"id"', '{"index":1,"id"') + "]",
)
def calls_are_numbered_from_zero(events: list[Json]) -> Paths:
    counts: dict[int, int] = {}
    for i, choice, call in _call_deltas(events):
        if call["index"] > counts.get(choice, 0):
            yield f"{i}"
        counts[choice] = max(counts.get(choice, 0), call["index"] + 1)


@wants(
    "openai_chat",
    "stream",
    "Clients find the chunks of an answer by its id: with another, a call loses its arguments.",
    "BerriAI/litellm#36700, 2026-08",
    kept=f"[{_CALLING},{_chunk(_MORE)}]",
    broken=f"[{_CALLING},{_chunk(_MORE).replace(_ID, _OTHER_ID)}]",
)
def all_chunks_have_one_id(events: list[Json]) -> Paths:
    ids = {event["id"] for event in events if event.get("id")}
    if len(ids) > 1:
        yield "id"


@wants(
    "openai_chat",
    "stream",
    "OpenAI's own accumulator keeps the usage of the last chunk, or none.",
    "openai 3.57, lib/streaming/chat/_completions.py",
    kept=f'[{_chunk("{}")},{{"choices":[],"usage":{_COUNTS % 5}}}]',
    broken=f'[{{"choices":[],"usage":{_COUNTS % 5}}},{_chunk("{}")}]',
)
def the_usage_is_in_the_last_chunk(events: list[Json]) -> Paths:
    having = [i for i, event in enumerate(events) if event.get("usage")]
    if having and having[-1] < len(events) - 1:
        yield f"{having[-1]}"


@wants(
    "openai_chat",
    "stream",
    "Costs are computed from the counts.",
    "BerriAI/litellm#27065, 2026-05",
    kept=f'[{{"choices":[],"usage":{_COUNTS % 5}}}]',
    broken=f'[{{"choices":[],"usage":{_COUNTS % 6}}}]',
)
def counts_of_a_stream_add_up(events: list[Json]) -> Paths:
    for i, event in enumerate(events):
        if event.get("usage"):
            yield from (f"{i}.{path}" for path in counts_add_up.find({"usage": event["usage"]}))


@wants(
    "openai_chat",
    "answer",
    "Many readers take `choices[0]`, and OpenAI's own helper finds a choice by its number.",
    "openai 3.57, lib/streaming/chat/_completions.py",
    kept='{"choices":[{"index":0},{"index":1}]}',
    broken='{"choices":[{"index":1},{"index":0}]}',
)
def choices_are_numbered_by_their_places(answer: Json) -> Paths:
    for i, choice in enumerate(answer["choices"]):
        if choice.get("index", i) != i:
            yield f"choices.{i}.index"
