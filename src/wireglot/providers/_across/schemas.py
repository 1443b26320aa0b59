"""JSON Schemas -> the part of JSON Schema that an API takes: of a tool's parameters, of an answer.

Sources: Anthropic's page on structured outputs, and what its SDK (anthropic 2.11) does with a
schema; OpenAI's guide to structured outputs, 2026-06; for the top of a tool's schema, what the APIs
answer with status 400, by anthropics/claude-code#5319, BerriAI/litellm#38792 (Responses) and
BerriAI/litellm#38839 (Chat Completions), decocms/studio#6874 (names of properties),
ash-project/ash_ai#155 (strict), vercel/ai#21037 (lookaround), and what pydantic-ai 2.68 takes out
of strict schemas.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from operator import is_
from typing import Any, Final
from urllib.parse import unquote

import msgspec
from msgspec import Raw

from ..._body.encode import encode_json as encode
from ..._body.objects import is_object
from ...errors import DecodeError, quoted
from ...model import RawJson, ResponseFormat, Tool
from ...model.rawjson import exact
from .._state.encoding import Encoding
from .._state.stored import lenient_value
from .tools import NOT_AN_OBJECT, object_schema

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_TYPE: Final = {"type": b'"type":"object",'}
"""Keys that a schema must have -> how one is written where it is missing."""
OPENAI_NEEDS: Final = {**_TYPE, "properties": b'"properties":{},'}
_UNIONS: Final = frozenset({"allOf", "anyOf", "oneOf"})
"""What Anthropic's models refuse at the top of a tool's schema."""
OPENAI_REFUSES: Final = _UNIONS | {"const", "enum", "not"}
_OBJECT: Final = Raw(b'"object"')
_BY_NAME: Final = ("properties", "$defs", "definitions")
_NAMED: Final = frozenset({*_BY_NAME, "patternProperties", "dependentSchemas"})
_NOTES: Final = frozenset({"$comment", "$id", "$schema", "examples", "title"})
"""Keys that bind nothing."""
_BESIDE: Final = _NOTES | {"description", "$defs", "definitions"}
"""Keys that are not compared with those that a reference names: what is beside it has its own."""
_TOGETHER: Final = {
    key: keys
    for keys in (("if", "then", "else"), ("contains", "minContains", "maxContains"))
    for key in keys
}
"""Keys of which one means nothing without those beside it."""
_DATA: Final = frozenset({"const", "default", "enum", "examples"})
_LISTED: Final = ("anyOf", "allOf", "oneOf", "prefixItems")
_CONSTRAINTS: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength"}
    | {"maxLength", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
    | {
        "prefixItems",
        "contains",
        "minContains",
        "maxContains",
        "patternProperties",
        "propertyNames",
    }
    | {"dependentRequired", "dependentSchemas", "not", "if", "then", "else"}
    | {"unevaluatedItems", "unevaluatedProperties"}
)
"""What Anthropic's models are not held to."""
_FORMATS: Final = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"}
)
"""The formats of strings that they are held to."""
_is_odd_pattern: Final = re.compile(r"\(\?[=!<]|\\[bB1-9]").search
"""Whether a pattern looks around, refers back, or asks for the edge of a word."""
_LOOSE: Final = frozenset(
    {"allOf", "oneOf", "not", "if", "then", "else", "patternProperties"}
    | {"dependentRequired", "dependentSchemas"}
)
"""What OpenAI's models are not held to."""
_UNHELD: Final = frozenset(
    {"contains", "maxContains", "maxProperties", "minContains", "minProperties"}
    | {"propertyNames", "unevaluatedItems", "unevaluatedProperties", "uniqueItems"}
)
"""What OpenAI refuses in a schema that binds, though the description can tell it as well."""
_BOUND_FORMATS: Final = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}
)
"""The formats that a schema which binds can have at OpenAI."""
_TYPED: Final = frozenset({"$ref", "allOf", "anyOf", "const", "enum", "oneOf", "type"})
_looks_around: Final = re.compile(r"(?:[^\\]|\\[\s\S])*?\(\?<?[=!]").match
"""Matches a regular expression that looks ahead or behind, outside of escapes."""


