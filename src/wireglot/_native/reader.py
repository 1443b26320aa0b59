"""Bytes of the native wire -> model values: one typed C decode, with a tolerant reader behind it.

The tolerant reader runs only where the typed decode finds data that is not canonical. It descends
to the object that failed and keeps its unknown keys in `extras`. It accepts what phi-core accepts:
an object of any role with `kind` and `data` is an extension, and an invalid `turnId` does not fail
the message (phi-core drops it; here it is kept among the unknown keys).
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from .._body.faults import located
from .._body.fields import struct_fields
from .._body.payloads import lifting
from .._runtime.locks import first_use
from ..errors import DecodeError, EncodeError, LimitError, WireglotError, quoted, unknown
from ..limits import Limits
from ..model import (
    AgentMessage,
    Arguments,
    ExtensionMessage,
    Extra,
    Extras,
    LlmMessage,
    Media,
    Message,
    RawJson,
)
from ..model.base import NATIVE, UnknownKeys
from ..model.counting import INCREASE_VALUES, check_json, check_msgpack
from ..model.media import adopt_media
from ..model.place import PLACE
from ..model.rawjson import adopt_arguments
from ..model.session import ENTRIES, MESSAGES
from ..model.source import MSGPACK, Source, reading
from .caller_types import (
    HOOKED,
    CallerType,
    caller_type,
    is_union,
    kinds_inside,
    members,
    plain,
    refuse_foreign,
    union,
)

SESSION: Any = list[AgentMessage]
"""The type of a native document unless the caller names another."""

_EXTENSION_KEYS = ("role", "kind", "data")
# phi-core documents the key as on the left; on its wire it is camelCase like its siblings.
ALIASES = {"child_loop_id": "childLoopId"}
_FREE = dict[str, Any] | None
_NULLS = (b"null", b"\xc0")  # in JSON, and in MessagePack
# At each level of nesting the tolerant reader scans everything below once more.
_DEEPEST = 64


class _Plan(NamedTuple):
    """How to read a type: its typed decode, its `_smallest`, and the conversion of the result.

    For a type of the caller that holds model types, `decode` makes its double, and `direct` the one
    for canonical data, if there is one.
    """

    decode: Callable[[Any], Any]
    direct: Callable[[Any], Any] | None
    smallest: int
    lift: Callable[[Any], Any] | None
    caller_type: CallerType | None


class Reader:
    """The reader of one native wire; `decoder` makes msgspec's decoder for a type."""

    def __init__(self, wire: str, decoder: Callable[[Any], Any]) -> None:
        self._wire = wire
        self._make = decoder
        self._plans: dict[Any, _Plan] = {}
        self._decoders: dict[Any, Callable[[Any], Any]] = {}
        self._dict: Callable[[Any], dict[str, Raw]] = decoder(dict[str, Raw]).decode
        self._list: Callable[[Any], list[Raw]] = decoder(list[Raw]).decode

    def read(
        self, data: Any, kind: Any, source: Source, limits: Limits, check_media: bool = False
    ) -> Any:
        """Decode `data` as `kind`, within the limits on bytes, messages and blocks.

        Raises `DecodeError`, `LimitError`, and `EncodeError` if no data can be decoded as `kind`.
        """
        if len(data) > limits.bytes:
            raise LimitError(
                f"input of {len(data):,} bytes, expected at most {limits.bytes:,}; "
                "increase `Limits.bytes`",
                wire=self._wire,
            )
        try:
            decode, _, smallest, lift, holds = self._plans.get(kind) or self._whole_plan(kind)
        except TypeError as error:  # not hashable, so not a type
            raise EncodeError(f"{quoted(kind)}, expected a type", wire=self._wire) from error
        fewest = min(limits.messages, limits.blocks)
        may_be_many = len(data) // smallest > fewest
        parts: list[tuple[str, Any]] | None = None
        if holds is not None:
            parts = []
            decode = partial(self._held, kind, parts, may_be_many or check_media)
        if source is MSGPACK:
            check_msgpack(data, limits.values, self._wire, step=INCREASE_VALUES)
        token = reading.set(source)
        try:
            try:
                if source is MSGPACK:
                    value = decode(data)
                else:
                    value = lifting(lambda body, _: self._counted(body, decode, limits), data)
            except (msgspec.DecodeError, RecursionError, UnicodeError):
                value = self._value(kind, data, "$", 0)
            if may_be_many:
                whole = value if parts is None else [part for _, part in parts]
                self._check_counts(whole, limits)
            if check_media:
                for path, part in [("$", value)] if parts is None else parts:
                    self._check_media(part, path)
            return value if lift is None else lift(value)
        except WireglotError:
            raise
        except RecursionError as error:
            raise LimitError("nested too deeply", wire=self._wire) from error
        except ValueError as error:  # of a raw value, which refused its slice
            raise DecodeError(str(error), wire=self._wire) from error
        finally:
            reading.reset(token)

    # -- the typed decode ----------------------------------------------------------------------

    def _decoder(self, kind: Any) -> Callable[[Any], Any]:
        return self._decoders.get(kind) or self._new_decoder(kind)

    def _new_decoder(self, kind: Any) -> Callable[[Any], Any]:
        with first_use:
            self._decoders[kind] = self._make(_wire_type(kind)).decode
        return self._decoders[kind]

    def _whole_plan(self, kind: Any) -> _Plan:
        """Make the plan of a type, and those of all types in it that hold model types."""
        plans: dict[Any, _Plan] = {}
        try:
            refuse_foreign(kind)
            waiting = [kind]
            while waiting:
                part = waiting.pop()
                if part not in plans:
                    plans[part] = self._plan(part)
                    holds = plans[part].caller_type
                    waiting += holds.parts if holds is not None else ()
        except (TypeError, ValueError, NameError, AttributeError, RecursionError) as error:
            reason = f"type `{kind}` cannot be decoded: {error}"
            raise EncodeError(reason, wire=self._wire) from error
        parts = [part for part, plan in plans.items() if plan.caller_type is None]
        smallest = min(1 if _is_untagged(part) else _smallest(part) for part in parts)
        for part, plan in plans.items():
            if plan.caller_type is not None:
                plans[part] = plan._replace(smallest=smallest)
        self._plans |= plans
        return plans[kind]

    def _plan(self, kind: Any) -> _Plan:
        holds = caller_type(kind)
        decode = self._decoder(kind if holds is None else holds.double)
        direct = None if holds is None or holds.direct is None else self._decoder(holds.direct)
        return _Plan(decode, direct, _smallest(kind), _lift(kind), holds)

    def _held(self, kind: Any, parts: list[tuple[str, Any]], is_checked: bool, data: Any) -> Any:
        """Decode `data` as a type of the caller.

        If the result `is_checked`, `parts` collects the model values in it before `_lift`, with
        their paths.
        """
        if not is_checked and kinds_inside(kind).isdisjoint(HOOKED):
            try:  # msgspec can decode the type by itself, unless there are unknown keys
                return self._decoder(kind)(data)
            except (TypeError, msgspec.DecodeError, RecursionError, UnicodeError):
                pass
        parts.clear()

        def double(plan: _Plan, raw: Any) -> Any:
            if plan.direct is not None and not is_checked:
                with suppress(msgspec.DecodeError, RecursionError, UnicodeError):
                    return plan.direct(raw)
            return plan.decode(raw)

        def read(kind: Any, raw: Any, path: str, depth: int = 0) -> Any:
            plan = self._plans.get(kind) or self._whole_plan(kind)
            if plan.caller_type is None:
                try:
                    value = plan.decode(raw)
                except (msgspec.DecodeError, RecursionError, UnicodeError):
                    value = self._value(kind, raw, path, depth)
                parts.append((path, value))
                with self._errors(path):
                    return value if plan.lift is None else plan.lift(value)
            if depth > _DEEPEST:
                raise LimitError("nested too deeply", wire=self._wire, path=path)
            below = partial(read, depth=depth + 1)
            try:
                return plan.caller_type.filled(double(plan, raw), below, path)
            except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
                with self._errors(path):
                    raise error

        return read(kind, data, "$")

    @contextmanager
    def _errors(self, path: str) -> Iterator[None]:
        """Turn an exception of the C decoder into a `DecodeError` with the full path."""
        try:
            yield
        except WireglotError:
            raise
        except RecursionError as error:
            raise LimitError("nested too deeply", wire=self._wire, path=path) from error
        except UnicodeDecodeError as error:
            raise DecodeError("text is not UTF-8", wire=self._wire, path=path) from error
        except msgspec.DecodeError as error:
            reason, below = located(error)
            raise DecodeError(reason, wire=self._wire, path=path + below) from error
        except ValueError as error:  # a value refused its slice
            raise DecodeError(str(error), wire=self._wire, path=path) from error

    # -- the tolerant reader -------------------------------------------------------------------

    def _value(self, kind: Any, raw: Any, path: str, depth: int) -> Any:
        """Decode `raw` as `kind`: by the typed decode, or part by part where that fails."""
        if depth > _DEEPEST:
            raise LimitError("nested too deeply", wire=self._wire, path=path)
        shape, inner = _shape(kind)
        with self._errors(path):
            try:
                return self._decoder(kind)(raw)
            except msgspec.ValidationError:
                renamed = self._with_text_keys(raw) if kind == _FREE else None
                if renamed is not None:
                    return renamed
                if shape == "leaf":
                    raise
                parts = self._list(raw) if shape == "list" else self._dict(raw)
        if isinstance(parts, list):
            return [
                self._item(inner, part, f"{path}[{i}]", depth + 1) for i, part in enumerate(parts)
            ]
        if shape == "agent":
            return self._agent_message(parts, path, depth)
        if shape == "union":
            tag_field, tags = inner
            tag = self._tag(parts, tag_field, path)
            inner = tags.get(tag)
            if inner is None:
                raise DecodeError(
                    unknown(tag_field, tag, tags), wire=self._wire, path=f"{path}.{tag_field}"
                )
        return self._object(inner, parts, path, depth)

    def _with_text_keys(self, raw: Any) -> dict[str, Any] | None:
        """Decode an object of which numbers are keys: they become text, as in JSON."""
        found: Any = self._decoder(Any)(raw)
        if type(found) is not dict or not {*map(type, found)} <= {str, int, float}:
            return None
        made = {str(key): value for key, value in found.items()}
        return made if len(made) == len(found) else None

    def _item(self, kind: Any, raw: Raw, path: str, depth: int) -> Any:
        """Decode one item of a list. Most items are canonical and need only the typed decode."""
        try:
            return self._decoder(kind)(raw)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return self._value(kind, raw, path, depth)

    def _tag(self, keys: dict[str, Raw], field: str, path: str) -> str:
        if field not in keys:
            raise DecodeError(
                f"object missing required field `{field}`", wire=self._wire, path=path
            )
        return str(self._value(str, keys[field], f"{path}.{field}", 0))

    def _agent_message(self, keys: dict[str, Raw], path: str, depth: int) -> Any:
        role = self._tag(keys, "role", path)
        kind = _ROLES.get(role)
        try:
            if kind is not None:
                return self._object(kind, keys, path, depth)
        except DecodeError:
            if not all(key in keys for key in _EXTENSION_KEYS):
                raise
        if not all(key in keys for key in _EXTENSION_KEYS):
            raise DecodeError(
                unknown("role", role, _ROLES) + "; an extension has `kind` and `data`",
                wire=self._wire,
                path=f"{path}.role",
            )
        return self._extension(keys, path)

    def _extension(self, keys: dict[str, Raw], path: str) -> ExtensionMessage:
        kind = self._value(str, keys.pop("kind"), f"{path}.kind", 0)
        data = self._value(Any, keys.pop("data"), f"{path}.data", 0)
        extras: Extras = {}
        if "extras" in keys:
            try:
                extras = self._value(Extras, keys["extras"], f"{path}.extras", 0)
            except DecodeError:
                pass
        if extras and NATIVE not in extras:
            del keys["extras"]
        else:  # `extras` is a key of the extension itself
            extras = {}
        return ExtensionMessage(kind, data, {**extras, NATIVE: Extra(self._unknown(keys, path))})

    def _object(self, kind: Any, keys: dict[str, Raw], path: str, depth: int) -> Any:
        keys = {**keys}
        config = kind.__struct_config__
        if config.tag_field in keys:
            tag = self._tag(keys, config.tag_field, path)
            if tag != config.tag:
                raise DecodeError(
                    f"{quoted(tag)}, expected `{config.tag}`",
                    wire=self._wire,
                    path=f"{path}.{config.tag_field}",
                )
            del keys[config.tag_field]
        for alias, key in ALIASES.items():
            is_unset = bytes(keys.get(key, b"null")) in _NULLS
            if alias in keys and is_unset and key in kind.__struct_encode_fields__:
                keys[key] = keys.pop(alias)
        values: dict[str, Any] = {}
        for name, key, annotation, required in struct_fields(kind):
            raw = keys.pop(key, None)
            if raw is None:
                if required:
                    raise DecodeError(
                        f"object missing required field `{key}`", wire=self._wire, path=path
                    )
            elif kind in MESSAGES and name in PLACE:
                try:
                    values[name] = self._value(annotation, raw, f"{path}.{key}", depth + 1)
                except DecodeError:
                    keys[key] = raw
            else:
                values[name] = self._value(annotation, raw, f"{path}.{key}", depth + 1)
        if keys:
            if "extras" not in kind.__struct_fields__:
                key = next(iter(keys))
                raise DecodeError(
                    f"object contains unknown field {quoted(key)}", wire=self._wire, path=path
                )
            extras = values.get("extras") or {}
            if NATIVE in extras:
                raise DecodeError(
                    f"`extras.{NATIVE}` beside unknown keys, expected one of them",
                    wire=self._wire,
                    path=path,
                )
            values["extras"] = {**extras, NATIVE: Extra(self._unknown(keys, path))}
        try:
            return kind(**values)
        except ValueError as error:
            reason = error.reason if isinstance(error, WireglotError) else str(error)
            raise DecodeError(reason, wire=self._wire, path=path) from error

    def _unknown(self, keys: dict[str, Raw], path: str) -> UnknownKeys:
        """Keep unknown keys as JSON text; those from MessagePack keep their original values too."""
        try:
            if self._wire == "json":
                return UnknownKeys(msgspec.json.encode(keys))
            values = {key: self._value(Any, raw, f"{path}.{key}", 0) for key, raw in keys.items()}
            made = UnknownKeys.of(values)
            made.came_as = keys
            return made
        except (DecodeError, EncodeError) as error:
            raise DecodeError(error.reason, wire=self._wire, path=path) from error

    # -- limits --------------------------------------------------------------------------------

    def _counted(self, body: Any, decode: Callable[[Any], Any], limits: Limits) -> Any:
        check_json(body, limits.values, self._wire, INCREASE_VALUES)
        return decode(body)

    def _check_counts(self, value: Any, limits: Limits) -> None:
        counts: dict[str | None, int] = {"role": 0, "type": 0}
        _count(value, counts)
        for tag, what, most in (
            ("role", "messages", limits.messages),
            ("type", "blocks", limits.blocks),
        ):
            if counts[tag] > most:
                raise LimitError(
                    f"{counts[tag]:,} {what}, expected at most {most:,}; increase `Limits.{what}`",
                    wire=self._wire,
                )

    def _check_media(self, value: Any, path: str) -> None:
        if type(value) is list:
            for i, item in enumerate(value):
                self._check_media(item, f"{path}[{i}]")
        elif type(value) is Media:
            try:
                value.view()
            except DecodeError as error:
                raise DecodeError(error.reason, wire=self._wire, path=path) from error
        elif isinstance(value, Struct):
            names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
            for key, name in names:
                self._check_media(getattr(value, name), f"{path}.{key}")


