"""Bytes of a foreign wire -> its Structs, with unknown keys set aside and paths in errors.

One typed C decode reads what the Structs define. The tolerant reader runs only where that fails. It
sets aside what has no field: the unknown keys of each object, and, where a union is open, members
of an unknown type as `Raw`.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Collection, Mapping
from contextvars import ContextVar
from functools import cache
from typing import Any, Final, Union

import msgspec
from msgspec import Raw, Struct, StructMeta

from .._runtime.locks import first_use
from ..errors import DecodeError, LimitError, LossError, WireglotError, quoted, unknown
from ..losses import Losses
from ..model.base import UnknownKeys
from ..model.counting import MOST_VALUES, check_json
from ..model.source import ASCII_JSON, JSON, Source, reading, taken_out
from .faults import located
from .fields import struct_fields
from .sdk import body_of
from .surrogates import lose_values, mended_text, mended_value

UNKNOWN: Final = "(unknown)"
"""The wire name of the field that collects an object's unknown keys; no JSON key has that name."""

ASIDE: Final = "aside"
"""The name of a Struct's field for a key that is as good as unknown: see `Aside`."""

MOST_APART: Final = 100_000
"""How many objects of one body may have unknown keys or types, or be read key by key for others.

Each costs some ten microseconds and 800 bytes, where the typed decode spends a tenth of that.
"""
TOO_MANY: Final = f"more than {MOST_APART:,} objects with unknown keys or types"

as_given: Final[Any] = StructMeta.__call__
"""Construct a Struct, the first argument, of the fields alone, as the decoder does.

Some types have a constructor that fills in an id and a time.
"""
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode
_value = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode
_SMALL = 1_000_000
_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_BRACKET = ord("[")
_BRACE = ord("{")


class Aside:
    """Of a Struct with a field `aside`, whose wire name is a key that many bodies have.

    Without that field, each of these bodies would go through the tolerant reader. The typed decode
    of a body takes the key, and then sets it aside as that reader does: as an unknown key, or, if
    it is another spelling of a key of raw JSON, as the value of that. Whoever decodes the Struct in
    another way is refused the key, like any that is unknown. There is one such field at most, as
    the order of several would be lost. The root of a body needs no more than the field.

    The JSON of such a Struct is not kept: it must not be one that a reader asks `Decoding.raw` for.
    """

    __slots__ = ()
    aside: Any

    def __post_init__(self) -> None:
        """Note a Struct that has the key."""
        if self.aside is not None:
            found = _found.get()
            if found is None or len(found) == _MOST_FOUND:
                raise ValueError("key for the tolerant reader")
            found.append(self)


_MOST_FOUND: Final = 10_000  # beyond these, the tolerant reader counts them
_found: Final[ContextVar[list[Any] | None]] = ContextVar("found", default=None)
"""The Structs with a key to set aside, in the body that the typed decode reads."""


class Decoded(Struct):
    """A decoded body: `root` is the wire's Struct, `data` the bytes that it was decoded from.

    Both dicts are keyed by `id`. `raws` holds the text of each object that the tolerant reader
    made, `unknown` those of its keys that have no field. A union member of an unknown type is a
    `Raw`, with no keys in `unknown`. A key that the typed decode has set aside (see `Aside`) is in
    `unknown`, too; `found` holds its Struct, whose id must stay its own even if the body repeats
    the key of that Struct, so that it is not in `root`.
    """

    root: Any
    data: bytes
    raws: dict[int, Raw] = {}
    unknown: dict[int, dict[str, Raw]] = {}
    found: list[Any] = []


def read_body(
    kind: Any, data: Any, wire: str, losses: Losses = None, *, closed: bool = False
) -> Decoded:
    """Decode `data` (bytes-like or str) as the wire Struct `kind`.

    A byte order mark is skipped. A lone surrogate is an error; with a list of losses it
    becomes U+FFFD, and the loss is recorded. A union member of an unknown type is kept as `Raw`;
    with `closed` it is an error.

    Raises `DecodeError`.
    """
    return read_text(kind, plain_text(data, wire, losses), wire, losses, closed=closed)


