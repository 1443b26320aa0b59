"""What clients of AWS Bedrock Converse want."""

from __future__ import annotations

from collections.abc import Iterator

from tests.wants.common import repeated
from tests.wants.row import Json, Paths, wants

_USE = '{"toolUse":{"toolUseId":"a","name":"f","input":{}}}'


def _answer(content: str, stop: str) -> str:
    return f'{{"output":{{"message":{{"content":[{content}]}}}},"stopReason":"{stop}"}}'


def _uses(answer: Json) -> Iterator[tuple[str, Json]]:
    for i, block in enumerate(answer["output"]["message"]["content"]):
        if "toolUse" in block:
            yield f"output.message.content.{i}.toolUse", block["toolUse"]


@wants(
    "bedrock",
    "answer",
    "Agents wait for the call of a `tool_use` stop.",
    "strands-agents, event_loop, 2026-11",
    kept=_answer(_USE, "tool_use"),
    broken=_answer('{"text":"x"}', "tool_use"),
)
def a_tool_stop_has_a_call(answer: Json) -> Paths:
    if answer["stopReason"] == "tool_use" and not [*_uses(answer)]:
        yield "stopReason"


@wants(
    "bedrock",
    "answer",
    "Agents end their loop unless the stop is `tool_use`, and never run the call.",
    "strands-agents/sdk-python#1810, 2026-03",
    kept=_answer(_USE, "tool_use"),
    broken=_answer(_USE, "end_turn"),
)
def a_call_stops_for_tools(answer: Json) -> Paths:
    if answer["stopReason"] == "end_turn" and [*_uses(answer)]:
        yield "stopReason"


@wants(
    "bedrock",
    "answer",
    "Claude refuses the next request if two calls have one id.",
    "anthropics/claude-code#20631, 2026-01",
    kept=_answer(_USE, "tool_use"),
    broken=_answer(f"{_USE},{_USE}", "tool_use"),
)
def every_call_has_an_id_of_its_own(answer: Json) -> Paths:
    yield from repeated((f"{path}.toolUseId", use["toolUseId"]) for path, use in _uses(answer))


@wants(
    "bedrock",
    "answer",
    "Costs are computed from the counts: the total has the cached parts of the prompt, too.",
    "AWS, Converse, TokenUsage, 2026-11",
    kept='{"usage":{"inputTokens":3,"cacheReadInputTokens":4,"outputTokens":2,"totalTokens":9}}',
    broken='{"usage":{"inputTokens":3,"cacheReadInputTokens":4,"outputTokens":2,"totalTokens":8}}',
)
def counts_add_up(answer: Json) -> Paths:
    usage = answer.get("usage")
    if usage:
        cached = usage.get("cacheReadInputTokens", 0) + usage.get("cacheWriteInputTokens", 0)
        if usage["totalTokens"] != usage["inputTokens"] + cached + usage["outputTokens"]:
            yield "usage.totalTokens"


def _starts(events: list[Json]) -> Iterator[tuple[int, Json]]:
    for i, event in enumerate(events):
        start = event.get("contentBlockStart", {}).get("start", {})
        if "toolUse" in start:
            yield i, start["toolUse"]


def _stop(events: list[Json]) -> str:
    stops: list[str] = [e["messageStop"]["stopReason"] for e in events if "messageStop" in e]
    return stops[-1] if stops else ""


_START = (
    '{"contentBlockStart":{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"a","name":"f"}}}}'
)
_INPUT = '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{}"}}}}'
_TEXT = '{"contentBlockDelta":{"contentBlockIndex":0,"delta":{"text":"x"}}}'
_TEXT_OF_1 = '{"contentBlockDelta":{"contentBlockIndex":1,"delta":{"text":"x"}}}'
_END = '{"contentBlockStop":{"contentBlockIndex":0}}'
_END_OF_1 = '{"contentBlockStop":{"contentBlockIndex":1}}'
_TO_CALL = '{"messageStop":{"stopReason":"tool_use"}}'
_TO_END = '{"messageStop":{"stopReason":"end_turn"}}'


@wants(
    "bedrock",
    "stream",
    "Strands runs no call, and sends a turn without content, if a `tool_use` stop has no call.",
    "strands-rl/strands-env#252, 2026-09",
    kept=f"[{_START},{_TO_CALL}]",
    broken=f"[{_TEXT},{_TO_CALL}]",
)
def a_stream_that_stops_for_tools_has_a_call(events: list[Json]) -> Paths:
    if _stop(events) == "tool_use" and not [*_starts(events)]:
        yield "messageStop.stopReason"


@wants(
    "bedrock",
    "stream",
    "Agents end their loop unless the stop is `tool_use`, and never run the call.",
    "strands-agents/sdk-python#1810, 2026-03",
    kept=f"[{_START},{_TO_CALL}]",
    broken=f"[{_START},{_TO_END}]",
)
def a_stream_with_a_call_stops_for_tools(events: list[Json]) -> Paths:
    if _stop(events) == "end_turn" and [*_starts(events)]:
        yield "messageStop.stopReason"


@wants(
    "bedrock",
    "stream",
    "Claude refuses the next request if two calls have one id.",
    "anthropics/claude-code#20631, 2026-01",
    kept=f"[{_START}]",
    broken=f"[{_START},{_START}]",
)
def every_call_of_a_stream_has_an_id_of_its_own(events: list[Json]) -> Paths:
    yield from repeated((f"{i}.toolUseId", use["toolUseId"]) for i, use in _starts(events))


@wants(
    "bedrock",
    "stream",
    "Strands adds a block to the answer when it ends, and loses one that does not.",
    "maximhq/bifrost#4262, 2026-07",
    kept=f"[{_TEXT},{_END},{_TO_END}]",
    broken=f"[{_TEXT},{_TO_END}]",
)
def every_block_ends(events: list[Json]) -> Paths:
    ended = {e["contentBlockStop"]["contentBlockIndex"] for e in events if "contentBlockStop" in e}
    for i, event in enumerate(events):
        index = event.get("contentBlockDelta", {}).get("contentBlockIndex")
        if index is not None and index not in ended:
            yield f"{i}"


@wants(
    "bedrock",
    "stream",
    "Strands keeps one current block, and hermes-agent one current number.",
    "maximhq/bifrost#4262, 2026-07; NousResearch/hermes-agent#108209, 2026-09",
    kept=f"[{_TEXT},{_END},{_TEXT_OF_1},{_END_OF_1}]",
    broken=f"[{_TEXT},{_TEXT_OF_1},{_END},{_END_OF_1}]",
)
def one_block_ends_before_the_next_begins(events: list[Json]) -> Paths:
    current = None
    for i, event in enumerate(events):
        ((name, value),) = event.items()
        index = value.get("contentBlockIndex")
        if index is not None:
            if current not in (None, index):
                yield f"{i}"
            current = None if name == "contentBlockStop" else index


@wants(
    "bedrock",
    "stream",
    "Clients have the id and the name of a call from its start, and none without it.",
    "pydantic-ai 2.68, models/bedrock.py",
    kept=f"[{_START},{_INPUT}]",
    broken=f"[{_INPUT},{_START}]",
)
def a_call_begins_with_its_id_and_its_name(events: list[Json]) -> Paths:
    begun: set[int] = set()
    for i, event in enumerate(events):
        if "contentBlockStart" in event:
            begun.add(event["contentBlockStart"]["contentBlockIndex"])
        delta = event.get("contentBlockDelta", {})
        if "toolUse" in delta.get("delta", {}) and delta["contentBlockIndex"] not in begun:
            yield f"{i}"