_ROLES: Final = {entry.__struct_config__.tag: entry for entry in ENTRIES}


def _wire_type(kind: Any) -> Any:
    """Return what a type is on the wire: the message in place of the pair, Structs of an entry.

    A value that adopts a slice is `Raw`, which may be null, too.
    """
    if kinds_inside(kind).isdisjoint(HOOKED):
        return kind
    kind = plain(kind)
    if _adopting(kind) is not None:
        return Raw
    if is_union(kind):
        return union(map(_wire_type, typing.get_args(kind)))
    if kind is LlmMessage:
        return Message
    if typing.get_origin(kind) is not list:  # a type of the caller, which has a double
        return kind
    item: Any = _wire_type(*typing.get_args(kind))
    return list[item]


def _lift(kind: Any) -> Callable[[Any], Any] | None:
    """Return what makes pairs of messages and values of slices, for a type that can hold any."""
    if caller_type(kind) is not None or kinds_inside(kind).isdisjoint(_LIFTED):
        return None
    adopt = _adopting(kind)
    if adopt is not None:
        return adopt
    if _shape(kind)[0] == "list":
        adopt = _adopting(_shape(kind)[1])
        if adopt is not None:
            return lambda slices: [*map(adopt, slices)]
    return _pairs if _shape(kind)[0] == "list" else _pair


