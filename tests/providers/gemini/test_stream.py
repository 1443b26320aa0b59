"""Streamed answers <-> events."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.gemini.answers import BODY, FINISH, STREAM, check_stream, chunks, of, part
from tests.providers.streams import check_chunkings, check_truncations, events_of
from wireglot.model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
    UsageUpdate,
)

gemini = wg.providers.gemini
API = gemini.API
END = part('{"text":""}', more=FINISH)
A, B = part('{"text":"a"}'), part('{"text":"b"}')
CALL = '{"functionCall":{"name":"f","args":{"k": 1},"id":"x"}}'


def _response(*texts: str, **options: Any) -> wg.Response:
    return check_chunkings(gemini, chunks(*texts), **options)


def _again(response: wg.Response) -> wg.Response:
    """Return what comes back of a response that was streamed out."""
    decoder = gemini.StreamDecoder()
    decoder.feed(_streamed(response))
    return decoder.close()


def _streamed(response: wg.Response, losses: Any = None, dialect: str = "gemini") -> bytes:
    """Return a stream that brings each block whole."""
    encoder = gemini.StreamEncoder(losses=losses, dialect=dialect)
    out = encoder.encode(StreamStart(response))
    for index, block in enumerate(response.message.content):
        out += encoder.encode(BlockStart(index, block))
        if isinstance(block, wg.TextBlock):
            out += encoder.encode(TextDelta(index, block.text))
        elif isinstance(block, wg.ThinkingBlock) and not block.redacted:
            out += encoder.encode(ThinkingDelta(index, block.thinking))
        out += encoder.encode(BlockEnd(index, block))
    return out + encoder.encode(StreamEnd(response)) + encoder.close()


def _same_json(one: Any, other: Any) -> bool:
    return bool(json.loads(wg.json.encode(one)) == json.loads(wg.json.encode(other)))


# What is read


def test_a_stream_gives_the_answer_of_its_twin() -> None:
    assert _same_json(check_chunkings(gemini, STREAM), gemini.decode_response(BODY))


def test_blanks_begin_no_line() -> None:
    for head in (b" ", b" " * 200):
        with pytest.raises(wg.StreamError):
            check_chunkings(gemini, head + chunks(END))
        array = head[:1] + f"[{END}]".encode()
        assert check_chunkings(gemini, array).message.stop_reason == "stop"


def test_an_array_gives_the_same_as_events() -> None:
    texts = [frame[6:] for frame in STREAM.decode().split("\r\n\r\n")[:-1]]
    array = "[" + "\n,\r\n".join(texts) + "]\n"
    assert check_chunkings(gemini, array.encode()) == check_chunkings(gemini, STREAM)


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r", "\n\n: still here\n\n"])
def test_lines_end_as_they_like(end: str) -> None:
    response = check_chunkings(gemini, chunks(A, B, END, end=end))
    assert response.message.content == [wg.TextBlock("ab")]


def test_a_byte_order_mark_and_blank_lines_come_before_nothing() -> None:
    for head in (b"\xef\xbb\xbf", b"\n\n", b"\r\n" * 200):
        response = check_chunkings(gemini, head + chunks(A, END))
        assert response.message.content == [wg.TextBlock("a")]


def test_the_events_of_a_stream() -> None:
    events = events_of(gemini.StreamDecoder(), STREAM)
    first, call = wg.ToolCallBlock, '{"at": "sky"}'
    assert [type(event) for event in events] == [
        StreamStart,
        *(BlockStart, ThinkingDelta, ThinkingDelta, BlockEnd),
        *(BlockStart, TextDelta, TextDelta, BlockEnd),
        *(BlockStart, ArgumentsDelta, BlockEnd),
        *(BlockStart, ArgumentsDelta, BlockEnd),
        UsageUpdate,
        StreamEnd,
    ]
    assert events[0].response.id == "r1"
    assert events[0].response.message.model == "gemini-x"
    assert events[0].response.message.usage.input == 10
    assert events[1:4] == [
        BlockStart(0, wg.ThinkingBlock("")),
        ThinkingDelta(0, "H"),
        ThinkingDelta(0, "mm"),
    ]
    assert events[8] == BlockEnd(1, wg.TextBlock("Let me look.", signature="c2ln"))
    assert isinstance(events[9].block, first)
    assert events[10] == ArgumentsDelta(2, call)
    assert (events[15].usage.input, events[15].usage.output) == (4, 7)


CONTENT: dict[str, tuple[list[str], list[Any]]] = {
    "texts are one block": ([A, B], [wg.TextBlock("ab")]),
    "an empty text is none": ([part('{"text":""}')], []),
    "no parts are none": (['{"candidates":[{"content":{"role":"model"},"index":0}]}', A], ["a"]),
    "a part without anything is none": ([part("{}"), A], ["a"]),
    "a signature alone is the text's before it": (
        [A, part('{"text":"","thoughtSignature":"c2ln"}')],
        [wg.TextBlock("a", signature="c2ln")],
    ),
    "a signature is the text's that goes on": (
        [part('{"text":"a","thoughtSignature":"c2ln"}'), B],
        [wg.TextBlock("ab", signature="c2ln")],
    ),
    "a text after a signature alone is another": (
        [A, part('{"text":"","thoughtSignature":"c2ln"}'), B],
        [wg.TextBlock("a", signature="c2ln"), wg.TextBlock("b")],
    ),
    "a second signature is another text's": (
        [
            part('{"text":"a","thoughtSignature":"c2ln"}'),
            part('{"text":"b","thoughtSignature":"bW9yZQ=="}'),
        ],
        [wg.TextBlock("a", signature="c2ln"), wg.TextBlock("b", signature="bW9yZQ==")],
    ),
    "a signature after a call is of an empty text": (
        [part(CALL), part('{"text":"","thoughtSignature":"c2ln"}')],
        [wg.ToolCallBlock("x", "f", '{"k": 1}'), wg.TextBlock("", signature="c2ln")],
    ),
    "a thought ends where the answer begins": (
        [part('{"text":"t","thought":true}'), A, part('{"text":"u","thought":true}')],
        [wg.ThinkingBlock("t"), wg.TextBlock("a"), wg.ThinkingBlock("u")],
    ),
    "calls of one id are two": (
        [part(CALL), part(CALL)],
        [
            wg.ToolCallBlock("x", "f", '{"k": 1}'),
            wg.ToolCallBlock(
                "call_24244cb03c13_0", "f", '{"k": 1}', extras={API: wg.Extra({}, {"id": None})}
            ),
        ],
    ),
    "a picture comes whole": (
        [part('{"inlineData":{"mimeType":"image/png","data":"AAAA"}}')],
        [wg.ImageBlock.from_base64("AAAA", "image/png")],
    ),
    "a part of no known kind comes whole": (
        [A, part('{"executableCode":{"language":"PYTHON","code":"1"}}'), B],
        [
            wg.TextBlock("a"),
            wg.OpaqueBlock(API, wg.RawJson('{"executableCode":{"language":"PYTHON","code":"1"}}')),
            wg.TextBlock("b"),
        ],
    ),
    **{
        f"a text with a {key} is a part of its own": (
            [A, part(f'{{"text":"x","{key}":{value}}}'), B],
            ["a", wg.OpaqueBlock(API, wg.RawJson(f'{{"text":"x","{key}":{value}}}')), "b"],
        )
        for key, value in (
            ("functionCall", '{"name":"f"}'),
            ("functionResponse", '{"name":"f","response":{}}'),
            ("inlineData", '{"data":"AAAA","mimeType":"image/png"}'),
            ("fileData", '{"fileUri":"gs://b/f"}'),
        )
    },
    **{
        f"an empty text with the key {key} is one of its own": (
            [A, part(f'{{"text":"","{key}":{{"id":"y"}}}}'), B],
            ["a", wg.TextBlock("", extras={API: wg.Extra({key: {"id": "y"}})}), "b"],
        )
        for key in ("executableCode", "codeExecutionResult", "toolCall", "toolResponse")
    },
    "an empty thought with a key that is null is none": (
        [part('{"text":"","thought":true,"new":null}')],
        [],
    ),
    "an unknown key of a text stays with it": (
        [A, part('{"text":"b","new":1}')],
        [wg.TextBlock("ab", extras={API: wg.Extra({"new": 1})})],
    ),
    "keys in snake_case": (
        [part('{"text":"a","thought_signature":"c2ln"}')],
        [wg.TextBlock("a", signature="c2ln")],
    ),
}


@pytest.mark.parametrize(("texts", "content"), CONTENT.values(), ids=CONTENT.keys())
def test_parts_become_blocks(texts: list[str], content: list[Any]) -> None:
    response = _response(*texts, END)
    assert response.message.content == of(*content).content
    check_truncations(gemini, chunks(*texts, END))
    assert _same_json(_again(response), response)


@pytest.mark.parametrize(
    "text", ['{"usageMetadata":{"promptTokenCount":1}}', '{"promptFeedback":{"safetyRatings":[]}}']
)
def test_counts_and_feedback_begin_the_answer_before_any_candidate(text: str) -> None:
    assert [type(event) for event in gemini.StreamDecoder().feed(chunks(text))] == [StreamStart]


def test_a_call_makes_the_stop_a_tool_use() -> None:
    message = _response(part(CALL), END).message
    assert (message.stop_reason, message.raw_stop_reason) == ("toolUse", "STOP")


def test_the_finish_may_come_in_each_chunk() -> None:
    texts = [part(f'{{"text":"{text}"}}', more=FINISH) for text in "abc"]
    assert _response(*texts).message.content == [wg.TextBlock("abc")]


@pytest.mark.parametrize("where", ["before", "after", "with"])
def test_the_counts_may_come_anywhere(where: str) -> None:
    counts = '"usageMetadata":{"promptTokenCount":2,"candidatesTokenCount":3}'
    texts = {
        "before": [A[:-1] + f",{counts}}}", END],
        "after": [A, END, f"{{{counts}}}"],
        "with": [A, END[:-1] + f",{counts}}}"],
    }
    usage = _response(*texts[where]).message.usage
    assert usage is not None
    assert (usage.input, usage.output) == (2, 3)


def test_what_is_said_of_the_answer_is_kept() -> None:
    response = _response(
        part('{"text":"a"}', more='"groundingMetadata":{},"safetyRatings":[{"new":1}]'),
        part(
            '{"text":"b"}',
            more='"citationMetadata":{"citations":[{"uri":"u"}]},'
            '"logprobsResult":{"chosenCandidates":[{"token":"b"}]}',
        ),
        part(
            '{"text":"c"}',
            more=FINISH + ',"citationMetadata":{"citations":[{"uri":"v"}]},'
            '"logprobsResult":{"chosenCandidates":[{"token":"c"}]},'
            '"groundingMetadata":{"webSearchQueries":["q"]},"finishMessage":"so","newest":1',
        )[:-1]
        + ',"odd":2,"modelStatus":{"modelStage":"STABLE"},"createTime":"2026-01-02T03:04:05Z"}',
    )
    assert response.created_at == 1767323045000
    extra = (response.extras or {})[API]
    assert extra.keys.value == {
        "candidates": [
            {
                "groundingMetadata": {"webSearchQueries": ["q"]},
                "safetyRatings": [{"new": 1}],
                "citationMetadata": {"citations": [{"uri": "u"}, {"uri": "v"}]},
                "logprobsResult": {"chosenCandidates": [{"token": "b"}, {"token": "c"}]},
                "finishMessage": "so",
                "newest": 1,
            }
        ],
        "odd": 2,
        "modelStatus": {"modelStage": "STABLE"},
    }
    assert _same_json(_again(response), response)


def test_further_candidates_are_alternatives() -> None:
    def two(text: str, other: str, more: str = "") -> str:
        made = part(text, more='"index":0' + more)[:-2]
        return made + "," + part(other, more='"index":1' + more)[len('{"candidates":[') :]

    response = _response(
        two('{"text":"a"}', '{"text":"x"}'),
        part('{"text":"y"}', more='"index":1'),
        part('{"text":"","thoughtSignature":"c2ln"}', more='"index":1'),
        part('{"text":"z"}', more='"index":1'),
        two('{"text":"b"}', CALL, ',"finishReason":"STOP"'),
    )
    assert response.message.content == [wg.TextBlock("ab")]
    (other,) = response.alternatives or ()
    assert other.content == [
        wg.TextBlock("xy", signature="c2ln"),
        wg.TextBlock("z"),
        wg.ToolCallBlock("x", "f", '{"k": 1}'),
    ]
    assert (response.message.stop_reason, other.stop_reason) == ("stop", "toolUse")
    assert _same_json(_again(response), response)


def test_a_further_candidate_without_content_goes_back() -> None:
    more = ',{"index":1,"finishReason":"SAFETY"}]}'
    response = _response(A, END[:-2] + more)
    assert [other.stop_reason for other in response.alternatives or ()] == ["guardRail"]
    assert _same_json(_again(response), response)


def test_an_answer_ends_when_all_candidates_do() -> None:
    data = chunks(A, part('{"text":"x"}', more='"index":1'), END)
    decoder = gemini.StreamDecoder()
    decoder.feed(data)
    with pytest.raises(wg.StreamError):
        decoder.close()


def test_a_blocked_prompt_is_an_answer() -> None:
    text = '{"promptFeedback":{"blockReason":"SAFETY"},"modelVersion":"m"}'
    response = _response(text)
    assert (response.message.stop_reason, response.message.raw_stop_reason) == (
        "guardRail",
        "SAFETY",
    )
    assert _same_json(response, gemini.decode_response(text))
    assert _same_json(_again(response), response)


def _bit(name: str = "", more: str = "", *arguments: str) -> str:
    keys = [f'"name":"{name}"'] if name else []
    if arguments:
        keys.append(f'"partialArgs":[{",".join(arguments)}]')
    if more:
        keys.append(more)
    return part(f'{{"functionCall":{{{",".join(keys)}}}}}')


GOES_ON = '"willContinue":true'
PARTIAL: dict[str, tuple[list[str], bytes]] = {
    "a text in pieces": (
        [
            _bit("f", GOES_ON),
            _bit("", GOES_ON, '{"jsonPath":"$.a","stringValue":"x","willContinue":true}'),
            _bit("", GOES_ON, '{"jsonPath":"$.a","stringValue":"y"}'),
            _bit(),
        ],
        b'{"a":"xy"}',
    ),
    "values of all kinds": (
        [
            _bit(
                "f",
                GOES_ON,
                '{"jsonPath":"$.a.b","numberValue":1.50}',
                '{"jsonPath":"$.a.c","boolValue":false}',
                '{"jsonPath":"$.a[\'d.e\']","nullValue":"NULL_VALUE"}',
            ),
            _bit("", "", '{"jsonPath":"$.l[0]","stringValue":"x"}'),
        ],
        b'{"a":{"b":1.50,"c":false,"d.e":null},"l":["x"]}',
    ),
    "objects in a list": (
        [
            _bit("f", GOES_ON, '{"jsonPath":"$.l[0].k","numberValue":1}'),
            _bit("", "", '{"jsonPath":"$.l[1].k","numberValue":2}'),
        ],
        b'{"l":[{"k":1},{"k":2}]}',
    ),
    "none": ([_bit("f", GOES_ON), _bit()], b"{}"),
    "a text without its end": (
        [_bit("f", GOES_ON, '{"jsonPath":"$.a","stringValue":"x","willContinue":true}'), _bit()],
        b'{"a":"x"}',
    ),
    "a call that the answer ends": (
        [_bit("f", GOES_ON, '{"jsonPath":"$.a","stringValue":"x"}')],
        b'{"a":"x"}',
    ),
}


@pytest.mark.parametrize(("texts", "arguments"), PARTIAL.values(), ids=PARTIAL.keys())
def test_a_call_may_come_bit_by_bit(texts: list[str], arguments: bytes) -> None:
    message = _response(*texts, A, END, dialect="vertex", ids=lambda: "made").message
    call, text = message.content
    assert isinstance(call, wg.ToolCallBlock)
    assert (call.id, call.name, call.arguments.text) == ("call_made_0", "f", arguments)
    assert text == wg.TextBlock("a")
    assert message.stop_reason == "toolUse"


def test_calls_that_come_bit_by_bit_follow_each_other() -> None:
    first, second = PARTIAL["a text in pieces"][0], PARTIAL["values of all kinds"][0]
    bits = (*first, *second, *first[:2], *second, END)
    calls = _response(*bits, ids=lambda: "made").message.tool_calls()
    assert [call.id for call in calls] == [f"call_made_{i}" for i in range(4)]
    assert [call.arguments.value.get("a") for call in calls][::2] == ["xy", "x"]


@pytest.mark.parametrize(
    "path",
    ["", "$", "a", "$.l[1]", "$.l[999999999]", "$[0]", "$.a[", "$..a", "$.a['b", "$.a.b.c x["],
)
def test_arguments_without_a_place_are_an_error(path: str) -> None:
    text = _bit("f", "", f'{{"jsonPath":"{path}","numberValue":1}}')
    with pytest.raises(wg.StreamError):
        events_of(gemini.StreamDecoder(), chunks(text))


# What goes wrong


def test_a_stream_that_was_cut_has_no_end() -> None:
    check_truncations(gemini, STREAM)
    check_truncations(gemini, STREAM.replace(b"\r\n", b"\n"))


def test_an_array_that_was_cut_has_no_end() -> None:
    check_truncations(gemini, f"[{A}\n,{END}]".encode())


def _nameless(more: str) -> str:
    return part(f'{{"functionCall":{{{more}}}}}')


BAD = {
    "no JSON": chunks("{"),
    "no object": chunks("[1]"),
    "a candidate that is a number": chunks('{"candidates":[1]}'),
    "a text that is a number": chunks('{"candidates":[{"content":{"parts":[{"text":1}]}}]}'),
    "a call without a name": chunks(part('{"functionCall":{}}')),
    "a signature that is a number": chunks(part('{"text":"a","thoughtSignature":1}')),
    "an array of numbers": b"[1]",
    "an array in an array": b"[[]]",
    "nothing": b"",
    "blank lines": b"\n\n",
    "events of other fields": b"event: x\n\n",
    "no candidate": chunks('{"new":1}'),
    "counts that are text": chunks(A, '{"usageMetadata":{"promptTokenCount":"x"}}', END),
    "a key that is not UTF-8": chunks('{"k":1}', END).replace(b"k", b"\xff"),
    "a call bit by bit that has no name": chunks(_nameless(GOES_ON), _nameless(""), END),
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD.keys())
def test_a_bad_stream_is_an_error(data: bytes) -> None:
    for size in (1, len(data) or 1):
        decoder = gemini.StreamDecoder()
        with pytest.raises(wg.StreamError) as caught:
            events_of(decoder, data, size)
        assert caught.value.wire in ("gemini", "json array")


ERROR = '{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}'
PRETTY = json.dumps(json.loads(ERROR), indent=2)
FAILED = {
    "as an event": chunks(A, ERROR),
    "as bare JSON": chunks(A) + PRETTY.encode(),
    "as bare JSON after carriage returns": chunks(A, end="\r\n\r\n") + PRETTY.encode() + b"\r\n",
    "as bare JSON on the next line": f"data: {A}\n{PRETTY}\n".encode(),
    "as an item": f"[{A},{ERROR}]".encode(),
    "as all there is": PRETTY.encode(),
    "as all there is, in an array": f"[{ERROR}]".encode(),
}


@pytest.mark.parametrize("data", FAILED.values(), ids=FAILED.keys())
def test_an_error_breaks_the_stream_off(data: bytes) -> None:
    for size in (1, 2, 7, 64, len(data)):
        decoder = gemini.StreamDecoder()
        events = events_of(decoder, data, size)
        assert isinstance(events[-1], StreamFailure), size
        assert (events[-1].kind, events[-1].message, events[-1].status) == (
            "overloaded",
            "busy",
            503,
        )
        with pytest.raises(wg.ProviderError):
            decoder.close()
        if b'"a"' in data:
            assert decoder.message.content == [wg.TextBlock("a")]


@pytest.mark.parametrize("data", [chunks(A, B, END), f"[{A},{END}]".encode(), PRETTY.encode()])
def test_a_frame_that_is_too_large_is_refused(data: bytes) -> None:
    for size in (1, len(data)):
        decoder = gemini.StreamDecoder(max_frame=40)
        with pytest.raises(wg.LimitError):
            events_of(decoder, data, size)


# What is written


def _events(data: bytes) -> list[Any]:
    return events_of(gemini.StreamDecoder(), data)


def _written(data: bytes) -> bytes:
    encoder = gemini.StreamEncoder()
    return b"".join(map(encoder.encode, _events(data))) + encoder.close()


def test_a_stream_goes_back_to_its_wire() -> None:
    made = _written(STREAM)
    head = b'],"role":"model"},"index":0}],"modelVersion":"gemini-x","responseId":"r1"}\n\n'
    begin = b'data: {"candidates":[{"content":{"parts":['
    assert made == b"".join(
        (
            *(begin, b'{"thought":true,"text":"H"}', head),
            *(begin, b'{"thought":true,"text":"mm"}', head),
            *(begin, b'{"text":"Let me"}', head),
            *(begin, b'{"text":" look."}', head),
            *(begin, b'{"text":"","thoughtSignature":"c2ln"}', head),
            *(begin, b'{"functionCall":{"name":"look","args":{"at": "sky"}},'),
            *(b'"thoughtSignature":"bW9yZQ=="}', head),
            *(begin, b'{"functionCall":{"name":"look","args":{"at": "sea"}}}', head),
            b'data: {"candidates":[{"index":0,"avgLogprobs":-0.25,"content":{"role":"model",'
            b'"parts":[{"text":""}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":'
            b'10,"candidatesTokenCount":4,"totalTokenCount":17,"cachedContentTokenCount":6,'
            b'"thoughtsTokenCount":3},"modelVersion":"gemini-x","responseId":"r1"}\n\n',
        )
    )
    check_stream(made)
    assert _same_json(check_chunkings(gemini, made), check_chunkings(gemini, STREAM))


def test_an_answer_of_another_api_is_streamed() -> None:
    response = wg.Response(
        wg.AssistantMessage(
            [
                wg.ThinkingBlock("t"),
                wg.TextBlock('a"\n'),
                wg.ToolCallBlock("x", "f", '{"k":\n1}'),
                wg.ImageBlock.from_base64("AAAA", "image/png"),
            ],
            stop_reason=wg.StopReason.TOOL_USE,
            model="m",
            usage=wg.Usage(input=1, output=2),
            api="other",
        ),
        id="i",
    )
    made = _streamed(response)
    head = b'],"role":"model"},"index":0}],"modelVersion":"m","responseId":"i"}\n\n'
    begin = b'data: {"candidates":[{"content":{"parts":['
    assert made == b"".join(
        (
            *(begin, b'{"thought":true,"text":"t"}', head),
            *(begin, b'{"text":"a\\"\\n"}', head),
            *(begin, b'{"functionCall":{"name":"f","args":{"k":\ndata: 1},"id":"x"}}', head),
            *(begin, b'{"inlineData":{"data":"AAAA","mimeType":"image/png"}}', head),
            b'data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":""}]},'
            b'"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,'
            b'"candidatesTokenCount":2,"totalTokenCount":3},"modelVersion":"m",'
            b'"responseId":"i"}\n\n',
        )
    )
    check_stream(made)
    again = check_chunkings(gemini, made)
    assert again.message.content[:1] == [wg.ThinkingBlock("t")]
    (call,) = again.message.tool_calls()
    assert (call.id, call.arguments.text) == ("x", b'{"k":\n1}')


def test_what_cannot_be_carried_is_told_once() -> None:
    response = wg.Response(
        wg.AssistantMessage(
            [
                wg.ThinkingBlock("t", signature="c2ln"),
                wg.ThinkingBlock("", signature="x", redacted=True),
                wg.OpaqueBlock("other", wg.RawJson("{}")),
                wg.TextBlock("a", annotations=[wg.AnnotationRef(url="u")]),
            ],
            stop_reason=wg.StopReason.PAUSED,
            api="other",
        ),
        extras={"other": wg.Extra({"k": 1})},
    )
    losses: list[wg.Loss] = []
    made = _streamed(response, losses)
    assert sorted(loss.what for loss in losses) == [
        "annotation",
        "extras",
        "opaque block",
        "redacted thinking",
        "signature",
        "stop reason",
    ]
    check_stream(made)
    with pytest.raises(wg.LossError):
        _streamed(response)


def test_an_error_is_written_as_an_event() -> None:
    encoder = gemini.StreamEncoder()
    failure = StreamFailure("overloaded", "busy", wire="other")
    made = encoder.encode(failure) + encoder.close()
    assert made == chunks(ERROR)
    check_stream(made)
    (again,) = _events(made)
    assert again.error().kind == "overloaded"


def test_an_error_that_is_no_chunk_is_written_anew() -> None:
    failure = StreamFailure.of(gemini.decode_error(b"[" + ERROR.encode() + b"]", 503))
    assert gemini.StreamEncoder().encode(failure) == chunks(ERROR)


def test_vertex_tells_the_time() -> None:
    response = wg.Response(wg.AssistantMessage([wg.TextBlock("a")]), created_at=1000)
    made = _streamed(response, dialect="vertex")
    assert made.count(b'"createTime":"1970-01-01T00:00:01.000Z"') == 2
    check_stream(made)


def test_the_end_comes_once_and_has_to_come() -> None:
    encoder = gemini.StreamEncoder()
    with pytest.raises(wg.EncodeError):
        encoder.close()
    encoder.encode(StreamEnd(wg.Response(wg.AssistantMessage([]))))
    with pytest.raises(wg.EncodeError):
        encoder.encode(TextDelta(0, "a"))


def test_a_lone_surrogate_is_mended_with_a_loss() -> None:
    with pytest.raises(wg.EncodeError):
        gemini.StreamEncoder().encode(TextDelta(0, "\ud83d"))
    losses: list[wg.Loss] = []
    made = gemini.StreamEncoder(losses=losses).encode(TextDelta(0, "\ud83d"))
    assert "\ufffd".encode() in made
    assert len(losses) == 1


def test_the_sdk_adds_up_what_is_written() -> None:
    from google.genai import types

    def seen(data: bytes) -> tuple[Any, ...]:
        answers = [
            types.GenerateContentResponse.model_validate_json(frame[6:])
            for frame in data.replace(b"\r\n", b"\n").split(b"\n\n")[:-1]
        ]
        parts = [p for answer in answers for p in answer.candidates[0].content.parts]
        return (
            "".join(p.text or "" for p in parts if not p.thought),
            "".join(p.text or "" for p in parts if p.thought),
            [(p.function_call.name, p.function_call.args) for p in parts if p.function_call],
            [p.thought_signature for p in parts if p.thought_signature],
            answers[-1].candidates[0].finish_reason,
            answers[-1].usage_metadata,
            (answers[-1].model_version, answers[-1].response_id),
        )

    assert seen(_written(STREAM)) == seen(STREAM)


@pytest.mark.parametrize(
    "key", ["groundingMetadata", "citationMetadata", "logprobsResult", "urlContextMetadata"]
)
@pytest.mark.parametrize("value", ['"x"', "[1]", "5"])
def test_metadata_that_are_no_object_stay_as_they_are_however_often_they_come(
    key: str, value: str
) -> None:
    odd, object_ = f'"{key}":{value}', f'"{key}":{{"k":[1]}}'
    for first, second, last in (
        ("", odd, value),
        (odd, odd, value),
        (object_, odd, value),
        (odd, object_, '{"k":[1]}'),
    ):
        pieces = [part('{"text":"a"}', more=first)] if first else []
        response = _response(*pieces, part('{"text":"b"}', more=f"{second},{FINISH}"))
        assert response.extras is not None
        assert f'"{key}":{last}'.encode() in response.extras[API].keys.text
