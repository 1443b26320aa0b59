"""Chunks -> frames, in the shapes that the API has for a stream and for what breaks it off."""

import pytest

import wireglot as wg
from tests.framing.pieces import frames_and_error
from tests.providers.streams import chunked
from wireglot.providers.gemini.frames import Framer

STREAMS: dict[str, tuple[bytes, list[bytes]]] = {
    "events": (b'data: {"a":1}\n\ndata: {"a":2}\n\n', [b'{"a":1}', b'{"a":2}']),
    "events that end in CRLF": (
        b'data: {"a":1}\r\n\r\ndata: {"a":2}\r\n\r\ndata: {"a":3}\r\n\r\n',
        [b'{"a":1}', b'{"a":2}', b'{"a":3}'],
    ),
    "events of two lines": (b'data: {"a":\ndata: 1}\n\n', [b'{"a":\n1}']),
    "events behind white space and a mark": (
        b'\xef\xbb\xbf \r\ndata: {"a":1}\n\n',
        [b'{"a":1}'],
    ),
    "an array": (b' [{"a":1},\n{"a":2}\n]', [b'{"a":1}', b'{"a":2}']),
    "an error alone": (b'\n{"error":{"code":400}}\n', [b'{"error":{"code":400}}\n']),
    "an error behind events": (
        b'data: {"a":1}\n\n{"error":\n{"code":500}}',
        [b'{"a":1}', b'{"error":\n{"code":500}}'],
    ),
    "an error behind an event that does not end": (
        b'data: {"a":1}\r\n{"error":{}}',
        [b'{"a":1}', b'{"error":{}}'],
    ),
    "nothing": (b"", []),
    "white space": (b" \r\n\t", []),
}


def _frames(data: bytes, size: int) -> list[bytes]:
    framer = Framer(1000)
    frames = [frame for chunk in chunked(data, size) for frame in framer.feed(chunk)]
    frames += framer.close()
    return [frame if isinstance(frame, bytes) else frame[1] for frame in frames]


@pytest.mark.parametrize("case", STREAMS)
@pytest.mark.parametrize("size", [1, 2, 7, 16, 1000])
def test_frames_are_the_same_however_they_come(case: str, size: int) -> None:
    data, frames = STREAMS[case]
    assert _frames(data, size) == frames


def test_each_event_may_come_in_a_chunk_of_its_own() -> None:
    framer = Framer(1000)
    for end in (b"\n\n", b"\r\n\r\n"):
        for number in range(3):
            frames = framer.feed(b'data: {"a":%d}%b' % (number, end))
            assert [f if isinstance(f, bytes) else f[1] for f in frames] == [b'{"a":%d}' % number]


def test_an_event_is_not_over_where_a_chunk_ends_in_its_second_line() -> None:
    framer = Framer(1000)
    assert framer.feed(b'data: {"a":1}\n\n') == [(b"", b'{"a":1}')]
    assert framer.feed(b'data: {"a":\nd') == []
    assert framer.feed(b"ata: 2}\n\n") == [(b"", b'{"a":\n2}')]


BAD = {
    "a large event": b'data: {"a":1}\n\ndata: {"large":12345678901}\n\ndata: {"a":2}\n\n',
    "large JSON": b'data: {"a":1}\n\n{"large":12345678901}',
    "JSON behind a large event": b'data: {"a":1}\n\ndata: {"large":12345678901}\n{"a":2}',
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
@pytest.mark.parametrize("size", [1, 7, 15, 39, 1000])
@pytest.mark.parametrize("more", [[], [b'data: {"a":3}\n\n']])
def test_frames_before_an_error_come_first(data: bytes, size: int, more: list[bytes]) -> None:
    frames, error = frames_and_error(Framer(20), [*chunked(data, size), *more])
    assert [each if isinstance(each, bytes) else each[1] for each in frames] == [b'{"a":1}']
    assert isinstance(error, wg.LimitError)


def test_an_event_is_no_part_of_json_without_data() -> None:
    framer = Framer(1000)
    assert framer.feed(b'data: {"a":1}\n\n') == [(b"", b'{"a":1}')]
    for piece in (b'{"error":', b'data: {"a":2}\n\n'):
        assert framer.feed(piece) == []
    assert framer.close() == [b'{"error":data: {"a":2}\n\n']


@pytest.mark.parametrize("data", [b'{"error":"' + b"x" * 1000, b'data: {}\n\n{"' + b"x" * 1000])
def test_an_error_that_does_not_end_is_a_limit(data: bytes) -> None:
    for size in (1, 64, len(data)):
        with pytest.raises(wg.LimitError):
            _frames(data, size)
