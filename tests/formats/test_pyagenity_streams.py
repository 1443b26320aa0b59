"""PyAgenity's chunks <-> canonical stream events."""

import re
import time
from typing import Any

import pytest
from msgspec import UNSET

import wireglot as wg
from tests.formats.streamed import ANSWER, EVENTS, events_of
from wireglot.formats import pyagenity as pa
from wireglot.model.events import (
    BlockEnd,
    BlockStart,
    OpaqueEvent,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
)


def _chunks(events: list[Any], **options: Any) -> list[pa.StreamChunk]:
    writer = pa.StreamWriter(losses=[], **options)
    return [chunk for event in events for chunk in writer.feed(event)] + writer.close()


def _back(chunks: list[Any]) -> tuple[list[Any], wg.Response]:
    reader = pa.StreamReader()
    return [event for chunk in chunks for event in reader.feed(chunk)], reader.close()


def _joined(chunks: list[pa.StreamChunk], kind: Any, name: str) -> str:
    messages = [chunk.message for chunk in chunks if chunk.message and chunk.message.delta]
    blocks: list[Any] = [block for message in messages for block in message.content]
    return "".join(getattr(block, name) for block in blocks if type(block) is kind)


def test_an_answer_is_its_deltas_and_then_the_whole() -> None:
    chunks = _chunks(EVENTS, thread_id="t", run_id="r", metadata={"node": "n"})
    assert [chunk.message.content for chunk in chunks if chunk.message] == [
        [pa.ReasoningBlock("Let me ")],
        [pa.ReasoningBlock("see.")],
        [pa.TextBlock("Hello, ")],
        [pa.TextBlock("you")],
        [
            pa.TextBlock("Hello, you"),
            pa.ReasoningBlock("Let me see."),
            pa.ToolCallBlock("c1", "look", {"at": 1}),
            pa.ToolCallBlock("c2", "look", {"at": [2]}),
        ],
    ]
    assert [chunk.message.delta for chunk in chunks if chunk.message] == [True] * 4 + [False]
    assert {chunk.message.message_id for chunk in chunks if chunk.message} == {"r1"}
    assert {(chunk.thread_id, chunk.run_id, chunk.event) for chunk in chunks} == {
        ("t", "r", pa.StreamEvent.MESSAGE)
    }
    whole: Any = chunks[-1].message
    assert whole.reasoning == "Let me see."
    assert whole.usages == pa.TokenUsages(5, 10, 15, image_tokens=None, audio_tokens=None)
    assert whole.metadata == {"model": "m1", "finish_reason": "tool_calls"}
    assert [entry["function"]["arguments"] for entry in whole.tools_calls] == [
        '{"at": 1}',
        '{"at": [2]}',
    ]


def test_a_chunk_is_written_as_the_system_writes_it() -> None:
    (chunk,) = _chunks(EVENTS[:3], version="0.3.9")[:1]
    text = re.sub(r'"timestamp":[0-9.]+', '"timestamp":0', pa.encode(chunk).decode())
    assert text == (
        '{"event":"message","message":{"message_id":"r1","role":"assistant","content":[{"type":'
        '"reasoning","summary":"Let me ","details":null}],"delta":true,"tools_calls":null,'
        '"reasoning":null,"timestamp":0,"metadata":{},"usages":null,"raw":null},"state":null,'
        '"data":null,"thread_id":null,"run_id":null,"metadata":null,"timestamp":0}'
    )
    (newer,) = _chunks(EVENTS[:3])[:1]
    assert newer.message is not None
    assert newer.message.parsed_content is None
    assert chunk.message is not None
    assert chunk.message.parsed_content is UNSET


@pytest.mark.parametrize("provider", list(wg.PROVIDERS))
def test_any_providers_stream_goes_there_and_back(provider: str) -> None:
    events = events_of(provider)
    chunks = _chunks(events)
    end = events[-1].response.message
    has_thoughts = any(type(block) is wg.ThinkingBlock for block in end.content)
    assert _joined(chunks, pa.TextBlock, "text") == "Hello, you"
    assert _joined(chunks, pa.ReasoningBlock, "summary") == "Let me see." * has_thoughts
    back, answer = _back(chunks)
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
    assert answer.message.model == end.model
    for name in wg.PROVIDERS:  # what was read goes on to any other
        encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
        data = b"".join(encoder.encode(event) for event in back) + encoder.close()
        decoder = wg.PROVIDERS[name].StreamDecoder()
        decoder.feed(data)
        assert decoder.close().message.text() == "Hello, you"


