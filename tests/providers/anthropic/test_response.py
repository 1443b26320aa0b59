"""Answers <-> the body of Anthropic's answer."""

import json

import pytest

import wireglot as wg
from tests.providers.anthropic.answers import BODY

API = "anthropic-messages"
anthropic = wg.providers.anthropic


def _check(body: bytes) -> None:
    from tests.oracles import anthropic as oracle

    oracle.check_response(body)


def _body(**keys: object) -> bytes:
    plain = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": "hi"}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 2},
    }
    return json.dumps({**plain, **keys}).encode()


def test_an_answer_is_decoded_whole() -> None:
    response = anthropic.decode_response(BODY)
    message = response.message
    assert (response.id, message.model, message.api) == ("msg_1", "claude-opus-4-8", API)
    assert (message.stop_reason, message.raw_stop_reason) == ("toolUse", "tool_use")
    thinking, redacted, text, search, call, now = message.content
    assert thinking == wg.ThinkingBlock("Paris?", "c2ln")
    assert redacted == wg.ThinkingBlock("", "ZGF0YQ==", redacted=True)
    assert isinstance(text, wg.TextBlock)
    assert text.text == "Let me look. é😀"
    assert text.annotations == [wg.AnnotationRef(title="t", page=2, index=0, cited_text="c")]
    assert isinstance(search, wg.OpaqueBlock)
    assert search.raw.value["name"] == "web_search"
    assert isinstance(call, wg.ToolCallBlock)
    assert call.arguments.text == b'{"city":"Paris", "n":1e2}'
    assert now == wg.ToolCallBlock("toolu_2", "now", {})


def test_counts_are_those_of_the_model() -> None:
    usage = anthropic.decode_response(BODY).message.usage
    assert usage is not None
    counts = (usage.input, usage.cache_read, usage.cache_write, usage.output, usage.reasoning)
    assert counts == (10, 5, 3, 40, 7)


def test_an_answer_comes_back_to_its_own_wire() -> None:
    made = anthropic.encode_response(anthropic.decode_response(BODY))
    assert json.loads(made) == json.loads(BODY)
    assert b'{"city":"Paris", "n":1e2}' in made
    _check(made)


def test_keys_that_nobody_knows_come_back() -> None:
    body = _body(new=1, content=[{"type": "text", "text": "hi", "new": [1]}, {"type": "new"}])
    assert json.loads(anthropic.encode_response(anthropic.decode_response(body))) == json.loads(
        body
    )


def test_keys_that_the_model_has_no_field_for_come_back() -> None:
    body = _body(
        stop_details={"type": "refusal", "category": None},
        context_management={"applied_edits": []},
        diagnostics={"k": [1]},
    )
    made = anthropic.encode_response(anthropic.decode_response(body))
    assert json.loads(made) == json.loads(body)


STOPS = [
    ("end_turn", "stop"),
    ("max_tokens", "length"),
    ("stop_sequence", "stop"),
    ("tool_use", "toolUse"),
    ("pause_turn", "paused"),
    ("refusal", "guardRail"),
    ("model_context_window_exceeded", "length"),
    ("not_known_yet", "stop"),
]


@pytest.mark.parametrize(("word", "reason"), STOPS)
def test_a_stop_reason_keeps_its_word(word: str, reason: str) -> None:
    response = anthropic.decode_response(_body(stop_reason=word))
    assert response.message.stop_reason == reason
    assert json.loads(anthropic.encode_response(response))["stop_reason"] == word


def test_a_stop_reason_that_was_changed_wins() -> None:
    response = anthropic.decode_response(_body(stop_reason="end_turn"))
    response.message.stop_reason = wg.StopReason.LENGTH
    assert json.loads(anthropic.encode_response(response))["stop_reason"] == "max_tokens"


def test_counts_that_were_changed_win() -> None:
    response = anthropic.decode_response(BODY)
    assert response.message.usage is not None
    response.message.usage.output = 41
    assert json.loads(anthropic.encode_response(response))["usage"] == {
        "input_tokens": 10,
        "cache_creation_input_tokens": 3,
        "cache_read_input_tokens": 5,
        "output_tokens": 41,
        "output_tokens_details": {"thinking_tokens": 7},
    }


