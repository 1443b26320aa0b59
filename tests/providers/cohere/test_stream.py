"""Streamed answers <-> events."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.cohere.answers import (
    CALLING,
    CALLING_STREAM,
    DONE,
    TALKING,
    TALKING_STREAM,
    arguments,
    call,
    content,
    end,
    ended,
    frames,
    plan,
    start,
    words,
)
from tests.providers.cohere.pieces import API, OTHER, answer, text
from tests.providers.cohere.pieces import call as call_block
from tests.providers.streams import check_chunkings, check_truncations, events_of

cohere = wg.providers.cohere

START = start("a-1")
END = end('"finish_reason":"COMPLETE"')
USAGE = '"usage":{"tokens":{"input_tokens":3,"output_tokens":2}}'
CITATION = (
    "citation-start",
    '"index":0,"delta":{"message":{"citations":{"start":0,"end":1,"text":"h",'
    '"sources":[{"type":"document","id":"d","document":{"title":"D"}}]%s}}}',
)
CITED = wg.AnnotationRef(title="D", start=0, end=1)
STREAMS = {"a talk": (TALKING_STREAM, TALKING), "calls": (CALLING_STREAM, CALLING)}


def _check(data: bytes) -> None:
    from tests.oracles import cohere as oracle

    oracle.check_stream(data)


def _message(*events: tuple[str, str]) -> wg.AssistantMessage:
    return check_chunkings(cohere, frames(*events)).message


def _encoded(events: list[Any], losses: list[wg.Loss] | None = None) -> bytes:
    encoder = cohere.StreamEncoder(losses=losses)
    return b"".join(map(encoder.encode, events)) + encoder.close()


def _cited(more: str = "") -> tuple[str, str]:
    return CITATION[0], CITATION[1] % more


# Decoding


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_gives_the_answer_of_its_twin(name: str) -> None:
    stream, twin = STREAMS[name]
    _check(stream)
    assert check_chunkings(cohere, stream) == cohere.decode_response(twin)


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_that_was_cut_has_no_end(name: str) -> None:
    check_truncations(cohere, STREAMS[name][0])


def test_the_events_of_a_stream_are_these() -> None:
    data = frames(
        START,
        plan("so"),
        call("a", "f"),
        arguments("{}"),
        ended("tool-call"),
        end('"finish_reason":"TOOL_CALL",' + USAGE),
    )
    begun, planned, said, unplanned, called, argued, over, counted, done = events_of(
        cohere.StreamDecoder(), data
    )
    assert begun == wg.StreamStart(wg.Response(wg.AssistantMessage([], api=API), id="a-1"))
    assert type(planned) is wg.BlockStart
    assert planned.index == 0
    assert said == wg.TextDelta(0, "so")
    assert unplanned == wg.BlockEnd(0, text("so"))
    assert called == wg.BlockStart(1, call_block(arguments=""))
    assert argued == wg.ArgumentsDelta(1, "{}")
    assert over == wg.BlockEnd(1, call_block())
    assert type(counted) is wg.UsageUpdate
    assert (counted.usage.input, counted.usage.output) == (3, 2)
    assert type(done) is wg.StreamEnd
    assert done.response.message.content == [text("so"), call_block()]


def test_the_events_add_up_to_the_message() -> None:
    total = wg.Accumulator()
    decoder = cohere.StreamDecoder()
    for event in events_of(decoder, TALKING_STREAM):
        total.add(event)
    assert total.message == decoder.close().message == decoder.message


TEXT = content("text")
HI = words("text", "hi")
AB = (call_block("a"), call_block("b"))

MISBEHAVED: dict[str, tuple[list[tuple[str, str]], list[Any]]] = {
    "calls that are all the first": (
        [START, call("a", "f"), call("b", "f"), ended("tool-call"), END],
        [*AB],
    ),
    "fragments of calls in turn": (
        [
            START,
            call("a", "f"),
            call("b", "f", 1),
            arguments('{\\"x\\":'),
            arguments('{\\"y\\":', 1),
            arguments("1}"),
            arguments("2}", 1),
            ended("tool-call", 1),
            ended("tool-call"),
            END,
        ],
        [call_block("a", '{"x":1}'), call_block("b", '{"y":2}')],
    ),
    "parts in turn": (
        [
            START,
            content("thinking"),
            content("text", 1),
            words("thinking", "h"),
            words("text", "h", 1),
            words("thinking", "m"),
            words("text", "i", 1),
            END,
        ],
        [wg.ThinkingBlock("hm"), text("hi")],
    ),
    "a plan after the text": (
        [START, plan("so"), TEXT, HI, plan("then"), END],
        [text("so"), text("hi"), text("then")],
    ),
    "no ends": ([START, TEXT, HI, call("a", "f"), END], [text("hi"), call_block()]),
    "no start of the message": ([TEXT, HI, ended("content"), END], [text("hi")]),
    "no start of the part": ([START, HI, END], [text("hi")]),
    "thoughts in a part that is text": (
        [START, TEXT, HI, words("thinking", "hm"), END],
        [text("hi"), wg.ThinkingBlock("hm")],
    ),
    "text after the end of its part": (
        [START, TEXT, HI, ended("content"), words("text", "ho"), END],
        [text("hi"), text("ho")],
    ),
    "a part that is used again": ([START, TEXT, HI, TEXT, HI, END], [text("hi"), text("hi")]),
    "a part without words": ([START, TEXT, words("text", ""), ended("content"), END], []),
    "an end of what never began": ([START, ended("content", 3), ended("tool-call", 3), END], []),
    "a plan in pieces, an empty one among them": (
        [START, plan("s"), plan(""), plan("o"), call("a", "f"), END],
        [text("so"), call_block()],
    ),
    "a plan that the text follows": (
        [START, plan("so"), TEXT, HI, END],
        [text("so"), text("hi")],
    ),
    "text that begins with words": (
        [START, (TEXT[0], TEXT[1].replace('"text":""', '"text":"hi"')), END],
        [text("hi")],
    ),
    "a call that begins with arguments": (
        [START, (call("a", "f")[0], call("a", "f")[1].replace('s":""', 's":"{}"')), END],
        [call_block()],
    ),
    "a part of a kind that nobody knows": (
        [START, (TEXT[0], '"delta":{"message":{"content":{"type":"new","x":1}}}'), END],
        [wg.OpaqueBlock(API, {"type": "new", "x": 1})],
    ),
    "events of kinds that nobody knows": (
        [START, ("debug", '"prompt":"x"'), TEXT, HI, ("new", ""), END],
        [text("hi")],
    ),
    "a citation before the end of its text": (
        [START, TEXT, HI, _cited(), ended("citation"), words("text", "!"), END],
        [text("hi!", annotations=[CITED])],
    ),
    "a citation after the end of its text": (
        [START, TEXT, HI, ended("content"), _cited(), END],
        [text("hi", annotations=[CITED])],
    ),
    "a citation of the plan": (
        [START, plan("so"), _cited(',"type":"PLAN"'), call("a", "f"), END],
        [text("so", annotations=[CITED]), call_block()],
    ),
    "a citation of thoughts": (
        [START, content("thinking"), words("thinking", "hm"), _cited(), TEXT, HI, END],
        [wg.ThinkingBlock("hm"), text("hi"), wg.AnnotationBlock(refs=[CITED])],
    ),
}


@pytest.mark.parametrize("name", MISBEHAVED)
def test_a_stream_may_misbehave(name: str) -> None:
    events, expected = MISBEHAVED[name]
    assert _message(*events).content == expected


def test_comments_and_names_matter_little() -> None:
    data = b": keep-alive\n\n" + frames(START, TEXT, HI, END).replace(b"event: ", b"id: ")
    assert check_chunkings(cohere, data).message.content == [text("hi")]


def test_keys_that_nobody_knows_are_of_the_answer() -> None:
    begun = (START[0], START[1].replace('"citations":[]', '"citations":[],"m":1') + ',"x":1')
    over = end('"finish_reason":"COMPLETE","z":3')
    response = check_chunkings(cohere, frames(begun, TEXT, HI, (over[0], over[1] + ',"y":2')))
    assert response.extras is not None
    assert response.extras[API].keys.value == {"x": 1, "y": 2, "z": 3}
    assert response.message.extras is not None
    assert response.message.extras[API].keys.value == {"m": 1}


def test_keys_that_nobody_knows_go_back() -> None:
    begun = (START[0], START[1] + ',"x":1,"y":1')
    data = frames(begun, TEXT, HI, ended("content"), (END[0], END[1] + ',"y":2')) + DONE
    made = _encoded(events_of(cohere.StreamDecoder(), data))
    assert check_chunkings(cohere, made) == check_chunkings(cohere, data)
    assert made.count(b'"x":1') == 1


def test_what_follows_the_end_is_left_alone() -> None:
    data = frames(START, TEXT, HI, END) + DONE + b"data: [DONE]\n\n{}"
    assert check_chunkings(cohere, data).message.content == [text("hi")]


BROKEN = {
    "arguments after the end of their call": (
        [START, call("a", "f"), ended("tool-call"), arguments("{}")],
        "cohere: arguments without a call, expected an open one - at `$[3].index`",
    ),
    "arguments of no call": ([START, arguments("{}")], "at `$[1].index`"),
    "a delta of another type": (
        [START, ("content-delta", '"index":0,"delta":{"message":{"content":{"text":7}}}')],
        "cohere: expected `str | null`, got `int` - at `$[1].delta.message.content.text`",
    ),
    "a call without a name": (
        [START, ("tool-call-start", '"delta":{"message":{"tool_calls":{"id":"a"}}}')],
        "cohere: object missing required field `function` - at `$[1]`",
    ),
    "an end without a delta": (
        [START, ("message-end", "")],
        "cohere: object missing required field `delta` - at `$[1]`",
    ),
    "no end": ([START, TEXT, HI, ended("content")], "the stream ended before the answer did"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_stream_may_break(name: str) -> None:
    events, reason = BROKEN[name]
    decoder = cohere.StreamDecoder()
    with pytest.raises(wg.StreamError) as caught:
        events_of(decoder, frames(*events) + DONE)
    assert reason in str(caught.value)


def test_a_frame_that_is_no_json_breaks_the_stream() -> None:
    with pytest.raises(wg.StreamError, match=r"at `\$\[1\]`"):
        events_of(cohere.StreamDecoder(), frames(START) + b"data: {\n\n")


def test_an_end_with_an_error_is_a_failure() -> None:
    data = frames(START, TEXT, HI, end('"finish_reason":"ERROR","error":"oh",' + USAGE))
    decoder = cohere.StreamDecoder()
    *_, counted, end_of_text, failure = events_of(decoder, data)
    assert (type(counted), type(end_of_text)) == (wg.UsageUpdate, wg.BlockEnd)
    assert failure == wg.StreamFailure("server", "oh", code="ERROR", wire="cohere")
    with pytest.raises(wg.ProviderError, match=r"^cohere: server: oh$"):
        decoder.close()
    assert decoder.message.content == [text("hi")]


def test_an_end_in_time_out_is_one_too() -> None:
    data = frames(START, end('"finish_reason":"TIMEOUT","error":"oh"'))
    failure = events_of(cohere.StreamDecoder(), data)[-1]
    assert (failure.kind, failure.code) == ("timeout", "TIMEOUT")


def test_an_error_beside_the_end_is_one_too() -> None:
    event, data = end('"finish_reason":"COMPLETE"')
    failure = events_of(cohere.StreamDecoder(), frames(START, (event, data + ',"error":"oh"')))[-1]
    assert failure == wg.StreamFailure("server", "oh", code="COMPLETE", wire="cohere")


def test_an_error_without_words_is_a_stop_reason() -> None:
    message = _message(START, TEXT, HI, end('"finish_reason":"ERROR"'))
    assert (message.stop_reason, message.raw_stop_reason) == ("error", "ERROR")


def test_the_body_of_an_error_is_a_failure() -> None:
    data = frames(START) + b'data: {"id":"e","message":"oh"}\n\n'
    events = events_of(cohere.StreamDecoder(), data)
    assert (events[-1].kind, events[-1].message) == ("server", "oh")
    assert _encoded(events).endswith(b'\n\ndata: {"id":"e","message":"oh"}\n\n')


# Encoding


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_goes_back_to_its_own_wire(name: str) -> None:
    stream, twin = STREAMS[name]
    made = _encoded(events_of(cohere.StreamDecoder(), stream))
    _check(made)
    assert check_chunkings(cohere, made) == cohere.decode_response(twin)


def test_a_plan_stays_a_plan() -> None:
    made = _encoded(events_of(cohere.StreamDecoder(), CALLING_STREAM))
    empty = frames(ended("tool-call", 1))
    assert made == CALLING_STREAM.replace(empty, frames(arguments("{}", 1)) + empty)


def test_the_bytes_of_a_stream_are_these() -> None:
    thought = wg.ThinkingBlock("hm", "s")
    usage = wg.Usage(input=1, output=2)
    whole = answer(thought, "hi", call_block(), stop_reason="toolUse", usage=usage, api=OTHER)
    losses: list[wg.Loss] = []
    made = _encoded(
        [
            wg.StreamStart(wg.Response(answer(model="m", api=OTHER), id="x")),
            wg.BlockStart(0, wg.ThinkingBlock("")),
            wg.ThinkingDelta(0, "hm"),
            wg.BlockEnd(0, thought),
            wg.BlockStart(1, text("")),
            wg.TextDelta(1, "h%"),
            wg.BlockEnd(1, text("h%")),
            wg.BlockStart(2, call_block(arguments="")),
            wg.ArgumentsDelta(2, '{"x": '),
            wg.ArgumentsDelta(2, "1}"),
            wg.BlockEnd(2, call_block(arguments='{"x": 1}')),
            wg.UsageUpdate(usage),
            wg.StreamEnd(wg.Response(whole, id="x")),
        ],
        losses,
    )
    _check(made)
    counts = '{"input_tokens":1,"output_tokens":2}'
    assert made == DONE.join(
        [
            frames(
                start("x"),
                content("thinking"),
                words("thinking", "hm"),
                ended("content"),
                content("text", 1),
                words("text", "h%", 1),
                ended("content", 1),
                call("a", "f"),
                arguments(r"{\"x\": "),
                arguments("1}"),
                ended("tool-call"),
                end(
                    f'"finish_reason":"TOOL_CALL","usage":{{"billed_units":{counts},'
                    f'"tokens":{counts},"cached_tokens":0}}'
                ),
            ),
            b"",
        ]
    )
    assert [loss.what for loss in losses] == ["signature"]


@pytest.mark.parametrize("begun", [None, {"other-api": wg.Extra(wg.RawJson('{"k":1}'))}])
def test_keys_that_a_block_brought_over_another_api_are_a_loss_once(
    begun: wg.Extras | None,
) -> None:
    ended = {"other-api": wg.Extra(wg.RawJson('{"k":1}'))}
    losses: list[wg.Loss] = []
    encoder = cohere.StreamEncoder(losses=losses)
    encoder.encode(wg.BlockStart(0, wg.ThinkingBlock("", extras=begun)))
    encoder.encode(wg.BlockEnd(0, wg.ThinkingBlock("", extras=ended)))
    assert [loss.what for loss in losses] == ["extras"]


def test_blocks_without_deltas_come_whole() -> None:
    events = [
        wg.StreamStart(wg.Response(answer())),
        wg.BlockStart(0, wg.ErrorBlock("oh")),
        wg.BlockEnd(0, wg.ErrorBlock("oh")),
        wg.BlockStart(1, wg.ThinkingBlock("", redacted=True)),
        wg.BlockEnd(1, wg.ThinkingBlock("", "s", redacted=True)),
        wg.BlockStart(2, wg.AnnotationBlock(refs=[CITED])),
        wg.BlockEnd(2, wg.AnnotationBlock(refs=[CITED])),
        wg.StreamEnd(
            wg.Response(answer(wg.AnnotationBlock(refs=[CITED])), alternatives=[answer("ho")])
        ),
    ]
    losses: list[wg.Loss] = []
    made = _encoded(events, losses)
    _check(made)
    assert check_chunkings(cohere, made).message.content == [text("oh")]
    assert [loss.what for loss in losses] == [
        "error",
        "redacted thinking",
        "candidates",
        "annotation",
    ]
    with pytest.raises(wg.LossError, match=r"^cohere: error: "):
        _encoded(events)


def test_a_failure_is_an_end_that_clients_look_at() -> None:
    error = wg.StreamFailure("overloaded", "oh", 529, wire="anthropic")
    counted = wg.UsageUpdate(wg.Usage(input=1, output=2))
    made = _encoded([wg.StreamStart(wg.Response(answer(), id="x")), counted, error])
    _check(made)
    counts = '{"input_tokens":1,"output_tokens":2}'
    assert (
        made
        == frames(
            start("x"),
            end(
                f'"finish_reason":"ERROR","error":"oh","usage":{{"billed_units":{counts},'
                f'"tokens":{counts},"cached_tokens":0}}'
            ),
        )
        + DONE
    )


@pytest.mark.parametrize(("kind", "word"), [("timeout", "TIMEOUT"), ("server", "ERROR")])
def test_a_failure_comes_back_as_one(kind: str, word: str) -> None:
    made = _encoded([wg.StreamStart(wg.Response(answer())), wg.StreamFailure(kind, "oh")])
    failure = events_of(cohere.StreamDecoder(), made)[-1]
    assert failure == wg.StreamFailure(kind, "oh", code=word, wire="cohere")


def test_an_answer_must_end() -> None:
    encoder = cohere.StreamEncoder()
    encoder.encode(wg.StreamStart(wg.Response(answer())))
    with pytest.raises(wg.EncodeError, match="closed before the end"):
        encoder.close()


def test_half_a_pair_is_replaced_where_losses_are_listed() -> None:
    events = [wg.StreamStart(wg.Response(answer())), wg.BlockStart(0, text(""))]
    losses: list[wg.Loss] = []
    encoder = cohere.StreamEncoder(losses=losses)
    for event in events:
        encoder.encode(event)
    assert '"\ufffd"'.encode() in encoder.encode(wg.TextDelta(0, "\ud83d"))
    assert len(losses) == 1