def held_to(schema: RawJson, owner: Any, encoding: Encoding, about: str | None = None) -> RawJson:
    """Return a schema that the API takes; `owner` is the tool or the response format.

    Objects are closed, which is a loss for one that says that it is open. A constraint that the API
    refuses, such as `minimum`, goes into the description, where the model reads it; and so does
    what `about` says of the whole. What fits already stays as it is, byte for byte.
    """
    changes: list[bool] = []
    try:
        fitted = _fitted(exact(schema), changes)
    except DecodeError:  # of an integer that Python cannot hold: whoever reads it says so
        return schema
    if any(changes):
        encoding.lose("json schema", owner)
    if about and isinstance(fitted, dict):
        own = fitted.get("description")
        fitted["description"] = f"{about} {own}" if isinstance(own, str) and own else about
        changes.append(False)
    return RawJson.of(fitted) if changes else schema


def described(asked: ResponseFormat) -> RawJson | None:
    """Return the schema of a format, with the format's own description as the schema's.

    Models read it; some APIs have no other place for it.
    """
    if asked.schema is None or not asked.description or not is_object(asked.schema.native()):
        return asked.schema
    keys = _keys(asked.schema.native())
    own = lenient_value(asked.schema).get("description")
    told = f"{asked.description} {own}" if isinstance(own, str) and own else asked.description
    return RawJson.adopt(Raw(encode(keys | {"description": told})))


def _fitted(schema: Any, changes: list[bool]) -> Any:
    """Return a schema that fits; note in `changes` each change, and if an open object said so."""
    if not isinstance(schema, dict):
        return schema
    fitted = dict(schema)
    for key in _BY_NAME:
        if isinstance(schema.get(key), dict):
            fitted[key] = {name: _fitted(inner, changes) for name, inner in schema[key].items()}
    for key in _LISTED:
        if isinstance(schema.get(key), list):
            fitted[key] = [_fitted(inner, changes) for inner in schema[key]]
    if "items" in schema:
        fitted["items"] = _fitted(schema["items"], changes)
    if _is_object(schema) and schema.get("additionalProperties") is not False:
        changes.append("additionalProperties" in schema)
        fitted["additionalProperties"] = False
    if "oneOf" in fitted and "anyOf" not in fitted:
        changes.append(False)
        fitted["anyOf"] = fitted.pop("oneOf")
    refused = [key for key in schema if key in _CONSTRAINTS]
    if _number(schema.get("minItems", 0)) not in (0, 1):
        refused.append("minItems")
    if isinstance(schema.get("items"), bool):
        refused.append("items")
    if "format" in schema and schema["format"] not in _FORMATS:
        refused.append("format")
    if isinstance(schema.get("pattern"), str) and _is_odd_pattern(schema["pattern"]):
        refused.append("pattern")
    if refused:
        changes.append(False)
        _tell(fitted, {key: fitted.pop(key) for key in refused})
    return fitted


def _number(value: Any) -> Any:
    """Return what a number is worth that is written as a fraction or a power."""
    return float(bytes(value)) if type(value) is Raw else value


def _tell(schema: dict[str, Any], told: dict[str, Any]) -> None:
    """Put into the description what the schema cannot say."""
    words = ", ".join(f"{key}: {encode(told[key]).decode()}" for key in told)
    text = schema.get("description")
    schema["description"] = f"{text} ({words})" if isinstance(text, str) and text else words


def _is_object(schema: dict[str, Any]) -> bool:
    kind = schema.get("type")
    return kind == "object" or (isinstance(kind, list) and "object" in kind)


# -- the parameters of a tool ------------------------------------------------------------------

