"""Model value -> the first field, at any depth, that holds a value of another type.

The C encoders do not ask. For each type of the model a function is compiled that tells whether a
value's fields are of plain right types; only the others are looked at one by one.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, get_args, get_origin

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import FieldInfo, fields

from ..errors import WireglotError
from ..model.base import Extra, Extras
from ..model.blocks import OpaqueBlock, TextBlock, not_a_block
from ..model.media import Media
from ..model.rawjson import Arguments, RawJson
from .faults import located

_SLICES: Final = Raw | RawJson | Media


class Field(NamedTuple):
    """A field of the model: what is needed to look at its values."""

    name: str
    key: str
    hint: Any
    kinds: frozenset[type]
    """The Structs that it may hold, alone or in a list."""
    is_list: bool
    plain: tuple[type, ...]
    """The types whose values are right without a look at what is inside."""


class _Plan(Struct):
    """How the values of one type are looked at."""

    is_plain: Callable[[Any], bool]
    """Whether all of a value's fields are right, but for those to look into."""
    fields: list[Field]
    inner: list[Field]
    """Fields that may hold model values."""


def fault(part: Any) -> tuple[str, str] | None:
    """Return what is wrong and its path below `part`, a Struct; None if nothing is.

    Free data (`details`, `metadata`) may be anything.
    """
    kind: Any = type(part)
    plan = _plan(kind)
    if not plan.is_plain(part):
        for field in plan.fields:
            wrong = odd(part, field)
            if wrong is not None:
                return wrong
    for field in plan.inner:
        value = getattr(part, field.name)
        if value is not None:
            wrong = _inside(value, field)
            if wrong is not None:
                return wrong[0], f".{field.key}{wrong[1]}"
    return None


def refuser(kind: type[Struct]) -> Callable[[Any], str | None]:
    """Return a function that returns why a value is not a `kind` with fields of the right types."""

    def why(value: Any) -> str | None:
        if not isinstance(value, kind):
            return f"`{type(value).__name__}`, expected `{kind.__module__}.{kind.__name__}`"
        wrong = fault(value)
        return f"{wrong[0]} - at `{wrong[1][1:]}`" if wrong is not None else None

    return why


def _inside(value: Any, field: Field) -> tuple[str, str] | None:
    """Return what is wrong with a model value, or with an item of a list of such values."""
    if not isinstance(value, list | tuple):
        return fault(value) if isinstance(value, Struct) else (_other(value, field.kinds), "")
    for i, item in enumerate(value):
        found = fault(item) if type(item) in field.kinds else (_other(item, field.kinds), "")
        if found is not None:
            return found[0], f"[{i}]{found[1]}"
    return None


def _other(item: Any, kinds: frozenset[type]) -> str:
    """Return what is wrong with an item of a type that a list does not hold."""
    if TextBlock in kinds:
        return not_a_block(item)
    names = " or ".join(sorted(f"`{kind.__name__}`" for kind in kinds - {OpaqueBlock}))
    return f"expected {names}, got `{type(item).__name__}`"


def odd(part: Any, field: Field) -> tuple[str, str] | None:
    """Return what is wrong with a field of `part`, and its path below; None if nothing is.

    Model values are not looked into.
    """
    value, hint = getattr(part, field.name), field.hint
    if hint == _EXTRAS and type(value) is dict:
        return _wrong_extra(value, field)
    if hint is Any or isinstance(value, field.plain):
        return None
    reason = below = ""
    if hint is _SLICES:
        expected = "Media" if Media in field.plain else "RawJson"
        reason = f"expected `{expected}`, got `{type(value).__name__}`"
    else:
        try:
            read = msgspec.convert(value, hint)
        except (msgspec.ValidationError, ValueError) as error:
            reason, below = located(error)
        else:
            if isinstance(read, Struct) and type(read) is not type(value):
                reason = f"expected `{type(read).__name__}`, got `{type(value).__name__}`"
    return (reason, f".{field.key}{below}") if reason else None


def _wrong_extra(extras: dict[Any, Any], field: Field) -> tuple[str, str] | None:
    """Return what is wrong with the unknown keys of a part; the API is not in the path."""
    for api, extra in extras.items():
        if type(api) is not str or type(extra) is not Extra:
            wrong = api if type(api) is not str else extra
            expected = "str" if type(api) is not str else "Extra"
            return f"expected `{expected}`, got `{type(wrong).__name__}`", f".{field.key}"
        found = fault(extra)
        if found is not None:
            return found[0], f".{field.key}[...]{found[1]}"
    return None


