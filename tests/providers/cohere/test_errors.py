"""Error answers <-> `ProviderError`."""

import pytest

import wireglot as wg

cohere = wg.providers.cohere


def _error(message: str = "m") -> bytes:
    return f'{{"id":"e-1","message":"{message}"}}'.encode()


DECODED = {
    "a body that is no good": (_error(), 400, "invalid_request"),
    "a key that is not known": (_error(), 401, "authentication"),
    "a bill that is not paid": (_error(), 402, "permission"),
    "a model that there is not": (_error(), 404, "not_found"),
    "a key that nobody knows in the body": (_error(), 422, "invalid_request"),
    "too many requests": (_error(), 429, "rate_limit"),
    "a token that is no longer good": (_error(), 498, "authentication"),
    "a request that was cancelled": (_error(), 499, "timeout"),
    "a fault of the server": (_error(), 500, "server"),
    "not to be had now": (_error(), 503, "overloaded"),
    "too slow": (_error(), 504, "timeout"),
    "a prompt that is too long": (
        _error("too many tokens: size limit exceeded by 3 tokens."),
        400,
        "context_overflow",
    ),
    "an error of a gateway": (b'{"error":{"message":"m"}}', 403, "permission"),
    "an error of a gateway, in a word": (b'{"error":"m"}', 403, "permission"),
    "a proxy's page": (b"<html>Bad Gateway</html>", 502, "server"),
    "no body at all": (b"", 503, "overloaded"),
    "bytes that are no text": (b"\xff\xfe", None, "server"),
    "JSON of another shape": (b'[{"message":1}]', 400, "invalid_request"),
    "a message of another shape": (b'{"message":[],"error":[]}', 429, "rate_limit"),
}


@pytest.mark.parametrize("name", DECODED)
def test_an_error_has_a_kind(name: str) -> None:
    body, status, kind = DECODED[name]
    error = cohere.decode_error(body, status)
    assert (error.kind, error.status, error.wire) == (kind, status, "cohere")
    assert error.kind in wg.ERROR_KINDS


@pytest.mark.parametrize("name", DECODED)
def test_an_error_goes_back_as_it_came(name: str) -> None:
    body, status, _ = DECODED[name]
    assert cohere.encode_error(cohere.decode_error(body, status)) == body


def test_an_error_keeps_its_words() -> None:
    error = cohere.decode_error(_error("slow down"), 429, headers={"Retry-After": "7"})
    assert (error.message, error.code, error.retry_after) == ("slow down", None, 7.0)
    assert str(error) == "cohere: rate_limit (429): slow down"


def test_a_page_is_its_own_message() -> None:
    assert cohere.decode_error(b"<p>Bad Gateway</p>\n", 502).message == "<p>Bad Gateway</p>"


@pytest.mark.parametrize("kind", wg.ERROR_KINDS)
def test_an_error_of_another_api_is_written(kind: str) -> None:
    error = wg.ProviderError(kind, "é", wire="anthropic", body=b"{}")
    said = "too many tokens: é" if kind == "context_overflow" else "é"
    assert cohere.encode_error(error) == f'{{"message":"{said}"}}'.encode()
