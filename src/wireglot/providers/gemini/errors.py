"""ProviderError <-> the error body of Gemini's generateContent, a `google.rpc.Status`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from ...errors import ProviderError
from .._across.errors import error_body, error_bytes, error_of, json_object, status_of, worded
from .losses import RULES

# Source: google.rpc.Code, and the API's documentation, "Troubleshooting".
_KINDS: Final = {
    "CANCELLED": "timeout",
    "INVALID_ARGUMENT": "invalid_request",
    "DEADLINE_EXCEEDED": "timeout",
    "NOT_FOUND": "not_found",
    "ALREADY_EXISTS": "invalid_request",
    "PERMISSION_DENIED": "permission",
    "UNAUTHENTICATED": "authentication",
    "RESOURCE_EXHAUSTED": "rate_limit",
    "FAILED_PRECONDITION": "invalid_request",
    "ABORTED": "server",
    "OUT_OF_RANGE": "invalid_request",
    "UNIMPLEMENTED": "invalid_request",
    "INTERNAL": "server",
    "UNKNOWN": "server",
    "UNAVAILABLE": "overloaded",
    "DATA_LOSS": "server",
}
_WORDS: Final = {
    "authentication": "UNAUTHENTICATED",
    "permission": "PERMISSION_DENIED",
    "not_found": "NOT_FOUND",
    "rate_limit": "RESOURCE_EXHAUSTED",
    "overloaded": "UNAVAILABLE",
    "timeout": "DEADLINE_EXCEEDED",
    "server": "INTERNAL",
}
_TOO_LONG: Final = (
    "The input token count exceeds the maximum number of tokens allowed",
    "exceeds the maximum number of tokens allowed",
)
_KEY_REASONS: Final = frozenset({"API_KEY_INVALID", "API_KEY_EXPIRED", "ACCESS_TOKEN_EXPIRED"})
_seconds_of: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s").fullmatch
_items = msgspec.json.Decoder(list[msgspec.Raw]).decode


def decode_error(
    data: Any,
    status: int | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ProviderError:
    """Decode the body of an answer whose HTTP status is not 200 to 299.

    A stream without `alt=sse` sends its error in an array. The API reports an invalid key as
    `INVALID_ARGUMENT`; here it is an authentication error. If the body is not the API's (a proxy's
    page), its text becomes the message and the status decides the kind.
    """
    data = error_body(data, "gemini")
    body = _body(data)
    error = body.get("error")
    if not isinstance(error, dict):
        error = {"message": error} if isinstance(error, str) else body
    code, message, number = error.get("status"), error.get("message"), error.get("code")
    code = code if isinstance(code, str) else None
    if status is None and type(number) is int and 100 <= number < 600:
        status = number
    details = [part for part in _list(error.get("details")) if isinstance(part, dict)]
    kind = _KINDS.get(code or "")
    if any(_is_of_a_key(part) for part in details):
        kind = "authentication"
    return error_of(
        "gemini",
        data,
        kind,
        message if isinstance(message, str) else None,
        status,
        code,
        headers,
        next((wait for part in details if (wait := _wait(part)) is not None), None),
    )


def encode_error(error: ProviderError, *, dialect: str | None = None) -> bytes:
    """Encode an error as this API's body; one that came over this API keeps its own body."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    word = _WORDS.get(error.kind, "INVALID_ARGUMENT")
    message = worded(error, *_TOO_LONG)
    body: dict[str, Any] = {"code": status_of(error), "message": message, "status": word}
    if error.retry_after is not None:
        delay = f"{error.retry_after:.9f}".rstrip("0").rstrip(".") + "s"
        body["details"] = [
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}
        ]
    return error_bytes(error, "gemini", {"error": body})


def _body(data: Any) -> dict[str, Any]:
    body = json_object(data)
    if body is not None:
        return body
    try:
        items = _items(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}
    return (json_object(items[0]) if items else None) or {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_of_a_key(detail: dict[str, Any]) -> bool:
    reason = detail.get("reason")
    return isinstance(reason, str) and reason in _KEY_REASONS


def _wait(detail: dict[str, Any]) -> float | None:
    delay = detail.get("retryDelay")
    match = _seconds_of(delay) if isinstance(delay, str) else None
    return float(match[1]) if match is not None else None
