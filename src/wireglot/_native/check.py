"""What is written can be read: values of wrong types, found on the way to the native wire.

The C encoder writes any builtin type in any field. `check` reads the output again, and compares.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, Final

from msgspec import Struct

from .._body.refuse import MODEL, parts, refuse
from ..errors import DecodeError, EncodeError
from ..limits import Limits
from ..model import AgentMessage, Content, LlmMessage, Message, SessionOnly, StreamEvent
from ..model.base import Extra
from ..model.rawjson import not_finite, refuse_nan

_NO_LIMITS: Final = Limits(bytes=2**62, messages=2**62, blocks=2**62, values=2**62)
_FREE: Final = frozenset({"data", "details", "extras", "metadata", "parsed", "raw"})
_MESSAGES: Final = frozenset(Message.__args__)
_UNIONS: Final[tuple[tuple[frozenset[Any], Any], ...]] = (
    (_MESSAGES, Message),
    (frozenset(Content.__args__), Content),
    (frozenset(StreamEvent.__args__), StreamEvent),
    (_MESSAGES | frozenset(SessionOnly.__args__), AgentMessage),
    (frozenset({LlmMessage, *SessionOnly.__args__}), LlmMessage | SessionOnly),
)


def check(
    value: Any,
    wire: str,
    encode: Callable[[Any], bytes],
    decode: Callable[..., Any],
    path: str = "$",
    data: bytes | None = None,
) -> None:
    """Raise `EncodeError` if `encode(value)` cannot be read, or is read as another value.

    `data` is what `encode` returned, if that is known. Free data may be read as other types, as
    JSON has it, but not NaN, which JSON writes as null.
    """
    kind = _read_as(value)
    if kind is None:
        refuse(value, wire, path)
        for _, part, place in parts(value, path):
            check(part, wire, encode, decode, place)
        return
    try:
        copy = decode(encode(value) if data is None else data, kind, limits=_NO_LIMITS)
    except DecodeError as error:
        refuse(value, wire, path, inside=True)
        place = path + error.path[1:]
        raise EncodeError(error.reason + _hint(error), wire=wire, path=place) from error
    if copy != value:
        _compare(value, copy, wire, path)


def _read_as(value: Any) -> Any:
    """Return the type to read a value as, None for what is not of the model."""
    kinds = {*map(type, value)} if isinstance(value, list | tuple) else {type(value)}
    for known, kind in _UNIONS:
        if kinds and kinds <= known:
            return _list_of(kind) if isinstance(value, list | tuple) else kind
    return type(value) if isinstance(value, Struct) and type(value) in MODEL else None


def _list_of(kind: Any) -> Any:
    return list[kind]


def _hint(error: DecodeError) -> str:
    is_text = error.path.endswith((".content", ".messages")) and error.reason.endswith("got `str`")
    return "; use `from_text`" if is_text else ""


def _compare(value: Any, copy: Any, wire: str, path: str) -> None:
    """Find what was read as a value of another type."""
    refuse(value, wire, path, inside=True)
    if type(value) is LlmMessage:
        value, copy = value.flat(), copy.flat() if type(copy) is LlmMessage else copy
    if isinstance(value, list | tuple) and isinstance(copy, list | tuple):
        for i, (part, other) in enumerate(zip(value, copy, strict=True)):
            _compare(part, other, wire, f"{path}[{i}]")
    elif isinstance(value, Struct) and type(copy) is type(value) and type(value) is not Extra:
        for name, part, place in parts(value, path):
            if name in _FREE and wire == "json":
                try:
                    refuse_nan(part)
                except EncodeError as error:
                    raise EncodeError(error.reason, wire=wire, path=place) from error
            elif name not in _FREE:
                _compare(part, getattr(copy, name), wire, place)
    elif type(value) is float and wire == "json" and not isfinite(value):
        raise EncodeError(not_finite(value), wire=wire, path=path)
    elif value != copy and not isinstance(copy, type(value)):
        reason = f"expected `{type(copy).__name__}`, got `{type(value).__name__}`"
        raise EncodeError(reason, wire=wire, path=path)
