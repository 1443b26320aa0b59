"""What the decoder at work knows about its input, for the values that adopt slices of it.

A slice (`msgspec.Raw`) does not say which wire it came from, nor whether its bytes are UTF-8: the
C decoder skips over it without looking. The readers in `json.py` and `msgpack.py` know, and set
`reading` for the length of one decode. Where nothing is set the slice is checked by itself.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final, Literal

__all__ = ["ASCII_JSON", "JSON", "MSGPACK", "Source", "reading"]

Source = Literal["ascii json", "json", "msgpack"]

ASCII_JSON: Final[Source] = "ascii json"
"""JSON without a byte above 127: every slice of it is UTF-8, there is nothing left to check."""
JSON: Final[Source] = "json"
MSGPACK: Final[Source] = "msgpack"

reading: ContextVar[Source | None] = ContextVar("reading", default=None)
