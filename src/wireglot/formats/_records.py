"""The systems' own types <-> JSON, unknown keys included."""

from __future__ import annotations

import re
import sys
import typing
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Final, Union

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field
from msgspec.structs import replace

from .._body.decode import UNKNOWN, plain_text, read_body, slices_of
from .._body.encode import Unplaced
from .._body.encode import encode_json as encode
from .._body.faults import FAULTS
from .._body.objects import shallow
from .._body.refuse import encode_error, refuse
from .._body.surrogates import mended_value
from ..errors import DecodeError, EncodeError
from ..losses import Losses
from ..model.base import UnknownKeys

__all__ = [
    "Record",
    "is_own",
    "own_value",
    "read",
    "read_all",
    "readable",
    "set_aside",
    "unknown",
    "write",
    "write_lines",
    "written",
    "written_back",
]

_raw = msgspec.json.Decoder(Raw).decode
_each = msgspec.json.Decoder(list[Raw]).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*")
_ONE_LINE: Final = bytes.maketrans(b"\r\n", b"  ")


class Record(Struct, kw_only=True, forbid_unknown_fields=True, repr_omit_defaults=True, gc=False):
    """Base of the systems' types.

    `unknown` holds the keys of the JSON object that the type has no field for; they are written
    back after the known ones.
    """

    ALIASES: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Other spellings of keys, read where the key itself is missing."""

    unknown: UnknownKeys | UnsetType = field(default=UNSET, name=UNKNOWN)


def is_own(value: Any, wire: str) -> bool:
    """Whether a value's type, or one that this is derived from, is of the system with this name."""
    kind: Any = type(value)
    return _is_of(kind, wire)


@cache
def _is_of(kind: Any, wire: str) -> bool:
    room = f"wireglot.formats.{wire}"
    if getattr(sys.modules[room], kind.__name__, None) is kind:  # some are types of the model
        return True
    return any(f"{base.__module__}.".startswith(f"{room}.") for base in kind.__mro__)


def own_value(value: Any, wire: str) -> Any:
    """Return a value of a system's own types. Raises `EncodeError` for any other."""
    if not is_own(value, wire):
        refuse(value, wire)
        reason = f"`{type(value).__name__}`, expected a message or a type of {wire}"
        raise EncodeError(reason, wire=wire)
    return value


def read(kind: Any, data: Any, wire: str, losses: Losses = None) -> Any:
    """Decode one document (bytes-like or str) as `kind`. Raises `DecodeError`."""
    text = plain_text(data, wire, losses)
    with slices_of(text):
        return read_body(kind, text, wire, losses, closed=True).root


def readable(
    data: bytes, value: Any, wire: str, decode: Callable[..., Any], *, lines: bool = False
) -> bytes:
    """Return what `value` was encoded as. Raises `EncodeError` if `decode` cannot read it."""
    items = value if isinstance(value, list | tuple) else [value]
    kind: Any = None  # a conversation
    if not lines and items and all(is_own(item, wire) for item in items):
        kind = Union[tuple({*map(type, items)})]  # noqa: UP007 -- of types that are known here only
        kind = kind if items is not value else list[kind]
    try:
        if kind is not None and data[:1] == b"[":  # one by one: of some types there is no union
            for item, text in zip(items, _each(data), strict=True):
                decode(bytes(text), type(item))
        elif data:
            decode(data, kind)
    except TypeError as error:
        reason = "values of several types, expected those of one"
        raise EncodeError(reason, wire=wire) from error
    except DecodeError as error:
        raise EncodeError(error.reason, wire=wire, path=error.path) from error
    return data


def read_all(kind: Any, data: Any, wire: str, losses: Losses = None) -> list[Any]:
    """Decode an array of `kind`, a single one, or JSON Lines.

    Raises `DecodeError`; for JSON Lines the path begins with the line number.
    """
    text = plain_text(data, wire, losses)
    head = _START.match(text)
    start = head.end() if head is not None else 0
    if text[start : start + 1] == b"[":
        made: list[Any] = read(list[kind], text, wire, losses)
        return made
    if not _is_lines(text, start):
        return [read(kind, text, wire, losses)]
    records = []
    before = text.count(b"\n", 0, start)
    for number, line in enumerate(text[start:].split(b"\n"), before + 1):
        if line and not line.isspace():
            try:
                records.append(read(kind, line, wire, losses))
            except DecodeError as error:
                path = f"line {number}: {error.path}"
                raise error.__class__(error.reason, wire=wire, path=path) from error
    return records


