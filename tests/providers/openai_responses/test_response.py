"""Answers <-> the body of the API's answer."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.openai_responses.answers import BODY, body

API = "openai-responses"
responses = wg.providers.openai_responses


def _check(made: bytes) -> None:
    from tests.oracles import openai_responses as oracle

    oracle.check_response(made)


def _said(text: str = "hi", more: str = "") -> str:
    return (
        '{"id":"msg_a","type":"message","status":"completed","role":"assistant","content":['
        f'{{"type":"output_text","text":"{text}","annotations":[]{more}}}]}}'
    )


CALL = (
    '{"id":"fc_a","type":"function_call","status":"completed","call_id":"c","name":"f",'
    '"arguments":"{}"}'
)
REFUSED = (
    '{"id":"msg_a","type":"message","status":"completed","role":"assistant","content":['
    '{"type":"refusal","refusal":"No."}]}'
)


def test_an_answer_is_decoded_whole() -> None:
    response = responses.decode_response(BODY)
    message = response.message
    assert (response.id, message.model, message.api) == ("resp_1", "gpt-5", API)
    assert (response.created_at, response.service_tier) == (1_700_000_000_000, "default")
    assert (message.stop_reason, message.raw_stop_reason) == ("toolUse", "completed")
    thought, search, text, call, custom = message.content
    assert isinstance(thought, wg.ThinkingBlock)
    assert (thought.thinking, thought.signature) == ("Paris?\n\nYes.", "c2ln")
    assert isinstance(search, wg.OpaqueBlock)
    assert search.raw.value["action"] == {"type": "search", "query": "w"}
    assert isinstance(text, wg.TextBlock)
    assert text.text == "Let me look. é😀"
    assert text.annotations == [wg.AnnotationRef(url="https://x.org", title="t", start=0, end=3)]
    assert isinstance(call, wg.ToolCallBlock)
    assert (call.id, call.name, call.tool_type) == ("call_1", "weather", None)
    assert call.arguments.text == b'{"city":"Paris", "n":1e2}'
    assert isinstance(custom, wg.ToolCallBlock)
    assert (custom.id, custom.tool_type, custom.arguments.text) == ("call_2", "custom", b"SELECT 1")


def test_cached_tokens_are_not_counted_as_input() -> None:
    usage = responses.decode_response(BODY).message.usage
    assert usage is not None
    counts = (usage.input, usage.cache_read, usage.cache_write, usage.output, usage.reasoning)
    assert counts == (20, 8, 2, 40, 7)
    assert usage.total_tokens == 70


def test_an_answer_comes_back_to_its_own_wire() -> None:
    made = responses.encode_response(responses.decode_response(BODY))
    assert json.loads(made) == json.loads(BODY)
    assert rb'"{\"city\":\"Paris\", \"n\":1e2}"' in made
    _check(made)


OWN = {
    "keys that nobody knows": body(
        '{"id":"msg_a","type":"message","status":"completed","role":"assistant","new":1,'
        '"content":[{"type":"output_text","text":"hi","annotations":[],"new":[1]}]}',
        more=',"new":{"a":1}',
    ),
    "an item that nobody knows": body('{"type":"new_call","id":"n_1","action":{"a":1}}'),
    "a result of the API's own tools between calls": body(
        '{"id":"sh_1","type":"shell_call","status":"completed","call_id":"c","action":{}},'
        '{"id":"sho_1","type":"shell_call_output","status":"completed","call_id":"c",'
        f'"output":[{{"stdout":"a"}}]}},{_said()}'
    ),
    "a refusal": body(REFUSED),
    "two parts in one message": body(
        '{"id":"msg_a","type":"message","status":"completed","role":"assistant","content":['
        '{"type":"output_text","text":"a","annotations":[]},'
        '{"type":"refusal","refusal":"b"},{"type":"new","x":1}]}'
    ),
    "two messages that follow each other": body(
        _said("a") + "," + _said("b").replace("msg_a", "msg_b")
    ),
    "a message without parts": body(
        '{"id":"msg_a","type":"message","status":"incomplete","role":"assistant","content":[]}'
    ),
    "an empty text": body(_said("")),
    "log probabilities": body(_said(more=',"logprobs":[{"token":"hi","logprob":-0.1}]')),
    "reasoning in its own words, beside a summary": body(
        '{"id":"rs_a","type":"reasoning","summary":[{"type":"summary_text","text":"s"}],'
        '"content":[{"type":"reasoning_text","text":"t"}],"status":"completed"}'
    ),
    "reasoning without a word": body('{"id":"rs_a","type":"reasoning","summary":[]}'),
    "a call that was cut": body(
        '{"id":"fc_a","type":"function_call","status":"incomplete","call_id":"c","name":"f",'
        r'"arguments":"{\"x\":4815"}',
        "incomplete",
        ',"incomplete_details":{"reason":"max_output_tokens"}',
    ),
    "a call without an id of its own": body(
        '{"type":"function_call","status":"completed","call_id":"c","name":"f","arguments":"{}"}'
    ),
    "an answer that is not complete for no reason": body(_said(), "incomplete"),
    "more about why it is not complete": body(
        _said(), "incomplete", ',"incomplete_details":{"reason":"content_filter","new":1}'
    ),
    "a status that nobody knows": body(_said(), "complete"),
    "a time with a fraction": body(_said()).replace(b'"created_at":1', b'"created_at":1.5'),
    "usage in other words": body(_said(), more=',"usage":{"input_tokens":1,"new":{"a":1}}'),
}


@pytest.mark.parametrize("name", OWN)
def test_what_this_wire_says_comes_back_as_it_came(name: str) -> None:
    response = responses.decode_response(OWN[name])
    made = json.loads(responses.encode_response(response))
    left = {key: value for key, value in made.items() if value is not None}
    assert left == json.loads(OWN[name])
    assert responses.decode_response(responses.encode_response(response)) == response


@pytest.mark.parametrize("name", OWN)
def test_an_answer_can_be_sent_back_in_a_request(name: str) -> None:
    message = responses.decode_response(OWN[name]).message
    called = [wg.ToolResultBlock.from_text(call.id, "ok") for call in message.tool_calls()]
    messages: list[Any] = [wg.UserMessage.from_text("hi"), message]
    messages += [wg.ToolMessage([*called])] if called else []
    responses.encode_request(wg.Request(messages, model="m"), losses=[])


# What an answer repeats of its request, and what the service writes down about it.
ECHOED = (
    '"access_programs":[1],"background":false,"billing":{"payer":"p"},"completed_at":2,'
    '"frequency_penalty":0.5,"image":{"k":1},"instructions":"i","max_output_tokens":9,'
    '"max_tool_calls":8,"metadata":{"k":"v"},"output_text":"hi","presence_penalty":0.5,'
    '"previous_response_id":"r","prompt":{"id":"p"},"prompt_cache_key":"k",'
    '"prompt_cache_options":{"k":1},"prompt_cache_retention":"24h","reasoning":{"effort":"low"},'
    '"safety_identifier":"s","store":true,"temperature":1.0,"text":{"format":{"type":"text"}},'
    '"tool_usage":{"k":1},"top_logprobs":3,"top_p":0.5,"truncation":"auto","user":"u"'
)


def test_what_an_answer_repeats_comes_back_and_is_no_loss_elsewhere() -> None:
    data = body(_said(), more=f",{ECHOED}")
    response = responses.decode_response(data)
    made = json.loads(responses.encode_response(response))
    assert made | json.loads(data) == made
    losses: list[wg.Loss] = []
    wg.providers.anthropic.encode_response(response, losses=losses)
    assert losses == []


STOPS = {
    "completed": ("completed", None, _said(), "stop", "completed"),
    "completed, with a call": ("completed", None, CALL, "toolUse", "completed"),
    "completed, with a refusal": ("completed", None, REFUSED, "guardRail", "completed"),
    "at the limit": ("incomplete", "max_output_tokens", CALL, "length", "max_output_tokens"),
    "filtered": ("incomplete", "content_filter", _said(), "guardRail", "content_filter"),
    "after many messages": ("incomplete", "max_messages", _said(), "maxTurns", "max_messages"),
    "steered": ("incomplete", "steered", _said(), "userStop", "steered"),
    "for a reason not known yet": ("incomplete", "new", _said(), "stop", "new"),
    "incomplete": ("incomplete", None, _said(), "length", "incomplete"),
    "cancelled": ("cancelled", None, _said(), "aborted", "cancelled"),
    "queued": ("queued", None, "", "paused", "queued"),
    "in progress": ("in_progress", None, "", "paused", "in_progress"),
    "failed": ("failed", None, "", "error", "failed"),
}


@pytest.mark.parametrize("name", STOPS)
def test_a_stop_reason_keeps_its_word(name: str) -> None:
    status, why, output, reason, raw = STOPS[name]
    more = f',"incomplete_details":{{"reason":"{why}"}}' if why is not None else ""
    response = responses.decode_response(body(output, status, more))
    assert (response.message.stop_reason, response.message.raw_stop_reason) == (reason, raw)
    made = json.loads(responses.encode_response(response))
    assert made["status"] == status
    assert made["incomplete_details"] == ({"reason": why} if why is not None else None)


@pytest.mark.parametrize(
    ("reason", "status", "why"),
    [
        (wg.StopReason.STOP, "completed", None),
        (wg.StopReason.TOOL_USE, "completed", None),
        (wg.StopReason.LENGTH, "incomplete", "max_output_tokens"),
        (wg.StopReason.GUARD_RAIL, "incomplete", "content_filter"),
        (wg.StopReason.MAX_TURNS, "incomplete", "max_messages"),
        (wg.StopReason.USER_STOP, "incomplete", "steered"),
        (wg.StopReason.ABORTED, "cancelled", None),
        (wg.StopReason.ERROR, "failed", None),
        (None, "completed", None),
    ],
)
def test_a_stop_reason_of_another_api_is_a_status(
    reason: wg.StopReason | None, status: str, why: str | None
) -> None:
    message = wg.AssistantMessage([wg.TextBlock("a")], stop_reason=reason, api="other-api")
    made = responses.encode_response(wg.Response(message))
    _check(made)
    answer = json.loads(made)
    assert answer["status"] == status
    assert answer["incomplete_details"] == ({"reason": why} if why is not None else None)


@pytest.mark.parametrize(
    ("status", "details"),
    [
        ("completed", "null"),
        ("incomplete", '{"reason":"max_output_tokens"}'),
        ("failed", "null"),
        ("cancelled", "null"),
        ("queued", "null"),
        ("in_progress", "null"),
    ],
)
def test_what_every_answer_says_is_no_unknown_key(status: str, details: str) -> None:
    whole = (
        '{"id":"resp_1","object":"response","created_at":1,"model":"m","service_tier":"default",'
        f'"status":"{status}","incomplete_details":{details},"error":null,"output":[{_said()}],'
        '"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}'
    )
    assert responses.decode_response(whole).extras is None


def test_a_stop_reason_that_was_changed_wins() -> None:
    response = responses.decode_response(BODY)
    response.message.stop_reason = wg.StopReason.LENGTH
    made = json.loads(responses.encode_response(response))
    assert (made["status"], made["incomplete_details"]) == (
        "incomplete",
        {"reason": "max_output_tokens"},
    )


def test_an_error_message_is_the_error_of_a_failed_answer() -> None:
    response = responses.decode_response(BODY)
    response.message.stop_reason = wg.StopReason.ERROR
    response.message.error_message = "n"
    made = json.loads(responses.encode_response(response))
    assert made["status"] == "failed"
    assert made["error"] == {"code": "server_error", "message": "n"}


def test_counts_that_were_changed_win() -> None:
    response = responses.decode_response(BODY)
    assert response.message.usage is not None
    response.message.usage.output = 41
    response.message.usage.total_tokens = 0
    assert json.loads(responses.encode_response(response))["usage"] == {
        "input_tokens": 30,
        "input_tokens_details": {"cached_tokens": 8, "cache_write_tokens": 2},
        "output_tokens": 41,
        "output_tokens_details": {"reasoning_tokens": 7},
        "total_tokens": 71,
    }


def test_a_service_that_says_the_cost_is_believed() -> None:
    more = ',"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3,"cost":0.5}'
    response = responses.decode_response(body(_said(), more=more), dialect="openrouter")
    usage = response.message.usage
    assert usage is not None
    assert usage.cost == wg.Cost(total=0.5)
    usage.output = 3
    made = responses.encode_response(response, dialect="openrouter")
    assert json.loads(made)["usage"]["cost"] == 0.5
    assert "cost" not in json.loads(responses.encode_response(response))["usage"]


def test_a_call_without_arguments_has_an_empty_object() -> None:
    response = responses.decode_response(body(CALL.replace("{}", "")))
    (call,) = response.message.tool_calls()
    assert call.arguments.text == b"{}"


def test_ids_of_items_do_not_go_to_another_service() -> None:
    response = responses.decode_response(body(_said()), dialect="openai")
    made = json.loads(responses.encode_response(response, dialect="azure", ids=lambda: "t"))
    assert made["output"] == [
        {
            "id": "msg_t0000",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "hi", "annotations": []}],
        }
    ]


def test_what_an_answer_repeats_of_its_request_is_no_loss_on_another_wire() -> None:
    echo = ',"instructions":"Be brief.","temperature":1.0,"user":null,"new":null'
    response = responses.decode_response(body(_said(), more=echo))
    made = wg.providers.anthropic.encode_response(response)
    assert json.loads(made)["content"] == [{"type": "text", "text": "hi"}]
    response = responses.decode_response(body(_said(), more=',"new":1'))
    with pytest.raises(wg.LossError):
        wg.providers.anthropic.encode_response(response)


def test_an_answer_of_another_api_is_written() -> None:
    message = wg.AssistantMessage(
        [
            wg.ThinkingBlock("why"),
            wg.TextBlock("hi"),
            wg.TextBlock("there"),
            wg.ToolCallBlock("call.1", "f", '{"a":12345678901234567890123}'),
            wg.ToolCallBlock("", "g", ""),
        ],
        stop_reason=wg.StopReason.TOOL_USE,
        model="claude",
        api="anthropic-messages",
        raw_stop_reason="tool_use",
        usage=wg.Usage(input=3, output=4, cache_read=2, cache_write=1, reasoning=1),
    )
    response = wg.Response(message, id="msg_x", created_at=2000)
    made = responses.encode_response(response, ids=lambda: "t")
    said = '"type":"message","status":"completed","role":"assistant","content"'
    assert made.decode() == (
        '{"id":"msg_x","object":"response","created_at":2,"status":"completed","error":null,'
        '"incomplete_details":null,"model":"claude","output":['
        '{"id":"rs_t0000","type":"reasoning","summary":[{"type":"summary_text","text":"why"}]},'
        f'{{"id":"msg_t0001",{said}:[{{"type":"output_text","annotations":[],"text":"hi"}}]}},'
        f'{{"id":"msg_t0002",{said}:[{{"type":"output_text","annotations":[],"text":"there"}}]}},'
        '{"id":"fc_t0003","type":"function_call","status":"completed","call_id":"call.1","name":"f",'
        r'"arguments":"{\"a\":12345678901234567890123}"},'
        '{"id":"fc_t0004","type":"function_call","status":"completed","call_id":"call_t0004","name":"g",'
        '"arguments":"{}"}],'
        '"usage":{"input_tokens":6,"input_tokens_details":{"cached_tokens":2,'
        '"cache_write_tokens":1},"output_tokens":4,"output_tokens_details":{"reasoning_tokens":1},'
        '"total_tokens":10},'
        '"metadata":{},"parallel_tool_calls":true,"tool_choice":"auto","tools":[]}'
    )
    _check(made)


def _of_another_api(*blocks: wg.Content, **fields: Any) -> wg.Response:
    return wg.Response(wg.AssistantMessage([*blocks], api="other-api", **fields))


LOSSES = {
    "a signature of another API": (
        _of_another_api(wg.ThinkingBlock("t", "s")),
        ("$.message.content[0]", "signature"),
    ),
    "a signed call": (
        _of_another_api(wg.ToolCallBlock("c", "f", "{}", signature="s")),
        ("$.message.content[0]", "signature"),
    ),
    "a signed text": (
        _of_another_api(wg.TextBlock("a", signature="s")),
        ("$.message.content[0]", "signature"),
    ),
    "redacted thinking of another API": (
        _of_another_api(wg.ThinkingBlock("", "s", redacted=True)),
        ("$.message.content[0]", "redacted thinking"),
    ),
    "an image": (
        _of_another_api(wg.TextBlock("a"), wg.ImageBlock.from_url("https://x.org/a.png")),
        ("$.message.content[1]", "image"),
    ),
    "a document": (
        _of_another_api(wg.DocumentBlock.from_text("t")),
        ("$.message.content[0]", "document"),
    ),
    "a breakpoint": (
        _of_another_api(wg.TextBlock("a", cache=wg.CacheMark())),
        ("$.message.content[0]", "cache mark"),
    ),
    "a sound": (
        _of_another_api(wg.AudioBlock(data=b"ID3", transcript="a")),
        ("$.message.content[0]", "audio"),
    ),
    "an error": (
        _of_another_api(wg.ErrorBlock("m")),
        ("$.message.content[0]", "error"),
    ),
    "a block of another API": (
        _of_another_api(wg.OpaqueBlock("other-api", {"type": "x"})),  # type: ignore[arg-type]
        ("$.message.content[0]", "opaque block"),
    ),
    "citations of another API": (
        _of_another_api(wg.TextBlock("a", annotations=[wg.AnnotationRef(url="u")])),
        ("$.message.content[0]", "annotation"),
    ),
    "a stop reason that there is not": (
        _of_another_api(wg.TextBlock("a"), stop_reason=wg.StopReason.HANDOFF),
        ("$.message", "stop reason"),
    ),
    "the sequence at which it stopped": (
        _of_another_api(wg.TextBlock("a"), stop_sequence="\n"),
        ("$.message", "stop sequence"),
    ),
    "a tier of another API": (
        wg.Response(wg.AssistantMessage([], api="other-api"), service_tier="standard"),
        ("$", "service_tier"),
    ),
    "further candidates": (
        wg.Response(wg.AssistantMessage([]), alternatives=[wg.AssistantMessage([])]),
        ("$", "candidates"),
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
    _check(responses.encode_response(response, losses=losses))
    assert [(loss.path, loss.what) for loss in losses] == [expected]
    with pytest.raises(wg.LossError) as caught:
        responses.encode_response(response)
    assert caught.value.path == expected[0]


@pytest.mark.parametrize(
    ("block", "text"),
    [
        (wg.AudioBlock(data=b"ID3", transcript="a"), "a"),
        (wg.VideoBlock(url="https://x.org/v", transcript="a"), "a"),
        (wg.ErrorBlock("a"), "a"),
        (wg.AudioBlock(data=b"ID3"), None),
        (wg.ErrorBlock(" "), None),
    ],
)
def test_words_go_as_text_and_without_words_there_is_no_message(
    block: wg.Content, text: str | None
) -> None:
    output = json.loads(responses.encode_response(_of_another_api(block), losses=[]))["output"]
    part = {"type": "output_text", "annotations": [], "text": text}
    assert [item["content"] for item in output] == ([[part]] if text is not None else [])


@pytest.mark.parametrize(
    ("block", "path"),
    [(wg.TextBlock(5), "$.message.content[0].text"), (wg.UserMessage([]), "$.message.content[0]")],  # type: ignore[arg-type]
)
def test_what_is_not_a_block_or_not_a_text_is_an_error(block: Any, path: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        responses.encode_response(_of_another_api(block), losses=[])
    assert caught.value.path == path


def test_a_custom_call_is_a_function_where_there_are_none() -> None:
    losses: list[wg.Loss] = []
    block = wg.ToolCallBlock("c", "sql", "SELECT 1", tool_type="custom")
    made = responses.encode_response(_of_another_api(block), losses=losses, dialect="xai")
    assert json.loads(made)["output"][0]["arguments"] == '{"input":"SELECT 1"}'
    assert [loss.what for loss in losses] == ["custom call"]


BAD = {
    "no output": (b"{}", "object missing required field `output` - at `$`"),
    "a number for a text": (
        body(_said().replace('"hi"', "1")),
        "expected `str | null`, got `int` - at `$.output[0].content[0].text`",
    ),
    "a text part without text": (
        body(_said().replace('"text":"hi",', "")),
        "object missing required field `text` - at `$.output[0].content[0]`",
    ),
    "an item that does not say what it is": (
        body('{"foo":1}'),
        "object missing required field `type` - at `$.output[0]`",
    ),
    "a call without a name": (
        body(CALL.replace('"name":"f",', "")),
        "object missing required field `name` - at `$.output[0]`",
    ),
    "a time beyond all times": (
        b'{"output":[],"created_at":1e300}',
        "time out of range, expected at most 10**14 seconds from 1970 - at `$.created_at`",
    ),
    "a list": (b"[]", "expected `object`, got `array` - at `$`"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_body_that_is_none_is_refused_with_its_path(name: str) -> None:
    data, reason = BAD[name]
    with pytest.raises(wg.DecodeError) as caught:
        responses.decode_response(data)
    assert str(caught.value) == f"openai_responses: {reason}"


@pytest.mark.parametrize("target", [name for name in wg.PROVIDERS if name != "openai_responses"])
def test_unknown_keys_of_reasoning_that_says_nothing_are_a_loss(target: str) -> None:
    item = b'{"type":"reasoning","summary":[],"new":1}'
    body = b'{"id":"r","object":"response","status":"completed","model":"m","output":[%b]}' % item
    losses: list[wg.Loss] = []
    wg.translate_response(body, "openai_responses", target, losses=losses)
    assert losses != []
    losses = []
    body = b'{"model":"m","input":[%b,{"role":"user","content":"hi"}]}' % item
    wg.translate_request(body, "openai_responses", target, losses=losses)
    assert losses != []
