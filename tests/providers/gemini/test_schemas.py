"""Schemas in Gemini's words -> JSON Schema."""

from typing import Any

import pytest

from wireglot.providers.gemini.schemas import json_schema

SCHEMAS: dict[str, tuple[Any, Any]] = {
    "a type in capitals": ({"type": "STRING"}, {"type": "string"}),
    "a type as a number": ({"type": 6}, {"type": "object"}),
    "the last type as a number": ({"type": 7}, {"type": "null"}),
    "a number that is no type": ({"type": 9}, {"type": 9}),
    "a type that is not given": ({"type": 0}, {"type": 0}),
    "numbers as text": (
        {"type": "ARRAY", "minItems": "1", "max_items": "3", "items": {"type": "INTEGER"}},
        {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "integer"}},
    ),
    "all numbers as text": (
        {
            "maxItems": "1",
            "minLength": "2",
            "maxLength": "3",
            "minProperties": "4",
            "maxProperties": "5",
        },
        {"maxItems": 1, "minLength": 2, "maxLength": 3, "minProperties": 4, "maxProperties": 5},
    ),
    "keys in snake_case": (
        {"min_items": 1, "max_items": 2, "min_length": 3, "max_length": 4},
        {"minItems": 1, "maxItems": 2, "minLength": 3, "maxLength": 4},
    ),
    "a number as no number": ({"minLength": "two"}, {"minLength": "two"}),
    "properties, whatever their names": (
        {"properties": {"type": {"type": "BOOLEAN"}, "items": {"type": "NUMBER"}}},
        {"properties": {"type": {"type": "boolean"}, "items": {"type": "number"}}},
    ),
    "definitions, whatever their names": (
        {"$defs": {"type": {"type": "BOOLEAN"}}},
        {"$defs": {"type": {"type": "boolean"}}},
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
