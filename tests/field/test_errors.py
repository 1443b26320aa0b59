"""Errors that services send under status 200, where an answer was due."""

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
