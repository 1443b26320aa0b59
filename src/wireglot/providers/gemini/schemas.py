"""Gemini's schemas, a dialect of OpenAPI's -> JSON Schema.

A file of its own, since it is a translation of its own: it knows nothing of requests, and both the
rules of the wire and its reader use it.
"""

from __future__ import annotations

from typing import Any, Final

from ...model import Tool
from .._state.stored import lenient_value

_NUMBERS: Final = frozenset(
    {"minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"}
)
_MAPS: Final = frozenset({"properties", "$defs"})
_TYPES: Final = ("", "string", "number", "integer", "boolean", "array", "object", "null")
_SPELLINGS: Final = {
    "any_of": "anyOf",
    "min_items": "minItems",
    "max_items": "maxItems",
    "min_length": "minLength",
    "max_length": "maxLength",
}


def json_schema(schema: Any) -> Any:
    """Return the equivalent JSON Schema.

    In Gemini's schemas a type is a word in capitals or a number, `nullable` stands for the type
    null, and 64-bit numbers are strings. Keywords that JSON Schema does not know
    (`propertyOrdering`) stay, since validators ignore them.
    """
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Any] = {}
    word: str
    for word, value in schema.items():
        key = _SPELLINGS.get(word, word)
        if key == "type" and isinstance(value, str):
            out[key] = value.lower()
        elif key == "type" and type(value) is int and 0 < value < len(_TYPES):
            out[key] = _TYPES[value]
        elif key in _MAPS and isinstance(value, dict):
            out[key] = {name: json_schema(inner) for name, inner in value.items()}
        elif key == "anyOf" and isinstance(value, list):
            out[key] = [json_schema(inner) for inner in value]
        elif key == "items":
            out[key] = json_schema(value)
        elif key in _NUMBERS and isinstance(value, str) and value.isdecimal():
            out[key] = int(value)
        elif key != "nullable":
            out[key] = value
    if schema.get("nullable") is True:
        _admit_null(out)
    return out


def is_changed(tool: Tool, original: Any) -> bool:
    """Whether a tool's schema is another than the one that it came with, in Gemini's dialect."""
    return tool.parameters is None or json_schema(original) != lenient_value(tool.parameters)


def _admit_null(schema: dict[str, Any]) -> None:
    """Let a schema's `type`, `enum` and `anyOf` take null too."""
    if isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
    if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]
    if isinstance(schema.get("anyOf"), list):
        schema["anyOf"] = [*schema["anyOf"], {"type": "null"}]
