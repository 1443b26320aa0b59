"""Bytes of the native wire -> model values: one typed C decode, with a tolerant reader behind it.

The tolerant reader runs only where the typed decode finds data that is not canonical. It descends
to the object that failed and keeps its unknown keys in `extras`. It accepts what phi-core accepts:
an object of any role with `kind` and `data` is an extension, and an invalid `turnId` does not fail
the message (phi-core drops it; here it is kept among the unknown keys).
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple, Union

import msgspec
from msgspec import Raw, Struct

from ._first_use import first_use
from ._lifting import lifting
from ._objects import located
from .errors import DecodeError, EncodeError, LimitError, WireglotError
from .limits import Limits
from .model import AgentMessage, ExtensionMessage, Extra, Extras, LlmMessage, Media, SessionOnly
from .model.base import NATIVE, UnknownKeys
from .model.session import FLAT, FLAT_TYPES, PLACE, lifted
from .model.source import MSGPACK, Source, reading

__all__ = ["ALIASES", "SESSION", "WIRE_TYPES", "Reader"]

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
    """How to read a type: its typed decode, its `_smallest`, and the conversion of the result."""

    decode: Callable[[Any], Any]
    smallest: int
    lift: Callable[[Any], Any] | None


class Reader:
    """The reader of one native wire; `decoder` makes msgspec's decoder for a type."""

    def __init__(self, wire: str, decoder: Callable[[Any], Any]) -> None:
        self._wire = wire
        self._make = decoder
        self._plans: dict[Any, _Plan] = {}
        self._dict: Callable[[Any], dict[str, Raw]] = decoder(dict[str, Raw]).decode
        self._list: Callable[[Any], list[Raw]] = decoder(list[Raw]).decode

    def read(
        self, data: Any, kind: Any, source: Source, limits: Limits, check_media: bool = False
    ) -> Any:
        """Decode `data` as `kind`, within the limits on bytes, messages and blocks.

        Raises `DecodeError`, `LimitError`.
        """
        if len(data) > limits.bytes:
            raise LimitError(
                f"input of {len(data):,} bytes, expected at most {limits.bytes:,}", wire=self._wire
            )
        decode, smallest, lift = self._plans.get(kind) or self._plan(kind)
        token = reading.set(source)
        try:
            try:
                if source is MSGPACK:
                    value = decode(data)
                else:
                    value = lifting(lambda body, _: decode(body), data)
            except (msgspec.DecodeError, RecursionError, UnicodeError):
                value = self._value(kind, data, "$", 0)
            if len(data) // smallest > min(limits.messages, limits.blocks):
                self._check_counts(value, limits)
            if check_media:
                self._check_media(value, "$")
        except RecursionError as error:
            raise LimitError("nested too deeply", wire=self._wire) from error
        finally:
            reading.reset(token)
        return value if lift is None else lift(value)

    # -- the typed decode ----------------------------------------------------------------------

    def _decoder(self, kind: Any) -> Callable[[Any], Any]:
        return (self._plans.get(kind) or self._plan(kind)).decode

    def _plan(self, kind: Any) -> _Plan:
        with first_use:
            decode = self._make(WIRE_TYPES.get(kind, kind)).decode
        made = self._plans[kind] = _Plan(decode, _smallest(kind), _LIFT.get(kind))
        return made

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
            inner = tags.get(self._tag(parts, tag_field, path))
            if inner is None:
                known = ", ".join(f"`{tag}`" for tag in tags)
                raise DecodeError(
                    f"unknown {tag_field}, expected one of {known}",
                    wire=self._wire,
                    path=f"{path}.{tag_field}",
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
        _, (_, tags) = _shape(_AGENT_MESSAGE)
        kind = tags.get(self._tag(keys, "role", path))
        try:
            if kind is not None:
                return self._object(kind, keys, path, depth)
        except DecodeError:
            if not all(key in keys for key in _EXTENSION_KEYS):
                raise
        if not all(key in keys for key in _EXTENSION_KEYS):
            raise DecodeError(
                "unknown role, and not an extension (`kind` and `data`)",
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
                    f"{config.tag_field} is `{tag}`, expected `{config.tag}`",
                    wire=self._wire,
                    path=f"{path}.{config.tag_field}",
                )
            del keys[config.tag_field]
        for alias, key in ALIASES.items():
            is_unset = bytes(keys.get(key, b"null")) in _NULLS
            if alias in keys and is_unset and key in kind.__struct_encode_fields__:
                keys[key] = keys.pop(alias)
        values: dict[str, Any] = {}
        for name, key, annotation, required in _fields(kind):
            raw = keys.pop(key, None)
            if raw is None:
                if required:
                    raise DecodeError(
                        f"object missing required field `{key}`", wire=self._wire, path=path
                    )
            elif kind in FLAT_TYPES and name in PLACE:
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
                    f"object contains unknown field `{key}`", wire=self._wire, path=path
                )
            extras = values.get("extras") or {}
            if NATIVE in extras:
                raise DecodeError(
                    f"`extras.{NATIVE}` beside unknown keys", wire=self._wire, path=path
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

    def _check_counts(self, value: Any, limits: Limits) -> None:
        counts = {"role": 0, "type": 0}
        _count(value, counts)
        for tag, what, most in (
            ("role", "messages", limits.messages),
            ("type", "blocks", limits.blocks),
        ):
            if counts[tag] > most:
                raise LimitError(
                    f"{counts[tag]:,} {what}, expected at most {most:,}", wire=self._wire
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


_LLM_MESSAGE: Any = Union[tuple(FLAT.values())]  # noqa: UP007 -- built from a table
_AGENT_MESSAGE: Any = SessionOnly | _LLM_MESSAGE
WIRE_TYPES: dict[Any, Any] = {
    SESSION: list[_AGENT_MESSAGE],
    AgentMessage: _AGENT_MESSAGE,
    LlmMessage: _LLM_MESSAGE,
    list[LlmMessage]: list[_LLM_MESSAGE],
}
_LIFT: dict[Any, Callable[[Any], Any]] = {
    SESSION: lifted,
    AgentMessage: lambda flat: lifted([flat])[0],
    LlmMessage: lambda flat: lifted([flat])[0],
    list[LlmMessage]: lifted,
}


def _smallest(kind: Any) -> int:
    """Return a lower bound on the bytes of a message or a block, on either wire.

    The smallest one holds only `type: data`. Items of a single type need no tag, so their bound is
    1.
    """
    return 1 if _shape(kind)[0] == "list" and _shape(_shape(kind)[1])[0] == "object" else 11


@cache
def _shape(kind: Any) -> tuple[str, Any]:
    """Return the kind of a type (`list`, `object`, `union`...) and the types inside it."""
    if kind is AgentMessage:
        return "agent", None
    if kind is LlmMessage:
        return _shape(_LLM_MESSAGE)
    if typing.get_origin(kind) is list:
        return "list", typing.get_args(kind)[0]
    if isinstance(kind, type) and issubclass(kind, Struct):
        return "object", kind
    if typing.get_origin(kind) in (types.UnionType, Union):
        members = [m for m in typing.get_args(kind) if m is not type(None)]
        if len(members) == 1:
            return _shape(members[0])
        if all(isinstance(m, type) and issubclass(m, Struct) for m in members):
            configs = [(m.__struct_config__, m) for m in members]
            if configs[0][0].tag_field:
                return "union", (configs[0][0].tag_field, {c.tag: m for c, m in configs})
    return "leaf", kind


@cache
def _fields(kind: Any) -> list[tuple[str, str, Any, bool]]:
    """Name, key, annotation and whether required, for each field of a Struct."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return [
        (info.name, info.encode_name, hints[info.name], info.required)
        for info in msgspec.structs.fields(kind)
    ]


_HOLDERS = ("messages", "message", "alternatives", "content", "response", "block")


def _count(value: Any, counts: dict[str, int]) -> None:
    if type(value) is list:
        for item in value:
            _count(item, counts)
    elif isinstance(value, Struct):
        tag_field = value.__struct_config__.tag_field
        if tag_field in counts:
            counts[tag_field] += 1
        for name in _HOLDERS:
            _count(getattr(value, name, None), counts)
