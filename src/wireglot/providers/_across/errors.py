"""What all error codecs share: the kind of an error, by status and wording, and its wait."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from ..._body.decode import plain_text
from ..._body.encode import encode_json as encode
from ...errors import ERROR_KINDS, LimitError, ProviderError
from ...model.counting import check_json
from ...model.messages import OVERFLOW_WORDS

_BY_STATUS: Final = {
    400: "invalid_request",
    401: "authentication",
    402: "permission",
    403: "permission",
    404: "not_found",
    408: "timeout",
    409: "invalid_request",
    413: "invalid_request",
    422: "invalid_request",
    424: "server",
    429: "rate_limit",
    498: "rate_limit",
    499: "timeout",
    500: "server",
    502: "server",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}
# Phrases that APIs also use for other limits (of images, of tools, of `max_tokens`).
_VAGUE: Final = frozenset({"exceeds the maximum", "exceeds the limit of"})
_CLEAR: Final = tuple(words for words in OVERFLOW_WORDS if words not in _VAGUE)
_says_of_what = re.compile(r"\b(?:tokens?|prompt|context)\b").search
_LONGEST: Final = 1000
_is_code: Final = re.compile(r"[a-zA-Z]\w{0,99}").fullmatch  # xAI has sentences, Azure numbers
_decode = msgspec.json.Decoder().decode
# "Please try again in 1m20.5s", "retry after 1m 30s", "try again in 250ms"
_WAIT: Final = re.compile(
    r"(?:try again|retry) (?:in|after)\s+"
    r"(?:(\d{1,6})h\s*)?(?:(\d{1,6})m(?!s)\s*)?(?:(\d{1,9}(?:\.\d{0,30})?)\s*(ms|s))?",
    re.I,
)


def kind_of(status: int | None, message: str, default: str = "server") -> str:
    """Return the kind of an error by its HTTP status, and by more specific words in its message."""
    said = message.lower()
    kind = default
    if status is not None:
        by_class = "invalid_request" if 400 <= status < 500 else "server"
        kind = _BY_STATUS.get(status, by_class)
    if (status is None or kind == "invalid_request") and _is_overflow(said):
        return "context_overflow"
    return kind


def worded(error: ProviderError, words: str, *others: str) -> str:
    """Return the message of an error; that of a context overflow begins with a wire's `words`.

    Clients of the wire know the overflow by them, or by `others` within the message.
    """
    said = error.message.lower()
    is_told = said.startswith(words.lower()) or any(known in said for known in others)
    if error.kind != "context_overflow" or is_told:
        return error.message
    return f"{words}: {error.message}"


def _is_overflow(said: str) -> bool:
    if any(words in said for words in _CLEAR):
        return True
    return any(words in said for words in _VAGUE) and _says_of_what(said) is not None


def status_of(error: ProviderError) -> int:
    """Return the HTTP status of an error; that of its kind, where the provider gave none."""
    return error.status if error.status is not None else ERROR_KINDS.get(error.kind, 500)


def error_body(data: Any, wire: str) -> bytes:
    """Return an error's body as bytes; plain data and an SDK's object become JSON.

    Raises `EncodeError` for plain data that JSON cannot express, and `TypeError` for any other.
    """
    return data.encode("utf-8", "replace") if isinstance(data, str) else plain_text(data, wire)


def json_object(data: bytes) -> dict[str, Any] | None:
    """Return an error's body as a dict, None for anything else: proxies answer in HTML."""
    try:
        check_json(data)
        value = _decode(data)
    except (LimitError, msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def error_of(
    wire: str,
    body: bytes,
    kind: str | None,
    message: str | None,
    status: int | None,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
    retry_after: float | None = None,
) -> ProviderError:
    """Return the error in a body; with `kind` None, the status and the message decide the kind.

    A body without a `message` of the API's may be that of a server before it. If a gateway adds
    what the provider behind it has said (OpenRouter), the message ends with that.
    """
    if message is None:
        message = _said_before(body)
    elif b'"raw"' in body:
        behind = _said_behind(body)
        if behind is not None and behind not in message:
            message = f"{message}: {behind}"
    if message is None:
        message = body[:_LONGEST].decode("utf-8", "replace").strip() or "no message"
    if kind is None or kind == "invalid_request":
        kind = kind_of(status if kind is None else 400, message)
    return ProviderError(
        kind,
        message,
        status=status,
        code=code,
        retry_after=_wait(headers, message) if retry_after is None else retry_after,
        wire=wire,
        body=body,
    )


def openai_keys(error: ProviderError, wire: str) -> tuple[str | None, str | None]:
    """Return the `code` and the `param` in the body of an error of the other API of OpenAI's."""
    if error.wire != wire or error.body is None:
        return None, None
    found: Any = json_object(error.body) or {}
    for key in ("response", "error"):
        if isinstance(found.get(key), dict):
            found = found[key]
    code, param = found.get("code"), found.get("param")
    return (
        code if isinstance(code, str) and _is_code(code) else None,
        param if isinstance(param, str) and param else None,
    )


def faults(value: Any) -> str | None:
    """Return the text of a `detail`; a list of faults becomes one text, each with its location."""
    if isinstance(value, dict):
        value = value.get("detail") or value.get("message")
    if isinstance(value, str):
        return value or None
    if not isinstance(value, list) or not value:
        return None
    return "; ".join(map(_fault, value))


def _fault(fault: Any) -> str:
    if isinstance(fault, dict) and isinstance(fault.get("msg"), str):
        place = fault.get("loc")
        at = ".".join(map(str, place)) if isinstance(place, list) else ""
        return f"{at}: {fault['msg']}" if at else str(fault["msg"])
    return encode(fault).decode("utf-8", "replace")


def _said_before(body: bytes) -> str | None:
    """Return the message of a server that is not the API's own: FastAPI's, or MiniMax's."""
    keys = json_object(body) or {}
    told = keys.get("base_resp")
    said = told.get("status_msg") if isinstance(told, dict) else None
    return said if isinstance(said, str) and said else faults(keys.get("detail"))


def _said_behind(body: bytes) -> str | None:
    """Return what the provider behind a gateway has said, the message of its own error body."""
    keys = json_object(body) or {}
    choices = keys.get("choices")
    for found in (keys, keys.get("response"), *(choices if isinstance(choices, list) else ())):
        error = found.get("error") if isinstance(found, dict) else None
        more = error.get("metadata") if isinstance(error, dict) else None
        raw = more.get("raw") if isinstance(more, dict) else None
        if raw:
            return _message_in(raw)
    return None


def _message_in(raw: Any) -> str:
    """Return the message of an error body, which may be a text, or all of it."""
    text = raw if isinstance(raw, str) else encode(raw).decode("utf-8", "replace")
    body = raw if isinstance(raw, dict) else json_object(text.encode("utf-8", "replace")) or {}
    error = body.get("error")
    for said in (error.get("message") if isinstance(error, dict) else error, body.get("message")):
        if isinstance(said, str) and said:
            return said
    return faults(body.get("detail")) or text[:_LONGEST].strip()


def error_bytes(error: ProviderError, wire: str, made: Any) -> bytes:
    """Return the body of an error: the one it came with, if it came over this wire."""
    return error.body if error.wire == wire and error.body is not None else encode(made)


def _wait(headers: Mapping[str, str] | None, message: str) -> float | None:
    """Return the seconds to wait, from the headers or the words of the message."""
    given = {name.lower(): value for name, value in (headers or {}).items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(given[name]) * unit
        except (KeyError, ValueError):  # a date is left alone: it needs a clock
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    waits = (match.groups() for match in _WAIT.finditer(message))
    said = next(filter(any, waits), None)  # "retry after a while" says nothing
    if said is None:
        return None
    hours, minutes, rest, unit_word = said
    seconds = float(rest) * (0.001 if unit_word == "ms" else 1.0) if rest else 0.0
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + seconds
