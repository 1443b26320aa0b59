"""MIME types in the form in which the wires list those that they take."""

from __future__ import annotations

from typing import Final

from ..model.blocks import MediaBlock

__all__ = ["media_type", "plain_type"]

_JPEG: Final = frozenset({"image/jpg", "image/pjpeg"})
"""Names of JPEG that are not registered, but in use."""


def media_type(block: MediaBlock) -> str:
    """Return the plain type of a block: as declared, or else as its data shows."""
    return plain_type(block.known_mime_type())


def plain_type(mime_type: str) -> str:
    """Return a MIME type without parameters, in lower case, and JPEG under its registered name."""
    plain = mime_type.partition(";")[0].strip().lower()
    return "image/jpeg" if plain in _JPEG else plain
