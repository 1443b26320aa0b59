"""Answers <-> the body of the answer to `POST /v1/chat/completions`."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.openai_chat.answers import BODY, OPENROUTER_BODY

API = "openai-chat"
chat = wg.providers.openai_chat
BODIES = {"openai": BODY, "openrouter": OPENROUTER_BODY}


def _check(body: bytes, dialect: str = "openai") -> None:
    from tests.oracles import openai_chat as oracle

    oracle.check_response(body, dialect)


def _body(message: Any = None, finish: Any = "stop", **keys: Any) -> bytes:
    said = {"role": "assistant", "content": "hi"} if message is None else message
    plain = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": said, "logprobs": None, "finish_reason": finish}],
    }
    return json.dumps({**plain, **keys}).encode()


def _said(**keys: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": None, **keys}


def _counted(**usage: Any) -> wg.Usage:
    found = chat.decode_response(_body(usage=usage)).message.usage
    assert found is not None
    return found


def _plain(value: Any) -> Any:
    """Return JSON without the keys that are null."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if item is not None}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def test_an_answer_is_decoded_whole() -> None:
    response = chat.decode_response(BODY)
    message = response.message
    assert (response.id, response.created_at) == ("chatcmpl-1", 1754432618000)
    assert (message.model, message.api, response.service_tier) == ("gpt-5", API, "default")
    assert (message.stop_reason, message.raw_stop_reason) == ("toolUse", "tool_calls")
    text, call, now = message.content
    assert text == wg.TextBlock("Let me look. é😀")
    assert isinstance(call, wg.ToolCallBlock)
    assert call.arguments.text == b'{"city":"Paris", "n":1e2}'
    assert now == wg.ToolCallBlock("call_2", "now", "{}")
    assert response.extras is not None
    keys, echoed = response.extras[API].keys.value, response.extras[API].spelling
    assert echoed is not None
    assert echoed.value == {"system_fingerprint": "fp_1"}
    assert [token["token"] for token in keys["choices"][0]["logprobs"]["content"]] == ["L", "e"]


def test_counts_are_those_of_the_model() -> None:
    usage = chat.decode_response(BODY).message.usage
    assert usage is not None
    assert (usage.input, usage.cache_read, usage.cache_write) == (10, 5, 3)
    assert (usage.output, usage.reasoning, usage.total_tokens) == (40, 7, 58)


def test_thinking_and_sources_of_openrouter_are_decoded() -> None:
    message = chat.decode_response(OPENROUTER_BODY, dialect="openrouter").message
    thinking, redacted, text = message.content
    assert isinstance(thinking, wg.ThinkingBlock)
    assert (thinking.thinking, thinking.signature) == ("Paris?", "c2ln")
    assert isinstance(redacted, wg.ThinkingBlock)
    assert (redacted.thinking, redacted.signature, redacted.redacted) == ("", "ZGF0YQ==", True)
    assert isinstance(text, wg.TextBlock)
    assert text.annotations == [wg.AnnotationRef("https://a.b/", "t", start=0, end=2)]
    assert message.usage is not None
    assert message.usage.cost == wg.Cost(total=0.25)


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        (b"2", b'"total":2.0}'),
        (b"0", b'"total":0.0}'),
        (b'{"total_cost":1}', b'"total":1.0}'),
        (b"true", None),
        (b"1" + b"0" * 400, None),
        (b'"2"', None),
    ],
    ids=["whole", "nothing", "in an object", "no number", "beyond a float", "text"],
)
def test_a_cost_comes_back_from_native_json(cost: bytes, expected: bytes | None) -> None:
    body = OPENROUTER_BODY.replace(b'"cost":0.25', b'"cost":%b' % cost)
    message = chat.decode_response(body, dialect="openrouter").message
    native = wg.json.encode([message])
    assert (b'"cost":{"input"' in native) is (expected is not None)
    assert expected is None or expected in native
    assert wg.json.encode(wg.json.decode(native)) == native