def read_text(
    kind: Any, text: bytes, wire: str, losses: Losses = None, *, closed: bool = False
) -> Decoded:
    """Decode bytes as `read_body` does."""
    try:
        return _read(kind, text, wire, closed)
    except LimitError:
        raise
    except DecodeError as error:
        try:
            mended = mended_text(text, wire, losses)
        except LossError as loss:
            raise DecodeError(loss.reason, wire=wire, path=loss.path) from error
        if mended is None and not text.startswith(_BOM):
            raise
        return _read(kind, (mended or text).removeprefix(_BOM), wire, closed)


class slices_of:  # noqa: N801 -- used as `with slices_of(data)`
    """Tell the model that the slices it adopts are JSON, and whether they are known to be ASCII."""

    __slots__ = ("_source", "_token")

    def __init__(self, data: bytes) -> None:
        self._source: Source = source_of(data)

    def __enter__(self) -> None:
        self._token = reading.set(self._source)

    def __exit__(self, *_: object) -> None:
        reading.reset(self._token)


def source_of(data: bytes) -> Source:
    """Return what the slices of a JSON text are."""
    is_ascii = taken_out.get() is None and len(data) <= _SMALL and data.isascii()
    return ASCII_JSON if is_ascii else JSON


def plain_text(data: Any, wire: str, losses: Losses = None) -> bytes:
    """Return bytes-like data or a str as bytes, and plain data or an SDK's object as its JSON.

    A lone surrogate in a str is an error; with a list of losses it becomes U+FFFD, and the loss is
    recorded.

    Raises `DecodeError`, `EncodeError` for data that JSON cannot express, and `TypeError` for
    anything else.
    """
    if isinstance(data, str):
        try:
            return data.encode()
        except UnicodeEncodeError as error:
            try:
                text: bytes = mended_value(data, wire, "$", losses).encode()
            except LossError as loss:
                raise DecodeError(loss.reason, wire=wire, path=loss.path) from error
        lose_values(text, wire, losses)
        return text
    try:
        return data if isinstance(data, bytes) else bytes(memoryview(data))
    except TypeError:  # not a buffer
        return body_of(data, wire)


def _read(kind: Any, data: bytes, wire: str, closed: bool) -> Decoded:
    if len(data) > MOST_VALUES:
        check_json(data, wire=wire)
    try:
        try:
            return _aside(kind, data) if _has_aside(kind) else Decoded(_decoder(kind)(data), data)
        except msgspec.ValidationError as error:
            reader = Tolerant(wire, closed)
            root = reader.parts(_shape(kind), Raw(data.lstrip(_SPACE)), "$", error)
            return Decoded(root, data, reader.raws, reader.unknown)
    except RecursionError as error:
        raise LimitError("nested too deeply", wire=wire) from error
    except UnicodeDecodeError as error:
        raise DecodeError("text is not UTF-8", wire=wire) from error
    except msgspec.DecodeError as error:
        raise _error(error, wire, "$") from error


@cache
def _has_aside(kind: Any) -> bool:
    """Whether a type has a key to set aside, or may have objects with one: those of its module."""
    modules = {other.__module__ for other in Aside.__subclasses__()}
    return (
        ASIDE in getattr(kind, "__struct_fields__", ())
        or getattr(kind, "__module__", "") in modules
        or any(map(_has_aside, typing.get_args(kind)))
    )


def _aside(kind: Any, data: bytes) -> Decoded:
    """Decode a body, and set aside the keys of the Structs in it."""
    found: list[Any] = []
    token = _found.set(found)
    try:
        root = _decoder(kind)(data)
    finally:
        _found.reset(token)
    body = Decoded(root, data, found=found)
    for part in found:
        _set_aside(part, body.unknown)
    if getattr(root, ASIDE, None) is not None:
        _set_aside(root, body.unknown)
    return body


def _set_aside(part: Any, unknown: dict[int, dict[str, Raw]]) -> None:
    kind: Any = type(part)
    plan, raw = _plan(kind), part.aside
    part.aside = None
    if plan.aside_of and getattr(part, plan.aside_of) is None:
        setattr(part, plan.aside_of, raw)
    else:
        unknown[id(part)] = {plan.aside: raw}


@cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    with first_use:
        return msgspec.json.Decoder(kind).decode


def _error(error: Exception, wire: str, path: str) -> DecodeError:
    reason, below = located(error)
    return DecodeError(reason, wire=wire, path=path + below)


