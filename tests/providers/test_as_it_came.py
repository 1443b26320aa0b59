"""Odd values of a wire: back on that wire as they came, a loss or left out on the others."""

import json
from typing import Any

import pytest

import wireglot as wg

CALL = b'{"id":"abcdefgh1","type":"builtin","function":{"name":"f","arguments":%b}}'
ASKED = (
    b'{"model":"m","stream":false,"messages":[{"role":"user","content":"q"},'
    b'{"role":"assistant","content":"","tool_calls":[%b]},'
    b'{"role":"tool","tool_call_id":"abcdefgh1","content":"r"}]}'
)
CHAT = (
    b'{"id":"x","object":"chat.completion","created":%b,"model":"m","choices":[%b],'
    b'"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}'
)
CHOICE = b'{"index":%b,"finish_reason":"%b","message":{"role":"assistant","content":"%b"%b}}'
OLLAMA = (
    b'{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{"role":"assistant",'
    b'"content":"","tool_calls":[%b]},"done":true,"done_reason":"stop"}'
)
ARGUMENTS = {"mistral": b'"{}"', "ollama": b"{}", "openai_chat": b'"{}"'}


def _request(source: str, target: str, data: bytes) -> tuple[bytes, list[str]]:
    losses: list[wg.Loss] = []
    return wg.translate_request(data, source, target, losses=losses), _told(losses)


def _response(source: str, target: str, data: bytes) -> tuple[bytes, list[str]]:
    losses: list[wg.Loss] = []
    return wg.translate_response(data, source, target, losses=losses), _told(losses)


def _told(losses: list[wg.Loss]) -> list[str]:
    return [f"{loss.path} {loss.what}" for loss in losses]


# The type of a call, a word that only its service knows.


@pytest.mark.parametrize(("source", "target"), [(a, b) for a in ARGUMENTS for b in wg.PROVIDERS])
def test_the_type_of_a_call_in_a_request(source: str, target: str) -> None:
    made, losses = _request(source, target, ASKED % (CALL % ARGUMENTS[source]))
    if source == target:
        assert b'"type":"builtin"' in made
        assert losses == []
    else:
        assert b"builtin" not in made
        assert [loss.split(" ")[1] for loss in losses if "[1]" in loss] == ["extras"]


@pytest.mark.parametrize(("source", "target"), [(a, b) for a in ARGUMENTS for b in wg.PROVIDERS])
def test_the_type_of_a_call_in_an_answer(source: str, target: str) -> None:
    call = CALL % ARGUMENTS[source]
    choice = CHOICE % (b"0", b"tool_calls", b"", b',"tool_calls":[%b]' % call)
    data = OLLAMA % call if source == "ollama" else CHAT % (b"1", choice)
    made, losses = _response(source, target, data)
    if source == target:
        assert b'"type":"builtin"' in made
        assert losses == []
    else:
        assert b"builtin" not in made
        assert losses == ["$.message.content[0] extras"]


@pytest.mark.parametrize("source", ARGUMENTS)
def test_the_usual_type_of_a_call_is_no_loss(source: str) -> None:
    call = (CALL % ARGUMENTS[source]).replace(b"builtin", b"function")
    assert _request(source, "anthropic", ASKED % call)[1] == []


# Fractions where a whole number belongs.


@pytest.mark.parametrize(
    ("options", "target", "expected"),
    [
        (b'"num_predict":0.917', "openai_chat", b"{%b}"),
        (b'"num_predict":2.5', "openai_chat", b"{%b}"),
        (b'"num_predict":2.0', "openai_chat", b'{"max_completion_tokens":2,%b}'),
        (b'"seed":0.5', "openai_chat", b"{%b}"),
        (b'"seed":0.5', "gemini", b""),
        (b'"top_k":0.5', "gemini", b""),
        (b'"top_k":40.0', "gemini", b'"generationConfig":{"topK":40},'),
    ],
)
def test_a_fraction_is_no_whole_number(options: bytes, target: str, expected: bytes) -> None:
    body = (
        b'{"model":"m","messages":[{"role":"user","content":"Hi"}],"stream":false,"options":{%b}}'
    )
    made, losses = _request("ollama", target, body % options)
    if target == "gemini":
        rest = b'{%b"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}' % expected
    else:
        rest = expected % b'"messages":[{"role":"user","content":"Hi"}]'
        rest = b'{"model":"m",' + rest[1:]
    assert made == rest
    assert losses == ([] if options.endswith(b".0") else ["$ extras"])
    assert options in _request("ollama", "ollama", body % options)[0]


