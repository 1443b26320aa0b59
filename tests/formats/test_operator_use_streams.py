"""Operator-Use's RPC events of an answer <-> canonical stream events."""

import re
from typing import Any

import pytest

import wireglot as wg
from tests.formats.streamed import EVENTS, events_of
from wireglot.formats import operator_use as ou
from wireglot.model.events import (
    BlockEnd,
    BlockStart,
    OpaqueEvent,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
)


def _own(events: list[Any]) -> list[Any]:
    writer = ou.StreamWriter(losses=[])
    return [own for event in events for own in writer.feed(event)] + writer.close()


def _back(events: list[Any]) -> tuple[list[Any], wg.Response]:
    reader = ou.StreamReader()
    return [event for own in events for event in reader.feed(own)], reader.close()


def _joined(events: list[Any], kind: Any) -> str:
    updates = [event for event in events if type(event) is ou.MessageUpdateEvent]
    assert all(len(event.message.contents) == 1 for event in updates)
    parts = [event.message.contents[0] for event in updates]
    return "".join(part.content for part in parts if type(part) is kind)


def test_an_answer_is_its_start_its_new_parts_and_its_end() -> None:
    events = _own(EVENTS)
    assert [event.type for event in events] == [
        "message_start",
        *["message_update"] * 6,
        "message_end",
    ]
    calls = [
        ou.ToolCallContent("c1", "look", args={"at": 1}),  # type: ignore[arg-type]
        ou.ToolCallContent("c2", "look", args={"at": [2]}),  # type: ignore[arg-type]
    ]
    assert [event.message.contents for event in events[:-1]] == [
        [],
        [ou.ThinkingContent("Let me ")],
        [ou.ThinkingContent("see.")],
        [ou.TextContent("Hello, ")],
        [ou.TextContent("you")],
        [calls[0]],
        [calls[1]],
    ]
    whole = events[-1].message
    assert whole.contents == [
        ou.ThinkingContent("Let me see."),
        ou.TextContent("Hello, you"),
        *calls,
    ]
    assert whole.usage == ou.Usage(10, 5)
    assert whole.stop_reason is ou.StopReason.TOOL_CALLS
    assert len({event.message.id for event in events}) == 8


def test_an_update_is_the_line_that_rpc_prints() -> None:
    line = ou.encode(_own(EVENTS)[3]).decode()
    line = re.sub(r'"id":"[0-9a-f-]{36}","timestamp":[0-9.]+', '"id":"i","timestamp":0', line)
    assert line == (
        '{"type":"message_update","message":{"role":"assistant","contents":[{"type":"text",'
        '"content":"Hello, "}],"id":"i","timestamp":0,"usage":{"input_tokens":0,'
        '"output_tokens":0,"cache_read_tokens":0,"cache_write_tokens":0,"cost":{"input":0.0,'
        '"output":0.0,"cache_read":0.0,"cache_write":0.0,"total":0.0}},"stop_reason":"stop",'
        '"error":""}}'
    )


@pytest.mark.parametrize("provider", list(wg.PROVIDERS))
def test_any_providers_stream_goes_there_and_back(provider: str) -> None:
    events = events_of(provider)
    own = _own(events)
    end = events[-1].response.message
    has_thoughts = any(type(block) is wg.ThinkingBlock for block in end.content)
    assert _joined(own, ou.TextContent) == "Hello, you"
    assert _joined(own, ou.ThinkingContent) == "Let me see." * has_thoughts
    lines = [ou.encode(event) for event in own]
    back, answer = _back([ou.decode(line, ou.Event) for line in lines])
    assert [type(event) for event in back][:: len(back) - 1] == [StreamStart, StreamEnd]
    assert not any(getattr(event, "revised", False) for event in back)
    assert [type(block) for block in answer.message.content] == [type(b) for b in end.content]
    assert answer.message.text() == "Hello, you"
    calls = [block for block in answer.message.content if type(block) is wg.ToolCallBlock]
    assert [(call.name, call.arguments.value) for call in calls] == [
        ("look", {"at": 1}),
        ("look", {"at": [2]}),
    ]
    assert answer.message.stop_reason is end.stop_reason is wg.StopReason.TOOL_USE
    for name in wg.PROVIDERS:  # what was read goes on to any other
        encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
        data = b"".join(encoder.encode(event) for event in back) + encoder.close()
        decoder = wg.PROVIDERS[name].StreamDecoder()
        decoder.feed(data)
        assert decoder.close().message.text() == "Hello, you"


