"""Where a request is sent: method, path and headers, without host; and where its key goes."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, unquote

from msgspec import Struct, field

from ..errors import EncodeError
from ..model import Request

__all__ = ["BEARER", "NO_MODEL", "Route", "model_in_url", "parts_of_url"]

BEARER: Final = ("authorization", "Bearer ")
NO_MODEL: Final = "no model, expected its name; pass `model`"


class Route(Struct, frozen=True):
    """The request line and the headers that the wire needs; the caller adds host and key."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    key: tuple[str, str] = BEARER
    """The name of the header for the caller's key, and the text in it before the key."""

    def with_key(self, key: str) -> dict[str, str]:
        """Return all headers that the request needs, with the caller's key among them."""
        name, before = self.key
        return {"content-type": "application/json", **self.headers, name: before + key}


def model_in_url(request: Request, wire: str) -> str:
    """Return the request's model, quoted for a path. Raises `EncodeError` if there is none."""
    if request.model is None:
        raise EncodeError(NO_MODEL, wire=wire, path="$.model")
    return quote(request.model, safe="")


def parts_of_url(path: str | None, pattern: re.Pattern[str]) -> tuple[str | None, str]:
    """Return the model and the verb of a URL or path, by the two groups of `pattern`."""
    found = pattern.search(path) if path else None
    return (unquote(found[1]), found[2]) if found is not None else (None, "")
