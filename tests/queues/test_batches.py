"""Many envelopes in one: each comes back with what it had, and none spoils another."""

import zlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.queues.test_envelope import envelopes
from wireglot import queue
from wireglot.queue import Envelope

laws = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)

_REQUIRED = {"specversion": "1.0", "id": "1", "source": "/s", "type": "t"}
_ONE = Envelope({**_REQUIRED}, b"\x90")
_PACKED = (
    b"\x94\x01\x84\xa2id\xa11\xa6source\xa2/s\xabspecversion\xa31.0\xa4type\xa1t\xc0\xc4\x01\x90"
)
_TYPE = "application/vnd.wireglot+msgpack; kind=batch; version=1"


def _batch(body: bytes, encoding: str | None = None) -> Envelope:
    return Envelope({**_REQUIRED, "datacontenttype": _TYPE}, body, encoding)


def test_a_batch_is_an_array_of_whole_envelopes() -> None:
    batch = queue.encode_batch([_ONE, _ONE], id="b-1", source="/gateway", conversation="c-42")
    assert batch.body == b"\x92" + _PACKED + _PACKED
    assert batch.attributes == {
        "specversion": "1.0",
        "id": "b-1",
        "source": "/gateway",
        "type": "wireglot.batch",
        "partitionkey": "c-42",
        "datacontenttype": _TYPE,
        "crc32": f"{zlib.crc32(batch.body):08x}",
    }
    assert list(queue.decode_batch(_batch(b"\x92" + _PACKED + _PACKED))) == [_ONE, _ONE]


@laws
@given(st.lists(envelopes(), max_size=4), st.sampled_from((None, 0)))
def test_a_batch_gives_back_its_envelopes(held: list[Envelope], over: int | None) -> None:
    batch = queue.encode_batch(iter(held), zstd_over=over)
    assert list(queue.decode_batch(batch)) == held
    assert list(queue.decode_batch(Envelope.from_bytes(batch.to_bytes()))) == held


def test_a_batch_may_hold_a_batch() -> None:
    inner = queue.encode_batch([_ONE])
    [came] = queue.decode_batch(queue.encode_batch([inner]))
    assert came == inner
    assert list(queue.decode_batch(came)) == [_ONE]


def test_bodies_in_a_batch_are_slices_of_its_own() -> None:
    buffer = bytearray(b"\x91" + _PACKED)
    [came] = queue.decode_batch(_batch(memoryview(buffer).toreadonly()))  # type: ignore[arg-type]
    buffer[-1:] = b"\xc0"
    assert came.body == b"\xc0"


def test_an_envelope_that_is_poisonous_does_not_spoil_the_rest() -> None:
    newer = b"\x91\x02"
    found = queue.decode_batch(_batch(b"\x95" + _PACKED + b"\x2a" + _PACKED + newer + _PACKED))
    assert next(found) == _ONE
    with pytest.raises(
        wg.queue.PoisonError, match="not an envelope: Expected `array`, got `int`"
    ) as caught:
        next(found)
    assert caught.value.body == b"\x2a"
    assert next(found) == _ONE
    with pytest.raises(wg.queue.VersionError) as newest:
        next(found)
    assert newest.value.body == newer
    assert list(found) == [_ONE]


@pytest.mark.parametrize("body", [b"", b"\x2a", b"\x80", b"\x91", b"\x90\x90", b"\x91" * 100_000])
def test_a_batch_that_cannot_be_read_is_poison_at_once(body: bytes) -> None:
    with pytest.raises(wg.queue.PoisonError, match="not a batch: ") as caught:
        queue.decode_batch(_batch(body))
    assert caught.value.body == body
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("kind", ["messages", "request", "Batch"])
def test_what_is_no_batch_is_poison(kind: str) -> None:
    text = f"application/vnd.wireglot+msgpack; kind={kind}; version=1"
    with pytest.raises(
        wg.queue.PoisonError, match=f"content of kind `{kind}` as `msgpack`, expected `batch`"
    ):
        queue.decode_batch(Envelope({**_REQUIRED, "datacontenttype": text}, b"\x90"))


def test_a_batch_in_json_is_poison() -> None:
    text = _TYPE.replace("msgpack", "json")
    with pytest.raises(
        wg.queue.PoisonError, match="`batch` as `json`, expected `batch` as `msgpack`"
    ):
        queue.decode_batch(Envelope({**_REQUIRED, "datacontenttype": text}, b"[]"))


def test_limits_hold_for_a_batch() -> None:
    batch = queue.encode_batch([_ONE] * 10)
    size = len(batch.body)
    limits = wg.Limits(messages=10, bytes=size)
    assert list(queue.decode_batch(batch, limits=limits)) == [_ONE] * 10
    with pytest.raises(wg.queue.PoisonError, match="10 envelopes, expected at most 9"):
        queue.decode_batch(batch, limits=wg.Limits(messages=9))
    for each in (batch, queue.encode_batch([_ONE] * 10, zstd_over=0)):
        with pytest.raises(wg.queue.PoisonError, match=f"bytes, expected at most {size - 1}"):
            queue.decode_batch(each, limits=wg.Limits(bytes=size - 1))


def test_more_envelopes_than_readers_take_are_refused_before_they_are_sent() -> None:
    with pytest.raises(wg.EncodeError, match="100,001 envelopes, expected at most 100,000"):
        queue.encode_batch([_ONE] * 100_001)


def test_a_checksum_of_the_batch_tells_every_flipped_bit() -> None:
    batch = queue.encode_batch([_ONE])
    for bit in range(8 * len(batch.body)):
        changed = bytearray(batch.body)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(wg.queue.PoisonError, match="of the body, expected"):
            queue.decode_batch(Envelope(batch.attributes, bytes(changed)))


@laws
@given(st.binary(max_size=40) | st.binary(max_size=20).map(lambda tail: b"\x92" + _PACKED + tail))
def test_any_batch_is_envelopes_or_poison(body: bytes) -> None:
    try:
        found = queue.decode_batch(_batch(body))
    except wg.queue.PoisonError:
        return
    while True:
        try:
            envelope: Any = next(found, None)
        except wg.queue.PoisonError:
            continue
        if envelope is None:
            break
        assert envelope.id
