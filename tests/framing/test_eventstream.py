"""AWS event stream: messages as literal bytes, and botocore as the judge."""

import zlib
from typing import Any

import pytest
from botocore import eventstream as botocore
from hypothesis import given
from hypothesis import strategies as st

import wireglot as wg
from tests.framing.pieces import SIZES, chunked, frames, frames_and_error
from wireglot.framing import eventstream

_PING = bytes.fromhex(
    "0000002500000013e8bd3ec3"  # 37 bytes, 19 of them headers
    "0b3a6576656e742d74797065 07 000470696e67"  # :event-type, a string, ping
    "7b7d 58e022b9"  # {}
)
_TEN_TYPES = bytes.fromhex(
    "0000005e0000004e7365c254"
    "017400 016601 016202ff 0173038000 01690400010000 016c05ffffffffffffffff"
    "0179060003000102 017707 00026869 016d080000018bcfe5687b"
    "017509000102030405060708090a0b0c0d0e0f 41b6f7b8"
)
_TABLE = {
    "no headers, no payload": (bytes.fromhex("000000100000000005c248eb7d98c8ff"), ({}, b"")),
    "a payload": (
        bytes.fromhex("0000001700000000b7e294fb 7b2261223a317d 7a7ed137"),
        ({}, b'{"a":1}'),
    ),
    "a header": (_PING, ({":event-type": "ping"}, b"{}")),
    "characters of two bytes in a header, and a payload that is no text": (
        bytes.fromhex(
            "0000002f0000001edcbc5adf"
            "0d3a6d6573736167652d74797065 07 00056576656e74 02c582 07 0002c3a9 ff 376f4a09"
        ),
        ({":message-type": "event", "ł": "é"}, b"\xff"),
    ),
    "the ten types of headers": (
        _TEN_TYPES,
        (
            {
                "t": True,
                "f": False,
                "b": -1,
                "s": -32768,
                "i": 65536,
                "l": -1,
                "y": b"\x00\x01\x02",
                "w": "hi",
                "m": 1700000000123,
                "u": bytes(range(16)),
            },
            b"",
        ),
    ),
}
_WRITTEN = {name: row for name, row in _TABLE.items() if row[0] is not _TEN_TYPES}


def _message(headers: bytes, payload: bytes = b"", **lies: int) -> bytes:
    """Return a message whose checksums are right, whatever else is not."""
    total = lies.get("total", 16 + len(headers) + len(payload))
    sizes = total.to_bytes(4, "big") + lies.get("size", len(headers)).to_bytes(4, "big")
    message = sizes + zlib.crc32(sizes).to_bytes(4, "big") + headers + payload
    return message + zlib.crc32(message).to_bytes(4, "big")


def _judged(data: bytes) -> list[tuple[dict[str, Any], bytes]]:
    buffer = botocore.EventStreamBuffer()
    buffer.add_data(data)
    return [(message.headers, message.payload) for message in buffer]


@pytest.mark.parametrize("size", [None, *SIZES], ids=lambda size: f"by {size or 'all'}")
@pytest.mark.parametrize(("data", "expected"), _TABLE.values(), ids=_TABLE)
def test_bytes_are_this_message(data: bytes, expected: eventstream.Event, size: int | None) -> None:
    assert frames(eventstream.Decoder(), data * 3, size) == [expected] * 3
    assert _judged(data * 3) == [expected] * 3


@pytest.mark.parametrize(("data", "expected"), _TABLE.values(), ids=_TABLE)
def test_true_and_one_are_not_the_same(data: bytes, expected: eventstream.Event) -> None:
    [(headers, _)] = frames(eventstream.Decoder(), data)
    assert [type(value) for value in headers.values()] == [type(v) for v in expected[0].values()]


@pytest.mark.parametrize(("data", "expected"), _WRITTEN.values(), ids=_WRITTEN)
def test_a_message_is_written_so(data: bytes, expected: tuple[dict[str, str], bytes]) -> None:
    assert eventstream.encode(*expected) == data


_NAMES = st.text(min_size=1, max_size=20)
_VALUES = st.text(max_size=40)


@given(st.lists(st.tuples(st.dictionaries(_NAMES, _VALUES, max_size=4), st.binary(max_size=80))))
def test_botocore_and_we_read_what_we_write(messages: list[tuple[dict[str, str], bytes]]) -> None:
    data = b"".join(eventstream.encode(*message) for message in messages)
    assert _judged(data) == messages
    assert frames(eventstream.Decoder(), data, 5) == messages


@given(st.binary(max_size=60), st.binary(max_size=20))
def test_botocore_reads_headers_as_we_do(headers: bytes, payload: bytes) -> None:
    data = _message(headers, payload)
    found, error = frames_and_error(eventstream.Decoder(), [data])
    if error is None:  # botocore is content with headers that end too early
        assert found == _judged(data)


