"""A system's own messages <-> canonical ones: what the mappings of all systems share.

Losses are found by subtraction: a writer lists the fields of each canonical type that its system
carries, and any other field that is set on a value is a loss.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Final

import msgspec
from msgspec import NODEFAULT, UNSET, Raw, UnsetType
from msgspec.structs import FieldInfo, fields

from .._body.encode import encode_json as encode
from .._body.faults import located
from .._body.field_types import fault
from .._body.objects import names_of
from .._body.refuse import refuse
from ..errors import DecodeError, EncodeError, WireglotError, shown
from ..losses import Losses, lose
from ..model import (
    Content,
    Extra,
    Extras,
    LlmMessage,
    Media,
    MediaBlock,
    Message,
    RawJson,
    SessionOnly,
    ToolResultBlock,
)
from ..model.base import UnknownKeys
from ..model.blocks import not_a_block
from ..model.place import NOWHERE, PLACE, place_of
from ..model.rawjson import refuse_nan
from ..model.session import MESSAGES, not_a_message, unplaced
from ._records import is_own

__all__ = [
    "CANONICAL",
    "EXTRAS",
    "MAPPING_FAULTS",
    "Keys",
    "Where",
    "Writer",
    "extras_of",
    "inline",
    "mapped",
    "mapping_error",
    "spelled",
]

Keys = Mapping[str, Raw]
Where = tuple[int | str, ...]
"""The place of a value in the source: indexes into messages and contents, then rest of the path."""

EXTRAS: Final = "keys that belong to another system or API; left out"
"""Why another system's unknown keys are lost."""

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NONE: Final[dict[str, Raw]] = {}
_REQUIRED: Final = object()
_NOTHING: Final = (_NONE, _NONE)


def extras_of(
    api: str,
    unknown: UnknownKeys | UnsetType,
    keys: Mapping[str, Any] | None = None,
    spelling: Mapping[str, Any] | None = None,
) -> Extras | None:
    """Return `extras` with what the canonical model has no field for, None if there is nothing.

    `keys` (and the unknown ones) are lost on other wires. `spelling` is not a loss: it is only
    another way to say what the canonical fields say.
    """
    if unknown is UNSET and not keys and not spelling:
        return None
    if not keys:
        held = unknown.native() if unknown is not UNSET else Raw(b"{}")
    elif unknown is UNSET:
        held = Raw(encode(keys))
    else:
        held = Raw(encode({**keys, **_keys(unknown.text)}))
    said = RawJson.adopt(Raw(encode(spelling))) if spelling else None
    return {api: Extra(RawJson.adopt(held), said)}


def spelled(extras: Extras | None, api: str) -> Keys:
    """Return the spelling that a value has in `api`."""
    extra = extras.get(api) if extras is not None else None
    return _keys(extra.spelling.text) if extra is not None and extra.spelling is not None else _NONE


@contextmanager
def mapped(wire: str) -> Iterator[None]:
    """Turn whatever goes wrong while own messages become canonical into a `DecodeError`."""
    try:
        yield
    except MAPPING_FAULTS as error:
        found = mapping_error(error, wire)
        if found is error:
            raise
        raise found from error


MAPPING_FAULTS: Final = (
    WireglotError,
    RecursionError,
    msgspec.DecodeError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
)
"""What may be raised while own messages become canonical."""


def mapping_error(error: Exception, wire: str) -> DecodeError:
    """Return the `DecodeError` for an exception, one of `MAPPING_FAULTS`."""
    if isinstance(error, WireglotError):
        if isinstance(error, DecodeError) and error.wire == wire:
            return error
        return DecodeError(error.reason, wire=wire, path=error.path)
    if isinstance(error, RecursionError):
        return DecodeError("nested too deeply", wire=wire)
    if isinstance(error, msgspec.DecodeError | ValueError):
        reason, below = located(error)
        return DecodeError(reason, wire=wire, path="$" + below)
    # A field holds a value of the wrong type.
    return DecodeError(f"value of a wrong type: {shown(repr(error), 100)}", wire=wire)


def inline(block: MediaBlock) -> Media | None:
    """Return a block's inline data, also from a `data:` URL; None where there are none."""
    try:
        return block.inline()
    except DecodeError:  # a malformed `data:` URL
        return None


