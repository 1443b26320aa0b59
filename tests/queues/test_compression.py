"""Zstandard frames: what we write is read, and what others write costs no more than it should."""

import contextlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.memory import within
from wireglot import queue
from wireglot.queue import Envelope
from wireglot.queue.compression import compressed, decompressed

_MAGIC = b"\x28\xb5\x2f\xfd"
_HELLO = b"\x29\0\0hello"  # the last block: raw, five bytes
_SKIPPED = b"\x50\x2a\x4d\x18\x05\0\0\0hello"
_REQUIRED = {"specversion": "1.0", "id": "1", "source": "/s", "type": "t"}
_TYPE = "application/vnd.wireglot+msgpack; kind=messages; version=1"


def _frame(size: int, blocks: bytes = _HELLO) -> bytes:
    """Return a frame that says what we want: RFC 8878, 3.1.1."""
    return _MAGIC + b"\xe0" + size.to_bytes(8, "little") + blocks


def _frame_of_unknown_size(blocks: bytes = _HELLO) -> bytes:
    return _MAGIC + b"\0\x58" + blocks  # a window of 2 MiB


def _bomb(blocks: int) -> bytes:
    """Return blocks of 128 KiB in four bytes each."""
    return b"\x02\0\x10\0" * (blocks - 1) + b"\x03\0\x10\0"


def test_what_is_compressed_comes_back() -> None:
    frame = compressed(b"hello" * 1000)
    assert len(frame) < 50
    assert decompressed(frame, 5000) == b"hello" * 1000
    assert decompressed(memoryview(frame), 5000) == b"hello" * 1000
    assert zstandard.frame_content_size(frame) == 5000


def test_bodies_are_compressed_beyond_a_size_and_none_if_not_asked_for() -> None:
    messages = [wg.UserMessage.from_text("hello" * 1000)]
    size = len(queue.encode(messages).body)
    assert queue.encode(messages, zstd_over=size).encoding is None
    envelope = queue.encode(messages, zstd_over=size - 1)
    assert envelope.encoding == "zstd"
    assert bytes(envelope.body[:4]) == _MAGIC
    assert queue.decode(envelope) == [messages[0]]


@pytest.mark.parametrize("encoding", ["zstd", "ZSTD", "Zstd"])
def test_the_name_of_an_encoding_may_be_in_capitals(encoding: str) -> None:
    attributes = {**_REQUIRED, "datacontenttype": _TYPE}
    assert queue.decode(Envelope(attributes, _frame(1, b"\x09\0\0\x90"), encoding)) == []


@pytest.mark.parametrize("encoding", ["gzip", "identity", "br"])
def test_an_encoding_that_we_have_not_is_poison(encoding: str) -> None:
    attributes = {**_REQUIRED, "datacontenttype": _TYPE}
    words = f"content encoding `{encoding}`, expected `zstd` or none"
    with pytest.raises(wg.queue.PoisonError, match=words):
        queue.decode(Envelope(attributes, b"\x90", encoding))


@pytest.mark.parametrize(
    "frame",
    [
        _frame(5),
        _frame_of_unknown_size(),
        _frame_of_unknown_size(b"\x10\0\0he" + b"\x19\0\0llo"),
        zstandard.ZstdCompressor(write_checksum=True, level=19).compress(b"hello"),
        zstandard.ZstdCompressor(write_content_size=False).compress(b"hello"),
    ],
    ids=["of known size", "of unknown size", "of two blocks", "with a checksum", "of others"],
)
def test_frames_of_any_kind_are_read(frame: bytes) -> None:
    assert decompressed(frame, 1000) == b"hello"
    assert decompressed(frame, 5) == b"hello"


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        _MAGIC,
        b"hello",
        _frame(4),
        _frame(6),
        _frame(2**64 - 1),
        _frame(2**64 - 2),
        _frame(5) + b"\0",
        _frame(5) + _frame(5),
        _frame(5) + _SKIPPED,
        _SKIPPED,
        _SKIPPED + _frame(5),
        _frame(5, b"\x2f\0\0hello"),
        _MAGIC + b"\0\xff" + _HELLO,
        _MAGIC + b"\x21\x05\x05" + _HELLO,
    ],
    ids=[
        "nothing",
        "magic alone",
        "no magic",
        "says less",
        "says more",
        "says it does not know, without a window",
        "says that it is an error",
        "with a byte behind it",
        "with a frame behind it",
        "with a frame to be skipped behind it",
        "a frame to be skipped",
        "a frame to be skipped before it",
        "a reserved kind of block",
        "an enormous window",
        "a dictionary that nobody has",
    ],
)
def test_what_is_no_frame_is_a_decode_error(frame: bytes) -> None:
    with pytest.raises(wg.DecodeError, match="not a Zstandard frame") as caught:
        decompressed(frame, 1000)
    assert caught.value.__cause__ is not None


