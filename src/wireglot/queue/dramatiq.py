"""The encoder of Dramatiq: `dramatiq.set_encoder(MessageEncoder())`."""

from __future__ import annotations

from typing import Any

import dramatiq
import dramatiq.errors

from ..errors import PoisonError
from .values import decode_values, encode_values

__all__ = ["MessageEncoder"]


class MessageEncoder(dramatiq.Encoder):
    """Actors take and return messages, or lists of them, in any place of their arguments."""

    def encode(self, data: dict[str, Any]) -> bytes:
        """Encode a task. Raises `EncodeError`."""
        return encode_values(data)

    def decode(self, data: bytes) -> dict[str, Any]:
        """Decode a task. Raises Dramatiq's `DecodeError` from a `PoisonError`."""
        try:
            return decode_values(data)  # type: ignore[no-any-return]
        except PoisonError as error:
            made = dramatiq.errors.DecodeError(str(error), data, error)  # type: ignore[no-untyped-call]
            raise made from error