def test_without_a_list_a_loss_is_an_error() -> None:
    writer = pa.StreamWriter()
    for event in EVENTS:
        writer.feed(event)  # this answer names no API, and nothing of it is lost
    *before, end = events_of("openai_chat")
    writer = pa.StreamWriter()
    for event in before:
        writer.feed(event)
    with pytest.raises(wg.LossError, match=r"api: .* at `\$\.message\.api`"):
        writer.feed(end)


def test_what_a_chunk_cannot_carry_is_a_loss_once_for_each_name() -> None:
    losses: list[wg.Loss] = []
    writer = pa.StreamWriter(losses=losses)
    writer.feed(EVENTS[0])
    for name in ("ping", "ping", "pong"):
        assert writer.feed(OpaqueEvent("x", {"a": 1}, name)) == []  # type: ignore[arg-type]
    answer = wg.Response(
        wg.AssistantMessage([wg.TextBlock("a")], api="openai-chat"), service_tier="flex"
    )
    writer.feed(StreamEnd(answer))
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$", "opaque event"),
        ("$", "opaque event"),
        ("$.serviceTier", "serviceTier"),
        ("$.message.api", "api"),
    ]


def test_blocks_that_come_whole_are_deltas_too() -> None:
    image = wg.ImageBlock(url="https://x/y.png", mime_type="image/png")
    answer = wg.Response(wg.AssistantMessage([wg.TextBlock("a"), image], wg.StopReason.STOP))
    events = [
        StreamStart(wg.Response(wg.AssistantMessage([]))),
        BlockStart(0, wg.TextBlock("a")),
        BlockEnd(0, wg.TextBlock("a")),
        BlockStart(1, wg.ImageBlock()),
        BlockEnd(1, image),
        StreamEnd(answer),
    ]
    chunks = _chunks(events, make_id=lambda default: default or "made")
    ref = pa.MediaRef("url", "https://x/y.png", mime_type="image/png")
    assert [chunk.message.content for chunk in chunks if chunk.message] == [
        [pa.TextBlock("a")],
        [pa.ImageBlock(ref)],
        [pa.TextBlock("a"), pa.ImageBlock(ref)],
    ]
    assert {chunk.message.message_id for chunk in chunks if chunk.message} == {"made"}
    assert _back(chunks)[1].message.content == [wg.TextBlock("a"), image]


def test_a_text_after_calls_is_moved_and_that_is_a_loss() -> None:
    call, text = wg.ToolCallBlock("c", "f", {"a": 1}), wg.TextBlock("a")  # type: ignore[arg-type]
    answer = wg.Response(wg.AssistantMessage([call, text], wg.StopReason.STOP))
    losses: list[wg.Loss] = []
    writer = pa.StreamWriter(losses=losses)
    writer.feed(StreamStart(wg.Response(wg.AssistantMessage([]))))
    (chunk,) = writer.feed(StreamEnd(answer))
    assert [(loss.path, loss.what) for loss in losses] == [("$.message.content", "order")]
    assert chunk.message is not None
    assert [block.type for block in chunk.message.content] == ["text", "tool_call"]


def test_blocks_without_text_keep_their_order() -> None:
    thoughts = [wg.ThinkingBlock(""), wg.ThinkingBlock("")]
    content = [*thoughts, wg.TextBlock("a")]
    events: list[Any] = [StreamStart(wg.Response(wg.AssistantMessage([])))]
    for i, block in enumerate(content):
        events += [BlockStart(i, type(block)("")), BlockEnd(i, block)]
    events.append(StreamEnd(wg.Response(wg.AssistantMessage(content, wg.StopReason.STOP))))
    back, answer = _back(_chunks(events))
    assert answer.message.content == content
    assert [event.revised for event in back if type(event) is BlockEnd] == [False, False, True]


# -- errors ----------------------------------------------------------------------------------------


def test_a_failure_is_a_chunk_with_its_reason() -> None:
    losses: list[wg.Loss] = []
    writer = pa.StreamWriter(losses=losses)
    for event in EVENTS[:4]:
        writer.feed(event)
    (chunk,) = writer.feed(StreamFailure("overloaded", "Try later", 529))
    assert (chunk.event, chunk.data) == (pa.StreamEvent.ERROR, {"reason": "Try later"})
    assert [loss.what for loss in losses] == ["error"]
    assert writer.close() == []
    assert writer.message.content == [wg.ThinkingBlock("Let me see.")]
    with pytest.raises(wg.EncodeError, match="event after the end of the stream, expected none"):
        writer.feed(EVENTS[4])
    reader = pa.StreamReader()
    (failure,) = reader.feed(chunk)
    assert failure == StreamFailure("server", "Try later", wire="pyagenity")
    with pytest.raises(wg.ProviderError, match="Try later"):
        reader.close()