def _is_lines(text: bytes, start: int) -> bool:
    """Whether the first line is a complete document, and more lines follow."""
    end = text.find(b"\n", start)
    if end < 0 or text[end:].isspace():
        return False
    try:
        _raw(text[start:end])
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def write(value: Any, wire: str, losses: Losses = None) -> bytes:
    """Encode records as JSON, each with its unknown keys after the known ones.

    Raises `EncodeError`, also for a lone surrogate; with a list of losses, that is a loss, and is
    written as U+FFFD.
    """
    try:
        try:
            return written(value)
        except UnicodeEncodeError:
            return written(mended_value(value, wire, "$", losses))
    except EncodeError:
        raise
    except FAULTS as error:
        raise encode_error(error, wire) from error


def write_lines(values: list[Any], wire: str, losses: Losses = None) -> bytes:
    """Encode records as JSON Lines, one each. Raises as `write` does."""
    lines = (write(value, wire, losses).translate(_ONE_LINE) for value in values)
    return b"".join(line + b"\n" for line in lines)


def written(value: Any) -> bytes:
    """Return what `write` does. Raises `UnicodeEncodeError` for a lone surrogate."""
    data = written_back(value)
    if b":null" in data:
        omitted = _without_nulls(value)
        if omitted is not value:
            return written(omitted)
    return data


def written_back(value: Any) -> bytes:
    """Return what `written` does, for a value that has been read: no field is null that may not."""
    try:
        return encode(value)
    except Unplaced:
        return encode(_placed(value))


def _without_nulls(value: Any) -> Any:
    """Return `value` with None as `UNSET` in the fields whose key is left out, and never null."""
    if isinstance(value, list):
        items = [_without_nulls(item) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    if not isinstance(value, Record):
        return value
    never_null, inner = _to_look_at(type(value))
    changes: dict[str, Any] = {name: UNSET for name in never_null if getattr(value, name) is None}
    for name in inner:
        old = getattr(value, name)
        if isinstance(old, list | Record):
            new = _without_nulls(old)
            if new is not old:
                changes[name] = new
    return replace(value, **changes) if changes else value


@cache
def _to_look_at(kind: type[Record]) -> tuple[list[str], list[str]]:
    """Return the fields that are never null, and those that may hold records."""
    never_null, inner = [], []
    for name, hint in typing.get_type_hints(kind).items():
        args = typing.get_args(hint) or (hint,)
        if UnsetType in args and type(None) not in args:
            never_null.append(name)
        if name in kind.__struct_fields__ and not _SCALAR.issuperset(args):
            inner.append(name)
    return never_null, inner


_SCALAR: Final = frozenset({str, int, float, bool, UnsetType, type(None)})


def _placed(value: Any) -> Any:
    """Return `value` with each record that has unknown keys turned into a dict of all its keys."""
    kind = type(value)
    if kind is list or kind is tuple:
        return [_placed(item) for item in value]
    if kind is dict:
        return {key: _placed(item) for key, item in value.items()}
    if not isinstance(value, Struct):
        return value
    changes = {}
    for name in value.__struct_fields__:
        old = getattr(value, name)
        if type(old) is list or type(old) is dict or isinstance(old, Struct):
            changes[name] = _placed(old)
    made = replace(value, **changes) if changes else value
    if getattr(made, "unknown", UNSET) is UNSET:  # `replace` may have set keys aside again
        return made
    keys = shallow(made)
    others = _keys(keys.pop(UNKNOWN).text)
    # One member of a union may have any tag (`ANY_TAG`), and keeps the tag that it came with.
    tag = value.__struct_config__.tag_field if getattr(value, "ANY_TAG", False) else None
    return keys | {key: raw for key, raw in others.items() if key not in keys or key == tag}


def set_aside(record: Record, keys: Mapping[str, Any]) -> None:
    """Put keys before the unknown ones of a record. If a key is already there, that one wins."""
    held = _keys(record.unknown.text) if record.unknown is not UNSET else {}
    record.unknown = unknown({**keys, **held})


def unknown(keys: Mapping[str, Any]) -> UnknownKeys | UnsetType:
    """Return keys as the `unknown` of a record, `UNSET` if there are none."""
    return UnknownKeys.adopt(Raw(encode(keys))) if keys else UNSET
