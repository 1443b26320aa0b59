"""Error answers <-> `ProviderError`."""

import pytest

import wireglot as wg

ollama = wg.providers.ollama


def _error(message: str = "m") -> bytes:
    return f'{{"error":"{message}"}}'.encode()


DECODED = {
    "a body that is no good": (_error("invalid options"), 400, "invalid_request"),
    "nobody is signed in": (b'{"error":"unauthorized","signin_url":"x"}', 401, "authentication"),
    "a model that there is not": (_error("model 'm' not found"), 404, "not_found"),
    "too many requests": (_error(), 429, "rate_limit"),
    "a fault of the server": (_error("model failed to load"), 500, "server"),
    "a server that is busy": (_error("server busy, please try again"), 503, "overloaded"),
    "a prompt that is too long": (
        _error("prompt too long; exceeded max context length by 3 tokens"),
        400,
        "context_overflow",
    ),
    "input that is too long, in a stream": (
        _error("the input length exceeds the context length"),
        None,
        "context_overflow",
    ),
    "an error in a stream": (_error("an error was encountered"), None, "server"),
    "an error of a gateway": (b'{"error":{"message":"m"}}', 403, "permission"),
    "a proxy's page": (b"<html>Bad Gateway</html>", 502, "server"),
    "no body at all": (b"", 503, "overloaded"),
    "bytes that are no text": (b"\xff\xfe", None, "server"),
    "JSON of another shape": (b'[{"error":1}]', 400, "invalid_request"),
    "an error of another shape": (b'{"error":[7]}', 429, "rate_limit"),
}


@pytest.mark.parametrize("name", DECODED)
def test_an_error_has_a_kind(name: str) -> None:
    body, status, kind = DECODED[name]
    error = ollama.decode_error(body, status)
    assert (error.kind, error.status, error.wire) == (kind, status, "ollama")
    assert error.kind in wg.ERROR_KINDS


@pytest.mark.parametrize("name", DECODED)
def test_an_error_goes_back_as_it_came(name: str) -> None:
    body, status, _ = DECODED[name]
    assert ollama.encode_error(ollama.decode_error(body, status)) == body


def test_an_error_keeps_its_words() -> None:
    error = ollama.decode_error(_error("busy"), 503, headers={"Retry-After": "7"})
    assert (error.message, error.code, error.retry_after) == ("busy", None, 7.0)
    assert str(error) == "ollama: overloaded (503): busy"


def test_a_page_is_its_own_message() -> None:
    assert ollama.decode_error(b"<p>Bad Gateway</p>\n", 502).message == "<p>Bad Gateway</p>"


@pytest.mark.parametrize("kind", wg.ERROR_KINDS)
def test_an_error_of_another_api_is_written(kind: str) -> None:
    error = wg.ProviderError(kind, "é", wire="anthropic", body=b"{}")
    assert ollama.encode_error(error) == '{"error":"é"}'.encode()


def test_an_error_without_a_message_is_still_an_error() -> None:
    assert ollama.encode_error(wg.ProviderError("server", "")) == b'{"error":"server"}'
