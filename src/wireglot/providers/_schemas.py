"""JSON Schemas -> the part of JSON Schema that an API takes: of a tool's parameters, of an answer.

Sources: Anthropic's page on structured outputs, and what its SDK (anthropic 2.11) does with a
schema; OpenAI's guide to structured outputs, 2026-06; for the top of a tool's schema, what the APIs
answer with status 400, by anthropics/claude-code#5319, BerriAI/litellm#38792 (Responses) and
BerriAI/litellm#38839 (Chat Completions), decocms/studio#6874 (names of properties) and
ash-project/ash_ai#155 (strict).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw

from .._objects import encode, is_object
from ..errors import DecodeError
from ..model import RawJson, Tool
from ._tools import NOT_AN_OBJECT, object_schema
from ._writer import Writer

__all__ = ["OPENAI_NEEDS", "OPENAI_REFUSES", "held_to", "input_schema", "parameters", "strict"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_TYPE: Final = {"type": b'"type":"object",'}
"""Keys that a schema must have -> how one is written where it is missing."""
OPENAI_NEEDS: Final = {**_TYPE, "properties": b'"properties":{},'}
_UNIONS: Final = frozenset({"allOf", "anyOf", "oneOf"})
"""What Anthropic's models refuse at the top of a tool's schema."""
OPENAI_REFUSES: Final = _UNIONS | {"const", "enum", "not"}
_OBJECT: Final = Raw(b'"object"')
_BY_NAME: Final = ("properties", "$defs", "definitions")
_LISTED: Final = ("anyOf", "allOf", "oneOf", "prefixItems")
_CONSTRAINTS: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength"}
    | {"maxLength", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
)
_LOOSE: Final = frozenset(
    {"allOf", "oneOf", "not", "if", "then", "else", "patternProperties"}
    | {"dependentRequired", "dependentSchemas"}
)
"""What OpenAI's models are not held to."""


def held_to(schema: RawJson, owner: Any, writer: Writer) -> RawJson:
    """Return a schema that the API takes; `owner` is the tool or the response format.

    Objects are closed, which is a loss for one that says that it is open. A constraint that the API
    refuses, such as `minimum`, goes into the description, where the model reads it. What fits
    already stays as it is, byte for byte.
    """
    changes: list[bool] = []
    try:
        fitted = _fitted(schema.value, changes)
    except DecodeError:  # no JSON: whoever writes it says so
        return schema
    if any(changes):
        writer.lose("json schema", owner)
    return RawJson.of(fitted) if changes else schema


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
    if schema.get("minItems", 0) not in (0, 1):
        refused.append("minItems")
    if refused:
        changes.append(False)
        _tell(fitted, {key: fitted.pop(key) for key in refused})
    return fitted


def _tell(schema: dict[str, Any], told: dict[str, Any]) -> None:
    """Put into the description what the schema cannot say."""
    words = ", ".join(f"{key}: {encode(told[key]).decode()}" for key in told)
    text = schema.get("description")
    schema["description"] = f"{text} ({words})" if isinstance(text, str) and text else words


def _is_object(schema: dict[str, Any]) -> bool:
    kind = schema.get("type")
    return kind == "object" or (isinstance(kind, list) and "object" in kind)


# -- the parameters of a tool ------------------------------------------------------------------

_is_name: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}").fullmatch


