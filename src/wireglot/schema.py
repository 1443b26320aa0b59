"""The Structs of a wire -> its JSON Schema (2020-12), which allows what the wire's decoder takes.

A schema is made from the Structs that a decoder reads into, and from what they declare to the
tolerant reader: other spellings of keys, open unions, invalid values that are kept aside. The
annotation of a slice (`Annotated[Raw, str]`) is the type that is later read from it.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from enum import Enum
from importlib import import_module
from itertools import combinations
from types import MappingProxyType
from typing import Annotated, Any, Final, Union

import msgspec
from msgspec import Raw, Struct, UnsetType
from msgspec.structs import FieldInfo, fields

from ._body.decode import ASIDE
from ._native.reader import ALIASES, WIRE_TYPES
from .errors import EncodeError, unknown
from .formats import FORMATS
from .model import AgentMessage, ExtensionMessage, MediaBlock, Request, Response
from .model.place import PLACE
from .model.session import MESSAGES
from .providers import PROVIDERS

__all__ = ["SCHEMAS", "schema", "schema_components"]

_Schema = dict[str, Any]

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_REF: Final = "#/$defs/{name}"
_NATIVE: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "session": list[AgentMessage],
        "message": AgentMessage,
        "request": Request,
        "response": Response,
    }
)


class _Kinds(Mapping[str, tuple[str, ...]]):
    def __getitem__(self, wire: str) -> tuple[str, ...]:
        if wire == "native":
            return tuple(_NATIVE)
        if wire in PROVIDERS:
            return "request", "response"
        if wire in FORMATS:
            return "session", "message"
        raise KeyError(wire)

    def __iter__(self) -> Iterator[str]:
        return iter(["native", *PROVIDERS, *FORMATS])

    def __len__(self) -> int:
        return 1 + len(PROVIDERS) + len(FORMATS)


SCHEMAS: Final[Mapping[str, tuple[str, ...]]] = _Kinds()
"""Wire -> the kinds of document that have a schema; the first is the default."""


def schema(
    wire: str = "native", kind: str | None = None, *, ref_template: str = _REF
) -> dict[str, Any]:
    """Return the JSON Schema of a wire's documents: `native`, a provider's, or a format's.

    Keys that the schema does not name are allowed wherever the decoder keeps them. `ref_template`
    is what a reference to a definition looks like; the definitions themselves are under `$defs`,
    for the caller to move there.

    Raises `EncodeError` if there is no such wire, or no such kind of document on it.
    """
    kinds = SCHEMAS.get(wire)
    if kinds is None:
        raise _unknown("wire", wire, SCHEMAS)
    if kind is None:
        kind = kinds[0]
    elif kind not in kinds:
        raise _unknown(f"document of `{wire}`", kind, kinds)
    root = _root(wire, kind)
    made = _Maker(ref_template, is_open=wire in PROVIDERS, is_proto=_is_proto(root))
    return {"$schema": _DIALECT, **made.of(root), "$defs": dict(sorted(made.defs.items()))}


def schema_components(
    types: Iterable[Any], *, ref_template: str = _REF
) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return the schema of each native type, and the definitions that all of them refer to.

    It is `msgspec.json.schema_components` for types of the model and lists of them: `AgentMessage`,
    `list[Content]`, `Request`.
    """
    made = _Maker(ref_template, is_open=False, is_proto=False)
    return [made.of(each) for each in types], dict(sorted(made.defs.items()))


def _unknown(what: str, name: str, there: Any) -> EncodeError:
    return EncodeError(unknown(what, name, there), wire="schema")


def _structs(provider: Any) -> Any:
    """Return the module of a provider that has the types of its JSON, None if it has none."""
    try:
        return import_module(f"{provider.__name__}.wire")
    except ImportError:
        return getattr(provider, "wire", None)


def _root(wire: str, kind: str) -> Any:
    """Return the type that the decoder reads a document into."""
    if wire in PROVIDERS:
        structs = _structs(PROVIDERS[wire])
        root = getattr(structs, "Body" if kind == "request" else "Response", None)
        if root is None:  # the protocol asks for no such module
            raise EncodeError(
                f"`{wire}` has no schema, expected a wire that has one", wire="schema"
            )
        return root
    if wire in FORMATS:
        stored: Any = FORMATS[wire]
        return list[stored.MESSAGE] if kind == "session" else stored.MESSAGE
    return _NATIVE[kind]