_is_index: Final = re.compile(r"\d{1,9}", re.ASCII).fullmatch
_is_name: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}").fullmatch
_MOST_TIMES, _FREE = 4, 1000
"""What is merged of a schema is at most so many times as large, and so many bytes more."""
_REPEATED: Final = (
    f"unions of tool parameters that are more than {_MOST_TIMES} times as large as one object, "
    "expected fewer references"
)


def _most(size: int) -> int:
    return _MOST_TIMES * size + _FREE


def parameters(
    tool: Tool,
    encoding: Encoding,
    refused: frozenset[str] = frozenset(),
    needed: Mapping[str, bytes] = _TYPE,
) -> RawJson:
    """Return the schema of a tool's parameters, on a wire that requires an object schema.

    Keys of `needed` that are missing are added. `refused` are keys that the API refuses at the top.
    The objects of a union there are merged into one that takes all that any of them takes, which is
    a loss, but for `allOf`; the description tells the rest. What fits already stays as it is, byte
    for byte.

    Raises `EncodeError` if no object fits the schema, or if it refers to what is not there.
    """
    schema = object_schema(tool, encoding)
    keys = _keys(schema.native())
    is_free = "$ref" not in keys and refused.isdisjoint(keys)
    if is_free and keys.get("type", _OBJECT) == _OBJECT:
        return _with_needed(schema, keys, needed)
    try:
        value: dict[str, Any] = exact(schema)
    except DecodeError as error:
        encoding.fail(error.reason, tool, ".parameters")
    most = _most(len(schema.text))
    fitted = value
    if "$ref" in value:
        try:
            fitted = _referred(value, most)
        except _TooLarge:
            encoding.fail(_REPEATED, tool, ".parameters")
    if not refused.isdisjoint(fitted):
        fitted = _merged(fitted, refused, tool, encoding, most)
    if "type" not in fitted and "$ref" in fitted:
        encoding.fail(
            "`$ref` of tool parameters without a target, expected one in `$defs`",
            tool,
            ".parameters",
        )
    if fitted.get("type", "object") != "object":
        if not _is_object(fitted):
            encoding.fail(NOT_AN_OBJECT, tool, ".parameters")
        fitted = {**fitted, "type": "object"}
    if fitted is not value:
        fitted = _with_targets(fitted, value, tool, encoding)
        schema = RawJson.of(fitted)
    return _with_needed(schema, fitted, needed)


def _with_targets(
    fitted: dict[str, Any], root: dict[str, Any], tool: Tool, encoding: Encoding
) -> dict[str, Any]:
    """Return a schema in which what is no longer there is written where it is referred to.

    Raises `EncodeError` if that holds itself, or makes the schema many times as large.
    """
    waiting: list[Any] = [fitted]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and _is_lost(part.get("$ref"), root, fitted):
            break
        waiting += _inner(part)
    else:
        return fitted
    try:
        made: dict[str, Any] = _Inlining(fitted, root).part(fitted)
    except _TooLarge:
        encoding.fail(_REPEATED, tool, ".parameters")
    except _Endless as error:
        reason = f"`$ref` to {quoted(error.name)}, which this API does not take there"
        encoding.fail(f"{reason}, expected one to `$defs`", tool, ".parameters")
    return made


def _is_lost(name: Any, root: dict[str, Any], fitted: dict[str, Any]) -> bool:
    """Whether a reference names what was in a schema before, and is no longer."""
    is_there = isinstance(name, str) and _target(name, root) is not None
    return is_there and _target(name, fitted) is None


def _inner(part: Any) -> Iterable[Any]:
    """Return the schemas in a schema, or in a list of them; data such as a default is none."""
    if isinstance(part, list):
        return part
    inner: list[Any] = []
    for key, value in part.items() if isinstance(part, dict) else ():
        if key in _NAMED and isinstance(value, dict):
            inner += value.values()
        elif key not in _DATA:
            inner.append(value)
    return inner