_STEPS: Final = re.compile(r"\.(\w+)|\[(\d+)\]")
_MOST_TYPES: Final = 3
_LONGEST: Final = 40


def remedy(value: Any, path: str) -> str:
    """Return what to use in place of what stands at a path in a model value, if one type is wanted.

    It is the end of a sentence (`; use `Tool``), or empty.
    """
    part, field, is_item = value, None, False
    for name, index in _STEPS.findall(path):
        if isinstance(part, Struct) and name:
            field = next((each for each in _plan(type(part)).fields if each.key == name), None)
            if field is None:
                return ""
            part, is_item = getattr(part, field.name), False
        elif index and isinstance(part, list | tuple) and int(index) < len(part):
            part, is_item = part[int(index)], True
        else:  # inside of what should be a Struct
            break
    if field is None or isinstance(part, list | tuple):
        return ""
    kinds = [kind for kind in field.kinds if kind is not OpaqueBlock]
    if isinstance(part, str) and field.name == "content":
        return "; use `from_text`"
    if field.is_list and not is_item and not isinstance(part, dict):
        return "; use a list"
    if not 0 < len(kinds) <= _MOST_TYPES or isinstance(part, Struct):
        return ""
    if callable(part) and any(hasattr(kind, "from_function") for kind in kinds):
        return "; use `Tool.from_function`"
    return "; use " + " or ".join(sorted(f"`{_made_of(part, kind)}`" for kind in kinds))


def _made_of(part: Any, kind: Any) -> str:
    """Return how an object is made of a plain value, or the name of its type alone."""
    if isinstance(part, str | int | float) and len(repr(part)) <= _LONGEST:
        for field in _plan(kind).fields:
            try:
                is_right = fault(kind(**{field.name: part})) is None
            except (TypeError, ValueError, WireglotError):
                continue
            if is_right:
                return f"{kind.__name__}({field.name}={part!r})"
    return str(kind.__name__)


@cache
def _plan(kind: Any) -> _Plan:
    """Return how to look at the values of a type."""
    known = [field_of(info) for info in fields(kind)]
    return _Plan(predicate([], known), known, [field for field in known if field.kinds])


def field_of(info: FieldInfo) -> Field:
    """Return what is known of a Struct's field."""
    hint = _SLICES if _is_slice(info.type) else info.type
    members = _members(hint)
    is_list = any(map(_is_list, members))
    kinds = frozenset(_structs(hint))
    plain = [
        kind
        for kind in members
        if kind in _PLAIN or (isinstance(kind, type) and (kind in kinds or issubclass(kind, Enum)))
    ]
    if hint is _SLICES:
        plain = [Media, type(None)] if _is_media(info.type) else [RawJson, Arguments, type(None)]
    elif is_list and kinds:
        plain.append(list)
    return Field(info.name, info.encode_name, hint, kinds, is_list, tuple(plain))


_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
_EXTRAS: Final = Extras | None


def _are_extras(value: Any) -> bool:
    return type(value) is dict and all(
        type(api) is str and type(extra) is Extra and isinstance(extra.keys, RawJson)
        for api, extra in value.items()
    )


def predicate(conditions: list[str], known: list[Field]) -> Callable[[Any], bool]:
    """Return a function that tells whether a value `part` meets conditions, as `compiled` does.

    The types of the `known` fields have to be plain, too.
    """
    names: dict[str, Any] = {}
    all_of = list(conditions)
    for field in known:
        if field.hint is Any:
            continue
        if field.hint == _EXTRAS:
            all_of.append(f"(part.{field.name} is None or are_extras(part.{field.name}))")
            names["are_extras"] = _are_extras
        elif len(field.plain) == 1:
            all_of.append(f"type(part.{field.name}) is {field.name}_type")
            names[f"{field.name}_type"] = field.plain[0]
        else:
            all_of.append(f"type(part.{field.name}) in {field.name}_types")
            names[f"{field.name}_types"] = frozenset(field.plain)
    whole: Callable[[Any], bool] = compiled(all_of, names)
    return whole


def compiled(conditions: list[str], names: dict[str, Any]) -> Any:
    """Return a function that tells whether a value `part` meets all of some Python conditions.

    It is compiled, as the methods of dataclasses are: every part that is written is looked at.
    """
    return eval(f"lambda part: {' and '.join(conditions) or True}", names)


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


def _is_media(hint: Any) -> bool:
    return get_args(hint)[1:] == (str | None,)


def _is_slice(hint: Any) -> bool:
    return hint is Raw or (get_origin(hint) is Annotated and get_args(hint)[0] is Raw)
