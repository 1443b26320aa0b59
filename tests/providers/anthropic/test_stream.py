"""Streamed answers <-> events."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.anthropic.answers import BODY, STREAM, frames
from tests.providers.streams import check_chunkings, check_truncations, events_of

anthropic = wg.providers.anthropic
FOREIGN = {"other-api": wg.Extra(wg.RawJson('{"k":1}'))}

START = (
    "message_start",
    '"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],'
    '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}',
)
TEXT = ("content_block_start", '"index":0,"content_block":{"type":"text","text":""}')
HI = ("content_block_delta", '"index":0,"delta":{"type":"text_delta","text":"hi"}')
STOP = ("content_block_stop", '"index":0')
DELTA = (
    "message_delta",
    '"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}',
)
END = ("message_stop", "")
CALL = (
    "content_block_start",
    '"index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"f","input":{}}',
)


def _input(text: str, index: int = 0) -> tuple[str, str]:
    delta = f'"type":"input_json_delta","partial_json":"{text}"'
    return "content_block_delta", f'"index":{index},"delta":{{{delta}}}'


def _message(*events: tuple[str, str]) -> wg.AssistantMessage:
    return check_chunkings(anthropic, frames(*events)).message


def _check(data: bytes) -> None:
    from tests.oracles import anthropic as oracle

    oracle.check_stream(data)


def test_the_oracle_takes_the_stream_of_these_tests() -> None:
    _check(STREAM)


def test_a_stream_gives_the_message_of_its_twin() -> None:
    streamed = check_chunkings(anthropic, STREAM)
    whole = anthropic.decode_response(BODY)
    assert streamed.message.content == whole.message.content
    assert streamed.message.usage == whole.message.usage
    assert (streamed.id, streamed.extras) == (whole.id, whole.extras)
    assert streamed.message.stop_reason == whole.message.stop_reason


def test_a_stream_that_was_cut_has_no_end() -> None:
    check_truncations(anthropic, STREAM)


def test_the_events_of_a_stream_are_these() -> None:
    events = events_of(anthropic.StreamDecoder(), frames(START, TEXT, HI, STOP, DELTA, END))
    start, begun, text, ended, usage, end = events
    assert type(start) is wg.StreamStart
    assert start.response.id == "msg_1"
    assert begun == wg.BlockStart(0, wg.TextBlock(""))
    assert text == wg.TextDelta(0, "hi")
    assert ended == wg.BlockEnd(0, wg.TextBlock("hi"))
    assert type(usage) is wg.UsageUpdate
    assert (usage.usage.input, usage.usage.output) == (1, 2)
    assert type(end) is wg.StreamEnd
    assert end.response.message.content == [wg.TextBlock("hi")]
    assert start.response.message.content == []


def test_the_events_add_up_to_the_message() -> None:
    total = wg.Accumulator()
    decoder = anthropic.StreamDecoder()
    for event in events_of(decoder, STREAM):
        total.add(event)
    assert total.message == decoder.close().message == decoder.message


def test_the_message_is_at_hand_at_any_time() -> None:
    decoder = anthropic.StreamDecoder()
    decoder.feed(frames(START, CALL, _input(r"{\"a\":")))
    (call,) = decoder.message.content
    assert isinstance(call, wg.ToolCallBlock)
    assert call.arguments.text == b'{"a":'
    decoder.feed(frames(_input("1}")))
    assert decoder.message.tool_calls()[0].arguments.value == {"a": 1}


def test_a_stream_goes_back_to_its_own_wire() -> None:
    encoder = anthropic.StreamEncoder()
    made = b"".join(map(encoder.encode, events_of(anthropic.StreamDecoder(), STREAM)))
    made += encoder.close()
    _check(made)
    assert check_chunkings(anthropic, made) == check_chunkings(anthropic, STREAM)


def _end_counts(usage: wg.Usage | None, begun: wg.Usage | None = None) -> bytes:
    """Return the counts of the last `message_delta` of an answer of another API."""
    encoder = anthropic.StreamEncoder()
    start = wg.Response(wg.AssistantMessage([], usage=begun), id="msg_1")
    encoder.encode(wg.StreamStart(start))
    made = encoder.encode(wg.StreamEnd(wg.Response(wg.AssistantMessage([], usage=usage))))
    return made.partition(b'"usage":')[2].partition(b"}\n\n")[0]


def test_the_end_repeats_the_counts_of_the_whole_answer() -> None:
    usage = wg.Usage(input=7, output=4, cache_read=2, cache_write=1)
    counts = (
        b'{"input_tokens":7,"cache_creation_input_tokens":1,"cache_read_input_tokens":2,'
        b'"output_tokens":4}'
    )
    assert _end_counts(usage) == counts
    assert _end_counts(usage, begun=usage) == counts


def test_counts_that_nobody_gave_are_not_repeated() -> None:
    assert _end_counts(None) == b'{"output_tokens":0}'


def test_details_of_the_stop_go_back_beside_it() -> None:
    delta = (
        "message_delta",
        '"delta":{"stop_reason":"refusal","stop_sequence":null,"stop_details":{"type":"refusal",'
        '"category":"bio","explanation":null}},"usage":{"input_tokens":1,"output_tokens":2}',
    )
    data = frames(START, TEXT, HI, STOP, delta, END)
    encoder = anthropic.StreamEncoder()
    made = b"".join(map(encoder.encode, events_of(anthropic.StreamDecoder(), data)))
    assert made == data
    _check(made)


def test_the_bytes_of_a_stream_are_these() -> None:
    encoder = anthropic.StreamEncoder()
    response = wg.Response(wg.AssistantMessage([], model="m", api="openai-chat"), id="x")
    block = wg.ToolCallBlock("c1", "f", "{}")
    whole = wg.Response(
        wg.AssistantMessage([block], model="m", stop_reason=wg.StopReason.TOOL_USE), id="x"
    )
    events: list[Any] = [
        wg.StreamStart(response),
        wg.BlockStart(0, wg.ToolCallBlock("c1", "f", "")),
        wg.ArgumentsDelta(0, "{}"),
        wg.BlockEnd(0, block),
        wg.StreamEnd(whole),
    ]
    made = b"".join(map(encoder.encode, events)) + encoder.close()
    assert made == (
        b'event: message_start\ndata: {"type":"message_start","message":{"id":"x",'
        b'"type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,'
        b'"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,'
        b'"cache_read_input_tokens":0,"output_tokens":0}}}\n\n'
        b'event: content_block_start\ndata: {"type":"content_block_start","index":0,'
        b'"content_block":{"type":"tool_use","id":"c1","name":"f","input":{}}}\n\n'
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,'
        b'"delta":{"type":"input_json_delta","partial_json":"{}"}}\n\n'
        b'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n'
        b'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use",'
        b'"stop_sequence":null},"usage":{"output_tokens":0}}\n\n'
        b'event: message_stop\ndata: {"type":"message_stop"}\n\n'
    )
    _check(made)


# -- streams that misbehave -------------------------------------------------------------------


def test_a_call_without_arguments_has_an_empty_object() -> None:
    (call,) = _message(START, CALL, STOP, DELTA, END).tool_calls()
    assert call.arguments.text == b"{}"


@pytest.mark.parametrize("nothing", ["", ',"partial_json":null', ',"partial_json":""'])
def test_a_delta_without_input_adds_nothing(nothing: str) -> None:
    delta = f'"index":0,"delta":{{"type":"input_json_delta"{nothing}}}'
    empty = "content_block_delta", delta
    pieces = empty, _input("[1"), empty, _input("]")
    (call,) = _message(START, CALL, *pieces, STOP, DELTA, END).tool_calls()
    assert call.arguments.text == b"[1]"


def test_arguments_may_stand_where_the_call_begins() -> None:
    begun = (
        "content_block_start",
        '"index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{"a": 1}}',
    )
    (call,) = _message(START, begun, STOP, DELTA, END).tool_calls()
    assert call.arguments.text == b'{"a": 1}'


def test_arguments_that_are_cut_off_keep_their_text() -> None:
    (call,) = _message(START, CALL, _input(r"{\"a\":"), STOP, DELTA, END).tool_calls()
    assert call.arguments.text == b'{"a":'


def test_a_text_after_the_end_of_its_block_gets_a_block_of_its_own() -> None:
    message = _message(START, TEXT, HI, STOP, HI, DELTA, END)
    assert message.content == [wg.TextBlock("hi"), wg.TextBlock("hi")]


def test_arguments_after_the_end_of_their_call_are_an_error() -> None:
    decoder = anthropic.StreamDecoder()
    with pytest.raises(wg.StreamError) as caught:
        events_of(decoder, frames(START, CALL, STOP, _input("{}")))
    reason = "arguments without a call, expected an open one - at `$[3].index`"
    assert str(caught.value) == f"anthropic: {reason}"


def test_an_index_that_is_used_again_begins_another_block() -> None:
    assert _message(START, TEXT, HI, TEXT, HI, STOP, DELTA, END).content == [
        wg.TextBlock("hi"),
        wg.TextBlock("hi"),
    ]


def test_a_block_without_an_end_ends_with_the_message() -> None:
    assert _message(START, TEXT, HI, DELTA, END).content == [wg.TextBlock("hi")]


def test_fragments_of_two_calls_may_be_mixed() -> None:
    second = (
        "content_block_start",
        '"index":1,"content_block":{"type":"tool_use","id":"toolu_2","name":"g","input":{}}',
    )
    events = (CALL, second, _input("["), _input("{"), _input("}", 1), _input("]"))
    first, other = _message(START, *events, DELTA, END).tool_calls()
    assert (first.arguments.text, other.arguments.text) == (b"[{]", b"}")


def test_events_of_unknown_kinds_are_not_part_of_the_message() -> None:
    events = [("new_event", '"index":7'), ("ping", ""), ("content_block_stop", '"index":7')]
    assert _message(START, *events, TEXT, HI, STOP, DELTA, END).content == [wg.TextBlock("hi")]


def test_keys_of_padding_are_no_part_of_the_answer() -> None:
    padded = ("content_block_delta", HI[1] + ',"p":"abcdef"')
    assert _message(START, TEXT, padded, STOP, DELTA, END).content == [wg.TextBlock("hi")]


def test_keys_that_nobody_knows_belong_to_the_answer() -> None:
    start = ("message_start", START[1] + ',"newer":2')
    delta = ("message_delta", DELTA[1] + ',"new":{"a":1}')
    response = check_chunkings(anthropic, frames(start, TEXT, HI, STOP, delta, END))
    assert response.extras is not None
    assert response.extras["anthropic-messages"].keys.value == {"new": {"a": 1}, "newer": 2}


def test_a_known_event_with_bad_data_is_an_error() -> None:
    decoder = anthropic.StreamDecoder()
    with pytest.raises(wg.StreamError) as caught:
        events_of(
            decoder,
            frames(START, ("content_block_delta", '"index":0,"delta":{"type":"text_delta"}')),
        )
    reason = "object missing required field `text` - at `$[1].delta`"
    assert str(caught.value) == f"anthropic: {reason}"


def test_an_error_in_the_stream_is_the_last_event() -> None:
    error = ("error", '"error":{"type":"overloaded_error","message":"busy"}')
    decoder = anthropic.StreamDecoder()
    *_, failure = decoder.feed(frames(START, TEXT, HI, error))
    assert type(failure) is wg.StreamFailure
    assert (failure.kind, failure.message) == ("overloaded", "busy")
    assert decoder.finish() == []
    assert decoder.message.content == [wg.TextBlock("hi")]
    with pytest.raises(wg.ProviderError, match="anthropic: overloaded: busy"):
        decoder.close()
    assert anthropic.StreamEncoder().encode(failure) == (
        b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error",'
        b'"message":"busy"}}\n\n'
    )


def test_what_follows_the_end_is_left_alone() -> None:
    assert _message(START, TEXT, HI, STOP, DELTA, END, ("error", '"error":{}')).content == [
        wg.TextBlock("hi")
    ]


def test_keys_that_the_message_brought_over_another_api_are_a_loss() -> None:
    message = wg.AssistantMessage([], extras=FOREIGN)
    losses: list[wg.Loss] = []
    anthropic.StreamEncoder(losses=losses).encode(wg.StreamEnd(wg.Response(message)))
    assert [loss.what for loss in losses] == ["extras"]


@pytest.mark.parametrize(
    ("begun", "ended", "expected"),
    [
        (wg.TextBlock(""), wg.TextBlock("", signature="s"), ["signature"]),
        (
            wg.ToolCallBlock("a", "f", "", signature="s"),
            wg.ToolCallBlock("a", "f", "{}", signature="s"),
            ["signature"],
        ),
        (wg.TextBlock(""), wg.TextBlock("", extras=FOREIGN), ["extras"]),
        (wg.TextBlock("", extras=FOREIGN), wg.TextBlock("", extras=FOREIGN), ["extras"]),
    ],
    ids=["a signed text", "a signed call", "keys at the end", "keys all along"],
)
def test_what_a_block_of_another_api_says_besides_is_a_loss_once(
    begun: wg.Content, ended: wg.Content, expected: list[str]
) -> None:
    losses: list[wg.Loss] = []
    encoder = anthropic.StreamEncoder(losses=losses)
    for event in (wg.BlockStart(0, begun), wg.BlockEnd(0, ended)):
        encoder.encode(event)
    assert [loss.what for loss in losses] == expected


def test_an_encoder_takes_nothing_after_the_end() -> None:
    encoder = anthropic.StreamEncoder()
    end = wg.StreamEnd(wg.Response(wg.AssistantMessage([])))
    encoder.encode(end)
    with pytest.raises(wg.EncodeError, match="after the end of the stream"):
        encoder.encode(end)


def test_an_encoder_is_not_closed_before_the_end() -> None:
    with pytest.raises(
        wg.EncodeError,
        match="closed before the end of the answer, expected `StreamEnd` or `StreamFailure`",
    ):
        anthropic.StreamEncoder().close()


def _translated(target: str, *events: tuple[str, str]) -> tuple[bytes, list[str]]:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator("anthropic", target, losses=losses)
    made = translator.feed(frames(*events)) + translator.close()
    return made, [f"{loss.what} at {loss.path}" for loss in losses]


def test_an_event_and_a_delta_of_unknown_types_go_through_and_are_losses_elsewhere() -> None:
    odd = ("new_event", '"index":7,"n": 1.50')
    delta = ("content_block_delta", '"index":0,"delta":{"type":"new_delta","n": 1.50}')
    events = (START, odd, TEXT, HI, delta, delta, STOP, DELTA, END)
    made, losses = _translated("anthropic", *events)
    assert frames(odd) in made
    assert frames(delta, delta) in made
    assert losses == []
    made, losses = _translated("openai_chat", *events)
    assert b"new_" not in made
    assert losses == ["opaque event at $", "opaque event at $"]


def test_a_stream_with_an_unknown_event_needs_a_list_of_losses_for_another_wire() -> None:
    translator = wg.StreamTranslator("anthropic", "ollama")
    with pytest.raises(wg.LossError, match="opaque event: an event or a delta of a kind"):
        translator.feed(frames(("new_event", "")))


def test_deltas_of_a_block_of_an_unknown_type_follow_its_start() -> None:
    begun = ("content_block_start", '"index":0,"content_block":{"type":"new","n":1}')
    delta = ("content_block_delta", '"index":0,"delta":{"type":"new_delta","n":2}')
    made, losses = _translated("anthropic", START, begun, delta, STOP, DELTA, END)
    assert frames(begun, delta, STOP) in made
    assert losses == []


def test_a_ping_is_no_loss() -> None:
    events = (START, ("ping", ""), TEXT, HI, STOP, DELTA, END)
    assert _translated("openai_chat", *events)[1] == []


def test_unknown_keys_of_a_thinking_block_come_back() -> None:
    start = '"index":0,"content_block":{"new":1,"type":"thinking","thinking":"","signature":""}'
    begun = ("content_block_start", start)
    hm = ("content_block_delta", '"index":0,"delta":{"type":"thinking_delta","thinking":"hm"}')
    made, losses = _translated("anthropic", START, begun, hm, STOP, DELTA, END)
    assert frames(begun, hm, STOP) in made
    assert losses == []
