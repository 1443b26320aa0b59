"""Model values <-> MessagePack, the same model as in `json.py`.

Keys and values are those of the native JSON, with three exceptions. Media are `bin`, decoded
without a copy in a time that does not depend on their size; base64 that would not come back the
same is `str`. Raw JSON (tool arguments, schemas, unknown keys of other APIs) is `bin` that holds
its text. Integers beyond 64 bits are extension type 1, in decimal digits.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final, TypeVar, overload

import msgspec
from msgspec.msgpack import Ext

from ._body.encode import (
    Unplaced,
    as_encode_error,
    msgpack_hook,
    msgpack_only_hook,
    packed,
    rebuilt,
)
from ._body.fields import changed, field_names
from ._body.surrogates import mended_value
from ._native import check as _checks
from ._native.reader import SESSION, Reader, check_hooked
from .errors import EncodeError, LimitError
from .limits import DEFAULT_LIMITS, Limits
from .losses import Losses
from .model import AgentMessage, RawJson
from .model.rawjson import BIG_INTEGER, extension
from .model.source import MSGPACK, settled

__all__ = ["dec_hook", "decode", "enc_hook", "encode"]

T = TypeVar("T")
Data = bytes | bytearray | memoryview

_WIRE = "msgpack"
_FREE: Final = frozenset({"data", "details", "parsed", "raw"})  # fields of any type

_encode = msgspec.msgpack.Encoder(enc_hook=msgpack_hook).encode
_decode_keys = msgspec.msgpack.Decoder(dict[str, msgspec.Raw]).decode
_reader = Reader(_WIRE, partial(msgspec.msgpack.Decoder, ext_hook=extension))


@overload
def decode(
    data: Data, *, limits: Limits | None = ..., check_media: bool = ...
) -> list[AgentMessage]: ...
@overload
def decode(
    data: Data, type: type[T], *, limits: Limits | None = ..., check_media: bool = ...
) -> T: ...
@overload
def decode(
    data: Data, type: Any, *, limits: Limits | None = ..., check_media: bool = ...
) -> Any: ...
def decode(
    data: Data,
    type: Any = SESSION,
    *,
    limits: Limits | None = None,
    check_media: bool = False,
) -> Any:
    """Decode one native document, by default a list of `AgentMessage`.

    `type` is any model type, a list of one, or a type of your own that holds such types: a Struct,
    dataclass, TypedDict and the like. `bytes` and views of `bytes` are
    not copied; any other buffer is, since its owner may write to it. Base64 is checked when it is
    used, or at once with `check_media`.

    Raises `DecodeError`, `LimitError` if the input is beyond `limits`, and `EncodeError` if no data
    can be decoded as `type`.
    """
    body = settled(data)
    if limits is None:
        limits = DEFAULT_LIMITS
    value = _reader.read(body, type, MSGPACK, limits, check_media)
    if limits.depth is not None and _depth(_reader.read(body, Any, MSGPACK, limits)) > limits.depth:
        raise LimitError(f"nested deeper than {limits.depth}; increase `Limits.depth`", wire=_WIRE)
    return value


def encode(value: Any, *, losses: Losses = None, check: bool = False) -> bytes:
    """Encode any model value as MessagePack, usually a list of `AgentMessage` or of `Message`.

    A field whose value is of another builtin type than the field's is written as it is, and may not
    be readable. With `check`, the output is read again, and that is an error; this takes four to
    seven times as long.

    Raises `EncodeError` if a text holds a lone surrogate (with `losses`, U+FFFD replaces it), a
    file behind a media block cannot be read, or the value holds a type that is not part of the
    model.
    """
    data = _encoded(value, losses)
    if check:
        try:
            _checks.check(value, _WIRE, _encoded_part, decode, data=data)
        except RecursionError as error:
            raise EncodeError("nested too deeply", wire=_WIRE) from error
    return data


def _encoded_part(value: Any) -> bytes:
    return _encoded(value, [])


def _encoded(value: Any, losses: Losses) -> bytes:
    try:
        try:
            try:
                return _encode(packed(value))
            except Unplaced:
                return _encode(packed(rebuilt(value, _merged)))
        except (UnicodeEncodeError, OverflowError):
            mended = mended_value(value, _WIRE, "$", losses)
            return _encode(packed(rebuilt(_with_big_integers(mended, "$"), _merged)))
    except EncodeError:
        raise
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=_WIRE) from error
    except (Unplaced, TypeError, ValueError, OverflowError) as error:
        raise as_encode_error(error, _WIRE, value) from error


def _merged(part: Any, keys: RawJson) -> dict[str, Any]:
    """Return the keys of a Struct and its unknown keys; a known key wins, except `role`."""
    known: dict[str, Any] = dict(_decode_keys(_encode(packed(part))))
    unknown = getattr(keys, "came_as", None) or _with_big_integers(keys.value, "$")
    for key, value in unknown.items():
        if key not in known or key == "role":
            known[key] = value
    return known


def _with_big_integers(value: Any, path: str, is_free: bool = True) -> Any:
    """Return a value with the integers beyond 64 bits in its free-form data as extension values."""
    if type(value) is int and not -(2**63) <= value < 2**64:
        if not is_free:
            raise EncodeError("integer beyond 64 bits", wire=_WIRE, path=path)
        return Ext(BIG_INTEGER, b"%d" % value)
    if isinstance(value, list | tuple):
        return [_with_big_integers(v, f"{path}[{i}]", is_free) for i, v in enumerate(value)]
    if isinstance(value, dict):
        for key in value:
            if type(_with_big_integers(key, path)) is Ext:  # a key cannot be one
                raise EncodeError(
                    "integer beyond 64 bits as a key, expected text", wire=_WIRE, path=path
                )
        return {k: _with_big_integers(v, f"{path}.{k}") for k, v in value.items()}
    parts = {
        name: _with_big_integers(getattr(value, name), f"{path}.{name}", name in _FREE)
        for name in field_names(value)
        if hasattr(value, name)
    }
    return changed(value, parts)


def _depth(value: Any) -> int:
    """Count nested containers, level by level: recursion would have a limit of its own."""
    depth = 0
    level = [value]
    while level:
        containers = [v for v in level if isinstance(v, dict | list)]
        depth += bool(containers)
        level = [i for c in containers for i in (c.values() if isinstance(c, dict) else c)]
    return depth


# -- hooks for msgspec's own functions -------------------------------------------------------------


def enc_hook(value: Any) -> Any:
    """Return a value that is not a Struct as `msgspec.msgpack.encode` can write it.

    With it, a Struct of your own may hold any type of the model. Unknown keys stay in `extras`;
    `encode` takes such a Struct too, and writes them beside the known ones.

    Raises `NotImplementedError` for a class that the model does not have, as msgspec asks of a
    hook, and otherwise as `encode` does.
    """
    return msgpack_only_hook(value)


def dec_hook(type: Any, data: Any) -> Any:
    """Return what `msgspec.msgpack.decode` read as `AgentMessage`, `LlmMessage` or a raw value.

    msgspec has parsed the data by then: numbers keep their value, but not their spelling. `decode`
    takes the same types, and keeps every byte.

    Raises `DecodeError`, of which msgspec makes its own error with the path, and
    `NotImplementedError` for a class that the model does not have, as msgspec asks of a hook.
    """
    check_hooked(type)
    return decode(msgspec.msgpack.encode(data), type)
