"""The words that APIs have for errors -> kinds of errors, word by word, and the other way."""

import json
from typing import Any

import pytest

import wireglot as wg

BODIES = {
    "anthropic": '{"type":"error","error":{"type":"%s","message":"No"}}',
    "bedrock": '{"__type":"%s","message":"No"}',
    "gemini": '{"error":{"message":"No","status":"%s"}}',
    "mistral": '{"object":"error","message":"No","type":"%s","param":null,"code":null}',
    "openai_chat by code": '{"error":{"message":"No","type":null,"param":null,"code":"%s"}}',
    "openai_chat by type": '{"error":{"message":"No","type":"%s","param":null,"code":null}}',
    "openai_responses by code": '{"error":{"message":"No","type":null,"param":null,"code":"%s"}}',
    "openai_responses by type": '{"error":{"message":"No","type":"%s","param":null,"code":null}}',
}
WORDS = {
    "anthropic": """
        invalid_request_error invalid_request
        authentication_error authentication
        billing_error permission
        permission_error permission
        not_found_error not_found
        request_too_large invalid_request
        rate_limit_error rate_limit
        timeout_error timeout
        api_error server
        overloaded_error overloaded
    """,
    "bedrock": """
        AccessDeniedException permission
        ConflictException invalid_request
        ExpiredTokenException authentication
        IncompleteSignature authentication
        InternalFailure server
        InternalServerException server
        InvalidClientTokenId authentication
        InvalidSignatureException authentication
        MissingAuthenticationToken authentication
        ModelErrorException server
        ModelNotReadyException overloaded
        ModelStreamErrorException server
        ModelTimeoutException timeout
        OptInRequired permission
        RequestExpired authentication
        RequestTimeoutException timeout
        ResourceNotFoundException not_found
        SerializationException invalid_request
        ServiceQuotaExceededException rate_limit
        ServiceUnavailableException overloaded
        SignatureDoesNotMatch authentication
        ThrottlingException rate_limit
        TooManyRequestsException rate_limit
        UnknownOperationException not_found
        UnrecognizedClientException authentication
        ValidationException invalid_request
    """,
    "gemini": """
        CANCELLED timeout
        INVALID_ARGUMENT invalid_request
        DEADLINE_EXCEEDED timeout
        NOT_FOUND not_found
        ALREADY_EXISTS invalid_request
        PERMISSION_DENIED permission
        UNAUTHENTICATED authentication
        RESOURCE_EXHAUSTED rate_limit
        FAILED_PRECONDITION invalid_request
        ABORTED server
        OUT_OF_RANGE invalid_request
        UNIMPLEMENTED invalid_request
        INTERNAL server
        UNKNOWN server
        UNAVAILABLE overloaded
        DATA_LOSS server
    """,
    "mistral": """
        invalid_model not_found
        invalid_request_error invalid_request
        invalid_request_invalid_args invalid_request
        invalid_request_prompt invalid_request
        invalid_request_message_order invalid_request
        invalid_function_call invalid_request
        unauthorized authentication
        forbidden permission
        not_found not_found
        rate_limited rate_limit
        rate_limit_error rate_limit
        service_tier_capacity_exceeded overloaded
        unreachable_backend overloaded
    """,
    "openai_chat by code": """
        content_filter content_filter
        content_policy_violation content_filter
        context_length_exceeded context_overflow
        insufficient_quota rate_limit
        invalid_api_key authentication
        model_not_found not_found
        rate_limit_exceeded rate_limit
        RateLimitReached rate_limit
        ResponsibleAIPolicyViolation content_filter
        server_error server
    """,
    "openai_chat by type": """
        authentication_error authentication
        content_filter content_filter
        exceed_context_size_error context_overflow
        insufficient_quota rate_limit
        internal_error server
        invalid_api_key authentication
        not_found_error not_found
        overloaded_error overloaded
        permission_error permission
        rate_limit_error rate_limit
        rate_limit_exceeded rate_limit
        server_error server
        service_unavailable_error overloaded
        timeout_error timeout
        tokens rate_limit
        too_many_prompt_tokens context_overflow
        unavailable_error overloaded
    """,
    "openai_responses by code": """
        bio_policy content_filter
        content_filter content_filter
        content_policy_violation content_filter
        context_length_exceeded context_overflow
        image_content_policy_violation content_filter
        insufficient_quota rate_limit
        invalid_api_key authentication
        invalid_prompt content_filter
        misalignment_policy_violation content_filter
        model_not_found not_found
        rate_limit_exceeded rate_limit
        server_error server
        server_is_overloaded overloaded
        slow_down overloaded
        vector_store_timeout timeout
    """,
    "openai_responses by type": """
        authentication_error authentication
        billing_error permission
        insufficient_quota rate_limit
        internal_error server
        not_found_error not_found
        overloaded_error overloaded
        permission_error permission
        rate_limit_error rate_limit
        requests rate_limit
        server_error server
        service_unavailable_error overloaded
        timeout_error timeout
        tokens rate_limit
        too_many_requests rate_limit
    """,
}
CASES = [
    (where, *line.split()) for where, lines in WORDS.items() for line in lines.strip().splitlines()
]


