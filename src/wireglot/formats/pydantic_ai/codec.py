"""Pydantic AI's stored histories <-> canonical messages.

A history is a JSON array of requests and responses; a single one and JSON Lines are read too. A
request that was split into several canonical messages is written as one request again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ...losses import Losses
from ...model import AgentMessage
from .._as_it_came import FrameworkCodec
from .._records import readable
from . import types as own
from .reading import pieces
from .writing import MessageWriter

__all__ = ["MESSAGE", "decode", "encode", "from_canonical", "to_canonical"]

MESSAGE: Final[Any] = own.ModelMessage
"""The type of the items of a stored history."""

_codec: Final = FrameworkCodec[own.ModelMessage](MessageWriter, pieces)


def decode(data: Any, type: Any = None, *, losses: Losses = None) -> Any:
    """Decode stored messages as canonical messages, `list[AgentMessage]`.

    With `type`, a type of this module or a `list` of it, decode one document as that.

    Raises `DecodeError`.
    """
    return _codec.decode(data, type, losses)


def encode(value: Any, *, losses: Losses = None, lines: bool = False, check: bool = False) -> bytes:
    """Encode canonical messages as Pydantic AI stores them, or values of this module's types.

    `lines` asks for JSON Lines instead of an array. With `check`, the output is read again, so that
    nothing is written that `decode` refuses.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    data = _codec.encode(value, losses, lines)
    if check:
        readable(data, value, MessageWriter.WIRE, decode, lines=lines)
    return data


def to_canonical(messages: Iterable[own.ModelMessage]) -> list[AgentMessage]:
    """Return Pydantic AI's messages as canonical ones. Raises `DecodeError`."""
    return _codec.to_canonical(messages)


def from_canonical(messages: Iterable[Any], *, losses: Losses = None) -> list[own.ModelMessage]:
    """Return canonical messages as Pydantic AI's; its own stay as they are.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    return _codec.from_canonical(messages, losses)