class _Endless(Exception):  # noqa: N818 -- a signal to whoever knows the tool
    """Raised where what a reference names holds itself."""

    def __init__(self, name: str) -> None:
        self.name = name


class _Inlining:
    """A schema in which each reference to what is lost becomes a copy of that."""

    def __init__(self, fitted: dict[str, Any], root: dict[str, Any]) -> None:
        self._fitted = fitted
        self._root = root
        self._most = _most(len(encode(root)))
        # The bytes of the part at hand; and by its name each target and its bytes, or None while
        # it is made.
        self._size = len(encode(fitted))
        self._known: dict[str, tuple[Any, int] | None] = {}

    def part(self, value: Any) -> Any:
        """Return a schema, or a list of them, with targets."""
        if isinstance(value, list):
            return [self.part(each) for each in value]
        if not isinstance(value, dict):
            return value
        made = {}
        for key, inner in value.items():
            if key in _NAMED and isinstance(inner, dict):
                made[key] = {name: self.part(each) for name, each in inner.items()}
            else:
                made[key] = inner if key in _DATA else self.part(inner)
        name = value.get("$ref")
        if not isinstance(name, str) or not _is_lost(name, self._root, self._fitted):
            return made
        return _joined(self._referred(name), _beside_reference(made))

    def _referred(self, name: str) -> Any:
        if name not in self._known:
            target = _target(name, self._root)
            self._known[name] = None
            outer, self._size = self._size, len(encode(target))
            self._known[name] = self.part(target), self._size
            self._size = outer
        known = self._known[name]
        if known is None:
            raise _Endless(name)
        self._size += known[1]
        if self._size > self._most:
            raise _TooLarge
        return known[0]


def _with_needed(schema: RawJson, keys: Mapping[str, Any], needed: Mapping[str, bytes]) -> RawJson:
    """Return a schema with the keys that it must have, before its own."""
    added = b"".join(text for key, text in needed.items() if key not in keys)
    if not added:
        return schema
    rest = schema.text.strip()[1:]
    return RawJson.adopt(Raw(b"{%b%b" % (added if keys else added[:-1], rest)))


def with_type(schema: RawJson, keys: Mapping[str, Any]) -> RawJson:
    """Return a schema with `"type":"object"` before its own keys, unless it says what it is."""
    says = not {"type", "$ref", "anyOf", "oneOf", "allOf"}.isdisjoint(keys)
    return schema if says else _with_needed(schema, keys, _TYPE)


def input_schema(tool: Tool, encoding: Encoding, *, is_held: bool) -> RawJson:
    """Return the schema of a tool's parameters on Anthropic's wires.

    `is_held` says whether calls are held to it.
    """
    if encoding.takes.unions == "always":
        schema = parameters(tool, encoding)
    else:
        schema = parameters(tool, encoding, _UNIONS)
        properties = _keys(schema.native()).get("properties")
        names = _keys(properties) if properties is not None and is_object(properties) else ()
        if not all(map(_is_name, names)):
            schema = _named(exact(schema), tool, encoding)
    return held_to(schema, tool, encoding) if is_held else schema


def _named(value: dict[str, Any], tool: Tool, encoding: Encoding) -> RawJson:
    """Return a schema whose properties have names that Anthropic takes.

    The description tells of the others, so that a call has them under their own names.
    """
    encoding.lose("property name", tool)
    properties = value["properties"]
    odd = {name: properties[name] for name in properties if not _is_name(name)}
    names = _required(value)
    fitted = {key: value[key] for key in value if key != "additionalProperties"}
    fitted["properties"] = {name: properties[name] for name in properties if name not in odd}
    if names:
        fitted["required"] = [name for name in names if name not in odd]
    fitted = _with_targets(fitted, value, tool, encoding)
    told = {"properties": odd, "required": [name for name in names if name in odd]}
    _tell(fitted, {key: told[key] for key in told if told[key]})
    return RawJson.of(fitted)


