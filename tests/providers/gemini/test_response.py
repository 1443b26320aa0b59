"""Whole answers <-> responses."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.gemini.answers import BODY, check_response, of

gemini = wg.providers.gemini
API = gemini.API
CALL = wg.ToolCallBlock("call_0", "look", '{"at": "sky"}', signature="bW9yZQ==")


def _answer(keys: str) -> bytes:
    return f'{{"candidates":[{{{keys}}}]}}'.encode()


def _content(*parts: str, more: str = '"finishReason":"STOP","index":0') -> bytes:
    return _answer(f'"content":{{"parts":[{",".join(parts)}],"role":"model"}},{more}')


def _response(*content: Any, **fields: Any) -> wg.Response:
    return wg.Response(of(*content, **fields))


def test_an_answer_is_read_whole() -> None:
    check_response(BODY)
    response = gemini.decode_response(BODY)
    message = response.message
    assert [type(block) for block in message.content] == [
        wg.ThinkingBlock,
        wg.TextBlock,
        wg.ToolCallBlock,
        wg.ToolCallBlock,
    ]
    thinking, text, first, second = message.content
    assert isinstance(thinking, wg.ThinkingBlock)
    assert thinking.thinking == "Hmm"
    assert isinstance(text, wg.TextBlock)
    assert (text.text, text.signature) == ("Let me look.", "c2ln")
    assert isinstance(first, wg.ToolCallBlock)
    assert first.id == "call_491f37c8258b_0"  # b2sum -l 48 of the answer's id
    assert (first.name, first.signature) == ("look", "bW9yZQ==")
    assert first.arguments.text == b'{"at": "sky"}'
    assert isinstance(second, wg.ToolCallBlock)
    assert (second.id, second.arguments.text) == ("call_491f37c8258b_1", b'{"at": "sea"}')
    assert (message.stop_reason, message.raw_stop_reason) == ("toolUse", "STOP")
    assert (message.model, message.api, response.id) == ("gemini-x", API, "r1")
    usage = message.usage
    assert usage is not None
    assert (usage.input, usage.cache_read, usage.output, usage.reasoning) == (4, 6, 7, 3)
    assert usage.total_tokens == 17


OWN = {
    "an answer that thinks, talks and calls": BODY,
    "a text": _content('{"text":"hi"}'),
    "an empty text": _content('{"text":""}'),
    "two candidates": b'{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},'
    b'"finishReason":"STOP"},{"content":{"parts":[{"text":"b"}],"role":"model"},'
    b'"finishReason":"MAX_TOKENS","index":1,"tokenCount":3}]}',
    "a candidate without content": _answer('"finishReason":"SAFETY","index":0'),
    "a content without parts": _answer('"content":{"role":"model"},"finishReason":"MAX_TOKENS"'),
    "a content without a role": _answer('"content":{"parts":[{"text":"a"}]},"index":0'),
    "a content that is empty": _answer('"content":{},"finishReason":"OTHER"'),
    "a candidate that has not ended": _answer('"content":{"parts":[{"text":"a"}]}'),
    "a prompt that was blocked": b'{"promptFeedback":{"blockReason":"SAFETY"},'
    b'"usageMetadata":{"promptTokenCount":3},"modelVersion":"m"}',
    "no answer, but its counts": b'{"usageMetadata":{"promptTokenCount":3}}',
    "what stands beside the content": _content(
        '{"text":"hi"}',
        more='"finishReason":"STOP","index":0,"safetyRatings":[{"category":'
        '"HARM_CATEGORY_HARASSMENT","probability":"LOW"}],"groundingMetadata":{"webSearchQueries":'
        '["q"]},"citationMetadata":{"citations":[{"uri":"https://a.b"}]},"finishMessage":"so"',
    ),
    "parts that this library has no block for": _content(
        '{"executableCode":{"language":"PYTHON","code":"1"}}',
        '{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"},"thoughtSignature":"c2ln"}',
    ),
    "a picture": _content('{"inlineData":{"data":"AAAA","mimeType":"image/png"}}'),
    "a call with an id": _content('{"functionCall":{"name":"f","args":{},"id":"x"}}'),
    "a call without arguments": _content('{"functionCall":{"name":"f"}}'),
    "how the model is doing": b'{"candidates":[{"content":{"role":"model"}}],'
    b'"modelStatus":{"modelStage":"STABLE"}}',
    "when it was made": b'{"candidates":[{"content":{"role":"model"}}],'
    b'"createTime":"2026-01-02T03:04:05.678901Z"}',
    "counts of modalities and a tier": b'{"candidates":[],"usageMetadata":{"promptTokenCount":3,'
    b'"toolUsePromptTokenCount":2,"promptTokensDetails":[{"modality":"TEXT","tokenCount":3}],'
    b'"serviceTier":"standard"}}',
}
STRANGE = {
    "unknown keys everywhere": b'{"candidates":[{"content":{"parts":[{"text":"a","new":1}],'
    b'"role":"model","newer":2},"newest":3}],"odd":{"k":null}}',
    "a finish reason that is not known": _content('{"text":"a"}', more='"finishReason":"NEW"'),
    "a number that no word is known for": _content('{"text":"a"}', more='"finishReason":77'),
    "a time that is none": b'{"candidates":[{"content":{"role":"model"}}],"createTime":"soon"}',
}


@pytest.mark.parametrize("body", (OWN | STRANGE).values(), ids=(OWN | STRANGE).keys())
def test_an_answer_goes_back_as_it_came(body: bytes) -> None:
    made = gemini.encode_response(gemini.decode_response(body))
    assert json.loads(made) == json.loads(body)
    assert gemini.decode_response(made) == gemini.decode_response(
        gemini.encode_response(gemini.decode_response(made))
    )


@pytest.mark.parametrize("body", OWN.values(), ids=OWN.keys())
def test_the_oracle_takes_what_is_written(body: bytes) -> None:
    check_response(gemini.encode_response(gemini.decode_response(body)))


def test_a_native_copy_goes_back_to_the_wire_too() -> None:
    response = wg.json.decode(wg.json.encode(gemini.decode_response(BODY)), type=wg.Response)
    assert json.loads(gemini.encode_response(response)) == json.loads(BODY)


STOPS = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "SAFETY": "guardRail",
    "RECITATION": "guardRail",
    "PROHIBITED_CONTENT": "guardRail",
    "MODEL_ARMOR": "guardRail",
    "ESCALATION": "guardRail",
    "MALFORMED_FUNCTION_CALL": "error",
    "OTHER": "error",
    "CONTINUATION": "paused",
    "A_WORD_OF_TOMORROW": "stop",
}


@pytest.mark.parametrize(("word", "reason"), STOPS.items())
def test_a_finish_reason_has_a_meaning(word: str, reason: str) -> None:
    message = gemini.decode_response(_answer(f'"finishReason":"{word}"')).message
    assert (message.stop_reason, message.raw_stop_reason) == (reason, word)
    assert gemini.encode_response(wg.Response(message)).count(word.encode()) == 1


def test_a_finish_reason_that_nobody_knows_comes_back_beside_calls() -> None:
    call = '"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]}'
    response = gemini.decode_response(_answer(f'{call},"finishReason":"A_WORD_OF_TOMORROW"'))
    assert response.message.stop_reason is wg.StopReason.TOOL_USE
    assert b'"finishReason":"A_WORD_OF_TOMORROW"' in gemini.encode_response(response)


def test_every_finish_reason_of_the_sdk_has_a_meaning() -> None:
    from google.genai import types

    from wireglot.providers.gemini.response import ResponseWriter

    assert {reason.value for reason in types.FinishReason} == set(ResponseWriter.STOP_WORDS)


WRITTEN = {
    wg.StopReason.STOP: b"STOP",
    wg.StopReason.LENGTH: b"MAX_TOKENS",
    wg.StopReason.TOOL_USE: b"STOP",
    wg.StopReason.GUARD_RAIL: b"SAFETY",
    wg.StopReason.ERROR: b"OTHER",
    None: b"STOP",
}


@pytest.mark.parametrize(("reason", "word"), WRITTEN.items())
def test_a_stop_reason_has_a_word(reason: wg.StopReason | None, word: bytes) -> None:
    response = wg.Response(wg.AssistantMessage([wg.TextBlock("a")], stop_reason=reason))
    assert gemini.encode_response(response) == (
        b'{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"a"}]},'
        b'"finishReason":"' + word + b'"}]}'
    )


@pytest.mark.parametrize(
    ("number", "word", "reason"),
    [
        (0, "FINISH_REASON_UNSPECIFIED", "stop"),
        (1, "STOP", "stop"),
        (2, "MAX_TOKENS", "length"),
        (3, "SAFETY", "guardRail"),
        (4, "RECITATION", "guardRail"),
        (5, "OTHER", "error"),
    ],
)
def test_a_number_is_the_word_that_it_stands_for(number: int, word: str, reason: str) -> None:
    body = _content('{"text":"a"}', more=f'"finishReason":{number}')
    message = gemini.decode_response(body).message
    assert (message.stop_reason, message.raw_stop_reason) == (reason, word)


def test_a_blocked_prompt_stops_for_its_reason() -> None:
    message = gemini.decode_response(OWN["a prompt that was blocked"]).message
    assert message.content == []
    assert (message.stop_reason, message.raw_stop_reason) == ("guardRail", "SAFETY")


def test_further_candidates_are_alternatives() -> None:
    response = gemini.decode_response(OWN["two candidates"])
    assert response.message.text() == "a"
    assert [other.text() for other in response.alternatives or ()] == ["b"]
    assert [other.stop_reason for other in response.alternatives or ()] == ["length"]


def test_the_calls_of_two_answers_have_ids_of_their_own() -> None:
    call = '"content":{"parts":[{"functionCall":{"name":"f"}}],"role":"model"}'
    given = [f'{{"candidates":[{{{call}}}],"responseId":"{i}"}}' for i in ("a", "b", "a")]
    one, two, same = (gemini.decode_response(body).message.tool_calls()[0].id for body in given)
    assert one == same != two


def test_the_calls_of_all_candidates_have_ids_of_their_own() -> None:
    one = '{"content":{"parts":[{"functionCall":{"name":"f"}}],"role":"model"}}'
    response = gemini.decode_response(f'{{"responseId":"r1","candidates":[{one},{one}]}}')
    messages = [response.message, *(response.alternatives or ())]
    ids = [call.id for each in messages for call in each.tool_calls()]
    assert ids == ["call_491f37c8258b_0", "call_491f37c8258b_1_0"]


def test_unknown_keys_of_the_content_are_the_messages() -> None:
    response = gemini.decode_response(STRANGE["unknown keys everywhere"])
    assert response.message.extras == {API: wg.Extra(wg.RawJson('{"newer":2}'))}


def test_the_time_is_in_milliseconds() -> None:
    response = gemini.decode_response(OWN["when it was made"])
    assert response.created_at == 1767323045678


FOREIGN: dict[str, tuple[wg.Response, bytes]] = {
    "texts and a call, with counts": (
        wg.Response(
            wg.AssistantMessage(
                [wg.TextBlock("a"), wg.ToolCallBlock("x", "f", '{"k": 1.0}')],
                stop_reason=wg.StopReason.TOOL_USE,
                model="m",
                usage=wg.Usage(input=3, output=5, reasoning=2, cache_read=4, cache_write=1),
                api="other",
            ),
            id="i",
        ),
        b'{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"a"},'
        b'{"functionCall":{"name":"f","args":{"k": 1.0},"id":"x"}}]},"finishReason":"STOP"}],'
        b'"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":3,'
        b'"cachedContentTokenCount":4,"thoughtsTokenCount":2,"totalTokenCount":13},'
        b'"modelVersion":"m","responseId":"i"}',
    ),
    "thinking": (
        wg.Response(wg.AssistantMessage([wg.ThinkingBlock("t"), wg.TextBlock("a")], api="other")),
        b'{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"t","thought":true},'
        b'{"text":"a"}]},"finishReason":"STOP"}]}',
    ),
    "a picture": (
        wg.Response(wg.AssistantMessage([wg.ImageBlock.from_base64("AAAA", "image/png")])),
        b'{"candidates":[{"index":0,"content":{"role":"model","parts":[{"inlineData":'
        b'{"data":"AAAA","mimeType":"image/png"}}]},"finishReason":"STOP"}]}',
    ),
    "nothing": (
        wg.Response(wg.AssistantMessage([])),
        b'{"candidates":[{"index":0,"content":{"role":"model"},"finishReason":"STOP"}]}',
    ),
    "alternatives": (
        wg.Response(
            wg.AssistantMessage([wg.TextBlock("a")]),
            alternatives=[wg.AssistantMessage([wg.TextBlock("b")])],
        ),
        b'{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"a"}]},'
        b'"finishReason":"STOP"},{"index":1,"content":{"role":"model","parts":[{"text":"b"}]},'
        b'"finishReason":"STOP"}]}',
    ),
}


@pytest.mark.parametrize(("response", "body"), FOREIGN.values(), ids=FOREIGN.keys())
def test_an_answer_of_another_api_is_written(response: wg.Response, body: bytes) -> None:
    assert gemini.encode_response(response) == body
    check_response(body)


def test_vertex_tells_the_time() -> None:
    response = wg.Response(wg.AssistantMessage([]), created_at=1767323045678)
    assert b"createTime" not in gemini.encode_response(response)
    body = gemini.encode_response(response, dialect="vertex")
    assert b'"createTime":"2026-01-02T03:04:05.678Z"' in body
    check_response(body)


LOST: dict[str, tuple[wg.Response, str, str]] = {
    "a signature of another API": (
        wg.Response(wg.AssistantMessage([wg.ThinkingBlock("t", signature="c2ln")], api="other")),
        "signature",
        "$.message.content[0]",
    ),
    "encrypted thinking": (
        wg.Response(wg.AssistantMessage([wg.ThinkingBlock("", signature="x", redacted=True)])),
        "redacted thinking",
        "$.message.content[0]",
    ),
    "a source of a text": (
        wg.Response(
            wg.AssistantMessage([wg.TextBlock("a", annotations=[wg.AnnotationRef(url="u")])])
        ),
        "annotation",
        "$.message.content[0]",
    ),
    "a block of another API": (
        wg.Response(wg.AssistantMessage([wg.OpaqueBlock("other", wg.RawJson("{}"))])),
        "opaque block",
        "$.message.content[0]",
    ),
    "a result": (
        wg.Response(wg.AssistantMessage([wg.ToolResultBlock("x")])),
        "tool result",
        "$.message.content[0]",
    ),
    "arguments that are no object": (
        wg.Response(wg.AssistantMessage([wg.ToolCallBlock("x", "f", "[1]")])),
        "arguments",
        "$.message.content[0]",
    ),
    "an error": (
        wg.Response(wg.AssistantMessage([wg.ErrorBlock("no")])),
        "error",
        "$.message.content[0]",
    ),
    "a stop reason without a word": (
        wg.Response(wg.AssistantMessage([], stop_reason=wg.StopReason.HANDOFF)),
        "stop reason",
        "$.message",
    ),
    "a stop sequence": (
        wg.Response(wg.AssistantMessage([], stop_sequence="END")),
        "stop sequence",
        "$.message",
    ),
    "keys of another API": (
        wg.Response(wg.AssistantMessage([]), extras={"other": wg.Extra({"k": 1})}),
        "extras",
        "$",
    ),
}


@pytest.mark.parametrize(("response", "what", "path"), LOST.values(), ids=LOST.keys())
def test_what_cannot_be_carried_is_told(response: wg.Response, what: str, path: str) -> None:
    with pytest.raises(wg.LossError):
        gemini.encode_response(response)
    losses: list[wg.Loss] = []
    body = gemini.encode_response(response, losses=losses)
    assert [(loss.what, loss.path) for loss in losses] == [(what, path)]
    check_response(body)


BAD = {
    "no JSON": (b"{", "$"),
    "no object": (b"[]", "$"),
    "no answer": (b'{"predictions":[]}', "$"),
    "a user's content": (_answer('"content":{"role":"user"}'), "$.candidates[0].content.role"),
    "a call without a name": (
        _content('{"functionCall":{}}'),
        "$.candidates[0].content.parts[0].functionCall",
    ),
    "counts that are text": (
        b'{"usageMetadata":{"promptTokenCount":"x"}}',
        "$.usageMetadata.promptTokenCount",
    ),
    "not UTF-8": (b'{"candidates":[{"finishReason":"\xff"}]}', "$"),
}


@pytest.mark.parametrize(("body", "path"), BAD.values(), ids=BAD.keys())
def test_bad_bytes_are_a_decode_error(body: bytes, path: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        gemini.decode_response(body)
    assert (caught.value.wire, caught.value.path) == ("gemini", path)


def test_a_lone_surrogate_is_mended_with_a_loss() -> None:
    body = _content('{"text":"\\ud83d"}')
    with pytest.raises(wg.DecodeError):
        gemini.decode_response(body)
    losses: list[wg.Loss] = []
    assert gemini.decode_response(body, losses=losses).message.text() == "\ufffd"
    assert len(losses) == 1


def test_changed_counts_are_written_anew() -> None:
    response = gemini.decode_response(BODY)
    assert response.message.usage is not None
    response.message.usage.output = 30
    assert json.loads(gemini.encode_response(response))["usageMetadata"] == {
        "promptTokenCount": 10,
        "candidatesTokenCount": 27,
        "cachedContentTokenCount": 6,
        "thoughtsTokenCount": 3,
        "totalTokenCount": 40,
    }


def test_snake_case_is_read_too() -> None:
    body = b'{"candidates":[{"finish_reason":"STOP"}],"model_version":"m","response_id":"r"}'
    response = gemini.decode_response(body)
    assert (response.id, response.message.model) == ("r", "m")
    assert response.message.stop_reason == "stop"


def test_a_dialect_that_is_none_is_refused() -> None:
    with pytest.raises(wg.WireglotError):
        gemini.decode_response(BODY, dialect="x")
    with pytest.raises(wg.WireglotError):
        gemini.encode_response(_response(), dialect="x")


def test_an_answer_can_be_sent_back() -> None:
    response = gemini.decode_response(BODY)
    results = [
        wg.ToolResultBlock.from_text(call.id, "blue") for call in response.message.tool_calls()
    ]
    asked = wg.Request([wg.UserMessage.from_text("?"), response.message, wg.ToolMessage(results)])
    contents = json.loads(gemini.encode_request(asked))["contents"]
    assert contents[1] == json.loads(BODY)["candidates"][0]["content"]
