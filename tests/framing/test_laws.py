"""What holds for every decoder: chunking, limits, hostile bytes, time and memory."""

import json
import random
import traceback
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wireglot as wg
from tests.framing.pieces import chunked, cut, frames, frames_and_error, seconds
from tests.memory import within
from wireglot.framing import eventstream, jsonarray, ndjson, sse

_MAKERS: dict[str, Callable[..., Any]] = {
    "sse": sse.Decoder,
    "ndjson": ndjson.Decoder,
    "json array": jsonarray.Decoder,
    "event stream": eventstream.Decoder,
}
_EACH = pytest.mark.parametrize("make", _MAKERS.values(), ids=_MAKERS)


def _stream(make: Any, payloads: list[bytes]) -> bytes:
    """Return a stream with these payloads, each of them the text of a JSON object."""
    if make is sse.Decoder:
        return b"".join(map(sse.encode, payloads))
    if make is ndjson.Decoder:
        return b"".join(map(ndjson.encode, payloads))
    if make is jsonarray.Decoder:
        return b"[" + b",\r\n".join(payloads) + b"]"
    return b"".join(eventstream.encode({":event-type": "x"}, each) for each in payloads)


def _payload(make: Any, frame: Any) -> bytes:
    found: bytes = frame[1] if make in (sse.Decoder, eventstream.Decoder) else frame
    return found


def _outcome(make: Any, chunks: list[bytes], limit: int) -> tuple[list[Any], Any]:
    found, error = frames_and_error(make(limit), chunks)
    return found, error and (type(error), str(error))


# Bytes of which something happens in each of the grammars.
_ALPHABETS: dict[str, list[bytes]] = {
    "sse": [
        *(b"\n", b"\r", b"\r\n", b"\n\n", b"\r\n\r\n", b"data: ", b"data:", b"data", b"event: "),
        *(b"event", b":", b" ", b"\xef\xbb\xbf", b"\xef", b"\xc3\xa9", b"id: 1", b"a", b"bcd"),
    ],
    "ndjson": [
        b"\n",
        b"\r\n",
        b" ",
        b"\t",
        b"{}",
        b'{"a":1}',
        b"\xc3\xa9",
        b"\xe2\x80\xa8",
        b"\x0b",
    ],
    "json array": [
        *(b"[", b"]", b"{", b"}", b'"', b"\\", b",", b" ", b"\n", b"a", b"1", b"[{", b"},{", b"}]"),
        *(b'{"a":"', b'\\"', b"\xc3\xa9"),
    ],
    "event stream": [
        eventstream.encode({"a": "b"}, b"{}"),
        eventstream.encode({}, b""),
        eventstream.encode({}, b"0123456789"),
        eventstream.encode({}, b"01234567890123456789012345"),
        eventstream.encode({"a": "b"}, b"{}")[:-1],
        b"\x00",
        b"\x00\x00\x00\x10",
    ],
}


def _text(name: str) -> st.SearchStrategy[bytes]:
    words = st.lists(st.sampled_from(_ALPHABETS[name]), max_size=40).map(b"".join)
    return words.map(lambda each: b"[" + each) if name == "json array" else words


@pytest.mark.parametrize("name", _MAKERS)
def test_any_chunking_gives_the_same_frames_and_the_same_error(name: str) -> None:
    make = _MAKERS[name]

    @given(st.binary(max_size=60) | _text(name), st.lists(st.integers(0, 300)), st.integers(1, 40))
    def law(data: bytes, places: list[int], limit: int) -> None:
        for most in (limit, 1 << 20):
            whole = _outcome(make, [data], most)
            assert _outcome(make, cut(data, places), most) == whole
            assert _outcome(make, list(chunked(data, 1)), most) == whole

    law()


def _events_by_the_standard(data: bytes) -> list[sse.Event]:
    """Read as WHATWG HTML says, word for word; what is left at the end is an event too."""
    out: list[sse.Event] = []
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    buffer, name = b"", b""
    for line in [*text.split(b"\n"), b""]:
        if line == b"":
            if buffer != b"":
                out.append((name, buffer.removesuffix(b"\n")))
            buffer, name = b"", b""
        elif line[:1] == b":":
            continue
        else:
            field, value = line, b""
            if b":" in line:
                field, value = line.split(b":", 1)
                value = value.removeprefix(b" ")
            if field == b"event":
                name = value
            elif field == b"data":
                buffer += value + b"\n"
    return out


@given(_text("sse"), st.lists(st.integers(0, 300)))
def test_events_are_those_of_the_standard(data: bytes, places: list[int]) -> None:
    found, error = frames_and_error(sse.Decoder(), cut(data, places))
    assert error is None
    assert found == _events_by_the_standard(data)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@_EACH
