"""When two JSON texts are the same value, and where they differ."""

import pytest

from tests.corpus.compare import ABSENT, canonical, difference, parsed

SAME = {
    "the order of keys": ('{"a":1,"b":2}', '{"b":2,"a":1}'),
    "the spelling of a number": ('{"a":1.0}', '{"a":1}'),
    "an exponent": ("[1e2]", "[100]"),
    "an escape": (r'"\u00e9"', '"é"'),
    "a key twice, of which the last counts": ('{"a":1,"a":2}', '{"a":2}'),
    "an integer of thirty digits": (f"[{10**30}]", f"[{10**30}]"),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_is_no_difference(one: str, other: str) -> None:
    assert difference(parsed(one), parsed(other)) is None
    assert canonical(parsed(one)) == canonical(parsed(other))


DIFFERENT: dict[str, tuple[str, str, tuple[object, ...]]] = {
    "a value": ('{"a":{"b":1}}', '{"a":{"b":2}}', ("$.a.b", 1, 2)),
    "a key that is gone": ('{"a":null}', "{}", ("$.a", None, ABSENT)),
    "a key that was not there": ("{}", '{"a":null}', ("$.a", ABSENT, None)),
    "an item that is gone": ("[1,2]", "[1]", ("$[1]", 2, ABSENT)),
    "the order of items": ("[1,2]", "[2,1]", ("$[0]", 1, 2)),
    "true is no number": ("[true]", "[1]", ("$[0]", True, 1)),
    "false is no number": ("[0]", "[false]", ("$[0]", 0, False)),
    "a string is no number": ('["1"]', "[1]", ("$[0]", "1", 1)),
    "an empty object is no empty list": ("{}", "[]", ("$", {}, [])),
    "the last digit of a long integer": (
        f"[{10**30}]",
        f"[{10**30 + 1}]",
        ("$[0]", 10**30, 10**30 + 1),
    ),
}


@pytest.mark.parametrize(("one", "other", "expected"), DIFFERENT.values(), ids=DIFFERENT)
def test_is_a_difference(one: str, other: str, expected: tuple[object, ...]) -> None:
    assert difference(parsed(one), parsed(other)) == expected
    assert canonical(parsed(one)) != canonical(parsed(other))


@pytest.mark.parametrize("text", ["[NaN]", "[Infinity]", "{", "[" * 100_000])
def test_is_no_json(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 -- json's own words
        parsed(text)
