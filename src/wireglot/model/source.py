"""What the current decoder knows about its input, for the values that adopt slices of it.

A slice (`msgspec.Raw`) does not say which wire it came from, nor whether its bytes are UTF-8: the C
decoder skips over it without a check. The readers know, and set `reading` for the duration of one
decode. While it is unset, each slice is checked by itself.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final, Literal

from msgspec import Raw

__all__ = ["ASCII_JSON", "JSON", "MSGPACK", "Lifted", "Source", "reading", "taken_out", "whole"]

Source = Literal["ascii json", "json", "msgpack"]

ASCII_JSON: Final[Source] = "ascii json"
"""JSON without a byte above 127: every slice of it is UTF-8, and needs no check."""
JSON: Final[Source] = "json"
MSGPACK: Final[Source] = "msgpack"

reading: ContextVar[Source | None] = ContextVar("reading", default=None)


class Lifted:
    """Strings that were taken out of a body, and the word that replaces each.

    Media values claim the strings. If a word ends up anywhere else, the body must be decoded again.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._strings: dict[bytes, Raw] = {}
        self._claimed: set[bytes] = set()
        self._is_astray = False

    def word(self, string: Raw) -> bytes:
        """Take out a JSON string, quotes included, and return the word that replaces it."""
        made = b'"%b%d"' % (self._secret, len(self._strings))
        self._strings[made] = string
        return made

    def string(self, raw: Raw) -> Raw:
        """Return the string that the word `raw` replaces, or `raw` if it is not a word."""
        if bytes(memoryview(raw)[1 : len(self._secret) + 1]) != self._secret:
            return raw
        return self._strings.get(bytes(raw), raw)

    def claim(self, raw: Raw) -> Raw:
        """Return `string(raw)`, and note that a media value holds it."""
        string = self.string(raw)
        if string is not raw:
            self._claimed.add(bytes(raw))
        return string

    def look(self, raw: Raw | memoryview) -> None:
        """Note whether a word is in JSON that is passed on as it came."""
        if self._secret in bytes(raw):
            self._is_astray = True

    def is_whole(self) -> bool:
        """Whether media values hold every string taken out, and no raw JSON holds a word."""
        return not self._is_astray and len(self._claimed) == len(self._strings)


taken_out: ContextVar[Lifted | None] = ContextVar("taken_out", default=None)
"""The strings that were taken out of the body being decoded; see `_body/payloads.py`."""


def whole(raw: Raw) -> Raw:
    """Return the string behind a slice, for code that reads it before a media value claims it."""
    held = taken_out.get()
    return raw if held is None else held.string(raw)


def settled(data: bytes | bytearray | memoryview) -> bytes | memoryview:
    """Return a view of `data` if it cannot change, else a copy.

    `bytes` and the slices of a decoder cannot. A read-only view of a `bytearray`, an array or a
    mapped file can: its owner, or another process, may still write to what is behind it.
    """
    try:
        view = memoryview(data)
    except TypeError as error:
        reason = f"data of type `{type(data).__name__}`, expected bytes"
        raise TypeError(f"{reason}; `from_builtins` takes dicts and lists") from error
    if isinstance(view.obj, bytes | Raw) and view.c_contiguous and view.nbytes:
        return view.cast("B")
    return bytes(view)
