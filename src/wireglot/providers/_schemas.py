"""JSON Schemas -> the part of JSON Schema that an API takes."""

from __future__ import annotations

from typing import Any, Final

from ..errors import DecodeError
from ..model import RawJson

__all__ = ["closed"]


def closed(schema: RawJson) -> tuple[RawJson, bool]:
    """Return a schema whose objects take no further properties, and whether one said it would.

    Anthropic's models answer in no other schema. One that is closed already stays as it is.
    """
    found: list[bool] = []
    try:
        made = _closed(schema.value, found)
    except DecodeError:  # no JSON: whoever writes it says so
        return schema, False
    return (RawJson.of(made) if found else schema), any(found)


_BY_NAME: Final = ("properties", "$defs", "definitions")
_LISTED: Final = ("anyOf", "allOf", "oneOf", "prefixItems")


def _closed(schema: Any, found: list[bool]) -> Any:
    """Return a closed schema; note in `found`, for each object that was open, if it said so."""
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    for key in _BY_NAME:
        if isinstance(schema.get(key), dict):
            made[key] = {name: _closed(inner, found) for name, inner in schema[key].items()}
    for key in _LISTED:
        if isinstance(schema.get(key), list):
            made[key] = [_closed(inner, found) for inner in schema[key]]
    if "items" in schema:
        made["items"] = _closed(schema["items"], found)
    if _is_object(schema) and schema.get("additionalProperties") is not False:
        found.append("additionalProperties" in schema)
        made["additionalProperties"] = False
    return made


def _is_object(schema: dict[str, Any]) -> bool:
    kind = schema.get("type")
    return kind == "object" or (isinstance(kind, list) and "object" in kind)
