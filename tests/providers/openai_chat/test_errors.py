"""Error answers <-> `ProviderError`."""

import json

import pytest

import wireglot as wg

chat = wg.providers.openai_chat


def _error(message: str = "m", kind: str | None = None, code: str | int | None = None) -> bytes:
    error = {"message": message, "type": kind, "param": None, "code": code}
    return json.dumps({"error": error}).encode()


CODES: dict[str, tuple[wg.ProviderError, bytes]] = {
    "an error of another API": (
        wg.ProviderError("rate_limit", "m", wire="anthropic", body=b"{}"),
        b'{"error":{"code":429,"message":"m"}}',
    ),
    "an error of the service itself": (
        chat.decode_error(b'{"error":{"message":"m","code":402,"metadata":{}}}', 402),
        b'{"error":{"message":"m","code":402,"metadata":{}}}',
    ),
    "an error of another service of the API": (
        chat.decode_error(_error("m", None, "model_not_found"), 404),
        b'{"error":{"code":404,"message":"m"}}',
    ),
    "a proxy's page": (
        chat.decode_error(b"<html>", 502),
        b'{"error":{"code":502,"message":"<html>"}}',
    ),
}


@pytest.mark.parametrize(("error", "body"), CODES.values(), ids=CODES)
def test_the_code_of_an_error_of_openrouter_is_its_status(
    error: wg.ProviderError, body: bytes
) -> None:
    assert chat.encode_error(error, dialect="openrouter") == body


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_every_provider_writes_errors_in_each_of_its_dialects(name: str) -> None:
    error = wg.ProviderError("rate_limit", "busy")
    for dialect in wg.PROVIDERS[name].DIALECTS:
        assert b"busy" in wg.PROVIDERS[name].encode_error(error, dialect=dialect)
    with pytest.raises(wg.EncodeError, match="dialect `acme`, expected"):
        wg.PROVIDERS[name].encode_error(error, dialect="acme")


BAD = "invalid_request_error"
DECODED = {
    "a bad request": (_error("m", BAD), 400, "invalid_request"),
    "a bad request without a status": (_error("m", BAD), None, "invalid_request"),
    "a key that is not known": (_error("m", BAD, "invalid_api_key"), 401, "authentication"),
    "a key that is not known, without a status": (
        _error("m", BAD, "invalid_api_key"),
        None,
        "authentication",
    ),
    "a bill that is not paid": (_error("m", "insufficient_quota"), 402, "permission"),
    "no permission": (_error("m", BAD), 403, "permission"),
    "a model that there is not": (_error("m", BAD, "model_not_found"), 404, "not_found"),
    "too many requests": (_error("m", "requests", "rate_limit_exceeded"), 429, "rate_limit"),
    "a quota that is used up": (_error("m", None, "insufficient_quota"), 429, "rate_limit"),
    "a fault of the server": (_error("m", "server_error"), 500, "server"),
    "overloaded": (_error("m", "overloaded_error"), 503, "overloaded"),
    "a prompt that is too long, by its code": (
        _error("m", BAD, "context_length_exceeded"),
        400,
        "context_overflow",
    ),
    "a prompt that is too long, by its words": (
        _error("This model's maximum context length is 7 tokens.", BAD),
        400,
        "context_overflow",
    ),
    "a prompt that is too long, at llama.cpp": (
        _error("m", "exceed_context_size_error", 400),
        400,
        "context_overflow",
    ),
    "a filter, at Azure": (_error("m", None, "content_filter"), 400, "content_filter"),
    "OpenRouter's code, which is the status": (_error("m", None, 429), None, "rate_limit"),
    "Azure's code, which is the status as a text": (_error("m", None, "404"), None, "not_found"),
    "a text in place of an object": (b'{"error":"no such model"}', 404, "not_found"),
    "Gemini's list": (b'[{"error":{"code":401,"message":"m"}}]', None, "authentication"),
    "FastAPI's detail": (b'{"detail":"m"}', 401, "authentication"),
    "a proxy's page": (b"<html>Bad Gateway</html>", 502, "server"),
    "no body at all": (b"", 503, "overloaded"),
    "bytes that are no text": (b"\xff\xfe", None, "server"),
    "JSON of another shape": (b'[{"error":1}]', 400, "invalid_request"),
    "an error of another shape": (
        b'{"error":{"type":1,"message":[],"code":1.5}}',
        429,
        "rate_limit",
    ),
    "nesting without end": (b"[" * 100_000, 500, "server"),
}


@pytest.mark.parametrize("name", DECODED)
def test_an_error_has_a_kind(name: str) -> None:
    body, status, kind = DECODED[name]
    error = chat.decode_error(body, status)
    assert (error.kind, error.wire) == (kind, "openai_chat")
    assert status is None or error.status == status
    assert error.kind in wg.ERROR_KINDS


@pytest.mark.parametrize("name", DECODED)
def test_an_error_goes_back_as_it_came(name: str) -> None:
    body, status, _ = DECODED[name]
    assert chat.encode_error(chat.decode_error(body, status)) == body


def test_an_error_keeps_its_words() -> None:
    error = chat.decode_error(_error("busy", "t", "c"), 503)
    assert (error.message, error.code) == ("busy", "c")
    assert str(error) == "openai_chat: overloaded (503): busy"
    assert chat.decode_error(_error("busy", "t"), 503).code == "t"


def test_a_code_that_is_the_status_gives_it() -> None:
    error = chat.decode_error(_error("m", None, 429))
    assert (error.status, error.code) == (429, "429")


def test_the_wait_is_read() -> None:
    error = chat.decode_error(_error("m"), 429, headers={"Retry-After": "7"})
    assert error.retry_after == 7.0
    assert chat.decode_error(_error("Please try again in 1.5s."), 429).retry_after == 1.5


ENCODED = {
    "invalid_request": (b'"invalid_request_error"', b"null"),
    "authentication": (b'"invalid_request_error"', b'"invalid_api_key"'),
    "permission": (b'"permission_error"', b"null"),
    "not_found": (b'"invalid_request_error"', b'"model_not_found"'),
    "rate_limit": (b'"rate_limit_error"', b'"rate_limit_exceeded"'),
    "overloaded": (b'"service_unavailable_error"', b"null"),
    "context_overflow": (b'"invalid_request_error"', b'"context_length_exceeded"'),
    "content_filter": (b'"invalid_request_error"', b'"content_filter"'),
    "timeout": (b'"timeout_error"', b"null"),
    "server": (b'"server_error"', b"null"),
}


@pytest.mark.parametrize("kind", wg.ERROR_KINDS)
def test_an_error_of_another_api_is_written_in_these_bytes(kind: str) -> None:
    word, code = ENCODED[kind]
    error = wg.ProviderError(kind, "é", status=400, code="theirs", wire="anthropic", body=b"{}")
    begun = b"This model's maximum context length is exceeded: "
    said = begun * (kind == "context_overflow") + "é".encode()
    expected = b'{"error":{"message":"%b","type":%b,"param":null,"code":%b}}'
    assert chat.encode_error(error) == expected % (said, word, code)


@pytest.mark.parametrize("kind", wg.ERROR_KINDS)
def test_an_error_that_was_written_is_read_as_the_same_kind(kind: str) -> None:
    body = chat.encode_error(wg.ProviderError(kind, "m"))
    assert chat.decode_error(body, wg.ERROR_KINDS[kind]).kind == kind
    assert chat.decode_error(body).kind in (kind, "server")
