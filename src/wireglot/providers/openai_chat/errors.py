"""ProviderError <-> the error body of Chat Completions, as the services word it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from ...errors import LimitError, ProviderError
from ...model.counting import check_json
from .._across.errors import (
    error_body,
    error_bytes,
    error_of,
    openai_keys,
    status_of,
    worded,
)
from .dialects import SERVICES
from .losses import RULES

# Sources: OpenAI's "Error codes", the error pages of DeepSeek, Groq, OpenRouter and Z.AI, and the
# sources of llama.cpp's and vLLM's servers.
_BY_CODE: Final = {
    "content_filter": "content_filter",
    "content_policy_violation": "content_filter",
    "context_length_exceeded": "context_overflow",
    "insufficient_quota": "rate_limit",
    "invalid_api_key": "authentication",
    "model_not_found": "not_found",
    "rate_limit_exceeded": "rate_limit",
    "RateLimitReached": "rate_limit",
    "ResponsibleAIPolicyViolation": "content_filter",
    "server_error": "server",
}
_BY_TYPE: Final = {
    "authentication_error": "authentication",
    "content_filter": "content_filter",
    "exceed_context_size_error": "context_overflow",
    "insufficient_quota": "rate_limit",
    "internal_error": "server",
    "invalid_api_key": "authentication",
    "not_found_error": "not_found",
    "overloaded_error": "overloaded",
    "permission_error": "permission",
    "rate_limit_error": "rate_limit",
    "rate_limit_exceeded": "rate_limit",
    "server_error": "server",
    "service_unavailable_error": "overloaded",
    "timeout_error": "timeout",
    "tokens": "rate_limit",
    "too_many_prompt_tokens": "context_overflow",
    "unavailable_error": "overloaded",
}
_WORDS: Final[dict[str, tuple[str, str | None]]] = {
    "invalid_request": ("invalid_request_error", None),
    "authentication": ("invalid_request_error", "invalid_api_key"),
    "permission": ("permission_error", None),
    "not_found": ("invalid_request_error", "model_not_found"),
    "rate_limit": ("rate_limit_error", "rate_limit_exceeded"),
    "overloaded": ("service_unavailable_error", None),
    "context_overflow": ("invalid_request_error", "context_length_exceeded"),
    "content_filter": ("invalid_request_error", "content_filter"),
    "timeout": ("timeout_error", None),
    "server": ("server_error", None),
}
"""The type and the code that each kind is written with."""
_TOO_LONG: Final = ("maximum context length",)
_decode = msgspec.json.Decoder().decode


def decode_error(
    data: Any,
    status: int | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ProviderError:
    """Decode the body of an answer whose HTTP status is not 200 to 299.

    An error inside a stream, or inside an answer that came with 200, is read too. A known code
    decides the kind; else a known type, if the status is missing, 200, 400 or 500; else the status,
    or without one a numeric code. If the body is not the API's (a proxy's page), its text becomes
    the message.
    """
    data = error_body(data, "openai_chat")
    error = _error(data)
    code, kind = error.get("code"), error.get("type")
    if isinstance(code, str) and code.isdecimal() and len(code) == 3:
        code = int(code)
    if type(code) is int:
        status = code if status is None and 400 <= code < 600 else status
        code = str(code)
    kind = kind if isinstance(kind, str) and kind else None
    code = code if isinstance(code, str) and code else None
    message = error.get("message")
    return error_of(
        "openai_chat",
        data,
        _kind(code, kind, status),
        message if isinstance(message, str) and message else None,
        status,
        code or kind,
        headers,
    )


def encode_error(error: ProviderError, *, dialect: str | None = None) -> bytes:
    """Encode an error as this API's body; one that came over this API keeps its own body.

    In some dialects the code is the HTTP status: there a body with another code is written anew. A
    code of Responses is kept if this API has it too, or no other for such errors.
    """
    if SERVICES[RULES.dialect(dialect)].status_codes:
        made = {"error": {"code": status_of(error), "message": error.message}}
        is_so = type(_error(error.body or b"").get("code")) is int
        return error_bytes(error, "openai_chat" if is_so else "", made)
    kind, code = _WORDS.get(error.kind, ("server_error", None))
    told, param = openai_keys(error, "openai_responses")
    if error.wire == "openai_chat":
        code = error.code
    elif code is None or told in _BY_CODE:
        code = told or code
    message = worded(error, "This model's maximum context length is exceeded", *_TOO_LONG)
    body = {"message": message, "type": kind, "param": param, "code": code}
    return error_bytes(error, "openai_chat", {"error": body})


def _kind(code: str | None, kind: str | None, status: int | None) -> str | None:
    found = _BY_CODE.get(code or "")
    if found is not None:
        return found
    found = _BY_TYPE.get(kind or "")
    if found is not None and (status is None or status in (200, 400, 500)):
        return found
    return "invalid_request" if status is None and kind == "invalid_request_error" else None


def _error(data: Any) -> dict[str, Any]:
    """Return the error object, wherever a service puts it."""
    try:
        check_json(data)
        body = _decode(data)
    except (LimitError, msgspec.DecodeError, UnicodeError, RecursionError):
        return {}
    if isinstance(body, list) and body:  # Gemini puts it in a list
        body = body[0]
    if not isinstance(body, dict):
        return {}
    for found in (body, *_choices(body)):
        error = found.get("error")
        if isinstance(error, dict):
            return error
        if isinstance(error, str):
            return {"message": error, **{k: found.get(k) for k in ("code", "type")}}
    told = body.get("base_resp")  # MiniMax's
    if isinstance(told, dict):
        return {"message": told.get("status_msg"), "code": str(told.get("status_code"))}
    return body


def _choices(body: dict[str, Any]) -> list[dict[str, Any]]:
    choices = body.get("choices")
    return [c for c in choices if isinstance(c, dict)] if isinstance(choices, list) else []
