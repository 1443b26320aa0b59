"""Schemas in the words of older drafts, in the words of today; what is not a schema stays."""

import pytest

from wireglot import RawJson
from wireglot.providers._across.old_schemas import modern

NEW = {
    "a property that is required": (
        '{"properties":{"a":{"type":"string","required":true}}}',
        '{"properties":{"a":{"type":"string"}},"required":["a"]}',
    ),
    "one that is not": (
        '{"properties":{"a":{"required":false}}}',
        '{"properties":{"a":{}}}',
    ),
    "more than those that are listed": (
        '{"properties":{"a":{"required":true},"b":{"required":true}},"required":["b"]}',
        '{"properties":{"a":{},"b":{}},"required":["b","a"]}',
    ),
    "a bound that is exclusive": (
        '{"items":{"minimum":1,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}}',
        '{"items":{"maximum":9,"exclusiveMinimum":1}}',
    ),
    "in each of several": (
        '{"anyOf":[{"minimum":1,"exclusiveMinimum":true},{"type":"null"}]}',
        '{"anyOf":[{"exclusiveMinimum":1},{"type":"null"}]}',
    ),
}


@pytest.mark.parametrize(("schema", "expected"), NEW.values(), ids=NEW)
def test_words_of_older_drafts_become_those_of_today(schema: str, expected: str) -> None:
    assert modern(RawJson(schema)).text == expected.encode()


KEPT = {
    "a property of that name": '{"properties":{"required":true}}',
    "a property of that name, with a schema": '{"properties":{"required":{"type":"boolean"}}}',
    "an example": '{"example":{"required":true},"default":{"exclusiveMinimum":true}}',
    "a key of somebody's own": '{"x-ui":{"required":true}}',
    "a schema for what depends on it": '{"dependentSchemas":{"required":true}}',
    "no schema at all": "true",
}


@pytest.mark.parametrize("schema", KEPT.values(), ids=KEPT)
def test_all_else_stays_as_it_is(schema: str) -> None:
    given = RawJson(schema)
    assert modern(given) is given


def test_many_names_take_no_more_time_each() -> None:
    names = [f"p{number}" for number in range(40_000)]
    listed = ",".join(f'"{name}"' for name in names)
    parts = ",".join(f'"{name}":{{"required":true}}' for name in names)
    schema = RawJson(f'{{"properties":{{{parts}}},"required":[{listed}]}}')
    assert modern(schema).value["required"] == names
