"""Wire Structs and raw JSON seen as JSON objects: their keys, and the path of each part."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT, UNSET, Raw, Struct
from msgspec.structs import FieldInfo, fields

from ..model import Extra, RawJson

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_list = msgspec.json.Decoder(list[Raw]).decode
_value = msgspec.json.Decoder().decode
_fields: Callable[[Any], tuple[FieldInfo, ...]] = cache(fields)


def shallow(part: Any) -> dict[str, Any]:
    """Return a wire Struct, or a raw JSON object, as a dict by key; values stay as they are."""
    if isinstance(part, dict):
        return part
    if isinstance(part, RawJson):
        return _keys(part.text)
    config = part.__struct_config__
    out: dict[str, Any] = {config.tag_field: config.tag} if config.tag_field else {}
    for field in _fields(type(part)):
        value = getattr(part, field.name)
        if value is not UNSET and not (config.omit_defaults and _is_default(value, field)):
            out[field.encode_name] = value
    return out


def _is_default(value: Any, field: FieldInfo) -> bool:
    if field.default_factory in (list, dict):
        return value in ([], {})
    return field.default is not NODEFAULT and value is field.default


def with_keys(made: Any, keys: dict[str, Raw]) -> dict[str, Any]:
    """Return `made` as a dict with `keys` before its own; objects that are in both are merged.

    Where both have a key, the value in `made` wins.
    """
    known = shallow(made)
    out: dict[str, Any] = {key: keys[key] for key in keys if key not in known}
    out |= known
    for key in keys.keys() & known.keys():
        value = known[key]
        if isinstance(value, Struct | dict) and is_object(keys[key]):
            out[key] = with_keys(value, _keys(keys[key]))
    return out


def is_object(raw: Raw) -> bool:
    """Whether a JSON text is an object."""
    return bytes(memoryview(raw)[:1]) == b"{"


def is_null(text: Any) -> bool:
    """Whether a JSON text holds nothing but null, in objects and lists too.

    That is not content: SDKs and Arrow write null for each field that is unset.
    """
    raw = bytes(text)
    try:
        return b"null" in raw and _is_unset(_value(raw))
    except (msgspec.DecodeError, RecursionError):  # what Python cannot hold
        return False


def key_names(keys: RawJson, known: RawJson | None = None) -> list[str]:
    """Return the names of the unknown keys of an object, in their order.

    Of a key that `known` has too, or that holds a part which the model has, only keys inside of it
    are unknown: theirs are the names. Keys that hold nothing are named only if all are such.
    """
    spelled = _keys(known.text).keys() if known is not None else ()
    return [*_named(_keys(keys.text), {*_PARTS, *spelled}, _DEEPEST)] or [*_keys(keys.text)]


def _named(keys: dict[str, Raw], parts: Container[str], depth: int) -> Iterator[str]:
    for key, raw in keys.items():
        inner = _objects(raw) if key in parts and depth else []
        for part in inner:
            yield from _named(_keys(part), _PARTS, depth - 1)
        if not inner and not is_null(raw):
            yield key


def _objects(raw: Raw) -> list[Raw]:
    """Return an object in a list, or a list of objects; an empty list for anything else."""
    if is_object(raw):
        return [raw]
    items: list[Raw] = _list(raw) if bytes(memoryview(raw)[:1]) == b"[" else []
    return items if all(map(is_object, items)) else []


def names_of(extras: Mapping[str, Extra]) -> list[str]:
    """Return the names of all unknown keys of an object, over all APIs."""
    each = (key_names(extra.keys, extra.spelling) for extra in extras.values())
    return list(dict.fromkeys(chain.from_iterable(each)))


_PARTS: Final = frozenset(
    {
        "candidates",
        "choices",
        "content",
        "delta",
        "item",
        "message",
        "output",
        "part",
        "response",
        "start",
    }
)
"""The keys of answers and events that hold what the model has: an object, or a list of objects."""
_DEEPEST: Final = 4


def _is_unset(value: Any) -> bool:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return all(map(_is_unset, inner))
    return value is None


def places(value: Any, path: str) -> Iterator[tuple[int, str]]:
    """Yield the `id` and the path of each Struct and each `Raw` in a value."""
    if type(value) is list:
        for i, item in enumerate(value):
            yield from places(item, f"{path}[{i}]")
    elif isinstance(value, Struct):
        yield id(value), path
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        for key, name in names:
            yield from places(getattr(value, name), f"{path}.{key}")
    elif type(value) is Raw:
        yield id(value), path