class Tolerant:
    """The reader behind the typed decode: it descends to each object that has unknown keys.

    A Struct may declare how it is read. A field `unknown` with the wire name `UNKNOWN` collects its
    unknown keys. `ALIASES` maps other spellings to its keys; one is read where the key itself is
    absent. `LENIENT` names the fields whose value, if it is invalid, becomes an unknown key.
    `ANY_TAG` makes the Struct stand for every object that has its required keys and is not another
    member of the union. Where unions are closed, an unknown key that no field collects is an error.

    A Struct with `PROTO` is read as proto3 JSON: keys may be snake_case, and a single object may
    stand for a list of one.
    """

    def __init__(self, wire: str, closed: bool = False) -> None:
        self._wire = wire
        self._closed = closed
        self._is_proto = False
        self.raws: dict[int, Raw] = {}
        self.unknown: dict[int, dict[str, Raw]] = {}

    def value(self, kind: Any, raw: Raw, path: str) -> Any:
        """Decode `raw` as `kind`: by the typed decode, or part by part where that fails."""
        return self._value(_shape(kind), raw, path)

    def _value(self, shape: _Shape, raw: Raw, path: str) -> Any:
        try:
            return shape.decode(raw)
        except msgspec.ValidationError as error:
            return self.parts(shape, raw, path, error)

    def parts(self, shape: _Shape, raw: Raw, path: str, failed: msgspec.ValidationError) -> Any:
        """Decode part by part what the typed decode has refused."""
        first = memoryview(raw)[0]
        item = shape.item
        if first == _BRACKET and item is not None:
            decode = item.decode
            out: list[Any] = []
            for part in _items(raw):
                try:
                    out.append(decode(part))
                except msgspec.ValidationError as error:
                    out.append(self.parts(item, part, f"{path}[{len(out)}]", error))
            return out
        if first == _BRACE:
            if self._is_proto and item is not None:
                return [self._value(item, raw, path)]
            if shape.tag_field:
                return self._member(shape, raw, path)
            if shape.object is not None:
                return self._object(shape.object, raw, _keys(raw), path)
        raise _error(failed, self._wire, path) from failed

    def _member(self, shape: _Shape, raw: Raw, path: str) -> Any:
        """Read a member of a tagged union; an open union keeps an unknown type as `Raw`."""
        keys = _keys(raw)
        tag = _value(keys[shape.tag_field]) if shape.tag_field in keys else None
        if tag is None:
            reason = f"object missing required field `{shape.tag_field}`"
            raise DecodeError(reason, wire=self._wire, path=path)
        if not isinstance(tag, str):
            reason = f"expected `str`, got `{type(tag).__name__}`"
            raise DecodeError(reason, wire=self._wire, path=f"{path}.{shape.tag_field}")
        member = shape.members.get(tag)
        other = shape.any_tag
        if other is not None and all(
            key in keys for _, key, _, required in struct_fields(other) if required
        ):
            try:
                if member is not None:
                    return self._object(member, raw, dict(keys), path)
            except DecodeError:
                pass
            return self._object(other, raw, keys, path, any_tag=tag != other.__struct_config__.tag)
        if member is None:
            if self._closed:
                reason = unknown(shape.tag_field, tag, shape.members)
                raise DecodeError(reason, wire=self._wire, path=f"{path}.{shape.tag_field}")
            self._check_count(self.unknown, path)
            self.unknown[id(raw)] = {}
            return raw
        return self._object(member, raw, keys, path)

    def _object(
        self, kind: Any, raw: Raw, keys: dict[str, Raw], path: str, *, any_tag: bool = False
    ) -> Any:
        plan = _plan(kind)
        if not any_tag and plan.tag_field in keys:
            tag = _value(keys.pop(plan.tag_field))
            if tag != plan.tag:
                reason = f"{quoted(tag)}, expected `{plan.tag}`"
                raise DecodeError(reason, wire=self._wire, path=f"{path}.{plan.tag_field}")
        self._is_proto = plan.is_proto
        for other, key in plan.aliases.items():
            if other in keys and key not in keys:
                keys[key] = keys.pop(other)
        values: dict[str, Any] = {}
        numbers = {plan.numbers[key] for key in keys if key in plan.numbers}
        for number in sorted(numbers | plan.required):
            name, key, shape = plan.fields[number]
            part = keys.pop(key, None)
            if part is None and plan.is_proto:
                part = keys.pop(name, None)
            if part is None:
                reason = f"object missing required field `{key}`"
                raise DecodeError(reason, wire=self._wire, path=path)
            try:
                values[name] = shape.decode(part)
            except msgspec.ValidationError as error:
                try:
                    values[name] = self.parts(shape, part, f"{path}.{key}", error)
                except DecodeError:
                    if name not in plan.lenient:
                        raise
                    keys[key] = part
        if keys and self._closed and not plan.keeps_unknown:
            reason = f"object contains unknown field {quoted(next(iter(keys)))}"
            raise DecodeError(reason, wire=self._wire, path=path)
        try:
            if keys and plan.keeps_unknown:
                values["unknown"] = UnknownKeys.adopt(Raw(_encode(keys)))
            struct = as_given(kind, **values)
        except ValueError as error:
            reason = error.reason if isinstance(error, WireglotError) else str(error)
            raise DecodeError(reason, wire=self._wire, path=path) from error
        self._check_count(self.raws, path)
        self.raws[id(struct)] = raw
        if keys:
            self.unknown[id(struct)] = keys
        return struct

    def _check_count(self, apart: dict[int, Any], path: str) -> None:
        if len(apart) >= MOST_APART:
            raise LimitError(TOO_MANY, wire=self._wire, path=path)


