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
