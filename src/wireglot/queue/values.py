"""Plain data with model values anywhere in it <-> bytes, for the arguments of task queues.

The data is MessagePack; a type that MessagePack lacks is an extension, by the types of `_CODES`. A
value that would come back as another type is refused (sets, objects of other classes), with three
exceptions: a tuple comes back as a list, a subclass of `str`, `int`, `list` or `dict` as that type,
and the zone of a time as its offset.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec.msgpack import Ext

import wireglot.msgpack as msgpack

from ..errors import DecodeError, EncodeError, PoisonError, VersionError, reason_of
from ..model import AgentMessage, Content, LlmMessage, Message, Request, Response, SessionOnly
from ..model.counting import check_msgpack
from ..model.events import StreamEvent
from ..model.place import NOWHERE, place_of
from ..model.session import MESSAGES
from .envelope import VERSION, WIRE, Envelope

__all__ = ["CONTENT_TYPE", "decode_values", "encode_values"]

CONTENT_TYPE: Final = f"application/vnd.wireglot+msgpack; kind=values; version={VERSION}"
"""The content type of what `encode_values` writes."""

# Extension type -> the type that it holds as native MessagePack, and the classes in that union.
_MODEL: Final[dict[int, tuple[Any, tuple[type, ...]]]] = {
    80: (AgentMessage, SessionOnly.__args__),  # and a message with a place in a session
    81: (Message, Message.__args__),
    82: (Content, Content.__args__),
    83: (Request, (Request,)),
    84: (Response, (Response,)),
    85: (StreamEvent, StreamEvent.__args__),
    93: (LlmMessage, (LlmMessage,)),
}
_DOCUMENTS: Final = frozenset(_MODEL)
_ENVELOPE: Final = 86
# Extension type -> the class that it holds as text. msgspec would round the offset of a time.
_TIMES: Final[dict[int, Any]] = {87: datetime, 88: date, 89: time}
_TEXTS: Final[dict[int, Any]] = {**_TIMES, 90: UUID, 91: Decimal, 92: int}
_BIG_INTEGER: Final = 92
_ENTRY: Final = 80
_FOLD: Final = "[fold=1]"  # after a time without a zone, the second of two with the same words
_CODES: Final = {
    **{kind: code for code, (_, kinds) in _MODEL.items() for kind in kinds},
    **{kind: code for code, kind in _TEXTS.items() if code != _BIG_INTEGER},
    Envelope: _ENVELOPE,
}
_PLAIN: Final = frozenset({str, bool, float, bytes, type(None)})


def encode_values(value: Any) -> bytes:
    """Encode plain data with messages, blocks, requests, responses, events and envelopes in it.

    Raises `EncodeError` for a value that would not come back as it is.
    """
    try:
        return _encode(_extended(value))
    except EncodeError:
        raise
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=WIRE) from error
    except (TypeError, ValueError) as error:
        raise EncodeError(reason_of(error), wire=WIRE) from error


def decode_values(data: bytes | memoryview) -> Any:
    """Decode what `encode_values` wrote. Media are slices of `data`.

    Raises `PoisonError`, or `VersionError` if `data` holds an envelope that is newer than this
    library.
    """
    try:
        check_msgpack(data, wire=WIRE, documents=_DOCUMENTS)
        return _decode(data)
    except (ValueError, RecursionError) as error:
        reason = error.reason if isinstance(error, DecodeError) else str(error)
        kind = VersionError if isinstance(error, VersionError) else PoisonError
        raise kind(f"not values: {reason}", body=bytes(data), wire=WIRE) from error


def _extended(value: Any) -> Any:
    """Return `value` with an extension for each type that MessagePack lacks."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    code = _CODES.get(kind)
    if code is not None:
        if kind in MESSAGES and place_of(value) != NOWHERE:
            code = _ENTRY
        return Ext(code, _written(code, value))
    if isinstance(value, dict):
        return {_key(key): _extended(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_extended(item) for item in value]
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        number = int(value)
        fits = -(2**63) <= number < 2**64
        return number if fits else Ext(_BIG_INTEGER, b"%d" % number)
    raise EncodeError(
        f"`{kind.__name__}`, expected plain data, a type of the model or an envelope", wire=WIRE
    )


def _key(key: Any) -> Any:
    made = _extended(key)
    if isinstance(made, Ext | list | dict):
        raise EncodeError(
            f"`{type(key).__name__}` as the key of an object, expected text or a number", wire=WIRE
        )
    return made


def _written(code: int, value: Any) -> bytes:
    if code in _MODEL:
        return msgpack.encode(value, check=True)
    if code == _ENVELOPE:
        return Envelope.to_bytes(value)
    if code not in _TIMES:
        return str(value).encode()
    if type(value) is time and value.tzinfo is not None and value.utcoffset() is None:
        reason = f"time of day in `{value.tzinfo}`, expected a zone with a fixed offset"
        raise EncodeError(reason, wire=WIRE)
    text = value.isoformat()
    if type(value) is not date and value.fold and value.tzinfo is None:
        text += _FOLD
    return bytes(text, "utf-8")


def _read(code: int, data: memoryview) -> Any:
    if code in _MODEL:
        return msgpack.decode(data, _MODEL[code][0])
    if code == _ENVELOPE:
        return Envelope.from_bytes(data)
    if code in _TIMES:
        text = str(data, "utf-8")
        if text.endswith(_FOLD) and _TIMES[code] is not date:
            return _TIMES[code].fromisoformat(text.removesuffix(_FOLD)).replace(fold=1)
        return _TIMES[code].fromisoformat(text)
    if code in _TEXTS:
        # Only an integer is not strict about text: `-0` would be read as one, and lose its sign.
        return msgspec.convert(str(data, "utf-8"), _TEXTS[code], strict=code != _BIG_INTEGER)
    raise DecodeError(f"extension type {code}, expected one of 80 to 93", wire=WIRE)


_encode: Final[Callable[[Any], bytes]] = msgspec.msgpack.Encoder().encode
_decode: Final[Callable[[bytes | memoryview], Any]] = msgspec.msgpack.Decoder(ext_hook=_read).decode
