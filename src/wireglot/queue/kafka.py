"""Envelopes <-> records of Kafka, by aiokafka or confluent-kafka; it imports neither.

Both accept a record as it is::

    await producer.send_and_wait("turns", **queue.kafka.record(envelope))    # aiokafka
    record = queue.kafka.record(envelope, limit=1_000_000)                   # confluent-kafka
    producer.produce("turns", **record)

For a topic whose producers or consumers cannot see headers, use `serializer` and `deserializer`:
the value is then the whole envelope. Send a poisonous record to a topic of its own, as
`dead_record` returns it, before you commit its offset.
"""

from __future__ import annotations

from typing import Any, Final, TypedDict

from ..errors import WireglotError
from .envelope import Envelope
from .headers import ERROR, KAFKA, described, envelope_of, headers_of
from .sizes import KAFKA_LIMIT, check_size, size_of

__all__ = ["Record", "dead_record", "deserializer", "envelope", "record", "serializer"]

# The most that a batch of one record adds (format version 2): head, lengths, offset, time.
_FRAME: Final = 61 + 36
_HEADER: Final = 2 * 5


class Record(TypedDict):
    """What `send` of aiokafka and `produce` of confluent-kafka accept beside the topic."""

    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, str | bytes | None]]  # as confluent-kafka has it


def record(envelope: Envelope, *, limit: int = KAFKA_LIMIT) -> Record:
    """Return a record of an envelope; its key is the conversation.

    `limit` is what the producer takes: by default 1,048,576 bytes for aiokafka, 1,000,000 for
    confluent-kafka.

    Raises `TooLargeError` if its uncompressed size may be more than `limit` bytes.
    """
    texts = headers_of(envelope, KAFKA)
    key = None if envelope.conversation is None else envelope.conversation.encode()
    size = size_of(texts, envelope.body, _HEADER) + len(key or b"") + _FRAME
    check_size("kafka", size, limit)
    return Record(
        key=key,
        value=bytes(envelope.body),
        headers=[(name, text.encode()) for name, text in texts.items()],
    )


def envelope(record: Any) -> Envelope:
    """Return the envelope of a record, aiokafka's `ConsumerRecord` or confluent-kafka's `Message`.

    Raises `PoisonError` if it is not a CloudEvent.
    """
    headers, value = _parts(record)
    return envelope_of(headers, value or b"")


def dead_record(record: Any, error: WireglotError, *, limit: int = KAFKA_LIMIT) -> Record:
    """Return a copy of a record to put aside, with as much of the error as `limit` leaves room for.

    A record with neither key nor value, which aiokafka would not send, gets an empty value.
    """
    headers, value = _parts(record)
    key = _part(record, "key")
    if key is None and value is None:
        value = b""
    texts = sum(len(name.encode()) + len(text or b"") + _HEADER for name, text in headers)
    around = texts + len(key or b"") + len(value or b"") + len(ERROR) + _HEADER + _FRAME
    why = described(error).encode()[: max(limit - around, 0)]
    return Record(key=key, value=value, headers=[*headers, (ERROR, why)] if why else headers)


def serializer(envelope: Envelope, context: object = None) -> bytes:
    """Return the whole envelope as the value of a record; `context` is confluent-kafka's."""
    return envelope.to_bytes()


def deserializer(value: bytes | None, context: object = None) -> Envelope:
    """Return the envelope of a value that `serializer` returned.

    Raises `PoisonError`, after which confluent-kafka goes on to the next record and aiokafka does
    not: with aiokafka, call this on the received value instead of passing it as
    `value_deserializer`.
    """
    return Envelope.from_bytes(value or b"")


def _parts(record: Any) -> tuple[list[tuple[str, str | bytes | None]], bytes | None]:
    return [*(_part(record, "headers") or ())], _part(record, "value")


def _part(record: Any, name: str) -> Any:
    found = getattr(record, name)
    return found() if callable(found) else found
