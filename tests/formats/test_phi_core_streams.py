"""Any provider's stream as phi-core's events, and back."""

from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.corpus.streams import disorder
from wireglot.formats import phi_core as phi

GOLDEN = Path(__file__).parents[1] / "golden" / "providers"
TEXT, CALL, THOUGHT = wg.TextBlock("ab"), wg.ToolCallBlock("c1", "f", '{"a":1}'), wg.ThinkingBlock
STOP = wg.StopReason.STOP
START = wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m")))


def _answer(*content: Any, **fields: Any) -> wg.Response:
    return wg.Response(wg.AssistantMessage([*content], wg.StopReason.STOP, "m", "p", **fields))


EVENTS: list[wg.StreamEvent] = [
    START,
    wg.BlockStart(0, THOUGHT("")),
    wg.ThinkingDelta(0, "Hm"),
    wg.BlockEnd(0, THOUGHT("Hm", "sig")),
    wg.BlockStart(1, wg.TextBlock("")),
    wg.TextDelta(1, "a"),
    wg.TextDelta(1, "b"),
    wg.BlockEnd(1, TEXT),
    wg.BlockStart(2, wg.ToolCallBlock("c1", "f", "")),
    wg.ArgumentsDelta(2, '{"a"'),
    wg.ArgumentsDelta(2, ":1}"),
    wg.BlockEnd(2, CALL),
    wg.StreamEnd(_answer(THOUGHT("Hm", "sig"), TEXT, CALL)),
]


def _written(events: list[Any], **options: Any) -> list[Any]:
    writer = phi.StreamWriter("l", timestamp=5, **options)
    return [own for event in events for own in writer.feed(event)]


def _told(events: list[Any]) -> list[tuple[str, list[Any], Any]]:
    return [(event.type, event.message.content, getattr(event, "delta", None)) for event in events]


def test_each_update_has_the_message_so_far_and_what_is_new() -> None:
    thought = phi.ThinkingContent("Hm", "sig")
    begun = phi.ToolCallContent("c1", "f", {})
    assert _told(_written(EVENTS)) == [
        ("MessageStart", [], None),
        (
            "MessageUpdate",
            [phi.ThinkingContent("Hm")],
            phi.StreamDelta(thinking=phi.Delta("Hm")),
        ),
        ("MessageUpdate", [thought, phi.TextContent("a")], phi.StreamDelta(text=phi.Delta("a"))),
        ("MessageUpdate", [thought, phi.TextContent("ab")], phi.StreamDelta(text=phi.Delta("b"))),
        (
            "MessageUpdate",
            [thought, phi.TextContent("ab"), begun],
            phi.StreamDelta(tool_call_delta=phi.Delta('{"a"')),
        ),
        (
            "MessageUpdate",
            [thought, phi.TextContent("ab"), begun],
            phi.StreamDelta(tool_call_delta=phi.Delta(":1}")),
        ),
        (
            "MessageEnd",
            [thought, phi.TextContent("ab"), phi.ToolCallContent("c1", "f", {"a": 1})],
            None,
        ),
    ]


def test_the_bytes_of_an_update() -> None:
    update = _written(EVENTS)[2]
    assert phi.encode(update).decode() == (
        '{"type":"MessageUpdate","loop_id":"l","message":{"role":"assistant","content":['
        '{"type":"thinking","thinking":"Hm","signature":"sig"},{"type":"text","text":"a"}],'
        '"stopReason":"stop","model":"m","provider":"","usage":{"input":0,"output":0,'
        '"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":0},"timestamp":5},'
        '"delta":{"Text":{"delta":"a"}}}'
    )


def test_finished_blocks_are_shared_by_the_messages_so_far() -> None:
    updates = _written(EVENTS)[2:5]
    assert updates[0].message.content[0] is updates[2].message.content[0]
    assert updates[0].message.content is not updates[1].message.content


def test_updates_can_share_the_empty_message_as_phi_core_sends_it() -> None:
    start, *updates, end = _written(EVENTS, so_far=False)
    assert len(updates) == 5
    assert all(update.message is start.message for update in updates)
    assert start.message.content == []
    assert [type(part).__name__ for part in end.message.content] == [
        "ThinkingContent",
        "TextContent",
        "ToolCallContent",
    ]


