"""What may be raised on bad input or by bad values, and where msgspec found it."""

from __future__ import annotations

from typing import Final

import msgspec

from ..errors import WireglotError, shown

_LONGEST: Final = 300  # characters of a reason, in which msgspec quotes the input

FAULTS: Final = (
    WireglotError,
    RecursionError,
    # A field holds a value of the wrong type.
    LookupError,
    TypeError,
    ValueError,
    ArithmeticError,
    AttributeError,
    msgspec.MsgspecError,
)
"""What an encoder may raise."""


def located(error: Exception) -> tuple[str, str]:
    """Return the reason in msgspec's error, and its path relative to the decoded value."""
    # msgspec writes "what - at `$.path`", or "what - at `key` in `$.path`".
    reason, _, at = str(error).partition(" - at `")
    if isinstance(error.__cause__, WireglotError):  # a field refused its value
        reason, at = error.__cause__.reason, str(error).rpartition(" - at `")[2]
    if reason[1:2].islower():
        reason = reason[0].lower() + reason[1:]
    return shown(reason, _LONGEST), at.partition("$")[2].removesuffix("`")
