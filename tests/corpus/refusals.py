"""Errors that a recorded body may rightly get: what they say -> why they are no fault of ours.

Bodies that a provider itself has refused are among the recordings, and bodies made by hand.
"""

from __future__ import annotations

import re
from typing import Final

import wireglot as wg

__all__ = ["is_of_order", "refused_for"]

_OF_ORDER: Final = (
    (r"tool call .* has no result", "a call has no result"),
    (r"tool result .* has no call", "a result has no call"),
)
"""What `repair=True` must put right."""

_OF_CONTENT: Final[tuple[tuple[str, str], ...]] = ()


def refused_for(error: wg.WireglotError) -> str | None:
    """Return why an error is right, None if it is not known to be."""
    known = (*_OF_ORDER, *_OF_CONTENT)
    return next((why for said, why in known if re.search(said, error.reason)), None)


def is_of_order(error: wg.EncodeError) -> bool:
    """Whether `repair=True` must help."""
    return any(re.search(said, error.reason) for said, _ in _OF_ORDER)