def test_without_a_list_a_loss_is_an_error() -> None:
    writer = ou.StreamWriter()
    for event in EVENTS[:-1]:
        writer.feed(event)
    with pytest.raises(wg.LossError, match=r"id: .* at `\$\.id`"):
        writer.feed(EVENTS[-1])


def test_what_an_event_cannot_carry_is_a_loss() -> None:
    losses: list[wg.Loss] = []
    writer = ou.StreamWriter(losses=losses)
    writer.feed(EVENTS[0])
    for name in ("ping", "ping", "pong"):
        assert writer.feed(OpaqueEvent("x", {"a": 1}, name)) == []  # type: ignore[arg-type]
    writer.feed(EVENTS[1])
    writer.feed(StreamEnd(wg.Response(wg.AssistantMessage([], model="m", api="x"), id="r")))
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$", "opaque event"),
        ("$", "opaque event"),
        ("$.id", "id"),
        ("$.message.api", "api"),
        ("$.message.model", "model"),
    ]


def test_blocks_that_come_whole_are_updates_too() -> None:
    image = wg.ImageBlock(url="https://x/y.png")
    answer = wg.Response(wg.AssistantMessage([wg.TextBlock("a"), image], wg.StopReason.STOP))
    own = _own(
        [
            StreamStart(wg.Response(wg.AssistantMessage([]))),
            BlockStart(0, wg.TextBlock("a")),
            BlockEnd(0, wg.TextBlock("a")),
            BlockStart(1, wg.ImageBlock()),
            BlockEnd(1, image),
            StreamEnd(answer),
        ]
    )
    contents = [ou.TextContent("a"), ou.ImageContent(["https://x/y.png"])]
    assert [event.message.contents for event in own] == [
        [],
        [contents[0]],
        [contents[1]],
        contents,
    ]
    assert _back(own)[1].message.content == [wg.TextBlock("a"), image]


def test_an_order_that_updates_did_not_show_is_revised() -> None:
    content = [wg.ThinkingBlock(""), wg.ThinkingBlock(""), wg.TextBlock("a")]
    events: list[Any] = [StreamStart(wg.Response(wg.AssistantMessage([])))]
    for i, block in enumerate(content):
        events += [BlockStart(i, type(block)("")), BlockEnd(i, block)]
    events.append(StreamEnd(wg.Response(wg.AssistantMessage(content, wg.StopReason.STOP))))
    back, answer = _back(_own(events))
    assert answer.message.content == content
    assert [event.revised for event in back if type(event) is BlockEnd] == [False, False, True]


# -- errors ----------------------------------------------------------------------------------------


def test_a_failure_ends_the_message_without_one_and_says_why() -> None:
    losses: list[wg.Loss] = []
    writer = ou.StreamWriter(losses=losses)
    own = [one for event in EVENTS[:4] for one in writer.feed(event)]
    end = writer.feed(StreamFailure("overloaded", "Try later", 529))
    assert [ou.encode(event) for event in end] == [
        b'{"type":"message_end","message":null}',
        b'{"type":"agent_error","error":"Try later"}',
    ]
    assert [loss.what for loss in losses] == ["error"]
    assert writer.close() == []
    with pytest.raises(wg.EncodeError, match="event after the end of the stream, expected none"):
        writer.feed(EVENTS[4])
    reader = ou.StreamReader()
    events = [event for one in (*own, *end) for event in reader.feed(one)]
    assert events[-1] == StreamFailure("server", "Try later", wire="operator_use")
    assert reader.message.content == [wg.ThinkingBlock("Let me see.")]
    with pytest.raises(wg.ProviderError, match="Try later"):
        reader.close()


def test_a_failure_before_the_start_has_a_start() -> None:
    events = ou.StreamWriter().feed(StreamFailure("auth", "No key"))
    assert [event.type for event in events] == ["message_start", "message_end", "agent_error"]


