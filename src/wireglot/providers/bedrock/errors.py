"""ProviderError <-> the error body of AWS Bedrock, and the exceptions of its streams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...errors import ProviderError
from .._across.errors import error_body, error_bytes, error_of, json_object, worded
from .losses import RULES

TYPE: Final = "x-amzn-errortype"
"""The header that names the exception."""
# Source: the service model of botocore 1.44, and the errors that all services of AWS share.
_KINDS: Final = {
    "accessdenied": "permission",
    "conflict": "invalid_request",
    "expiredtoken": "authentication",
    "incompletesignature": "authentication",
    "internalfailure": "server",
    "internalserver": "server",
    "invalidclienttokenid": "authentication",
    "invalidsignature": "authentication",
    "missingauthenticationtoken": "authentication",
    "modelerror": "server",
    "modelnotready": "overloaded",
    "modelstreamerror": "server",
    "modeltimeout": "timeout",
    "optinrequired": "permission",
    "requestexpired": "authentication",
    "requesttimeout": "timeout",
    "resourcenotfound": "not_found",
    "serialization": "invalid_request",
    "servicequotaexceeded": "rate_limit",
    "serviceunavailable": "overloaded",
    "signaturedoesnotmatch": "authentication",
    "throttling": "rate_limit",
    "toomanyrequests": "rate_limit",
    "unknownoperation": "not_found",
    "unrecognizedclient": "authentication",
    "validation": "invalid_request",
}
EXCEPTIONS: Final = {
    "authentication": "AccessDeniedException",
    "permission": "AccessDeniedException",
    "not_found": "ResourceNotFoundException",
    "rate_limit": "ThrottlingException",
    "overloaded": "ServiceUnavailableException",
    "timeout": "ModelTimeoutException",
    "server": "InternalServerException",
}
"""Kind of error -> exception; any other kind is a `ValidationException`."""
# Words of the message, the kind that the exception names, the more precise kind.
_WORDS: Final = (
    ("content filtering policy", "invalid_request", "content_filter"),
    ("content filters", "invalid_request", "content_filter"),
    ("security token", "permission", "authentication"),
    ("authentication failed", "permission", "authentication"),
    ("signature we calculated", "permission", "authentication"),
)
_TOO_LONG: Final = ("input is too long", "exceed context limit")


def decode_error(
    data: Any,
    status: int | None = None,
    *,
    headers: Mapping[str, str] | None = None,
) -> ProviderError:
    """Decode the body of an answer whose HTTP status is not 200 to 299.

    The header `x-amzn-ErrorType` names the exception, or else `__type` or `code` in the body;
    without a name the status decides the kind. If the body is not the API's (a proxy's page), its
    text becomes the message.
    """
    data = error_body(data, "bedrock")
    body = json_object(data) or {}
    for name in ("Error", "Output"):  # as boto3 has it; of a path that the service does not know
        if isinstance(body.get(name), dict):
            body = body[name]
    message = body.get("message", body.get("Message"))
    code = _code(headers, body)
    error = error_of(
        "bedrock",
        data,
        _KINDS.get(code.lower().removesuffix("exception")) if code is not None else None,
        message if isinstance(message, str) else None,
        status,
        code,
        headers,
    )
    said = error.message.lower()
    for words, kind, better in _WORDS:
        if error.kind == kind and words in said:
            error.kind = better
    return error


def encode_error(error: ProviderError, *, dialect: str | None = None) -> bytes:
    """Encode an error as this API's body; one that came over this API keeps its own body.

    `__type` in the body names the exception: the SDKs of AWS read it there if there is no header
    `x-amzn-ErrorType`.
    """
    RULES.dialect(dialect)  # which changes nothing, but has to be known
    kind = EXCEPTIONS.get(error.kind, "ValidationException")
    return error_bytes(error, "bedrock", {"__type": kind, "message": message_of(error)})


def message_of(error: ProviderError) -> str:
    """Return the message of an error, in this API's words for a context overflow."""
    return worded(error, "Input is too long for requested model", *_TOO_LONG)


def _code(headers: Mapping[str, str] | None, body: dict[str, Any]) -> str | None:
    """Return the name of the exception, without the namespace and the URL around it."""
    given = {name.lower(): value for name, value in (headers or {}).items()}
    for code in (given.get(TYPE), *map(body.get, ("__type", "code", "Code"))):
        if isinstance(code, str) and code:
            return code.partition(":")[0].rpartition("#")[2]
    return None
