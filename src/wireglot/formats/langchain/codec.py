"""LangChain's stored messages <-> canonical messages.

A conversation is a JSON array of messages; a single message and JSON Lines are read too. Each
message is written in the shape that it came in. A message that did not come from LangChain gets the
shape of `messages_to_dict`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ...losses import Losses
from ...model import AgentMessage
from .._as_it_came import FrameworkCodec
from .._records import readable
from . import types as own
from .writing import MessageWriter

__all__ = ["MESSAGE", "decode", "encode", "from_canonical", "to_canonical"]

MESSAGE: Final[Any] = own.Message
"""The type of the items of a stored conversation."""

_codec: Final = FrameworkCodec[own.Message](MessageWriter)


def decode(data: Any, type: Any = None, *, losses: Losses = None) -> Any:
    """Decode stored messages as canonical messages, `list[AgentMessage]`.

    With `type`, a type of this module or a `list` of it, decode one document as that.

    Raises `DecodeError`.
    """
    return _codec.decode(data, type, losses)


def encode(value: Any, *, losses: Losses = None, lines: bool = False, check: bool = False) -> bytes:
    """Encode canonical messages as LangChain stores them, or values of this module's types.

    `lines` asks for JSON Lines instead of an array. With `check`, the output is read again, so that
    nothing is written that `decode` refuses.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    data = _codec.encode(value, losses, lines)
    if check:
        readable(data, value, MessageWriter.WIRE, decode, lines=lines)
    return data


def to_canonical(messages: Iterable[own.Message]) -> list[AgentMessage]:
    """Return LangChain's messages as canonical ones. Raises `DecodeError`."""
    return _codec.to_canonical(messages)


def from_canonical(messages: Iterable[Any], *, losses: Losses = None) -> list[own.Message]:
    """Return canonical messages as LangChain's; its own stay as they are.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    return _codec.from_canonical(messages, losses)
