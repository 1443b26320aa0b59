"""ProviderError <-> the error body of OpenAI Responses, and the errors inside its streams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...errors import ProviderError
from .._across.errors import (
    error_body,
    error_bytes,
    error_of,
    json_object,
    openai_keys,
    worded,
)
from .losses import RULES

# Sources: the API's documentation, "Error codes"; `ResponseError` of the SDK; the error pages of
# the services that speak its dialects.
_KINDS: Final = {
    "bio_policy": "content_filter",
    "content_filter": "content_filter",
    "content_policy_violation": "content_filter",
    "context_length_exceeded": "context_overflow",
    "image_content_policy_violation": "content_filter",
    "insufficient_quota": "rate_limit",
    "invalid_api_key": "authentication",
    "invalid_prompt": "content_filter",
    "misalignment_policy_violation": "content_filter",
    "model_not_found": "not_found",
    "rate_limit_exceeded": "rate_limit",
    "server_error": "server",
    "server_is_overloaded": "overloaded",
    "slow_down": "overloaded",
    "vector_store_timeout": "timeout",
}
_BY_TYPE: Final = {
    "authentication_error": "authentication",
    "billing_error": "permission",
    "insufficient_quota": "rate_limit",
    "internal_error": "server",
    "not_found_error": "not_found",
    "overloaded_error": "overloaded",
    "permission_error": "permission",
    "rate_limit_error": "rate_limit",
    "requests": "rate_limit",
    "server_error": "server",
    "service_unavailable_error": "overloaded",
    "timeout_error": "timeout",
    "tokens": "rate_limit",
    "too_many_requests": "rate_limit",
}
_TOO_LONG: Final = ("exceeds the context window",)
_PREFIXES: Final = ("invalid_", "image_", "unsupported_", "unknown_parameter", "missing_required_")
"""Prefixes of codes that mean a bad request, used if there is no status."""
_WORDS: Final = {
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
"""The type and the code that each kind is written with."""


def decode_error(
    data: Any,
    status: int | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ProviderError:
    """Decode the body of an answer whose HTTP status is not 200 to 299.

    The events `error` and `response.failed` of a stream are read too. A known `code` decides the
    kind, else a known `type`, else the status. If the body is not the API's (a proxy's page), its
    text becomes the message.
    """
    data = error_body(data, "openai_responses")
    body = json_object(data) or {}
    error = _error(body)
    code, kind = error.get("code"), error.get("type")
    kind = kind if isinstance(kind, str) and kind != "error" else None
    if type(code) is int:  # OpenRouter's code is the status
        status = code if status is None and 100 <= code < 600 else status
        code = str(code)
    code = code if isinstance(code, str) and code else kind
    message = error.get("message")
    return error_of(
        "openai_responses",
        data,
        _kind(code, kind, status),
        message if isinstance(message, str) else None,
        status,
        code,
        headers,
    )


def encode_error(error: ProviderError, *, dialect: str | None = None) -> bytes:
    """Encode an error as this API's body; one that came over this API keeps its own body."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    made = {"message": message_of(error), "type": type_of(error), **keys_of(error)}
    return error_bytes(error, "openai_responses", {"error": made})


def message_of(error: ProviderError) -> str:
    """Return the message of an error, in this API's words for a context overflow."""
    return worded(error, "Your input exceeds the context window of this model", *_TOO_LONG)


def type_of(error: ProviderError) -> str:
    """Return the type of an error, in this API's words."""
    return _WORDS.get(error.kind, ("invalid_request_error", ""))[0]


def keys_of(error: ProviderError) -> dict[str, str | None]:
    """Return the `param` and the `code` of an error, in this API's words.

    A code of Chat is kept if this API has it too, or no other for such errors.
    """
    told, param = openai_keys(error, "openai_chat")
    code = _WORDS.get(error.kind, ("", None))[1]
    if error.wire == "openai_responses":
        code = error.code
    elif code is None or told in _KINDS:
        code = told or code
    return {"param": param, "code": code}


def known_code(error: ProviderError) -> str | None:
    """Return the code of an error that came over this API, or that both APIs have."""
    told = error.code if error.wire == "openai_responses" else openai_keys(error, "openai_chat")[0]
    return told if error.wire == "openai_responses" or told in _KINDS else None


def _error(body: dict[str, Any]) -> dict[str, Any]:
    """Return the error object, wherever a service puts it."""
    response = body.get("response")
    if isinstance(response, dict):
        body = response
    error = body.get("error")
    if isinstance(error, dict):
        return error
    if isinstance(error, str):  # xAI's form
        return {"message": error, "code": body.get("code")}
    return body


def _kind(code: str | None, kind: str | None, status: int | None) -> str | None:
    found = _KINDS.get(code or "") or _BY_TYPE.get(kind or "")
    if found is not None or status is not None or code is None:
        return found
    return "invalid_request" if code.startswith(_PREFIXES) else None
