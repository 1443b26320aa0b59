"""Answers <-> the body of Ollama's answer."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.ollama.answers import CALLING, TALKING
from tests.providers.ollama.pieces import API, OTHER, PNG, answer, call, extras, text
from wireglot.providers.losses import losses_of

ollama = wg.providers.ollama
TABLE = losses_of("ollama")
CITED = wg.AnnotationRef(url="https://w.example")


def _check(body: bytes) -> None:
    from tests.oracles import ollama as oracle

    oracle.check_response(body)


def _body(message: str, reason: str | None = "stop", more: str = "") -> bytes:
    ended = f',"done_reason":"{reason}"' if reason is not None else ""
    return (
        '{"model":"m","created_at":"2024-05-24T20:57:45Z",'
        f'"message":{{"role":"assistant",{message}}},"done":true{ended}{more}}}'.encode()
    )


def _written(message: str, reason: str = "stop") -> bytes:
    return (
        f'{{"model":"","created_at":"1970-01-01T00:00:00Z","message":{{"role":"assistant",{message}'
        f'}},"done":true,"done_reason":"{reason}","total_duration":0,"load_duration":0,'
        '"prompt_eval_count":0,"prompt_eval_duration":0,"eval_count":0,"eval_duration":0}'
    ).encode()


TEXT = '"content":"hi"'
CALL = '"content":"","tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}}]'


def test_an_answer_is_decoded_whole() -> None:
    response = ollama.decode_response(TALKING)
    message = response.message
    assert (response.id, message.api, message.model) == (None, API, "m:1")
    assert response.created_at == 1_785_999_229_358
    assert (message.stop_reason, message.raw_stop_reason) == ("stop", "stop")
    assert message.content == [wg.ThinkingBlock("Paris?"), text("It is 21 °C. 😀")]
    assert message.extras is None
    assert response.extras is not None
    kept, echoed = response.extras[API].keys, response.extras[API].spelling
    assert kept.value["logprobs"][1]["token"] == " is"
    assert echoed is not None
    assert echoed.value["total_duration"] == 12


def test_an_answer_with_calls_ends_for_them() -> None:
    message = ollama.decode_response(CALLING).message
    said, weather, now = message.content
    assert said == text("Let me see.")
    assert isinstance(weather, wg.ToolCallBlock)
    assert (weather.id, weather.name) == ("call_a", "weather")
    assert weather.arguments.text == b'{"city":"Paris", "n":1e2}'
    assert isinstance(now, wg.ToolCallBlock)
    assert now.id == "call_76b3ead085e8_0"
    assert (now.name, now.arguments.text) == ("now", b"{}")
    assert (message.stop_reason, message.raw_stop_reason) == ("toolUse", "stop")


@pytest.mark.parametrize("body", [TALKING, CALLING], ids=["talk", "calls"])
def test_an_answer_comes_back_to_its_own_wire(body: bytes) -> None:
    _check(body)
    made = ollama.encode_response(ollama.decode_response(body))
    _check(made)
    assert json.loads(made) == json.loads(body)


OWN = {
    "keys that nobody knows": _body(
        '"content":"hi","new":[1],"tool_calls":[{"new":1,"function":{"name":"f","new":2,'
        '"arguments":{}}}]',
        more=',"new":{}',
    ),
    "no usage, and no reason": _body(TEXT, None),
    "one count": _body(TEXT, more=',"eval_count":3'),
    "counts of nothing": _body(TEXT, more=',"eval_count":0,"prompt_eval_count":0'),
    "a reason that nobody knows": _body(TEXT, "custom"),
    "an answer that was cut": _body(TEXT, None).replace(b"true", b"false"),
    "a model that was loaded": _body('"content":""', "load"),
    "a model of the cloud": _body(TEXT, more=',"remote_model":"x","remote_host":"https://x.org"'),
    "an image": _body('"content":"hi","images":["iVBORw0KGgo="]'),
    "a time with a zone": _body(TEXT).replace(b"45Z", b"45.1234567-08:00"),
    "a time that is none": _body(TEXT).replace(b"2024-05-24T20:57:45Z", b"now"),
    "no time": _body(TEXT).replace(b"2024-05-24T20:57:45Z", b"1970-01-01T00:00:00Z"),
    "no time at all": _body(TEXT).replace(b"2024-05-24T20:57:45Z", b"0001-01-01T00:00:00Z"),
}


@pytest.mark.parametrize("name", OWN)
def test_what_is_odd_comes_back(name: str) -> None:
    made = ollama.encode_response(ollama.decode_response(OWN[name]))
    assert json.loads(made) == json.loads(OWN[name])


TIMES = [
    ("2024-05-24T20:57:45Z", 1_716_584_265_000),
    ("2024-05-24T20:57:45.123456789Z", 1_716_584_265_123),
    ("2024-05-24T12:57:45.5-08:00", 1_716_584_265_500),
    ("2024-05-24T20:57:45", 1_716_584_265_000),
    ("yesterday", None),
]


@pytest.mark.parametrize(("time", "expected"), TIMES)
def test_a_time_is_read(time: str, expected: int | None) -> None:
    body = _body(TEXT).replace(b"2024-05-24T20:57:45Z", time.encode())
    assert ollama.decode_response(body).created_at == expected


def test_a_time_that_was_changed_is_written_anew() -> None:
    response = ollama.decode_response(TALKING)
    response.created_at = 1_716_584_265_120
    made = ollama.encode_response(response)
    assert json.loads(made)["created_at"] == "2024-05-24T20:57:45.120Z"


@pytest.mark.parametrize("time", [10**15, 10**30, -(10**15)])
def test_a_time_beyond_all_years_is_refused(time: int) -> None:
    with pytest.raises(wg.EncodeError, match=r"at `\$\.createdAt`"):
        ollama.encode_response(wg.Response(answer("hi"), created_at=time))


STOPS = [
    ("stop", "stop"),
    ("length", "length"),
    ("load", "stop"),
    ("unload", "stop"),
    ("not_known_yet", "stop"),
]


@pytest.mark.parametrize(("word", "reason"), STOPS)
def test_a_stop_reason_is_read_and_goes_back(word: str, reason: str) -> None:
    response = ollama.decode_response(_body(TEXT, word))
    assert (response.message.stop_reason, response.message.raw_stop_reason) == (reason, word)
    assert json.loads(ollama.encode_response(response))["done_reason"] == word


WRITTEN = [("stop", "stop"), ("length", "length"), ("toolUse", "stop")]


@pytest.mark.parametrize(("reason", "word"), WRITTEN)
def test_a_stop_reason_is_written(reason: Any, word: str) -> None:
    message = answer("hi", stop_reason=reason, raw_stop_reason="x")
    made = ollama.encode_response(wg.Response(message))
    _check(made)
    assert made == _written(TEXT, word)


def test_counts_are_those_of_the_model() -> None:
    usage = ollama.decode_response(TALKING).message.usage
    assert usage is not None
    assert (usage.input, usage.output, usage.cache_read, usage.total_tokens) == (21, 9, 0, 30)


def test_counts_of_another_api_are_of_the_whole_prompt() -> None:
    usage = wg.Usage(input=1, output=9, reasoning=4, cache_read=2, cache_write=3)
    made = json.loads(ollama.encode_response(wg.Response(answer("hi", usage=usage))))
    assert (made["prompt_eval_count"], made["eval_count"]) == (6, 9)


ENCODED: dict[str, tuple[wg.AssistantMessage, str]] = {
    "texts are lines": (answer("hi", "", "ho"), '"content":"hi\\nho"'),
    "thoughts of another API": (
        answer(wg.ThinkingBlock("hm"), wg.ThinkingBlock("", details=["a", "b"]), api=OTHER),
        '"content":"","thinking":"hm\\na\\nb"',
    ),
    "calls are counted": (
        answer(call(arguments='{"x": 1}'), call("b", " "), api=OTHER),
        '"content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"f",'
        '"arguments":{"x": 1}}},{"id":"b","function":{"index":1,"name":"f","arguments":{}}}]',
    ),
    "a call without an id": (
        answer(call("")),
        '"content":"","tool_calls":[{"function":{"index":0,"name":"f","arguments":{}}}]',
    ),
    "an image": (
        answer("hi", wg.ImageBlock(data=PNG)),
        '"content":"hi","images":["iVBORw0KGgo="]',
    ),
}


@pytest.mark.parametrize("name", ENCODED)
def test_an_answer_of_another_api_is_written(name: str) -> None:
    message, expected = ENCODED[name]
    message.stop_reason = wg.StopReason.STOP
    made = ollama.encode_response(wg.Response(message))
    _check(made)
    assert made == _written(expected)


def test_durations_that_a_program_has_measured_are_written() -> None:
    measured = {API: wg.Extra({"total_duration": 5, "eval_duration": 3})}
    usage = wg.Usage(input=1, output=2)
    made = ollama.encode_response(wg.Response(answer("hi", usage=usage), extras=measured))
    _check(made)
    written = json.loads(made)
    assert (written["total_duration"], written["load_duration"]) == (5, 0)
    assert (written["prompt_eval_count"], written["prompt_eval_duration"]) == (1, 0)
    assert (written["eval_count"], written["eval_duration"]) == (2, 3)


def test_texts_of_this_api_are_one() -> None:
    made = ollama.encode_response(wg.Response(answer("hi", " ho", api=API)))
    assert json.loads(made)["message"]["content"] == "hi ho"


LOST: dict[str, tuple[wg.Response, list[tuple[str, str]], str]] = {
    "a reason that the wire has no word for": (
        wg.Response(answer("hi", stop_reason=wg.StopReason.GUARD_RAIL)),
        [("stop reason", "$.message")],
        '"content":"hi"',
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
        '"content":"hi","thinking":"hm"',
    ),
    "thoughts that nobody may read": (
        wg.Response(answer(wg.ThinkingBlock("", "s", redacted=True), "hi")),
        [("redacted thinking", "$.message.content[0]")],
        '"content":"hi"',
    ),
    "sources": (
        wg.Response(answer(text("hi", annotations=[CITED]), wg.AnnotationBlock(refs=[CITED]))),
        [("annotation", "$.message.content[0]"), ("annotation", "$.message.content[1]")],
        '"content":"hi"',
    ),
    "arguments that are no object": (
        wg.Response(answer(call(arguments="[1"))),
        [("arguments", "$.message.content[0]")],
        '"arguments":{"raw_arguments":"[1"}',
    ),
    "further candidates": (
        wg.Response(answer("hi"), alternatives=[answer("ho")]),
        [("candidates", "$")],
        '"content":"hi"',
    ),
    "an image elsewhere": (
        wg.Response(answer(wg.ImageBlock(url="https://x.org/a.png"))),
        [("image", "$.message.content[0]")],
        '"content":""',
    ),
    "media": (
        wg.Response(
            answer(
                wg.DocumentBlock(url="https://x.org/a.pdf"),
                wg.AudioBlock(url="https://x.org/a.mp3", transcript="la"),
            )
        ),
        [("document", "$.message.content[0]"), ("audio", "$.message.content[1]")],
        '"content":"la"',
    ),
    "an error": (
        wg.Response(answer(wg.ErrorBlock("oh"))),
        [("error", "$.message.content[0]")],
        '"content":"oh"',
    ),
    "a block of this API": (
        wg.Response(answer("hi", wg.OpaqueBlock(API, {"type": "x"}))),
        [("opaque block", "$.message.content[1]")],
        '"content":"hi"',
    ),
    "keys of this API on a text": (
        wg.Response(answer(text("hi", extras=extras(API, x=1)))),
        [("extras", "$.message.content[0]")],
        '"content":"hi"',
    ),
    "keys of another API": (
        wg.Response(answer("hi"), extras=extras(OTHER, x=1)),
        [("extras", "$")],
        '"content":"hi"',
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_what_an_answer_cannot_carry(name: str) -> None:
    response, lost, expected = LOST[name]
    if response.message.stop_reason is None:
        response.message.stop_reason = wg.StopReason.STOP
    losses: list[wg.Loss] = []
    made = ollama.encode_response(response, losses=losses)
    _check(made)
    assert expected.encode() in made
    keys = {"extras": ("x",)}
    assert losses == [wg.Loss(p, what, TABLE[what], keys=keys.get(what, ())) for what, p in lost]
    with pytest.raises(wg.LossError, match=f"^ollama: {lost[0][0]}: "):
        ollama.encode_response(response)


REFUSED = {
    "no JSON": (b"{", "ollama: input data was truncated"),
    "no message": (b'{"model":"m"}', "ollama: object missing required field `message` - at `$`"),
    "content of another type": (
        _body('"content":[]'),
        "ollama: expected `str | null`, got `array` - at `$.message.content`",
    ),
    "a count that is none": (
        _body(TEXT, more=',"eval_count":"x"'),
        "ollama: expected `int | null`, got `str` - at `$.eval_count`",
    ),
    "an image that is no text": (
        _body('"images":[7]'),
        "ollama: expected `str` - at `$.message.images[0]`",
    ),
    "another role": (
        _body(TEXT).replace(b"assistant", b"user"),
        "ollama: `user`, expected `assistant` - at `$.message.role`",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_body_that_is_no_answer_is_refused(name: str) -> None:
    body, reason = REFUSED[name]
    with pytest.raises(wg.DecodeError) as caught:
        ollama.decode_response(body)
    assert str(caught.value).lower().startswith(reason.lower())


def test_half_a_pair_is_replaced_where_losses_are_listed() -> None:
    body = _body(TEXT.replace("hi", r"\ud83d"))
    with pytest.raises(wg.DecodeError):
        ollama.decode_response(body)
    losses: list[wg.Loss] = []
    assert ollama.decode_response(body, losses=losses).message.content == [text("\ufffd")]
    assert len(losses) == 1


def test_a_dialect_that_there_is_not_is_refused() -> None:
    for made in (
        lambda: ollama.decode_response(TALKING, dialect="x"),
        lambda: ollama.encode_response(wg.Response(answer("hi")), dialect="x"),
    ):
        with pytest.raises(wg.EncodeError, match="unknown dialect `x`"):
            made()