class _Maker:
    """Makes one schema; `defs` collects a definition of every Struct met on the way.

    Where unions are open, as on providers' wires, every object may have unknown keys, too. Where
    the wire is proto3 JSON, a single object may stand for a list of one.
    """

    def __init__(self, ref_template: str, *, is_open: bool, is_proto: bool) -> None:
        self._template = ref_template
        self.defs: dict[str, _Schema] = {}
        self._kinds: dict[str, Any] = {}
        self._is_open = is_open
        self._is_proto = is_proto

    def of(self, hint: Any) -> _Schema:
        """Return the schema of a type."""
        hint = WIRE_TYPES.get(hint, hint)
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin is Annotated and args[0] is Raw:
            return self.of(args[1])
        if hint is Raw:
            return {}
        if origin is list:
            return self._list(*args)
        if origin is dict:
            return {"type": "object", "additionalProperties": self.of(args[1])}
        if origin in (types.UnionType, Union):
            return self._union(args)
        if isinstance(hint, type) and issubclass(hint, Struct | Enum):
            return self._ref(hint)
        return msgspec.json.schema(hint, schema_hook=lambda _: {})

    def _list(self, item: Any) -> _Schema:
        made = {"type": "array", "items": self.of(item)}
        return {"anyOf": [made, self.of(item)]} if self._is_proto and _is_struct(item) else made

    def _union(self, members: tuple[Any, ...]) -> _Schema:
        structs = [member for member in members if _is_struct(member)]
        made = [self.of(member) for member in members if member not in (*structs, UnsetType)]
        if all(each.keys() == {"type"} for each in made) and made and not structs:
            return {"type": [each["type"] for each in made]}
        made = [*self._objects(structs), *made]
        return made[0] if len(made) == 1 else {"anyOf": made}

    def _objects(self, members: list[Any]) -> list[_Schema]:
        """Return the schemas of a union's objects, which are told apart by their tags."""
        if len(members) < 2:
            return [self._ref(member) for member in members]
        tag_field = members[0].__struct_config__.tag_field
        schemas = [{**self._ref(member), "required": [tag_field]} for member in members]
        if self._is_open and tag_field != "role":
            tags = [member.__struct_config__.tag for member in members]
            other = {"type": "string", "not": {"enum": tags}}
            schemas.append(
                {"type": "object", "properties": {tag_field: other}, "required": [tag_field]}
            )
        return schemas

    def _ref(self, kind: Any) -> _Schema:
        name = kind.__name__
        if self._kinds.setdefault(name, kind) is not kind:
            name = f"{kind.__module__}.{name}"
        if name not in self.defs:
            self.defs[name] = {}  # so that a recursive type finds its name
            about = {"description": inspect.cleandoc(kind.__doc__)} if kind.__doc__ else {}
            made = self._object(kind) if _is_struct(kind) else {"enum": [m.value for m in kind]}
            self.defs[name] = {"title": kind.__name__, **about, **made}
        return {"$ref": self._template.format(name=name)}

    def _object(self, kind: Any) -> _Schema:
        known = [f for f in fields(kind) if f.encode_name[0] != "(" and f.name != ASIDE]
        properties = self._properties(kind, known)
        required = [field.encode_name for field in known if field.required]
        rules: list[_Schema] = list(deepcopy(_ONE_SOURCE)) if issubclass(kind, MediaBlock) else []
        for other, key in _aliases(kind, known).items():
            instead: _Schema = {"properties": {other: properties[key]}}
            if key in required:
                required.remove(key)
                instead["required"] = [other]
            rules.append({"anyOf": [{"required": [key]}, instead]})
        schema: _Schema = {"type": "object", "properties": properties}
        if required:
            schema["required"] = required
        if rules:
            schema["allOf"] = rules
        if not self._is_open and not _keeps_unknown(kind):
            schema["additionalProperties"] = False
        return schema

    def _properties(self, kind: Any, known: list[FieldInfo]) -> dict[str, _Schema]:
        properties: dict[str, _Schema] = {}
        config = kind.__struct_config__
        if config.tag_field:
            is_any = getattr(kind, "ANY_TAG", kind is ExtensionMessage)
            properties[config.tag_field] = {"type": "string"} if is_any else {"const": config.tag}
        lenient = _lenient(kind)
        for field in known:
            value = self.of(field.type)
            if field.name in lenient:
                value = {"anyOf": [*value.get("anyOf", [value]), {**_KEPT}]}
            elif type(field.default) in (bool, int, float, str):
                value = {**value, "default": field.default}
            properties[field.encode_name] = value
        return properties


def _is_struct(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Struct)


def _is_proto(kind: Any) -> bool:
    return bool(getattr(kind, "PROTO", False))


def _lenient(kind: Any) -> frozenset[str]:
    """Return the fields whose value, if it is invalid, becomes an unknown key."""
    if kind is ExtensionMessage:
        return frozenset({"extras"})
    return frozenset(PLACE if kind in MESSAGES else getattr(kind, "LENIENT", ()))


def _aliases(kind: Any, known: list[FieldInfo]) -> dict[str, str]:
    """Return alias -> key; a decoder reads the alias where the key itself is absent."""
    keys = {field.encode_name for field in known}
    others = getattr(kind, "ALIASES", ALIASES)
    found = {other: key for other, key in others.items() if key in keys}
    if _is_proto(kind):
        found |= {f.name: f.encode_name for f in known if f.name != f.encode_name}
    return found


def _keeps_unknown(kind: Any) -> bool:
    is_lax = not kind.__struct_config__.forbid_unknown_fields
    return is_lax or not {"extras", "unknown"}.isdisjoint(kind.__struct_fields__)


_KEPT: Final = {"description": "Anything else is kept as an unknown key."}
_ONE_SOURCE: Final[tuple[_Schema, ...]] = tuple(
    {"not": {"required": [*pair], "properties": {key: {"type": "string"} for key in pair}}}
    for pair in combinations(("data", "url", "fileId"), 2)
)
