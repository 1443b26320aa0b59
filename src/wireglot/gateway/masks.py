"""An error of a provider -> the same without the secrets that the gateway has for it.

Some providers repeat in an error the key that they were shown. It is not the client's. What a model
says is never changed: it may have the same key from the client's own files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html.entities import html5
from typing import Final

from ..errors import ProviderError

__all__ = ["Mask", "secrets_of"]

_SHORTEST: Final = 16
"""Characters of a secret that is looked for. `none` and the like are words of any text."""
_MASKED: Final = b"***"
_DEEP: Final = 15  # backslashes before a character that is escaped four times
_is_secret: Final = re.compile(
    ".*(authorization|auth|cookie|api[-_]?key|password|jwt.*)|(.*[-_])?(key|token|secret)([-_][0-9]+)?"
).fullmatch
_pieces: Final = re.compile("[ ;]+").split
_characters: Final = re.compile(r"\\+|[^\\]").findall


class Mask:
    """Replaces secrets with `***`: as they are, and as JSON, HTML and URLs escape them."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        long = {secret for secret in secrets if len(secret) >= _SHORTEST}
        forms = map(_form, sorted(long, key=len, reverse=True))
        self._secrets = re.compile(b"|".join(forms)) if long else None

    def __call__(self, data: bytes) -> bytes:
        """Return the bytes of an error without the secrets."""
        return data if self._secrets is None else self._secrets.sub(_MASKED, data)

    def text(self, text: str) -> str:
        """Return a text without the secrets, such as the value of a header."""
        return self(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def error(self, error: ProviderError) -> ProviderError:
        """Return an error without the secrets in what its provider says."""
        return ProviderError(
            error.kind,
            self.text(error.message),
            status=error.status,
            code=None if error.code is None else self.text(error.code),
            retry_after=error.retry_after,
            wire=error.wire,
            body=None if error.body is None else self(error.body),
        )


def secrets_of(headers: Mapping[str, str]) -> set[str]:
    """Return the secrets in the headers of a route: whole, and without `Bearer` and the like."""
    values = [value.strip() for name, value in headers.items() if _is_secret(name.lower())]
    pieces = [piece for value in values for piece in _pieces(value)]
    return {*values, *pieces, *(piece.partition("=")[2] for piece in pieces)}  # of a cookie


def _form(secret: str) -> bytes:
    """Return the expression for all spellings of a secret; it takes linear time."""
    return b"".join(map(_spellings, _characters(secret)))


def _spellings(char: str) -> bytes:
    r"""Return the expression for a character, or for a run of backslashes.

    Each letter of ASCII is itself. All others may be escaped, again and again: `\/`, `\\u002f`,
    `\x2f`, `%2F`, `%252f`, `&#47;`, `&#x2F;`, `&sol;`.
    """
    if char.isascii() and char.isalnum():
        return char.encode()
    if char[0] == "\\":
        count = len(char)
        others = b"|".join(_escapes("\\"))
        return rb"(?:\\{%d,%d}|(?i:%b){%d})" % (count, count * (_DEEP + 1), others, count)
    itself = rb"\\{0,%d}%b" % (_DEEP, re.escape(char.encode()))
    return rb"(?:%b|(?i:%b))" % (itself, b"|".join(_escapes(char)))


def _escapes(char: str) -> list[bytes]:
    code = ord(char)
    names = (name for name, value in html5.items() if value == char and name.endswith(";"))
    units = char.encode("utf-16-be").hex(" ", 2).split()
    return [
        b"".join(rb"\\{1,%d}u%b" % (_DEEP, unit.encode()) for unit in units),
        rb"\\{1,%d}x%02x" % (_DEEP, code),
        b"".join(rb"%%(?:25){0,3}%02x" % byte for byte in char.encode()),
        rb"&#(?:0{0,6}%d|x0{0,6}%x);" % (code, code),
        *(b"&" + re.escape(name.encode()) for name in names),
    ]
