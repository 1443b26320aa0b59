"""Answers <-> the body of Bedrock's answer."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.bedrock.answers import BODY
from tests.providers.bedrock.pieces import API, OTHER, PNG, answer, call, extras, own, text

bedrock = wg.providers.bedrock


def _check(body: bytes) -> None:
    from tests.oracles import bedrock as oracle

    oracle.check_response(body)


def _body(*content: str, **keys: str) -> bytes:
    """Return an answer; values are JSON."""
    plain = {
        "output": f'{{"message":{{"role":"assistant","content":[{",".join(content)}]}}}}',
        "stopReason": '"end_turn"',
        "usage": '{"inputTokens":1,"outputTokens":2,"totalTokens":3}',
        "metrics": '{"latencyMs":7}',
    }
    parts = (f'"{key}":{value}' for key, value in (plain | keys).items())
    return f"{{{','.join(parts)}}}".encode()


HI = '{"text":"hi"}'
CALL = '{"toolUse":{"toolUseId":"a","name":"f","input":{}}}'


def test_an_answer_is_decoded_whole() -> None:
    response = bedrock.decode_response(BODY)
    message = response.message
    assert (response.id, response.service_tier, message.model, message.api) == (
        None,
        "flex",
        None,
        API,
    )
    assert (message.stop_reason, message.raw_stop_reason) == ("toolUse", "tool_use")
    thinking, redacted, cited, ran, result, image, weather, now = message.content
    assert thinking == wg.ThinkingBlock("Paris?", "c2ln")
    assert redacted == wg.ThinkingBlock("", "ZGF0YQ==", redacted=True)
    assert isinstance(cited, wg.TextBlock)
    assert cited.text == "Let me look. é😀"
    assert cited.annotations == [wg.AnnotationRef(url="https://x.org/a", title="t", cited_text="c")]
    assert isinstance(ran, wg.OpaqueBlock)
    assert ran.raw.value["toolUse"]["name"] == "nova_code_interpreter"
    assert isinstance(result, wg.OpaqueBlock)
    assert isinstance(image, wg.ImageBlock)
    assert image.mime_type == "image/png"
    assert isinstance(weather, wg.ToolCallBlock)
    assert weather.arguments.text == b'{"city":"Paris", "n":1e2}'
    assert now == wg.ToolCallBlock("tooluse_2", "now", {})
    keys: Any = response.extras
    assert keys[API].keys.value == {"additionalModelResponseFields": {"k": 1}}
    assert keys[API].spelling.value == {
        "metrics": {"latencyMs": 1604},
        "performanceConfig": {"latency": "standard"},
    }


def test_counts_are_those_of_the_model() -> None:
    usage = bedrock.decode_response(BODY).message.usage
    assert usage is not None
    counts = (usage.input, usage.cache_read, usage.cache_write, usage.output, usage.total_tokens)
    assert counts == (10, 5, 3, 40, 58)


def test_an_answer_comes_back_to_its_own_wire() -> None:
    made = bedrock.encode_response(bedrock.decode_response(BODY))
    assert json.loads(made) == json.loads(BODY)
    assert b'{"city":"Paris", "n":1e2}' in made
    _check(made)


OWN: dict[str, bytes] = {
    "keys that nobody knows": _body(HI, new="1", metrics='{"latencyMs":1,"new":2}'),
    "keys of the message that nobody knows": _body(
        output='{"message":{"role":"assistant","content":[],"new":[1]},"newer":2}'
    ),
    "a block that nobody knows": _body('{"new":{"x":1}}', HI),
    "a key of a call that nobody knows": _body(CALL.replace('"input"', '"new":1,"input"')),
    "a call with a type": _body(CALL.replace('"input"', '"type":"tool_use","input"')),
    "a tier with keys that nobody knows": _body(HI, serviceTier='{"type":"new","more":1}'),
    "blank text": _body('{"text":""}', '{"text":"\\n"}'),
    "thinking without a signature": _body('{"reasoningContent":{"reasoningText":{"text":"x"}}}'),
    "cited text in pieces": _body(
        '{"citationsContent":{"content":[{"text":"a"},{"text":"b"}],"citations":[{"title":"t"}]}}'
    ),
    "citations without text": _body('{"citationsContent":{"citations":[{"title":"t"}]}}'),
    "fields of the model that are no object": _body(HI, additionalModelResponseFields='"x"'),
    "a stop sequence": _body(
        HI,
        stopReason='"stop_sequence"',
        additionalModelResponseFields='{"stop_sequence":"X","k":1}',
    ),
    "counts that the model has no field for": _body(
        HI, usage='{"inputTokens":1,"serverToolUsage":{},"cacheReadInputTokenCount":0}'
    ),
    "a trace": _body(HI, trace='{"guardrail":{"modelOutput":["x"]}}'),
    "no usage and no metrics": (
        b'{"output":{"message":{"role":"assistant","content":[]}},"stopReason":"end_turn"}'
    ),
    "a document": _body('{"document":{"name":"d","source":{"text":"t"},"format":"txt"}}'),
    "sound and film": _body(
        '{"audio":{"format":"wav","source":{"bytes":"AAAA"}}}',
        '{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://bucket/x"}}}}',
    ),
}


@pytest.mark.parametrize("name", OWN)
def test_what_came_over_this_wire_goes_back_as_it_came(name: str) -> None:
    body = OWN[name]
    response = bedrock.decode_response(body)
    assert json.loads(bedrock.encode_response(response)) == json.loads(body)


def test_keys_of_the_message_stand_with_it_alone() -> None:
    body = OWN["keys of the message that nobody knows"]
    response = bedrock.decode_response(body)
    message_keys: Any = response.message.extras
    keys: Any = response.extras
    assert message_keys[API].keys.value == {"new": [1]}
    assert keys[API].keys.value == {"output": {"newer": 2}}


STOPS = [
    ("end_turn", "stop"),
    ("tool_use", "toolUse"),
    ("max_tokens", "length"),
    ("stop_sequence", "stop"),
    ("guardrail_intervened", "guardRail"),
    ("content_filtered", "guardRail"),
    ("malformed_model_output", "error"),
    ("malformed_tool_use", "error"),
    ("model_context_window_exceeded", "length"),
    ("not_known_yet", "stop"),
]


@pytest.mark.parametrize(("word", "reason"), STOPS)
def test_a_stop_reason_keeps_its_word(word: str, reason: str) -> None:
    response = bedrock.decode_response(_body(HI, stopReason=f'"{word}"'))
    assert response.message.stop_reason == reason
    assert json.loads(bedrock.encode_response(response))["stopReason"] == word


def test_a_turn_that_ends_with_calls_waits_for_their_results() -> None:
    response = bedrock.decode_response(_body(CALL))
    assert response.message.stop_reason == "toolUse"
    assert response.message.raw_stop_reason == "end_turn"
    assert json.loads(bedrock.encode_response(response))["stopReason"] == "end_turn"


def test_a_stop_reason_that_was_changed_wins() -> None:
    response = bedrock.decode_response(_body(HI))
    response.message.stop_reason = wg.StopReason.LENGTH
    assert json.loads(bedrock.encode_response(response))["stopReason"] == "max_tokens"


def test_counts_that_were_changed_win() -> None:
    response = bedrock.decode_response(BODY)
    assert response.message.usage is not None
    response.message.usage.output = 41
    assert json.loads(bedrock.encode_response(response))["usage"] == {
        "inputTokens": 10,
        "outputTokens": 41,
        "totalTokens": 59,
        "cacheReadInputTokens": 5,
        "cacheWriteInputTokens": 3,
    }


def test_cited_text_that_was_changed_is_plain() -> None:
    response = bedrock.decode_response(OWN["cited text in pieces"])
    cited: Any = response.message.content[0]
    cited.text = "c"
    losses: list[wg.Loss] = []
    made = json.loads(bedrock.encode_response(response, losses=losses))
    assert made["output"]["message"]["content"] == [{"text": "c"}]
    assert [loss.what for loss in losses] == ["annotation"]


def test_a_stop_sequence_is_known() -> None:
    response = bedrock.decode_response(OWN["a stop sequence"])
    assert (response.message.stop_reason, response.message.stop_sequence) == ("stop", "X")


# -- answers of other APIs ----------------------------------------------------------------------

TAIL = (
    b'"stopReason":"end_turn","usage":{"inputTokens":0,"outputTokens":0,"totalTokens":0},'
    b'"metrics":{"latencyMs":0}}'
)


def _with(content: bytes) -> bytes:
    tail = TAIL.replace(b"end_turn", b"tool_use") if b'"toolUse"' in content else TAIL
    return b'{"output":{"message":{"role":"assistant","content":[' + content + b"]}}," + tail


WRITTEN: dict[str, tuple[wg.AssistantMessage, bytes]] = {
    "text": (answer("hi", api=OTHER), _with(b'{"text":"hi"}')),
    "empty text is none": (answer("", "hi", api=OTHER), _with(b'{"text":"hi"}')),
    "thinking": (
        answer(wg.ThinkingBlock("why"), api=OTHER),
        _with(b'{"reasoningContent":{"reasoningText":{"text":"why"}}}'),
    ),
    "a call": (
        answer(call("a", '{"n": 12345678901234567890123}'), api=OTHER),
        _with(b'{"toolUse":{"toolUseId":"a","name":"f","input":{"n": 12345678901234567890123}}}'),
    ),
    "a call without arguments": (
        answer(call("a", ""), api=OTHER),
        _with(b'{"toolUse":{"toolUseId":"a","name":"f","input":{}}}'),
    ),
    "a call with an id of another alphabet": (
        answer(call("call/1"), api=OTHER),
        _with(b'{"toolUse":{"toolUseId":"call_1_c5fb05e4","name":"f","input":{}}}'),
    ),
    "an image": (
        answer(wg.ImageBlock(data=PNG), api=OTHER),
        _with(b'{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}}'),
    ),
    "no content": (answer(api=OTHER), _with(b"")),
    "what was made by hand": (own("hi"), _with(b'{"text":"hi"}')),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_an_answer_of_another_api_is_written(name: str) -> None:
    message, expected = WRITTEN[name]
    made = bedrock.encode_response(wg.Response(message, id="x", created_at=1))
    assert made == expected
    _check(made)


def test_a_name_that_the_client_knows_stays() -> None:
    message = answer(call(name="f.g"), api=OTHER)
    made = bedrock.decode_response(bedrock.encode_response(wg.Response(message)))
    assert made.message.tool_calls()[0].name == "f.g"


REASONS = [
    (wg.StopReason.STOP, "end_turn"),
    (wg.StopReason.LENGTH, "max_tokens"),
    (wg.StopReason.TOOL_USE, "end_turn"),  # without a call
    (wg.StopReason.GUARD_RAIL, "content_filtered"),
    (wg.StopReason.ERROR, "malformed_model_output"),
    (None, "end_turn"),
]


@pytest.mark.parametrize(("reason", "word"), REASONS)
def test_a_stop_reason_of_another_api_has_a_word(reason: Any, word: str) -> None:
    message = answer("hi", api=OTHER, stop_reason=reason, raw_stop_reason="length")
    made = bedrock.encode_response(wg.Response(message))
    assert json.loads(made)["stopReason"] == word
    _check(made)


def test_a_stop_sequence_of_another_api_is_said() -> None:
    message = answer("hi", api=OTHER, stop_reason=wg.StopReason.STOP, stop_sequence="X")
    made = bedrock.encode_response(wg.Response(message))
    assert json.loads(made)["stopReason"] == "stop_sequence"
    assert json.loads(made)["additionalModelResponseFields"] == {"stop_sequence": "X"}
    assert bedrock.decode_response(made).message.stop_sequence == "X"
    _check(made)


def test_counts_of_another_api_are_those_of_the_wire() -> None:
    usage = wg.Usage(input=1, output=2, reasoning=1, cache_read=3, cache_write=4)
    made = bedrock.encode_response(wg.Response(answer("hi", api=OTHER, usage=usage)))
    assert json.loads(made)["usage"] == {
        "inputTokens": 1,
        "outputTokens": 2,
        "totalTokens": 10,
        "cacheReadInputTokens": 3,
        "cacheWriteInputTokens": 4,
    }
    _check(made)


@pytest.mark.parametrize(("tier", "key"), [("flex", {"type": "flex"}), ("batch", None)])
def test_a_tier_of_another_api_goes_where_there_is_one(tier: str, key: Any) -> None:
    made = bedrock.encode_response(wg.Response(answer("hi", api=OTHER), service_tier=tier))
    assert json.loads(made).get("serviceTier") == key
    _check(made)


REF = wg.AnnotationRef(url="https://x.org")
BLOCK = "$.message.content[0]"
WORDS = b'{"text":"said"}'
# What is lost, of which message, where, and the content that goes out.
LOST: dict[str, tuple[str, wg.AssistantMessage, str, bytes]] = {
    "an annotation": (
        "annotation",
        answer(text("hi", annotations=[REF]), api=OTHER),
        BLOCK,
        b'{"text":"hi"}',
    ),
    "annotations as a block": ("annotation", answer(wg.AnnotationBlock(), api=OTHER), BLOCK, b""),
    "the signature of a text": (
        "signature",
        answer(text("hi", signature="s"), api=OTHER),
        BLOCK,
        b'{"text":"hi"}',
    ),
    "the signature of thinking": (
        "signature",
        answer(wg.ThinkingBlock("x", "s"), api=OTHER),
        BLOCK,
        b'{"reasoningContent":{"reasoningText":{"text":"x"}}}',
    ),
    "the signature of a call": (
        "signature",
        answer(call(signature="s"), api=OTHER),
        BLOCK,
        b'{"toolUse":{"toolUseId":"a","name":"f","input":{}}}',
    ),
    "redacted thinking of another API": (
        "thinking",
        answer(wg.ThinkingBlock("", "ZGF0YQ==", redacted=True), api=OTHER),
        BLOCK,
        b"",
    ),
    "redacted thinking that is no base64": (
        "thinking",
        own(wg.ThinkingBlock("", "%", redacted=True)),
        BLOCK,
        b"",
    ),
    "redacted thinking with text": (
        "redacted thinking",
        own(wg.ThinkingBlock("x", "ZGF0YQ==", redacted=True)),
        BLOCK,
        b'{"reasoningContent":{"redactedContent":"ZGF0YQ=="}}',
    ),
    "arguments that are no object": (
        "arguments",
        answer(call(arguments="[1]"), api=OTHER),
        BLOCK,
        b'{"toolUse":{"toolUseId":"a","name":"f","input":{"raw_arguments":"[1]"}}}',
    ),
    "an image that is fetched": (
        "image",
        answer(wg.ImageBlock(url="https://x.org/a.png"), api=OTHER),
        BLOCK,
        b"",
    ),
    "a document": (
        "document",
        answer(wg.DocumentBlock.from_text("t"), api=OTHER),
        BLOCK,
        b"",
    ),
    "sound": (
        "audio",
        answer(wg.AudioBlock.from_base64("AAAA", "audio/wav"), api=OTHER),
        BLOCK,
        b"",
    ),
    "sound with words": (
        "audio",
        answer(wg.AudioBlock(file_id="x", transcript="said"), api=OTHER),
        BLOCK,
        WORDS,
    ),
    "a cache mark": (
        "cache mark",
        answer(wg.TextBlock("x", cache=wg.CacheMark()), api=OTHER),
        BLOCK,
        b'{"text":"x"}',
    ),
    "a film": ("video", answer(wg.VideoBlock(file_id="x"), api=OTHER), BLOCK, b""),
    "data": ("data", answer(wg.DataBlock(file_id="x"), api=OTHER), BLOCK, b""),
    "an error": ("error", answer(wg.ErrorBlock("said"), api=OTHER), BLOCK, WORDS),
    "a result": ("tool result", answer(wg.ToolResultBlock("a"), api=OTHER), BLOCK, b""),
    "an opaque block of another API": (
        "opaque block",
        answer(wg.OpaqueBlock(OTHER, wg.RawJson("{}")), api=OTHER),
        BLOCK,
        b"",
    ),
    "keys of another API on a text": (
        "extras",
        answer(text("hi", extras=extras(OTHER, k=1)), api=OTHER),
        BLOCK,
        b'{"text":"hi"}',
    ),
    "keys of another API on the message": (
        "extras",
        answer(api=OTHER, extras=extras(OTHER, k=1)),
        "$.message",
        b"",
    ),
    "a stop reason": (
        "stop reason",
        answer(api=OTHER, stop_reason=wg.StopReason.PAUSED),
        "$.message",
        b"",
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_what_an_answer_cannot_carry_is_a_loss(name: str) -> None:
    what, message, path, content = LOST[name]
    losses: list[wg.Loss] = []
    made = bedrock.encode_response(wg.Response(message), losses=losses)
    assert made == _with(content)
    assert [(loss.what, loss.path) for loss in losses] == [(what, path)]
    _check(made)
    with pytest.raises(wg.LossError) as caught:
        bedrock.encode_response(wg.Response(message))
    assert caught.value.path == path


def test_further_candidates_are_a_loss() -> None:
    losses: list[wg.Loss] = []
    response = wg.Response(answer(api=OTHER), alternatives=[answer("x")])
    assert bedrock.encode_response(response, losses=losses) == _with(b"")
    assert [loss.what for loss in losses] == ["candidates"]


def test_half_a_surrogate_pair_is_mended_with_a_loss() -> None:
    losses: list[wg.Loss] = []
    assert "\ufffd".encode() in bedrock.encode_response(
        wg.Response(answer("\ud83d")), losses=losses
    )
    assert len(losses) == 1
    with pytest.raises(wg.EncodeError):
        bedrock.encode_response(wg.Response(answer("\ud83d")))


BROKEN = {
    "no answer": (b"{}", "bedrock: object missing required field `output` - at `$`"),
    "no message": (
        b'{"output":{}}',
        "bedrock: object missing required field `message` - at `$.output`",
    ),
    "content that is no list": (
        b'{"output":{"message":{"role":"assistant","content":1}}}',
        "bedrock: expected `array`, got `int` - at `$.output.message.content`",
    ),
    "an answer of the user": (
        b'{"output":{"message":{"role":"user","content":[]}}}',
        "bedrock: invalid enum value 'user' - at `$.output.message.role`",
    ),
    "usage that is none": (
        _body(HI, usage="[]"),
        "bedrock: expected `object`, got `array` - at `$.usage`",
    ),
    "no JSON": (b"{", "bedrock: input data was truncated - at `$`"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_answer_is_an_error(name: str) -> None:
    body, expected = BROKEN[name]
    with pytest.raises(wg.DecodeError) as caught:
        bedrock.decode_response(body)
    assert str(caught.value) == expected


def test_a_dialect_that_there_is_not_is_refused() -> None:
    with pytest.raises(wg.EncodeError):
        bedrock.decode_response(BODY, dialect="x")
    with pytest.raises(wg.EncodeError):
        bedrock.encode_response(bedrock.decode_response(BODY), dialect="x")