def test_what_was_put_into_frames_comes_out(make: Any) -> None:
    @given(
        st.lists(st.dictionaries(st.text(), _JSON, max_size=4), max_size=5),
        st.sampled_from([None, 2]),
        st.booleans(),
        st.integers(1, 20),
    )
    def law(values: list[Any], indent: int | None, ascii_only: bool, size: int) -> None:
        payloads = [
            json.dumps(each, indent=indent, ensure_ascii=ascii_only).encode() for each in values
        ]
        found = frames(make(), _stream(make, payloads), size)
        assert [json.loads(_payload(make, frame)) for frame in found] == values
        if make is not ndjson.Decoder:  # which changes what may pass for an end of line
            assert [_payload(make, frame) for frame in found] == payloads

    law()


# -- limits -----------------------------------------------------------------------------------

_LIMITS = {
    "sse, data": ("sse", b"data: 0123\n\n", b"data: 01234\n\n", 10),
    "sse, several lines": ("sse", b"data:01234\ndata:5678\n\n", b"data:01234\ndata:56789\n\n", 10),
    "sse, many lines of little": ("sse", b"data\n" * 11 + b"\n", b"data\n" * 12 + b"\n", 10),
    "sse, a comment": ("sse", b":012345678\ndata:a\n\n", b":0123456789\n", 10),
    "sse, a name": ("sse", b"event:0123\ndata:\n\n", b"event:01234\n", 10),
    "sse, a line that does not end": ("sse", b"data:01234", b"data:012345", 10),
    "sse, CRLF": ("sse", b"data: 0123\r\n\r\n", b"data: 01234\r\n\r\n", 10),
    "ndjson": ("ndjson", b"0123456789\n", b"01234567890\n", 10),
    "ndjson, a line that does not end": ("ndjson", b"0123456789", b"01234567890", 10),
    "ndjson, white space": ("ndjson", b" " * 10 + b"\n1", b" " * 11 + b"\n1", 10),
    "json array": ("json array", b'[{"a":1234}]', b'[{"a":12345}]', 10),
    "json array, an item that does not end": ("json array", b'[{"a":1234}]', b'[{"a":"23456', 10),
    "event stream": (
        "event stream",
        eventstream.encode({}, b"1234"),
        eventstream.encode({}, b"12345"),
        20,
    ),
}


@pytest.mark.parametrize(("name", "most", "more", "limit"), _LIMITS.values(), ids=_LIMITS)
def test_a_frame_beyond_the_limit_is_refused_however_it_comes(
    name: str, most: bytes, more: bytes, limit: int
) -> None:
    for size in (1, 2, 3, 7, 64):
        found, error = frames_and_error(_MAKERS[name](limit), chunked(most, size))
        assert error is None
        assert len(found) == 1
        found, error = frames_and_error(_MAKERS[name](limit), chunked(more, size))
        assert found == []
        assert type(error) is wg.LimitError, size
        assert (
            str(error) == f"{name}: frame of more than {limit} bytes; increase `max_frame` - at `$`"
        )


@_EACH
def test_many_frames_in_one_chunk_may_be_larger_than_the_limit(make: Any) -> None:
    data = _stream(make, [b'{"a":12345}'] * 100)
    assert len(frames(make(60), data)) == 100


@_EACH
def test_frames_before_one_that_is_too_large_come_first(make: Any) -> None:
    good, bad = b'{"a":1}', b'{"a":"%s"}' % (b"x" * 100)
    data = _stream(make, [good, good, bad, good])
    for size in (1, 64, len(data)):
        found, error = frames_and_error(make(80), chunked(data, size))
        assert [_payload(make, frame) for frame in found] == [good, good]
        assert type(error) is wg.LimitError


@_EACH
def test_after_an_error_every_call_raises_it(make: Any) -> None:
    decoder = make(30)
    data = _stream(make, [b'{"a":"%s"}' % (b"x" * 100)])
    with pytest.raises(wg.LimitError) as first:
        decoder.feed(data)
    for _ in range(2):
        with pytest.raises(wg.LimitError) as later:
            decoder.feed(_stream(make, [b"{}"]))
        assert later.value is first.value
        with pytest.raises(wg.LimitError):
            decoder.close()


@_EACH
def test_an_error_that_is_raised_again_does_not_grow(make: Any) -> None:
    decoder = make(30)
    found = []
    for _ in range(3):
        for call in (lambda: decoder.feed(_stream(make, [b"[" * 100])), decoder.close):
            with pytest.raises(wg.DecodeError) as caught:
                call()
            found.append(len(list(traceback.walk_tb(caught.value.__traceback__))))
    assert found[4:] == found[2:4]


@pytest.mark.parametrize(
    ("decoder", "first", "rest"),
    [
        (jsonarray.Decoder(), b'[{"a":1}', b',{"b":2}]'),
        (jsonarray.Decoder(), b'[{"a":1', b"}]"),
        (eventstream.Decoder(), eventstream.encode({}, b"x")[:9], eventstream.encode({}, b"x")[9:]),
    ],
    ids=["json array between items", "json array in an item", "event stream"],
)
def test_after_an_early_close_every_call_raises_its_error(
    decoder: Any, first: bytes, rest: bytes
) -> None:
    decoder.feed(first)
    with pytest.raises(wg.StreamError, match="the stream ended within") as cut_off:
        decoder.close()
    for call in (lambda: decoder.feed(rest), decoder.close):
        with pytest.raises(wg.StreamError) as again:
            call()
        assert again.value is cut_off.value


