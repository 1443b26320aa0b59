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
from msgspec import Struct
from msgspec.msgpack import Ext
from msgspec.structs import replace

from ._hooks import Unplaced, as_encode_error, msgpack_hook, packed, rebuilt
from ._reader import SESSION, Reader
from ._surrogates import mended_value
from .errors import EncodeError, LimitError
from .limits import DEFAULT_LIMITS, Limits
from .losses import Losses
from .model import AgentMessage, RawJson
from .model.source import MSGPACK

__all__ = ["decode", "encode"]

T = TypeVar("T")
Data = bytes | bytearray | memoryview

_WIRE = "msgpack"
_BIG_INTEGER: Final = 1
_FREE: Final = frozenset({"data", "details", "parsed", "raw"})  # fields of any type
_MOST_DIGITS: Final = 4300  # the default limit of `int()` on the digits of a text


def _ext(code: int, data: memoryview) -> int | Ext:
    if code != _BIG_INTEGER:
        return Ext(code, bytes(data))
    digits = bytes(data)
    if not digits.removeprefix(b"-").isdigit() or len(digits) > _MOST_DIGITS:
        raise msgspec.ValidationError("invalid big integer")
    return int(digits)


_encode = msgspec.msgpack.Encoder(enc_hook=msgpack_hook).encode
_decode_keys = msgspec.msgpack.Decoder(dict[str, msgspec.Raw]).decode
_reader = Reader(_WIRE, partial(msgspec.msgpack.Decoder, ext_hook=_ext))


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

    `type` is any model type except `Media` and `RawJson`, or a list of one. A read-only buffer
    is not copied; a writable one is, since its owner may use it again. Base64 is checked when it is
    used, or at once with `check_media`.

    Raises `DecodeError`, and `LimitError` if the input is beyond `limits`.
    """
    view = memoryview(data)
    body = view.cast("B") if view.readonly and view.c_contiguous else bytes(view)
    if limits is None:
        limits = DEFAULT_LIMITS
    value = _reader.read(body, type, MSGPACK, limits, check_media)
    if limits.depth is not None and _depth(_reader.read(body, Any, MSGPACK, limits)) > limits.depth:
        raise LimitError(f"nested deeper than {limits.depth}", wire=_WIRE)
    return value


def encode(value: Any, *, losses: Losses = None) -> bytes:
    """Encode any model value as MessagePack, usually a list of `AgentMessage` or of `Message`.

    Raises `EncodeError` if a text holds a lone surrogate (with `losses`, U+FFFD replaces it), a
    file behind a media block cannot be read, or the value holds a type that is not part of the
    model.
    """
    try:
        try:
            try:
                return _encode(packed(value))
            except Unplaced:
                return _encode(rebuilt(value, _merged))
        except (UnicodeEncodeError, OverflowError):
            mended = mended_value(value, _WIRE, "$", losses)
            return _encode(rebuilt(_with_big_integers(mended, "$"), _merged))
    except EncodeError:
        raise
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=_WIRE) from error
    except (TypeError, ValueError, OverflowError) as error:
        raise as_encode_error(error, _WIRE) from error


def _merged(part: Any, keys: RawJson) -> dict[str, Any]:
    """Return the keys of a Struct and its unknown keys; a known key wins, except `role`."""
    known: dict[str, Any] = dict(_decode_keys(_encode(part)))
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
        return Ext(_BIG_INTEGER, b"%d" % value)
    if isinstance(value, list | tuple):
        return [_with_big_integers(v, f"{path}[{i}]", is_free) for i, v in enumerate(value)]
    if isinstance(value, dict):
        for key in value:
            if type(_with_big_integers(key, path)) is Ext:  # a key cannot be one
                raise EncodeError("a key beyond 64 bits", wire=_WIRE, path=path)
        return {k: _with_big_integers(v, f"{path}.{k}") for k, v in value.items()}
    if isinstance(value, Struct):
        names = value.__struct_fields__
        parts = {n: _with_big_integers(getattr(value, n), f"{path}.{n}", n in _FREE) for n in names}
        return replace(value, **parts)
    return value


def _depth(value: Any) -> int:
    """Count nested containers, level by level: recursion would have a limit of its own."""
    depth = 0
    level = [value]
    while level:
        containers = [v for v in level if isinstance(v, dict | list)]
        depth += bool(containers)
        level = [i for c in containers for i in (c.values() if isinstance(c, dict) else c)]
    return depth
