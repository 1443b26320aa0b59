"""Server-sent events: the rules of WHATWG HTML, section 9.2.6, and what we write."""

import pytest

import wireglot as wg
from tests.framing.pieces import SIZES, frames
from wireglot.framing import sse

_TABLE = {
    "data ends with a blank line": (b"data: a\n\n", [(b"", b"a")]),
    "an event has a name": (b"event: x\ndata: a\n\n", [(b"x", b"a")]),
    "the name may follow the data": (b"data: a\nevent: x\n\n", [(b"x", b"a")]),
    "the last name counts": (b"event: x\nevent: y\ndata: a\n\n", [(b"y", b"a")]),
    "a name holds for one event": (
        b"event: x\ndata: a\n\ndata: b\n\n",
        [(b"x", b"a"), (b"", b"b")],
    ),
    "a name without data is dropped, and does not stay": (
        b"event: x\n\ndata: b\n\n",
        [(b"", b"b")],
    ),
    "lines end with CRLF": (
        b"event: x\r\ndata: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n",
        [(b"x", b"a\nb"), (b"", b"c")],
    ),
    "lines end with CR": (
        b"event: x\rdata: a\rdata: b\r\rdata: c\r\r",
        [(b"x", b"a\nb"), (b"", b"c")],
    ),
    "ends of lines are mixed": (
        b"data: a\rdata: b\ndata: c\r\n\rdata: d\n\r\ndata: e\r\n\n",
        [(b"", b"a\nb\nc"), (b"", b"d"), (b"", b"e")],
    ),
    "lines of data are joined by LF": (b"data: a\ndata:\ndata: b\n\n", [(b"", b"a\n\nb")]),
    "one space after the colon is dropped": (
        b"data:a\n\ndata: b\n\ndata:  c\n\ndata:\td\n\n",
        [(b"", b"a"), (b"", b"b"), (b"", b" c"), (b"", b"\td")],
    ),
    "a colon in the value is the value's": (b"data: a: b\n\n", [(b"", b"a: b")]),
    "data without a colon is empty": (
        b"data\n\ndata\ndata\n\ndata:\n\n",
        [(b"", b""), (b"", b"\n"), (b"", b"")],
    ),
    "comments are left out": (
        b": ping\n\n:\ndata: a\n: data: b\n\n:\n\n",
        [(b"", b"a")],
    ),
    "id, retry and unknown fields are left out": (
        b"id: 1\nretry: 5\nfoo: bar\ndata: a\nnothing\n\n",
        [(b"", b"a")],
    ),
    "names of fields are exact": (
        b"Data: a\n\n data: b\n\ndata : c\n\nDATA: d\n\ndatas: e\n\ndata: f\n\n",
        [(b"", b"f")],
    ),
    "id before data": (b"id: 7\ndata: a\n\n", [(b"", b"a")]),
    "an empty name is none": (b"event:\ndata: a\n\n", [(b"", b"a")]),
    "more blank lines are nothing": (
        b"\n\n\ndata: a\n\n\n\n\ndata: b\n\n\n",
        [(b"", b"a"), (b"", b"b")],
    ),
    "a byte-order mark at the start is dropped": (b"\xef\xbb\xbfdata: a\n\n", [(b"", b"a")]),
    "only one byte-order mark is dropped": (
        b"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\ndata: b\n\n",
        [(b"", b"b")],
    ),
    "a later byte-order mark belongs to its line": (
        b"data: a\n\n\xef\xbb\xbfdata: b\n\ndata: \xef\xbb\xbfc\n\n\xef\xbb\xbfdata: d",
        [(b"", b"a"), (b"", b"\xef\xbb\xbfc")],
    ),
    "half a byte-order mark is a field that nobody knows": (
        b"\xef\xbbdata: a\n\ndata: b\n\n",
        [(b"", b"b")],
    ),
    "half a byte-order mark and no more": (b"\xef\xbb", []),
    "characters of two, three and four bytes": (
        "event: ł\ndata: é世🙂\n\n".encode(),
        [(b"\xc5\x82", b"\xc3\xa9\xe4\xb8\x96\xf0\x9f\x99\x82")],
    ),
    "other ends of lines are text": (
        "data: a\u2028b\u0085c\x0bd\x0ce\x00f\n\n".encode(),
        [(b"", b"a\xe2\x80\xa8b\xc2\x85c\x0bd\x0ce\x00f")],
    ),
    "bytes that are no text pass": (b"data: \xff\xfe\x80\n\n", [(b"", b"\xff\xfe\x80")]),
    "the end of the stream ends the last event": (b"event: x\ndata: a\ndata: b", [(b"x", b"a\nb")]),
    "the end of the stream ends the last event after its line": (b"data: a\n", [(b"", b"a")]),
    "the end of the stream after CR": (b"data: a\r", [(b"", b"a")]),
    "the end of the stream in a comment": (b"data: a\n\n: bye", [(b"", b"a")]),
    "the end of the stream after a name": (b"data: a\n\nevent: x\n", [(b"", b"a")]),
    "nothing": (b"", []),
}


@pytest.mark.parametrize("size", [None, *SIZES, 3, 5], ids=lambda size: f"by {size or 'all'}")
@pytest.mark.parametrize(("data", "expected"), _TABLE.values(), ids=_TABLE)
def test_a_stream_is_these_events(data: bytes, expected: list[sse.Event], size: int | None) -> None:
    assert frames(sse.Decoder(), data, size) == expected


@pytest.mark.parametrize(("data", "expected"), _TABLE.values(), ids=_TABLE)
def test_a_stream_cut_in_two_anywhere_is_the_same(data: bytes, expected: list[sse.Event]) -> None:
    for at in range(len(data) + 1):
        decoder = sse.Decoder()
        found = [*decoder.feed(data[:at]), *decoder.feed(b""), *decoder.feed(data[at:])]
        assert found + decoder.close() == expected, at


def test_an_event_comes_with_the_byte_that_ends_it() -> None:
    decoder = sse.Decoder()
    assert decoder.feed(b"data: a\n") == []
    assert decoder.feed(b"\n") == [(b"", b"a")]
    assert decoder.feed(b"data: b\r\n") == []
    assert decoder.feed(b"\r") == [(b"", b"b")]  # whether an LF follows or not
    assert decoder.feed(b"\n") == []
    assert decoder.feed(b"data: c\n\ndata: d\n\ndata: e") == [(b"", b"c"), (b"", b"d")]
    assert decoder.close() == [(b"", b"e")]
    assert decoder.close() == []


_WRITTEN = {
    "data": ((b'{"a":1}',), b'data: {"a":1}\n\n'),
    "a name": ((b"{}", b"ping"), b"event: ping\ndata: {}\n\n"),
    "lines": ((b"a\nb\n", b"x"), b"event: x\ndata: a\ndata: b\ndata: \n\n"),
    "every end of line becomes LF": ((b"a\r\nb\rc",), b"data: a\ndata: b\ndata: c\n\n"),
    "no data": ((b"",), b"data: \n\n"),
}


@pytest.mark.parametrize(("event", "expected"), _WRITTEN.values(), ids=_WRITTEN)
def test_an_event_is_written_so(event: tuple[bytes, ...], expected: bytes) -> None:
    assert sse.encode(*event) == expected


@pytest.mark.parametrize("name", [b"a\nb", b"a\rb", b"\n"])
def test_a_name_of_more_than_one_line_is_refused(name: bytes) -> None:
    with pytest.raises(wg.EncodeError, match="line break in the name of an event"):
        sse.encode(b"{}", name)