@pytest.mark.parametrize("read_as", ["openai", "openrouter", "deepseek"])
@pytest.mark.parametrize("dialect", BODIES)
def test_an_answer_comes_back_to_its_own_wire(dialect: str, read_as: str) -> None:
    body = BODIES[dialect]
    response = chat.decode_response(body, dialect=read_as)
    made = chat.encode_response(response, dialect=read_as)
    _check(made, dialect)
    assert _plain(json.loads(made)) == _plain(json.loads(body))
    assert chat.decode_response(made, dialect=read_as) == response


STOPS = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "toolUse",
    "function_call": "toolUse",
    "content_filter": "guardRail",
    "insufficient_system_resource": "error",
    "sensitive": "guardRail",
    "model_context_window_exceeded": "length",
    "network_error": "error",
    "abort": "aborted",
    "error": "error",
    "a_new_word": "stop",
}


@pytest.mark.parametrize("word", STOPS)
def test_why_an_answer_ended_is_read_and_comes_back(word: str) -> None:
    response = chat.decode_response(_body(finish=word))
    assert (response.message.stop_reason, response.message.raw_stop_reason) == (STOPS[word], word)
    assert json.loads(chat.encode_response(response))["choices"][0]["finish_reason"] == word


def test_calls_make_a_stop_a_use_of_tools() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    response = chat.decode_response(_body(_said(tool_calls=[call])))
    assert (response.message.stop_reason, response.message.raw_stop_reason) == ("toolUse", "stop")
    assert json.loads(chat.encode_response(response))["choices"][0]["finish_reason"] == "stop"


def test_an_answer_without_a_reason_comes_back_without_one() -> None:
    response = chat.decode_response(_body(finish=None))
    assert response.message.stop_reason is None
    assert json.loads(chat.encode_response(response))["choices"][0]["finish_reason"] is None


USAGES = {
    "cached tokens are inside the prompt": (
        {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 4}},
        (5, 4, 0, 0),
    ),
    "more cached tokens than there are leave none": (
        {"prompt_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}},
        (0, 4, 0, 0),
    ),
    "DeepSeek's hits": ({"prompt_tokens": 9, "prompt_cache_hit_tokens": 8}, (1, 8, 0, 0)),
    "Moonshot's": ({"prompt_tokens": 9, "cached_tokens": 7}, (2, 7, 0, 0)),
    "reasoning inside the completion": (
        {
            "prompt_tokens": 1,
            "completion_tokens": 9,
            "total_tokens": 10,
            "completion_tokens_details": {"reasoning_tokens": 6},
        },
        (1, 0, 9, 6),
    ),
    "reasoning beside the completion (xAI)": (
        {
            "prompt_tokens": 1,
            "completion_tokens": 3,
            "total_tokens": 10,
            "completion_tokens_details": {"reasoning_tokens": 6},
        },
        (1, 0, 9, 6),
    ),
    "counts that are null": (
        {"prompt_tokens": 1, "completion_tokens": None, "prompt_tokens_details": None},
        (1, 0, 0, 0),
    ),
}


@pytest.mark.parametrize("name", USAGES)
def test_the_usage_is_converted(name: str) -> None:
    given, counts = USAGES[name]
    usage = _counted(**given)
    assert (usage.input, usage.cache_read, usage.output, usage.reasoning) == counts


def test_the_usage_goes_back_as_it_came_until_it_changes() -> None:
    response = chat.decode_response(_body(usage={"prompt_tokens": 9, "new": [1]}))
    assert json.loads(chat.encode_response(response))["usage"] == {"prompt_tokens": 9, "new": [1]}
    response.message.usage = wg.Usage(input=1, output=2, reasoning=1, cache_read=4, cache_write=5)
    assert json.loads(chat.encode_response(response))["usage"] == {
        "prompt_tokens": 10,
        "completion_tokens": 2,
        "total_tokens": 12,
        "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 5},
        "completion_tokens_details": {"reasoning_tokens": 1},
    }


