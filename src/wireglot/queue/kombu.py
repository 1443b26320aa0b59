"""The serializer `wireglot` of kombu: `publish({"session": messages}, serializer="wireglot")`.

It serializes plain data with messages anywhere in it.
"""

from __future__ import annotations

from collections.abc import Callable

from .._runtime.extras import needs
from .values import CONTENT_TYPE, decode_values, encode_values

with needs("wireglot.queue.kombu", "kombu"):
    from kombu import serialization

__all__ = ["NAME", "register"]

NAME = "wireglot"


def register() -> None:
    """Register the serializer; call this once in every producer and worker."""
    # Its type says that a serializer writes text; those of binary content write bytes.
    add: Callable[..., None] = serialization.register
    add(NAME, encode_values, decode_values, CONTENT_TYPE, "binary")
