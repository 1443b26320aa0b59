"""An error body of Mistral's API -> an error, and back."""

import random

import pytest

import wireglot as wg

decode = wg.providers.mistral.decode_error
encode = wg.providers.mistral.encode_error

MISSING = '{"type":"missing","loc":["body","model"],"msg":"Field required","input":{}}'
EXTRA = '{"type":"extra_forbidden","loc":["body","x"],"msg":"Extra inputs are not permitted"}'


def said(message: str, kind: str, code: str = "null", more: str = "") -> str:
    return (
        f'{{"object":"error","message":{message},"type":"{kind}","param":null,"code":{code}{more}}}'
    )


CASES: dict[str, tuple[str, int | None, str, str, str | None]] = {
    "a model that there is not": (
        said('"Invalid model: x"', "invalid_model", '"1500"'),
        400,
        "not_found",
        "Invalid model: x",
        "invalid_model",
    ),
    "a parameter that the model does not take": (
        said('"Not for this model"', "invalid_request_invalid_args", '"3051"'),
        400,
        "invalid_request",
        "Not for this model",
        "invalid_request_invalid_args",
    ),
    "a prompt that is too long": (
        said(
            '"Prompt contains 9 tokens, too large for model with 8 maximum context length"',
            "invalid_request_invalid_args",
            '"3051"',
        ),
        400,
        "context_overflow",
        "Prompt contains 9 tokens, too large for model with 8 maximum context length",
        "invalid_request_invalid_args",
    ),
    "a call id of another form": (
        said('"Tool call id was x"', "invalid_function_call", '"3280"'),
        400,
        "invalid_request",
        "Tool call id was x",
        "invalid_function_call",
    ),
    "too many requests": (
        said('"Slower"', "rate_limited", '"1300"'),
        429,
        "rate_limit",
        "Slower",
        "rate_limited",
    ),
    "no capacity": (
        said('"Full"', "service_tier_capacity_exceeded", '"3505"'),
        429,
        "overloaded",
        "Full",
        "service_tier_capacity_exceeded",
    ),
    "a fault of the server": (
        said('"Oops"', "internal_server_error", '"1000"'),
        500,
        "server",
        "Oops",
        "internal_server_error",
    ),
    "the status in the body": (
        said('"Oops"', "x", more=',"raw_status_code":503'),
        None,
        "overloaded",
        "Oops",
        "x",
    ),
    "a number alone": ('{"message":"No","code":1500}', 400, "invalid_request", "No", "1500"),
    "a list of faults": (
        f'{{"detail":[{MISSING},{EXTRA}]}}',
        422,
        "invalid_request",
        "body.model: Field required; body.x: Extra inputs are not permitted",
        None,
    ),
    "a list of faults without a status": (
        f'{{"detail":[{EXTRA}]}}',
        None,
        "invalid_request",
        "body.x: Extra inputs are not permitted",
        None,
    ),
    "a list of faults in the message": (
        said(f'{{"detail":[{EXTRA}]}}', "invalid_request_error", more=',"raw_status_code":422'),
        422,
        "invalid_request",
        "body.x: Extra inputs are not permitted",
        "invalid_request_error",
    ),
    "faults of another form": (
        '{"detail":[1,{"a":"b"}]}',
        422,
        "invalid_request",
        '1; {"a":"b"}',
        None,
    ),
    "a key that is not right": (
        '{"detail":"Invalid API Key"}',
        401,
        "authentication",
        "Invalid API Key",
        None,
    ),
    "no key": (
        '{"message":"Unauthorized","request_id":"x"}',
        401,
        "authentication",
        "Unauthorized",
        None,
    ),
    "an error inside another object": (
        '{"error":{"message":"Slower","type":"rate_limited","code":null}}',
        429,
        "rate_limit",
        "Slower",
        "rate_limited",
    ),
    "an error that is a text": ('{"error":"Slower"}', 429, "rate_limit", "Slower", None),
    "a proxy's page": ("<html>Bad Gateway", 502, "server", "<html>Bad Gateway", None),
    "nothing": ("", 504, "timeout", "no message", None),
}


@pytest.mark.parametrize(("data", "status", "kind", "message", "code"), CASES.values(), ids=CASES)
def test_an_error_of_the_api(
    data: str, status: int | None, kind: str, message: str, code: str | None
) -> None:
    error = decode(data.encode(), status)
    assert (error.kind, error.message, error.code) == (kind, message, code)
    assert error.wire == "mistral"
    assert encode(error) == data.encode()


def test_the_wait_stands_in_the_headers() -> None:
    error = decode(said('"Slower"', "rate_limited"), 429, headers={"Retry-After": "3"})
    assert error.retry_after == 3.0


WORDS = {
    "invalid_request": "invalid_request_error",
    "authentication": "unauthorized",
    "permission": "forbidden",
    "not_found": "not_found",
    "rate_limit": "rate_limited",
    "overloaded": "service_tier_capacity_exceeded",
    "context_overflow": "invalid_request_error",
    "content_filter": "invalid_request_error",
    "timeout": "internal_server_error",
    "server": "internal_server_error",
}
AGAIN = {"context_overflow": "invalid_request", "content_filter": "invalid_request"}


@pytest.mark.parametrize(("kind", "word"), WORDS.items())
def test_an_error_of_another_api(kind: str, word: str) -> None:
    status = wg.errors.ERROR_KINDS[kind]
    given = wg.ProviderError(kind, "No.", wire="anthropic", body=b"{}")
    data = encode(given)
    expected = said('"No."', word, more=f',"raw_status_code":{status}')
    assert data == expected.encode()
    assert decode(data).kind == AGAIN.get(kind, kind)


def test_every_kind_has_a_word() -> None:
    assert set(WORDS) == set(wg.errors.ERROR_KINDS)


def test_a_prompt_too_long_for_another_api_is_still_told_by_its_words() -> None:
    given = wg.ProviderError("context_overflow", "prompt is too long", wire="anthropic")
    assert decode(encode(given)).kind == "context_overflow"


def test_no_bytes_raise() -> None:
    pick = random.Random(7)
    whole = said(f'{{"detail":[{EXTRA}]}}', "x", more=',"raw_status_code":422').encode()
    for _ in range(2000):
        data = bytearray(whole[: pick.randrange(len(whole) + 1)])
        for _ in range(pick.randrange(4)):
            if data:
                data[pick.randrange(len(data))] = pick.randrange(256)
        error = decode(bytes(data))
        assert error.kind in wg.errors.ERROR_KINDS
        assert encode(error) == bytes(data)


WRONG = {
    "a message that is a number": '{"message":1}',
    "a type that is an object": '{"message":"x","type":{}}',
    "a list": "[1]",
    "deep nesting": '{"detail":' + "[" * 100_000,
    "a place that is none": '{"detail":[{"msg":"x","loc":1}]}',
    "a status that is none": '{"message":"x","raw_status_code":true}',
    "no UTF-8": b"\xff\xfe",
}


@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG)
def test_wrong_types_are_an_error_all_the_same(data: str | bytes) -> None:
    error = decode(data, 400)
    assert error.kind == "invalid_request"
    assert error.message
