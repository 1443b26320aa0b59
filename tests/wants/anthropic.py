"""What clients of Anthropic Messages want."""

from __future__ import annotations

from collections.abc import Iterator

from tests.wants.common import are_objects, repeated
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


@wants(
    "anthropic",
    "answer",
    "Clients add up the counts of a prompt: what is cached is not part of `input_tokens`.",
    "router-for-me/CLIProxyAPI#5956, 2026-09; future-agi/future-agi#1122, 2026-06",
    kept='{"usage":{"input_tokens":1,"cache_read_input_tokens":2,"output_tokens":3}}',
    broken='{"usage":{"input_tokens":-1,"cache_read_input_tokens":2,"output_tokens":3}}',
)
def no_count_is_below_zero(answer: Json) -> Paths:
    for key, count in answer["usage"].items():
        if isinstance(count, int) and count < 0:
            yield f"usage.{key}"


def _started(events: list[Json]) -> list[Json]:
    return [e["content_block"] for e in events if e["type"] == "content_block_start"]


def _last_delta(events: list[Json]) -> Json:
    ends: list[Json] = [e["delta"] for e in events if e["type"] == "message_delta"]
    return ends[-1] if ends else {}


_USED = '{"type":"content_block_start","index":0,"content_block":' + _USE + "}"
_SAID = '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'
_TO_CALL = '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}'
_TO_END = '{"type":"message_delta","delta":{"stop_reason":"end_turn"}}'


@wants(
    "anthropic",
    "stream",
    "Claude Code waits for ever for the call of a `tool_use` stop.",
    "anthropics/claude-code#40240, 2026-03",
    kept=f"[{_USED},{_TO_CALL}]",
    broken=f"[{_SAID},{_TO_CALL}]",
)
def a_stream_that_stops_for_tools_has_a_call(events: list[Json]) -> Paths:
    called = any(block["type"] == "tool_use" for block in _started(events))
    if _last_delta(events).get("stop_reason") == "tool_use" and not called:
        yield "stop_reason"


@wants(
    "anthropic",
    "stream",
    "Agents end their loop unless the stop is `tool_use`, and never run the call.",
    "Anthropic, Handling stop reasons, 2026-11",
    kept=f"[{_USED},{_TO_CALL}]",
    broken=f"[{_USED},{_TO_END}]",
)
def a_stream_with_a_call_stops_for_tools(events: list[Json]) -> Paths:
    called = any(block["type"] == "tool_use" for block in _started(events))
    if called and _last_delta(events).get("stop_reason", "") in ("end_turn", None):
        yield "stop_reason"


@wants(
    "anthropic",
    "stream",
    "The API refuses the next request if two calls have one id.",
    "anthropics/claude-code#20631, 2026-01",
    kept=f"[{_USED}]",
    broken=f"[{_USED},{_USED}]",
)
def every_call_of_a_stream_has_an_id_of_its_own(events: list[Json]) -> Paths:
    blocks = enumerate(_started(events))
    yield from repeated((f"{i}.id", b["id"]) for i, b in blocks if b["type"] == "tool_use")


_PIECE = (
    '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":'
)


@wants(
    "anthropic",
    "stream",
    "Anthropic's own accumulator raises ValueError if the pieces of an input are not JSON.",
    "anthropic 2.14, lib/streaming/_messages.py",
    kept=f'[{_USED},{_PIECE}"{{"}}}},{_PIECE}"}}"}}}}]',
    broken=f'[{_USED},{_PIECE}"{{"}}}},{_PIECE}"{{}}"}}}}]',
)
def the_pieces_of_an_input_are_an_object(events: list[Json]) -> Paths:
    inputs: dict[int, str] = {}
    for event in events:
        if event["type"] == "content_block_delta" and "partial_json" in event["delta"]:
            index = event["index"]
            inputs[index] = inputs.get(index, "") + event["delta"]["partial_json"]
    yield from are_objects((f"{index}", text) for index, text in inputs.items() if text)


_SIGNED = (
    '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"y"}}'
)


@wants(
    "anthropic",
    "stream",
    "Anthropic's own accumulator keeps the last piece of a signature alone.",
    "anthropic 2.14, lib/streaming/_messages.py",
    kept=f"[{_SIGNED}]",
    broken=f"[{_SIGNED},{_SIGNED}]",
)
def a_signature_comes_in_one_piece(events: list[Json]) -> Paths:
    signed = [
        (i, event["index"])
        for i, event in enumerate(events)
        if event["type"] == "content_block_delta" and "signature" in event["delta"]
    ]
    seen: set[int] = set()
    for i, index in signed:
        if index in seen:
            yield f"{i}"
        seen.add(index)


@wants(
    "anthropic",
    "stream",
    "Claude Code compacts by the length of the prompt, and does not if a stream never says it.",
    "justlovemaki/AIClient2API#71, 2025-11; farion1231/cc-switch#1945, 2026-04",
    kept='[{"type":"message_start","message":{"usage":{"input_tokens":0}}},'
    '{"type":"message_delta","delta":{},"usage":{"input_tokens":3,"output_tokens":1}}]',
    broken='[{"type":"message_start","message":{"usage":{"input_tokens":0}}},'
    '{"type":"message_delta","delta":{},"usage":{"output_tokens":1}}]',
)
def a_stream_says_how_long_the_prompt_was(events: list[Json]) -> Paths:
    said = [e["message"]["usage"] for e in events if e["type"] == "message_start"]
    said += [e.get("usage") or {} for e in events if e["type"] == "message_delta"]
    keys = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    failed = any(event["type"] == "error" for event in events)
    if not failed and not any(usage.get(key) for usage in said for key in keys):
        yield "usage.input_tokens"
