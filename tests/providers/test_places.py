"""A message's place in its session is stored, and never reaches an LLM: every role, field and wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg
from wireglot.model.place import PLACE

HI = [wg.TextBlock("Hi")]
CALL = wg.ToolCallBlock("call00001", "f", {})
BEFORE: list[Any] = [wg.UserMessage(HI), wg.AssistantMessage([CALL])]
ROLES: dict[str, Callable[..., list[Any]]] = {
    "system": lambda **place: [wg.SystemMessage(HI, **place), wg.UserMessage(HI)],
    "a later system": lambda **place: [wg.UserMessage(HI), wg.SystemMessage(HI, **place)],
    "user": lambda **place: [wg.UserMessage(HI, **place)],
    "assistant": lambda **place: [*BEFORE[:1], wg.AssistantMessage(HI, **place), *BEFORE[:1]],
    "toolResult": lambda **place: [
        *BEFORE,
        wg.ToolResultMessage("call00001", "f", HI, **place),
    ],
    "tool": lambda **place: [
        *BEFORE,
        wg.ToolMessage([wg.ToolResultBlock("call00001", "f", HI)], **place),
    ],
}
FIELDS: dict[str, Any] = {
    "turn_id": wg.TurnId("xyzzy", 81181),
    "node_id": 81181,
    "parent_id": 81182,
    "tags": [wg.Tag("lesson", "xyzzy", 81181, [81182])],
    "provenance_hint": wg.HintMemoryTier("xyzzy", "81181"),
}
every_wire = pytest.mark.parametrize("wire", wg.PROVIDERS)
every_field = pytest.mark.parametrize("name", PLACE)


def test_each_field_of_a_place_is_looked_at() -> None:
    assert {*FIELDS} == {*PLACE}


@every_wire
@every_field
@pytest.mark.parametrize("role", ROLES)
def test_no_request_has_it(wire: str, role: str, name: str) -> None:
    provider = wg.PROVIDERS[wire]
    placed = ROLES[role](**{name: FIELDS[name]})
    losses: list[wg.Loss] = []
    expected_losses: list[wg.Loss] = []
    expected = provider.encode_request(wg.Request(ROLES[role](), "m"), losses=expected_losses)
    assert provider.encode_request(wg.Request(placed, "m"), losses=losses) == expected
    appended = wg.Request([], "m")
    appended.messages = []
    appended.messages.extend(placed)  # past the constructor, which leaves the place out
    assert provider.encode_request(appended, losses=losses) == expected
    assert losses == [*expected_losses] * 2
    assert [getattr(message, name) for message in placed].count(FIELDS[name]) == 1


@every_wire
@every_field
def test_no_growing_conversation_has_it(wire: str, name: str) -> None:
    provider = wg.PROVIDERS[wire]
    bodies = []
    for place in ({}, {name: FIELDS[name]}):
        transcript = provider.Transcript()
        for message in ROLES["assistant"](**place):
            transcript.append(message)
            bodies.append(transcript.encode(model="m", losses=[]))
    assert bodies[:3] == bodies[3:]


@every_wire
@every_field
def test_no_answer_has_it(wire: str, name: str) -> None:
    provider = wg.PROVIDERS[wire]
    bodies = []
    for place in ({}, {name: FIELDS[name]}):
        answer = wg.AssistantMessage([*HI, CALL], wg.StopReason.TOOL_USE, "m", timestamp=1, **place)
        bodies.append(provider.encode_response(wg.Response(answer, "r", 1), losses=[]))
    assert bodies[0] == bodies[1]


@every_wire
@every_field
def test_no_stream_has_it(wire: str, name: str) -> None:
    streams = []
    for place in ({}, {name: FIELDS[name]}):
        start = wg.Response(wg.AssistantMessage([], model="m", timestamp=1, **place), "r", 1)
        end = wg.AssistantMessage(HI, wg.StopReason.STOP, "m", timestamp=1, **place)
        encoder = wg.PROVIDERS[wire].StreamEncoder(losses=[])
        events: list[wg.StreamEvent] = [
            wg.StreamStart(start),
            wg.BlockStart(0, wg.TextBlock("")),
            wg.TextDelta(0, "Hi"),
            wg.BlockEnd(0, HI[0]),
            wg.StreamEnd(wg.Response(end, "r", 1)),
        ]
        streams.append(b"".join(map(encoder.encode, events)))
    assert streams[0] == streams[1]


@pytest.mark.parametrize("role", ROLES)
def test_no_request_that_a_program_makes_has_it_in_native_json(role: str) -> None:
    placed = ROLES[role](**FIELDS)
    for given in (placed, (*placed,), [wg.LlmMessage(message) for message in placed]):
        request = wg.Request(given)
        assert wg.json.encode(request) == wg.json.encode(wg.Request(ROLES[role]()))
        request.messages = given
        assert wg.json.encode(request) == wg.json.encode(wg.Request(ROLES[role]()))


def test_a_native_request_that_has_it_keeps_it() -> None:
    data = b'{"messages":[{"role":"user","content":[],"nodeId":7}]}'
    request = wg.json.decode(data, wg.Request)
    assert request.messages == [wg.UserMessage([], node_id=7)]
    assert wg.json.encode(request) == data


@pytest.mark.parametrize(
    "entry",
    [
        wg.CustomMessage("x"),
        wg.BranchSummaryMessage("x"),
        wg.CompactionSummaryMessage("x"),
        wg.ExtensionMessage("x", 1),
    ],
)
def test_a_session_only_message_is_not_a_message(entry: Any) -> None:
    with pytest.raises(wg.EncodeError, match="expected a message for an LLM; use `llm_messages"):
        wg.LlmMessage(entry)
    assert wg.llm_messages([entry]) == []
    assert not isinstance(entry, wg.Message)