def test_what_an_answer_does_not_say_of_itself_can_be_given() -> None:
    events = [
        wg.StreamStart(wg.Response(wg.AssistantMessage([]))),
        wg.StreamEnd(wg.Response(wg.AssistantMessage([]), created_at=7)),
    ]
    start, end = _written(events, model="mine", provider="me")
    assert (start.message.model, start.message.provider, start.message.timestamp) == (
        "mine",
        "me",
        5,
    )
    assert (end.message.model, end.message.provider, end.message.timestamp) == ("mine", "me", 5)
    writer = phi.StreamWriter("l")
    before = wg.model.now_ms()
    (start,) = writer.feed(events[0])
    (end,) = writer.feed(events[1])
    assert before <= start.message.timestamp <= wg.model.now_ms()
    assert end.message.timestamp == 7


def _back(own: list[Any]) -> tuple[list[Any], wg.Response]:
    reader = phi.StreamReader()
    return [event for one in own for event in reader.feed(one)], reader.close()


def test_the_events_come_back() -> None:
    events, response = _back(_written(EVENTS))
    assert list(disorder(events)) == []
    ends = [EVENTS[3], EVENTS[7], EVENTS[11]]  # phi-core does not tell when a block ends
    assert events[1:-4] == [event for event in EVENTS[1:-1] if event not in ends]
    assert events[-4:-1] == ends
    message = wg.AssistantMessage(
        [THOUGHT("Hm", "sig"), TEXT, CALL],
        wg.StopReason.STOP,
        "m",
        "p",
        wg.Usage(0, 0),
        5,
    )
    assert response == wg.Response(message, created_at=5)


def test_calls_that_no_message_names_come_at_the_end() -> None:
    events, response = _back(_written(EVENTS, so_far=False))
    assert list(disorder(events)) == []
    assert [type(event).__name__ for event in events] == [
        "StreamStart",
        "BlockStart",
        "ThinkingDelta",
        "BlockStart",
        "TextDelta",
        "TextDelta",
        "BlockEnd",
        "BlockEnd",
        "BlockStart",
        "ArgumentsDelta",
        "BlockEnd",
        "StreamEnd",
    ]
    assert response.message.content == [THOUGHT("Hm", "sig"), TEXT, CALL]


def test_a_block_that_comes_whole_is_told_whole() -> None:
    image = wg.ImageBlock.from_bytes(b"GIF89a", "image/gif")
    events: list[Any] = [
        START,
        wg.BlockStart(0, image),
        wg.BlockEnd(0, image),
        wg.BlockStart(1, wg.TextBlock("")),
        wg.BlockEnd(1, TEXT),
        wg.StreamEnd(_answer(image, TEXT)),
    ]
    own = _written(events)
    assert [event.type for event in own] == ["MessageStart", "MessageUpdate", "MessageEnd"]
    assert own[1].delta == phi.StreamDelta(text=phi.Delta("ab"))
    assert [part.type for part in own[1].message.content] == ["image", "text"]
    back, response = _back(own)
    assert list(disorder(back)) == []
    assert response.message.content == [image, TEXT]


CASES = sorted({path.name.split(".")[0] for path in GOLDEN.glob("*.events.json")})


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("so_far", [True, False], ids=["the message so far", "an empty message"])
def test_any_providers_stream_goes_there_and_back(case: str, name: str, so_far: bool) -> None:
    decoder = wg.PROVIDERS[name].StreamDecoder()
    events = decoder.feed((GOLDEN / f"{case}.{name}.bytes").read_bytes()) + decoder.finish()
    losses: list[wg.Loss] = []
    own = _written(events, losses=losses, so_far=so_far)
    assert phi.decode(phi.encode(own), list[phi.AgentEvent]) == own
    back, response = _back(own)
    assert list(disorder(back)) == []
    first = decoder.close().message
    message = response.message
    texts = {"text_and_a_call": "Let me look: Łódź.", "thinking_and_text": "4"}
    assert message.text() == texts[case]
    assert message.content == _without_extras(first.content)
    assert message.stop_reason == first.stop_reason
    assert message.usage is not None
    assert (message.usage.input, message.usage.output) == (11, 7)
    assert {loss.what for loss in losses} <= {"id", "api", "rawStopReason", "extras"}


def _without_extras(content: list[Any]) -> list[Any]:
    for block in content:
        block.extras = None
    return content


# -- errors ----------------------------------------------------------------------------------------

FAILURE = wg.StreamFailure("overloaded", "Overloaded", 529)


