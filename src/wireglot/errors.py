"""Every exception that wireglot raises, split by whose fault it is.

    WireglotError
    ├── EncodeError         the caller's fault (also a ValueError)
    │   ├── LossError       the target cannot carry this content, and no list of losses was given
    │   └── TooLargeError   a payload beyond what the message broker takes
    ├── DecodeError         the bytes' fault (also a ValueError)
    │   ├── StreamError     a stream that broke off or broke its own rules
    │   ├── LimitError      input beyond a limit of `Limits`
    │   ├── PoisonError     a message of a queue that no consumer will ever read
    │   │   └── VersionError    one in a newer version than this library knows
    │   └── ClaimError      a checked-in object that is missing, or is not what was checked in
    └── ProviderError       a well-formed error answer of a provider

Text is `wire: what, expected what - at `path``, where the path reads like `$.messages[3].content`.
"""

from __future__ import annotations

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
"""The kinds of `ProviderError`, and the HTTP status that each has where a provider gave none."""


class WireglotError(Exception):
    """The root of the tree; catch it to catch everything that this library raises.

    `wire` names the wire at work (`json`, `msgpack`, `anthropic`, ...), `reason` says what is
    wrong, `path` says where, as JSONPath from the root `$` of the document.
    """

    def __init__(self, reason: str, *, wire: str = "", path: str = "$") -> None:
        super().__init__(reason, wire, path)
        self.reason = reason
        self.wire = wire
        self.path = path

    def __str__(self) -> str:
        """Return `wire: reason - at `path``."""
        return f"{self.wire + ': ' if self.wire else ''}{self.reason} - at `{self.path}`"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by state, since `wire` and `path` are keyword-only."""
        return _revive, (type(self), self.__dict__)


class EncodeError(WireglotError, ValueError):
    """A value that cannot be written; the caller can mend it."""


class LossError(EncodeError):
    """Content that the target wire cannot carry; pass `losses=[]` to take the fallback instead."""


class TooLargeError(EncodeError):
    """A payload beyond what a message broker takes; `size` and `limit` are in bytes."""

    def __init__(self, reason: str, *, size: int, limit: int, wire: str = "") -> None:
        super().__init__(reason, wire=wire)
        self.size = size
        self.limit = limit


class DecodeError(WireglotError, ValueError):
    """Bytes that are not what they should be."""


class StreamError(DecodeError):
    """A stream that was cut, or that broke its own protocol."""


class LimitError(DecodeError):
    """Input larger, deeper or longer than the `Limits` in force."""


class PoisonError(DecodeError):
    """A message of a queue that cannot be read, however often it is delivered again.

    `body` and `headers` are what came, for the dead-letter queue: headers as text, by the names
    that the broker has for them, or by those of CloudEvents if the envelope could be read, and
    `content-encoding` beside them if the body is compressed.
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
    """A message in a newer version than this library knows; an upgrade reads it."""


class ClaimError(DecodeError):
    """An object behind a reference that is missing, or is not what was checked in."""


class ProviderError(WireglotError):
    """A provider's own error answer, decoded.

    `kind` is one of `ERROR_KINDS`. `status` is the HTTP status, `code` the provider's own word,
    `retry_after` the wait it asks for, in seconds. `body` is the answer as it came over `wire`.
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

    def __str__(self) -> str:
        """Return `wire: kind (status): message`."""
        status = f" ({self.status})" if self.status is not None else ""
        return f"{self.wire + ': ' if self.wire else ''}{self.kind}{status}: {self.message}"


def _revive(cls: type[WireglotError], state: dict[str, object]) -> WireglotError:
    error = cls.__new__(cls)
    error.__dict__.update(state)
    error.args = (error.reason, error.wire, error.path)
    return error