@_EACH
def test_the_limit_by_default_lets_ten_megabytes_pass(make: Any) -> None:
    payload = b'{"a":"%s"}' % (b"x" * 10_000_000)
    found = frames(make(), _stream(make, [payload]), 65536)
    assert [_payload(make, frame) for frame in found] == [payload]


# -- hostile bytes ----------------------------------------------------------------------------


@_EACH
def test_random_bytes_raise_nothing_of_others(make: Any) -> None:
    draw = random.Random(7)
    good = _stream(make, [b'{"a":"\\"}"}', b'{"b":[1,2]}', b"{}"])
    for _ in range(2000):
        bad = bytearray(good)
        for _ in range(draw.randint(1, 4)):
            bad[draw.randrange(len(bad))] = draw.randrange(256)
        for data in (bytes(bad), draw.randbytes(50)):
            frames_and_error(make(), chunked(data, draw.randint(1, 60)))  # no other error passes


# -- time -------------------------------------------------------------------------------------

_SMALL, _LARGE = 125_000, 1_000_000


def _of_one_frame(make: Any, size: int) -> bytes:
    return _stream(make, [b'{"a":"%s"}' % (b"x" * size)])


_GROWING: dict[str, tuple[str, Callable[[int], list[bytes]]]] = {
    **{
        f"{name}, one frame byte by byte": (
            name,
            lambda size, make=make: list(chunked(_of_one_frame(make, size), 1)),
        )
        for name, make in _MAKERS.items()
    },
    "sse, many lines in one event": ("sse", lambda size: [b"data: xy\n" * (size // 10) + b"\n"]),
    "sse, many lines in one event, byte by byte": (
        "sse",
        lambda size: list(chunked(b"data: xy\n" * (size // 10) + b"\n", 1)),
    ),
    "sse, many lines, CR byte by byte": (
        "sse",
        lambda size: list(chunked(b"data: xy\r" * (size // 10) + b"\r", 1)),
    ),
    "sse, comments and no event": ("sse", lambda size: [b":\n" * 64] * (size // 128)),
    "sse, blank lines": ("sse", lambda size: [b"\n" * size]),
    "ndjson, blank lines": ("ndjson", lambda size: [b"\n" * size]),
    "json array, white space": ("json array", lambda size: [b"[", *[b" " * 8] * (size // 8), b"]"]),
    "json array, deep nesting": (
        "json array",
        lambda size: [b"[", b'{"a":' * (size // 5), b"}" * (size // 5), b"]"],
    ),
    "json array, escapes": ("json array", lambda size: [b'[{"a":"', b"\\\\" * (size // 2), b'"}]']),
    "event stream, many messages": (
        "event stream",
        lambda size: [eventstream.encode({}, b"") * (size // 16)],
    ),
}


@pytest.mark.parametrize(("name", "chunks_of"), _GROWING.values(), ids=_GROWING)
def test_eight_times_the_bytes_take_about_eight_times_the_time(
    name: str, chunks_of: Callable[[int], list[bytes]]
) -> None:
    # Quadratic would be 64 times; run again if it seems so, since a machine has other things to do.
    small, large = chunks_of(_SMALL), chunks_of(_LARGE)
    for _ in range(5):
        short = seconds(_MAKERS[name](), small)
        long = seconds(_MAKERS[name](), large)
        if long < 24 * short:
            return
    pytest.fail(f"{long:.3f} s for {_LARGE} bytes, {short:.3f} s for {_SMALL}")


# -- memory -----------------------------------------------------------------------------------


@_EACH
def test_ten_thousand_frames_take_no_more_memory_than_one(make: Any) -> None:
    payload = b'{"a":"%s"}' % (b"x" * 1000)
    decoder = make()
    one = _stream(make, [payload])
    if make is jsonarray.Decoder:
        decoder.feed(b"[")
        one = payload + b","

    def feed() -> None:
        for _ in range(1000):
            for chunk in chunked(one * 10, 700):
                decoder.feed(chunk)

    within(50_000, feed)  # of ten megabytes


@_EACH
def test_a_frame_in_small_pieces_takes_a_few_times_its_size(make: Any) -> None:
    data = _of_one_frame(make, 200_000)
    chunks = list(chunked(data, 2))

    def read() -> tuple[Any, int]:
        decoder = make()
        [frame] = [frame for chunk in chunks for frame in decoder.feed(chunk)]
        return frame, tracemalloc.get_traced_memory()[0]

    frame, held = within(5 * len(data), read)
    assert len(_payload(make, frame)) == 200_008
    assert held < 1.3 * len(data)