@pytest.mark.parametrize(("where", "word", "kind"), CASES)
def test_the_word_decides_against_the_status(where: str, word: str, kind: str) -> None:
    status = 400 if kind == "server" else 500
    body = (BODIES[where] % word).encode()
    error = wg.PROVIDERS[where.partition(" ")[0]].decode_error(body, status)
    assert (error.kind, error.message) == (kind, "No")


# Of these the words of the message say more than the name of the error.
SAID = [
    ("ValidationException", "9 input tokens exceeded the maximum", "context_overflow"),
    ("ValidationException", "Blocked by our content filtering policy", "content_filter"),
    ("ValidationException", "Blocked by the content filters", "content_filter"),
    ("AccessDeniedException", "The security token is not valid", "authentication"),
    ("AccessDeniedException", "Authentication failed: see the key", "authentication"),
    ("AccessDeniedException", "The signature we calculated is another", "authentication"),
    ("AccessDeniedException", "Blocked by the content filters", "permission"),
    ("ValidationException", "Authentication failed: see the key", "invalid_request"),
]


@pytest.mark.parametrize(("name", "message", "kind"), SAID)
def test_bedrock_says_the_rest_in_the_message(name: str, message: str, kind: str) -> None:
    body = f'{{"__type":"{name}","message":"{message}"}}'.encode()
    assert wg.providers.bedrock.decode_error(body, 400).kind == kind


PREFIXES = {
    "invalid_image_url": "invalid_request",
    "image_too_large": "invalid_request",
    "unsupported_value": "invalid_request",
    "unknown_parameter": "invalid_request",
    "missing_required_parameter": "invalid_request",
    "failed_to_think": "server",
}


@pytest.mark.parametrize(("code", "kind"), PREFIXES.items())
def test_responses_says_how_codes_of_a_bad_request_begin(code: str, kind: str) -> None:
    body = (BODIES["openai_responses by code"] % code).encode()
    assert wg.providers.openai_responses.decode_error(body).kind == kind


@pytest.mark.parametrize("reason", ["API_KEY_INVALID", "API_KEY_EXPIRED", "ACCESS_TOKEN_EXPIRED"])
def test_a_key_that_is_none_is_a_reason_of_gemini(reason: str) -> None:
    details = f'[{{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"{reason}"}}]'
    body = f'{{"error":{{"status":"INVALID_ARGUMENT","message":"No","details":{details}}}}}'
    assert wg.providers.gemini.decode_error(body, 400).kind == "authentication"


# -- context overflow -----------------------------------------------------------------------------

# As the APIs and the servers of their wires say it; no message of a user is among them.
TOO_LONG = {
    "anthropic": '{"type":"error","error":{"type":"invalid_request_error",'
    '"message":"prompt is too long: 9 tokens > 8 maximum"}}',
    "openai_chat": '{"error":{"message":"This model\'s maximum context length is 8 tokens.",'
    '"type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}',
    "openai_responses": '{"error":{"message":"Your input exceeds the context window of this '
    'model.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}',
    "gemini": '{"error":{"code":400,"message":"The input token count (9) exceeds the maximum '
    'number of tokens allowed (8).","status":"INVALID_ARGUMENT"}}',
    "bedrock": '{"__type":"ValidationException",'
    '"message":"Input is too long for requested model."}',
    "mistral": '{"object":"error","message":"Prompt contains 9 tokens, too large for model with 8 '
    'maximum context length","type":"invalid_request_error","param":null,"code":"3051"}',
    "cohere": '{"message":"too many tokens: total number of tokens cannot exceed 8"}',
    "ollama": '{"error":"the input length exceeds the context length"}',
}
BEGINS = {
    "anthropic": "prompt is too long",
    "openai_chat": "This model's maximum context length is exceeded",
    "openai_responses": "Your input exceeds the context window of this model",
    "gemini": "The input token count exceeds the maximum number of tokens allowed",
    "bedrock": "Input is too long for requested model",
    "cohere": "too many tokens",
}
KEPT = {("mistral", "openai_chat")}  # whose words the clients of the second know


@pytest.mark.parametrize("target", wg.PROVIDERS)
@pytest.mark.parametrize("source", TOO_LONG)
def test_a_context_overflow_is_told_in_the_words_of_each_wire(source: str, target: str) -> None:
    error = wg.PROVIDERS[source].decode_error(TOO_LONG[source].encode(), 400)
    assert error.kind == "context_overflow"
    body = wg.PROVIDERS[target].encode_error(error)
    if source == target:
        assert body == TOO_LONG[source].encode()
        return
    said = wg.PROVIDERS[target].decode_error(body, 400)
    is_kept = target not in BEGINS or (source, target) in KEPT
    expected = error.message if is_kept else f"{BEGINS[target]}: {error.message}"
    assert (said.kind, said.message) == ("context_overflow", expected)