def test_an_error_ends_the_message_with_what_arrived() -> None:
    losses: list[wg.Loss] = []
    start, update, end = _written([*EVENTS[:3], FAILURE], losses=losses)
    assert (start.type, update.type, end.type) == ("MessageStart", "MessageUpdate", "MessageEnd")
    assert end.message.content == [phi.ThinkingContent("Hm")]
    assert (end.message.stop_reason, end.message.error_message) == ("error", "Overloaded")
    assert [(loss.path, loss.what) for loss in losses] == [("$", "error")]
    reader = phi.StreamReader()
    events = [event for own in (start, update, end) for event in reader.feed(own)]
    assert events[-1] == wg.StreamFailure("server", "Overloaded", wire="phi_core")
    assert list(disorder(events)) == []
    assert reader.message.text() == ""
    with pytest.raises(wg.ProviderError, match="phi_core: server: Overloaded"):
        reader.close()


def test_an_error_at_once_begins_a_message_and_ends_it() -> None:
    start, end = _written([wg.StreamFailure("server", "prompt is too long")])
    assert (start.type, end.type) == ("MessageStart", "MessageEnd")
    assert start.message is end.message
    reader = phi.StreamReader()
    events = reader.feed(start) + reader.feed(end)
    assert events[-1].kind == "context_overflow"  # type: ignore[union-attr]


def test_a_stream_that_was_cut_ends_its_message_with_an_error() -> None:
    writer = phi.StreamWriter("l", timestamp=5)
    assert phi.StreamWriter("l").close() == []
    for event in EVENTS[:6]:
        writer.feed(event)
    (end,) = writer.close()
    assert isinstance(end, phi.MessageEnd)
    assert isinstance(end.message, phi.AssistantMessage)
    assert end.message.error_message == "the stream ended before the answer did"
    assert end.message.content == [phi.ThinkingContent("Hm", "sig"), phi.TextContent("a")]
    assert writer.close() == []
    with pytest.raises(wg.EncodeError, match="after the end"):
        writer.feed(EVENTS[0])


def test_what_is_lost_is_an_error_without_a_list() -> None:
    end = wg.StreamEnd(wg.Response(wg.AssistantMessage([TEXT], api="a"), id="r1"))
    losses: list[wg.Loss] = []
    events = [START, wg.OpaqueEvent("a", {}, "ping"), wg.OpaqueEvent("a", {}, "ping"), end]
    _written(events, losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$", "opaque event"),
        ("$.id", "id"),
        ("$.message.api", "api"),
    ]
    with pytest.raises(wg.LossError, match="phi_core: id: phi-core has no place for it; left out"):
        _written([START, end])


def test_an_event_out_of_turn_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="of a block that has not begun"):
        _written([START, wg.TextDelta(0, "a")])
    with pytest.raises(wg.EncodeError, match="`BlockStart` before the start of the stream"):
        _written([wg.BlockStart(0, wg.TextBlock("")), wg.TextDelta(0, "a")])
    with pytest.raises(wg.EncodeError, match="`StreamStart` after the start of the stream"):
        _written([START, START])


def test_a_reader_reads_one_answer_and_skips_what_is_not_about_it() -> None:
    start, update, *_, end = _written(EVENTS)
    reader = phi.StreamReader()
    user = phi.MessageStart("l", phi.UserMessage.user("Hi"))
    turn = phi.TurnStart("l", 0, "t", "User")
    assert reader.feed(user) == reader.feed(turn) == []
    with pytest.raises(wg.StreamError, match="that has not begun"):
        reader.feed(update)
    reader.feed(start)
    assert reader.feed(phi.MessageStart("other", start.message)) == []
    with pytest.raises(wg.StreamError, match="the stream ended before the answer did"):
        reader.close()
    reader.feed(end)
    for late in (start, update, end):
        with pytest.raises(wg.StreamError, match="event of a second answer in a loop"):
            reader.feed(late)
    assert reader.close().message.content[1] == TEXT


def test_a_message_that_is_not_what_its_deltas_said_is_revised() -> None:
    start, update, *_, end = _written(EVENTS[:4] + EVENTS[-1:], so_far=False)
    end.message.content[0] = phi.ThinkingContent("Hmm")
    events, _ = _back([start, update, end])
    assert events[3] == wg.BlockEnd(0, THOUGHT("Hmm"), revised=True)


def test_an_answer_in_another_order_than_its_events_is_revised() -> None:
    start, *_ = _written(EVENTS[:1])
    update = phi.MessageUpdate("l", start.message, phi.StreamDelta(text=phi.Delta("ab")))
    call, said = phi.ToolCallContent("c1", "f", {"a": 1}), phi.TextContent("ab")
    end = phi.MessageEnd(
        "l", phi.AssistantMessage([call, said], STOP, "m", "p", phi.Usage(0, 0), 5)
    )
    events, response = _back([start, update, end])
    assert [event.revised for event in events if isinstance(event, wg.BlockEnd)] == [False, True]
    assert response.message.content == [CALL, TEXT]
