"""Error answers <-> `ProviderError`."""

import json

import pytest

import wireglot as wg

responses = wg.providers.openai_responses


def _error(kind: str | None, code: str | int | None, message: str = "m") -> bytes:
    error = {"message": message, "type": kind, "param": None, "code": code}
    return json.dumps({"error": error}).encode()


BAD = "invalid_request_error"
DECODED = {
    "an invalid request": (_error(BAD, None), 400, "invalid_request", BAD),
    "a key that is not known": (_error(BAD, "invalid_api_key"), 401, "authentication", None),
    "a key that is not known, by its status": (_error(BAD, None), 401, "authentication", BAD),
    "no permission": (_error(BAD, None), 403, "permission", BAD),
    "a model that there is not": (_error(BAD, "model_not_found"), 400, "not_found", None),
    "a deployment that there is not": (_error(BAD, "DeploymentNotFound"), 404, "not_found", None),
    "too many requests": (_error("requests", "rate_limit_exceeded"), 429, "rate_limit", None),
    "too many tokens a minute": (_error("tokens", None), None, "rate_limit", "tokens"),
    "nothing left to spend": (
        _error("insufficient_quota", "insufficient_quota"),
        429,
        "rate_limit",
        None,
    ),
    "nothing left to spend, under a code that nobody knows": (
        _error("insufficient_quota", "new"),
        None,
        "rate_limit",
        None,
    ),
    "a fault of the server, under a code that nobody knows": (
        _error("server_error", "invalid_new"),
        None,
        "server",
        None,
    ),
    "a prompt that is too long": (
        _error(BAD, "context_length_exceeded"),
        400,
        "context_overflow",
        None,
    ),
    "a prompt that is too long, in words": (
        _error(BAD, None, "Your input exceeds the context window of this model."),
        400,
        "context_overflow",
        BAD,
    ),
    "a prompt against the rules": (_error(BAD, "invalid_prompt"), 400, "content_filter", None),
    "a fault of the server": (_error("server_error", None), 500, "server", "server_error"),
    "overloaded": (_error("x", "server_is_overloaded"), None, "overloaded", None),
    "overloaded, by its status": (_error("new", None), 503, "overloaded", "new"),
    "an image that is none": (_error(None, "invalid_image"), None, "invalid_request", None),
    "xAI's shape": (
        b'{"code":"Client specified an invalid argument","error":"Incorrect API key"}',
        400,
        "invalid_request",
        None,
    ),
    "OpenRouter's code is the status": (_error(None, 402), None, "permission", "402"),
    "an event of a stream": (
        b'{"type":"error","code":"rate_limit_exceeded","message":"m","param":null}',
        None,
        "rate_limit",
        None,
    ),
    "an event of a stream, with an object": (
        b'{"type":"error","error":{"type":"tokens","code":null,"message":"m"}}',
        None,
        "rate_limit",
        "tokens",
    ),
    "a response that failed": (
        b'{"type":"response.failed","response":{"error":{"code":"server_error","message":"m"}}}',
        None,
        "server",
        None,
    ),
    "a detail alone": (b'{"detail":"m"}', 401, "authentication", None),
    "a proxy's page": (b"<html>Bad Gateway</html>", 502, "server", None),
    "no body at all": (b"", 503, "overloaded", None),
    "bytes that are no text": (b"\xff\xfe", None, "server", None),
    "JSON of another shape": (b'[{"error":1}]', 400, "invalid_request", None),
    "an error of another shape": (b'{"error":{"code":[],"message":1}}', 429, "rate_limit", None),
    "a code that is no status": (_error(None, 7), None, "server", "7"),
}


@pytest.mark.parametrize("name", DECODED)
def test_an_error_has_a_kind(name: str) -> None:
    body, status, kind, code = DECODED[name]
    error = responses.decode_error(body, status)
    assert (error.kind, error.wire) == (kind, "openai_responses")
    assert error.kind in wg.ERROR_KINDS
    if code is not None:
        assert error.code == code


@pytest.mark.parametrize("name", DECODED)
def test_an_error_goes_back_as_it_came(name: str) -> None:
    body, status, _, _ = DECODED[name]
    assert responses.encode_error(responses.decode_error(body, status)) == body


def test_an_error_keeps_its_words() -> None:
    error = responses.decode_error(_error("requests", "rate_limit_exceeded", "slow down"), 429)
    assert (error.message, error.code) == ("slow down", "rate_limit_exceeded")
    assert str(error) == "openai_responses: rate_limit (429): slow down"


def test_the_wait_is_read() -> None:
    error = responses.decode_error(
        _error("tokens", "rate_limit_exceeded", "Please try again in 1m2.5s."), 429
    )
    assert error.retry_after == 62.5
    headers = {"Retry-After": "7"}
    assert responses.decode_error(_error(BAD, None), 429, headers=headers).retry_after == 7.0


ENCODED = {
    "invalid_request": ("invalid_request_error", None),
    "authentication": ("invalid_request_error", "invalid_api_key"),
    "permission": ("permission_error", None),
    "not_found": ("invalid_request_error", "model_not_found"),
    "rate_limit": ("rate_limit_error", "rate_limit_exceeded"),
    "overloaded": ("service_unavailable_error", "server_is_overloaded"),
    "context_overflow": ("invalid_request_error", "context_length_exceeded"),
    "content_filter": ("invalid_request_error", "content_filter"),
    "timeout": ("timeout_error", None),
    "server": ("server_error", "server_error"),
}


@pytest.mark.parametrize("kind", wg.ERROR_KINDS)
def test_an_error_of_another_api_is_written(kind: str) -> None:
    error = wg.ProviderError(kind, "m", code="theirs", wire="anthropic", body=b"{}")
    made = responses.encode_error(error)
    word, code = ENCODED[kind]
    is_known_by_words = kind == "context_overflow"
    said = "Your input exceeds the context window of this model: m" if is_known_by_words else "m"
    assert json.loads(made) == {
        "error": {"message": said, "type": word, "param": None, "code": code}
    }
    assert responses.decode_error(made, wg.ERROR_KINDS[kind]).kind == kind
