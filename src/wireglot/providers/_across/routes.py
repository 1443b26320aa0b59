"""Where a request is sent: method, path and headers, without host; and where its key goes."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

from msgspec import Struct, field

from ...errors import DecodeError, EncodeError
from ...model import Request

BEARER: Final = ("authorization", "Bearer ")
NO_MODEL: Final = "no model, expected its name; pass `model`"
_SHOWN: Final = 200
"""How many characters of a URL an error shows."""
_quoted_colon: Final = re.compile("%3A", re.I)
_NO_NAMES: Final = frozenset({"", ".", ".."})


class Route(Struct, frozen=True):
    """The request line and the headers that the wire needs; the caller adds host and key."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    key: tuple[str, str] = BEARER
    """The name of the header for the caller's key, and the text in it before the key."""

    def with_key(self, key: str) -> dict[str, str]:
        """Return all headers that the request needs, with the caller's key among them.

        Raises `EncodeError` if the key is not text, such as that of a variable that is not set.
        """
        name, before = self.key
        if not isinstance(key, str):
            reason = f"key of type `{type(key).__name__}`, expected text; is its variable set?"
            raise EncodeError(reason, wire="route", path="$.key")
        return {"content-type": "application/json", **self.headers, name: before + key}


def model_in_url(request: Request, wire: str) -> str:
    """Return the request's model, quoted for a path.

    Raises `EncodeError` if there is none, or if it would change the path: a client removes the
    segments `.` and `..` (RFC 3986, 5.2.4).
    """
    model = request.model
    if model is None:
        raise EncodeError(NO_MODEL, wire=wire, path="$.model")
    if model in _NO_NAMES:
        reason = f"model `{model}` in a path, expected a name"
        raise EncodeError(reason, wire=wire, path="$.model")
    try:
        return quote(model, safe="")
    except UnicodeEncodeError as error:
        reason = "model holds a lone surrogate"
        raise EncodeError(reason, wire=wire, path="$.model") from error


def parts_of_url(path: str | None, pattern: re.Pattern[str]) -> tuple[str | None, str]:
    """Return the model and the verb of a URL or path, by the two groups of `pattern`.

    Some clients quote the colon before the verb.
    """
    found = pattern.search(_quoted_colon.sub(":", path)) if path else None
    return (unquote(found[1]), found[2]) if found is not None else (None, "")


def call_in_url(
    path: str | None, pattern: re.Pattern[str], wire: str, form: str
) -> tuple[str | None, str]:
    """Return the model and the verb of a URL or path where only that has them.

    Raises `DecodeError` for a path of another form: nothing else says what was asked for.
    """
    model, verb = parts_of_url(path, pattern)
    if path and model is None:
        reason = f"URL `{path[:_SHOWN]}` of another call, expected one like `{form}`"
        raise DecodeError(reason, wire=wire)
    return model, verb
