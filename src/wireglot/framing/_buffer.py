"""What all decoders share: the limit on a frame, and the error beyond it."""

from __future__ import annotations

from typing import Final

from ..errors import LimitError

MAX_FRAME: Final = 64 * 1024 * 1024
"""The largest frame that a decoder accepts by default, in bytes: an inline image fits."""


def too_large(limit: int, wire: str) -> LimitError:
    """Return the error of a frame beyond the limit."""
    return LimitError(f"frame of more than {limit:,} bytes; increase `max_frame`", wire=wire)
