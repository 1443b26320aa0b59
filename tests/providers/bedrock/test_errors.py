"""Error answers <-> `ProviderError`."""

import json

import pytest

import wireglot as wg

bedrock = wg.providers.bedrock
TYPE = "x-amzn-ErrorType"

NAMED = [
    ("ValidationException", 400, "invalid_request"),
    ("AccessDeniedException", 403, "permission"),
    ("ResourceNotFoundException", 404, "not_found"),
    ("ModelTimeoutException", 408, "timeout"),
    ("ModelErrorException", 424, "server"),
    ("ThrottlingException", 429, "rate_limit"),
    ("ModelNotReadyException", 429, "overloaded"),
    ("ServiceQuotaExceededException", 400, "rate_limit"),
    ("InternalServerException", 500, "server"),
    ("ServiceUnavailableException", 503, "overloaded"),
    ("UnrecognizedClientException", 403, "authentication"),
    ("ExpiredTokenException", 403, "authentication"),
    ("InvalidSignatureException", 403, "authentication"),
    ("SerializationException", 400, "invalid_request"),
    ("UnknownOperationException", 404, "not_found"),
]


@pytest.mark.parametrize(("name", "status", "kind"), NAMED)
def test_the_header_names_the_error(name: str, status: int, kind: str) -> None:
    error = bedrock.decode_error(b'{"message":"m"}', status, headers={TYPE: name})
    assert (error.kind, error.code, error.message) == (kind, name, "m")
    assert (error.status, error.wire) == (status, "bedrock")
    assert error.kind in wg.ERROR_KINDS


CODES = {
    "a header with a URL behind the name": (
        b'{"message":"m"}',
        {TYPE.upper(): "ThrottlingException:http://internal.amazon.com/coral/x/"},
    ),
    "a name in the body": (b'{"__type":"ThrottlingException","message":"m"}', {}),
    "a name with a namespace": (b'{"__type":"com.amazon.x#ThrottlingException"}', {}),
    "a code in the body": (b'{"code":"ThrottlingException","Message":"m"}', {}),
}


@pytest.mark.parametrize("name", CODES)
def test_the_name_is_found(name: str) -> None:
    body, headers = CODES[name]
    error = bedrock.decode_error(body, 400, headers=headers)
    assert (error.code, error.kind) == ("ThrottlingException", "rate_limit")


UNNAMED = {
    "a request": (b'{"message":"m"}', 400, "invalid_request"),
    "a permission": (b'{"message":"m"}', 403, "permission"),
    "a token that has expired": (
        b'{"message":"The security token included in the request is expired"}',
        403,
        "authentication",
    ),
    "an input that is too long": (
        b'{"message":"Input is too long for requested model."}',
        400,
        "context_overflow",
    ),
    "an input that is too long, in Nova's words": (
        b'{"message":"Input Tokens Exceeded: Number of input tokens exceeds maximum length."}',
        400,
        "context_overflow",
    ),
    "an output that was filtered": (
        b'{"message":"Output blocked by content filtering policy"}',
        400,
        "content_filter",
    ),
    "too many tokens in a minute": (
        b'{"message":"Too many tokens, please wait"}',
        429,
        "rate_limit",
    ),
    "an old spelling": (b'{"Message":"m"}', 404, "not_found"),
    "a proxy's page": (b"<html>Bad Gateway</html>", 502, "server"),
    "no body at all": (b"", 503, "overloaded"),
    "bytes that are no text": (b"\xff\xfe", None, "server"),
    "JSON of another shape": (b'[{"message":1}]', 400, "invalid_request"),
    "an error of another shape": (b'{"message":[],"__type":1,"code":{}}', 429, "rate_limit"),
    "a name that nobody knows": (b'{"__type":"NewException","message":"m"}', 429, "rate_limit"),
    "deep nesting": (b"[" * 100_000, 500, "server"),
}


@pytest.mark.parametrize("name", UNNAMED)
def test_an_error_without_a_name_goes_by_its_status_and_words(name: str) -> None:
    body, status, kind = UNNAMED[name]
    error = bedrock.decode_error(body, status)
    assert (error.kind, error.status) == (kind, status)


@pytest.mark.parametrize("name", UNNAMED)
def test_an_error_goes_back_as_it_came(name: str) -> None:
    body, status, _ = UNNAMED[name]
    assert bedrock.encode_error(bedrock.decode_error(body, status)) == body


def test_the_words_of_a_named_error_count() -> None:
    body = b'{"message":"prompt is too long: 3 tokens > 2 maximum"}'
    error = bedrock.decode_error(body, 400, headers={TYPE: "ValidationException"})
    assert error.kind == "context_overflow"


def test_a_wait_is_read() -> None:
    headers = {TYPE: "ThrottlingException", "Retry-After": "2"}
    assert bedrock.decode_error(b'{"message":"m"}', 429, headers=headers).retry_after == 2.0


WRITTEN = [
    ("invalid_request", "ValidationException"),
    ("authentication", "AccessDeniedException"),
    ("permission", "AccessDeniedException"),
    ("not_found", "ResourceNotFoundException"),
    ("rate_limit", "ThrottlingException"),
    ("overloaded", "ServiceUnavailableException"),
    ("context_overflow", "ValidationException"),
    ("content_filter", "ValidationException"),
    ("timeout", "ModelTimeoutException"),
    ("server", "InternalServerException"),
]


def _said(kind: str) -> str:
    is_known_by_words = kind == "context_overflow"
    return "Input is too long for requested model: m" if is_known_by_words else "m"


@pytest.mark.parametrize(("kind", "name"), WRITTEN)
def test_an_error_of_another_api_is_written(kind: str, name: str) -> None:
    error = wg.ProviderError(kind, "m", wire="anthropic", body=b"{}", code="x")
    body = bedrock.encode_error(error)
    assert body == f'{{"__type":"{name}","message":"{_said(kind)}"}}'.encode()
    assert json.loads(body)["__type"] == bedrock.decode_error(body).code


def test_every_kind_of_error_is_written() -> None:
    assert {kind for kind, _ in WRITTEN} == set(wg.ERROR_KINDS)


@pytest.mark.parametrize(("kind", "name"), WRITTEN)
def test_the_sdk_reads_the_name(kind: str, name: str) -> None:
    from botocore import parsers
    from botocore.session import get_session

    session = get_session()
    shape = session.get_service_model("bedrock-runtime").operation_model("Converse").output_shape
    body = bedrock.encode_error(wg.ProviderError(kind, "m"))
    parser = parsers.create_parser("rest-json")
    read = parser.parse({"headers": {}, "body": body, "status_code": 400}, shape)
    assert (read["Error"]["Code"], read["Error"]["Message"]) == (name, _said(kind))