def _adopting(kind: Any) -> Callable[[Any], Any] | None:
    """Return what makes a value of a slice, for a type that has such values, or None beside them.

    A null is None where the type allows it, and what the type makes of it where it does not.
    """
    kinds = members(kind)
    adopt = _ADOPT.get(kinds[0]) if len(kinds) == 1 else None
    if adopt is None or not is_union(plain(kind)):
        return adopt
    return lambda raw: None if bytes(memoryview(raw)[:4]) in _NULLS else adopt(raw)


_ADOPT: Final[dict[Any, Callable[[Any], Any]]] = {
    Arguments: adopt_arguments,
    RawJson: RawJson.adopt,
    Media: adopt_media,
}
_LIFTED: Final = frozenset({LlmMessage, *_ADOPT})
"""The types that the C decoder does not make: it makes messages and slices in their place."""


def check_hooked(kind: Any) -> None:
    """Refuse a type that no hook of ours knows, as msgspec asks of a hook."""
    if kind not in HOOKED:
        # What msgspec expects of a hook, so that a caller can ask the next one.
        raise NotImplementedError(f"`{kind.__name__}`, expected a type of the model")


def _pair(value: Any) -> Any:
    """Return the pair of a message; a session-only message and None stay as they are."""
    return LlmMessage(value) if type(value) in MESSAGES else value


