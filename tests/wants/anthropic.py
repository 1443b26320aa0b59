"""What clients of Anthropic Messages want."""

from __future__ import annotations

from collections.abc import Iterator

from tests.wants.common import repeated
from tests.wants.row import Json, Paths, wants

_USE = '{"type":"tool_use","id":"a","name":"f","input":{}}'


def _uses(answer: Json) -> Iterator[tuple[str, Json]]:
    for i, block in enumerate(answer["content"]):
        if block["type"] == "tool_use":
            yield f"content.{i}", block


@wants(
    "anthropic",
    "answer",
    "Claude Code waits for ever for the call of a `tool_use` stop.",
    "anthropics/claude-code#40240, 2026-03",
    kept=f'{{"content":[{_USE}],"stop_reason":"tool_use"}}',
    broken='{"content":[{"type":"text","text":"x"}],"stop_reason":"tool_use"}',
)
def a_tool_stop_has_a_call(answer: Json) -> Paths:
    if answer["stop_reason"] == "tool_use" and not [*_uses(answer)]:
        yield "stop_reason"


@wants(
    "anthropic",
    "answer",
    "Agents end their loop unless the stop is `tool_use`, and never run the call.",
    "Anthropic, Handling stop reasons, 2026-11",
    kept=f'{{"content":[{_USE}],"stop_reason":"tool_use"}}',
    broken=f'{{"content":[{_USE}],"stop_reason":"end_turn"}}',
)
def a_call_stops_for_tools(answer: Json) -> Paths:
    if answer["stop_reason"] in ("end_turn", None) and [*_uses(answer)]:
        yield "stop_reason"


@wants(
    "anthropic",
    "answer",
    "The API refuses the next request if two calls have one id.",
    "anthropics/claude-code#20631, 2026-01",
    kept=f'{{"content":[{_USE}],"stop_reason":"tool_use"}}',
    broken=f'{{"content":[{_USE},{_USE}],"stop_reason":"tool_use"}}',
)
def every_call_has_an_id_of_its_own(answer: Json) -> Paths:
    yield from repeated((f"{path}.id", block["id"]) for path, block in _uses(answer))


@wants(
    "anthropic",
    "stream",
    "Claude Code keeps one current block, and loses what comes to another.",
    "farion1231/cc-switch#2303, 2026-06",
    kept='[{"type":"content_block_start","index":0},{"type":"content_block_stop","index":0},'
    '{"type":"content_block_start","index":1},{"type":"content_block_stop","index":1}]',
    broken='[{"type":"content_block_start","index":0},{"type":"content_block_start","index":1},'
    '{"type":"content_block_stop","index":0},{"type":"content_block_stop","index":1}]',
)
def one_block_ends_before_the_next_begins(events: list[Json]) -> Paths:
    current = None
    for i, event in enumerate(events):
        if event["type"] == "content_block_start":
            if current is not None:
                yield f"{i}"
            current = event["index"]
        elif event["type"] == "content_block_stop":
            current = None
