"""phi-core's saved conversations <-> canonical messages.

A conversation is a JSON array of `AgentMessage`; a single message and JSON Lines are read too. Tool
arguments and images pass through as slices of the input.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ... import model
from ..._body.encode import encode_json as _encode
from ..._body.refuse import errors
from ...losses import Losses
from ...model import RawJson
from ...model.base import UnknownKeys
from .._mapping import CANONICAL, mapped
from .._records import own_value, read, read_all, readable, write, write_lines
from . import events, sessions
from . import types as own
from .reading import canonical
from .system import WIRE
from .writing import MessageWriter

__all__ = ["MESSAGE", "decode", "encode", "from_canonical", "to_canonical"]

MESSAGE: Final[Any] = own.AgentMessage
"""The type of the items of a saved conversation."""

_UNIONS: Final[Mapping[Any, Any]] = {
    own.LlmMessage: own.Message,
    list[own.LlmMessage]: list[own.Message],
}
"""A base of types -> the union of them, which can be decoded."""


def decode(data: Any, type: Any = None, *, losses: Losses = None) -> Any:
    """Decode a saved conversation as canonical messages, `list[AgentMessage]`.

    With `type`, a type of this module or a `list` of it, decode one document as that.

    Raises `DecodeError`.
    """
    if type is not None:
        return read(_UNIONS.get(type, type), data, WIRE, losses)
    return to_canonical(read_all(own.AgentMessage, data, WIRE, losses))


def encode(
    value: Any,
    *,
    losses: Losses = None,
    lines: bool = False,
    as_printed: bool = False,
    check: bool = False,
) -> bytes:
    """Encode canonical messages as a saved conversation, or values of this module's types.

    `lines` asks for JSON Lines instead of an array. `as_printed` puts the keys in the order in
    which phi-core prints them, alphabetical inside its `AgentMessage`, so that files diff clean;
    tool arguments are then encoded anew, and no longer byte for byte. A single message is a
    `Message` if it has no place in a session, else an `AgentMessage`.

    With `check`, the output is read again, so that nothing is written that `decode` refuses.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    data = _encoded(value, losses, lines, as_printed)
    return readable(data, value, WIRE, decode, lines=lines) if check else data


def _encoded(value: Any, losses: Losses, lines: bool, as_printed: bool) -> bytes:
    if type(value) in CANONICAL:
        value = [value]
    if isinstance(value, list | tuple):
        made = from_canonical(value, losses=losses)
        if as_printed:
            made = [_printed(item, type(item) in _MESSAGES, losses) for item in made]
        return write_lines(made, WIRE, losses) if lines else write(made, WIRE, losses)
    value = own_value(value, WIRE)
    if as_printed:  # a message without a place is a `Message`, which has an order of its own
        is_entry = isinstance(value, own.LlmMessage) and not value.is_bare()
        value = _printed(value, is_entry, losses)
    return write(value, WIRE, losses)


def to_canonical(messages: Iterable[own.AgentMessage]) -> list[model.AgentMessage]:
    """Return phi-core's messages as canonical ones. Raises `DecodeError`."""
    with mapped(WIRE):
        return [canonical(message) for message in messages]


def from_canonical(messages: Iterable[Any], *, losses: Losses = None) -> list[own.AgentMessage]:
    """Return canonical messages as phi-core's; its own stay as they are.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    with errors(WIRE):
        return MessageWriter(losses).messages(messages)


# -- as phi-core prints it ------------------------------------------------------------------------

_value = msgspec.json.Decoder().decode
_sorted = msgspec.json.Encoder(order="sorted").encode


def _printed(value: Any, is_agent_message: bool, losses: Losses) -> Any:
    """Return `value` with the keys of all that phi-core holds as plain JSON in alphabetical order.

    That is every message inside an `AgentMessage`, and elsewhere tool arguments, schemas, the data
    of extensions and the like.
    """
    with errors(WIRE):
        return _in_order(value, is_agent_message, losses)


def _in_order(value: Any, is_agent_message: bool, losses: Losses) -> Any:
    kind = type(value)
    if is_agent_message and kind in _MESSAGES:
        return Raw(_sorted(_value(write(value, WIRE, losses))))
    if kind is list:
        return [_in_order(item, is_agent_message, losses) for item in value]
    if kind is dict or isinstance(value, RawJson):
        return Raw(_sorted(_value(_encode(value))))
    if not isinstance(value, Struct):
        return value
    changes = {}
    for name in value.__struct_fields__:
        held = getattr(value, name)
        if isinstance(held, Struct | RawJson | list | dict) and type(held) is not UnknownKeys:
            changes[name] = _in_order(held, (kind, name) in _AGENT_MESSAGES, losses)
    return replace(value, **changes)


_MESSAGES: Final = frozenset(own.Message.__args__)
_AGENT_MESSAGES: Final = frozenset(
    {
        (events.AgentEnd, "messages"),
        (events.TurnEnd, "message"),
        (events.MessageStart, "message"),
        (events.MessageUpdate, "message"),
        (events.MessageEnd, "message"),
        (sessions.CompactedSection, "messages"),
        (sessions.LoopRecord, "messages"),
        (sessions.Turn, "input_messages"),
        (sessions.Turn, "output_message"),
        (sessions.Turn, "tool_results"),
    }
)