class Writer:
    """Base of the mappings from canonical messages, one object for one call."""

    WIRE: ClassVar[str]
    """The name of the system's folder, for errors."""
    API: ClassVar[str]
    """The system's key in `extras`."""
    SYSTEM: ClassVar[str]
    """The system's name, for people."""
    CARRIED: ClassVar[Mapping[type[Any], str]]
    """For each canonical type that the system has a place for: the fields that it carries.

    A field may be carried in part; then the writer's own code reports which part is lost.
    """
    LOSSES: ClassVar[Mapping[str, str]] = {}
    """What else is lost -> why, and what is done instead."""
    MESSAGES: ClassVar[Mapping[type[Any], Callable[[Any, Any, Where], list[Any]]]]
    """Canonical message type -> the method that makes the system's messages of it."""

    def __init__(self, losses: Losses) -> None:
        self.losses = losses
        self._lost_before = len(losses or ())

    def messages(self, entries: Iterable[Any]) -> list[Any]:
        """Return the system's messages for canonical ones; its own stay as they are."""
        made: list[Any] = []
        for i, entry in enumerate(entries):
            made += self.message(entry, (i,))
        return made

    def message(self, entry: Any, where: Where) -> list[Any]:
        """Return the system's messages for a canonical one; one of its own stays as it is."""
        if type(entry) is LlmMessage:
            entry = entry.flat()
        kind = type(entry)
        make = self.MESSAGES.get(kind)
        self.check(entry, where)
        if make is not None:
            if kind in MESSAGES and place_of(entry) != NOWHERE:
                entry = self._placed(entry, where)
            return make(self, entry, where)
        if is_own(entry, self.WIRE):
            return [entry]
        if kind not in CANONICAL:
            refuse(entry, self.WIRE, path_of(where))
            raise EncodeError(not_a_message(entry), wire=self.WIRE, path=path_of(where))
        self.lose(_tag(kind), where)
        return []

    def _placed(self, message: Any, where: Where) -> Any:
        """Return a message as it is, or without its place for a system that has none: a loss."""
        if "turn_id" in self.CARRIED[type(message)]:
            return message
        keys = zip(message.__struct_fields__, message.__struct_encode_fields__, strict=True)
        for name, key in keys:
            if name in PLACE and getattr(message, name) is not None:
                self.lose(key, where, f".{key}")
        return unplaced(message)

    def check(self, message: Any, where: Where) -> None:
        """Raise `EncodeError` if a field of a canonical message holds a value of another type."""
        found = fault(message) if type(message) in CANONICAL else None
        if found is not None:
            refuse(message, self.WIRE, path_of(where), inside=True)
            raise EncodeError(found[0], wire=self.WIRE, path=path_of(where) + found[1])

    def lose(self, what: str, where: Where, key: str = "", keys: Collection[str] = ()) -> None:
        """Record a loss, or raise `LossError`; `what` is a row of `LOSSES`, or a field or kind.

        `keys` are the names of the keys that are lost, if those are.
        """
        why = self.LOSSES.get(what) or (
            EXTRAS if what == "extras" else f"{self.SYSTEM} has no place for it; left out"
        )
        path, before = path_of(where) + key, self._lost_before
        lose(self.losses, self.WIRE, path, what, why, before, keys=keys)

    def lose_block(self, block: Any, where: Where) -> None:
        """Report a block of a type that has no place. Raises `EncodeError` if it is not a block."""
        kind = type(block)
        if kind not in _BLOCKS:
            refuse(block, self.WIRE, path_of(where))
            raise EncodeError(not_a_block(block), wire=self.WIRE, path=path_of(where))
        self.lose(_tag(kind), where)

    def lose_order(self, content: Iterable[Any], where: Where) -> None:
        """Report results that came after other blocks of a user's message: they are moved ahead."""
        is_after = False
        for i, block in enumerate(content):
            if type(block) is not ToolResultBlock:
                is_after = True
            elif is_after:
                self.lose("order", (*where, i))

    def finite(self, value: Any, where: Where, key: str) -> Any:
        """Return free data as they are. Raises `EncodeError` for NaN and infinity in them."""
        try:
            refuse_nan(value)
        except EncodeError as error:
            raise EncodeError(error.reason, wire=self.WIRE, path=path_of(where) + key) from error
        return value

    def lose_rest(self, value: Any, where: Where) -> None:
        """Report what `rest` does, and this system's unknown keys too: they have no place."""
        keys = self.rest(value, where)[0]
        if keys:
            self.lose_keys(keys, where)

    def lose_keys(self, keys: Collection[str], where: Where) -> None:
        """Report this system's unknown keys, if there are any: they have no place."""
        if keys:
            self.lose("extras", where, ".extras", keys)

    def rest(self, value: Any, where: Where) -> tuple[Keys, Keys]:
        """Report every field of `value` that is set and not carried.

        Return the unknown keys and the spelling that `value` has from this system.

        Raises `EncodeError` if `value` is of no type that is carried.
        """
        writer: Any = type(self)
        kind: Any = type(value)
        try:
            names, keys, get, unset = _checks(writer, kind)
        except KeyError as error:
            reason = f"`{kind.__name__}`, expected a type that {self.SYSTEM} has"
            raise EncodeError(reason, wire=self.WIRE, path=path_of(where)) from error
        if get is not None and get(value) != unset:
            for name, key, default in zip(names, keys, unset, strict=True):
                if getattr(value, name) != default:
                    self.lose(key, where, f".{key}")
        if value.extras is None:
            return _NOTHING
        for api, extra in value.extras.items():
            if api != self.API and extra.keys.text != b"{}":
                others = {api: value.extras[api] for api in value.extras if api != self.API}
                self.lose("extras", where, ".extras", names_of(others))
                break
        own = value.extras.get(self.API)
        if own is None:
            return _NOTHING
        return _keys(own.keys.text), _keys(own.spelling.text) if own.spelling is not None else _NONE


def path_of(where: Where) -> str:
    """Return the path of a place: `$[3].content[1]`."""
    path = "$"
    for i, part in enumerate(where):
        path += part if type(part) is str else f".content[{part}]" if i else f"[{part}]"
    return path


CANONICAL: Final = frozenset({LlmMessage, *Message.__args__, *SessionOnly.__args__})
"""The types of canonical messages."""
_BLOCKS: Final = frozenset(Content.__args__)


def _tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)


def _default(info: FieldInfo) -> Any:
    if info.default is not NODEFAULT:
        return info.default
    return info.default_factory() if info.default_factory is not NODEFAULT else _REQUIRED


@cache
def _checks(
    writer: Any, kind: Any
) -> tuple[tuple[str, ...], tuple[str, ...], Callable[[Any], Any] | None, tuple[Any, ...]]:
    """Return the fields that a writer does not carry: name, key, a getter and the unset values."""
    carried = {*writer.CARRIED[kind].split(), "extras"}
    left = [info for info in fields(kind) if info.name not in carried]
    names = tuple(info.name for info in left)
    keys = tuple(info.encode_name for info in left)
    unset = tuple(_default(info) for info in left)
    if not names:
        return names, keys, None, ()
    if len(names) == 1:
        only = attrgetter(names[0])
        return names, keys, lambda value: (only(value),), unset
    return names, keys, attrgetter(*names), unset