# Mistral's images, numbers and times.


def test_a_detail_that_mistral_has_no_word_for() -> None:
    image = b'{"type":"image_url","image_url":{"url":"https://x.example/a.png","detail":"ultra"}}'
    body = b'{"model":"m","messages":[{"role":"user","content":[%b]}]}' % image
    made, losses = _request("mistral", "mistral", body)
    assert json.loads(made) == json.loads(body)
    assert losses == []
    for target in ("anthropic", "cohere", "openai_chat"):
        made, losses = _request("mistral", target, body)
        assert b"ultra" not in made
        assert losses == ["$.messages[0].content[0] extras"]


@pytest.mark.parametrize("number", [b"3", b"-1", b"5"])
@pytest.mark.parametrize("wire", ["mistral", "openai_chat"])
def test_the_number_of_a_call_and_of_a_choice(wire: str, number: bytes) -> None:
    call = (
        b'{"index":%b,"id":"abcdefgh1","type":"function","function":{"name":"f","arguments":"{}"}}'
    )
    choice = CHOICE % (number, b"tool_calls", b"", b',"tool_calls":[%b]' % (call % number))
    made, losses = _response(wire, wire, CHAT % (b"1", choice))
    assert losses == []
    said: Any = json.loads(made)["choices"][0]
    assert said["index"] == int(number)
    assert said["message"]["tool_calls"][0]["index"] == int(number)


def test_the_usual_numbers_are_not_kept() -> None:
    calls = b',"tool_calls":[%b]' % b",".join(
        b'{"index":%d,"id":"abcdefgh%d","type":"function","function":{"name":"f","arguments":"{}"}}'
        % (i, i)
        for i in range(2)
    )
    data = CHAT % (b"1", CHOICE % (b"0", b"tool_calls", b"", calls))
    response = wg.providers.mistral.decode_response(data)
    assert [block.extras for block in response.message.content] == [None, None]
    assert json.loads(wg.providers.mistral.encode_response(response)) == json.loads(data)


@pytest.mark.parametrize("wire", ["mistral", "openai_chat"])
@pytest.mark.parametrize("created", [b"1.5", b"0.25", b"-1", b"1735689600"])
def test_the_time_of_an_answer(wire: str, created: bytes) -> None:
    data = CHAT % (created, CHOICE % (b"0", b"stop", b"Hi", b""))
    made, losses = _response(wire, wire, data)
    assert b'"created":%b,' % created in made
    assert losses == []


def test_a_time_that_is_out_of_range_is_refused() -> None:
    data = CHAT % (b"1e300", CHOICE % (b"0", b"stop", b"Hi", b""))
    with pytest.raises(wg.DecodeError, match=r"out of range, .* - at `\$.created`"):
        wg.providers.mistral.decode_response(data)


def test_a_fraction_of_a_second_of_another_api_is_left_out() -> None:
    data = CHAT % (b"1.5", CHOICE % (b"0", b"stop", b"Hi", b""))
    assert b'"created":1,' in _response("openai_chat", "mistral", data)[0]


# Cohere's empty blocks with unknown keys.


@pytest.mark.parametrize(
    "part",
    [b'{"type":"thinking","thinking":"","zz":1}', b'{"type":"text","text":"","zz":1}'],
    ids=["thinking", "text"],
)
def test_keys_of_an_empty_block_of_cohere(part: bytes) -> None:
    data = (
        b'{"id":"x","finish_reason":"COMPLETE","message":{"role":"assistant","content":'
        b'[%b,{"type":"text","text":"Hi"}]}}' % part
    )
    made, losses = _response("cohere", "cohere", data)
    assert json.loads(made)["message"]["content"][0] == json.loads(part)
    assert losses == []
    assert "extras" in _response("cohere", "anthropic", data)[1][0]
