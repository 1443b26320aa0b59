"""Ravi's stored messages <-> canonical messages.

A conversation is a JSON array of messages; a single message and JSON Lines are read too. Tool
arguments, inline media and the contents of results pass through as slices of the input.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ... import model
from ..._body.decode import plain_text
from ..._body.refuse import errors
from ..._body.surrogates import mended_text
from ...errors import DecodeError, EncodeError, quoted, unknown
from ...losses import Losses
from .._mapping import CANONICAL, mapped
from .._records import own_value, read, read_all, readable, write, write_lines
from . import types as own
from .contents import (
    AudioContent,
    DocumentContent,
    ImageContent,
    TextContent,
    VideoContent,
    written_item,
)
from .messages import MessageWriter, canonical
from .system import V2, V3, WIRE

__all__ = ["MESSAGE", "decode", "encode", "from_canonical", "to_canonical"]

MESSAGE: Final[Any] = own.AgentMessage
"""The type of the items of a conversation."""

_ITEMS: Final = frozenset({TextContent, ImageContent, AudioContent, VideoContent, DocumentContent})
_VERSIONS: Final = (None, V2, V3)


def decode(data: Any, type: Any = None, *, losses: Losses = None) -> Any:
    """Decode stored messages, of any version, as canonical messages, `list[AgentMessage]`.

    With `type`, a type of this module or a `list` of it, decode one document as that.

    Raises `DecodeError`.
    """
    text = plain_text(data, WIRE, losses)
    if type is not None:
        try:
            return read(type, text, WIRE, losses)
        except TypeError as error:  # an item: part of a message, not a document
            raise DecodeError(
                f"{quoted(type)}, expected the type of a document", wire=WIRE
            ) from error
    messages = read_all(own.AgentMessage, text, WIRE, losses)
    try:
        return to_canonical(messages)
    except DecodeError:
        if losses is None:
            raise
        # A lone surrogate in a tool's result, which is first parsed by the mapping.
        mended = mended_text(text, WIRE, losses)
        if mended is None:
            raise
        return to_canonical(read_all(own.AgentMessage, mended, WIRE, losses))


def encode(
    value: Any,
    *,
    losses: Losses = None,
    lines: bool = False,
    version: own.Version | None = None,
    check: bool = False,
) -> bytes:
    """Encode canonical messages as Ravi stores them, or values of this module's types.

    A single canonical message becomes an array, since it may make several messages. `lines` asks
    for JSON Lines instead of an array. `version` is `v2`, the reference, or `v3`; by default a
    message is written in the version that it came in, or in V2 if it came from elsewhere.

    With `check`, the output is read again, so that nothing is written that `decode` refuses.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    data = _encoded(value, losses, lines, version)
    return readable(data, value, WIRE, decode, lines=lines) if check else data


def _encoded(value: Any, losses: Losses, lines: bool, version: own.Version | None) -> bytes:
    if type(value) in CANONICAL:
        value = [value]
    if isinstance(value, list | tuple):
        messages = from_canonical(value, losses=losses, version=version)
        with errors(WIRE):
            written = [_written(message) for message in messages]
        return write_lines(written, WIRE, losses) if lines else write(written, WIRE, losses)
    (turned,) = from_canonical([own_value(value, WIRE)], losses=losses, version=version)
    with errors(WIRE):
        whole = _written(turned)
    return write(whole, WIRE, losses)


def _written(value: Any) -> Any:
    """Return what goes on the wire for a message, a chunk or an item, else the value itself."""
    if type(value) in _ITEMS:
        return written_item(value, "user")
    write_it = getattr(value, "written", None)
    return value if write_it is None else write_it()


def to_canonical(messages: Iterable[own.AgentMessage]) -> list[model.AgentMessage]:
    """Return Ravi's messages as canonical ones. Raises `DecodeError`."""
    with mapped(WIRE):
        return [canonical(message) for message in messages]


def from_canonical(
    messages: Iterable[Any], *, losses: Losses = None, version: own.Version | None = None
) -> list[own.AgentMessage]:
    """Return canonical messages as Ravi's; its own only change to fit a `version`.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    if version not in _VERSIONS:
        raise EncodeError(unknown("version", version, ("v2", "v3")), wire=WIRE)
    with errors(WIRE):
        if version is not None:
            messages = [_turned(message, version) for message in messages]
        return MessageWriter(losses, version).messages(messages)


def _turned(message: Any, version: str) -> Any:
    """Return the canonical message for one of Ravi's in another version, else `message` itself."""
    if getattr(message, "version", version) == version:
        return message
    return to_canonical([message])[0]
