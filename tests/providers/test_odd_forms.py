"""Forms that services and clients really send, though the APIs' own types do not have them."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.streams import SIZES, chunked


def _sse(*events: Any) -> bytes:
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def _answered(name: str, *events: Any) -> wg.Response:
    """Return the answer of a stream, which is the same for chunks of any size."""
    data = _sse(*events)
    answers = []
    for size in (*SIZES, len(data)):
        decoder = wg.PROVIDERS[name].StreamDecoder()
        for chunk in chunked(data, size):
            decoder.feed(chunk)
        answers.append(decoder.close())
    assert answers[1:] == answers[:1] * len(SIZES)
    return answers[0]


# -- Azure: an answer that was filtered ----------------------------------------------------------

FILTERED = (
    '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
    '"finish_reason":"content_filter","content_filter_results":{"hate":{"filtered":true}}}],'
    '"usage":{"prompt_tokens":3,"completion_tokens":0,"total_tokens":3}}'
)


def test_an_answer_that_azure_has_filtered_has_no_message() -> None:
    message = wg.providers.openai_chat.decode_response(FILTERED).message
    assert (message.content, message.stop_reason) == ([], "guardRail")
    losses: list[wg.Loss] = []
    made = wg.translate_response(FILTERED, "openai_chat", "anthropic", losses=losses)
    assert b'"content":[],"stop_reason":"refusal"' in made
    made = wg.translate_response(FILTERED, "openai_chat", "openai_chat")
    assert b'"content_filter_results":{"hate":{"filtered":true}}' in made


def test_a_choice_without_a_message_is_not_an_answer_of_chat() -> None:
    body = FILTERED.replace("content_filter", "other").replace('"other"', '"stop"')
    with pytest.raises(wg.DecodeError, match=r"missing required field `message` - at `\$.choices"):
        wg.providers.openai_chat.decode_response(body)


# -- streams -------------------------------------------------------------------------------------

_BEGUN = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m"}


@pytest.mark.parametrize(
    "keys",
    [{"content": None, "usage": None}, {"content": None}, {"usage": None}, {"usage": {}}, {}],
    ids=str,
)
def test_a_message_of_anthropic_may_begin_with_nulls(keys: dict[str, Any]) -> None:
    answer = _answered(
        "anthropic",
        {"type": "message_start", "message": _BEGUN | keys},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn"},
            "usage": {"output_tokens": 2},
        },
        {"type": "message_stop"},
    )
    assert answer.message.text() == "Hi"
    assert answer.message.usage is not None
    assert answer.message.usage.output == 2


def _cohere(kind: str, key: str = "", value: Any = None, **more: Any) -> dict[str, Any]:
    return {"type": kind, **({"delta": {"message": {key: value}}} if key else {}), **more}


def _called(call_id: str, **more: Any) -> dict[str, Any]:
    function = {"name": f"f_{call_id}", "arguments": ""}
    call = {"id": call_id, "type": "function", "function": function}
    return _cohere("tool-call-start", "tool_calls", call, **more)


def _given(text: str) -> dict[str, Any]:
    return _cohere("tool-call-delta", "tool_calls", {"function": {"arguments": text}})


COHERE_END = {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}}


@pytest.mark.parametrize("numbered", [True, False])
def test_deltas_of_cohere_without_a_number_belong_to_what_is_open(numbered: bool) -> None:
    def number(at: int) -> dict[str, Any]:
        return {"index": at} if numbered else {}

    message = _answered(
        "cohere",
        _cohere("message-start", "role", "assistant", id="x"),
        _cohere("content-start", "content", {"type": "text", "text": ""}, **number(0)),
        _cohere("content-delta", "content", {"text": "Hi"}),
        _cohere("content-end"),
        _called("a", **number(0)),
        _given('{"x":'),
        _given("1}"),
        _cohere("tool-call-end"),
        _called("b", **number(1)),
        _given('{"y":2}'),
        _cohere("tool-call-end"),
        COHERE_END,
    ).message
    calls = [(call.id, call.name, call.arguments.value) for call in message.tool_calls()]
    assert (message.text(), calls) == ("Hi", [("a", "f_a", {"x": 1}), ("b", "f_b", {"y": 2})])


def test_arguments_of_cohere_without_a_call_are_an_error() -> None:
    decoder = wg.providers.cohere.StreamDecoder()
    decoder.feed(_sse(_cohere("message-start", "role", "assistant", id="x"), _given("{}")))
    with pytest.raises(wg.StreamError, match="arguments without a call"):
        decoder.feed(b"")


def test_thinking_of_cohere_may_begin_without_a_text() -> None:
    answer = _answered(
        "cohere",
        _cohere("message-start", "role", "assistant", id="x"),
        _cohere("content-start", "content", {"type": "thinking"}, index=0),
        _cohere("content-delta", "content", {"thinking": "Hm"}, index=0),
        _cohere("content-end", index=0),
        {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}},
    )
    assert answer.message.content == [wg.ThinkingBlock("Hm")]
    parts = '[{"type":"thinking"},{"type":"text","text":"Hi"}]'
    message = f'{{"role":"assistant","content":{parts}}}'
    body = f'{{"id":"x","finish_reason":"COMPLETE","message":{message}}}'
    assert wg.providers.cohere.decode_response(body).message.text() == "Hi"


def _chunk(choice: dict[str, Any]) -> dict[str, Any]:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return head | {"choices": [{"index": 0, **choice}]}


def test_a_message_in_place_of_a_delta_is_read_as_one() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x":1}'}}
    message = _answered(
        "openai_chat",
        _chunk({"message": {"role": "assistant", "content": "Hel"}}),
        _chunk({"message": {"content": "lo", "zz": 7}}),
        _chunk({"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}),
    ).message
    assert message.text() == "Hello"
    assert [call.arguments.value for call in message.tool_calls()] == [{"x": 1}]
    assert b'"zz":7' in wg.json.encode(message)


def test_a_message_behind_deltas_repeats_them() -> None:
    answer = _answered(
        "openai_chat",
        _chunk({"delta": {"content": "Hi"}}),
        _chunk({"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}),
    )
    assert answer.message.text() == "Hi"


# -- stops ---------------------------------------------------------------------------------------

PHANTOMS: dict[str, tuple[str, str]] = {
    "openai_chat": (
        '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
        '"message":{"role":"assistant","content":"Hi"},"finish_reason":"tool_calls"}]}',
        '"finish_reason":"tool_calls"',
    ),
    "anthropic": (
        '{"id":"m","type":"message","role":"assistant","model":"m","content":[{"type":"text",'
        '"text":"Hi"}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,'
        '"output_tokens":1}}',
        '"stop_reason":"tool_use"',
    ),
    "bedrock": (
        '{"output":{"message":{"role":"assistant","content":[{"text":"Hi"}]}},'
        '"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}',
        '"stopReason":"tool_use"',
    ),
    "mistral": (
        '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
        '"message":{"role":"assistant","content":"Hi"},"finish_reason":"tool_calls"}],'
        '"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}',
        '"finish_reason":"tool_calls"',
    ),
    "cohere": (
        '{"id":"x","finish_reason":"TOOL_CALL","message":{"role":"assistant","content":['
        '{"type":"text","text":"Hi"}]}}',
        '"finish_reason":"TOOL_CALL"',
    ),
}


@pytest.mark.parametrize("name", PHANTOMS)
def test_a_stop_for_tools_without_a_call_is_a_plain_one_for_others(name: str) -> None:
    body, word = PHANTOMS[name]
    made = wg.translate_response(body, name, name).decode()
    assert word in made  # its own wire keeps its word
    stream, other = (
        _streamed(name, body, name),
        "openai_chat" if name == "anthropic" else "anthropic",
    )
    assert word.encode() in stream
    for data in (wg.translate_response(body, name, other, losses=[]), _streamed(name, body, other)):
        assert b"tool_calls" not in data
        assert b"tool_use" not in data


def _streamed(name: str, body: str, target: str) -> bytes:
    """Return the stream that this answer would have been, on another wire."""
    stream = wg.StreamTranslator(name, name, losses=[])
    own = stream.feed(body.encode()) + stream.close()
    translator = wg.StreamTranslator(name, target, losses=[])
    return translator.feed(own) + translator.close()


@pytest.mark.parametrize("status", ["queued", "in_progress"])
def test_an_answer_that_is_still_to_come_is_not_a_turn_to_go_on_with(status: str) -> None:
    body = (
        f'{{"id":"r","object":"response","created_at":1,"model":"m","status":"{status}",'
        '"background":true,"output":[],"usage":null}'
    )
    assert wg.providers.openai_responses.decode_response(body).message.stop_reason == "paused"
    losses: list[wg.Loss] = []
    made = wg.translate_response(body, "openai_responses", "anthropic", losses=losses)
    assert b'"stop_reason":"end_turn"' in made
    assert [(loss.path, loss.what) for loss in losses] == [("$.message", "stop reason")]


# -- requests ------------------------------------------------------------------------------------

CALL = {"id": "call00001", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
@pytest.mark.parametrize("source", ["openai_chat", "mistral", "cohere"])
def test_a_result_that_is_null_is_an_empty_one(source: str, target: str) -> None:
    messages: list[Any] = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call00001", "content": None},
    ]
    made = []
    for content in (None, ""):
        messages[2]["content"] = content
        body = json.dumps({"model": "m", "messages": messages})
        made.append(wg.translate_request(body, source, target, losses=[], model="m"))
    empty = made[1].replace(b'"content":""', b'"content":null')
    assert made[0] in (made[1], empty)


FLAT = (
    '{"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function",'
    '"name":"f","description":"Does it.","parameters":{"type":"object","properties":{}},"zz":7}]}'
)


def test_a_tool_of_chat_may_have_the_keys_of_its_function() -> None:
    (tool,) = wg.providers.openai_chat.decode_request(FLAT).tools
    assert isinstance(tool, wg.Tool)
    assert (tool.name, tool.description) == ("f", "Does it.")
    made = wg.translate_request(FLAT, "openai_chat", "openai_chat").decode()
    assert (
        '"tools":[{"zz":7,"type":"function","function":{"name":"f","description":"Does it.",'
        '"parameters":{"type":"object","properties":{}}}}]'
    ) in made


def test_a_tool_of_chat_has_a_function_or_a_name() -> None:
    body = FLAT.replace('"name":"f",', "")
    with pytest.raises(wg.DecodeError) as caught:
        wg.providers.openai_chat.decode_request(body)
    assert str(caught.value) == (
        "openai_chat: object missing required field `function` - at `$.tools[0]`"
    )
