"""Model values <-> plain Python data, and the hooks by which msgspec carries them itself.

`to_builtins` and `from_builtins` take any type of the model, and any type of the caller that holds
some. They are for stores and libraries that take dicts and lists: JSON columns, BSON, YAML, Arrow.

The hooks are for msgspec's own functions:

- `enc_hook` for `msgspec.to_builtins`, and for encoders of formats that have no module here;
- `dec_hook` for `msgspec.convert`, and for decoders of such formats;
- `schema_hook` for `msgspec.json.schema`;
- those in `json` and `msgpack` for `msgspec.json` and `msgspec.msgpack`.

A hook sees only what msgspec does not know: a session entry, arguments, raw JSON and media. So with
a hook unknown keys stay in `extras`, and a session entry keeps the value of its arguments, not
their text. `msgspec.convert` has no hook for a field that holds raw JSON or media, as blocks have:
it takes sessions (`list[AgentMessage]`), and `from_builtins` takes everything.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar, overload

import wireglot.json as json
import wireglot.msgpack as msgpack

from ._body.encode import value_hook
from ._native.reader import SESSION, check_hooked
from .errors import DecodeError, EncodeError, LossError
from .limits import Limits
from .model import AgentMessage, Arguments, Media, RawJson
from .model.rawjson import refuse_nan

__all__ = ["dec_hook", "enc_hook", "from_builtins", "schema_hook", "to_builtins"]

T = TypeVar("T")

_WIRE = "builtins"
# A 64-bit float of MessagePack whose exponent is that of NaN and infinity, or what looks like one.
_MAY_BE_NAN = re.compile(rb"\xcb[\x7f\xff][\xf0-\xff]")
_NO_LIMITS = Limits(bytes=2**62, messages=2**62, blocks=2**62, values=2**62)


def to_builtins(value: Any, *, check: bool = False) -> Any:
    """Return a model value as dicts, lists, texts, numbers, `True`, `False` and `None`.

    It is the native JSON, parsed: media are base64, arguments are what their text says. `check` is
    as in `json.encode`.

    Raises `EncodeError` as `json.encode` does, and for a number that Python does not have.
    """
    try:
        return json.decode(json.encode(value, check=check), Any, limits=_NO_LIMITS)
    except DecodeError as error:
        raise EncodeError(error.reason, wire=_WIRE, path=error.path) from error


@overload
def from_builtins(
    data: Any, *, limits: Limits | None = ..., check_media: bool = ...
) -> list[AgentMessage]: ...
@overload
def from_builtins(
    data: Any, type: type[T], *, limits: Limits | None = ..., check_media: bool = ...
) -> T: ...
@overload
def from_builtins(
    data: Any, type: Any, *, limits: Limits | None = ..., check_media: bool = ...
) -> Any: ...
def from_builtins(
    data: Any, type: Any = SESSION, *, limits: Limits | None = None, check_media: bool = False
) -> Any:
    """Return plain data as a model value, by default a list of `AgentMessage`.

    `type` is as in `json.decode`. The data may hold `bytes`, which are media or the text of
    arguments, dates, which become text, and values of the model.

    Raises `DecodeError` if the data are not of the type, `LimitError` if they are beyond `limits`,
    and `EncodeError` for what JSON cannot express: NaN, a lone surrogate, a foreign object.
    """
    try:
        body = msgpack.encode(data)
        if _MAY_BE_NAN.search(body):
            refuse_nan(data, value_hook)
        return msgpack.decode(body, type, limits=limits, check_media=check_media)
    except LossError as error:
        raise EncodeError("text holds a lone surrogate", wire=_WIRE, path=error.path) from error
    except (DecodeError, EncodeError) as error:
        raise error.__class__(error.reason, wire=_WIRE, path=error.path) from error


def enc_hook(value: Any) -> Any:
    """Return the plain form of a value of a model class that is not a Struct.

    Raises `NotImplementedError` for any other value, as msgspec asks of a hook.
    """
    return value_hook(value)


def dec_hook(type: Any, data: Any) -> Any:
    """Return plain data as `AgentMessage`, `LlmMessage`, `Arguments`, `RawJson` or `Media`.

    Raises `DecodeError`, of which msgspec makes its own error with the path, and
    `NotImplementedError` for any other type, as msgspec asks of a hook.
    """
    check_hooked(type)
    return from_builtins(data, type)


def schema_hook(type: Any) -> dict[str, Any]:
    """Return the JSON Schema of a type that `dec_hook` knows; a session's brings its own `$defs`.

    Raises `NotImplementedError` for any other type, as msgspec asks of a hook.
    """
    check_hooked(type)
    if type is Media:
        return {"type": "string", "contentEncoding": "base64"}
    if type is Arguments or type is RawJson:
        return {"description": "Any JSON."}
    from .schema import schema  # which loads all wires

    return {"$id": "urn:wireglot:message", **schema("native", "message")}