def _referred(root: dict[str, Any], most: int) -> dict[str, Any]:
    """Return a schema with what it refers to in its place, if it is a reference at the top.

    Raises `_TooLarge` if its parts, one of which may hold the others, have more bytes than `most`.
    """
    chain = [root]
    passed: set[str] = set()
    while isinstance(name := chain[-1].get("$ref"), str) and name not in passed:
        passed.add(name)
        target = _target(name, root)
        if not isinstance(target, dict):
            break
        chain.append(target)
    schema = dict(chain.pop())
    more = []  # what says otherwise on something of that
    said = _Said(schema)
    for each in reversed(chain):
        beside = _beside_reference(each)
        most -= len(encode(beside))
        if most < 0:
            raise _TooLarge
        if said.contradicts(beside):
            more.append({key: beside.pop(key) for key in [*beside] if key not in _BESIDE})
        schema.update(beside)
    if more:
        parts = schema.get("allOf")
        schema["allOf"] = [*(parts if isinstance(parts, list) else ()), *more]
    return schema


def _joined(target: Any, beside: dict[str, Any]) -> Any:
    """Return a schema that fits what a reference names, and what is beside the reference."""
    if not beside:
        return target
    if not isinstance(target, dict) or _Said(target).contradicts(beside):
        return _both(target, beside)
    return target | beside


class _Said:
    """What a schema says, to compare others with it; each unit of it is encoded only once."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema
        self._known: dict[str, bytes] = {}

    def contradicts(self, beside: dict[str, Any]) -> bool:
        """Whether another schema says otherwise on the same."""
        return any(
            (known := self._text(unit)) and known != encode(unit)
            for unit in _units(beside)
            if _BESIDE.isdisjoint(unit)
        )

    def _text(self, like: dict[str, Any]) -> bytes:
        """Return the unit that another schema has as `like`, or nothing."""
        first = next(iter(like))
        group = _TOGETHER.get(first, (first,))
        known = self._known.get(group[0], b"")
        if not known:
            unit = {key: self._schema[key] for key in group if key in self._schema}
            if unit:
                known = self._known[group[0]] = encode(unit)
        return known


def _both(target: Any, beside: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that fits both, where they say otherwise on the same."""
    parts = beside.get("allOf")
    return {**beside, "allOf": [target, *(parts if isinstance(parts, list) else ())]}


