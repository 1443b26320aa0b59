"""What the decoder at work knows about its input, for the values that adopt slices of it.

A slice (`msgspec.Raw`) does not say which wire it came from, nor whether its bytes are UTF-8: the
C decoder skips over it without looking. The readers in `json.py` and `msgpack.py` know, and set
`reading` for the length of one decode. Where nothing is set the slice is checked by itself.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final, Literal

from msgspec import Raw

__all__ = ["ASCII_JSON", "JSON", "MSGPACK", "Lifted", "Source", "reading", "taken_out", "whole"]

Source = Literal["ascii json", "json", "msgpack"]

ASCII_JSON: Final[Source] = "ascii json"
"""JSON without a byte above 127: every slice of it is UTF-8, there is nothing left to check."""
JSON: Final[Source] = "json"
MSGPACK: Final[Source] = "msgpack"

reading: ContextVar[Source | None] = ContextVar("reading", default=None)


class Lifted:
    """Strings that were taken out of a body, and the word that stands in for each.

    Media values ask for the strings; what else becomes of a word is a reason to decode again.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._strings: dict[bytes, Raw] = {}
        self._claimed: set[bytes] = set()
        self._is_astray = False

    def word(self, string: Raw) -> bytes:
        """Take out a JSON string, quotes included, and return the one that stands in for it."""
        made = b'"%b%d"' % (self._secret, len(self._strings))
        self._strings[made] = string
        return made

    def string(self, raw: Raw) -> Raw:
        """Return what `raw` stands for: itself, if it is no word."""
        if bytes(memoryview(raw)[1 : len(self._secret) + 1]) != self._secret:
            return raw
        return self._strings.get(bytes(raw), raw)

    def claim(self, raw: Raw) -> Raw:
        """Return what `raw` stands for, and note that a media value holds it."""
        string = self.string(raw)
        if string is not raw:
            self._claimed.add(bytes(raw))
        return string

    def look(self, raw: Raw | memoryview) -> None:
        """Note it if JSON that is carried as it came has a word in it."""
        if self._secret in bytes(raw):
            self._is_astray = True

    def is_whole(self) -> bool:
        """Whether media values hold all that was taken out, and nothing else has a word."""
        return not self._is_astray and len(self._claimed) == len(self._strings)


taken_out: ContextVar[Lifted | None] = ContextVar("taken_out", default=None)
"""What was taken out of the body that is being decoded, see `_lifting.py`."""


def whole(raw: Raw) -> Raw:
    """Return what a slice stands for, for whoever looks into it before a media value has it."""
    held = taken_out.get()
    return raw if held is None else held.string(raw)