@pytest.mark.parametrize("count", range(1, len(EVENTS) - 1))
def test_a_stream_that_is_cut_ends_as_a_failure(count: int) -> None:
    own = _own(EVENTS[:count])
    assert own[-2:] == [
        ou.MessageEndEvent(),
        ou.AgentErrorEvent("the stream ended before the answer did"),
    ]
    reader = ou.StreamReader()
    for event in own[:-2]:
        reader.feed(event)
    with pytest.raises(wg.StreamError, match="the stream ended before the answer did"):
        reader.close()
    assert reader.feed(own[-2]) == []
    with pytest.raises(wg.StreamError, match="the turn was given up"):
        reader.close()
    reader.feed(own[-1])
    with pytest.raises(wg.ProviderError):
        reader.close()


def test_a_writer_that_was_fed_nothing_has_nothing_to_end() -> None:
    assert ou.StreamWriter().close() == []


def test_an_event_out_of_turn_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="`TextDelta` before the start of the stream"):
        ou.StreamWriter().feed(TextDelta(0, "a"))
    writer = ou.StreamWriter()
    writer.feed(StreamStart(wg.Response(wg.AssistantMessage([]))))
    with pytest.raises(wg.EncodeError, match="`StreamStart` after the start of the stream"):
        writer.feed(StreamStart(wg.Response(wg.AssistantMessage([]))))
    with pytest.raises(wg.EncodeError, match="of a block that has not begun"):
        writer.feed(TextDelta(0, "a"))
    update = ou.MessageUpdateEvent(ou.AssistantMessage())
    with pytest.raises(wg.StreamError, match="`message_update` out of turn"):
        ou.StreamReader().feed(update)
    reader = ou.StreamReader()
    reader.feed(ou.MessageStartEvent(ou.AssistantMessage()))
    with pytest.raises(wg.StreamError, match="`message_start` out of turn"):
        reader.feed(ou.MessageStartEvent(ou.AssistantMessage()))


# -- events of the systems themselves --------------------------------------------------------------


def test_events_about_something_else_are_skipped() -> None:
    reader = ou.StreamReader()
    user = ou.UserMessage.text("hi")
    for event in (
        ou.AgentStartEvent(),
        ou.TurnStartEvent(0, 1.0),
        ou.MessageStartEvent(user),
        ou.MessageEndEvent(user),
        ou.MessageEndEvent(),
    ):
        assert reader.feed(event) == []
    reader.feed(ou.MessageStartEvent(ou.AssistantMessage()))
    reader.feed(ou.MessageEndEvent(ou.AssistantMessage.from_text("a")))
    assert reader.feed(ou.AgentErrorEvent("later")) == []
    assert reader.feed(ou.MessageStartEvent(ou.ToolMessage())) == []
    assert reader.feed(ou.TurnEndEvent()) == []
    assert reader.close().message.text() == "a"


def test_updates_of_tau_have_the_message_so_far() -> None:
    def so_far(*contents: Any) -> ou.AssistantMessage:
        return ou.AssistantMessage([*contents], "m1", 1.0)

    call = ou.ToolCallContent("c", "f")
    events, answer = _back(
        [
            ou.MessageStartEvent(so_far()),
            ou.MessageUpdateEvent(so_far(ou.ThinkingContent("a"))),
            ou.MessageUpdateEvent(so_far(ou.ThinkingContent("ab"))),
            ou.MessageUpdateEvent(so_far(ou.ThinkingContent("ab"), ou.TextContent("c"))),
            ou.MessageUpdateEvent(so_far(ou.ThinkingContent("ab"), ou.TextContent("cd"))),
            ou.MessageUpdateEvent(so_far(ou.ThinkingContent("ab"), ou.TextContent("cd"), call)),
            ou.MessageEndEvent(so_far(ou.ThinkingContent("ab"), ou.TextContent("cd"), call)),
        ]
    )
    assert [event.text for event in events if hasattr(event, "text")] == ["a", "b", "c", "d", "{}"]
    assert not any(getattr(event, "revised", False) for event in events)
    assert answer.message.content == [
        wg.ThinkingBlock("ab"),
        wg.TextBlock("cd"),
        wg.ToolCallBlock("c", "f", {}),  # type: ignore[arg-type]
    ]
