"""An answer of Mistral's wire -> a response, and back; answers of other APIs -> Mistral's wire."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.mistral.pieces import (
    API,
    OTHER,
    PNG,
    answer,
    call,
    extras,
    judge_response,
    own,
    spelled,
)

decode = wg.providers.mistral.decode_response
encode = wg.providers.mistral.encode_response

USAGE = '{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}'
CALL = '{"index":0,"id":"aaaaaaaa1","type":"function","function":{"name":"f","arguments":"{}"}}'
THOUGHT = '{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}'
TEXT = '{"type":"text","text":"x"}'


def choice(content: str = '"yes"', more: str = "", word: str = "stop", index: int = 0) -> str:
    said = f'{{"role":"assistant","content":{content}{more}}}'
    return f'{{"index":{index},"finish_reason":"{word}","message":{said}}}'


def body(*choices: str, usage: str = USAGE, more: str = "") -> bytes:
    return (
        f'{{{more}"id":"i","object":"chat.completion","created":7,"model":"m",'
        f'"choices":[{",".join(choices or (choice(),))}],"usage":{usage}}}'
    ).encode()


def calls(*given: str, content: str = '""', word: str = "tool_calls") -> str:
    return choice(content, f',"tool_calls":[{",".join(given)}]', word)


BOTH_WAYS: dict[str, tuple[bytes, list[wg.Content]]] = {
    "a text": (body(), [wg.TextBlock("yes")]),
    "nothing": (body(choice('""')), []),
    "two texts": (body(choice(f"[{TEXT},{TEXT}]")), [wg.TextBlock("x"), wg.TextBlock("x")]),
    "one text in a list": (body(choice(f"[{TEXT}]")), [wg.TextBlock("x")]),
    "a text with keys of its own": (
        body(choice(f'[{{"k":1,{TEXT[1:]},{TEXT}]')),
        [wg.TextBlock("x", extras=extras(k=1)), wg.TextBlock("x")],
    ),
    "thinking": (
        body(choice(f"[{THOUGHT},{TEXT}]")),
        [wg.ThinkingBlock("hm"), wg.TextBlock("x")],
    ),
    "thinking that is closed, and signed": (
        body(choice(f'[{{"closed":true,{THOUGHT[1:-1]},"signature":"s"}}]')),
        [wg.ThinkingBlock("hm", "s", extras=spelled(closed=True))],
    ),
    "a reference": (
        body(choice(f'[{TEXT},{{"type":"reference","reference_ids":[1,"a"]}}]')),
        [
            wg.TextBlock("x"),
            wg.OpaqueBlock(API, wg.RawJson('{"type":"reference","reference_ids":[1,"a"]}')),
        ],
    ),
    "an image and a file": (
        body(
            choice(
                '[{"type":"image_url","image_url":{"url":"https://x.org/a"}},'
                '{"type":"file","file_id":"f"}]'
            )
        ),
        [wg.ImageBlock(url="https://x.org/a"), wg.DocumentBlock(file_id="f", extras=extras())],
    ),
    "a call": (body(calls(CALL)), [call()]),
    "a text and two calls": (
        body(
            calls(CALL, CALL.replace("aaaaaaaa1", "aaaaaaaa2").replace("0", "1", 1), content='"x"')
        ),
        [wg.TextBlock("x"), call(), call("aaaaaaaa2")],
    ),
    "a call with an id of a server's own": (
        body(calls(CALL.replace("aaaaaaaa1", "call_1"))),
        [call("call_1")],
    ),
    "broken arguments, as the model wrote them": (
        body(calls(CALL.replace('"{}"', r'"{\"x\":\/"'))),
        [call(arguments='{"x":/')],
    ),
    "arguments that are an object": (
        body(calls(CALL.replace('"{}"', '{"a": 1e2}'))),
        [call(arguments='{"a": 1e2}', extras=spelled(function={"arguments": {}}))],
    ),
    "a call of a type of its own": (
        body(calls(CALL.replace('"type":"function"', '"type":"builtin"'))),
        [call(extras={API: wg.Extra({"type": "builtin"}, {"type": "builtin"})})],
    ),
    "a call with keys of its own": (
        body(calls(f'{{"k":1,{CALL[1:]}')),
        [call(extras=extras(k=1))],
    ),
}


@pytest.mark.parametrize(("data", "content"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_content_both_ways(data: bytes, content: list[wg.Content]) -> None:
    response = decode(data)
    assert response.message.content == content
    assert response.message.api == API
    assert json.loads(encode(response)) == json.loads(data)
    if b'"k"' not in data:
        judge_response(encode(response))


def test_a_whole_answer() -> None:
    response = decode(body())
    assert response.id == "i"
    assert response.created_at == 7000
    assert response.alternatives is None
    assert response.extras is None
    message = response.message
    assert (message.model, message.api) == ("m", API)
    assert (message.stop_reason, message.raw_stop_reason) == (wg.StopReason.STOP, "stop")
    assert encode(response) == body()


STOPS = {
    "stop": wg.StopReason.STOP,
    "length": wg.StopReason.LENGTH,
    "model_length": wg.StopReason.LENGTH,
    "error": wg.StopReason.ERROR,
    "tool_calls": wg.StopReason.TOOL_USE,
    "some_new_word": wg.StopReason.STOP,
}


@pytest.mark.parametrize(("word", "reason"), STOPS.items())
def test_why_an_answer_ended_both_ways(word: str, reason: wg.StopReason) -> None:
    response = decode(body(choice(word=word)))
    assert response.message.stop_reason == reason
    assert response.message.raw_stop_reason == word
    assert encode(response) == body(choice(word=word))


def test_calls_are_why_an_answer_stopped_that_has_them() -> None:
    data = body(calls(CALL, word="stop"))
    response = decode(data)
    assert response.message.stop_reason == wg.StopReason.TOOL_USE
    assert json.loads(encode(response)) == json.loads(data)
    cut = decode(body(calls(CALL, word="length")))
    assert cut.message.stop_reason == wg.StopReason.LENGTH


def test_a_reason_that_has_been_changed_is_written_anew() -> None:
    response = decode(body())
    response.message.stop_reason = wg.StopReason.LENGTH
    assert encode(response) == body(choice(word="length"))


REASONS = {
    wg.StopReason.STOP: "stop",
    wg.StopReason.LENGTH: "length",
    wg.StopReason.ERROR: "error",
    wg.StopReason.TOOL_USE: "stop",  # without a call
    None: "stop",
}


@pytest.mark.parametrize(("reason", "word"), REASONS.items())
def test_a_reason_of_another_api(reason: wg.StopReason | None, word: str) -> None:
    message = answer("yes", api=OTHER, stop_reason=reason, raw_stop_reason="length", model="m")
    given = wg.Response(message, id="i", created_at=7999)
    nothing = '{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}'
    assert encode(given) == body(choice(word=word), usage=nothing)


COUNTS: dict[str, tuple[str, wg.Usage]] = {
    "plain counts": (USAGE, wg.Usage(input=9, output=3, total_tokens=12)),
    "cached tokens are part of the prompt": (
        '{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12,'
        '"prompt_tokens_details":{"cached_tokens":4}}',
        wg.Usage(input=5, output=3, cache_read=4, total_tokens=12),
    ),
    "audio is no part of the prompt": (
        '{"prompt_tokens":9,"completion_tokens":3,"total_tokens":112,'
        '"prompt_tokens_details":{"cached_tokens":4,"audio_tokens":100}}',
        wg.Usage(input=105, output=3, cache_read=4, total_tokens=112, audio_tokens=100),
    ),
    "thinking is part of the answer": (
        '{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12,'
        '"completion_tokens_details":{"reasoning_tokens":2}}',
        wg.Usage(input=9, output=3, reasoning=2, total_tokens=12),
    ),
}


@pytest.mark.parametrize(("usage", "counts"), COUNTS.values(), ids=COUNTS)
def test_usage_both_ways(usage: str, counts: wg.Usage) -> None:
    response = decode(body(usage=usage))
    read = response.message.usage
    assert read is not None
    assert response.service_tier is None
    assert encode(response) == body(usage=usage)
    read.extras = None
    assert read == counts
    response.message.usage = counts
    assert encode(response) == body(usage=usage)
    judge_response(encode(response))


AS_IT_CAME: dict[str, str] = {
    "an older name of the cached tokens": (
        '{"prompt_tokens": 9, "num_cached_tokens": 4, "completion_tokens": 3, "total_tokens": 12}'
    ),
    "the tier, and seconds of audio": (
        '{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12,"prompt_audio_seconds":5,'
        '"service_tier":"standard","x":[1e2]}'
    ),
    "nothing but null": '{"prompt_tokens":null,"prompt_tokens_details":null}',
}


@pytest.mark.parametrize("usage", AS_IT_CAME.values(), ids=AS_IT_CAME)
def test_usage_goes_back_as_it_came(usage: str) -> None:
    assert encode(decode(body(usage=usage))) == body(usage=usage)


def test_usage_that_has_been_changed_is_written_anew() -> None:
    response = decode(body(usage=AS_IT_CAME["an older name of the cached tokens"]))
    usage = response.message.usage
    assert usage is not None
    assert (usage.input, usage.cache_read) == (5, 4)
    usage.output = 30
    changed = (
        '{"prompt_tokens":9,"completion_tokens":30,"total_tokens":39,'
        '"prompt_tokens_details":{"cached_tokens":4}}'
    )
    assert encode(response) == body(usage=changed)


def test_the_service_tier_stands_in_the_usage() -> None:
    tiered = USAGE[:-1] + ',"service_tier":"%s"}'
    response = decode(body(usage=tiered % "standard"))
    assert response.service_tier == "standard"
    response.service_tier = "priority"
    assert encode(response) == body(usage=tiered % "priority")
    response.message.usage = wg.Usage(input=9, output=3)
    assert encode(response) == body(usage=tiered % "priority")


def test_several_candidates_both_ways() -> None:
    data = body(choice(), choice('"no"', word="length", index=1))
    response = decode(data)
    assert response.message.text() == "yes"
    assert response.alternatives == [
        own("no", model="m", stop_reason=wg.StopReason.LENGTH, raw_stop_reason="length")
    ]
    assert encode(response) == data
    judge_response(data)


def test_candidates_stand_in_the_order_of_their_numbers() -> None:
    response = decode(body(choice('"no"', index=1), choice()))
    assert response.message.text() == "yes"


KEYS = {
    "another word for what it is": body().replace(b'"chat.completion"', b'"another"'),
    "of the answer": body(more='"system_fingerprint":"f","x":{"a":[1e2]},'),
    "of a choice": body(choice().replace("{", '{"logprobs":{"content":[]},"x":1,', 1)),
    "of a choice that shows its work": body(
        choice().replace("{", '{"prompt_logprobs":[null],"messages":[{"x":1e2}],', 1)
    ),
    "of the second choice alone": body(choice(), choice(index=1).replace("{", '{"x":1,', 1)),
    "of a message": body(choice().replace('{"role"', '{"x":1e2,"role"')),
}


@pytest.mark.parametrize("data", KEYS.values(), ids=KEYS)
def test_keys_that_have_no_field_come_back(data: bytes) -> None:
    assert json.loads(encode(decode(data))) == json.loads(data)
    assert b"1e2" not in data or b"1e2" in encode(decode(data))


def test_keys_of_a_message_may_go_back_in_a_request() -> None:
    message = decode(KEYS["of a message"]).message
    assert message.extras == {API: wg.Extra(wg.RawJson('{"x":1e2}'))}


NORMALIZED: dict[str, tuple[bytes, bytes]] = {
    "what is null is left out": (
        body(
            choice(more=',"tool_calls":null,"prefix":null').replace("{", '{"logprobs":null,', 1),
            usage=USAGE,
        ),
        body(),
    ),
    "no content is an empty text": (body(choice("null")), body(choice('""'))),
    "a call names its type and its place": (
        body(calls('{"id":"aaaaaaaa1","function":{"name":"f","arguments":"{}"}}')),
        body(calls(CALL)),
    ),
    "a call without an id goes back without": (
        body(calls('{"function":{"name":"f","arguments":"{}"}}')),
        body(calls(CALL.replace('"id":"aaaaaaaa1",', ""))),
    ),
    "the id that stands for none goes back": (
        body(calls(CALL.replace("aaaaaaaa1", "null"))),
        body(calls(CALL.replace("aaaaaaaa1", "null"))),
    ),
    "blank arguments are none": (body(calls(CALL.replace("{}", ""))), body(calls(CALL))),
    "what is missing has a constant, the id a hash": (
        b'{"choices":[{"message":{}}]}',
        b'{"id":"52c7a0f03fd1f247c5b9554f","object":"chat.completion","created":0,"model":"","choices":[{"index":0,'
        b'"finish_reason":"stop","message":{"role":"assistant","content":""}}],'
        b'"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}',
    ),
}


@pytest.mark.parametrize(("data", "expected"), NORMALIZED.values(), ids=NORMALIZED)
def test_what_comes_back_otherwise(data: bytes, expected: bytes) -> None:
    assert encode(decode(data)) == expected
    judge_response(expected)


REFUSED = {
    "no answer": (body().replace(b"[" + choice().encode() + b"]", b"[]"), "$.choices"),
    "no choices": (b'{"id":"i"}', "$"),
    "no JSON": (b"{", "$"),
    "a role of others": (
        body().replace(b'"role":"assistant"', b'"role":"user"'),
        "$.choices[0].message.role",
    ),
    "a text that is a number": (body(choice("1")), "$.choices[0].message.content"),
    "arguments that are a number": (
        body(calls(CALL.replace('"{}"', "1"))),
        "$.choices[0].message.tool_calls[0].function.arguments",
    ),
}


@pytest.mark.parametrize(("data", "path"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_answer(data: bytes, path: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        decode(data)
    assert caught.value.wire == "mistral"
    assert caught.value.path == path


# Answers of other APIs

FOREIGN: dict[str, tuple[wg.AssistantMessage, str]] = {
    "a text": (answer("yes"), choice()),
    "thinking": (answer(wg.ThinkingBlock("hm"), "x"), choice(f"[{THOUGHT},{TEXT}]")),
    "parts of thinking": (
        answer(wg.ThinkingBlock("", details=["hm"]), "x"),
        choice(f"[{THOUGHT},{TEXT}]"),
    ),
    "an empty thought, and an empty text": (
        answer(wg.ThinkingBlock(""), "", "yes"),
        choice(),
    ),
    "a call, whose id becomes one of this wire": (
        answer(call("call_abc"), stop_reason=wg.StopReason.TOOL_USE),
        calls(CALL.replace("aaaaaaaa1", "7QGXLTwWj")),
    ),
    "an image": (
        answer(wg.ImageBlock(data=PNG)),
        choice('[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]'),
    ),
}


@pytest.mark.parametrize(("message", "expected"), FOREIGN.values(), ids=FOREIGN)
def test_an_answer_of_another_api(message: wg.AssistantMessage, expected: str) -> None:
    message.api, message.model = OTHER, "m"
    message.usage = wg.Usage(input=9, output=3)
    data = encode(wg.Response(message, id="i", created_at=7000))
    assert data == body(expected)
    judge_response(data)


LOST: dict[str, tuple[wg.Response, str, str]] = {
    "a signature of thinking": (
        wg.Response(answer(wg.ThinkingBlock("hm", "s"), "x", api=OTHER)),
        "signature",
        choice(f"[{THOUGHT},{TEXT}]"),
    ),
    "a signature without a thought": (
        wg.Response(answer(wg.ThinkingBlock("", "s"), "yes", api=OTHER)),
        "signature",
        choice(),
    ),
    "redacted thinking": (
        wg.Response(answer(wg.ThinkingBlock("", "s", redacted=True), "yes", api=OTHER)),
        "thinking",
        choice(),
    ),
    "a signature of a text": (
        wg.Response(answer(wg.TextBlock("yes", signature="s"), api=OTHER)),
        "signature",
        choice(),
    ),
    "a signature of a call": (
        wg.Response(answer(call(signature="s"), api=OTHER)),
        "signature",
        calls(CALL),
    ),
    "annotations": (
        wg.Response(answer(wg.TextBlock("yes", [wg.AnnotationRef("https://x.org")]), api=OTHER)),
        "annotation",
        choice(),
    ),
    "a breakpoint on an empty text": (
        wg.Response(answer(wg.TextBlock("", cache=wg.CacheMark()), "yes", api=OTHER)),
        "cache mark",
        choice(),
    ),
    "an error": (wg.Response(answer(wg.ErrorBlock("yes"), api=OTHER)), "error", choice()),
    "a film": (
        wg.Response(answer("yes", wg.VideoBlock(url="https://x.org/a"), api=OTHER)),
        "video",
        choice(),
    ),
    "a block of another API": (
        wg.Response(answer("yes", wg.OpaqueBlock(OTHER, wg.RawJson("{}")), api=OTHER)),
        "opaque block",
        choice(),
    ),
    "a reason that there is no word for": (
        wg.Response(answer("yes", api=OTHER, stop_reason=wg.StopReason.GUARD_RAIL)),
        "stop reason",
        choice(),
    ),
    "keys of another API": (
        wg.Response(answer("yes", api=OTHER), extras=extras(OTHER, x=1)),
        "extras",
        choice(),
    ),
}


@pytest.mark.parametrize(("response", "what", "expected"), LOST.values(), ids=LOST)
def test_what_an_answer_loses(response: wg.Response, what: str, expected: str) -> None:
    response.id, response.created_at, response.message.model = "i", 7000, "m"
    response.message.usage = wg.Usage(input=9, output=3)
    with pytest.raises(wg.LossError):
        encode(response)
    losses: list[wg.Loss] = []
    assert encode(response, losses=losses) == body(expected)
    assert [loss.what for loss in losses] == [what]
    assert losses[0].path.startswith("$")


def test_half_of_a_surrogate_pair_is_mended_for_those_who_ask() -> None:
    data = body(choice(r'"\ud83d"'))
    with pytest.raises(wg.DecodeError):
        decode(data)
    losses: list[wg.Loss] = []
    assert decode(data, losses=losses).message.text() == "\ufffd"
    assert len(losses) == 1


@pytest.mark.parametrize("codec", [decode, encode])
def test_a_dialect_that_there_is_not(codec: Any) -> None:
    with pytest.raises(wg.EncodeError, match="unknown dialect `x`"):
        codec(body() if codec is decode else wg.Response(answer("x")), dialect="x")
