"""The base of Operator-Use's types: the constructor and the fields that its dataclasses have."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Any, ClassVar, Literal

import msgspec
from msgspec import NODEFAULT, UNSET
from msgspec.structs import fields

from ..._body.encode import encode_json as encode
from .._constructors import Constructed, Fresh
from .._records import Record, read, write
from .system import WIRE

__all__ = ["Own"]

_value = msgspec.json.Decoder().decode


class _Fields:
    """The fields for `dataclasses`: of the class, or those that are set on an object.

    They are read on first use. An object of this type is never seen by an encoder.
    """

    def __get__(self, record: Own | None, kind: type[Own]) -> dict[str, dataclasses.Field[Any]]:
        found: dict[str, dataclasses.Field[Any]] = _twin(kind).__dataclass_fields__
        if record is None:
            return found
        return {name: found[name] for name in found if getattr(record, name) is not UNSET}


class _Params:
    """What `pprint` asks a dataclass for."""

    def __get__(self, _: Own | None, kind: type[Own]) -> Any:
        return _twin(kind).__dataclass_params__


class Own(Record, metaclass=Constructed):
    """Base of the types. `dataclasses.fields`, `replace`, `asdict` and `is_dataclass` work on them.

    Fields that came with later versions, and unknown keys, are listed for an object that has them.
    `asdict` leaves media as they are; `encode` makes JSON of them.
    """

    WIRE: ClassVar[str] = WIRE
    FRESH: ClassVar[Fresh] = {}
    """What the constructor fills in, and the decoder does not."""
    __dataclass_fields__: ClassVar[Any] = _Fields()
    __dataclass_params__: ClassVar[Any] = _Params()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Let pydantic read and write the type as a field of a caller's model."""
        from pydantic_core import core_schema as core

        return core.no_info_plain_validator_function(
            lambda value: value if isinstance(value, cls) else read(cls, encode(value), WIRE),
            serialization=core.plain_serializer_function_ser_schema(_plain),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        """Return an open schema: definitions of ours have no place among pydantic's."""
        return {"type": "object", "title": cls.__name__}


def _plain(record: Own) -> Any:
    return _value(write(record, WIRE))


@cache
def _twin(kind: type[Own]) -> Any:
    """Return a dataclass with the fields of a type, its tag first."""
    config = kind.__struct_config__
    listed: list[Any] = []
    if config.tag_field is not None:
        tag: Any = getattr(kind, config.tag_field)
        listed.append((config.tag_field, Literal[tag], dataclasses.field(default=tag, init=False)))
    for info in fields(kind):
        if info.default_factory is not NODEFAULT:
            made = dataclasses.field(default_factory=info.default_factory)
        elif info.default is not NODEFAULT:
            made = dataclasses.field(default=info.default)
        else:
            made = dataclasses.field()
        listed.append((info.name, info.type, made))
    return dataclasses.make_dataclass(kind.__name__, listed, kw_only=True)
