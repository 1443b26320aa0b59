"""A message's place in its session is stored, and reaches no LLM: every role, field and wire."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

import wireglot as wg
from wireglot import queue
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
    "turn_id": wg.model.TurnId("xyzzy", 81181),
    "node_id": 81181,
    "parent_id": 81182,
    "tags": [wg.model.Tag("lesson", "xyzzy", 81181, [81182])],
    "provenance_hint": wg.model.HintMemoryTier("xyzzy", "81181"),
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
def test_no_request_of_what_an_llm_may_see_has_it_in_native_json(role: str) -> None:
    placed = ROLES[role](**FIELDS)
    for given in (placed, (*placed,), [wg.LlmMessage(message) for message in placed]):
        request = wg.Request(wg.llm_messages(given))
        assert wg.json.encode(request) == wg.json.encode(wg.Request(ROLES[role]()))


@pytest.mark.parametrize("role", ROLES)
def test_a_request_keeps_it_however_it_gets_its_messages(role: str) -> None:
    placed = ROLES[role](**FIELDS)
    for given in (placed, [wg.LlmMessage(message) for message in placed]):
        assert wg.Request(given).messages == placed
        request = wg.Request([])
        request.messages += given
        assert request.messages == placed
    assert wg.Request(placed).messages is placed


def test_a_native_request_that_has_it_keeps_it() -> None:
    data = b'{"messages":[{"role":"user","content":[],"nodeId":7}]}'
    request = wg.json.decode(data, wg.Request)
    assert request.messages == [wg.UserMessage([], node_id=7)]
    assert wg.json.encode(request) == data
    request.messages += [wg.UserMessage([])]
    assert wg.json.encode(request) == data[:-2] + b',{"role":"user","content":[]}]}'
    assert msgspec.structs.replace(request).messages == request.messages


@pytest.mark.parametrize("provider", wg.PROVIDERS)
def test_the_ids_of_an_answer_do_not_depend_on_it(provider: str) -> None:
    calls = [wg.ToolCallBlock("", "f", "{}")]
    encode = wg.PROVIDERS[provider].encode_response
    made = {
        encode(wg.Response(wg.AssistantMessage(calls, timestamp=1, **place)), losses=[])
        for place in ({}, {"turn_id": wg.model.TurnId("a", 1)}, {"node_id": 1})
    }
    assert len(made) == 1


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


# -- a request that has a place keeps it, whatever is done with it --------------------------------

DOCUMENT = (
    b'{"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}],'
    b'"turnId":{"loopId":"L","turnIndex":1}}],"model":"m"}'
)
UNKNOWN = DOCUMENT[:-1] + b',"zz":1}'
KEPT: dict[str, Callable[[bytes], bytes]] = {
    "checked": lambda data: wg.json.encode(wg.json.decode(data, wg.Request), check=True),
    "copied": lambda data: wg.json.encode(copy.deepcopy(wg.json.decode(data, wg.Request))),
    "pickled": lambda data: wg.json.encode(
        pickle.loads(pickle.dumps(wg.json.decode(data, wg.Request)))
    ),
    "in MessagePack": lambda data: wg.json.encode(
        wg.msgpack.decode(wg.msgpack.encode(wg.json.decode(data, wg.Request)), wg.Request)
    ),
    "in an envelope": lambda data: wg.json.encode(
        queue.decode(queue.encode(wg.json.decode(data, wg.Request)), wg.Request)
    ),
}


@pytest.mark.parametrize("data", [DOCUMENT, UNKNOWN], ids=["known keys", "an unknown key"])
@pytest.mark.parametrize("way", KEPT.values(), ids=KEPT)
def test_a_decoded_request_keeps_its_place(way: Callable[[bytes], bytes], data: bytes) -> None:
    assert way(data) == data


def test_a_request_with_half_a_character_keeps_its_place() -> None:
    request = wg.json.decode(DOCUMENT, wg.Request)
    request.user_id = "\ud83d"
    made = wg.json.encode(request, losses=[])
    assert made == DOCUMENT.replace(b'"model":"m"', '"model":"m","userId":"\ufffd"'.encode())


# -- stored formats -------------------------------------------------------------------------------

TURN = wg.model.TurnId("L", 1)
CAME: dict[str, bytes] = {
    "langchain": b'[{"type":"human","data":{"content":"hi","additional_kwargs":{},"type":"human",'
    b'"id":7}}]',
    "ravi": b'[{"role":"assistant","type":"ToolCallMessage","id":"c","name":"f","arguments":"{}"}]',
    "pydantic_ai": b'[{"kind":"response","parts":[{"part_kind":"text","content":"hi"}]}]',
}


@pytest.mark.parametrize("name", CAME)
def test_a_place_changes_nothing_else_of_what_a_format_writes(name: str) -> None:
    form = wg.FORMATS[name]
    session = form.decode(CAME[name])
    losses: list[wg.Loss] = []
    placed = [message.with_turn_id(TURN) for message in session]
    assert form.encode(placed, losses=losses) == form.encode(session)
    assert [loss.path for loss in losses] == ["$[0].turnId"]


@pytest.mark.parametrize("name", wg.FORMATS)
def test_a_pair_is_written_by_every_format_as_its_message_is(name: str) -> None:
    form = wg.FORMATS[name]
    message = wg.UserMessage([wg.TextBlock("hi")], 5)
    losses: list[wg.Loss] = []
    made = form.encode([wg.LlmMessage(message, TURN)], losses=losses)
    assert made == form.encode([message.with_turn_id(TURN)], losses=[])
    told = [loss for loss in losses if loss.path == "$[0].turnId"]
    assert bool(told) != (b'"turnId":{"loopId":"L","turnIndex":1}' in made)


@pytest.mark.parametrize("provider", wg.PROVIDERS)
def test_a_growing_conversation_writes_what_it_would_without(provider: str) -> None:
    turns = [wg.UserMessage(HI, 1), wg.AssistantMessage(HI, timestamp=2), wg.UserMessage(HI, 3)]
    made = []
    for place in ({}, {"turn_id": TURN, "node_id": 3}):
        first, *more = (msgspec.structs.replace(turn, **place) for turn in turns)
        transcript = wg.PROVIDERS[provider].Transcript([first])
        for message in more:
            transcript.append(message)
        made.append(transcript.encode(model="m", max_tokens=9, losses=[]))
    assert made[0] == made[1]
