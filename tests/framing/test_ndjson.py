"""Newline-delimited JSON: lines as they come, and as we write them."""

import json

import pytest

from tests.framing.pieces import SIZES, frames
from wireglot.framing import ndjson

_TABLE = {
    "lines": (b'{"a":1}\n{"b":2}\n', [b'{"a":1}', b'{"b":2}']),
    "the last line needs no end": (b"{}\n[]", [b"{}", b"[]"]),
    "CR before LF stays": (b"{}\r\n[]\r\n", [b"{}\r", b"[]\r"]),
    "blank lines are left out": (b"\n\n{}\n \t\n\r\n[]\n\n", [b"{}", b"[]"]),
    "a blank line at the end": (b"{}\n \r", [b"{}"]),
    "white space stays": (b"  {} \n", [b"  {} "]),
    "characters of two, three and four bytes": (
        '"é世🙂"\n"ł"\n'.encode(),
        [b'"\xc3\xa9\xe4\xb8\x96\xf0\x9f\x99\x82"', b'"\xc5\x82"'],
    ),
    "other ends of lines are text": (
        '"a\u2028b\u0085c"\n'.encode(),
        [b'"a\xe2\x80\xa8b\xc2\x85c"'],
    ),
    "bytes that are no text pass": (b"\xff\xfe\n", [b"\xff\xfe"]),
    "nothing": (b"", []),
}


@pytest.mark.parametrize("size", [None, *SIZES], ids=lambda size: f"by {size or 'all'}")
@pytest.mark.parametrize(("data", "expected"), _TABLE.values(), ids=_TABLE)
def test_a_stream_is_these_lines(data: bytes, expected: list[bytes], size: int | None) -> None:
    assert frames(ndjson.Decoder(), data, size) == expected


def test_json_takes_the_cr_that_stays() -> None:
    lines = frames(ndjson.Decoder(), b'{"a": 1}\r\n"x"\r\n')
    assert [json.loads(line) for line in lines] == [{"a": 1}, "x"]


def test_a_line_comes_with_the_byte_that_ends_it() -> None:
    decoder = ndjson.Decoder()
    assert decoder.feed(b"{") == []
    assert decoder.feed(b"}") == []
    assert decoder.feed(b"\n[") == [b"{}"]
    assert decoder.close() == [b"["]
    assert decoder.close() == []


def test_a_line_is_written_with_its_end() -> None:
    assert ndjson.encode(b'{"a":"\\n"}') == b'{"a":"\\n"}\n'


def test_line_feeds_between_tokens_become_spaces() -> None:
    assert ndjson.encode(b'{\n  "a": 1\n}') == b'{   "a": 1 }\n'


def test_what_others_take_for_an_end_of_line_is_escaped() -> None:
    line = ndjson.encode('{"a":"\u2028 \u2029 \x85 \u2027 é"}'.encode())
    assert line == b'{"a":"\\u2028 \\u2029 \\u0085 \xe2\x80\xa7 \xc3\xa9"}\n'
    assert len(line.decode().splitlines()) == 1
