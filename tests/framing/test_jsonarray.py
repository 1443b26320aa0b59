"""A JSON array that arrives bit by bit: its items, and what is not an array of objects."""

import json

import pytest

import wireglot as wg
from tests.framing.pieces import SIZES, chunked, frames, frames_and_error
from wireglot.framing import jsonarray

_TABLE = {
    "items": (b'[{"a":1},{"b":2}]', [b'{"a":1}', b'{"b":2}']),
    "white space around items, as Gemini sends it": (
        b'[{\n  "a": 1\n}\n,\r\n{\t"b": 2}\n]\n',
        [b'{\n  "a": 1\n}', b'{\t"b": 2}'],
    ),
    "white space around the array": (b" \n\t\r[ {} ] \n", [b"{}"]),
    "nested objects and arrays": (
        b'[{"a":[{"b":[[]]},{}],"c":{"d":{}}},{"e":[]}]',
        [b'{"a":[{"b":[[]]},{}],"c":{"d":{}}}', b'{"e":[]}'],
    ),
    "brackets in strings": (
        b'[{"}]":"[{,"},{"a":"}"}]',
        [b'{"}]":"[{,"}', b'{"a":"}"}'],
    ),
    "escapes in strings": (
        rb'[{"a":"\""},{"a":"\\"},{"a":"\\\"}]"},{"a":"\u007d\n"}]',
        [rb'{"a":"\""}', rb'{"a":"\\"}', rb'{"a":"\\\"}]"}', rb'{"a":"\u007d\n"}'],
    ),
    "characters of two, three and four bytes": (
        '[{"é":"世🙂"}]'.encode(),
        [b'{"\xc3\xa9":"\xe4\xb8\x96\xf0\x9f\x99\x82"}'],
    ),
    "an empty array": (b"[]", []),
    "an empty array with a space in it": (b"[ ]", []),
    "nothing": (b"", []),
    "white space alone": (b" \n", []),
}


@pytest.mark.parametrize("size", [None, *SIZES, 3], ids=lambda size: f"by {size or 'all'}")
@pytest.mark.parametrize(("data", "expected"), _TABLE.values(), ids=_TABLE)
def test_an_array_is_these_items(data: bytes, expected: list[bytes], size: int | None) -> None:
    assert frames(jsonarray.Decoder(), data, size) == expected


@pytest.mark.parametrize(("data", "expected"), _TABLE.values(), ids=_TABLE)
def test_the_items_are_those_of_a_json_parser(data: bytes, expected: list[bytes]) -> None:
    assert [json.loads(item) for item in expected] == json.loads(data.strip() or b"[]")


@pytest.mark.parametrize(("data", "expected"), _TABLE.values(), ids=_TABLE)
def test_an_array_that_is_cut_is_an_error(data: bytes, expected: list[bytes]) -> None:
    begin, end = data.find(b"["), data.rfind(b"]")
    for at in range(begin + 1, end + 1):
        found, error = frames_and_error(jsonarray.Decoder(), [data[:at]])
        assert found == expected[: len(found)]
        assert type(error) is wg.StreamError
        assert error.reason == "the stream ended within the array, expected its rest"


_GARBAGE = {
    "an object in no array": (b'{"error":{}}', 0),
    "text": (b"upstream error", 0),
    "a comma first": (b"[,{}]", 0),
    "two commas": (b"[{},,{}]", 1),
    "a comma last": (b"[{},]", 1),
    "no comma": (b"[{}{}]", 1),
    "a number": (b"[1]", 0),
    "a string": (b'[{},"a"]', 1),
    "an array in the array": (b"[[{}]]", 0),
    "a second array": (b"[{}][{}]", 1),
    "text after the array": (b"[{},{}] x", 2),
    "an object after the array": (b"[{}]\n{}", 1),
    "another end": (b"[{}}]", 1),
    "an end without a start": (b"]", 0),
    "white space that JSON does not know": (b"[{}\x0b]", 1),
    "a byte-order mark": (b"\xef\xbb\xbf[]", 0),
}


@pytest.mark.parametrize("size", [None, *SIZES], ids=lambda size: f"by {size or 'all'}")
@pytest.mark.parametrize(("data", "good"), _GARBAGE.values(), ids=_GARBAGE)
def test_what_is_no_array_of_objects_is_an_error(data: bytes, good: int, size: int | None) -> None:
    found, error = frames_and_error(jsonarray.Decoder(), chunked(data, size or len(data)))
    assert found == [b"{}"] * good
    assert type(error) is wg.StreamError
    assert str(error) == ("json array: text between objects, expected an array of objects - at `$`")


def test_an_item_comes_with_the_byte_that_ends_it() -> None:
    decoder = jsonarray.Decoder()
    assert decoder.feed(b'[{"a":"') == []
    assert decoder.feed(b'\\"}') == []
    assert decoder.feed(b'"}') == [b'{"a":"\\"}"}']
    assert decoder.feed(b",{}") == [b"{}"]
    assert decoder.feed(b"]") == []
    assert decoder.close() == []
