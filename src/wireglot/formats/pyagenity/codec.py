"""PyAgenity's and 10xScale Agentflow's messages <-> canonical ones.

A conversation is a JSON array of messages; a single message and JSON Lines are read too. Tool
arguments, outputs and media pass through as slices of the input.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, tzinfo
from typing import Any, Final

from ... import model
from ..._body.refuse import errors
from ...errors import EncodeError, unknown
from ...losses import Losses
from .._mapping import CANONICAL, mapped
from .._records import own_value, read, read_all, readable, write, write_lines
from .messages import MessageWriter, Reader
from .system import WIRE
from .types import Message, Version

__all__ = ["MESSAGE", "decode", "encode", "from_canonical", "to_canonical"]

MESSAGE: Final = Message
"""The type of the items of a conversation."""

_VERSIONS: Final = ("0.3.6", "0.3.9", "agentflow")
_OWN: Final = {Message}


def decode(data: Any, type: Any = None, *, losses: Losses = None, zone: tzinfo = UTC) -> Any:
    """Decode a conversation as canonical messages, `list[AgentMessage]`.

    With `type`, a type of this module or a `list` of it, decode one document as that. `zone` is the
    time zone of 0.3.6's times, which have no offset.

    Raises `DecodeError`.
    """
    if type is not None:
        return read(type, data, WIRE, losses)
    return to_canonical(read_all(Message, data, WIRE, losses), zone=zone)


def encode(
    value: Any,
    *,
    losses: Losses = None,
    version: Version | None = None,
    zone: tzinfo = UTC,
    lines: bool = False,
    check: bool = False,
) -> bytes:
    """Encode canonical messages as a conversation, or values of this module's types.

    `version` and `zone` are as in `from_canonical`; `lines` asks for JSON Lines instead of an
    array.

    With `check`, the output is read again, so that nothing is written that `decode` refuses.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    data = _encoded(value, losses, version, zone, lines)
    return readable(data, value, WIRE, decode, lines=lines) if check else data


def _encoded(
    value: Any, losses: Losses, version: Version | None, zone: tzinfo, lines: bool
) -> bytes:
    if type(value) in CANONICAL:
        value = [value]
    if isinstance(value, list | tuple):
        is_own = version is None and set(map(type, value)) == _OWN
        made = (
            list(value)
            if is_own
            else from_canonical(value, losses=losses, version=version, zone=zone)
        )
        return write_lines(made, WIRE, losses) if lines else write(made, WIRE, losses)
    if type(value) is Message and version is not None:
        (value,) = from_canonical([value], losses=losses, version=version, zone=zone)
    return write(own_value(value, WIRE), WIRE, losses)


def to_canonical(messages: Iterable[Message], *, zone: tzinfo = UTC) -> list[model.AgentMessage]:
    """Return PyAgenity's messages, of any version, as canonical ones.

    `zone` is the time zone of 0.3.6's times, which have no offset.

    Raises `DecodeError`.
    """
    with mapped(WIRE):
        reader = Reader(zone)
        return [reader.message(message, f"$[{i}]") for i, message in enumerate(messages)]


def from_canonical(
    messages: Iterable[Any],
    *,
    losses: Losses = None,
    version: Version | None = None,
    zone: tzinfo = UTC,
) -> list[Message]:
    """Return canonical messages as PyAgenity's; its own only change to fit a `version`.

    Without a `version`, a message is written in the version that it came in, or in Agentflow's if
    it came from elsewhere. 0.3.6 has local times without an offset: they are in `zone`.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    if version is not None:
        if version not in _VERSIONS:
            raise EncodeError(unknown("version", version, _VERSIONS), wire=WIRE)
        messages = [
            to_canonical([message], zone=zone)[0] if type(message) is Message else message
            for message in messages
        ]
    with errors(WIRE):
        return MessageWriter(losses, version, zone).messages(messages)
