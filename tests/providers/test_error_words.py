"""The words that APIs have for errors -> kinds of errors, word by word, and the other way."""

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
