"""Stream events -> the message so far."""

from typing import Any

import pytest

import wireglot as wg

START = wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"), id="r"))


def _total(*events: Any) -> wg.Accumulator:
    total = wg.Accumulator()
    for event in events:
        total.add(event)
    return total


def test_deltas_of_blocks_that_are_open_side_by_side_add_up() -> None:
    message = _total(
        START,
        wg.BlockStart(0, wg.ThinkingBlock("")),
        wg.ThinkingDelta(0, "a"),
        wg.BlockStart(1, wg.TextBlock("")),
        wg.TextDelta(1, "b"),
        wg.ThinkingDelta(0, "c"),
        wg.BlockStart(2, wg.ToolCallBlock("i", "f", "")),
        wg.ArgumentsDelta(2, '{"x":'),
        wg.ArgumentsDelta(2, "1e2}"),
        wg.TextDelta(1, "d"),
    ).message
    assert message.model == "m"
    assert message.content == [
        wg.ThinkingBlock("ac"),
        wg.TextBlock("bd"),
        wg.ToolCallBlock("i", "f", '{"x":1e2}'),
    ]


def test_the_end_of_a_block_says_it_all() -> None:
    signed = wg.ThinkingBlock("ab", "sig")
    events = [wg.BlockStart(0, wg.ThinkingBlock("")), wg.ThinkingDelta(0, "ab")]
    assert _total(START, *events, wg.BlockEnd(0, signed)).message.content == [signed]


def test_citations_stand_on_their_text() -> None:
    ref = wg.AnnotationRef(url="u")
    events = [wg.BlockStart(0, wg.TextBlock("")), wg.TextDelta(0, "a"), wg.CitationDelta(0, ref)]
    assert _total(START, *events).message.content == [wg.TextBlock("a", annotations=[ref])]


def test_usage_replaces_what_was_counted_before() -> None:
    counts = [wg.UsageUpdate(wg.Usage(input=1)), wg.UsageUpdate(wg.Usage(input=1, output=2))]
    message = _total(START, *counts).message
    assert message.usage == wg.Usage(input=1, output=2)
    assert START.response.message.usage is None


def test_the_end_is_the_answer() -> None:
    done = wg.Response(wg.AssistantMessage([wg.TextBlock("x")]), id="r")
    total = _total(START, wg.BlockStart(0, wg.TextBlock("")), wg.StreamEnd(done))
    assert total.response == done
    assert total.message == done.message


def test_an_error_leaves_what_has_come() -> None:
    failure = wg.StreamFailure("overloaded", "busy")
    message = _total(
        START, wg.BlockStart(0, wg.TextBlock("")), wg.TextDelta(0, "a"), failure
    ).message
    assert message.content == [wg.TextBlock("a")]
    assert message.error_message == "busy"
    assert message.stop_reason is wg.StopReason.ERROR


def test_a_message_that_was_handed_out_does_not_change() -> None:
    total = _total(START, wg.BlockStart(0, wg.TextBlock("")), wg.TextDelta(0, "a"))
    before = total.message
    total.add(wg.TextDelta(0, "b"))
    assert before.content == [wg.TextBlock("a")]


def test_a_stream_that_broke_off_because_the_input_was_too_long_says_so() -> None:
    screen = wg.Accumulator()
    screen.add(wg.StreamFailure("context_overflow", "prompt is too long: 9 tokens > 8 maximum"))
    assert screen.message.is_context_overflow()


