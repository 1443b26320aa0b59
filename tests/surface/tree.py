"""A type of an SDK (pydantic model, TypedDict, shape of botocore) -> a node of one neutral tree."""

from __future__ import annotations

import collections.abc
import datetime
import enum
import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import pydantic
import typing_extensions as te


@dataclass(eq=False)
class Obj:
    """An object: its fields are looked up when they are asked for, because types are recursive."""

    name: str
    make: Callable[[], dict[str, tuple[Node, bool]]]
    one_of: bool = False
    """Exactly one field is set, as in a union of botocore."""

    @cached_property
    def fields(self) -> dict[str, tuple[Node, bool]]:
        """The wire's key -> the type, and whether it is required."""
        return self.make()


@dataclass(eq=False)
class Union:
    members: list[Node]


@dataclass(eq=False)
class Enum:
    values: list[Any]


@dataclass(eq=False)
class List:
    item: Node


@dataclass(eq=False)
class Map:
    item: Node


@dataclass(eq=False)
class Scalar:
    kind: str


Node = Obj | Union | Enum | List | Map | Scalar
STR, INT, FLOAT, BOOL, ANY, BYTES, NULL, TIME = map(
    Scalar, ("str", "int", "float", "bool", "any", "bytes", "null", "time")
)
_BY_CLASS = [(bool, BOOL), (int, INT), (float, FLOAT), (str, STR), (bytes, BYTES)]
_BY_CLASS += [(datetime.date, TIME)]
_NOT_JSON = {"Unset", "Omit", "NotGiven", "UnrecognizedStr", "UnrecognizedInt"}
"""What stands for a key that is left out, or for what the SDK does not know; so do `Unknown...`."""
_MARKS = (typing.Annotated, typing.Required, typing.NotRequired, te.Required, te.NotRequired)


def members(node: Node) -> list[Node]:
    """Return the members of a union, and of those in it, without null and doublets."""
    if not isinstance(node, Union):
        return [] if node is NULL else [node]
    found = list(dict.fromkeys(m for each in node.members for m in members(each)))
    if any(isinstance(m, Enum) for m in found):  # open enumerations
        found = [m for m in found if m is not STR and m is not ANY]
    if STR in found:
        found = [m for m in found if m is not ANY and m is not BYTES]
    return [m for m in found if m is not INT or FLOAT not in found]


def of(hint: Any) -> Node:
    """Return the node of a Python annotation."""
    origin, arguments = te.get_origin(hint), te.get_args(hint)
    if hint is None or hint is type(None):
        return NULL
    if isinstance(hint, typing.TypeVar):
        return of(hint.__bound__) if hint.__bound__ else ANY
    if isinstance(hint, te.TypeAliasType):
        return of(hint.__value__)
    if origin in _MARKS:
        return of(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return Union([of(each) for each in arguments])
    if origin in (typing.Literal, te.Literal):
        return Enum(list(arguments))
    if isinstance(origin, te.TypeAliasType):
        return of(origin.__value__[arguments])
    if origin is not None:
        return _generic(origin, arguments)
    if hint in (dict, list, tuple):
        return Map(ANY) if hint is dict else List(ANY)
    return _of_class(hint) if inspect.isclass(hint) else ANY


def _generic(origin: Any, arguments: tuple[Any, ...]) -> Node:
    if not inspect.isclass(origin):
        return ANY
    if issubclass(origin, collections.abc.Mapping):
        return Map(of(arguments[1]))
    if issubclass(origin, collections.abc.Iterable) or origin.__name__ == "SequenceNotStr":
        return List(of(arguments[0]))
    return _model(origin) if issubclass(origin, pydantic.BaseModel) else ANY


def _of_class(hint: type) -> Node:
    if te.is_typeddict(hint):
        return _typed_dict(hint)
    if hint.__name__ in _NOT_JSON or hint.__name__.startswith("Unknown"):
        return NULL
    if hint.__module__ == "ollama._types" and hint.__name__ == "Image":
        return BYTES  # a model that is written as its base64
    if issubclass(hint, pydantic.BaseModel):
        return ANY if hint is pydantic.BaseModel else _model(hint)
    if issubclass(hint, enum.Enum):
        return Enum([each.value for each in hint])
    return next((node for kind, node in _BY_CLASS if issubclass(hint, kind)), ANY)


def _alias(marks: typing.Iterable[Any], name: str) -> str:
    aliases = (getattr(mark, "alias", None) for mark in marks)
    return next((alias for alias in aliases if isinstance(alias, str)), name)


@cache
def _typed_dict(hint: Any) -> Obj:
    def fields() -> dict[str, tuple[Node, bool]]:
        found = {}
        for name, value in te.get_type_hints(hint, include_extras=True).items():
            required, marks = name in hint.__required_keys__, []
            while te.get_origin(value) in _MARKS:
                mark = te.get_origin(value)
                if mark is typing.Annotated:
                    marks += value.__metadata__
                else:
                    required = mark in (typing.Required, te.Required)
                value = te.get_args(value)[0]
            found[_alias(marks, name)] = of(value), required
        return found

    return Obj(hint.__name__, fields)


@cache
def _model(model: type[pydantic.BaseModel]) -> Obj:
    def fields() -> dict[str, tuple[Node, bool]]:
        model.model_rebuild()
        found = {}
        for name, field in model.model_fields.items():
            if not field.exclude:
                key = field.serialization_alias or field.alias or _alias(field.metadata, name)
                node = of(field.annotation)
                # A tag with a default is written all the same.
                tag = tag_of(node) is not None and key in TAGS and field.default is not None
                found[key] = node, field.is_required() or tag
        return found

    return Obj(model.__name__, fields)


TAGS = ("type", "role", "object", "mode")


def tag_of(node: Node) -> Any:
    """Return the only value of a type, or None."""
    found = members(node)
    one = len(found) == 1 and isinstance(found[0], Enum) and len(found[0].values) == 1
    return found[0].values[0] if one else None


_SHAPES: dict[str, Node] = {}
_BY_SHAPE = {"integer": INT, "long": INT, "float": FLOAT, "double": FLOAT, "boolean": BOOL}
_BY_SHAPE |= {"string": STR, "blob": BYTES, "timestamp": TIME}


def of_shape(shape: Any) -> Node:
    """Return the node of a shape of botocore's service model."""
    kind = shape.type_name
    if kind == "list":
        return List(of_shape(shape.member))
    if kind == "map":
        return Map(of_shape(shape.value))
    if kind == "string" and shape.enum:
        return Enum(list(shape.enum))
    if kind != "structure":
        return _BY_SHAPE[kind]
    if shape.is_document_type:
        return ANY
    if shape.name not in _SHAPES:
        required = set(shape.required_members)
        _SHAPES[shape.name] = Obj(
            shape.name,
            lambda: {key: (of_shape(s), key in required) for key, s in shape.members.items()},
            shape.is_tagged_union,
        )
    return _SHAPES[shape.name]
