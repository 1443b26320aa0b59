"""A JSON Schema in the words of drafts 3 and 4 -> the same in those of 2020-12.

There `required` was a boolean of a property, and `exclusiveMinimum` one beside `minimum`. MCP
servers still write both. Refusals were reported of Claude (Dokploy/mcp#74, 2026-08;
homeassistant-ai/ha-mcp#2361, 2026-09), OpenAI (CherryHQ/cherry-studio#4188, 2025-03) and Mistral
(ayunis-core/ayunis-core#975, 2026-07); every API takes the words of today.
"""

from __future__ import annotations

import re
from operator import is_
from typing import Any, Final

from ...errors import DecodeError
from ...model import RawJson
from ...model.rawjson import exact

may_be_old: Final = re.compile(
    rb'"(?:required|exclusiveM(?:in|ax)imum)"\s*:\s*(?:true|false)'
).search
_BY_NAME: Final = frozenset(
    {"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
)
_SCHEMAS: Final = frozenset(
    {"additionalItems", "additionalProperties", "allOf", "anyOf", "contains", "else", "if", "items"}
    | {"not", "oneOf", "prefixItems", "propertyNames", "then"}
)
_BOUNDS: Final = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}


def modern(schema: RawJson) -> RawJson:
    """Return a schema without words of older drafts, itself if it has none."""
    try:
        value = exact(schema)
    except DecodeError:  # of a number that Python cannot hold: whoever reads it says so
        return schema
    new = _new(value)
    return schema if new is value else RawJson.of(new)


def _new(schema: Any) -> Any:
    if isinstance(schema, list):
        parts = [*map(_new, schema)]
        return schema if all(map(is_, parts, schema)) else parts
    if not isinstance(schema, dict):
        return schema
    new: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _BY_NAME and isinstance(value, dict):
            inner = {name: _new(part) for name, part in value.items()}
            new[key] = value if all(inner[name] is value[name] for name in value) else inner
        else:
            new[key] = _new(value) if key in _SCHEMAS else value
    needed = [name for name, part in _properties(schema).items() if part.get("required") is True]
    if needed:
        named = new.get("required")
        named = named if isinstance(named, list) else []
        known = {name for name in named if isinstance(name, str)}
        new["required"] = [*named, *(name for name in needed if name not in known)]
    elif isinstance(new.get("required"), bool):
        del new["required"]
    for key, bound in _BOUNDS.items():
        if isinstance(new.get(key), bool):
            is_exclusive = new.pop(key)
            if is_exclusive and bound in new:
                new[key] = new.pop(bound)
    is_same = new.keys() == schema.keys() and all(new[key] is schema[key] for key in schema)
    return schema if is_same else new


def _properties(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = schema.get("properties")
    parts = found if isinstance(found, dict) else {}
    return {name: part for name, part in parts.items() if isinstance(part, dict)}