def test_an_answer_of_another_api_is_written() -> None:
    message = wg.AssistantMessage(
        [
            wg.ThinkingBlock("why"),
            wg.TextBlock("hi"),
            wg.ToolCallBlock("call.1", "f", '{"a":12345678901234567890123}'),
        ],
        stop_reason=wg.StopReason.TOOL_USE,
        model="gpt-5",
        api="openai-chat",
        raw_stop_reason="tool_calls",
        usage=wg.Usage(input=3, output=4, cache_read=2, total_tokens=9),
    )
    made = anthropic.encode_response(wg.Response(message, id="chatcmpl-1"))
    assert made == (
        b'{"id":"chatcmpl-1","type":"message","role":"assistant","model":"gpt-5","content":['
        b'{"type":"thinking","thinking":"why","signature":""},'
        b'{"type":"text","text":"hi"},'
        b'{"type":"tool_use","id":"call_1_e8b7b7b3","name":"f",'
        b'"input":{"a":12345678901234567890123}}],'
        b'"stop_reason":"tool_use","stop_sequence":null,'
        b'"usage":{"input_tokens":3,"cache_creation_input_tokens":0,'
        b'"cache_read_input_tokens":2,"output_tokens":4}}'
    )
    _check(made)


def _of_another_api(*blocks: wg.Content, **fields: object) -> wg.Response:
    return wg.Response(wg.AssistantMessage([*blocks], api="other-api", **fields))  # type: ignore[arg-type]


LOSSES = {
    "a signature of another API": (
        _of_another_api(wg.ThinkingBlock("t", "s")),
        ("$.message.content[0]", "signature"),
    ),
    "redacted thinking of another API": (
        _of_another_api(wg.ThinkingBlock("", "s", redacted=True)),
        ("$.message.content[0]", "thinking"),
    ),
    "an image": (
        _of_another_api(wg.TextBlock("a"), wg.ImageBlock.from_url("https://x.org/a.png")),
        ("$.message.content[1]", "image"),
    ),
    "citations of another API": (
        _of_another_api(wg.TextBlock("a", annotations=[wg.AnnotationRef(url="u")])),
        ("$.message.content[0]", "annotation"),
    ),
    "arguments that are no object": (
        _of_another_api(wg.ToolCallBlock("c", "f", "[1")),
        ("$.message.content[0]", "arguments"),
    ),
    "a stop reason that there is not": (
        _of_another_api(wg.TextBlock("a"), stop_reason=wg.StopReason.HANDOFF),
        ("$.message", "stop reason"),
    ),
    "further candidates": (
        wg.Response(wg.AssistantMessage([]), alternatives=[wg.AssistantMessage([])]),
        ("$", "candidates"),
    ),
    "keys that the message brought over another API": (
        _of_another_api(wg.TextBlock("a"), extras={"other-api": wg.Extra({"k": 1})}),  # type: ignore[arg-type]
        ("$.message", "extras"),
    ),
    "keys of another API": (
        wg.Response(wg.AssistantMessage([]), extras={"other-api": wg.Extra({"k": 1})}),  # type: ignore[arg-type]
        ("$", "extras"),
    ),
}


@pytest.mark.parametrize("name", LOSSES)
def test_what_an_answer_cannot_carry_is_a_loss(name: str) -> None:
    response, expected = LOSSES[name]
    losses: list[wg.Loss] = []
    _check(anthropic.encode_response(response, losses=losses))
    assert [(loss.path, loss.what) for loss in losses] == [expected]
    with pytest.raises(wg.LossError) as caught:
        anthropic.encode_response(response)
    assert caught.value.path == expected[0]


BAD = {
    "no content": (b'{"type":"message"}', "object missing required field `content` - at `$`"),
    "a number for a text": (
        _body(content=[{"type": "text", "text": 1}]),
        "expected `str`, got `int` - at `$.content[0].text`",
    ),
    "a user's message": (_body(role="user"), "invalid enum value 'user' - at `$.role`"),
    "another object": (_body(type="error"), "`error`, expected `message` - at `$.type`"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_body_that_is_none_is_refused_with_its_path(name: str) -> None:
    body, reason = BAD[name]
    with pytest.raises(wg.DecodeError) as caught:
        anthropic.decode_response(body)
    assert str(caught.value) == f"anthropic: {reason}"
