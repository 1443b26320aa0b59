"""ProviderError <-> the error body of Mistral's API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...errors import ProviderError
from .._across.errors import (
    error_body,
    error_bytes,
    error_of,
    faults,
    json_object,
    status_of,
)
from .losses import RULES

# Source: the API's own errors.
_KINDS: Final = {
    "invalid_model": "not_found",
    "invalid_request_error": "invalid_request",
    "invalid_request_invalid_args": "invalid_request",
    "invalid_request_prompt": "invalid_request",
    "invalid_request_message_order": "invalid_request",
    "invalid_function_call": "invalid_request",
    "unauthorized": "authentication",
    "forbidden": "permission",
    "not_found": "not_found",
    "rate_limited": "rate_limit",
    "rate_limit_error": "rate_limit",
    "service_tier_capacity_exceeded": "overloaded",
    "unreachable_backend": "overloaded",
}
_TYPES: Final = {
    "authentication": "unauthorized",
    "permission": "forbidden",
    "not_found": "not_found",
    "rate_limit": "rate_limited",
    "overloaded": "service_tier_capacity_exceeded",
    "timeout": "internal_server_error",
    "server": "internal_server_error",
}


def decode_error(
    data: Any,
    status: int | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ProviderError:
    """Decode the body of an answer whose HTTP status is not 200 to 299.

    The API uses three forms: a `message` text with a `type`, a `message` that holds a list of
    faults, and `detail` alone, a text or such a list. The error's `code` is the body's `type`, or
    without one its `code`; if that is not known, the status decides the kind. If the body is not
    the API's (a proxy's page), its text becomes the message.
    """
    data = error_body(data, "mistral")
    body = json_object(data) or {}
    inner = body.get("error")
    if isinstance(inner, dict):  # other servers of this wire wrap the error
        body = inner
    elif isinstance(inner, str) and "message" not in body:
        body = {**body, "message": inner}
    word, number = body.get("type"), body.get("code")
    if not isinstance(word, str) or not word:
        word = str(number) if isinstance(number, str | int) and number != "" else None
    if status is None:
        given = body.get("raw_status_code")
        status = given if type(given) is int and 100 <= given <= 599 else None
    message = faults(body.get("message")) or faults(body.get("detail"))
    kind = _KINDS.get(word or "")
    if kind is None and status is None and isinstance(body.get("detail"), list):
        kind = "invalid_request"
    return error_of("mistral", data, kind, message, status, word, headers)


def encode_error(error: ProviderError, *, dialect: str | None = None) -> bytes:
    """Encode an error as this API's body; one that came over this API keeps its own body."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    body = {
        "object": "error",
        "message": error.message,
        "type": _TYPES.get(error.kind, "invalid_request_error"),
        "param": None,
        "code": None,
        "raw_status_code": status_of(error),
    }
    return error_bytes(error, "mistral", body)
