"""The serializer `wireglot` of kombu: `publish({"session": messages}, serializer="wireglot")`.

It serializes plain data with messages anywhere in it.
"""

from __future__ import annotations

from kombu.serialization import register as _register

from .values import CONTENT_TYPE, decode_values, encode_values

__all__ = ["NAME", "register"]

NAME = "wireglot"


def register() -> None:
    """Register the serializer; call this once in every producer and worker."""
    _register(NAME, encode_values, decode_values, CONTENT_TYPE, "binary")  # type: ignore[no-untyped-call]
