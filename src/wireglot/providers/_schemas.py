"""JSON Schemas -> the part of JSON Schema that Anthropic's models can be held to.

Sources: Anthropic's page on structured outputs, and what its SDK (anthropic 2.11) does with a
schema.
"""

from __future__ import annotations

from typing import Any, Final

from .._objects import encode
from ..errors import DecodeError
from ..model import RawJson
from ._writer import Writer

__all__ = ["held_to"]

_BY_NAME: Final = ("properties", "$defs", "definitions")
_LISTED: Final = ("anyOf", "allOf", "oneOf", "prefixItems")
_REFUSED: Final = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength"}
    | {"maxLength", "maxItems", "uniqueItems", "minProperties", "maxProperties"}
)


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
    refused = [key for key in schema if key in _REFUSED]
    if schema.get("minItems", 0) not in (0, 1):
        refused.append("minItems")
    if refused:
        changes.append(False)
        told = ", ".join(f"{key}: {encode(fitted.pop(key)).decode()}" for key in refused)
        text = schema.get("description")
        fitted["description"] = f"{text} ({told})" if isinstance(text, str) and text else told
    return fitted


def _is_object(schema: dict[str, Any]) -> bool:
    kind = schema.get("type")
    return kind == "object" or (isinstance(kind, list) and "object" in kind)
