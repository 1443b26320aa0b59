"""The fields of any object: a Struct, a dataclass or an attrs object, the caller's own too."""

from __future__ import annotations

import typing
from collections.abc import Iterable
from copy import copy
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import force_setattr, replace

from ..model.base import Node


def field_names(value: Any) -> Iterable[str]:
    """Return the fields of a Struct, a dataclass or an attrs object; of any other value, none."""
    kind = type(value)
    if issubclass(kind, Struct):
        return kind.__struct_fields__
    if is_dataclass(kind):
        return [field.name for field in fields(kind)]
    return [field.name for field in getattr(kind, "__attrs_attrs__", ())]


@cache
def struct_fields(kind: Any) -> list[tuple[str, str, Any, bool]]:
    """Return the name, the key, the annotation and whether required, for each field of a Struct."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return [(f.name, f.encode_name, hints[f.name], f.required) for f in structs.fields(kind)]


def changed(value: Any, changes: dict[str, Any]) -> Any:
    """Return a copy of an object with some fields changed; a caller's own checks do not see it."""
    if not changes:
        return value
    if isinstance(value, Node):
        return replace(value, **changes)
    made = copy(value)
    put = force_setattr if isinstance(value, Struct) else object.__setattr__
    for name, new in changes.items():
        put(made, name, new)
    return made
