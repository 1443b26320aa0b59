"""Streamed answers <-> events."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.bedrock.answers import (
    BODY,
    END,
    HEAD,
    STREAM,
    USAGE,
    delta,
    frames,
    start,
    stop,
)
from tests.providers.streams import check_chunkings, check_truncations, events_of
from wireglot.framing import eventstream

bedrock = wg.providers.bedrock

DELTA_BYTES = (
    b"\x00\x00\x00\x96\x00\x00\x00W\xcek\xc9\x8e\x0b:event-type\x07\x00\x11contentBlockDelta"
    b"\r:content-type\x07\x00\x10application/json\r:message-type\x07\x00\x05event"
    b'{"contentBlockIndex":0,"delta":{"text":"h\\"i"}}\x10\xce\x9fI'
)
CALL = start(0, '"toolUse":{"toolUseId":"a","name":"f"}')
HI = delta(0, '"text":"hi"')
HMM = delta(0, '"reasoningContent":{"text":"hm"}')


def _input(text: str, number: int = 0) -> tuple[str, str]:
    return delta(number, f'"toolUse":{{"input":"{text}"}}')


def _redacted(data: str) -> tuple[str, str]:
    return delta(0, f'"reasoningContent":{{"redactedContent":"{data}"}}')


def _message(*events: tuple[str, str]) -> wg.AssistantMessage:
    return check_chunkings(bedrock, frames(HEAD, *events, END, USAGE)).message


def _bytes(*events: Any, losses: wg.Losses = None) -> bytes:
    encoder = bedrock.StreamEncoder(losses=losses)
    return b"".join(map(encoder.encode, events)) + encoder.close()


def _whole(*content: Any, api: str = "openai-chat", **fields: Any) -> list[Any]:
    """Return the shortest stream of an answer, each block whole in its end."""
    message = wg.AssistantMessage(list(content), api=api, **fields)
    begun = wg.Response(wg.AssistantMessage([], api=api))
    blocks = [kind(i, b) for i, b in enumerate(content) for kind in (wg.BlockStart, wg.BlockEnd)]
    return [wg.StreamStart(begun), *blocks, wg.StreamEnd(wg.Response(message))]


def _payloads(data: bytes) -> list[Any]:
    found = eventstream.Decoder().feed(data)
    return [{str(headers[":event-type"]): json.loads(payload)} for headers, payload in found]


def _check(data: bytes) -> None:
    from tests.oracles import bedrock as oracle

    oracle.check_stream(data)


def test_a_stream_gives_the_answer_of_its_twin() -> None:
    streamed, whole = check_chunkings(bedrock, STREAM), bedrock.decode_response(BODY)
    for ours, theirs in zip(streamed.message.content, whole.message.content, strict=True):
        assert ours == theirs
    assert streamed == whole


def test_a_stream_that_was_cut_has_no_end() -> None:
    check_truncations(bedrock, STREAM)


def test_the_events_of_a_stream_are_these() -> None:
    data = frames(HEAD, HMM, stop(0), delta(1, '"text":""'), delta(1, '"text":"hi"'), stop(1), END)
    events = events_of(bedrock.StreamDecoder(), data + frames(USAGE))
    begun, *middle, usage, end = events
    assert type(begun) is wg.StreamStart
    assert begun.response == wg.Response(wg.AssistantMessage([], api="bedrock-converse"))
    assert middle == [
        wg.BlockStart(0, wg.ThinkingBlock("")),
        wg.ThinkingDelta(0, "hm"),
        wg.BlockEnd(0, wg.ThinkingBlock("hm")),
        wg.BlockStart(1, wg.TextBlock("")),
        wg.TextDelta(1, "hi"),
        wg.BlockEnd(1, wg.TextBlock("hi")),
    ]
    assert type(usage) is wg.UsageUpdate
    assert (usage.usage.input, usage.usage.output, usage.usage.total_tokens) == (1, 2, 3)
    assert type(end) is wg.StreamEnd
    assert end.response.message.content == [wg.ThinkingBlock("hm"), wg.TextBlock("hi")]
    assert end.response.message.stop_reason == "stop"


def test_the_events_add_up_to_the_message() -> None:
    total = wg.Accumulator()
    decoder = bedrock.StreamDecoder()
    for event in events_of(decoder, STREAM):
        total.add(event)
    assert total.message == decoder.close().message == decoder.message


def test_the_message_is_at_hand_at_any_time() -> None:
    decoder = bedrock.StreamDecoder()
    decoder.feed(frames(HEAD, CALL, _input(r"{\"a\":")))
    assert decoder.message.tool_calls()[0].arguments.text == b'{"a":'
    decoder.feed(frames(_input("1}")))
    assert decoder.message.tool_calls()[0].arguments.value == {"a": 1}


def test_the_usage_ends_the_stream() -> None:
    decoder = bedrock.StreamDecoder()
    assert type(decoder.feed(frames(HEAD, HI, stop(0), END, USAGE))[-1]) is wg.StreamEnd
    assert decoder.finish() == []


def test_a_stream_goes_back_to_its_own_wire() -> None:
    made = _bytes(*events_of(bedrock.StreamDecoder(), STREAM))
    _check(made)
    assert check_chunkings(bedrock, made) == check_chunkings(bedrock, STREAM)
    check_truncations(bedrock, made)


def test_keys_that_nobody_knows_come_back() -> None:
    data = frames(
        ("messageStart", '{"role":"assistant","new":1}'),
        HI,
        stop(0),
        ("messageStop", '{"stopReason":"end_turn","newer":2}'),
        ("metadata", '{"usage":{"inputTokens":1,"newest":3},"trace":{"guardrail":{"x":[]}}}'),
    )
    response = check_chunkings(bedrock, data)
    again = check_chunkings(bedrock, _bytes(*events_of(bedrock.StreamDecoder(), data)))
    assert again == response
    message_keys: Any = response.message.extras
    keys: Any = response.extras
    assert message_keys["bedrock-converse"].keys.value == {"new": 1}
    assert keys["bedrock-converse"].keys.value == {"newer": 2, "trace": {"guardrail": {"x": []}}}


# -- streams that misbehave -------------------------------------------------------------------


def test_a_call_without_arguments_has_an_empty_object() -> None:
    for deltas in ((), (_input(""),)):
        (call,) = _message(CALL, *deltas, stop(0)).tool_calls()
        assert call.arguments.text == b"{}"


@pytest.mark.parametrize("nothing", ["{}", '{"input":null}', '{"input":""}'])
def test_a_delta_without_input_adds_nothing(nothing: str) -> None:
    empty = delta(0, f'"toolUse":{nothing}')
    (call,) = _message(CALL, empty, _input("{"), empty, _input("}"), stop(0)).tool_calls()
    assert call.arguments.text == b"{}"


def test_fragments_of_two_calls_may_interleave() -> None:
    second = start(1, '"toolUse":{"toolUseId":"b","name":"g"}')
    events = (CALL, second, _input("{"), _input("[", 1), _input("}"), _input("]", 1), stop(0))
    calls = _message(*events, stop(1)).tool_calls()
    assert [(c.id, c.name, c.arguments.text) for c in calls] == [
        ("a", "f", b"{}"),
        ("b", "g", b"[]"),
    ]


def test_calls_may_all_have_the_same_number() -> None:
    second = start(0, '"toolUse":{"toolUseId":"b","name":"g"}')
    calls = _message(CALL, _input("[1]"), second, _input("[2]"), stop(0)).tool_calls()
    assert [(c.id, c.arguments.text) for c in calls] == [("a", b"[1]"), ("b", b"[2]")]


def test_blocks_that_nothing_ends_end_with_the_message() -> None:
    assert _message(HI, start(1, '"toolUse":{"toolUseId":"a","name":"f"}')).content == [
        wg.TextBlock("hi"),
        wg.ToolCallBlock("a", "f", "{}"),
    ]


def test_text_after_the_end_of_its_block_is_a_new_one() -> None:
    assert _message(HI, stop(0), HI, stop(0)).content == [wg.TextBlock("hi"), wg.TextBlock("hi")]


def test_thinking_and_text_may_have_the_same_number() -> None:
    assert _message(HMM, HI, stop(0)).content == [wg.ThinkingBlock("hm"), wg.TextBlock("hi")]


def test_a_number_may_be_used_again() -> None:
    assert _message(HI, stop(0), CALL, stop(0)).content == [
        wg.TextBlock("hi"),
        wg.ToolCallBlock("a", "f", "{}"),
    ]


def test_a_block_is_whole_when_its_number_is_used_again() -> None:
    signed = delta(0, '"reasoningContent":{"signature":"c2ln"}')
    assert _message(HMM, signed, CALL, stop(0)).content == [
        wg.ThinkingBlock("hm", "c2ln"),
        wg.ToolCallBlock("a", "f", "{}"),
    ]


def test_a_signature_may_stand_alone() -> None:
    signed = delta(0, '"reasoningContent":{"signature":"c2ln"}')
    assert _message(signed, stop(0)).content == [wg.ThinkingBlock("", "c2ln")]


def test_a_signature_may_come_in_pieces() -> None:
    pieces = [delta(0, f'"reasoningContent":{{"signature":"{piece}"}}') for piece in ("c2", "ln")]
    assert _message(HMM, *pieces, stop(0)).content == [wg.ThinkingBlock("hm", "c2ln")]


def test_redacted_thinking_may_come_in_pieces() -> None:
    pieces = [
        delta(0, f'"reasoningContent":{{"redactedContent":"{piece}"}}')
        for piece in ("YQ==", "Yg==")
    ]
    assert _message(*pieces, stop(0)).content == [wg.ThinkingBlock("", "YWI=", redacted=True)]


def test_a_result_of_the_providers_own_tool_begins_without_content() -> None:
    begun = start(0, '"toolResult":{"toolUseId":"s","status":"success","type":"x_result"}')
    result = '{"toolResult":{"toolUseId":"s","status":"success","type":"x_result","content":%s}}'
    (event,) = bedrock.StreamDecoder().feed(frames(HEAD, begun))[1:]
    assert event == wg.BlockStart(0, wg.OpaqueBlock("bedrock-converse", wg.RawJson(result % "[]")))


def test_an_image_may_come_in_pieces() -> None:
    begun = start(0, '"image":{"format":"png"}')
    pieces = [delta(0, f'"image":{{"source":{{"bytes":"{piece}"}}}}') for piece in ("YQ==", "Yg==")]
    (image,) = _message(begun, *pieces, stop(0)).content
    assert isinstance(image, wg.ImageBlock)
    assert image.data is not None
    assert (image.data.to_bytes(), image.mime_type) == (b"ab", "image/png")


def test_an_image_that_failed_is_kept() -> None:
    begun = start(0, '"image":{"format":"png"}')
    failed = delta(0, '"image":{"error":{"message":"no"}}')
    (block,) = _message(begun, failed, stop(0)).content
    assert block == wg.OpaqueBlock(
        "bedrock-converse", wg.RawJson('{"image":{"format":"png","error":{"message":"no"}}}')
    )


def test_citations_may_stand_without_text() -> None:
    cited = delta(0, '"citation":{"location":{"web":{"url":"https://x.org"}}}')
    (text,) = _message(cited, stop(0)).content
    assert isinstance(text, wg.TextBlock)
    assert (text.text, text.annotations) == ("", [wg.AnnotationRef(url="https://x.org")])


def test_a_stream_may_begin_with_its_content() -> None:
    data = frames(HI, stop(0), END, USAGE)
    assert check_chunkings(bedrock, data).message.content == [wg.TextBlock("hi")]
    assert type(events_of(bedrock.StreamDecoder(), data)[0]) is wg.StreamStart


def test_usage_may_come_before_the_stop_reason() -> None:
    message = check_chunkings(bedrock, frames(HEAD, HI, stop(0), USAGE, END)).message
    assert (message.stop_reason, message.usage and message.usage.output) == ("stop", 2)


def test_usage_may_be_missing() -> None:
    message = check_chunkings(bedrock, frames(HEAD, HI, stop(0), END)).message
    assert (message.content, message.usage) == ([wg.TextBlock("hi")], None)


def test_a_turn_that_ends_with_calls_waits_for_their_results() -> None:
    data = frames(HEAD, CALL, stop(0), END, USAGE)
    response = check_chunkings(bedrock, data)
    assert response.message.stop_reason == "toolUse"
    assert response.message.raw_stop_reason == "end_turn"
    made = _payloads(_bytes(*events_of(bedrock.StreamDecoder(), data)))
    assert made[-2] == {"messageStop": {"stopReason": "end_turn"}}


def test_what_is_not_known_is_not_part_of_the_message() -> None:
    unknown = [
        ("newEvent", '{"x":1}'),
        start(3, ""),
        start(3, '"newBlock":{"x":1}'),
        delta(3, '"newDelta":{"x":1}'),
        stop(3),
    ]
    assert _message(*unknown, HI, stop(0)).content == [wg.TextBlock("hi")]


def test_what_follows_the_end_is_left_alone() -> None:
    decoder = bedrock.StreamDecoder()
    decoder.feed(frames(HEAD, HI, stop(0), END, USAGE, HI))
    assert decoder.close().message.content == [wg.TextBlock("hi")]


BROKEN = {
    "arguments of no call": (
        (_input("{}"),),
        "bedrock: arguments without a call, expected an open one",
    ),
    "arguments after the end of their call": (
        (CALL, stop(0), _input("{}")),
        "bedrock: arguments without a call, expected an open one",
    ),
    "arguments of a text": (
        (HI, _input("{}")),
        "bedrock: arguments without a call, expected an open one",
    ),
    "a signature after the end of its block": (
        (HMM, stop(0), delta(0, '"reasoningContent":{"signature":"s"}')),
        "bedrock: signature after the end of its block, expected none",
    ),
    "a part of no result": (
        (delta(0, '"toolResult":[{"text":"x"}]'),),
        "bedrock: part without a result, expected an open one",
    ),
    "a part of no image": (
        (delta(0, '"image":{"source":{}}'),),
        "bedrock: part without an image, expected an open one",
    ),
    "a text that is none": (
        (delta(0, '"text":1'),),
        "bedrock: expected `str | null`, got `int` - at `$[1].delta.text`",
    ),
    "a number that is none": (
        (("contentBlockDelta", '{"contentBlockIndex":"0","delta":{"text":"x"}}'),),
        "bedrock: expected `int`, got `str` - at `$[1].contentBlockIndex`",
    ),
    "no JSON": ((("contentBlockDelta", "{"),), "bedrock: input data was truncated"),
    "a call without a name": (
        (start(0, '"toolUse":{"toolUseId":"a"}'),),
        "bedrock: object missing required field `name`",
    ),
    "a start that is not an object": (
        (start(0, '"toolUse":[]'),),
        "bedrock: expected `object`, got `array` - at `$[1]`",
    ),
    "no stop reason": (
        (("messageStop", "{}"),),
        "bedrock: object missing required field `stopReason`",
    ),
    "a usage that is none": (
        (("metadata", '{"usage":[]}'),),
        "bedrock: expected `object`, got `array` - at `$[1].usage`",
    ),
    "redacted thinking that is no base64": (
        (_redacted("%"), _redacted("%"), stop(0)),
        "bedrock: ",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_stream_is_an_error(name: str) -> None:
    events, reason = BROKEN[name]
    decoder = bedrock.StreamDecoder()
    with pytest.raises(wg.StreamError) as caught:
        events_of(decoder, frames(HEAD, *events))
    assert str(caught.value).startswith(reason)
    assert caught.value.path.startswith(f"$[{len(events)}]")


def test_a_stream_without_an_end_is_an_error() -> None:
    decoder = bedrock.StreamDecoder()
    decoder.feed(frames(HEAD, HI, stop(0)))
    with pytest.raises(wg.StreamError, match="the stream ended before the answer did"):
        decoder.close()


OPEN = {
    "arguments of the provider's own call that are no JSON": (
        start(0, '"toolUse":{"toolUseId":"a","name":"f","type":"server_tool_use"}'),
        _input("{"),
    ),
    "redacted thinking that is no base64": (_redacted("%"), _redacted("%")),
}


@pytest.mark.parametrize("name", OPEN)
def test_a_broken_block_that_nothing_ends_is_an_error(name: str) -> None:
    for tail in ((END,), (END, USAGE)):
        decoder = bedrock.StreamDecoder()
        with pytest.raises(wg.StreamError):
            events_of(decoder, frames(HEAD, *OPEN[name], *tail))


# -- errors -------------------------------------------------------------------------------------


def _exception(kind: str, payload: bytes = b'{"message":"m","p":"a"}') -> bytes:
    headers = {
        ":exception-type": kind,
        ":content-type": "application/json",
        ":message-type": "exception",
    }
    return eventstream.encode(headers, payload)


EXCEPTIONS = [
    ("internalServerException", "server"),
    ("modelStreamErrorException", "server"),
    ("validationException", "invalid_request"),
    ("throttlingException", "rate_limit"),
    ("serviceUnavailableException", "overloaded"),
    ("newException", "server"),
]


@pytest.mark.parametrize(("name", "kind"), EXCEPTIONS)
def test_an_exception_breaks_the_stream_off(name: str, kind: str) -> None:
    decoder = bedrock.StreamDecoder()
    *_, failure = decoder.feed(frames(HEAD, HI) + _exception(name) + frames(HI))
    assert type(failure) is wg.StreamFailure
    assert (failure.kind, failure.message, failure.code) == (kind, "m", name)
    assert decoder.message.content == [wg.TextBlock("hi")]
    with pytest.raises(wg.ProviderError, match="m"):
        decoder.close()


@pytest.mark.parametrize(("name", "kind"), EXCEPTIONS[:-1])
def test_an_exception_goes_back_as_it_came(name: str, kind: str) -> None:
    data = frames(HEAD) + _exception(name, b'{"message":"m"}')
    made = _bytes(*bedrock.StreamDecoder().feed(data))
    assert made[-len(_exception(name, b'{"message":"m"}')) :] == _exception(
        name, b'{"message":"m"}'
    )
    _check(made)


def test_an_error_of_the_transport_breaks_the_stream_off() -> None:
    headers = {":message-type": "error", ":error-code": "throttling", ":error-message": "slow"}
    (failure,) = bedrock.StreamDecoder().feed(eventstream.encode(headers, b""))
    assert type(failure) is wg.StreamFailure
    assert (failure.kind, failure.message, failure.code) == ("rate_limit", "slow", "throttling")


FOREIGN = [
    ("invalid_request", "validationException"),
    ("authentication", "validationException"),
    ("permission", "validationException"),
    ("not_found", "validationException"),
    ("rate_limit", "throttlingException"),
    ("overloaded", "serviceUnavailableException"),
    ("context_overflow", "validationException"),
    ("content_filter", "validationException"),
    ("timeout", "modelStreamErrorException"),
    ("server", "internalServerException"),
]


@pytest.mark.parametrize(("kind", "name"), FOREIGN)
def test_an_error_of_another_api_is_an_exception(kind: str, name: str) -> None:
    failure = wg.StreamFailure(kind, "m", code="x", wire="anthropic", body=wg.RawJson('{"a":1}'))
    made = _bytes(failure)
    said = b"Input is too long for requested model: m" if kind == "context_overflow" else b"m"
    assert made == _exception(name, b'{"message":"%b"}' % said)
    _check(made)


# -- what the encoder writes --------------------------------------------------------------------


def test_the_bytes_of_a_delta_are_these() -> None:
    encoder = bedrock.StreamEncoder()
    encoder.encode(wg.BlockStart(0, wg.TextBlock("")))
    made = encoder.encode(wg.TextDelta(0, 'h"i'))
    assert made == DELTA_BYTES
    ((headers, payload),) = eventstream.Decoder().feed(made)
    assert made == eventstream.encode(headers, payload)  # type: ignore[arg-type]


def test_an_answer_of_another_api_is_written() -> None:
    call = wg.ToolCallBlock("call/1", "f.g", '{"a": 1}')
    begun = wg.Response(wg.AssistantMessage([], model="m", api="openai-chat"), id="x")
    message = wg.AssistantMessage(
        [wg.ThinkingBlock("why"), wg.TextBlock("hi"), call],
        stop_reason=wg.StopReason.TOOL_USE,
        usage=wg.Usage(input=1, output=2, cache_read=3),
        api="openai-chat",
    )
    made = _bytes(
        wg.StreamStart(begun),
        wg.BlockStart(0, wg.ThinkingBlock("")),
        wg.ThinkingDelta(0, "why"),
        wg.BlockEnd(0, wg.ThinkingBlock("why")),
        wg.BlockStart(1, wg.TextBlock("")),
        wg.BlockStart(2, wg.ToolCallBlock("call/1", "f.g", "")),
        wg.ArgumentsDelta(2, '{"a": '),
        wg.TextDelta(1, "hi"),
        wg.ArgumentsDelta(2, "1}"),
        wg.BlockEnd(2, call),
        wg.BlockEnd(1, wg.TextBlock("hi")),
        wg.UsageUpdate(wg.Usage(input=1)),
        wg.StreamEnd(wg.Response(message, id="x")),
    )
    begun_call = {"toolUseId": "call_1_c5fb05e4", "name": "f.g"}
    assert _payloads(made) == [
        {"messageStart": {"role": "assistant"}},
        {
            "contentBlockDelta": {
                "contentBlockIndex": 0,
                "delta": {"reasoningContent": {"text": "why"}},
            }
        },
        {"contentBlockStop": {"contentBlockIndex": 0}},
        {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"text": "hi"}}},
        {"contentBlockStop": {"contentBlockIndex": 1}},
        {"contentBlockStart": {"start": {"toolUse": begun_call}, "contentBlockIndex": 2}},
        {"contentBlockDelta": {"contentBlockIndex": 2, "delta": {"toolUse": {"input": '{"a": '}}}},
        {"contentBlockDelta": {"contentBlockIndex": 2, "delta": {"toolUse": {"input": "1}"}}}},
        {"contentBlockStop": {"contentBlockIndex": 2}},
        {"messageStop": {"stopReason": "tool_use"}},
        {
            "metadata": {
                "usage": {
                    "inputTokens": 1,
                    "outputTokens": 2,
                    "totalTokens": 6,
                    "cacheReadInputTokens": 3,
                    "cacheWriteInputTokens": 0,
                },
                "metrics": {"latencyMs": 0},
            }
        },
    ]


def test_blocks_without_content_are_none() -> None:
    made = _bytes(*_whole(wg.TextBlock(""), wg.ThinkingBlock("")))
    assert [next(iter(event)) for event in _payloads(made)] == [
        "messageStart",
        "messageStop",
        "metadata",
    ]
    _check(made)


def test_an_image_of_another_api_is_written() -> None:
    image = wg.ImageBlock.from_base64("iVBORw0KGgo=", "image/png")
    made = _bytes(*_whole(image))
    _check(made)
    assert _payloads(made)[1:4] == [
        {"contentBlockStart": {"start": {"image": {"format": "png"}}, "contentBlockIndex": 0}},
        {
            "contentBlockDelta": {
                "contentBlockIndex": 0,
                "delta": {"image": {"source": {"bytes": "iVBORw0KGgo="}}},
            }
        },
        {"contentBlockStop": {"contentBlockIndex": 0}},
    ]


REF = wg.AnnotationRef(url="https://x.org")
OTHER = wg.OpaqueBlock("openai-chat", wg.RawJson("{}"))
MARKED = {"openai-chat": wg.Extra({"k": 1})}
LOST: dict[str, tuple[str, list[Any]]] = {
    "an annotation": ("annotation", _whole(wg.TextBlock("x", annotations=[REF]))),
    "the signature of a text": ("signature", _whole(wg.TextBlock("x", signature="s"))),
    "the signature of thinking": ("signature", _whole(wg.ThinkingBlock("x", "s"))),
    "redacted thinking": ("thinking", _whole(wg.ThinkingBlock("", "s", redacted=True))),
    "an opaque block": ("opaque block", _whole(OTHER)),
    "a cache mark": ("cache mark", _whole(wg.TextBlock("x", cache=wg.CacheMark()))),
    "a document": ("document", _whole(wg.DocumentBlock.from_text("t"))),
    "sound": ("audio", _whole(wg.AudioBlock.from_base64("AAAA", "audio/wav"))),
    "an opaque block that has no deltas": (
        "stream content",
        _whole(wg.OpaqueBlock("bedrock-converse", wg.RawJson('{"new":1}')), api="bedrock-converse"),
    ),
    "keys on a text": ("extras", _whole(wg.TextBlock("x", extras=MARKED))),
    "keys on thinking": ("extras", _whole(wg.ThinkingBlock("x", extras=MARKED))),
    "keys on the message": ("extras", _whole(extras=MARKED)),
    "a stop reason": ("stop reason", _whole(stop_reason=wg.StopReason.PAUSED)),
}


@pytest.mark.parametrize("name", LOST)
def test_what_a_stream_cannot_carry_is_a_loss(name: str) -> None:
    what, events = LOST[name]
    losses: list[wg.Loss] = []
    _check(_bytes(*events, losses=losses))
    assert [loss.what for loss in losses] == [what]
    with pytest.raises(wg.LossError):
        _bytes(*events)


def test_further_candidates_are_a_loss() -> None:
    events = _whole()
    events[-1].response.alternatives = [wg.AssistantMessage([])]
    losses: list[wg.Loss] = []
    _bytes(*events, losses=losses)
    assert [loss.what for loss in losses] == ["candidates"]


def test_a_block_of_an_unknown_kind_goes_through_and_the_next_keeps_its_number() -> None:
    odd = (start(0, '"newBlock":{"x": 1}'), delta(0, '"newDelta":{"x": 1}'), stop(0))
    data = frames(HEAD, *odd, delta(1, '"text":"hi"'), stop(1), END, USAGE)
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator("bedrock", "bedrock", losses=losses)
    made = _payloads(translator.feed(data) + translator.close())
    assert made[1:6] == [
        {"contentBlockStart": {"contentBlockIndex": 0, "start": {"newBlock": {"x": 1}}}},
        {
            "contentBlockDelta": {
                "contentBlockIndex": 0,
                "delta": {"newDelta": {"x": 1}},
                "p": "abcdef",
            }
        },
        {"contentBlockStop": {"contentBlockIndex": 0, "p": "a"}},
        {"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"text": "hi"}}},
        {"contentBlockStop": {"contentBlockIndex": 1}},
    ]
    assert losses == []


def test_an_unknown_event_that_is_not_json_is_an_error() -> None:
    decoder = bedrock.StreamDecoder()
    with pytest.raises(wg.StreamError):
        decoder.feed(frames(("newEvent", "no JSON")))