class _Shape(Struct):
    """What a type accepts: a list of `item`, an `object`, or `members` told apart by a tag."""

    decode: Callable[[Any], Any]
    item: _Shape | None = None
    object: Any = None
    tag_field: str = ""
    members: dict[str, Any] = {}
    any_tag: Any = None


@cache
def _shape(kind: Any) -> _Shape:
    is_union = typing.get_origin(kind) in (types.UnionType, Union)
    shape = _Shape(_decoder(kind))
    structs = []
    for member in typing.get_args(kind) if is_union else (kind,):
        if typing.get_origin(member) is list:
            shape.item = _shape(typing.get_args(member)[0])
        elif isinstance(member, type) and issubclass(member, Struct):
            structs.append(member)
    if len(structs) > 1:
        shape.tag_field = structs[0].__struct_config__.tag_field or ""
        shape.members = {str(s.__struct_config__.tag): s for s in structs}
        shape.any_tag = next((s for s in structs if getattr(s, "ANY_TAG", False)), None)
    elif structs:
        shape.object = structs[0]
    return shape


class _Plan(Struct):
    """How a Struct is read key by key: `fields` holds the name, the key and the type of each.

    `numbers` finds a field by its key, `required` are the numbers of those that must be there.
    `aside` is the key that is set aside, `aside_of` the field that it also spells, if any.
    """

    fields: list[tuple[str, str, _Shape]]
    numbers: dict[str, int]
    required: set[int]
    keeps_unknown: bool
    tag_field: str | None
    tag: Any
    is_proto: bool
    aliases: Mapping[str, str]
    lenient: Collection[str]
    aside: str
    aside_of: str


@cache
def _plan(kind: Any) -> _Plan:
    found = struct_fields(kind)
    config = kind.__struct_config__
    is_proto = getattr(kind, "PROTO", False)  # not every Struct is a `Wire`
    fields = [field for field in found if field[0] != ASIDE and field[1] != UNKNOWN]
    keys = {key: number for number, (_, key, _, _) in enumerate(fields)}
    names = {name: number for number, (name, _, _, _) in enumerate(fields)} if is_proto else {}
    aside = next((key for name, key, _, _ in found if name == ASIDE), "")
    return _Plan(
        [(name, key, _shape(hint)) for name, key, hint, _ in fields],
        names | keys,
        {number for number, (_, _, _, required) in enumerate(fields) if required},
        any(key == UNKNOWN for _, key, _, _ in found),
        config.tag_field,
        config.tag,
        is_proto,
        getattr(kind, "ALIASES", {}),
        getattr(kind, "LENIENT", ()),
        aside,
        aside if aside in {field[0] for field in fields} else "",
    )


@cache
def with_objects(kind: Any) -> list[tuple[str, str]]:
    """Return the name and the key of each field of a wire Struct that objects are decoded into."""
    return [(name, key) for name, key, shape in _plan(kind).fields if _holds_objects(shape)]


def _holds_objects(shape: _Shape) -> bool:
    inner = shape.item
    return bool(shape.object or shape.members or (inner is not None and _holds_objects(inner)))