def _pairs(values: list[Any] | None) -> list[Any] | None:
    return None if values is None else [*map(_pair, values)]


WIRE_TYPES: dict[Any, Any] = {
    kind: _wire_type(kind) for kind in (SESSION, AgentMessage, LlmMessage, list[LlmMessage])
}


def _smallest(kind: Any) -> int:
    """Return a lower bound on the bytes of a message or a block, on either wire.

    The smallest one holds only `type: data`. Items of a single type need no tag, so their bound is
    1.
    """
    return 1 if _shape(kind)[0] == "list" and _is_untagged(_shape(kind)[1]) else 11


def _is_untagged(kind: Any) -> bool:
    """Whether a type is one kind of message or block, whose data may leave the tag out."""
    shape, struct = _shape(kind)
    return shape == "object" and _parts(struct)[0] is not None


@cache
def _shape(kind: Any) -> tuple[str, Any]:
    """Return the kind of a type (`list`, `object`, `union`...) and the types inside it."""
    kind = plain(kind)
    kinds = members(kind)
    if {*kinds} == {*ENTRIES}:
        return "agent", None
    if LlmMessage in kinds:
        return _shape(_wire_type(kind))
    if typing.get_origin(kind) is list:
        return "list", typing.get_args(kind)[0]
    if isinstance(kind, type) and issubclass(kind, Struct):
        return "object", kind
    if is_union(kind):
        if len(kinds) == 1:
            return _shape(kinds[0])
        if all(isinstance(member, type) and issubclass(member, Struct) for member in kinds):
            configs = [(member.__struct_config__, member) for member in kinds]
            if configs[0][0].tag_field:
                return "union", (configs[0][0].tag_field, {c.tag: member for c, member in configs})
    return "leaf", kind


_HOLDERS: Final = ("messages", "message", "alternatives", "content", "response", "block")


@cache
def _parts(kind: Any) -> tuple[str | None, tuple[str, ...]]:
    """Return the tag field of a type, and those of its fields that may hold messages or blocks."""
    if not issubclass(kind, Struct):
        return None, ()
    names = tuple(name for name in _HOLDERS if name in kind.__struct_fields__)
    return kind.__struct_config__.tag_field, names


def _count(value: Any, counts: dict[str | None, int]) -> None:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if type(part) is list:
            waiting += part
            continue
        kind: Any = type(part)
        tag_field, names = _parts(kind)
        if tag_field in counts:
            counts[tag_field] += 1
        waiting += [getattr(part, name) for name in names]
