"""Schemas in Gemini's words -> JSON Schema."""

from typing import Any

import pytest

from wireglot.providers.gemini.schemas import json_schema

SCHEMAS: dict[str, tuple[Any, Any]] = {
    "a type in capitals": ({"type": "STRING"}, {"type": "string"}),
    "a type as a number": ({"type": 6}, {"type": "object"}),
    "a number that is no type": ({"type": 9}, {"type": 9}),
    "a type that is not given": ({"type": 0}, {"type": 0}),
    "numbers as text": (
        {"type": "ARRAY", "minItems": "1", "max_items": "3", "items": {"type": "INTEGER"}},
        {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "integer"}},
    ),
    "a number as no number": ({"minLength": "two"}, {"minLength": "two"}),
    "properties, whatever their names": (
        {"properties": {"type": {"type": "BOOLEAN"}, "items": {"type": "NUMBER"}}},
        {"properties": {"type": {"type": "boolean"}, "items": {"type": "number"}}},
    ),
    "properties that are none": ({"properties": "all"}, {"properties": "all"}),
    "null beside a type": (
        {"type": "STRING", "nullable": True, "enum": ["a", "b"]},
        {"type": ["string", "null"], "enum": ["a", "b", None]},
    ),
    "null in a choice that has it": (
        {"nullable": True, "enum": ["a", None]},
        {"enum": ["a", None]},
    ),
    "null beside others": (
        {"any_of": [{"type": "STRING"}, {"type": "NUMBER"}], "nullable": True},
        {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]},
    ),
    "no null": ({"type": "STRING", "nullable": False}, {"type": "string"}),
    "an order that JSON Schema does not know": (
        {"propertyOrdering": ["a"]},
        {"propertyOrdering": ["a"]},
    ),
    "a schema that is true": (True, True),
}


@pytest.mark.parametrize("case", SCHEMAS)
def test_a_schema_says_the_same(case: str) -> None:
    given, schema = SCHEMAS[case]
    assert json_schema(given) == schema
