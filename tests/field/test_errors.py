"""Errors that services send: under status 200, where an answer was due, or in words of others."""

import json

import pytest

import wireglot as wg

ERRORS = {
    "anthropic": (
        b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        "anthropic: overloaded: Overloaded",
    ),
    "bedrock": (b'{"error":"busy"}', 'bedrock: server: {"error":"busy"}'),
    "cohere": (b'{"error":{"message":"busy"}}', "cohere: server: busy"),
    "gemini": (
        b'{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}',
        "gemini: overloaded (503): busy",
    ),
    "mistral": (b'{"error":{"message":"busy"}}', "mistral: server: busy"),
    "ollama": (b'{"error":"busy"}', "ollama: server: busy"),
    "openai_chat": (
        b'{"error":{"message":"busy","type":"server_error"}}',
        "openai_chat: server: busy",
    ),
    "openai_responses": (
        b'{"error":{"message":"busy","type":"server_error"}}',
        "openai_responses: server: busy",
    ),
}


for _name in wg.PROVIDERS.keys() - ERRORS:
    _busy = wg.ProviderError("overloaded", "busy", wire=_name)
    _body = wg.PROVIDERS[_name].encode_error(_busy)
    ERRORS[_name] = (_body, str(wg.PROVIDERS[_name].decode_error(_body)))


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_an_error_in_place_of_an_answer_is_that_of_the_provider(name: str) -> None:
    body, words = ERRORS[name]
    with pytest.raises(wg.ProviderError) as raised:
        wg.PROVIDERS[name].decode_response(body)
    assert str(raised.value) == words
    assert raised.value.body == body


@pytest.mark.parametrize("name", wg.PROVIDERS)
@pytest.mark.parametrize("body", [b"{}", b'{"error":null}', b"[]", b'{"error":"busy"', b"\xff"])
def test_what_is_neither_an_answer_nor_an_error_cannot_be_read(name: str, body: bytes) -> None:
    with pytest.raises(wg.DecodeError):
        wg.PROVIDERS[name].decode_response(body)


def test_a_broken_answer_beside_an_error_is_that_error() -> None:
    with pytest.raises(wg.ProviderError, match="busy"):
        wg.providers.openai_responses.decode_response(b'{"output":1,"error":{"message":"busy"}}')


def test_what_stands_beside_an_error_does_not_hide_it() -> None:
    with pytest.raises(wg.ProviderError, match="busy"):
        wg.providers.openai_chat.decode_response(b'{"error":{"message":"busy"},"message":"busy"}')


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_faults_of_a_server_before_the_api_are_one_text(name: str) -> None:
    """FastAPI has a list under `detail`, as servers of many models answer."""
    body = b'{"detail":[{"loc":["body","n"],"msg":"not a number"},{"msg":"no model"}]}'
    error = wg.PROVIDERS[name].decode_error(body, 422)
    assert error.message == "body.n: not a number; no model"
    assert error.kind == "invalid_request"


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_a_message_of_minimax_is_that_of_the_error(name: str) -> None:
    """songquanpeng/one-api#1560."""
    body = b'{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}'
    assert wg.PROVIDERS[name].decode_error(body, 402).message == "insufficient balance"


@pytest.mark.parametrize("name", ["anthropic", "openai_chat", "openai_responses"])
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("slow down", "slow down"),
        ('{"error":{"message":"too long"}}', "too long"),
        ({"message": "too long"}, "too long"),
        ('{"detail":[{"msg":"no model"}]}', "no model"),
        ({"code": 1}, '{"code":1}'),
    ],
)
def test_what_a_provider_behind_openrouter_says_ends_the_message(
    name: str, raw: object, said: str
) -> None:
    """open-webui/computer#293."""
    told = {"message": "Provider returned error", "code": 400, "metadata": {"raw": raw}}
    body = json.dumps({"error": told}).encode()
    error = wg.PROVIDERS[name].decode_error(body, 400)
    assert error.message == f"Provider returned error: {said}"
    assert wg.PROVIDERS[name].encode_error(error) == body


def test_a_provider_behind_openrouter_is_heard_in_a_choice() -> None:
    """open-webui/computer#293."""
    error = b'{"message":"Provider returned error","metadata":{"raw":"busy"}}'
    body = b'{"choices":[{"message":{"content":""},"error":' + error + b"}]}"
    with pytest.raises(wg.ProviderError, match="Provider returned error: busy"):
        wg.providers.openai_chat.decode_response(body)


TOLD = {
    "a code that Chat has no other for": (
        "openai_responses",
        "openai_chat",
        b'{"error":{"message":"m","type":"invalid_request_error","param":"input[1]",'
        b'"code":"invalid_encrypted_content"}}',
        b'{"error":{"message":"m","type":"invalid_request_error","param":"input[1]",'
        b'"code":"invalid_encrypted_content"}}',
    ),
    "nothing left to spend": (
        "openai_responses",
        "openai_chat",
        b'{"error":{"message":"m","type":"insufficient_quota","param":null,'
        b'"code":"insufficient_quota"}}',
        b'{"error":{"message":"m","type":"rate_limit_error","param":null,'
        b'"code":"insufficient_quota"}}',
    ),
    "nothing left to spend, at Chat": (
        "openai_chat",
        "openai_responses",
        b'{"error":{"message":"m","type":"insufficient_quota","param":null,'
        b'"code":"insufficient_quota"}}',
        b'{"error":{"message":"m","type":"rate_limit_error","param":null,'
        b'"code":"insufficient_quota"}}',
    ),
    "a parameter that Chat does not know": (
        "openai_chat",
        "openai_responses",
        b'{"error":{"message":"m","type":"invalid_request_error","param":"top_k",'
        b'"code":"unknown_parameter"}}',
        b'{"error":{"message":"m","type":"invalid_request_error","param":"top_k",'
        b'"code":"unknown_parameter"}}',
    ),
    "a code that only Responses has, where Chat has one": (
        "openai_responses",
        "openai_chat",
        b'{"error":{"message":"m","type":"invalid_request_error","param":"prompt",'
        b'"code":"invalid_prompt"}}',
        b'{"error":{"message":"m","type":"invalid_request_error","param":"prompt",'
        b'"code":"content_filter"}}',
    ),
    "a type is not a code": (
        "openai_responses",
        "openai_chat",
        b'{"error":{"message":"m","type":"invalid_request_error","param":"input","code":null}}',
        b'{"error":{"message":"m","type":"invalid_request_error","param":"input","code":null}}',
    ),
    "a sentence is not a code, and neither is a status": (
        "openai_responses",
        "openai_chat",
        b'{"code":"Client specified an invalid argument","error":"m"}',
        b'{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}',
    ),
    "what another API calls a code stays there": (
        "mistral",
        "openai_chat",
        b'{"object":"error","message":"m","type":"invalid_request","param":"a","code":"b"}',
        b'{"error":{"message":"m","type":"invalid_request_error","param":null,"code":null}}',
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_openais_apis_tell_each_other_the_code_and_the_parameter(name: str) -> None:
    """NousResearch/hermes-agent#33035; codes and types as openai/codex#8119 quotes them."""
    source, target, body, expected = TOLD[name]
    error = wg.PROVIDERS[source].decode_error(body, 400)
    assert wg.PROVIDERS[target].encode_error(error) == expected
