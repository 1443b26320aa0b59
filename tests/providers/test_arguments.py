"""A call without arguments, and one whose arguments come behind a placeholder, on every wire."""

import json
from typing import Any

import pytest

import wireglot as wg

CALL = '"function":{"name":"f"%s}'
ANSWERS = {
    "anthropic": (
        '{"id":"a","type":"message","role":"assistant","model":"m","stop_reason":"tool_use",'
        '"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1},'
        '"content":[{"type":"tool_use","id":"c","name":"f"%s}]}',
        "input",
    ),
    "openai_chat": (
        '{"id":"a","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
        '"finish_reason":"tool_calls","message":{"role":"assistant","content":null,'
        f'"tool_calls":[{{"id":"c","type":"function",{CALL}}}]}}}}]}}',
        "arguments",
    ),
    "openai_responses": (
        '{"id":"a","object":"response","created_at":1,"model":"m","status":"completed",'
        '"output":[{"type":"function_call","id":"fc_1","call_id":"c","name":"f"%s}]}',
        "arguments",
    ),
    "gemini": (
        '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f"%s}}]},'
        '"finishReason":"STOP"}]}',
        "args",
    ),
    "bedrock": (
        '{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"c",'
        '"name":"f"%s}}]}},"stopReason":"tool_use",'
        '"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},"metrics":{"latencyMs":1}}',
        "input",
    ),
    "mistral": (
        '{"id":"a","object":"chat.completion","created":1,"model":"m","usage":{"prompt_tokens":1,'
        '"completion_tokens":1,"total_tokens":2},"choices":[{"index":0,"finish_reason":"tool_calls"'
        f',"message":{{"role":"assistant","content":"","tool_calls":[{{"id":"c",{CALL}}}]}}}}]}}',
        "arguments",
    ),
    "cohere": (
        '{"id":"a","finish_reason":"TOOL_CALL","message":{"role":"assistant",'
        f'"tool_calls":[{{"id":"c","type":"function",{CALL}}}]}}}}',
        "arguments",
    ),
    "ollama": (
        '{"model":"m","created_at":"2024-01-01T00:00:00Z","done":true,"done_reason":"stop",'
        f'"message":{{"role":"assistant","content":"","tool_calls":[{{{CALL}}}]}}}}',
        "arguments",
    ),
}
"""Wire -> an answer with a call, and the key of the arguments, which `%s` stands for."""


def _arguments(answer: bytes) -> Any:
    return json.loads(answer)["content"][0]["input"]


def _spoken(answer: bytes) -> Any:
    return json.loads(answer)["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]


@pytest.mark.parametrize("arguments", ["", ',"%s":null'])
@pytest.mark.parametrize("source", ANSWERS)
def test_no_arguments_are_an_empty_object_on_every_wire(source: str, arguments: str) -> None:
    answer, key = ANSWERS[source]
    data = (answer % (arguments.replace("%s", key))).encode()
    losses: list[wg.Loss] = []
    to_anthropic = wg.translate_response(data, source, "anthropic", losses=losses)
    to_chat = wg.translate_response(data, source, "openai_chat", losses=losses)
    assert (_arguments(to_anthropic), _spoken(to_chat)) == ({}, "{}")
    assert "arguments" not in [loss.what for loss in losses]


@pytest.mark.parametrize("source", ["openai_chat", "openai_responses", "mistral", "cohere"])
def test_a_text_that_says_null_is_an_empty_object_everywhere(source: str) -> None:
    answer, key = ANSWERS[source]
    data = (answer % f',"{key}":"null"').encode()
    assert _arguments(wg.translate_response(data, source, "anthropic")) == {}
    for target in ("openai_chat", "openai_responses", "mistral", "cohere"):
        assert b'"arguments":"{}"' in wg.translate_response(data, source, target, losses=[])


@pytest.mark.parametrize("text", ['"null"', '" "'])
@pytest.mark.parametrize("source", ["anthropic", "gemini", "bedrock", "ollama"])
def test_an_input_that_is_a_text_of_nothing_is_an_empty_object(source: str, text: str) -> None:
    answer, key = ANSWERS[source]
    data = answer % f',"{key}":{text}'
    for target in ("openai_chat", "openai_responses", "mistral", "cohere"):
        assert b'"arguments":"{}"' in wg.translate_response(data, source, target, losses=[])


def test_blank_arguments_are_an_empty_object_at_mistral() -> None:
    answer, key = ANSWERS["mistral"]
    made = wg.translate_response(answer % f',"{key}":" "', "mistral", "mistral")
    assert b'"arguments":"{}"' in made


def _chunk(delta: str) -> bytes:
    return f'data: {{"id":"a","model":"m","choices":[{{"index":0,"delta":{delta}}}]}}\n\n'.encode()


def _calling(arguments: str, more: str = "") -> bytes:
    function = f'"function":{{{more}"arguments":{arguments}}}'
    return _chunk(f'{{"tool_calls":[{{"index":0,"id":"c",{function}}}]}}')


END = b'data: {"id":"a","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n'


def test_calls_without_arguments_end_before_the_next_begins() -> None:
    decoder = wg.providers.openai_chat.StreamDecoder()
    events = decoder.feed(_calling('"{}"', '"name":"f",'))
    other = _calling('"{}"', '"name":"g",').replace(b'"index":0,"id":"c"', b'"index":1,"id":"d"')
    events += decoder.feed(other)
    told = [(type(event).__name__, event.index) for event in events[1:]]
    assert told == [
        ("BlockStart", 0),
        ("ArgumentsDelta", 0),
        ("BlockEnd", 0),
        ("BlockStart", 1),
    ]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (['"{}"'], "{}"),
        (['"{}"', '""'], "{}"),
        (["null"], "{}"),
        (['"{}"', '"{\\"x\\":"', '"1}"'], '{"x":1}'),
        (['""', '"{}"', '"{\\"x\\":1}"'], '{"x":1}'),
        (['"{"', '"}"'], "{}"),
        (['"{"', '"}"', '"{\\"x\\":1}"'], '{"x":1}'),
        (['"{"', '"}{\\"x\\":1}"'], '{"x":1}'),
        (['" "', '"{"', '" "', '"}"', '"{\\"x\\":"', '"1}"'], '{"x":1}'),
        (['"{"', '"\\"x\\":1}"'], '{"x":1}'),
        (['"null"', '"{\\"x\\":1}"'], '{"x":1}'),
        (['"nu"', '"ll"'], "{}"),
        (['" "'], "{}"),
        (['"{"'], "{"),
        (['"{"', '" }"'], "{ }"),
    ],
)
def test_an_empty_object_before_the_arguments_is_not_part_of_them(
    pieces: list[str], expected: str
) -> None:
    first, *others = pieces
    decoder = wg.providers.openai_chat.StreamDecoder()
    events = decoder.feed(_calling(first, '"name":"f",'))
    for piece in others:
        events += decoder.feed(_calling(piece))
    events += decoder.feed(END + b"data: [DONE]\n\n")
    call = decoder.close().message.content[0]
    assert type(call) is wg.ToolCallBlock
    assert call.arguments.text.decode() == expected
    deltas = [event.text for event in events if type(event) is wg.ArgumentsDelta]
    assert "".join(deltas) == expected
