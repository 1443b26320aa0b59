"""Fields of a system's types that the canonical model lacks: set aside in `extras`, and put back.

For systems whose optional keys may be missing or null: a field is `UNSET` where its key is missing,
and None where it is null. Both mean the same.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import fields

from ..model import Extras, Media, RawJson
from ..model.rawjson import optional_json
from ._mapping import Keys, extras_of
from ._records import Record, unknown

__all__ = ["Carried", "WithUncarried", "beside", "put_back"]

if TYPE_CHECKING:
    Carried: TypeAlias = RawJson | UnsetType | None
else:
    Carried = Raw  # JSON that nobody reads stays a slice of the input

_R = TypeVar("_R", bound="WithUncarried")
_NULL = b"null"


class WithUncarried(Record):
    """Base of the types. `UNCARRIED` names the fields that the canonical model lacks."""

    UNCARRIED: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        """Adopt the decoder's slices, or plain Python data."""
        for name, adopt in _carried(type(self)):
            value = getattr(self, name)
            if value is not UNSET and not isinstance(value, RawJson | Media):
                setattr(self, name, adopt(value))


def beside(
    api: str,
    record: WithUncarried,
    keys: Mapping[str, Any] | None = None,
    spelling: Mapping[str, Any] | None = None,
) -> Extras | None:
    """Return `extras` with a record's `UNCARRIED` fields, its unknown keys and its null keys."""
    aside, spelled = dict(keys or {}), dict(spelling or {})
    for name, key, _ in _optional(type(record)):
        value = getattr(record, name)
        if value is None:
            spelled[key] = None
        elif value is not UNSET and name in record.UNCARRIED:
            aside[key] = value
    return extras_of(api, record.unknown, aside, spelled)


def put_back(record: _R, keys: Keys, spelling: Keys) -> _R:
    """Put on `record` what `beside` set aside; return it."""
    if keys or spelling:
        others = dict(keys)
        for name, key, read in _optional(type(record)):
            if getattr(record, name) is not UNSET:
                continue
            if key in others and name in record.UNCARRIED:
                setattr(record, name, read(others.pop(key)))
            elif key in spelling and bytes(spelling[key]) == _NULL:
                setattr(record, name, None)
        record.unknown = unknown(others)
    return record


def _optional_json(value: Any) -> RawJson | None:
    return None if value is None else optional_json(value)


@cache
def _hints(kind: type[WithUncarried]) -> dict[str, Any]:
    return typing.get_type_hints(kind, include_extras=True)


@cache
def _optional(kind: type[WithUncarried]) -> list[tuple[str, str, Callable[[Any], Any]]]:
    """Name, key and reader of each field that may be missing."""
    return [
        (
            info.name,
            info.encode_name,
            _optional_json if hint is Raw else msgspec.json.Decoder(hint).decode,
        )
        for info in fields(kind)
        if info.default is UNSET and info.name != "unknown"
        for hint in (_hints(kind)[info.name],)
    ]


@cache
def _carried(kind: type[WithUncarried]) -> list[tuple[str, Callable[[Any], Any]]]:
    """Name of each field of raw JSON, and what adopts it. A required one may hold a JSON null."""
    return [
        (info.name, _optional_json if info.default is UNSET else RawJson.adopt)
        for info in fields(kind)
        if _hints(kind)[info.name] is Raw
    ]
