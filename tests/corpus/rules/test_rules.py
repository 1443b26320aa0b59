"""The rules: each changes what its sentence says, and is counted only where it was needed."""

import json
from typing import Any

import pytest

from tests.corpus.rules import Rule, needed, normalized, rules_of
from tests.corpus.rules.common import (
    each,
    every,
    halves_of_pairs_are_replaced,
    left_out,
    null_is_unset,
    places,
)

NULL = null_is_unset("null is unset", own_json=("input",))
STREAM = Rule("no stream is the default", left_out("stream", False))
LOWER = Rule("words are written small", each("words.*", str.lower))
ALL = (NULL, STREAM, LOWER)

NEEDED = {
    "nothing": ('{"a":1}', '{"a":1}', []),
    "one": ('{"a":1,"stream":false}', '{"a":1}', [STREAM]),
    "two": ('{"stream":false,"words":["A"]}', '{"words":["a"]}', [STREAM, LOWER]),
    "both sides are changed": ('{"b":null}', '{"stream":false}', [NULL, STREAM]),
    "one that was not needed is left out": (
        '{"b":null,"words":["A"]}',
        '{"b":null,"words":["a"]}',
        [LOWER],
    ),
    "no rule allows it": ('{"stream":true}', "{}", None),
    "a rule allows no more than it says": ('{"stream":0}', "{}", None),
    "null in the caller's own JSON is a value": ('{"input":{"a":null}}', '{"input":{}}', None),
    "null in the place of the caller's own JSON is unset": ('{"input":null}', "{}", [NULL]),
}


@pytest.mark.parametrize(("recorded", "written", "rules"), NEEDED.values(), ids=NEEDED)
def test_the_rules_that_were_needed(recorded: str, written: str, rules: list[Rule] | None) -> None:
    before, after = json.loads(recorded), json.loads(written)
    assert needed(before, after, ALL) == rules
    assert (before, after) == (json.loads(recorded), json.loads(written))  # untouched


def test_rules_that_do_the_same_are_counted_once() -> None:
    also = Rule("no stream at all", left_out("stream", False, True))
    assert needed({"stream": False}, {}, (STREAM, also)) == [STREAM]


PLACES = {
    "a key": ("a", [1]),
    "a key in a key": ("b.c", [2]),
    "every item": ("d.*", [3, 4]),
    "a key of every item that has it": ("e.*.f", [5, 6]),
    "every value": ("b.*", [2]),
    "a key that is missing": ("x.y", []),
    "a key of what is no object": ("a.b", []),
    "an item of what is no list": ("a.*", []),
}


@pytest.mark.parametrize(("path", "values"), PLACES.values(), ids=PLACES)
def test_a_path_leads_to(path: str, values: list[Any]) -> None:
    body = {"a": 1, "b": {"c": 2}, "d": [3, 4], "e": [{"f": 5}, {}, {"f": 6}]}
    assert [owner[key] for owner, key in places(body, path)] == values


def test_changes_are_made_one_after_the_other() -> None:
    rule = Rule("", every(each("a", lambda n: n + 1), each("a", lambda n: n * 2)))
    assert normalized({"a": 1}, [rule]) == {"a": 4}


def test_half_of_a_pair_is_replaced_wherever_it_stands() -> None:
    body = json.loads(r'{"a\ud83d":["\ude00",{"b":"\ud83d\ude00"}]}')
    assert normalized(body, [halves_of_pairs_are_replaced]) == {"a\ufffd": ["\ufffd", {"b": "😀"}]}


def test_a_table_is_found_by_the_name_of_its_provider() -> None:
    assert rules_of("anthropic", "anthropic")
    assert rules_of("nobody", "nobody") == ()
