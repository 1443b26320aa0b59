"""Model value -> the first field, at any depth, that holds a value of another type.

The C encoders do not ask. A value costs one look at the types of all its fields: the combinations
that were found right are remembered.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import FieldInfo, fields

from ._objects import located
from .model.media import Media
from .model.rawjson import RawJson

__all__ = ["MOST_SEEN", "Field", "fault", "field_of", "getter", "odd"]

MOST_SEEN: Final = 1000
"""How many combinations of types are remembered for one type."""
_SLICES: Final = Raw | RawJson | Media


class Field(NamedTuple):
    """A field of the model: its key, its type, and the Structs that it may hold, also in a list."""

    key: str
    hint: Any
    kinds: frozenset[type]
    is_list: bool


class _Plan(Struct):
    """How the values of one type are looked at; the numbers are those of its fields."""

    get: Callable[[Any], tuple[Any, ...]]
    fields: list[Field]
    seen: dict[tuple[type, ...], list[int]] = {}
    """The types that the fields have held -> the fields whose values are to be looked into."""


def fault(part: Any) -> tuple[str, str] | None:
    """Return what is wrong and its path below `part`, a Struct; None if nothing is.

    Free data (`details`, `metadata`) may be anything.
    """
    kind: Any = type(part)
    plan = _plan(kind)
    values = plan.get(part)
    shape = tuple(map(type, values))
    inside = plan.seen.get(shape)
    if inside is None:
        inside = []
        for i, field in enumerate(plan.fields):
            found = odd(values[i], field)
            if found is not None:
                return found
            if shape[i] is list or shape[i] in field.kinds:
                inside.append(i)
        if len(plan.seen) < MOST_SEEN:
            plan.seen[shape] = inside
    for i in inside:
        field = plan.fields[i]
        found = _inside(values[i], field)
        if found is not None:
            return found[0], f".{field.key}{found[1]}"
    return None


def _inside(value: Any, field: Field) -> tuple[str, str] | None:
    """Return what is wrong with a model value, or with an item of a list."""
    if type(value) is not list:
        return fault(value)
    if not field.kinds:
        return _odd(value, field)
    for i, item in enumerate(value):
        found = fault(item) if type(item) in field.kinds else (_other(item, field.kinds), "")
        if found is not None:
            return found[0], f"[{i}]{found[1]}"
    return None


def _other(item: Any, kinds: frozenset[type]) -> str:
    """Return what is wrong with an item of a type that a list does not hold."""
    if len(kinds) > 1:
        return f"`{type(item).__name__}` is not a block"
    return f"expected `{next(iter(kinds)).__name__}`, got `{type(item).__name__}`"


def odd(value: Any, field: Field) -> tuple[str, str] | None:
    """Return what is wrong with the value of a field, and where below its owner.

    Lists of model values are not looked into.
    """
    found = _odd(value, field)
    return None if found is None else (found[0], f".{field.key}{found[1]}")


def _odd(value: Any, field: Field) -> tuple[str, str] | None:
    if field.hint is Any or (field.kinds and field.is_list and type(value) is list):
        return None
    if field.hint is _SLICES:
        is_right = value is None or isinstance(value, _SLICES)
        return None if is_right else (f"expected `RawJson`, got `{type(value).__name__}`", "")
    try:
        made = msgspec.convert(value, field.hint)
    except (msgspec.ValidationError, ValueError) as error:
        return located(error)
    if isinstance(made, Struct) and type(made) is not type(value):
        return f"expected `{type(made).__name__}`, got `{type(value).__name__}`", ""
    return None


@cache
def _plan(kind: Any) -> _Plan:
    """Return how to look at the values of a type."""
    infos = fields(kind)
    return _Plan(getter([info.name for info in infos]), [field_of(info) for info in infos])


def getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns these attributes of an object."""
    if not names:
        return lambda part: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda part: (get(part),)


def field_of(info: FieldInfo) -> Field:
    """Return what is known of a Struct's field."""
    hint = _SLICES if _is_slice(info.type) else info.type
    is_list = any(map(_is_list, _members(hint)))
    return Field(info.encode_name, hint, frozenset(_structs(hint)), is_list)


def _members(hint: Any) -> tuple[Any, ...]:
    is_union = get_origin(hint) in (typing.Union, types.UnionType)
    return get_args(hint) if is_union else (hint,)


def _structs(hint: Any) -> Iterator[type[Struct]]:
    """Yield the Structs that a field may hold, alone or in a list."""
    for member in _members(hint):
        if _is_list(member):
            yield from _structs(get_args(member)[0])
        elif isinstance(member, type) and issubclass(member, Struct):
            yield member


def _is_list(hint: Any) -> bool:
    return get_origin(hint) is list


def _is_slice(hint: Any) -> bool:
    return hint is Raw or (get_origin(hint) is Annotated and get_args(hint)[0] is Raw)