def _units(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a schema in parts; keys that mean something only together are one unit."""
    groups = dict.fromkeys(_TOGETHER.get(key, (key,)) for key in schema)
    return [{key: schema[key] for key in group if key in schema} for group in groups]


def _unit(schema: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    """Return the unit of a schema that another schema has as `like`, or an empty one."""
    first = next(iter(like))
    return {key: schema[key] for key in _TOGETHER.get(first, (first,)) if key in schema}


def _beside_reference(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: schema[key] for key in schema if key != "$ref"}


def _target(name: str, root: dict[str, Any]) -> Any:
    """Return what a reference names, None if that is not in the schema."""
    target: Any = root if name.startswith("#/") else None
    for part in name[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(target, list):
            index = int(key) if _is_index(key) else len(target)
            target = target[index] if index < len(target) else None
        else:
            found = target if isinstance(target, dict) else {}
            target = found.get(key, found.get(unquote(key)))  # RFC 6901, section 6
    return target


def _merged(
    schema: dict[str, Any], refused: frozenset[str], tool: Tool, encoding: Encoding, most: int
) -> dict[str, Any]:
    """Return an object without the refused keys, which the description tells."""
    merging = _Merging(schema, most)
    try:
        merged = merging.object(schema)
        merging.check_size(merged or {})
    except _TooLarge:
        encoding.fail(_REPEATED, tool, ".parameters")
    if merged is None:
        encoding.fail(NOT_AN_OBJECT, tool, ".parameters")
    told = merging.told
    if told:
        encoding.lose("schema union", tool)
    of_all: list[dict[str, Any]] = []
    for key, parts in merging.others.items():
        if key == "allOf" or len(parts) > 1 or told.get(key):  # which must hold together
            of_all += parts.values()
        else:
            told[key] = [*parts.values()]
    if of_all:
        told["allOf"] = of_all
    told |= {key: merged.pop(key) for key in sorted(refused & merged.keys())}
    told = {key: told[key] for key in told if told[key] is not None}
    if told:
        _tell(merged, told)
    return merged


_UNTOLD: Final = _NOTES | {"type", "properties", "required", "$defs", "definitions"}
"""Keys of objects that are merged, that only references ask for, or that bind nothing."""
_OPEN: Final = {"additionalProperties": True}


class _TooLarge(Exception):  # noqa: N818 -- a signal to whoever knows the tool
    """Raised where a schema has unions that would be many times as large as one object."""


class _Merging:
    """The unions of a schema, merged: the objects of each become one.

    `told` gets each kind of union, and what its objects require if they differ in that; `others`
    by the kind of union what all objects are to fit, where another of them says otherwise.

    An object that many unions refer to is merged in each of them, so that a schema could double
    with each level. `most` bounds the keys that are merged, and the bytes of what is made of them.
    """

    def __init__(self, root: dict[str, Any], most: int) -> None:
        self.told: dict[str, Any] = {}
        self.others: dict[str, dict[tuple[Any, ...], dict[str, Any]]] = {}
        self._root = root
        self._most = most
        self._left = most
        # The references that were followed, each once: one that holds itself adds nothing.
        self._known: dict[str, dict[str, Any] | None] = {}
        # By the id of a property's schema: what tells it from others, which is its text, or the
        # number of a union; how many bytes it has; and the schema, so that it keeps its id.
        self._known_forms: dict[int, tuple[bytes | int, int, Any]] = {}
        self._numbers: dict[tuple[Any, ...], int] = {}

    def object(self, schema: Any) -> dict[str, Any] | None:
        """Return the object that takes what any object of a union takes, None if it holds none."""
        if not isinstance(schema, dict):
            return None
        name = schema.get("$ref")
        if isinstance(name, str):
            if name not in self._known:
                self._known[name] = None
                self._known[name] = self.object(_target(name, self._root))
            found = self._known[name]
            if found is None:
                return None
            self._count(len(found))
            beside = _beside_reference(schema)
            is_otherwise = any(
                (same := _unit(found, unit)) and not self._is_alike(same, unit)
                for unit in _units(beside)
                if _BESIDE.isdisjoint(unit)
            )
            schema = _both(found, beside) if is_otherwise else found | beside
        if not _is_object({"type": "object", **schema}):
            return None
        merged = {key: schema[key] for key in schema if key not in _UNIONS}
        for key in sorted(_UNIONS & schema.keys()):
            union = schema[key] if isinstance(schema[key], list) else []
            objects = [each for each in map(self.object, union) if each is not None]
            if not objects:
                return None
            is_all = key == "allOf" or len(objects) == 1
            required = self._required(objects)
            if not is_all:
                first = required[0]
                is_alike = all(names is first or names == first for names in required)
                self.told[key] = None if is_alike else self._requirements(required)
            self._merge(merged, objects, _distinct(required), is_all=is_all)
            for each in objects if is_all else ():
                self._fit(merged, each, key)
        return merged

    def _required(self, objects: list[dict[str, Any]]) -> list[dict[str, None]]:
        """Return what each object requires; objects that share a list share what is returned."""
        known: dict[int, dict[str, None]] = {}
        for each in objects:
            names = each.get("required")
            if id(names) not in known:
                self._count(2 * len(names) if isinstance(names, list) else 0)
                known[id(names)] = _required(each)
        return [known[id(each.get("required"))] for each in objects]

    def _requirements(self, required: list[dict[str, None]]) -> list[Any]:
        sizes = {id(names): sum(map(len, names)) for names in _distinct(required)}
        self._count(sum(sizes[id(names)] for names in required))
        return [{"required": [*names]} for names in required]

    def _merge(
        self,
        merged: dict[str, Any],
        objects: list[dict[str, Any]],
        required: list[dict[str, None]],
        *,
        is_all: bool,
    ) -> None:
        """Merge objects into one, which fits what all of them fit, or else what any fits."""
        own = _properties(merged)
        self._count(len(own))
        parts = _distinct(map(_properties, objects))
        self._count(2 * sum(map(len, [*objects, *parts])))
        forms: dict[str, Any] = dict(own) if is_all else {}
        unlike: dict[str, dict[bytes | int, Any]] = {}
        for part in parts:
            for name, form in part.items():
                first = forms.setdefault(name, form)
                if first is not form:
                    known = unlike.setdefault(name, {self._key(first): first})
                    known.setdefault(self._key(form), form)
        for name, known in unlike.items():
            forms[name] = self._union("allOf" if is_all else "anyOf", known)
        if not is_all:
            of_all = set(own).intersection(*parts)
            forms = own | {name: forms[name] for name in forms if name not in own or name in of_all}
        if forms:
            merged["properties"] = forms
        names = dict.fromkeys(_required(merged))
        if is_all:
            for more in required:
                names |= more
        else:
            of_all = set(required[0]).intersection(*required[1:])
            names |= {name: None for name in required[0] if name in of_all}
        if names:
            merged["required"] = [*names]
        if all(each.get("additionalProperties") is False for each in objects):
            merged.setdefault("additionalProperties", False)

    def _fit(self, merged: dict[str, Any], each: dict[str, Any], kind: str) -> None:
        """Add to an object what it is to fit as well; `others` gets what it says otherwise."""
        told: list[dict[str, Any]] = []
        for unit in _units(each):
            same = _unit(merged, unit)
            if not same and "additionalProperties" not in unit:
                merged |= unit
            elif _UNTOLD.isdisjoint(unit) and not self._is_alike(same or _OPEN, unit):
                told.append(unit)
        if kind != "allOf":  # all that one object says
            told = [{key: form for unit in told for key, form in unit.items()}] if told else []
        for unit in told:
            name = tuple((key, self._key(form)) for key, form in unit.items())
            self.others.setdefault(kind, {})[name] = unit

    def _is_alike(self, one: dict[str, Any], other: dict[str, Any]) -> bool:
        return one.keys() == other.keys() and all(
            one[key] is form or self._key(one[key]) == self._key(form)
            for key, form in other.items()
        )

    def _union(self, kind: str, forms: dict[bytes | int, Any]) -> Any:
        """Return the union of a property's schemas, which are given by what tells them apart."""
        first, *others = forms.values()
        if not others:
            return first
        self._count(len(forms))
        union = {kind: [first, *others]}
        size = len('{"anyOf":[]}') + sum(self._known_forms[id(form)][1] + 1 for form in union[kind])
        if size > self._most:
            raise _TooLarge
        number = self._numbers.setdefault((kind, *forms), len(self._numbers))
        self._known_forms[id(union)] = number, size, union
        return union

    def _key(self, form: Any) -> bytes | int:
        found = self._known_forms.get(id(form))
        if found is None:
            text = encode(form)
            found = self._known_forms[id(form)] = text, len(text), form
            self._count(len(text))
        return found[0]

    def check_size(self, merged: dict[str, Any]) -> None:
        """Raise `_TooLarge` if the unions in an object are too large together."""
        known = [self._known_forms.get(id(form)) for form in _properties(merged).values()]
        if sum(size for _, size, _ in filter(None, known)) > self._most:
            raise _TooLarge

    def _count(self, more: int) -> None:
        self._left -= more
        if self._left < 0:
            raise _TooLarge


def _distinct(parts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each part once, however many objects share it."""
    return [*{id(part): part for part in parts}.values()]


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _required(schema: dict[str, Any]) -> dict[str, None]:
    """Return the names of required properties, each once."""
    found = schema.get("required")
    names = found if isinstance(found, list) else []
    return dict.fromkeys(name for name in names if isinstance(name, str))


# -- strict -------------------------------------------------------------------------------------


def strict(
    asked: bool | None, schema: RawJson | None, owner: Any, encoding: Encoding
) -> tuple[bool | None, RawJson | None]:
    """Return whether calls or answers are held to a schema, and the schema as OpenAI takes it.

    Its models are held to closed objects that require all that they have. What else they refuse
    goes into the descriptions. What fits already stays as it is, byte for byte.
    """
    takes = encoding.takes
    if schema is None or takes.optional or not (asked or _may_look(schema, encoding)):
        return asked, schema
    try:
        value = exact(schema)
    except DecodeError:  # of a number that Python cannot hold: whoever reads it says so
        return asked, schema
    if asked and not _is_closed(value):
        encoding.lose("strict", owner)
        asked = None
    if not asked and takes.lookaround:
        return asked, schema
    fitted = _told(value, is_bound=bool(asked))
    return asked, schema if fitted is value else RawJson.of(fitted)


def _may_look(schema: RawJson, encoding: Encoding) -> bool:
    """Whether a schema that does not bind perhaps has a pattern that looks around."""
    return not encoding.takes.lookaround and b"(?" in schema.text


def _told(schema: Any, *, is_bound: bool) -> Any:
    """Return a schema with what OpenAI refuses in its descriptions; itself if there is nothing."""
    if isinstance(schema, list):
        parts = [_told(part, is_bound=is_bound) for part in schema]
        return schema if all(map(is_, parts, schema)) else parts
    if not isinstance(schema, dict):
        return schema
    fitted: dict[str, Any] = {}
    refused: dict[str, Any] = {}
    for key, value in schema.items():
        if _is_refused(key, value, is_bound=is_bound):
            refused[key] = value
        elif key in _NAMED and isinstance(value, dict):
            inner = {name: _told(part, is_bound=is_bound) for name, part in value.items()}
            fitted[key] = value if all(inner[name] is value[name] for name in value) else inner
        else:
            fitted[key] = value if key in _DATA else _told(value, is_bound=is_bound)
    if refused:
        _tell(fitted, refused)
    elif all(map(is_, fitted.values(), schema.values())):
        fitted = schema
    if is_bound and "$ref" in fitted and len(fitted) > 1:
        beside = {key: value for key, value in fitted.items() if key != "$ref"}
        fitted = {"anyOf": [{"$ref": fitted["$ref"]}], **beside}
    return fitted


def _is_refused(key: str, value: Any, *, is_bound: bool) -> bool:
    """Whether OpenAI refuses a key of a schema."""
    if key == "pattern":
        return isinstance(value, str) and _looks_around(value) is not None
    if not is_bound:
        return False
    return key in _UNHELD or (
        key == "format" and isinstance(value, str) and value not in _BOUND_FORMATS
    )


def _is_closed(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return True
    if not _LOOSE.isdisjoint(schema):
        return False
    if schema.get("type") == "array" and "prefixItems" not in schema:
        items = schema.get("items")
        if not isinstance(items, dict) or _TYPED.isdisjoint(items):
            return False
    properties = _properties(schema)
    is_open = schema.get("additionalProperties") is not False
    if (properties or _is_object(schema)) and (is_open or properties.keys() - _required(schema)):
        return False
    inner = [schema.get("items")]
    for key in _BY_NAME:
        inner += schema[key].values() if isinstance(schema.get(key), dict) else ()
    for key in _LISTED:
        inner += schema[key] if isinstance(schema.get(key), list) else ()
    return all(map(_is_closed, inner))
