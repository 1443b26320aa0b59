"""What a broker would not take is refused before anything is sent."""

import asyncio
import pickle
from typing import Any, NamedTuple

import pytest

import wireglot as wg
from wireglot.queue import Envelope, aio_pika, kafka, nats, redis
from wireglot.queue.sizes import check_size, size_of

_TYPE = "application/vnd.wireglot+msgpack; kind=messages; version=1"
_ATTRIBUTES = {"specversion": "1.0", "id": "1", "source": "/s", "type": "t"}


def _of(size: int, **attributes: str) -> Envelope:
    return Envelope({**_ATTRIBUTES, **attributes, "datacontenttype": _TYPE}, bytes(size))


class _Nothing:
    """A client that takes nothing: whatever is asked of it fails the test."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"asked for `{name}`")


def test_an_error_names_the_size_the_limit_and_what_to_do_about_it() -> None:
    check_size("nats", 1_048_576, 1_048_576)
    with pytest.raises(wg.queue.TooLargeError) as caught:
        check_size("nats", 1_048_577, 1_048_576)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert type(error) is wg.queue.TooLargeError
        assert (error.size, error.limit, error.wire) == (1_048_577, 1_048_576, "nats")
        assert str(error) == (
            "nats: message of 1,048,577 bytes, expected at most 1,048,576; check media in with "
            "`wireglot.queue.check_in`, compress with `zstd_over`, or raise the limit of broker "
            "and call - at `$`"
        )
        assert isinstance(error, wg.EncodeError)


def test_sizes_count_bytes_not_characters() -> None:
    assert size_of({"a": "ł🌍"}, b"xyz", 4) == 1 + 6 + 4 + 3


@pytest.mark.parametrize(
    ("publish", "body", "size", "limit"),
    [
        (lambda e: aio_pika.publish(_Nothing(), "q", e), 16_777_217, 16_777_217, 16_777_216),  # type: ignore[arg-type]
        (lambda e: redis.publish(_Nothing(), "s", e, limit=99), 100, 100, 99),  # type: ignore[arg-type]
        (lambda e: nats.publish(_Nothing(), "s", e), 1_048_576, 1_048_739, 1_048_576),  # type: ignore[arg-type]
        (lambda e: nats.publish(_Nothing(), "s", e, limit=162), 0, 163, 162),  # type: ignore[arg-type]
    ],
    ids=["aio-pika", "redis", "nats", "nats, headers alone"],
)
def test_nothing_is_sent_of_a_message_that_is_too_large(
    publish: Any, body: int, size: int, limit: int
) -> None:
    with pytest.raises(wg.queue.TooLargeError) as caught:
        asyncio.run(publish(_of(body)))
    assert (caught.value.size, caught.value.limit) == (size, limit)


def test_a_record_of_kafka_that_is_too_large_is_not_made() -> None:
    envelope = _of(100, partitionkey="ł" * 50)
    with pytest.raises(wg.queue.TooLargeError) as caught:
        kafka.record(envelope, limit=100)
    size = caught.value.size
    assert kafka.record(envelope, limit=size)["key"] == ("ł" * 50).encode()
    with pytest.raises(wg.queue.TooLargeError):
        kafka.record(envelope, limit=size - 1)
    # What is in it, and no more than a hundred and some bytes beside.
    held = 100 + 2 * 100 + len(_TYPE) + len("content-typece_specversionce_idce_source")
    assert 0 < size - held < 220


class _Came(NamedTuple):
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes]]


@pytest.mark.parametrize(
    ("room", "headers"),
    [
        (0, [("a", b"b")]),
        (7, [("a", b"b"), ("wireglot-error", b"queue: ")]),
        (18, [("a", b"b"), ("wireglot-error", b"queue: why - at `$")]),
        (19, [("a", b"b"), ("wireglot-error", b"queue: why - at `$`")]),
        (99, [("a", b"b"), ("wireglot-error", b"queue: why - at `$`")]),
    ],
)
def test_a_record_that_is_put_aside_has_as_much_of_the_error_as_there_is_room_for(
    room: int, headers: list[tuple[str, bytes]]
) -> None:
    came = _Came(b"k", b"value", [("a", b"b")])
    error = wg.queue.PoisonError("why", body=b"", wire="queue")
    # Its own 8 bytes, the name of the header, ten for each header's lengths, 97 around them all.
    made = kafka.dead_record(came, error, limit=8 + 14 + 20 + 97 + room)
    assert made == {"key": b"k", "value": b"value", "headers": headers}


@pytest.mark.parametrize(
    ("key", "value"),
    [(b"k", None), (None, b"")],  # aiokafka sends no record that has neither
    ids=["with a key", "without a key"],
)
def test_a_record_without_a_value_is_put_aside_as_one_that_can_be_sent(
    key: bytes | None, value: bytes | None
) -> None:
    error = wg.queue.PoisonError("why", body=b"", wire="queue")
    assert kafka.dead_record(_Came(key, None, []), error) == {
        "key": key,
        "value": value,
        "headers": [("wireglot-error", b"queue: why - at `$`")],
    }


def test_the_size_of_a_message_of_nats_is_what_goes_over_the_wire() -> None:
    envelope = _of(10, subject="ł")
    lines = nats.headers(envelope)
    block = "NATS/1.0\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items()) + "\r\n"
    size = len(block.encode()) + 10
    with pytest.raises(wg.queue.TooLargeError) as caught:
        asyncio.run(nats.publish(_Nothing(), "s", envelope, limit=size - 1))  # type: ignore[arg-type]
    assert caught.value.size == size
    with pytest.raises(AssertionError, match="asked for `publish`"):
        asyncio.run(nats.publish(_Nothing(), "s", envelope, limit=size))  # type: ignore[arg-type]


def test_what_an_entry_of_redis_had_beside_its_body_is_kept_as_text() -> None:
    with pytest.raises(wg.queue.PoisonError, match="entry without `data`") as caught:
        redis.envelope({b"ce_id": b"1", b"x": b"\xff"})
    assert caught.value.headers == {"ce_id": "1", "x": "\ufffd"}
