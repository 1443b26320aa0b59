"""Error answers <-> `ProviderError`."""

import pytest

import wireglot as wg

anthropic = wg.providers.anthropic


def _error(kind: str, message: str = "m") -> bytes:
    return f'{{"type":"error","error":{{"type":"{kind}","message":"{message}"}}}}'.encode()


DECODED = {
    "an invalid request": (_error("invalid_request_error"), 400, "invalid_request"),
    "a key that is not known": (_error("authentication_error"), 401, "authentication"),
    "a bill that is not paid": (_error("billing_error"), 402, "permission"),
    "no permission": (_error("permission_error"), 403, "permission"),
    "a model that there is not": (_error("not_found_error"), 404, "not_found"),
    "a body that is too large": (_error("request_too_large"), 413, "invalid_request"),
    "too many requests": (_error("rate_limit_error"), 429, "rate_limit"),
    "a fault of the server": (_error("api_error"), 500, "server"),
    "too slow": (_error("timeout_error"), 504, "timeout"),
    "overloaded": (_error("overloaded_error"), 529, "overloaded"),
    "a prompt that is too long": (
        _error("invalid_request_error", "prompt is too long: 3 tokens > 2 maximum"),
        400,
        "context_overflow",
    ),
    "a kind that is not known goes by its status": (_error("new_error"), 529, "overloaded"),
    "Bedrock's message alone": (b'{"message":"m"}', 403, "permission"),
    "a proxy's page": (b"<html>Bad Gateway</html>", 502, "server"),
    "no body at all": (b"", 503, "overloaded"),
    "bytes that are no text": (b"\xff\xfe", None, "server"),
    "JSON of another shape": (b'[{"error":1}]', 400, "invalid_request"),
    "an error of another shape": (b'{"error":{"type":1,"message":[]}}', 429, "rate_limit"),
}


@pytest.mark.parametrize("name", DECODED)
def test_an_error_has_a_kind(name: str) -> None:
    body, status, kind = DECODED[name]
    error = anthropic.decode_error(body, status)
    assert (error.kind, error.status, error.wire) == (kind, status, "anthropic")
    assert error.kind in wg.ERROR_KINDS


@pytest.mark.parametrize("name", DECODED)
def test_an_error_goes_back_as_it_came(name: str) -> None:
    body, status, _ = DECODED[name]
    assert anthropic.encode_error(anthropic.decode_error(body, status)) == body


def test_an_error_keeps_its_words() -> None:
    error = anthropic.decode_error(_error("overloaded_error", "busy"), 529)
    assert (error.message, error.code) == ("busy", "overloaded_error")
    assert str(error) == "anthropic: overloaded (529): busy"


WAITS = {
    "in seconds": ({"Retry-After": "7"}, "m", 7.0),
    "in milliseconds": ({"retry-after-ms": "250"}, "m", 0.25),
    "in words": ({}, "Please try again in 1m2.5s.", 62.5),
    "in words, in milliseconds": ({}, "try again in 250ms", 0.25),
    "in words, with spaces": ({}, "Please try again in 1h 2m 3 s.", 3723.0),
    "in words, in minutes": ({}, "try again in 1m 5ms", 60.005),
    "in later words": ({}, "You may retry after a while. Please try again in 20s.", 20.0),
    "in no words": ({}, "You may retry after a while, or try again in case of doubt", None),
    "as a date, which needs a clock": ({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, "m", None),
    "not said": ({}, "m", None),
}


@pytest.mark.parametrize("name", WAITS)
def test_the_wait_is_read(name: str) -> None:
    headers, message, seconds = WAITS[name]
    body = _error("rate_limit_error", message)
    assert anthropic.decode_error(body, 429, headers=headers).retry_after == seconds


ENCODED = {
    "invalid_request": b"invalid_request_error",
    "authentication": b"authentication_error",
    "permission": b"permission_error",
    "not_found": b"not_found_error",
    "rate_limit": b"rate_limit_error",
    "overloaded": b"overloaded_error",
    "context_overflow": b"invalid_request_error",
    "content_filter": b"invalid_request_error",
    "timeout": b"timeout_error",
    "server": b"api_error",
}


@pytest.mark.parametrize("kind", ENCODED)
def test_an_error_of_another_api_is_written(kind: str) -> None:
    error = wg.ProviderError(kind, "no", status=400, wire="gemini", body=b"{}")
    said = b"prompt is too long: no" if kind == "context_overflow" else b"no"
    assert anthropic.encode_error(error) == (
        b'{"type":"error","error":{"type":"' + ENCODED[kind] + b'","message":"' + said + b'"}}'
    )


def test_every_kind_has_its_word() -> None:
    assert list(ENCODED) == list(wg.ERROR_KINDS)
