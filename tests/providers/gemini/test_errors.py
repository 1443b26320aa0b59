"""Error bodies <-> ProviderError."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireglot as wg

gemini = wg.providers.gemini


def _body(code: int, status: str, message: str = "no", details: str = "") -> bytes:
    more = f',"details":[{details}]' if details else ""
    return f'{{"error":{{"code":{code},"message":"{message}","status":"{status}"{more}}}}}'.encode()


RETRY = '{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}'
KEY = '{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID"}'
DECODED = {
    "a bad argument": (_body(400, "INVALID_ARGUMENT"), 400, "invalid_request"),
    "a key that is not valid": (_body(400, "INVALID_ARGUMENT", details=KEY), 400, "authentication"),
    "no key": (_body(401, "UNAUTHENTICATED"), 401, "authentication"),
    "a key that may not": (_body(403, "PERMISSION_DENIED"), 403, "permission"),
    "no such model": (_body(404, "NOT_FOUND"), 404, "not_found"),
    "a quota": (_body(429, "RESOURCE_EXHAUSTED"), 429, "rate_limit"),
    "a prompt that is too long": (
        _body(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number"),
        400,
        "context_overflow",
    ),
    "a state that does not allow it": (_body(400, "FAILED_PRECONDITION"), 400, "invalid_request"),
    "a fault inside": (_body(500, "INTERNAL"), 500, "server"),
    "an overload": (_body(503, "UNAVAILABLE"), 503, "overloaded"),
    "a deadline": (_body(504, "DEADLINE_EXCEEDED"), 504, "timeout"),
    "a request that was given up": (_body(499, "CANCELLED"), 499, "timeout"),
    "an array, as streams have it": (b"[" + _body(404, "NOT_FOUND") + b"]", 404, "not_found"),
    "a status of tomorrow": (_body(429, "NEW"), 429, "rate_limit"),
}


@pytest.mark.parametrize(("body", "status", "kind"), DECODED.values(), ids=DECODED.keys())
def test_an_error_has_a_kind(body: bytes, status: int, kind: str) -> None:
    error = gemini.decode_error(body, status)
    assert (error.kind, error.status, error.wire) == (kind, status, "gemini")
    assert gemini.decode_error(body).status == status  # which the body says too
    assert gemini.encode_error(error) == body


def test_an_error_says_what_and_how_long() -> None:
    error = gemini.decode_error(_body(429, "RESOURCE_EXHAUSTED", "too much", RETRY), 429)
    assert (error.message, error.code, error.retry_after) == (
        "too much",
        "RESOURCE_EXHAUSTED",
        34.5,
    )


STRANGE = {
    "a proxy's page": (b"<html>bad gateway</html>", 502, "server", "<html>bad gateway</html>"),
    "nothing": (b"", 503, "overloaded", "no message"),
    "no UTF-8": (b"\xff", 500, "server", "\ufffd"),
    "an empty array": (b"[]", 500, "server", "[]"),
    "a text alone": (b'{"error":"no"}', 403, "permission", "no"),
    "other types": (
        b'{"error":{"code":"x","message":1,"status":2,"details":[3,{"reason":[]}]}}',
        400,
        "invalid_request",
        '{"error":{"code":"x","message":1,"status":2,"details":[3,{"reason":[]}]}}',
    ),
}


@pytest.mark.parametrize(
    ("body", "status", "kind", "message"), STRANGE.values(), ids=STRANGE.keys()
)
def test_a_strange_body_is_an_error_too(body: bytes, status: int, kind: str, message: str) -> None:
    error = gemini.decode_error(body, status)
    assert (error.kind, error.message) == (kind, message)


@given(st.binary(), st.sampled_from((None, 200, 400, 500)))
def test_no_bytes_are_too_strange(body: bytes, status: int | None) -> None:
    error = gemini.decode_error(body, status)
    assert error.kind in wg.errors.ERROR_KINDS
    assert gemini.encode_error(error) == body


ENCODED = {
    "invalid_request": b'{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}',
    "authentication": b'{"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}',
    "permission": b'{"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}}',
    "not_found": b'{"error":{"code":404,"message":"no","status":"NOT_FOUND"}}',
    "rate_limit": b'{"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}}',
    "overloaded": b'{"error":{"code":503,"message":"no","status":"UNAVAILABLE"}}',
    "context_overflow": b'{"error":{"code":400,"message":"The input token count exceeds the '
    b'maximum number of tokens allowed: no","status":"INVALID_ARGUMENT"}}',
    "content_filter": b'{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}',
    "timeout": b'{"error":{"code":504,"message":"no","status":"DEADLINE_EXCEEDED"}}',
    "server": b'{"error":{"code":500,"message":"no","status":"INTERNAL"}}',
}


@pytest.mark.parametrize(("kind", "body"), ENCODED.items())
def test_an_error_of_another_api_is_written(kind: str, body: bytes) -> None:
    error = wg.ProviderError(kind, "no", wire="other", body=b"x")
    assert gemini.encode_error(error) == body


def test_the_wait_is_told() -> None:
    error = wg.ProviderError("rate_limit", "no", retry_after=1.5)
    assert gemini.decode_error(gemini.encode_error(error)).retry_after == 1.5


def test_the_sdk_reads_what_is_written() -> None:
    import json

    from google.genai import errors

    body = json.loads(gemini.encode_error(wg.ProviderError("rate_limit", "slow down")))
    error = errors.ClientError(429, body)
    assert (error.code, error.status, error.message) == (429, "RESOURCE_EXHAUSTED", "slow down")
