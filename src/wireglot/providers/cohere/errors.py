"""ProviderError <-> the error body of Cohere's API: a message, and sometimes an id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...errors import ProviderError
from .._across.errors import error_body, error_bytes, error_of, json_object, worded
from .losses import RULES

# Source: the exceptions of the SDK. All other statuses mean what `_across/errors.py` says.
_BY_STATUS: Final = {498: "authentication"}


def decode_error(
    data: Any,
    status: int | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ProviderError:
    """Decode the body of an answer whose HTTP status is not 200 to 299.

    The API does not name the kind of an error: the status and the message decide it. If the body
    is not the API's (a proxy's page), its text becomes the message.
    """
    data = error_body(data, "cohere")
    body: Any = json_object(data) or {}
    message = body.get("message")
    if not isinstance(message, str):  # a gateway's
        error = body.get("error")
        message = error.get("message") if isinstance(error, dict) else error
    reason = body.get("finish_reason")  # of an answer that has failed
    return error_of(
        "cohere",
        data,
        "timeout" if reason == "TIMEOUT" else _BY_STATUS.get(status or 0),
        message if isinstance(message, str) else None,
        status,
        reason if isinstance(reason, str) else None,
        headers,
    )


def encode_error(error: ProviderError, *, dialect: str | None = None) -> bytes:
    """Encode an error as this API's body; one that came over this API keeps its own body."""
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    return error_bytes(error, "cohere", {"message": message_of(error)})


def message_of(error: ProviderError) -> str:
    """Return the message of an error, in this API's words for a context overflow."""
    return worded(error, "too many tokens")
