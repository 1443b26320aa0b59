"""ProviderError <-> the error body of Ollama: `{"error": "..."}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import ProviderError
from .._across.errors import error_body, error_bytes, error_of, json_object
from .losses import RULES


def decode_error(
    data: Any,
    status: int | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ProviderError:
    """Decode the body of an answer whose HTTP status is not 200 to 299, or a line of a stream.

    The server does not name the kind of an error: the status and the message decide it. If the body
    is not the server's (a proxy's page), its text becomes the message.
    """
    data = error_body(data, "ollama")
    body: Any = json_object(data) or {}
    error = body.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    message = message if isinstance(message, str) else None
    return error_of("ollama", data, None, message, status, headers=headers)


def encode_error(error: ProviderError, *, dialect: str | None = None) -> bytes:
    """Encode an error as the server's body; one that came over this API keeps its own body.

    An empty text would be no error: then it is the kind of the error.
    """
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    return error_bytes(error, "ollama", {"error": error.message or error.kind})