def test_a_frame_cut_off_anywhere_is_a_decode_error() -> None:
    for frame in (compressed(b"hello" * 20), _frame_of_unknown_size()):
        for end in range(len(frame)):
            with pytest.raises(wg.DecodeError):
                decompressed(frame[:end], 1000)


def test_content_beyond_the_limit_is_refused_before_it_is_made() -> None:
    with pytest.raises(wg.LimitError, match="content of 6 bytes, expected at most 5"):
        decompressed(_frame(6), 5)
    with pytest.raises(wg.LimitError, match="content of 9,223,372,036,854,775,808 bytes"):
        decompressed(_frame(2**63), 256 * 1024 * 1024)


@pytest.mark.parametrize(
    "frame",
    [
        _frame_of_unknown_size(_bomb(10_000)),
        _frame(1_310_720_000, _bomb(10_000)),
        _frame(1_000_000, _bomb(10_000)),
        _frame(5, _bomb(10_000)),
    ],
    ids=["says nothing", "says the truth", "says what is allowed", "says little"],
)
def test_a_bomb_takes_no_more_memory_than_the_limit(frame: bytes) -> None:
    assert len(frame) < 41_000

    def read() -> None:
        with pytest.raises(wg.DecodeError):
            decompressed(frame, 1_000_000)

    within(1_100_000, read)


def test_a_bomb_in_an_envelope_is_poison_with_its_body() -> None:
    attributes = {**_REQUIRED, "datacontenttype": _TYPE}
    frame = _frame_of_unknown_size(_bomb(10_000))
    for read in (queue.decode, queue.decode_each):
        with pytest.raises(wg.queue.PoisonError) as caught:
            read(Envelope(attributes, frame, "zstd"), limits=wg.Limits(bytes=1_000_000))
        assert caught.value.body == frame


@settings(max_examples=100, deadline=None, database=None)
@given(st.binary(max_size=40), st.sampled_from((b"", _MAGIC, _frame(5)[:-6])))
def test_any_frame_is_content_or_a_decode_error(tail: bytes, head: bytes) -> None:
    with contextlib.suppress(wg.DecodeError):
        assert len(decompressed(head + tail, 1000)) <= 1000


def test_without_the_library_an_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    words = r"^queue: Zstandard needs zstandard: pip install 'wireglot\[queue\]'"
    with pytest.raises(wg.EncodeError, match=words):
        queue.encode([], zstd_over=0)
    attributes = {**_REQUIRED, "datacontenttype": _TYPE}
    with pytest.raises(wg.queue.PoisonError, match=words):
        queue.decode(Envelope(attributes, _frame(5), "zstd"))


_MANY = "more than 1,000,000 keys and values in "
_FREE = b'[{"role":"user","content":[],"metadata":{"a":[%b0]}}]'
_ROWS = b'[{"role":"user","content":[%b]}]'
_ROW = b'{"type":"text","text":"","k":0,"l":"0123456789abcdefg"},'
_PACKED = b"\x91\x83\xa4role\xa4user\xa7content\x90\xa8metadata\x81\xa1a\xdd%b"
_OPEN = """
import sys
import wireglot as wg
from wireglot import queue

def peak():  # that of the process itself: `ru_maxrss` begins with that of its parent
    status = open("/proc/self/status").read()
    return int(status.split("VmHWM:")[1].split()[0])

warm = queue.encode([wg.UserMessage.from_text("x" * 100)], zstd_over=1)
queue.decode(warm)
data = open(sys.argv[1], "rb").read()
before = peak()
try:
    queue.decode(queue.Envelope.from_bytes(data))
    outcome = "read"
except wg.queue.PoisonError as error:
    outcome = error.reason
print(peak() - before, outcome)
"""