ODD = {
    "an empty text beside calls": _said(
        content="",
        tool_calls=[{"id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}],
    ),
    "empty thinking": _said(content="hi", reasoning_content="", reasoning=""),
    "thinking under both keys": _said(content="hi", reasoning="T", reasoning_content="T"),
    "a refusal": _said(refusal="No."),
    "content that is an object": _said(content={"a": [1, 2]}),
    "a deprecated function call": _said(function_call={"name": "f", "arguments": "{}"}),
    "a custom call": _said(
        tool_calls=[{"id": "a", "type": "custom", "custom": {"name": "f", "input": "4 + 4"}}]
    ),
    "a call of a kind that one service has": _said(
        tool_calls=[
            {
                "id": "a",
                "type": "builtin_function",
                "function": {"name": "$web_search", "arguments": "{}"},
            }
        ]
    ),
    "a spoken answer": _said(
        audio={"id": "audio_1", "data": "AAECAw==", "expires_at": 9, "transcript": "hey"}
    ),
    "keys that nobody knows": _said(content="hi", executed_tools=[{"index": 0}]),
    "a call with more to it": _said(
        tool_calls=[
            {
                "index": 0,
                "id": "a",
                "type": "function",
                "function": {"name": "f", "arguments": "{}"},
                "extra_content": {"google": {"thought_signature": "s"}},
            }
        ]
    ),
    "an id that is longer than OpenAI's": _said(
        tool_calls=[
            {"id": "c" * 43, "type": "function", "function": {"name": "f", "arguments": "{"}}
        ]
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_message_comes_back_as_it_came(name: str) -> None:
    body = _body(ODD[name])
    response = chat.decode_response(body)
    made = chat.encode_response(response)
    assert _plain(json.loads(made)) == _plain(json.loads(body))
    assert chat.decode_response(made) == response


def test_the_kind_of_call_that_one_service_has_goes_to_no_other() -> None:
    call = {"id": "a", "type": "builtin_function", "function": {"name": "f", "arguments": "{}"}}
    response = chat.decode_response(_body(_said(tool_calls=[call])), dialect="generic")
    assert b'"type":"builtin_function"' in chat.encode_response(response, dialect="generic")
    assert b'"type":"function"' in chat.encode_response(response, dialect="openai")


def test_a_call_is_of_the_kind_whose_key_it_has() -> None:
    call = {"id": "a", "type": "custom", "function": {"name": "f", "arguments": "{}", "x": 1}}
    response = chat.decode_response(_body(_said(tool_calls=[call])))
    made = chat.encode_response(response)
    assert b'"type":"function","function":{"x":1,"name":"f","arguments":"{}"}' in made
    assert chat.decode_response(made) == response


def test_keys_of_the_answer_and_of_its_choices_are_kept() -> None:
    choice = {"index": 3, "message": _said(content="hi"), "finish_reason": "stop", "seed": 7}
    body = _body(choices=[choice], citations=["u"], object="chat.completion.done")
    response = chat.decode_response(body)
    assert response.extras is not None
    assert response.extras[API].keys.value == {
        "citations": ["u"],
        "choices": [{"seed": 7, "index": 3}],
        "object": "chat.completion.done",
    }
    assert _plain(json.loads(chat.encode_response(response))) == _plain(json.loads(body))


def test_keys_of_services_that_the_model_has_no_field_for_come_back() -> None:
    choice = {
        "index": 0,
        "message": _said(content="hi"),
        "finish_reason": "stop",
        "native_finish_reason": "completed",
        "content_filter_results": {"hate": {"filtered": False}},
    }
    body = _body(
        choices=[choice],
        x_groq={"id": "req_1"},
        usage_breakdown={"models": []},
        timings={"prompt_ms": 1.5},
        prompt_filter_results=[{"prompt_index": 0}],
        moderation={"k": 1},
        metadata={"k": "v"},
    )
    response = chat.decode_response(body)
    assert _plain(json.loads(chat.encode_response(response))) == _plain(json.loads(body))


def test_empty_thinking_is_no_block() -> None:
    for key in ("reasoning", "reasoning_content"):
        message = chat.decode_response(_body(_said(content="hi", **{key: ""}))).message
        assert message.content == [wg.TextBlock("hi")]


@pytest.mark.parametrize("key", ["reasoning", "reasoning_content"])
def test_empty_thinking_does_not_go_to_another_service(key: str) -> None:
    body = _body(_said(content="hi", **{key: ""}))
    message = chat.decode_response(body, dialect="deepseek").message
    asked = wg.Request([message], model="m")
    said = '{"model":"m","messages":[{%s"role":"assistant","content":"hi"}]}'
    assert chat.encode_request(asked).decode() == said % ""
    assert chat.encode_request(asked, dialect="deepseek").decode() == said % f'"{key}":"",'


def test_a_refusal_that_came_as_a_part_is_the_answers_refusal() -> None:
    parts = [{"type": "refusal", "refusal": "No."}]
    response = chat.decode_response(_body(_said(content=parts)))
    said = json.loads(chat.encode_response(response))["choices"][0]["message"]
    assert said == {"role": "assistant", "content": None, "refusal": "No."}


def test_the_keys_of_a_refusal_that_came_as_a_part_are_a_loss() -> None:
    parts = [{"type": "refusal", "refusal": "No.", "new": 1}]
    losses: list[wg.Loss] = []
    chat.encode_response(chat.decode_response(_body(_said(content=parts))), losses=losses)
    assert [(loss.what, loss.path) for loss in losses] == [("extras", "$.message.content[0]")]


def test_an_image_in_an_answer_comes_back_as_it_came() -> None:
    parts = [
        {"type": "text", "text": "x"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
    ]
    response = chat.decode_response(_body(_said(content=parts)))
    assert [type(block) for block in response.message.content] == [wg.TextBlock, wg.ImageBlock]
    said = json.loads(chat.encode_response(response))["choices"][0]["message"]
    assert said["content"] == parts


def test_further_choices_are_alternatives() -> None:
    choices = [
        {"index": i, "message": _said(content=text), "finish_reason": "stop"}
        for i, text in enumerate(("a", "b", "c"))
    ]
    body = _body(choices=choices)
    response = chat.decode_response(body)
    assert response.message.text() == "a"
    assert [other.text() for other in response.alternatives or ()] == ["b", "c"]
    assert _plain(json.loads(chat.encode_response(response))) == _plain(json.loads(body))


def test_calls_without_ids_get_some_by_which_their_results_find_them() -> None:
    function = {"name": "f", "arguments": "{}"}
    bare = [{"id": "", "type": "function", "function": function}] * 2
    body = _body(_said(tool_calls=bare), "tool_calls")
    response = chat.decode_response(body)
    calls = response.message.tool_calls()
    ids = ["call_ad332d775514_0", "call_ad332d775514_1"]  # b2sum -l 48 of the answer's id
    assert [call.id for call in calls] == ids
    told = json.loads(chat.encode_response(response))["choices"][0]["message"]["tool_calls"]
    assert [call["id"] for call in told] == ids
    results = [wg.ToolResultBlock.from_text(call.id, "x") for call in calls]
    asked = wg.Request([response.message, wg.ToolMessage([*results])], model="m")
    said, *answers = json.loads(chat.encode_request(asked))["messages"]
    assert [call["id"] for call in said["tool_calls"]] == ids
    assert [each["tool_call_id"] for each in answers] == ids


def test_padding_before_and_inside_the_answer_says_nothing() -> None:
    padded = b"\n  \n" + _body({"role": "assistant", "content": "hi", "padding": "ab", "new": 1})
    message = chat.decode_response(padded).message
    assert message.content == [wg.TextBlock("hi")]
    assert message.extras is not None
    assert message.extras[API].keys.value == {"new": 1}


def test_an_error_in_place_of_an_answer_is_an_error() -> None:
    with pytest.raises(wg.ProviderError, match="openai_chat: rate_limit") as caught:
        chat.decode_response(b'{"error":{"message":"slow down","code":429}}')
    assert (caught.value.status, caught.value.message) == (429, "slow down")


BAD = {
    "no object": (b"[]", "expected `object`, got `array` - at `$`"),
    "no choices": (b'{"id":"x"}', "object missing required field `choices` - at `$`"),
    "no choice": (
        b'{"choices":[]}',
        "answer without choices, expected at least one - at `$.choices`",
    ),
    "a number for a text": (
        _body({"role": "assistant", "content": 7}),
        "expected `str | object | array | null`, got `int` - at `$.choices[0].message.content`",
    ),
    "a time that is none": (
        _body(created=1e300),
        "time out of range, expected at most 10**14 seconds from 1970 - at `$.created`",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_answer_is_an_error_with_a_path(name: str) -> None:
    body, reason = BAD[name]
    with pytest.raises(wg.DecodeError) as caught:
        chat.decode_response(body)
    assert str(caught.value) == f"openai_chat: {reason}"


def test_an_unknown_dialect_is_the_callers_fault() -> None:
    with pytest.raises(wg.EncodeError, match="unknown dialect `x`"):
        chat.decode_response(BODY, dialect="x")


# -- answers of other APIs --------------------------------------------------------------------

ANSWER = wg.Response(
    wg.AssistantMessage(
        [
            wg.ThinkingBlock("T", "sig"),
            wg.TextBlock("one "),
            wg.TextBlock("two"),
            wg.ToolCallBlock("toolu_1", "f", '{"a": 1e2}'),
            wg.ToolCallBlock("x" * 50, "g", ""),
        ],
        stop_reason=wg.StopReason.TOOL_USE,
        model="claude",
        usage=wg.Usage(input=3, output=4, cache_read=2),
        api="anthropic-messages",
    ),
    id="msg_1",
    created_at=1500,
)


def test_an_answer_of_another_api_is_written_in_these_bytes() -> None:
    losses: list[wg.Loss] = []
    made = chat.encode_response(ANSWER, losses=losses, dialect="deepseek")
    assert made == (
        b'{"id":"msg_1","object":"chat.completion","created":1,"model":"claude","choices":['
        b'{"index":0,"message":{"content":"one two","role":"assistant","reasoning_content":"T",'
        b'"tool_calls":[{"id":"toolu_1","type":"function","function":{"name":"f","arguments":'
        b'"{\\"a\\": 1e2}"}},{"id":"' + b"x" * 50 + b'","type":"function","function":{"name":"g",'
        b'"arguments":"{}"}}]},"logprobs":null,"finish_reason":"tool_calls"}],"usage":'
        b'{"prompt_tokens":5,"completion_tokens":4,"total_tokens":9,"prompt_tokens_details":'
        b'{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":0}}}'
    )
    assert [str(loss) for loss in losses] == [
        "signature: this dialect has no place for it, or it is of other models; left out - at "
        "`$.message.content[0]`"
    ]


def test_the_types_of_openai_take_an_answer_of_another_api() -> None:
    losses: list[wg.Loss] = []
    made = chat.encode_response(ANSWER, losses=losses)
    _check(made)
    assert [loss.what for loss in losses] == ["thinking"]
    assert len(json.loads(made)["choices"][0]["message"]["tool_calls"][1]["id"]) == 40


def test_a_loss_without_a_list_is_an_error() -> None:
    with pytest.raises(wg.LossError, match="thinking") as caught:
        chat.encode_response(ANSWER)
    assert caught.value.path == "$.message.content[0]"


def test_an_answer_of_nothing_is_whole() -> None:
    made = chat.encode_response(wg.Response(wg.AssistantMessage([])), ids=lambda: "made")
    _check(made)
    assert made == (
        b'{"id":"chatcmpl-made","object":"chat.completion","created":0,"model":"","choices":['
        b'{"index":0,"message":{"content":null,"role":"assistant","refusal":null},'
        b'"logprobs":null,"finish_reason":"stop"}]}'
    )


REASONS = {
    wg.StopReason.STOP: ("stop", []),
    wg.StopReason.LENGTH: ("length", []),
    wg.StopReason.TOOL_USE: ("stop", []),  # without a call
    wg.StopReason.GUARD_RAIL: ("content_filter", []),
    wg.StopReason.PAUSED: ("stop", ["stop reason"]),
    wg.StopReason.ERROR: ("stop", ["stop reason"]),
}


@pytest.mark.parametrize("reason", REASONS)
def test_the_reasons_of_other_apis_have_words(reason: wg.StopReason) -> None:
    word, what = REASONS[reason]
    losses: list[wg.Loss] = []
    response = wg.Response(wg.AssistantMessage([wg.TextBlock("hi")], stop_reason=reason, api="o"))
    made = json.loads(chat.encode_response(response, losses=losses))
    assert made["choices"][0]["finish_reason"] == word
    assert [loss.what for loss in losses] == what


def test_the_sequence_that_stopped_an_answer_is_a_loss() -> None:
    losses: list[wg.Loss] = []
    message = wg.AssistantMessage(
        [wg.TextBlock("hi")], stop_reason=wg.StopReason.STOP, stop_sequence="###", api="o"
    )
    chat.encode_response(wg.Response(message), losses=losses)
    assert [loss.what for loss in losses] == ["stop sequence"]


def test_an_answer_goes_back_in_the_next_request() -> None:
    spoken = _body(ODD["a spoken answer"], tool_calls=None)
    messages = [
        wg.UserMessage([wg.TextBlock("hi")]),
        chat.decode_response(_body(ODD["a custom call"])).message,
        wg.ToolResultMessage("a", "f", [wg.TextBlock("8")]),
        chat.decode_response(spoken).message,
    ]
    sent = json.loads(chat.encode_request(wg.Request(messages, model="m")))["messages"]
    assert sent[1]["tool_calls"][0]["custom"] == {"name": "f", "input": "4 + 4"}
    assert sent[3]["audio"] == {"id": "audio_1"}


# -- one answer in several choices -------------------------------------------------------------

SPLIT = (
    '{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[%s]}'  # its choices
)
TEXT = (
    '{"index":0,"message":{"content":"Text","role":"assistant","refusal":null},"logprobs":null,'
    '"finish_reason":"tool_calls"}'
)
CALLED = (
    '{"index":1,"message":{"content":null,"role":"assistant","refusal":null,"tool_calls":'
    '[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},"logprobs":null,'
    '"finish_reason":"tool_calls"}'
)
OTHER = CALLED.replace('"a"', '"b"').replace('"index":1', '"index":2')
IN_PARTS = {
    "a text, and a call": (TEXT, CALLED),
    "a text, and two calls": (TEXT, CALLED, OTHER),
    "one number for both": (TEXT, CALLED.replace('"index":1', '"index":0')),
    "a call, and a text": (
        CALLED.replace('"index":1', '"index":0'),
        TEXT.replace('"index":0', '"index":1'),
    ),
    "another finish reason under one number": (
        TEXT.replace("tool_calls", "stop"),
        CALLED.replace('"index":1', '"index":0'),
    ),
    "calls under one number": (
        CALLED.replace('"index":1', '"index":0'),
        OTHER.replace('"index":2', '"index":0'),
    ),
    "keys of its own in each": (
        TEXT.replace('"content":"Text"', '"content":"Text","k":1').replace(
            '"logprobs":null', '"logprobs":{"content":[]}'
        ),
        CALLED.replace('"content":null', '"content":null,"k":3'),
    ),
}
ALTERNATIVES = {
    "two texts": (TEXT.replace("tool_calls", "stop"),) * 2,
    "a text that ended, and a call": (TEXT.replace("tool_calls", "stop"), CALLED),
    "a text, and a text with a call": (TEXT, CALLED.replace("null", '"Or"', 1)),
    "a call each": (CALLED.replace('"index":1', '"index":0'), OTHER.replace(":2", ":1", 1)),
    "the same call twice": (CALLED.replace('"index":1', '"index":0'), CALLED),
}


@pytest.mark.parametrize("name", IN_PARTS)
def test_choices_that_cannot_be_alternatives_are_one_message(name: str) -> None:
    data = SPLIT % ",".join(IN_PARTS[name])
    response = chat.decode_response(data)
    assert response.alternatives is None
    assert response.message.text() in ("Text", "")
    assert len(response.message.content) == data.count('"Text"') + data.count('"name":"f"')
    assert response.message.stop_reason == wg.StopReason.TOOL_USE
    assert chat.encode_response(response).decode() == data


@pytest.mark.parametrize("name", ALTERNATIVES)
def test_whole_answers_remain_alternatives(name: str) -> None:
    first, second = ALTERNATIVES[name]
    data = SPLIT % f"{first},{second}"
    assert len(chat.decode_response(data).alternatives or ()) == 1


def test_an_answer_without_numbers_of_its_choices_is_one_message() -> None:
    data = SPLIT % f"{TEXT},{CALLED}".replace('"index":0,', "").replace('"index":1,', "")
    losses: list[wg.Loss] = []
    assert wg.translate_response(data, "openai_chat", "anthropic", losses=losses) == (
        b'{"id":"x","type":"message","role":"assistant","model":"m","content":[{"type":"text",'
        b'"text":"Text"},{"type":"tool_use","id":"a","name":"f","input":{}}],"stop_reason":'
        b'"tool_use","stop_sequence":null,"usage":{"input_tokens":0,'
        b'"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}'
    )
    assert losses == []


def test_a_message_that_changed_is_written_as_one_choice() -> None:
    response = chat.decode_response(SPLIT % f"{TEXT},{CALLED}")
    response.message.content.pop()
    response.message.stop_reason = wg.StopReason.STOP
    made = json.loads(chat.encode_response(response))
    assert [choice["message"]["content"] for choice in made["choices"]] == ["Text"]


# -- times -------------------------------------------------------------------------------------


def test_a_time_that_was_given_later_is_a_whole_number() -> None:
    response = chat.decode_response(_body(created=0))
    response.created_at = 1795534498152
    assert b'"created":1795534498,' in chat.encode_response(response)


def test_a_time_that_came_as_a_fraction_goes_back_as_one() -> None:
    response = chat.decode_response(_body(created=1754432618.25))
    assert b'"created":1754432618.25,' in chat.encode_response(response)
    response.created_at = 1754432619152
    assert b'"created":1754432619,' in chat.encode_response(response)


COUNTS_OF_OTHERS = {
    "a fraction": ('"input_tokens":1.5', 10, 0),
    "a list of details": ('"input_tokens_details":[]', 10, 0),
    "a text for details": ('"output_tokens_details":"x"', 10, 0),
    "details of Responses": ('"input_tokens_details":{"cached_tokens":4}', 6, 4),
}


@pytest.mark.parametrize(
    ("beside", "asked", "cached"), COUNTS_OF_OTHERS.values(), ids=COUNTS_OF_OTHERS
)
def test_counts_under_keys_of_responses_may_be_anything(
    beside: str, asked: int, cached: int
) -> None:
    body = (
        '{"id":"a","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
        '"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],'
        '"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12,' + beside + "}}"
    )
    usage = wg.providers.openai_chat.decode_response(body).message.usage
    assert usage is not None
    assert (usage.input, usage.cache_read, usage.output) == (asked, cached, 2)
