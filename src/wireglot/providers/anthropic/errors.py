"""ProviderError <-> the error body of Anthropic Messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...errors import ProviderError
from .._across.errors import error_body, error_bytes, error_of, json_object, worded
from .losses import RULES

# Source: the API's documentation, "Errors".
_KINDS: Final = {
    "invalid_request_error": "invalid_request",
    "authentication_error": "authentication",
    "billing_error": "permission",
    "permission_error": "permission",
    "not_found_error": "not_found",
    "request_too_large": "invalid_request",
    "rate_limit_error": "rate_limit",
    "timeout_error": "timeout",
    "api_error": "server",
    "overloaded_error": "overloaded",
}
_TYPES: Final = {
    "authentication": "authentication_error",
    "permission": "permission_error",
    "not_found": "not_found_error",
    "rate_limit": "rate_limit_error",
    "overloaded": "overloaded_error",
    "timeout": "timeout_error",
    "server": "api_error",
}
_TOO_LONG: Final = ("prompt is too long", "exceed context limit")


def decode_error(
    data: Any,
    status: int | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ProviderError:
    """Decode the body of an answer whose HTTP status is not 200 to 299.

    If the body is not the API's (a proxy's page), its text becomes the message and the status
    decides the kind.
    """
    data = error_body(data, "anthropic")
    body = json_object(data) or {}
    error = body.get("error")
    if not isinstance(error, dict):
        error = body  # Bedrock sends only the message
    code, message = error.get("type"), error.get("message")
    code = code if isinstance(code, str) else None
    return error_of(
        "anthropic",
        data,
        _KINDS.get(code or ""),
        message if isinstance(message, str) else None,
        status,
        code,
        headers,
    )


def encode_error(error: ProviderError, *, dialect: str | None = None) -> bytes:
    """Encode an error as this API's body; one that came over this API keeps its own body.

    The message of a context overflow begins as the API's own does: clients compact by these words.
    """
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    kind = _TYPES.get(error.kind, "invalid_request_error")
    body = {"type": "error", "error": {"type": kind, "message": worded(error, *_TOO_LONG)}}
    return error_bytes(error, "anthropic", body)
