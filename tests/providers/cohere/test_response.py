"""Answers <-> the body of Cohere's answer."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.cohere.answers import CALLING, TALKING
from tests.providers.cohere.pieces import API, OTHER, answer, call, extras, own, text
from wireglot.providers.losses import losses_of

cohere = wg.providers.cohere
TABLE = losses_of("cohere")
CITED = wg.AnnotationRef(url="https://w.example", title="W", start=6, end=11)


def _check(body: bytes) -> None:
    from tests.oracles import cohere as oracle

    oracle.check_response(body)


def _body(message: str, reason: str = "COMPLETE", more: str = "") -> bytes:
    return (
        f'{{"id":"a","message":{{"role":"assistant",{message}}},'
        f'"finish_reason":"{reason}"{more}}}'.encode()
    )


TEXT = '"content":[{"type":"text","text":"hi"}]'
CALL = '"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]'


def test_an_answer_is_decoded_whole() -> None:
    response = cohere.decode_response(TALKING)
    message = response.message
    assert (response.id, message.api, message.model) == ("a-1", API, None)
    assert (message.stop_reason, message.raw_stop_reason) == ("stop", "COMPLETE")
    assert message.content == [
        wg.ThinkingBlock("Paris?"),
        text("It is 21 °C. 😀", annotations=[CITED]),
    ]
    logprobs = response.extras[API].keys.value["logprobs"] if response.extras else []
    assert [token["text"] for token in logprobs] == ["It", " is"]


def test_a_plan_is_said_before_the_calls() -> None:
    message = cohere.decode_response(CALLING).message
    plan, weather, now = message.content
    assert plan == text("I will look.")
    assert isinstance(weather, wg.ToolCallBlock)
    assert (weather.id, weather.name) == ("weather_1", "weather")
    assert weather.arguments.text == b'{"city":"Paris", "n":1e2}'
    assert now == wg.ToolCallBlock("now_2", "now", "{}")
    assert message.stop_reason == "toolUse"
    assert message.extras is None


@pytest.mark.parametrize("body", [TALKING, CALLING], ids=["talk", "calls"])
def test_an_answer_comes_back_to_its_own_wire(body: bytes) -> None:
    _check(body)
    made = cohere.encode_response(cohere.decode_response(body))
    _check(made)
    assert json.loads(made) == json.loads(body)


OWN = {
    "keys that nobody knows": _body(
        '"new":[1],"content":[{"type":"text","text":"hi","new":{}},{"type":"new"}]', more=',"new":1'
    ),
    "counts that nobody knows": _body(TEXT, more=',"usage":{"tokens":{"new":1},"new":2}'),
    "no usage, and no reason": b'{"id":"a","message":{"role":"assistant","content":[]}}',
    "content without words": _body('"content":[{"type":"text","text":""}]'),
    "content without words, beside calls": _body('"content":[{"type":"text","text":""}],' + CALL),
    "a plan without words": _body('"tool_plan":"",' + CALL, "TOOL_CALL"),
    "thoughts beside calls": _body(
        '"content":[{"type":"thinking","thinking":"hm"}],"tool_plan":"so",' + CALL, "TOOL_CALL"
    ),
    "no calls at all": _body(TEXT + ',"tool_calls":[],"citations":[]'),
    "a citation of no text": _body(
        TEXT + ',"citations":[{"start":0,"end":1,"content_index":7,"type":"TEXT_CONTENT"}]'
    ),
    "an answer that failed without a word": _body(TEXT, "ERROR"),
    "calls that a plain stop is for": _body(CALL),
    "a reason that nobody knows": _body(TEXT, "NEW"),
    "a call without a type": _body(CALL.replace('"type":"function",', "")),
}


@pytest.mark.parametrize("name", OWN)
def test_what_is_odd_comes_back(name: str) -> None:
    made = json.loads(cohere.encode_response(cohere.decode_response(OWN[name])))
    expected = json.loads(OWN[name])
    if name == "no usage, and no reason":
        expected["finish_reason"] = "COMPLETE"  # which the API always gives
    assert made == expected


def test_a_plan_without_calls_is_text() -> None:
    body = _body('"tool_plan":"I will', "MAX_TOKENS").replace(b'"I will', b'"I will"')
    response = cohere.decode_response(body)
    assert response.message.content == [text("I will")]
    assert b'"content":[{"type":"text","text":"I will"}]' in cohere.encode_response(response)


STOPS = [
    ("COMPLETE", "stop"),
    ("STOP_SEQUENCE", "stop"),
    ("MAX_TOKENS", "length"),
    ("TOOL_CALL", "toolUse"),
    ("ERROR", "error"),
    ("TIMEOUT", "error"),
    ("NOT_KNOWN_YET", "stop"),
]


@pytest.mark.parametrize(("word", "reason"), STOPS)
def test_a_stop_reason_is_read_and_goes_back(word: str, reason: str) -> None:
    response = cohere.decode_response(_body(TEXT, word))
    assert (response.message.stop_reason, response.message.raw_stop_reason) == (reason, word)
    assert json.loads(cohere.encode_response(response))["finish_reason"] == word


def test_calls_are_why_an_answer_ended() -> None:
    message = cohere.decode_response(_body(CALL, "COMPLETE")).message
    assert (message.stop_reason, message.raw_stop_reason) == ("toolUse", "COMPLETE")


WRITTEN = [
    ("stop", None, "COMPLETE"),
    ("stop", "\n\n", "STOP_SEQUENCE"),
    ("length", None, "MAX_TOKENS"),
    ("toolUse", None, "TOOL_CALL"),
    ("error", None, "ERROR"),
    (None, None, "COMPLETE"),
]


@pytest.mark.parametrize(("reason", "sequence", "word"), WRITTEN)
def test_a_stop_reason_is_written(reason: Any, sequence: str | None, word: str) -> None:
    message = answer("hi", stop_reason=reason, stop_sequence=sequence, raw_stop_reason="x")
    made = cohere.encode_response(wg.Response(message))
    _check(made)
    assert json.loads(made)["finish_reason"] == word


COUNTS = {
    "tokens count what the model saw": (
        '{"billed_units":{"input_tokens":1,"output_tokens":2},"cached_tokens":30,'
        '"tokens":{"input_tokens":100,"output_tokens":20,"reasoning_tokens":7,"image_tokens":5}}',
        wg.Usage(70, 20, reasoning=7, cache_read=30, total_tokens=120, image_tokens=5),
    ),
    "whole numbers may be fractions": (
        '{"tokens":{"input_tokens":100.0,"output_tokens":20.0},"cached_tokens":30.0}',
        wg.Usage(input=70, output=20, cache_read=30, total_tokens=120),
    ),
    "what is billed counts where nothing else does": (
        '{"billed_units":{"input_tokens":3,"output_tokens":2,"search_units":1}}',
        wg.Usage(input=3, output=2, total_tokens=5),
    ),
    "more was cached than seen": (
        '{"tokens":{"input_tokens":1},"cached_tokens":2}',
        wg.Usage(cache_read=2, total_tokens=2),
    ),
    "nothing is known": ("{}", wg.Usage()),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_are_those_of_the_model(name: str) -> None:
    given, expected = COUNTS[name]
    response = cohere.decode_response(_body(TEXT, more=f',"usage":{given}'))
    usage = response.message.usage
    assert usage is not None
    assert json.loads(cohere.encode_response(response))["usage"] == json.loads(given)
    usage.extras = None
    assert usage == expected


def test_counts_of_another_api_are_written_as_both() -> None:
    usage = wg.Usage(input=1, output=9, reasoning=4, cache_read=2, cache_write=3, image_tokens=5)
    made = cohere.encode_response(wg.Response(answer("hi", usage=usage)))
    _check(made)
    assert json.loads(made)["usage"] == {
        "billed_units": {"input_tokens": 6, "output_tokens": 9},
        "tokens": {
            "input_tokens": 6,
            "output_tokens": 9,
            "reasoning_tokens": 4,
            "image_tokens": 5,
        },
        "cached_tokens": 2,
    }


ENCODED: dict[str, tuple[wg.AssistantMessage, bytes]] = {
    "text": (
        answer("hi", "ho"),
        b'"content":[{"type":"text","text":"hi"},{"type":"text","text":"ho"}]',
    ),
    "text beside calls is their plan": (
        answer("so", "then", call()),
        b'"tool_plan":"so\\nthen","tool_calls":[{"id":"a","type":"function",'
        b'"function":{"name":"f","arguments":"{}"}}]',
    ),
    "thoughts of another API, beside calls": (
        answer(wg.ThinkingBlock("hm"), call(arguments='{"x": 1}'), api=OTHER),
        b'"content":[{"type":"thinking","thinking":"hm"}],"tool_calls":[{"id":"a",'
        b'"type":"function","function":{"name":"f","arguments":"{\\"x\\": 1}"}}]',
    ),
    "arguments that are no JSON": (
        answer(call(arguments="{oh")),
        b'"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{oh"}}]',
    ),
    "blank arguments": (
        answer(call(arguments=" ")),
        b'"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]',
    ),
    "a call without an id": (
        answer(call("")),
        b'"tool_calls":[{"id":"call_made0000","type":"function",'
        b'"function":{"name":"f","arguments":"{}"}}]',
    ),
    "details of thoughts": (
        answer(wg.ThinkingBlock("", details=["a", "b"])),
        b'"content":[{"type":"thinking","thinking":"a\\nb"}]',
    ),
    "what has no words": (answer("", wg.ThinkingBlock("")), b""),
    "a block of this API": (
        answer(wg.OpaqueBlock(API, {"type": "new"})),
        b'"content":[{"type":"new"}]',
    ),
}


@pytest.mark.parametrize("name", ENCODED)
def test_an_answer_of_another_api_is_written(name: str) -> None:
    message, expected = ENCODED[name]
    made = cohere.encode_response(wg.Response(message), ids=lambda: "made")
    if name != "a block of this API":
        _check(made)
    comma = b"," if expected else b""
    reason = b"TOOL_CALL" if b'"tool_calls"' in expected else b"COMPLETE"
    assert made == (
        b'{"id":"made","message":{"role":"assistant"' + comma + expected + b"},"
        b'"finish_reason":"' + reason + b'"}'
    )


LOST: dict[str, tuple[wg.Response, list[tuple[str, str]], bytes]] = {
    "a reason that the wire has no word for": (
        wg.Response(answer("hi", stop_reason=wg.StopReason.GUARD_RAIL)),
        [("stop reason", "$.message")],
        b'"content":[{"type":"text","text":"hi"}]',
    ),
    "signatures": (
        wg.Response(
            answer(
                wg.ThinkingBlock("hm", "s"),
                text("hi", signature="s"),
                call(signature="s"),
                api=OTHER,
            )
        ),
        [("signature", f"$.message.content[{i}]") for i in range(3)],
        b'"content":[{"type":"thinking","thinking":"hm"}],"tool_plan":"hi"',
    ),
    "thoughts that nobody may read": (
        wg.Response(answer(wg.ThinkingBlock("", "s", redacted=True), "hi")),
        [("redacted thinking", "$.message.content[0]")],
        b'"content":[{"type":"text","text":"hi"}]',
    ),
    "sources": (
        wg.Response(answer(text("hi", annotations=[CITED]), wg.AnnotationBlock(refs=[CITED]))),
        [("annotation", "$.message.content[0]"), ("annotation", "$.message.content[1]")],
        b'"content":[{"type":"text","text":"hi"}]',
    ),
    "further candidates": (
        wg.Response(answer("hi"), alternatives=[answer("ho")]),
        [("candidates", "$")],
        b'"content":[{"type":"text","text":"hi"}]',
    ),
    "media": (
        wg.Response(
            answer(
                wg.ImageBlock(url="https://x.org/a.png"),
                wg.AudioBlock(url="https://x.org/a.mp3", transcript="la"),
            )
        ),
        [("image", "$.message.content[0]"), ("audio", "$.message.content[1]")],
        b'"content":[{"type":"text","text":"la"}]',
    ),
    "an error": (
        wg.Response(answer(wg.ErrorBlock("oh"))),
        [("error", "$.message.content[0]")],
        b'"content":[{"type":"text","text":"oh"}]',
    ),
    "a block of another API": (
        wg.Response(answer("hi", wg.OpaqueBlock(OTHER, {"type": "x"}))),
        [("opaque block", "$.message.content[1]")],
        b'"content":[{"type":"text","text":"hi"}]',
    ),
    "keys of another API": (
        wg.Response(answer("hi"), extras=extras(OTHER, x=1)),
        [("extras", "$")],
        b'"content":[{"type":"text","text":"hi"}]',
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_what_an_answer_cannot_carry(name: str) -> None:
    response, lost, expected = LOST[name]
    losses: list[wg.Loss] = []
    made = cohere.encode_response(response, losses=losses)
    _check(made)
    assert expected in made
    keys = {"extras": ("x",)}
    assert losses == [wg.Loss(p, what, TABLE[what], keys=keys.get(what, ())) for what, p in lost]
    with pytest.raises(wg.LossError, match=f"^cohere: {lost[0][0]}: "):
        cohere.encode_response(response)


def test_sources_of_this_api_are_no_loss_and_others_beside_them_neither() -> None:
    response = cohere.decode_response(TALKING)
    response.message.content.append(wg.AnnotationBlock(refs=[CITED]))
    losses: list[wg.Loss] = []
    assert b'"citations"' in cohere.encode_response(response, losses=losses)
    assert losses == []


REFUSED = {
    "no JSON": (b"{", "cohere: input data was truncated"),
    "no message": (b'{"id":"a"}', "cohere: object missing required field `message` - at `$`"),
    "content of another type": (
        _body('"content":7'),
        "cohere: expected `str | array | null`, got `int` - at `$.message.content`",
    ),
    "counts that are none": (
        _body(TEXT, more=',"usage":{"tokens":7}'),
        "cohere: expected `object | null`, got `int`",
    ),
    "a call of another type": (
        _body(CALL.replace('"type":"function"', '"type":"x"')),
        "cohere: expected `function`, got `x` - at `$.message.tool_calls[0].type`",
    ),
    "another role": (
        b'{"message":{"role":"user","content":"x"}}',
        "cohere: `user`, expected `assistant` - at `$.message.role`",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_body_that_is_no_answer_is_refused(name: str) -> None:
    body, reason = REFUSED[name]
    with pytest.raises(wg.DecodeError) as caught:
        cohere.decode_response(body)
    assert str(caught.value).lower().startswith(reason.lower())


def test_half_a_pair_is_replaced_where_losses_are_listed() -> None:
    body = _body(TEXT.replace("hi", r"\ud83d"))
    with pytest.raises(wg.DecodeError):
        cohere.decode_response(body)
    losses: list[wg.Loss] = []
    assert cohere.decode_response(body, losses=losses).message.content == [text("\ufffd")]
    assert len(losses) == 1


def test_half_a_pair_is_replaced_on_the_way_out() -> None:
    response = wg.Response(answer("\ud83d"))
    with pytest.raises(wg.EncodeError):
        cohere.encode_response(response)
    losses: list[wg.Loss] = []
    assert "\ufffd".encode() in cohere.encode_response(response, losses=losses)
    assert [loss.path for loss in losses] == ["$.message.content[0].text"]


def test_a_dialect_that_there_is_not_is_refused() -> None:
    for made in (
        lambda: cohere.decode_response(TALKING, dialect="x"),
        lambda: cohere.encode_response(wg.Response(own("hi")), dialect="x"),
    ):
        with pytest.raises(wg.EncodeError, match="unknown dialect `x`"):
            made()