@pytest.mark.parametrize("data", [_PING, _TEN_TYPES], ids=["ping", "ten types"])
def test_every_flipped_bit_is_an_error(data: bytes) -> None:
    for bit in range(len(data) * 8):
        bad = bytearray(data)
        bad[bit // 8] ^= 1 << bit % 8
        for size in (1, len(data)):
            found, error = frames_and_error(eventstream.Decoder(), chunked(bytes(bad), size))
            assert found == [], bit
            assert type(error) is wg.StreamError, bit


def test_every_cut_is_an_error() -> None:
    for end in range(1, len(_PING)):
        found, error = frames_and_error(eventstream.Decoder(), [_PING, _PING[:end]])
        assert found == [({":event-type": "ping"}, b"{}")]
        assert str(error) == (
            "event stream: the stream ended within a message, expected its rest - at `$`"
        )


_BAD = {
    "less than its own prelude": (
        _message(b"", total=15),
        "message of 15 bytes, expected at least 16",
    ),
    "no length": (_message(b"", total=0), "message of 0 bytes, expected at least 16"),
    "headers longer than the message": (
        _message(b"", size=1),
        "message of 16 bytes, expected at least 17",
    ),
    "headers of 4 GB": (
        _message(b"", size=0xFFFFFFFF),
        "message of 16 bytes, expected at least 4294967311",
    ),
    "headers that take the place of the checksum": (
        _message(b"\x01t\x00", size=4),
        "message of 19 bytes, expected at least 20",
    ),
    "a name beyond the headers": (_message(b"\x05ab"), "malformed headers"),
    "a name without a type": (_message(b"\x01a"), "malformed headers"),
    "a name that is no text": (_message(b"\x01\xff\x00"), "malformed headers"),
    "a type that is none": (_message(b"\x01a\x0a"), "header of type 10, expected 0 to 9"),
    "a string without a length": (_message(b"\x01a\x07\x00"), "malformed headers"),
    "a string beyond the headers": (
        _message(b"\x01a\x07\x00\x02x", b"x"),
        "header beyond the end of its message, expected it within",
    ),
    "bytes beyond the headers": (
        _message(b"\x01a\x06\xff\xff", b"x"),
        "header beyond the end of its message, expected it within",
    ),
    "a string that is no text": (_message(b"\x01a\x07\x00\x01\xff"), "malformed headers"),
    "a number beyond the headers": (_message(b"\x01a\x05\x00", bytes(8)), "malformed headers"),
    "a UUID beyond the headers": (
        _message(b"\x01a\x09" + bytes(15), bytes(8)),
        "malformed headers",
    ),
    "a header that comes twice": (
        _message(b"\x01a\x00\x01a\x01"),
        "two headers named `a`, expected one",
    ),
}


@pytest.mark.parametrize("size", [None, *SIZES], ids=lambda size: f"by {size or 'all'}")
@pytest.mark.parametrize(("data", "reason"), _BAD.values(), ids=_BAD)
def test_a_malformed_message_is_an_error(data: bytes, reason: str, size: int | None) -> None:
    chunks = chunked(_PING + data, size or 1000)
    found, error = frames_and_error(eventstream.Decoder(), chunks)
    assert found == [({":event-type": "ping"}, b"{}")]
    assert type(error) is wg.StreamError
    assert error.reason == reason


@pytest.mark.parametrize("total", [1 << 26 | 1, 1 << 31, (1 << 32) - 1])
def test_a_message_of_gigabytes_is_refused_by_its_prelude(total: int) -> None:
    decoder = eventstream.Decoder()
    with pytest.raises(wg.LimitError, match="frame of more than 67,108,864 bytes"):
        decoder.feed(_message(b"", total=total)[:12])


def test_headers_that_came_before_are_read_once() -> None:
    frames(eventstream.Decoder(), _PING)
    before = eventstream._known.cache_info()
    frames(eventstream.Decoder(), _PING * 2)
    after = eventstream._known.cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (2, 0)


def test_headers_that_a_caller_changes_are_not_those_of_the_next_message() -> None:
    [first], [second] = (frames(eventstream.Decoder(), _PING) for _ in range(2))
    first[0][":event-type"] = "pong"
    [third] = frames(eventstream.Decoder(), _PING)
    assert second[0][":event-type"] == third[0][":event-type"] == "ping"


def test_only_few_preludes_and_small_headers_are_remembered() -> None:
    decoder = eventstream.Decoder()
    for number in range(2000):
        decoder.feed(eventstream.encode({"number": str(number)}, bytes(number)))
    kinds, sizes = eventstream._known.cache_info(), eventstream._lengths.cache_info()
    assert (kinds.currsize, sizes.currsize) == (64, 1024)
    decoder.feed(eventstream.encode({"long": "x" * 1000}, b""))
    assert eventstream._known.cache_info() == kinds


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({"": "x"}, "header name of .* bytes, expected 1 to 255"),
        ({"é" * 128: "x"}, "header name of .* bytes, expected 1 to 255"),
        ({"x": "é" * 16384}, "header value of 32,768 bytes, expected at most 32,767"),
        ({"x": "\ud83d"}, "text holds a lone surrogate"),
    ],
    ids=["no name", "a long name", "a long value", "half a character"],
)
def test_what_no_header_can_say_is_refused(headers: dict[str, str], reason: str) -> None:
    with pytest.raises(wg.EncodeError, match=reason):
        eventstream.encode(headers, b"")


def test_the_longest_header_is_written_and_read() -> None:
    headers = {"x" * 255: "y" * 32767}
    assert _judged(eventstream.encode(headers, b"")) == [(headers, b"")]
