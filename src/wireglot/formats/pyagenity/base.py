"""The base of PyAgenity's types: the constructor and the methods that its pydantic models have.

A constructor takes what pydantic's takes: it makes models of dicts, and refuses values of other
types. Decoding does not come there, nor do copies, pickles, and fields that are set afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    Union,
)

import msgspec
from msgspec import NODEFAULT, UNSET
from msgspec.structs import FieldInfo, fields, replace

from ..._body.decode import UNKNOWN, as_given
from ..._body.encode import encode_json as encode
from ..._body.field_types import Field, field_of, odd
from ..._body.refuse import errors
from ...errors import DecodeError, EncodeError, unknown
from ...model import Media, RawJson
from .._constructors import Constructed, Fresh, seconds
from .._records import Record, read, write
from .system import WIRE

__all__ = ["Chosen", "Model", "Validated", "unchecked"]

Chosen: TypeAlias = "set[str] | set[int] | Mapping[str, Any] | Mapping[int, Any]"
"""Fields or indexes; in a mapping each with True, or with what is chosen inside of it."""

_M = TypeVar("_M", bound="Model")
_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
_ALL: Final = "__all__"
_value: Callable[[bytes], Any] = msgspec.json.Decoder().decode


class _Fields:
    """The fields of the class that it is read from."""

    def __get__(self, _: Any, kind: type[Model]) -> dict[str, FieldInfo]:
        return _fields(kind)


class Validated(Constructed):
    """Metaclass of the types: a constructor checks the values of its fields."""

    if not TYPE_CHECKING:

        def __call__(cls, *args, **fields):  # noqa: N805 -- of a metaclass
            """Return an object whose values were checked."""
            made = super().__call__(*args, **fields)
            _validate(made)
            return made


class Model(Record, metaclass=Validated):
    """Base of the types. Its methods are those of pydantic, with the keywords that apply.

    A field that was not set is not told apart from one that was set to its default, so there is
    no `exclude_unset`.
    """

    WIRE: ClassVar[str] = WIRE
    FRESH: ClassVar[Fresh] = {}
    """What the constructor fills in, and the decoder does not."""
    model_fields: ClassVar[_Fields] = _Fields()
    """The fields by name, the tag first."""

    def model_dump(
        self,
        *,
        mode: Literal["python", "json"] = "python",
        include: Chosen | None = None,
        exclude: Chosen | None = None,
        by_alias: bool | None = None,
        exclude_defaults: bool = False,
        exclude_none: bool = False,
    ) -> dict[str, Any]:
        """Return plain data: dicts, lists, and media as base64 text. Unknown keys are included.

        In `python` mode, free data are returned as they are. There are no aliases.

        Raises `EncodeError` if `mode` is another word, or if in `json` mode a value has no JSON.
        """
        if mode not in ("python", "json"):
            raise EncodeError(unknown("mode", mode, ("python", "json")), wire=WIRE)
        dump = _Dump(mode == "json", exclude_defaults, exclude_none)
        with errors(WIRE):
            return dump.record(self, include, exclude)

    def model_dump_json(
        self,
        *,
        indent: int | None = None,
        include: Chosen | None = None,
        exclude: Chosen | None = None,
        by_alias: bool | None = None,
        exclude_defaults: bool = False,
        exclude_none: bool = False,
    ) -> str:
        """Return JSON text, as `encode` writes it. Raises `EncodeError`."""
        if include is None and exclude is None and not exclude_defaults and not exclude_none:
            data = write(self, WIRE)
        else:
            plain = self.model_dump(
                mode="json",
                include=include,
                exclude=exclude,
                exclude_defaults=exclude_defaults,
                exclude_none=exclude_none,
            )
            data = write(plain, WIRE)
        return (data if indent is None else msgspec.json.format(data, indent=indent)).decode()

    @classmethod
    def model_validate(cls, obj: Any, *, strict: bool | None = None) -> Self:
        """Return an object of plain data; one of this type is returned unchanged.

        What the constructor fills in where it is missing is filled in here, too. Reading is always
        strict: text is not taken for a number.

        Raises `DecodeError`, and `EncodeError` for what has no JSON.
        """
        if isinstance(obj, cls):
            return obj
        if isinstance(obj, Mapping):
            obj = {key: seconds(value) for key, value in obj.items()}
        with errors(WIRE):
            data = encode(obj)
        return cls.model_validate_json(data)

    @classmethod
    def model_validate_json(
        cls, json_data: str | bytes | bytearray, *, strict: bool | None = None
    ) -> Self:
        """Return an object of JSON; unlike `decode`, fill in an id or a time that is missing.

        Raises `DecodeError`.
        """
        model: Self = read(cls, json_data, WIRE)
        _fill(model)
        return model

    @classmethod
    def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
        """Return what the constructor does, without a check of the values."""
        made: Self = Constructed.__call__(cls, **values)
        return made

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy with other values of some fields."""
        copy = deepcopy(self) if deep else replace(self)
        for name, value in (update or {}).items():
            setattr(copy, name, value)
        return copy

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the type."""
        schema = msgspec.json.schema(cls, schema_hook=lambda _: {"type": ["string", "null"]})
        for each in schema["$defs"].values():
            if each.pop("additionalProperties", None) is False:  # unknown keys are kept
                each["properties"].pop(UNKNOWN)
        return schema

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Let pydantic read and write the type as a field of a caller's model."""
        from pydantic_core import core_schema as core

        return core.no_info_plain_validator_function(
            cls.model_validate,
            serialization=core.plain_serializer_function_ser_schema(_dumped, info_arg=True),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        """Return an open schema: definitions of ours have no place among pydantic's."""
        return {"type": "object", "title": cls.__name__}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy deeply by the fields as they are."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return _restored, (type(self), fields)

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        """Iterate over names and values, for `dict(model)`."""
        for name in self.model_fields:
            yield name, getattr(self, name)


def _restored(kind: type[Model], values: dict[str, Any]) -> Any:
    return as_given(kind, **values)


def _dumped(model: Model, info: Any) -> dict[str, Any]:
    return model.model_dump(
        mode=info.mode,
        include=info.include,
        exclude=info.exclude,
        exclude_defaults=info.exclude_defaults,
        exclude_none=info.exclude_none,
    )


def unchecked(kind: type[_M], *args: Any, **values: Any) -> _M:
    """Return an object of values that are known to be right, which the constructor would check."""
    made: _M = as_given(kind, *args, **values)
    return made


# -- what a constructor checks ---------------------------------------------------------------------


def _validate(model: Model) -> None:
    """Make models of dicts. Raises `EncodeError` for a value of a type that its field has not."""
    for field, union in _checked(type(model)):
        value: Any = getattr(model, field.name)
        if value is UNSET or isinstance(value, RawJson):
            continue
        path = f"$.{field.key}"
        if union is not None and isinstance(value, dict):
            setattr(model, field.name, _model(value, union, path))
        elif union is not None and field.is_list and isinstance(value, list | tuple):
            items = [_model(item, union, f"{path}[{i}]") for i, item in enumerate(value)]
            if type(value) is tuple or any(a is not b for a, b in zip(items, value, strict=True)):
                setattr(model, field.name, items)
        elif (wrong := odd(model, field)) is not None:
            raise EncodeError(wrong[0], wire=WIRE, path=f"${wrong[1]}")


def _model(value: Any, union: Any, path: str) -> Any:
    """Return a model, made of a dict if it is one. Raises `EncodeError` for any other value."""
    if isinstance(value, union):
        return value
    with errors(WIRE):
        data = encode(value)
    try:
        made = read(union, data, WIRE)
    except DecodeError as error:
        raise EncodeError(error.reason, wire=WIRE, path=path + error.path[1:]) from error
    _fill(made)
    return made


@cache
def _checked(kind: type[Model]) -> list[tuple[Field, Any]]:
    """Return the fields that are checked, each with the union of the models that it may hold."""
    known = [field_of(info) for info in fields(kind) if info.name not in ("inline", "unknown")]
    return [(field, Union[tuple(field.kinds)] if field.kinds else None) for field in known]  # noqa: UP007


@cache
def _fields(kind: type[Model]) -> dict[str, FieldInfo]:
    config = kind.__struct_config__
    tagged = []
    if config.tag_field is not None:
        tag: Any = config.tag
        tagged.append(FieldInfo(config.tag_field, config.tag_field, Literal[tag], tag))
    own = [info for info in fields(kind) if info.name != "unknown"]
    return {info.encode_name: info for info in (*tagged, *own)}


def _fill(model: Any) -> None:
    """Fill in what the constructor would have, in a message and in the one that a chunk holds."""
    for name, make in model.FRESH.items():
        if getattr(model, name) is UNSET:
            setattr(model, name, make())
    inner = getattr(model, "message", None)
    if isinstance(inner, Model):
        _fill(inner)


class _Dump(NamedTuple):
    """What one call of `model_dump` asks for."""

    is_json: bool
    no_defaults: bool
    no_none: bool

    def record(self, record: Model, include: Any, exclude: Any) -> dict[str, Any]:
        made = {}
        for name, info in record.model_fields.items():
            value = getattr(record, name)
            skips = value is UNSET or (self.no_none and value is None)
            if skips or (self.no_defaults and _is_default(value, info)):
                continue
            inside = _inside(name, include, exclude)
            if inside is not None:
                made[name] = self.value(value, *inside)
        if record.unknown is not UNSET and include is None:
            made |= {key: value for key, value in record.unknown.value.items() if key not in made}
        return made

    def value(self, value: Any, include: Any = None, exclude: Any = None) -> Any:
        if type(value) in _PLAIN:
            return value
        if isinstance(value, Model):
            return self.record(value, include, exclude)
        if isinstance(value, list | tuple):
            count = len(value)
            chosen = [(item, _inside(i, include, exclude, count)) for i, item in enumerate(value)]
            return [self.value(item, *inside) for item, inside in chosen if inside is not None]
        if isinstance(value, dict):
            picked = [(key, _inside(key, include, exclude)) for key in value]
            return {
                key: self.value(value[key], *inside) for key, inside in picked if inside is not None
            }
        if isinstance(value, Media):
            return value.to_base64()
        if isinstance(value, RawJson):
            return value.value
        if not self.is_json:
            return value
        return _value(encode(value))


def _inside(key: Any, include: Any, exclude: Any, count: int = 0) -> tuple[Any, Any] | None:
    """Return what is chosen inside of a field or an item, None if it is not chosen itself."""
    left = _choice(key, exclude, count) if exclude is not None else False
    if left is True:
        return None
    kept = _choice(key, include, count) if include is not None else True
    if kept is False:
        return None
    return None if kept is True else kept, None if left is False else left


def _choice(key: Any, chosen: Any, count: int) -> Any:
    """Return True, False, or what is chosen inside."""
    keys = [key, _ALL, key - count] if count else [key, _ALL]
    for each in keys:
        if each in chosen:
            held = chosen[each] if isinstance(chosen, Mapping) else True
            return True if held is ... else held
    return False


def _is_default(value: Any, info: FieldInfo) -> bool:
    if info.default is not NODEFAULT:
        return bool(value == info.default)
    return info.default_factory is not NODEFAULT and bool(value == info.default_factory())
