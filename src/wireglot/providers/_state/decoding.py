"""The state that every decoding of a provider has: the JSON and the path of each wire Struct."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NoReturn, TypeVar

import msgspec
from msgspec import Raw, Struct

from ..._body.decode import MOST_APART, TOO_MANY, Decoded, Tolerant, source_of, with_objects
from ..._body.encode import encode_json as encode
from ..._body.faults import located
from ..._body.field_types import compiled
from ..._body.objects import is_null, places
from ..._body.payloads import LARGE, lifting
from ...errors import DecodeError, LimitError, WireglotError
from ...losses import Losses
from ...model import Extra, Extras, RawJson
from ...model.blocks import MediaBlock
from ...model.source import reading, taken_out
from .rules import Rules
from .signatures import NOTES

_Read = TypeVar("_Read")
_Block = TypeVar("_Block", bound=MediaBlock)


class Kind(Struct, frozen=True):
    """One of the types of object that a wire Struct stands for: the fields that it knows."""

    known: frozenset[str]
    has_all: Callable[[Any], bool]
    """Whether the type knows all fields of an object that are set; if not, see `set_aside`."""


def kinds(struct: Any, common: str, known: Mapping[str, str]) -> dict[str | None, Kind]:
    """Return the types of object that a wire Struct stands for, by their words on the wire.

    `known` says which fields each of them knows beside the `common` ones. The defaults are None.
    """
    found: dict[str | None, Kind] = {}
    for word, names in known.items():
        fields = frozenset(f"{common} {names}".split())
        others = [name for name in struct.__struct_fields__ if name not in fields]
        has_all = compiled([f"part.{name} is None" for name in others], {})
        found[word] = Kind(fields, has_all)
    return found


def knows_all(known: Mapping[str | None, Kind], part: Any) -> bool:
    """Whether the `type` of an object is a known one, and knows all of its fields that are set."""
    kind = known.get(part.type)
    return kind is not None and kind.has_all(part)


class Decoding:
    """What is known of a decoded `body` beside its Structs: their text, their unknown keys, paths.

    It is handed to whatever reads a part: the blocks, the messages, the parameters. `target` is the
    API that the body is read for, if it is only one.
    """

    __slots__ = ("_cited", "_paths", "_rules", "body", "dialect", "spells", "target", "unknown")

    def __init__(self, rules: Rules, body: Decoded, dialect: str, target: str = "") -> None:
        self._rules = rules
        self.body: Decoded = body
        self.unknown: dict[int, dict[str, Raw]] = body.unknown
        self._cited = 0  # objects with unknown keys in citations, which are decoded apart
        self.dialect: str = dialect
        self.target: str = target
        self.spells: bool = target == "" or target == rules.api
        """Whether to keep what only this API's encoder needs: the spelling of each part."""
        self._paths: tuple[Any, dict[int, str]] = _NO_PATHS

    @property
    def api(self) -> str:
        """The API of the wire."""
        return self._rules.api

    def path(self, part: Any) -> str:
        """Find the path of a wire Struct; only errors need it."""
        root, paths = self._paths
        if root is not self.body.root:
            paths = {}
            for key, path in places(self.body.root, "$"):
                paths.setdefault(key, path)
            self._paths = self.body.root, paths
        return paths.get(id(part), "$")

    def fail(self, reason: str, part: Any, key: str = "") -> NoReturn:
        """Refuse `part`. Raises `DecodeError`."""
        raise DecodeError(reason, wire=self._rules.wire, path=self.path(part) + key)

    def inner(self, read: Callable[[Any], _Read], raw: Any, part: Any, key: str) -> _Read:
        """Read the slice under a key of `part`, which has not been decoded until now."""
        try:
            return read(raw)
        except WireglotError:
            raise
        except (msgspec.DecodeError, ValueError) as error:
            reason, below = located(error)
            self.fail(reason, part, key + below)

    def cited(self, kinds: Any, raw: Any, part: Any, key: str) -> list[tuple[Any, Extras | None]]:
        """Return the citations in a slice under a key of `part`, each with its unknown keys.

        `kinds` is the type of the slice: a list of strict Structs, or null.
        """
        tolerant = Tolerant(self._rules.wire)
        try:
            found = self.inner(lambda raw: tolerant.value(kinds, raw, ""), raw, part, key)
        except DecodeError as error:
            if error.path.startswith("$"):
                raise
            self.fail(error.reason, part, key + error.path)
        self._cited += len(tolerant.unknown)
        if len(self.unknown) + self._cited > MOST_APART:
            raise LimitError(TOO_MANY, wire=self._rules.wire, path=self.path(part) + key)
        return [(each, strange(each, tolerant, self.api)) for each in found or ()]

    def raw(self, part: Any) -> RawJson:
        """Return the JSON that `part` was decoded from; `part` may be a `Raw` of unknown type."""
        if type(part) is Raw:
            return RawJson.adopt(part)
        return RawJson.adopt(self.body.raws.get(id(part)) or Raw(encode(part)))

    def extras(self, part: Any) -> Extras | None:
        """Return the unknown keys of a wire Struct, and of the objects in its fields."""
        return self.extras_of(part) if self.unknown and self._is_apart(part) else None

    def _is_apart(self, part: Any) -> bool:
        """Whether a wire Struct, or an object in its fields, may have unknown keys.

        The typed decode makes no such Struct. A reader that notes an unknown key of an object in
        the fields of a Struct notes the Struct, too.
        """
        return id(part) in self.body.raws or id(part) in self.unknown

    def kept(self, spelling: dict[str, Any]) -> dict[str, Any]:
        """Return what is read of a spelling: all for this API, notes on signatures for others."""
        return spelling if self.spells else {k: spelling[k] for k in spelling if k in NOTES}

    def extras_of(self, *parts: Any, **spelling: Any) -> Extras | None:
        """Return the unknown keys of wire Structs, including those of the objects in their fields.

        `spelling` holds keys that have been read, but whose exact form only their own text keeps.
        """
        if spelling:
            spelling = self.kept(spelling)
        keys: dict[str, Any] = {}
        if self.unknown:
            for part in parts:
                if self._is_apart(part):
                    keys |= residue(part, self.unknown)
        if not keys and not spelling:
            return None
        extra = Extra(RawJson.adopt(Raw(encode(keys))))
        if spelling:
            extra.spelling = RawJson.adopt(Raw(encode(self.as_it_came(spelling))))
        return {self.api: extra}

    def answer_extras(
        self,
        root: Any,
        fields: tuple[str, ...] = (),
        echoes: tuple[str, ...] = (),
        spelling: dict[str, Any] | None = None,
        **nested: Any,
    ) -> Extras | None:
        """Return the keys of an answer that the model has no field for, under the wire's names.

        `fields` and `echoes` are names of fields of `root` (in Python) that are passed on unread;
        `nested` adds keys of inner objects, in the wire's own shape. The `echoes` describe the
        service and the request (fingerprints, timings), not the answer: they are written back to
        their own wire, and are not a loss on another. So are the keys of `spelling`.
        """
        keys = residue(root, self.unknown) if self.unknown else {}
        keys |= given(root, fields)
        for key, value in nested.items():
            if value:
                keys[key] = value
        return self.extras_in(keys, given(root, echoes) | (spelling or {}))

    def extras_in(self, keys: dict[str, Any], spelling: dict[str, Any]) -> Extras | None:
        """Return extras with these keys and this spelling, None if there are none."""
        if not keys and not spelling:
            return None
        kept = RawJson.adopt(Raw(encode(keys)) if keys else _NO_KEYS)
        spelled = RawJson.adopt(Raw(encode(spelling))) if spelling else None
        return {self.api: Extra(kept, spelled)}

    def owned(self, block: _Block) -> _Block:
        """Return a media block; if it has a file id, its extras say that the id is of this API."""
        if block.file_id is not None and block.extras is None:
            block.extras = {self.api: Extra(RawJson(b"{}"))}
        return block

    def set_aside(self, part: Any, kind: Kind) -> None:
        """Treat the fields of `part` that its type does not know as unknown keys.

        The typed decode takes them, because another type of the same Struct knows them.
        """
        raw = self.body.raws.get(id(part)) or Raw(encode(part))
        keys = _keys(raw)
        strange = self.unknown.get(id(part), {})
        struct: Any = type(part)
        for key, name in _keys_of(struct, struct.__struct_fields__):
            if name in kind.known or getattr(part, name) is None:
                continue
            setattr(part, name, None)
            if keys[key] != _NULL:
                strange[key] = keys[key]
        self.body.raws[id(part)] = raw
        if strange:
            if len(self.unknown) >= MOST_APART:
                raise LimitError(TOO_MANY, wire=self._rules.wire, path=self.path(part))
            self.unknown[id(part)] = strange

    def keep_key(self, part: Any, key: str, value: Any, around: Any = None) -> None:
        """Treat a key of `part` as an unknown one, as the model cannot express its value.

        `around` is the Struct that has `part` in one of its fields.
        """
        self.unknown.setdefault(id(part), {})[key] = Raw(encode(value))
        if around is not None:  # so that its extras are looked for
            self.unknown.setdefault(id(around), {})

    def keep_type(self, call: Any, word: str) -> None:
        """Treat the type word of a call as an unknown key, unless it is the usual one."""
        if word != "function":
            self.keep_key(call, "type", word)

    def is_known(self, part: Any) -> bool:
        """Whether a part has no unknown keys but null ones, which say nothing."""
        unknown = self.unknown.get(id(part)) if self.unknown else None
        return unknown is None or (type(part) is not Raw and all(map(is_null, unknown.values())))

    def as_it_came(self, value: Any) -> Any:
        """Return wire values as they came, including the keys that have no field."""
        if not self.unknown:
            return value
        if isinstance(value, dict):
            return {key: self.as_it_came(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.as_it_came(inner) for inner in value]
        return self.body.raws.get(id(value), value)

    def is_odd(self, value: Any) -> bool:
        """Whether a value holds unknown keys, or members of unknown types."""
        return bool(self.unknown) and any(part in self.unknown for part, _ in places(value, ""))


def given(root: Struct, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of `root` that are not null, by their keys."""
    values: dict[str, Any] = {}
    for key, name in _keys_of(type(root), names):
        value = getattr(root, name)
        if value is not None and value != _NULL:
            values[key] = value
    return values


@cache
def _keys_of(kind: Any, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return fields of a wire Struct, each with its key."""
    keys = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    return [(keys[name], name) for name in names]


_NULL = Raw(b"null")
_NO_UNKNOWN: Final[dict[str, Raw]] = {}
_NO_KEYS: Final = Raw(b"{}")
_BRACE = ord("{")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NO_PATHS: Final[tuple[Any, dict[int, str]]] = (None, {})


def arguments_of(raw: Any) -> Any:
    """Return the arguments of a call as they came. Null, or no key at all, is `{}`.

    So is a text that says null.
    """
    if raw is None:
        return b"{}"
    view = memoryview(raw)
    if view[0] == _BRACE:
        return raw
    first = bytes(view[:6])
    return b"{}" if first[:4] == b"null" or first == b'"null"' else raw


def strange(part: Any, read: Tolerant | Decoded, api: str) -> Extras | None:
    """Return the unknown keys in an object as extras, the whole of it if they are in lists."""
    unknown = read.unknown
    found = [known for known, _ in places(part, "") if known in unknown] if unknown else ()
    if all(is_null(encode(unknown[known])) for known in found):
        return None
    keys = residue(part, unknown) or read.raws[id(part)]
    return {api: Extra(RawJson.adopt(Raw(encode(keys))))}


def residue(part: Any, unknown: Mapping[int, dict[str, Raw]]) -> dict[str, Any]:
    """Return the unknown keys of a wire Struct, and of the Structs in its fields, in place."""
    keys: dict[str, Any] = dict(unknown.get(id(part), _NO_UNKNOWN))
    kind: Any = type(part)
    for name, key in with_objects(kind):
        value = getattr(part, name)
        if isinstance(value, Struct) and (inner := residue(value, unknown)):
            keys[key] = inner
    return keys


def read_out(
    read: Callable[[bytes, Losses], _Read], data: bytes, wire: str, losses: Losses
) -> _Read:
    """Return `read(data, losses)`, which may adopt slices of `data`.

    `read` may see a large body without its payloads, which media values then adopt.

    Raises `DecodeError` for whatever `read` raises.
    """
    token = reading.set(source_of(data))
    try:
        if len(data) < LARGE and taken_out.get() is None:
            return read(data, losses)
        return lifting(read, data, losses)
    except WireglotError as error:
        if not isinstance(error, DecodeError):
            raise DecodeError(error.reason, wire=wire, path=error.path) from error
        if error.wire == wire:
            raise
        raise type(error)(error.reason, wire=wire, path=error.path) from error
    except RecursionError as error:
        raise LimitError("nested too deeply", wire=wire) from error
    except (msgspec.DecodeError, ValueError) as error:
        reason, below = located(error)
        raise DecodeError(reason, wire=wire, path="$" + below) from error
    finally:
        reading.reset(token)