def parameters(
    tool: Tool,
    writer: Writer,
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
    schema = object_schema(tool, writer)
    keys = _keys(schema.native())
    is_free = "$ref" not in keys and refused.isdisjoint(keys)
    if is_free and keys.get("type") == _OBJECT and keys.keys() >= needed.keys():
        return schema
    value: dict[str, Any] = schema.value
    fitted = _referred(value) if "$ref" in value else value
    if not refused.isdisjoint(fitted):
        fitted = _merged(fitted, refused, tool, writer)
    if "type" not in fitted and "$ref" in fitted:
        writer.fail(
            "`$ref` of tool parameters without a target, expected one in `$defs`",
            tool,
            ".parameters",
        )
    if fitted.get("type", "object") != "object":
        if not _is_object(fitted):
            writer.fail(NOT_AN_OBJECT, tool, ".parameters")
        fitted = {**fitted, "type": "object"}
    if fitted is not value:
        schema = RawJson.of(fitted)
    added = b"".join(text for key, text in needed.items() if key not in fitted)
    if not added:
        return schema
    return RawJson.adopt(Raw(b"{" + (added if fitted else added[:-1]) + schema.text.strip()[1:]))


def input_schema(tool: Tool, writer: Writer, *, is_claude: bool = True) -> RawJson:
    """Return the schema of a tool's parameters on Anthropic's wires."""
    if writer.takes.unions == "always":
        schema = parameters(tool, writer)
    else:
        schema = parameters(tool, writer, _UNIONS)
        properties = _keys(schema.native()).get("properties")
        names = _keys(properties) if properties is not None and is_object(properties) else ()
        if not all(map(_is_name, names)):
            schema = _named(schema.value, tool, writer)
    return held_to(schema, tool, writer) if tool.strict and is_claude else schema


def _named(value: dict[str, Any], tool: Tool, writer: Writer) -> RawJson:
    """Return a schema whose properties have names that Anthropic takes.

    The description tells of the others, so that a call has them under their own names.
    """
    writer.lose("property name", tool)
    properties = value["properties"]
    odd = {name: properties[name] for name in properties if not _is_name(name)}
    names = _required(value)
    fitted = {key: value[key] for key in value if key != "additionalProperties"}
    fitted["properties"] = {name: properties[name] for name in properties if name not in odd}
    if names:
        fitted["required"] = [name for name in names if name not in odd]
    told = {"properties": odd, "required": [name for name in names if name in odd]}
    _tell(fitted, {key: told[key] for key in told if told[key]})
    return RawJson.of(fitted)


def _referred(root: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with what it refers to in its place, if it is a reference at the top."""
    schema = root
    passed: set[str] = set()
    while isinstance(name := schema.get("$ref"), str) and name not in passed:
        passed.add(name)
        target = _target(name, root)
        if not isinstance(target, dict):
            break
        schema = target | {key: schema[key] for key in schema if key != "$ref"}
    return schema


def _target(name: str, root: dict[str, Any]) -> Any:
    """Return what a reference names, None if that is not in the schema."""
    target: Any = root if name.startswith("#/") else None
    for part in name[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        target = target.get(key) if isinstance(target, dict) else None
    return target


def _merged(
    schema: dict[str, Any], refused: frozenset[str], tool: Tool, writer: Writer
) -> dict[str, Any]:
    """Return an object without the refused keys, which the description tells."""
    told: dict[str, Any] = {}
    merged = _object(schema, schema, told, {})
    if merged is None:
        writer.fail(NOT_AN_OBJECT, tool, ".parameters")
    if told:
        writer.lose("schema union", tool)
    told |= {key: merged.pop(key) for key in sorted(refused & merged.keys())}
    told = {key: told[key] for key in told if told[key] is not None}
    if told:
        _tell(merged, told)
    return merged


def _object(
    schema: Any, root: dict[str, Any], told: dict[str, Any], known: dict[str, Any]
) -> dict[str, Any] | None:
    """Return the object that takes what any object of a union takes, None if it holds none.

    `told` gets each kind of union, and what its objects require if they differ in that. `known` are
    the references that were followed, each once: one that holds itself adds nothing.
    """
    if not isinstance(schema, dict):
        return None
    name = schema.get("$ref")
    if isinstance(name, str):
        if name not in known:
            known[name] = None
            known[name] = _object(_target(name, root), root, told, known)
        if known[name] is None:
            return None
        schema = known[name] | {key: schema[key] for key in schema if key != "$ref"}
    if not _is_object({"type": "object", **schema}):
        return None
    merged = {key: schema[key] for key in schema if key not in _UNIONS}
    for key in sorted(_UNIONS & schema.keys()):
        union = schema[key] if isinstance(schema[key], list) else []
        found = (_object(each, root, told, known) for each in union)
        objects = [each for each in found if each is not None]
        if not objects:
            return None
        is_all = key == "allOf" or len(objects) == 1
        if not is_all:
            required = [_required(each) for each in objects]
            is_alike = all(names == required[0] for names in required)
            told[key] = None if is_alike else [{"required": [*names]} for names in required]
        _merge(merged, objects, is_all=is_all)
    return merged


def _merge(merged: dict[str, Any], objects: list[dict[str, Any]], *, is_all: bool) -> None:
    """Merge objects into one, which fits what all of them fit, or else what any fits."""
    forms: dict[str, dict[bytes, Any]] = {}
    required, listed = Counter[str](), Counter[str]()
    for each in objects:
        required.update(_required(each).keys())
        listed.update(_properties(each).keys())
        for name, form in _properties(each).items():
            forms.setdefault(name, {})[encode(form)] = form
    own = _properties(merged)
    properties = dict(own)
    for name, unlike in forms.items():
        if name in own and is_all:
            unlike = {encode(own[name]): own[name], **unlike}
        elif name in own and listed[name] < len(objects):
            continue
        first, *others = unlike.values()
        union = {"allOf" if is_all else "anyOf": [first, *others]}
        properties[name] = union if others else first
    if properties:
        merged["properties"] = properties
    names = [name for name in required if is_all or required[name] == len(objects)]
    if names:
        merged["required"] = [*dict.fromkeys([*_required(merged), *names])]
    if all(each.get("additionalProperties") is False for each in objects):
        merged.setdefault("additionalProperties", False)
    for each in objects if is_all else ():
        for key in each:
            if key != "additionalProperties":
                merged.setdefault(key, each[key])


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    found = schema.get("properties")
    return found if isinstance(found, dict) else {}


def _required(schema: dict[str, Any]) -> dict[str, None]:
    """Return the names of required properties, each once."""
    found = schema.get("required")
    return dict.fromkeys(found) if isinstance(found, list) else {}


# -- strict -------------------------------------------------------------------------------------


def strict(asked: bool | None, schema: RawJson | None, owner: Any, writer: Writer) -> bool | None:
    """Return whether calls or answers are held to a schema, which OpenAI's models must be able to.

    They are held to closed objects that require all that they have.
    """
    if not asked or writer.takes.optional or schema is None or _is_closed(schema.value):
        return asked
    writer.lose("strict", owner)
    return None


def _is_closed(schema: Any) -> bool:
    if not isinstance(schema, dict):
        return True
    if not _LOOSE.isdisjoint(schema):
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