def _packed(item: bytes, count: int) -> bytes:
    return _PACKED % (count.to_bytes(4, "big") + item * count)


@pytest.mark.parametrize(
    ("format", "body", "outcome"),
    [
        ("json", _FREE % (b'{"":0},' * 330_000), "read"),
        ("json", _FREE % (b'{"":0},' * 590_000), _MANY),
        ("json", _FREE % (b"[]," * 1_390_000), _MANY),
        ("json", _ROWS % (_ROW * 74_000)[:-1], "read"),
        ("json", _FREE % (b'"%b",' % (b"x" * 4_190_000 + "🌊".encode())), "read"),
        (
            "json",
            b"[%b]" % (b" " * 200_000_000),
            "content of 200,000,002 bytes, expected at most",
        ),
        ("msgpack", _packed(b"\x80", 990_000), "read"),
        ("msgpack", _packed(b"\x81\xa0\xc0", 330_000), "read"),
        ("msgpack", _packed(b"\x80", 3_900_000), _MANY),
        ("msgpack", _packed(b"\x81\xa0\xc0", 1_390_000), _MANY),
        ("msgpack", _packed(b"\x91\x80", 1_990_000), _MANY),
    ],
    ids=[
        "objects",
        "many objects",
        "many lists",
        "blocks with unknown keys",
        "a text beyond ASCII",
        "mostly space",
        "empty maps",
        "maps",
        "many empty maps",
        "many maps",
        "many maps in lists",
    ],
)
def test_a_small_envelope_costs_less_than_150_mb(
    format: str, body: bytes, outcome: str, tmp_path: Path
) -> None:
    frame = zstandard.ZstdCompressor(level=19).compress(body)
    assert len(frame) < 20_000
    kind = f"application/vnd.wireglot+{format}; kind=messages; version=1"
    path = tmp_path / "envelope"
    path.write_bytes(Envelope({**_REQUIRED, "datacontenttype": kind}, frame, "zstd").to_bytes())
    done = subprocess.run(
        [sys.executable, "-c", _OPEN, str(path)], capture_output=True, text=True, check=True
    )
    grown, _, said = done.stdout.strip().partition(" ")
    assert said.startswith(outcome)
    assert int(grown) < 150_000  # KiB


@pytest.mark.parametrize("format", ["json", "msgpack"])
def test_many_values_that_no_reader_would_unpack_are_sent_as_they_are(format: Any) -> None:
    message = wg.UserMessage.from_text("x")
    message.metadata = {"a": [[]] * 1_100_000}
    envelope = queue.encode([message], zstd_over=1, format=format)
    assert envelope.encoding is None
    assert queue.decode(envelope)[0].metadata == {"a": [[]] * 1_100_000}
    packed = zstandard.ZstdCompressor().compress(envelope.body)
    attributes = {**envelope.attributes}
    del attributes["crc32"]
    for read in (queue.decode, queue.decode_each):
        with pytest.raises(wg.queue.PoisonError) as caught:
            read(Envelope(attributes, packed, "zstd"))
        assert caught.value.reason == (
            f"more than 1,000,000 keys and values in {len(packed):,} bytes, "
            "expected a body that is not compressed"
        )
        assert caught.value.body == packed


def test_a_body_that_no_reader_would_unpack_is_sent_as_it_is() -> None:
    envelope = queue.encode([wg.UserMessage.from_text(" " * 5_000_000)], zstd_over=1)
    assert envelope.encoding is None
    assert len(queue.decode(envelope)) == 1