@pytest.mark.parametrize("target", BEGINS)
def test_a_context_overflow_within_a_stream_has_the_same_words(target: str) -> None:
    encoder = wg.PROVIDERS[target].StreamEncoder()
    failure = wg.StreamFailure("context_overflow", "9 is over 8")
    assert f"{BEGINS[target]}: 9 is over 8".encode() in encoder.encode(failure)


def test_the_words_of_a_limit_that_a_client_mends_itself_stay_first() -> None:
    message = "input length and `max_tokens` exceed context limit: 9 + 8 > 12"
    body = f'{{"__type":"ValidationException","message":"{message}"}}'.encode()
    error = wg.providers.bedrock.decode_error(body, 400)
    made = wg.providers.anthropic.decode_error(wg.providers.anthropic.encode_error(error), 400)
    assert (made.kind, made.message) == ("context_overflow", message)


# An error of a wire as plain data, as text and as the object of the SDK, with its kind.
DATA: list[tuple[str, Any, str]] = [
    (
        "anthropic",
        {"type": "error", "error": {"type": "overloaded_error", "message": "No"}},
        "overloaded",
    ),
    ("bedrock", {"__type": "ThrottlingException", "message": "No"}, "rate_limit"),
    (
        "bedrock",
        {
            "Error": {"Message": "No", "Code": "ThrottlingException"},
            "ResponseMetadata": {"HTTPStatusCode": 429, "HTTPHeaders": {"date": "today"}},
        },
        "rate_limit",
    ),
    ("cohere", {"message": "No"}, "server"),
    ("gemini", {"error": {"code": 429, "message": "No", "status": "UNAVAILABLE"}}, "overloaded"),
    ("gemini", [{"error": {"message": "No", "status": "UNAVAILABLE"}}], "overloaded"),
    ("mistral", {"object": "error", "message": "No", "type": "rate_limited"}, "rate_limit"),
    ("ollama", {"error": "No"}, "server"),
    ("openai_chat", {"error": {"message": "No", "code": "invalid_api_key"}}, "authentication"),
    ("openai_chat", {"message": "No", "code": "invalid_api_key"}, "authentication"),
    ("openai_responses", {"error": {"message": "No", "code": "server_error"}}, "server"),
]


@pytest.mark.parametrize(("name", "body", "kind"), DATA)
def test_an_error_may_be_plain_data_or_text(name: str, body: Any, kind: str) -> None:
    provider = wg.PROVIDERS[name]
    text = json.dumps(body)
    for data in (body, text, text.encode(), memoryview(text.encode())):
        error = provider.decode_error(data)
        assert (error.kind, error.message) == (kind, "No")
        assert error.body is not None
    assert provider.encode_error(provider.decode_error(text)) == text.encode()


def test_an_error_may_be_an_object_of_the_sdk() -> None:
    from anthropic import types

    given = types.ErrorResponse.model_validate(
        {"type": "error", "error": {"type": "rate_limit_error", "message": "No"}}
    )
    error = wg.providers.anthropic.decode_error(given, 429)
    assert (error.kind, error.message) == ("rate_limit", "No")
    assert error.body == b'{"error":{"message":"No","type":"rate_limit_error"},"type":"error"}'


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_an_error_of_another_type_is_a_type_error_and_what_has_no_json_an_encode_error(
    name: str,
) -> None:
    provider = wg.PROVIDERS[name]
    for data in (None, 5, object()):
        with pytest.raises(TypeError, match=f"{name}: body of type `{type(data).__name__}`"):
            provider.decode_error(data)
    for value in (float("nan"), "\ud800", 10**5000, object()):
        with pytest.raises(wg.EncodeError):
            provider.decode_error({"error": value})


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("The request exceeds the maximum of 9 tokens", "context_overflow"),
        ("The prompt exceeds the limit of 9", "context_overflow"),
        ("The number of tools exceeds the maximum of 128", "invalid_request"),
        ("image exceeds the maximum size", "invalid_request"),
        ("max_tokens exceeds the limit of 8192", "invalid_request"),
        ("The input (9 tokens) is longer than the model's context length (8)", "context_overflow"),
        ("decoder prompt is longer than the maximum model length of 8", "context_overflow"),
        ("Input tokens exceed the configured limit of 8 tokens", "context_overflow"),
        ("Too many input tokens. Max input tokens: 8", "context_overflow"),
    ],
)
def test_only_an_input_that_is_too_long_is_a_context_overflow(message: str, kind: str) -> None:
    body = b'{"error":{"message":"%b"}}' % message.encode()
    assert wg.providers.openai_chat.decode_error(body, 400).kind == kind
