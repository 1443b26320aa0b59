"""The serializer of Taskiq: `broker.with_serializer(MessageSerializer())`."""

from __future__ import annotations

from typing import Any

from taskiq.abc.serializer import TaskiqSerializer

from .values import decode_values, encode_values

__all__ = ["MessageSerializer"]


class MessageSerializer(TaskiqSerializer):
    """Tasks take and return messages, or lists of them, in any place of their arguments."""

    def dumpb(self, value: Any) -> bytes:
        """Encode a task. Raises `EncodeError`."""
        return encode_values(value)

    def loadb(self, value: bytes) -> Any:
        """Decode a task. Raises `PoisonError`."""
        return decode_values(value)