@pytest.mark.parametrize(
    ("event", "index"),
    [
        (wg.TextDelta(1, "a"), 1),
        (wg.ThinkingDelta(-1, "a"), -1),
        (wg.ArgumentsDelta(7, "{}"), 7),
        (wg.CitationDelta(-1, wg.AnnotationRef(url="u")), -1),
        (wg.BlockEnd(-1, wg.TextBlock("a")), -1),
        (wg.BlockEnd(1, wg.TextBlock("a")), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_event_of_a_block_that_has_not_begun_is_refused(event: Any, index: int) -> None:
    total = _total(START, wg.BlockStart(0, wg.TextBlock("x")))
    with pytest.raises(wg.StreamError) as caught:
        total.add(event)
    said = (
        f"events: `{type(event).__name__}` of a block that has not begun,"
        f" expected `BlockStart` first - at `$.message.content[{index}]`"
    )
    assert str(caught.value) == said
    assert total.message.content == [wg.TextBlock("x")]


@pytest.mark.parametrize(
    ("block", "event"),
    [
        (wg.ToolCallBlock("c", "f", "{}"), wg.TextDelta(0, "a")),
        (wg.ImageBlock(url="u"), wg.TextDelta(0, "a")),
        (wg.TextBlock("x"), wg.ThinkingDelta(0, "a")),
        (wg.ThinkingBlock("x"), wg.ArgumentsDelta(0, "{}")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_delta_in_a_block_of_another_type_is_refused(block: Any, event: Any) -> None:
    total = _total(START, wg.BlockStart(0, block))
    with pytest.raises(wg.StreamError) as caught:
        total.add(event)
    wanted = {"TextDelta": "TextBlock", "ThinkingDelta": "ThinkingBlock"}
    name = type(event).__name__
    assert str(caught.value) == (
        f"events: `{name}` in a `{type(block).__name__}`,"
        f" expected a `{wanted.get(name, 'ToolCallBlock')}` - at `$.message.content[0]`"
    )
    assert total.message.content == [block]


def test_text_after_the_end_of_its_block_is_skipped_and_a_citation_is_not() -> None:
    ref, later = wg.AnnotationRef(url="u"), wg.AnnotationRef(url="v")
    message = _total(
        START,
        wg.BlockStart(0, wg.TextBlock("")),
        wg.BlockEnd(0, wg.TextBlock("a", annotations=[ref])),
        wg.TextDelta(0, "b"),
        wg.CitationDelta(0, later),
    ).message
    assert message.content == [wg.TextBlock("a", annotations=[ref, later])]


@pytest.mark.parametrize(
    "late",
    [wg.UsageUpdate(wg.Usage(input=1)), wg.StreamFailure("server", "down")],
    ids=lambda value: type(value).__name__,
)
def test_what_follows_the_end_does_not_change_its_event(late: Any) -> None:
    done = wg.StreamEnd(wg.Response(wg.AssistantMessage([wg.TextBlock("x")]), id="r"))
    total = _total(START, done, late)
    assert (total.message.usage, total.message.error_message) != (None, None)
    assert done.response == wg.Response(wg.AssistantMessage([wg.TextBlock("x")]), id="r")


@pytest.mark.parametrize("index", [0, 2, -1])
def test_a_block_that_begins_out_of_turn_is_refused(index: int) -> None:
    total = _total(START, wg.BlockStart(0, wg.TextBlock("")), wg.TextDelta(0, "x"))
    with pytest.raises(wg.StreamError) as caught:
        total.add(wg.BlockStart(index, wg.TextBlock("")))
    said = f"events: start of another block, expected block 1 - at `$.message.content[{index}]`"
    assert str(caught.value) == said
    assert total.message.content == [wg.TextBlock("x")]


EVENTS = [
    START,
    wg.BlockStart(0, wg.TextBlock("")),
    wg.TextDelta(0, "a"),
    wg.ThinkingDelta(0, "a"),
    wg.ArgumentsDelta(0, '{"a":'),
    wg.CitationDelta(0, wg.AnnotationRef(url="u")),
    wg.BlockEnd(0, wg.TextBlock("a")),
    wg.UsageUpdate(wg.Usage(input=1)),
    wg.StreamEnd(wg.Response(wg.AssistantMessage([wg.TextBlock("a")]))),
    wg.StreamFailure("server", "m", 500, "c", 1.5, "gemini", wg.RawJson(b'{"error":{}}')),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_can_be_sent(event: Any) -> None:
    assert wg.json.decode(wg.json.encode(event), type=wg.StreamEvent) == event
    assert wg.msgpack.decode(wg.msgpack.encode(event), type=wg.StreamEvent) == event


def test_a_failure_is_the_error_that_it_was_made_of() -> None:
    error = wg.ProviderError(
        "rate_limit", "m", status=429, code="c", retry_after=2.0, wire="x", body=b'{"a":1}'
    )
    again = wg.StreamFailure.of(error).error()
    assert (again.__dict__, type(again)) == (error.__dict__, wg.ProviderError)


def test_an_event_that_only_its_api_knows_is_not_part_of_the_message() -> None:
    event = wg.OpaqueEvent("anthropic-messages", wg.RawJson('{"type":"new","n": 1.50}'), "new")
    assert _total(START, event).message.content == []
    assert wg.json.encode(event) == (
        b'{"type":"opaque","api":"anthropic-messages","raw":{"type":"new","n": 1.50},"name":"new"}'
    )
    for form in (wg.json, wg.msgpack):
        assert form.decode(form.encode(event), type=wg.StreamEvent) == event
