"""The types of the model by their names in a schema, for frameworks with definitions of their own.

The name of a type is the same whichever others a document has.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from msgspec import Struct

from .. import model
from ..schema import schema_components

_UNIONS: Final = {
    "Content": model.Content,
    "Message": model.Message,
    "StreamEvent": model.StreamEvent,
    "AgentMessage": model.AgentMessage,
    "LlmMessage": model.LlmMessage,
}


def name_of(kind: Any) -> str | None:
    """Return the name of a type of the model, None for any other type."""
    for name, union in _UNIONS.items():
        if kind == union:
            return name
    is_ours = isinstance(kind, type) and definitions().get(kind.__name__) is not None
    return kind.__name__ if is_ours and kind.__module__.startswith(model.__name__) else None


@cache
def definitions() -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each type by its name; a reference (`$ref`) is a name alone."""
    unions, components = schema_components(_UNIONS.values(), ref_template="{name}")
    kinds = [each for each in vars(model).values() if isinstance(each, type)]
    structs = [kind for kind in kinds if issubclass(kind, Struct)]
    _, others = schema_components(structs, ref_template="{name}")
    return {**others, **components, **dict(zip(_UNIONS, unions, strict=True))}


def names_below(schema: dict[str, Any]) -> list[str]:
    """Return the names of all definitions that a schema needs, at any depth."""
    found: dict[str, None] = {}
    waiting = [schema]
    while waiting:
        for name in _refs(waiting.pop()):
            if name not in found:
                found[name] = None
                waiting.append(definitions()[name])
    return [*found]


def _refs(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"]
        for value in schema.values():
            yield from _refs(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _refs(item)
