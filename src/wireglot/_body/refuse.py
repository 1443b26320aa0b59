"""A value that no wire can write -> the `EncodeError` that names the place and the remedy.

The C encoder writes any builtin type in any field. `refuse` finds other systems' types and foreign
classes; `encode_error` finds the field of a wrong type that an encoder stumbled over.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, Final
from uuid import UUID

from msgspec import Raw, Struct, msgpack

from .. import model
from ..errors import EncodeError, WireglotError, reason_of, shown
from ..model import LlmMessage, Request
from ..model.media import Media
from ..model.rawjson import RawJson, not_of_the_model
from .faults import FAULTS
from .field_types import fault, remedy
from .fields import field_names
from .surrogates import mended_value

MODEL: Final = frozenset(kind for kind in vars(model).values() if isinstance(kind, type))
"""The classes of the model."""
_FORMATS: Final = "wireglot.formats."


def refuse(value: Any, wire: str, path: str = "$", *, inside: bool = False) -> None:
    """Raise `EncodeError` for another system's type, wherever it is outside model values.

    With `inside`, model values are looked into, and foreign classes are refused, too.
    """
    kind = type(value)
    if kind.__module__.startswith(_FORMATS):
        module = kind.__module__.split(".")[2]
        reason = (
            f"`{kind.__name__}` of {module}, expected a type of the model; "
            f'use `FORMATS["{module}"].to_canonical`'
        )
        raise EncodeError(reason, wire=wire, path=path)
    if kind is Request and not inside:
        refuse(value.messages, wire, f"{path}.messages")
        return
    if kind in MODEL and not inside:
        return
    if kind is LlmMessage:
        value = value.flat()
    elif inside and not _is_known(value):
        raise EncodeError(not_of_the_model(value), wire=wire, path=path)
    if isinstance(value, list | tuple) and not inside and {*map(type, value)} <= MODEL:
        return
    for _, part, place in parts(value, path):
        refuse(part, wire, place, inside=inside)


def _is_known(value: Any) -> bool:
    return value is None or isinstance(value, _PLAIN) or any(field_names(value))


# What the encoder writes, beside dataclasses and attrs objects, and what its hooks know.
_PLAIN: Final = (
    *(str, int, float, bytes, bytearray, memoryview, list, tuple, set, frozenset, dict),
    *(datetime, date, time, timedelta, UUID, Decimal, Enum, Raw, msgpack.Ext),
    *(Struct, Media, RawJson),
)


def parts(value: Any, path: str) -> Iterator[tuple[str, Any, str]]:
    """Yield the name, the value and the path of each part of a container or an object."""
    if isinstance(value, list | tuple | set | frozenset):
        for i, item in enumerate(value):
            yield "", item, f"{path}[{i}]"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key), item, f"{path}.{key}"
    else:
        names = field_names(value)
        for name, key in zip(names, getattr(value, "__struct_encode_fields__", names), strict=True):
            if hasattr(value, name):
                yield name, getattr(value, name), f"{path}.{key}"


@contextmanager
def errors(wire: str) -> Iterator[None]:
    """Turn any exception raised inside into an `EncodeError` of this wire."""
    try:
        yield
    except EncodeError as error:
        if error.wire == "json":  # of arguments that JSON cannot express
            raise EncodeError(error.reason, wire=wire, path=error.path) from error
        raise
    except FAULTS as error:
        raise encode_error(error, wire) from error


def encode_error(
    error: Exception, wire: str, value: Any = None, kind: type[Any] | None = None
) -> EncodeError:
    """Return the `EncodeError` for an exception, one of `FAULTS`.

    If `value`, a model value, has a field of the wrong type, the error is about that field. A value
    of another type than `kind`, if that is given, is the reason.
    """
    if kind is not None and not isinstance(value, kind):
        reason = f"`{type(value).__name__}`, expected a `{kind.__name__}`"
        return EncodeError(reason, wire=wire)
    if isinstance(error, WireglotError):
        return EncodeError(error.reason, wire=wire)
    if isinstance(error, RecursionError):
        return EncodeError("nested too deeply", wire=wire)
    if isinstance(error, LookupError):
        return _wrong_field(value, wire, f"value of a wrong type: {shown(repr(error), 100)}")
    return _wrong_field(value, wire, reason_of(error))


def _wrong_field(value: Any, wire: str, reason: str) -> EncodeError:
    if value is None:
        return EncodeError(reason, wire=wire)
    try:
        refuse(value, wire, inside=True)
        found = fault(value)
        if found is None:
            mended_value(value, wire, "$", None)  # which finds a text that is not Unicode
            return EncodeError(reason, wire=wire)
    except EncodeError as error:
        return EncodeError(error.reason + remedy(value, error.path), wire=wire, path=error.path)
    except RecursionError:
        return EncodeError("nested too deeply", wire=wire)
    return EncodeError(found[0] + remedy(value, found[1]), wire=wire, path=f"${found[1]}")
