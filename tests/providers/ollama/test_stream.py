"""Streamed answers <-> events."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.ollama.answers import (
    CALLING,
    CALLING_STREAM,
    TALKING,
    TALKING_STREAM,
    done,
    line,
    lines,
)
from tests.providers.ollama.pieces import API, OTHER, PNG, answer, extras, text
from tests.providers.ollama.pieces import call as call_block
from tests.providers.streams import check_chunkings, check_truncations, events_of

ollama = wg.providers.ollama

STREAMS = {"a talk": (TALKING_STREAM, TALKING), "calls": (CALLING_STREAM, CALLING)}
CITED = wg.AnnotationRef(url="https://w.example")
HI = line('"content":"hi"')


def _check(data: bytes) -> None:
    from tests.oracles import ollama as oracle

    oracle.check_stream(data)


def _message(*given: str) -> wg.AssistantMessage:
    return check_chunkings(ollama, lines(*given)).message


def _encoded(events: list[Any], losses: list[wg.Loss] | None = None) -> bytes:
    encoder = ollama.StreamEncoder(losses=losses)
    return b"".join(map(encoder.encode, events)) + encoder.close()


def _made() -> str:
    return "made"


def _calls(*calls: str) -> str:
    return line(f'"content":"","tool_calls":[{",".join(calls)}]')


def _call(call_id: str = "a", arguments: str = "{}") -> str:
    return f'{{"id":"{call_id}","function":{{"name":"f","arguments":{arguments}}}}}'


# Decoding


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_gives_the_answer_of_its_twin(name: str) -> None:
    stream, twin = STREAMS[name]
    _check(stream)
    assert check_chunkings(ollama, stream, ids=_made) == ollama.decode_response(twin, ids=_made)


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_that_was_cut_has_no_end(name: str) -> None:
    check_truncations(ollama, STREAMS[name][0])


def test_the_events_of_a_stream_are_these() -> None:
    given = (HI, _calls(_call(arguments='{"x": 1}')), done('"eval_count":2'))
    start, begun, said, ended, called, argued, over, end = events_of(
        ollama.StreamDecoder(), lines(*given)
    )
    assert start == wg.StreamStart(
        wg.Response(
            wg.AssistantMessage([], api=API, model="m:1"),
            created_at=1_785_999_229_500,
            extras=start.response.extras,
        )
    )
    assert begun == wg.BlockStart(0, text(""))
    assert said == wg.TextDelta(0, "hi")
    assert ended == wg.BlockEnd(0, text("hi"))
    assert called == wg.BlockStart(1, call_block(arguments=""))
    assert argued == wg.ArgumentsDelta(1, '{"x": 1}')
    assert over == wg.BlockEnd(1, call_block(arguments='{"x": 1}'))
    assert type(end) is wg.StreamEnd
    message = end.response.message
    assert message.content == [text("hi"), call_block(arguments='{"x": 1}')]
    assert (message.stop_reason, message.raw_stop_reason) == ("toolUse", "stop")
    assert message.usage is not None
    assert message.usage.output == 2


def test_the_events_add_up_to_the_message() -> None:
    total = wg.Accumulator()
    decoder = ollama.StreamDecoder()
    for event in events_of(decoder, CALLING_STREAM):
        total.add(event)
    assert total.message == decoder.close().message == decoder.message


MISBEHAVED: dict[str, tuple[list[str], list[Any]]] = {
    "calls of one line": (
        [_calls(_call("a"), _call("b")), done()],
        [call_block("a"), call_block("b")],
    ),
    "text after a call": (
        [HI, _calls(_call()), HI, done()],
        [text("hi"), call_block(), text("hi")],
    ),
    "thinking after text": (
        [HI, line('"content":"","thinking":"hm"'), HI, done()],
        [text("hi"), wg.ThinkingBlock("hm"), text("hi")],
    ),
    "thinking and text in a line": (
        [line('"content":"hi","thinking":"hm"'), done()],
        [wg.ThinkingBlock("hm"), text("hi")],
    ),
    "lines that say nothing": ([line('"content":""'), line(""), done()], []),
    "text in the last line": ([HI, done(content="!")], [text("hi!")]),
    "an image": (
        [HI, line('"content":"","images":["iVBORw0KGgo="]'), done()],
        [text("hi"), wg.ImageBlock(data=PNG)],
    ),
    "nothing but the end": ([done()], []),
    "blank lines": ([HI, "", " ", done()], [text("hi")]),
    "what follows the end": ([HI, done(), HI, "{"], [text("hi")]),
}


@pytest.mark.parametrize("name", MISBEHAVED)
def test_a_stream_may_misbehave(name: str) -> None:
    given, expected = MISBEHAVED[name]
    content = _message(*given).content
    for block in content:
        if type(block) is wg.ImageBlock:
            assert block.data is not None
            assert block.data.to_bytes() == PNG.to_bytes()
            block.data = PNG
    assert content == expected


def test_calls_without_an_id_get_one_each() -> None:
    bare = '{"function":{"name":"f","arguments":{}}}'
    message = _message(_calls(bare), _calls(bare, _call("call_x")), _calls(bare), done())
    made = "call_0d24896bf354_"
    ids = [f"{made}0", f"{made}1", "call_x", f"{made}2"]
    assert [call.id for call in message.tool_calls()] == ids


def test_lines_may_end_in_crlf_and_the_last_in_nothing() -> None:
    data = lines(HI, done()).replace(b"\n", b"\r\n").removesuffix(b"\r\n")
    assert check_chunkings(ollama, data).message.content == [text("hi")]


def test_keys_that_nobody_knows_are_of_the_answer() -> None:
    first = line('"content":"hi","m":1', '"done":false,"x":1,"y":1')
    response = check_chunkings(ollama, lines(first, HI, done('"y":2')))
    assert response.extras is not None
    assert response.extras[API].keys.value == {"x": 1, "y": 2}
    assert response.message.extras is not None
    assert response.message.extras[API].keys.value == {"m": 1}


BROKEN = {
    "no end": ([HI], "the stream ended before the answer did"),
    "content of another type": (
        [HI, line('"content":7')],
        "ollama: expected `str | null`, got `int` - at `$[1].message.content`",
    ),
    "a call without a name": (
        [HI, _calls('{"function":{}}')],
        "object missing required field `name` - at `$[1].message.tool_calls[0].function`",
    ),
    "an image that is no text": (
        [line('"images":[7]')],
        "ollama: expected `str` - at `$[0].images[0]`",
    ),
    "another role": (
        [HI.replace("assistant", "user")],
        "ollama: `user`, expected `assistant` - at `$[0].message.role`",
    ),
    "no JSON": ([HI, "{"], "at `$[1]`"),
    "no object": ([HI, "7"], "ollama: expected `object`, got `int` - at `$[1]`"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_stream_may_break(name: str) -> None:
    given, reason = BROKEN[name]
    with pytest.raises(wg.StreamError) as caught:
        events_of(ollama.StreamDecoder(), lines(*given))
    assert reason in str(caught.value)


def test_a_line_with_an_error_is_a_failure() -> None:
    decoder = ollama.StreamDecoder()
    events = events_of(decoder, lines(HI, '{"error":"oh","x":1}'))
    assert (events[-1].kind, events[-1].message) == ("server", "oh")
    assert _encoded(events).endswith(b'\n{"error":"oh","x":1}\n')
    with pytest.raises(wg.ProviderError, match=r"^ollama: server: oh$"):
        decoder.close()
    assert decoder.message.content == [text("hi")]


# Encoding


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_goes_back_to_its_own_wire(name: str) -> None:
    stream, twin = STREAMS[name]
    made = _encoded(events_of(ollama.StreamDecoder(), stream))
    _check(made)
    assert check_chunkings(ollama, made, ids=_made) == ollama.decode_response(twin, ids=_made)


def test_the_lines_of_calls_are_those_that_came() -> None:
    made = _encoded(events_of(ollama.StreamDecoder(), CALLING_STREAM))
    *given, _ = CALLING_STREAM.splitlines()
    *said, _ = made.splitlines()
    assert said == given


def test_text_of_this_api_stays_in_one_piece() -> None:
    data = lines(HI, _calls(_call()), HI, done())
    assert _encoded(events_of(ollama.StreamDecoder(), data)) == data


def test_the_bytes_of_a_stream_are_these() -> None:
    thought = wg.ThinkingBlock("hm", "s")
    usage = wg.Usage(input=1, output=2)
    start = wg.Response(answer(model="%m", api=OTHER), created_at=1_716_584_265_120)
    whole = answer(
        thought,
        "hi",
        call_block(arguments='{"x": 1}'),
        "ho",
        model="%m",
        stop_reason=wg.StopReason.TOOL_USE,
        usage=usage,
        api=OTHER,
    )
    losses: list[wg.Loss] = []
    made = _encoded(
        [
            wg.StreamStart(start),
            wg.BlockStart(0, wg.ThinkingBlock("")),
            wg.ThinkingDelta(0, "hm"),
            wg.BlockEnd(0, thought),
            wg.BlockStart(1, text("")),
            wg.TextDelta(1, "h"),
            wg.TextDelta(1, "i"),
            wg.BlockEnd(1, text("hi")),
            wg.BlockStart(2, call_block(arguments="")),
            wg.ArgumentsDelta(2, '{"x": '),
            wg.ArgumentsDelta(2, "1}"),
            wg.BlockEnd(2, call_block(arguments='{"x": 1}')),
            wg.BlockStart(3, text("")),
            wg.TextDelta(3, "h"),
            wg.TextDelta(3, "o"),
            wg.BlockEnd(3, text("ho")),
            wg.UsageUpdate(usage),
            wg.StreamEnd(wg.Response(whole, created_at=1_716_584_265_120)),
        ],
        losses,
    )
    _check(made)
    head = '{"model":"%m","created_at":"2024-05-24T20:57:45.120Z","message":{"role":"assistant",'
    assert made == lines(
        head + '"content":"","thinking":"hm"},"done":false}',
        head + '"content":"h"},"done":false}',
        head + '"content":"i"},"done":false}',
        head + '"content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"f",'
        '"arguments":{"x": 1}}}]},"done":false}',
        head + r'"content":"\nh"},"done":false}',
        head + '"content":"o"},"done":false}',
        head + '"content":""},"done":true,"done_reason":"stop","total_duration":0,'
        '"load_duration":0,"prompt_eval_count":1,"prompt_eval_duration":0,"eval_count":2,'
        '"eval_duration":0}',
    )
    assert [loss.what for loss in losses] == ["signature"]


def test_blocks_without_deltas_come_whole() -> None:
    blocks = [
        text("hi", annotations=[CITED]),
        wg.ErrorBlock("oh"),
        wg.ThinkingBlock("", "s", redacted=True),
        wg.ImageBlock(data=PNG),
        text("", extras=extras(API, x=1)),
        call_block(arguments="[1"),
    ]
    events: list[Any] = [wg.StreamStart(wg.Response(answer()))]
    for i, block in enumerate(blocks):
        events += [wg.BlockStart(i, block), wg.BlockEnd(i, block)]
    end = answer(*blocks, stop_reason=wg.StopReason.GUARD_RAIL)
    events.append(wg.StreamEnd(wg.Response(end, alternatives=[answer("ho")])))
    losses: list[wg.Loss] = []
    made = _encoded(events, losses)
    _check(made)
    said, image, called = check_chunkings(ollama, made).message.content
    assert said == text("hi\noh")
    assert type(image) is wg.ImageBlock
    assert type(called) is wg.ToolCallBlock
    assert called.arguments.value == {"raw_arguments": "[1"}
    assert [loss.what for loss in losses] == [
        "annotation",
        "error",
        "redacted thinking",
        "extras",
        "arguments",
        "candidates",
        "stop reason",
    ]
    with pytest.raises(wg.LossError, match=r"^ollama: annotation: "):
        _encoded(events)


FAILURES = {
    "of another API": (wg.ProviderError("server", "oh", wire="cohere", body=b"{}"), "oh"),
    "with a page for a body": (
        wg.ProviderError("server", "oh", wire="ollama", body=b"<p>\n</p>"),
        "oh",
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_a_line(name: str) -> None:
    error, message = FAILURES[name]
    failure = wg.StreamFailure.of(error)
    made = _encoded([wg.StreamStart(wg.Response(answer())), failure])
    assert made == f'{{"error":"{message}"}}\n'.encode()


def test_the_body_of_a_failure_is_one_line() -> None:
    error = wg.ProviderError("server", "oh", wire="ollama", body=b'{\n"error":\n"oh"}')
    failure = wg.StreamFailure.of(error)
    made = _encoded([wg.StreamStart(wg.Response(answer())), failure])
    assert made == b'{ "error": "oh"}\n'


def test_an_answer_must_end() -> None:
    encoder = ollama.StreamEncoder()
    encoder.encode(wg.StreamStart(wg.Response(answer())))
    with pytest.raises(wg.EncodeError, match="closed before the end"):
        encoder.close()
