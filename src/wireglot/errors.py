"""Every exception that wireglot raises, split by whose fault it is.

The tree::

    WireglotError
    ├── EncodeError         the caller's fault (also a ValueError)
    │   ├── LossError       the target cannot carry this content, and no list of losses was given
    │   └── TooLargeError   a payload larger than the message broker accepts
    ├── DecodeError         the bytes' fault (also a ValueError)
    │   ├── StreamError     a stream that broke off or broke its own rules
    │   ├── LimitError      input beyond a limit of `Limits`
    │   ├── PoisonError     a queue message that no consumer can read
    │   │   └── VersionError    a message in a newer version than this library knows
    │   └── ClaimError      a claim-checked object that is missing or has changed
    └── ProviderError       a well-formed error answer of a provider

`str()` gives `wire: what, expected what - at `path``, with a path like `$.messages[3].content`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

__all__ = [
    "ERROR_KINDS",
    "ClaimError",
    "DecodeError",
    "EncodeError",
    "LimitError",
    "LossError",
    "PoisonError",
    "ProviderError",
    "StreamError",
    "TooLargeError",
    "VersionError",
    "WireglotError",
]

ERROR_KINDS: dict[str, int] = {
    "invalid_request": 400,
    "authentication": 401,
    "permission": 403,
    "not_found": 404,
    "rate_limit": 429,
    "overloaded": 503,
    "context_overflow": 400,
    "content_filter": 400,
    "timeout": 504,
    "server": 500,
}
"""The kinds of `ProviderError`, each with the HTTP status to use where the provider gave none."""


_LONGEST: Final = 60  # characters of a text from outside that a message quotes
_LONGEST_PATH: Final = 300  # keys are from outside, too


def shown(text: str, longest: int = _LONGEST) -> str:
    """Return a text from outside as a message shows it: cut, and without control characters."""
    text = text if len(text) <= longest else text[: longest - 3] + "..."
    return text if text.isprintable() else repr(text)[1:-1]


def quoted(value: object, longest: int = _LONGEST) -> str:
    """Return a value from outside as a message quotes it."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except (ValueError, RecursionError):  # of an integer too long, or of a deep list
        text = type(value).__name__
    return f"`{shown(text, longest)}`"


def unknown(what: str, name: object, known: Iterable[str], more: Iterable[str] = ()) -> str:
    """Return the reason for an unknown name: the known ones, and the closest one, if one is close.

    `more` are names that are allowed as well, but not listed.
    """
    from difflib import get_close_matches  # here, since only an error needs it

    names = [*known]
    close = get_close_matches(shown(str(name)), [*names, *more], 1)
    hint = f"; did you mean `{close[0]}`?" if close else ""
    return f"unknown {what} {quoted(name)}, expected one of {', '.join(map(quoted, names))}{hint}"


def reason_of(error: Exception) -> str:
    """Return the reason of an error: ours, or Python's, in our words where those are of no help."""
    if isinstance(error, WireglotError):
        return error.reason
    if isinstance(error, UnicodeEncodeError):
        return "text holds a lone surrogate"
    reason = str(error)
    if reason.startswith("Exceeds the limit ("):  # of `str()` on an integer
        return f"integer of more than {sys.get_int_max_str_digits():,} digits, expected fewer"
    return reason


class WireglotError(Exception):
    """The root of the tree; catch it to catch everything that this library raises.

    `wire` names the wire format (`json`, `msgpack`, `anthropic`, ...), `reason` says what is wrong,
    `path` is the place of the fault: a JSONPath from the root `$` of the document. In JSON Lines it
    follows the number of the line (`line 3: $.content`). Where there is no tree of JSON yet, it is
    a position in the text (`byte 51`). A message shows at most 300 characters of it.
    """

    def __init__(self, reason: str, *, wire: str = "", path: str = "$") -> None:
        super().__init__(reason, wire, path)
        self.reason = reason
        self.wire = wire
        self.path = path

    def __str__(self) -> str:
        """Return `wire: reason - at `path``."""
        path = shown(self.path, _LONGEST_PATH)
        return f"{self.wire + ': ' if self.wire else ''}{self.reason} - at `{path}`"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by state, since `wire` and `path` are keyword-only."""
        return _revive, (type(self), self.__dict__)


class EncodeError(WireglotError, ValueError):
    """A value that cannot be encoded; the caller can correct it."""


class LossError(EncodeError):
    """Content that the target wire cannot carry; a list as `losses` is told of it instead."""


class TooLargeError(EncodeError):
    """A payload larger than a message broker accepts; `size` and `limit` are in bytes."""

    def __init__(self, reason: str, *, size: int, limit: int, wire: str = "") -> None:
        super().__init__(reason, wire=wire)
        self.size = size
        self.limit = limit


class DecodeError(WireglotError, ValueError):
    """Bytes that are malformed, or not what the decoder expects."""


class StreamError(DecodeError):
    """A stream that was cut, or that broke its own protocol."""


class LimitError(DecodeError):
    """Input larger, deeper or longer than the `Limits` in force."""


class PoisonError(DecodeError):
    """A queue message that cannot be read, however often it is delivered again.

    `body` and `headers` are what arrived, for the dead-letter queue. Header values are text. Header
    names are the broker's, or those of CloudEvents if the envelope could be read; then
    `content-encoding` is among them if the body is compressed.
    """

    def __init__(
        self,
        reason: str,
        *,
        body: bytes,
        headers: dict[str, str] | None = None,
        wire: str = "",
        path: str = "$",
    ) -> None:
        super().__init__(reason, wire=wire, path=path)
        self.body = body
        self.headers: dict[str, str] = headers or {}


class VersionError(PoisonError):
    """A message in a newer version than this library knows; an upgraded library can read it."""


class ClaimError(DecodeError):
    """A claim-checked object that is missing, or is not what was checked in."""


class ProviderError(WireglotError):
    """A provider's error answer, decoded.

    `kind` is one of `ERROR_KINDS`. `status` is the HTTP status, `code` the provider's own error
    code, `retry_after` the wait that the provider asks for, in seconds. `body` is the answer as
    received over `wire`.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        retry_after: float | None = None,
        wire: str = "",
        body: bytes | None = None,
    ) -> None:
        super().__init__(message, wire=wire)
        self.kind = kind
        self.message = message
        self.status = status
        self.code = code
        self.retry_after = retry_after
        self.body = body

    @property
    def http_status(self) -> int:
        """The status of an answer that is this error: its own, or that of its kind."""
        return self.status or ERROR_KINDS[self.kind]

    def __str__(self) -> str:
        """Return `wire: kind (status): message`."""
        status = f" ({self.status})" if self.status is not None else ""
        return f"{self.wire + ': ' if self.wire else ''}{self.kind}{status}: {self.message}"


def _revive(cls: type[WireglotError], state: dict[str, object]) -> WireglotError:
    error = cls.__new__(cls)
    error.__dict__.update(state)
    error.args = (error.reason, error.wire, error.path)
    return error
