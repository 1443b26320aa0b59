"""What all decoders of providers share: bytes -> wire Structs, unknown keys, and paths in errors.

One typed C decode reads what the wire's Structs know. Only where it fails does the tolerant reader
run, which sets aside what has no field: unknown keys by the object that has them, and members of a
union that are of no known type as `Raw`.
"""

from __future__ import annotations

import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, ClassVar, NoReturn, TypeVar, Union

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields

from .._surrogates import mended_text
from ..errors import DecodeError, EncodeError, LimitError, LossError, WireglotError
from ..losses import Losses
from ..model import Extra, Extras, RawJson, Request
from ..model.source import ASCII_JSON, JSON, reading
from ._writing import RequestWriter, encode, places, unknown_dialect

__all__ = ["Body", "Reader", "RequestReader", "read_body", "read_with"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode
_value = msgspec.json.Decoder().decode
_SMALL = 1_000_000
_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_Read = TypeVar("_Read")


class Body(Struct):
    """A decoded body: `root` is the wire's Struct, `data` the bytes it was made of.

    `raws` and `unknown` hold, by `id`, the text of each object that the tolerant reader made, and
    the keys of it that have no field: none for a `Raw` that is of no known type as a whole.
    """

    root: Any
    data: bytes
    raws: dict[int, Raw] = {}
    unknown: dict[int, dict[str, Raw]] = {}


class Reader:
    """Base of the decoders: what a wire Struct was made of, and where it stood."""

    WIRE: ClassVar[str]
    """The provider's name, for errors."""
    API: ClassVar[str]

    def __init__(self, body: Body, dialect: str) -> None:
        self.body = body
        self._unknown = body.unknown
        self._dialect = dialect

    def _path(self, part: Any) -> str:
        return next((at for key, at in places(self.body.root, "$") if key == id(part)), "$")

    def _fail(self, reason: str, part: Any, key: str = "") -> NoReturn:
        raise DecodeError(reason, wire=self.WIRE, path=self._path(part) + key)

    def _raw(self, part: Any) -> RawJson:
        """Return the JSON that `part` was made of; `part` may be a slice that has no type here."""
        if type(part) is Raw:
            return RawJson.adopt(part)
        return RawJson.adopt(self.body.raws.get(id(part)) or Raw(encode(part)))

    def _extras(self, *parts: Any, **spelling: Any) -> Extras | None:
        """Return the unknown keys of wire Structs, those of the objects in their fields included.

        `spelling` are keys that have been read, and that only their own text says exactly.
        """
        if not self._unknown and not spelling:
            return None
        keys: dict[str, Any] = {}
        for part in parts:
            keys |= self._residue(part)
        if not keys and not spelling:
            return None
        extra = Extra(RawJson.adopt(Raw(encode(keys))))
        if spelling:
            extra.spelling = RawJson.adopt(Raw(encode(self._as_it_came(spelling))))
        return {self.API: extra}

    def _as_it_came(self, value: Any) -> Any:
        """Return parts of the wire with the keys that have no field."""
        if not self._unknown:
            return value
        if isinstance(value, dict):
            return {key: self._as_it_came(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._as_it_came(inner) for inner in value]
        return self.body.raws.get(id(value), value)

    def _residue(self, part: Any) -> dict[str, Any]:
        keys: dict[str, Any] = dict(self._unknown.get(id(part), {}))
        for key, name in zip(part.__struct_encode_fields__, part.__struct_fields__, strict=True):
            value = getattr(part, name)
            if isinstance(value, Struct) and (inner := self._residue(value)):
                keys[key] = inner
        return keys


class RequestReader(Reader, ABC):
    """Base of the request decoders, one object for one body."""

    WRITER: ClassVar[type[RequestWriter]]

    def __init__(self, body: Body, dialect: str) -> None:
        if dialect not in self.WRITER.SPOKEN:
            raise unknown_dialect(dialect, self.WRITER.SPOKEN, self.WIRE)
        super().__init__(body, dialect)
        self._unread: set[str] = set()
        """Keys of the body whose value the model has no word for: a loss on other wires."""

    @abstractmethod
    def request(self) -> Request:
        """Return the canonical request: content by the subclass, parameters in both spellings."""

    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """Return all that is no message and no tool, by field of `Request`."""

    def kept(self, request: Request) -> Request:
        """Return the request with the body's unknown keys, and with each other spelling."""
        root = self.body.root
        keys: dict[str, Any] = dict(self._unknown.get(id(root), {}))
        spelling: dict[str, Any] = {}
        made = self._made(request)
        given: dict[str, Raw] | None = None
        for name, key in zip(root.__struct_fields__, root.__struct_encode_fields__, strict=True):
            if key in self.WRITER.CONTENT:
                continue
            theirs, ours = getattr(root, name), getattr(made, name)
            if theirs is ours:
                continue
            strange = key in self._unread or (
                bool(self._unknown) and any(part in self._unknown for part, _ in places(theirs, ""))
            )
            if not strange and encode(theirs) == encode(ours):
                continue
            if given is None:
                given = _keys(self.body.data)
            raw = given.get(key, Raw(b"null"))
            if strange and key not in self._unread and isinstance(theirs, Struct):
                residue = self._residue(theirs)
                if residue:  # what has been read may change, and must not come back with the rest
                    keys[key], spelling[key] = residue, raw
                    continue
            (keys if strange else spelling)[key] = raw
        if keys or spelling:
            extra = Extra(RawJson.adopt(Raw(encode(keys))))
            if spelling:
                extra.spelling = RawJson.adopt(Raw(encode(spelling)))
                extra.dialect = self._dialect
            request.extras = {self.API: extra}
        return request

    def _made(self, request: Request) -> Any:
        """Return the body that the encoder would write, as far as parameters go."""
        try:
            return self.WRITER(request, [], self._dialect).parameters()
        except EncodeError:  # what came contradicts itself, and goes back as it came
            return self.WRITER.BODY(**{self.WRITER.CONTENT[-1]: []})


def read_body(kind: Any, data: Any, wire: str, losses: Losses = None) -> Body:
    """Decode `data` (bytes-like or str) as the wire Struct `kind`.

    A byte order mark is skipped. A lone surrogate escape is an error, or with a list of losses
    U+FFFD and a loss.

    Raises `DecodeError`.
    """
    text = _bytes(data, wire)
    try:
        return _read(kind, text, wire)
    except LimitError:
        raise
    except DecodeError as error:
        plain = text.removeprefix(_BOM)
        try:
            mended = mended_text(plain, wire, losses)
        except LossError as loss:
            raise DecodeError(loss.reason, wire=wire, path=loss.path) from error
        if mended is None and plain is text:
            raise
        return _read(kind, mended or plain, wire)


@contextmanager
def slices_of(data: bytes) -> Iterator[None]:
    """Tell the model, while it adopts slices of `data`, what it need not check again."""
    token = reading.set(ASCII_JSON if len(data) <= _SMALL and data.isascii() else JSON)
    try:
        yield
    finally:
        reading.reset(token)


def decoded(
    make: Callable[[Body], RequestReader], kind: Any, data: Any, wire: str, losses: Losses
) -> Request:
    """Decode a body into the canonical request. Raises `DecodeError`."""
    body = read_body(kind, data, wire, losses)
    reader = make(body)  # a dialect that there is not is the caller's fault
    return _read_out(lambda _: reader.kept(reader.request()), body, wire)


def read_with(
    read: Callable[[Body], _Read], kind: Any, data: Any, wire: str, losses: Losses
) -> _Read:
    """Return what `read` makes of a body; whatever goes wrong is a `DecodeError`."""
    return _read_out(read, read_body(kind, data, wire, losses), wire)


def _read_out(read: Callable[[Body], _Read], body: Body, wire: str) -> _Read:
    with slices_of(body.data):
        try:
            return read(body)
        except DecodeError:
            raise
        except WireglotError as error:
            raise DecodeError(error.reason, wire=wire, path=error.path) from error
        except RecursionError as error:
            raise LimitError("nested too deeply", wire=wire) from error
        except (msgspec.DecodeError, ValueError) as error:
            raise DecodeError(str(error), wire=wire) from error


def _bytes(data: Any, wire: str) -> bytes:
    if isinstance(data, str):
        try:
            return data.encode()
        except UnicodeEncodeError as error:
            raise DecodeError("text holds a lone surrogate", wire=wire) from error
    return data if isinstance(data, bytes) else bytes(data)


def _read(kind: Any, data: bytes, wire: str) -> Body:
    try:
        try:
            return Body(_decoder(kind)(data), data)
        except msgspec.ValidationError:
            reader = _Tolerant(wire)
            root = reader.value(kind, Raw(data.lstrip(_SPACE)), "$")
            return Body(root, data, reader.raws, reader.unknown)
    except RecursionError as error:
        raise LimitError("nested too deeply", wire=wire) from error
    except UnicodeDecodeError as error:
        raise DecodeError("text is not UTF-8", wire=wire) from error
    except msgspec.DecodeError as error:
        raise _error(error, wire, "$") from error


@cache
def _decoder(kind: Any) -> Callable[[Any], Any]:
    return msgspec.json.Decoder(kind).decode


def _error(error: Exception, wire: str, path: str) -> DecodeError:
    # msgspec writes "what - at `$.path`", or "what - at `key` in `$.path`".
    reason, _, at = str(error).partition(" - at `")
    if reason[1:2].islower():
        reason = reason[0].lower() + reason[1:]
    return DecodeError(reason, wire=wire, path=path + at.partition("$")[2].removesuffix("`"))


class _Tolerant:
    """The reader behind the strict one: goes down to each object that has unknown keys.

    A Struct that is `PROTO` is read as proto3 JSON: keys may be snake_case, and what is said to be
    a list may be one value alone.
    """

    def __init__(self, wire: str) -> None:
        self._wire = wire
        self._is_proto = False
        self.raws: dict[int, Raw] = {}
        self.unknown: dict[int, dict[str, Raw]] = {}

    def value(self, kind: Any, raw: Raw, path: str) -> Any:
        """Decode `raw` as `kind`, typed where that works, else part by part."""
        try:
            return _decoder(kind)(raw)
        except msgspec.ValidationError as error:
            failed = error
        shape = _shape(kind)
        first = bytes(memoryview(raw)[:1])
        if first == b"[" and shape.item is not None:
            parts = _items(raw)
            return [self.value(shape.item, part, f"{path}[{i}]") for i, part in enumerate(parts)]
        if first == b"{":
            if self._is_proto and shape.item is not None:
                return [self.value(shape.item, raw, path)]
            if shape.tag_field:
                return self._member(shape, raw, path)
            if shape.object is not None:
                return self._object(shape.object, raw, _keys(raw), path)
        raise _error(failed, self._wire, path) from failed

    def _member(self, shape: _Shape, raw: Raw, path: str) -> Any:
        """Read a member of a tagged union; one of no known type stays as it is."""
        keys = _keys(raw)
        tag = _value(keys[shape.tag_field]) if shape.tag_field in keys else None
        if tag is None:
            reason = f"object missing required field `{shape.tag_field}`"
            raise DecodeError(reason, wire=self._wire, path=path)
        if not isinstance(tag, str):
            reason = f"expected `str`, got `{type(tag).__name__}`"
            raise DecodeError(reason, wire=self._wire, path=f"{path}.{shape.tag_field}")
        member = shape.members.get(tag)
        if member is None:
            self.unknown[id(raw)] = {}
            return raw
        del keys[shape.tag_field]
        return self._object(member, raw, keys, path)

    def _object(self, kind: Any, raw: Raw, keys: dict[str, Raw], path: str) -> Any:
        config = kind.__struct_config__
        if config.tag_field in keys and _value(keys.pop(config.tag_field)) != config.tag:
            reason = f"expected `{config.tag}`"
            raise DecodeError(reason, wire=self._wire, path=f"{path}.{config.tag_field}")
        self._is_proto = getattr(kind, "PROTO", False)  # a lenient Struct is no `Wire`
        values: dict[str, Any] = {}
        for name, key, hint, required in _fields(kind):
            part = keys.pop(key, None)
            if part is None and self._is_proto:
                part = keys.pop(name, None)
            if part is not None:
                values[name] = self.value(hint, part, f"{path}.{key}")
            elif required:
                reason = f"object missing required field `{key}`"
                raise DecodeError(reason, wire=self._wire, path=path)
        made = kind(**values)
        self.raws[id(made)] = raw
        if keys:
            self.unknown[id(made)] = keys
        return made


class _Shape(Struct):
    """What a type takes: a list of `item`, an `object`, or `members` told apart by `tag_field`."""

    item: Any = None
    object: Any = None
    tag_field: str = ""
    members: dict[str, Any] = {}


@cache
def _shape(kind: Any) -> _Shape:
    is_union = typing.get_origin(kind) in (types.UnionType, Union)
    shape = _Shape()
    structs = []
    for member in typing.get_args(kind) if is_union else (kind,):
        if typing.get_origin(member) is list:
            shape.item = typing.get_args(member)[0]
        elif isinstance(member, type) and issubclass(member, Struct):
            structs.append(member)
    if len(structs) > 1:
        shape.tag_field = structs[0].__struct_config__.tag_field or ""
        shape.members = {str(s.__struct_config__.tag): s for s in structs}
    elif structs:
        shape.object = structs[0]
    return shape


@cache
def _fields(kind: Any) -> list[tuple[str, str, Any, bool]]:
    """Name, key, annotation and whether required, for each field of a Struct."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return [(f.name, f.encode_name, hints[f.name], f.required) for f in fields(kind)]
