"""ProviderError <-> the echo server's error body: `{"error": "...", "code": "..."}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from wireglot import ProviderError
from wireglot.providers._across.errors import error_body, error_bytes, error_of, json_object

from .losses import RULES

_KINDS: Final = {"busy": "overloaded", "slow-down": "rate_limit", "no-key": "authentication"}
_CODES: Final = {kind: code for code, kind in _KINDS.items()}


def decode_error(
    data: Any,
    status: int | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ProviderError:
    """Decode an error; a body that is not the server's own (a proxy's page) becomes the message."""
    data = error_body(data, "echo")
    body: dict[str, Any] = json_object(data) or {}
    text, code = body.get("error"), body.get("code")
    message = text if isinstance(text, str) else None
    code = code if isinstance(code, str) else None
    return error_of("echo", data, _KINDS.get(code or ""), message, status, code, headers)


def encode_error(error: ProviderError, *, dialect: str | None = None) -> bytes:
    """Encode an error as the server's body; one that came over this wire goes back unchanged."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    code = _CODES.get(error.kind)
    body = {"error": error.message} | ({"code": code} if code is not None else {})
    return error_bytes(error, "echo", body)