@pytest.mark.parametrize("count", range(1, len(EVENTS) - 1))
def test_a_stream_that_is_cut_ends_with_an_error(count: int) -> None:
    chunks = _chunks(EVENTS[:count])
    assert chunks[-1].data == {"reason": "the stream ended before the answer did"}
    reader = pa.StreamReader()
    for chunk in chunks[:-1]:
        reader.feed(chunk)
    with pytest.raises(wg.StreamError, match="the stream ended before the answer did"):
        reader.close()
    reader.feed(chunks[-1])
    with pytest.raises(wg.ProviderError):
        reader.close()


def test_a_writer_that_was_fed_nothing_has_nothing_to_end() -> None:
    assert pa.StreamWriter().close() == []


def test_an_event_out_of_turn_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="of a block that has not begun"):
        pa.StreamWriter().feed(TextDelta(0, "a"))


# -- chunks of the system itself -------------------------------------------------------------------


def _said(*content: Any, **fields: Any) -> pa.Message:
    return pa.Message(role="assistant", content=[*content], message_id="m", **fields)


def test_a_call_in_a_delta_is_read_once_though_its_entries_pile_up() -> None:
    call = pa.ToolCallBlock("c1", "f", {"a": 1})
    entry = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}
    messages = [
        _said(pa.TextBlock("a"), delta=True, tools_calls=[], reasoning=""),
        _said(call, delta=True, tools_calls=[entry], reasoning=""),
        _said(call, delta=True, tools_calls=[entry], reasoning=""),
        _said(pa.TextBlock("a"), call, tools_calls=[entry], reasoning=""),
    ]
    events, answer = _back(messages)
    assert [type(event).__name__ for event in events] == [
        *("StreamStart", "BlockStart", "TextDelta", "BlockStart", "ArgumentsDelta", "BlockEnd"),
        *("BlockEnd", "StreamEnd"),
    ]
    assert answer.message.content == [wg.TextBlock("a"), wg.ToolCallBlock("c1", "f", '{"a":1}')]


def test_texts_that_the_system_joined_are_revised() -> None:
    messages = [
        _said(pa.TextBlock("a"), delta=True),
        _said(pa.ReasoningBlock("b"), delta=True),
        _said(pa.TextBlock("c"), delta=True),
        _said(pa.TextBlock("ac"), pa.ReasoningBlock("b"), reasoning="b"),
    ]
    events, answer = _back(messages)
    revised = [event.index for event in events if type(event) is BlockEnd and event.revised]
    assert revised == [0, 2]
    assert answer.message.content == [wg.TextBlock("ac"), wg.ThinkingBlock("b")]


def test_chunks_about_something_else_are_skipped() -> None:
    reader = pa.StreamReader()
    assert reader.feed(pa.StreamChunk(pa.StreamEvent.UPDATES, data={"status": "x"})) == []
    assert reader.feed(pa.StreamChunk(pa.StreamEvent.STATE, state={})) == []
    assert reader.feed(pa.StreamChunk(message=pa.Message.text_message("hi"))) == []
    reader.feed(_said(pa.TextBlock("a")))
    assert reader.message.content == [wg.TextBlock("a")]
    assert reader.feed(pa.StreamChunk(message=pa.Message.tool_message([]))) == []
    assert reader.feed(pa.StreamChunk(pa.StreamEvent.ERROR, data={"reason": "later"})) == []
    with pytest.raises(wg.StreamError, match="message after the end of the answer"):
        reader.feed(_said(pa.TextBlock("b"), delta=True))
    assert reader.close().id == "m"


def test_the_answer_of_the_events_is_the_one_that_is_written() -> None:
    _, answer = _back(_chunks(EVENTS))
    assert [type(block) for block in answer.message.content] == [
        type(block) for block in ANSWER.message.content
    ]
    assert answer.id == "r1"


def _seconds_of_an_end(count: int) -> float:
    kinds = (pa.TextBlock, pa.ReasoningBlock)
    content: list[Any] = [kinds[at % 2](f"{at}") for at in range(count)]
    reader = pa.StreamReader()
    for block in content:
        reader.feed(pa.Message(role="assistant", content=[block], delta=True))
    start = time.process_time()
    reader.feed(pa.Message(role="assistant", content=content))
    return time.process_time() - start


def test_the_time_of_an_end_grows_as_the_blocks_do() -> None:
    few = min(_seconds_of_an_end(1_000) for _ in range(3))
    assert _seconds_of_an_end(8_000) < 20 * few  # 8 times as many; each with each are 64 times


def test_an_error_whose_data_are_not_an_object_is_one_without_a_reason() -> None:
    data: Any = ["later"]
    reader = pa.StreamReader()
    chunk = pa.StreamChunk(pa.StreamEvent.ERROR)
    chunk.data = data
    reader.feed(chunk)
    with pytest.raises(wg.ProviderError, match="an error without a reason"):
        reader.close()
