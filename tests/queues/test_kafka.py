"""Records through aiokafka and confluent-kafka, on the broker that librdkafka has for tests."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition
from confluent_kafka.serialization import MessageField, SerializationContext

import wireglot as wg
from wireglot import queue
from wireglot.queue import kafka

_SESSION: list[wg.AgentMessage] = [
    wg.UserMessage([wg.TextBlock("Look"), wg.ImageBlock.from_bytes(b"\xff\xd8\xff")])
]
_TYPE = b"application/vnd.wireglot+msgpack; kind=messages; version=1"


@pytest.fixture(scope="module")
def servers() -> Iterator[str]:
    """The address of a broker in this process."""
    keeper = Producer({"test.mock.num.brokers": 1, "log_level": 0})
    (broker,) = keeper.list_topics("turns", timeout=30).brokers.values()
    yield f"{broker.host}:{broker.port}"
    keeper.flush(30)


async def _through_aiokafka(servers: str, topic: str, records: list[kafka.Record]) -> list[Any]:
    async with AIOKafkaProducer(bootstrap_servers=servers) as producer:
        for record in records:
            await producer.send_and_wait(topic, **record)
    consumer = AIOKafkaConsumer(topic, bootstrap_servers=servers, auto_offset_reset="earliest")
    async with consumer:
        return [await asyncio.wait_for(consumer.getone(), 30) for _ in records]


def _through_confluent(servers: str, topic: str, records: list[kafka.Record]) -> list[Any]:
    producer = Producer({"bootstrap.servers": servers})
    for record in records:
        producer.produce(topic, partition=0, **record)
    producer.flush(30)
    consumer = Consumer({"bootstrap.servers": servers, "group.id": "readers"})
    consumer.assign([TopicPartition(topic, 0, OFFSET_BEGINNING)])
    came = consumer.consume(len(records), timeout=30)
    consumer.close()
    return came


def test_records_arrive_by_aiokafka(servers: str) -> None:
    sent = [queue.encode(_SESSION, id=str(number), conversation="c-7") for number in range(3)]
    came = asyncio.run(_through_aiokafka(servers, "a", [kafka.record(each) for each in sent]))
    assert [record.key for record in came] == [b"c-7"] * 3
    assert len({record.partition for record in came}) == 1
    envelopes = sorted((kafka.envelope(record) for record in came), key=lambda each: each.id)
    assert envelopes == sent
    assert [queue.decode(each) for each in envelopes] == [_SESSION] * 3


def test_records_arrive_by_confluent_kafka(servers: str) -> None:
    sent = [queue.encode(_SESSION, id=str(number), zstd_over=0) for number in range(3)]
    came = _through_confluent(servers, "b", [kafka.record(each) for each in sent])
    assert [record.key() for record in came] == [None] * 3
    assert [kafka.envelope(record) for record in came] == sent
    assert dict(came[0].headers())["content-type"] == _TYPE


@pytest.mark.parametrize("client", ["aiokafka", "confluent"])
def test_a_poisonous_record_is_put_aside_as_it_came(servers: str, client: str) -> None:
    good = kafka.record(queue.encode(_SESSION, id="good"))
    bad = kafka.record(queue.encode(_SESSION, id="bad", conversation="c-1"))
    assert bad["value"] is not None
    bad["value"] = bad["value"][:-2]
    tombstone = kafka.Record(key=b"c-1", value=None, headers=[("of", None)])

    def through(topic: str, records: list[kafka.Record]) -> list[Any]:
        if client == "confluent":
            return _through_confluent(servers, topic, records)
        return asyncio.run(_through_aiokafka(servers, topic, records))

    came, dead = [], []
    for record in through(f"poison-{client}", [bad, tombstone, good]):
        try:
            envelope = kafka.envelope(record)
            queue.decode(envelope)
            came.append(envelope.id)
        except wg.queue.PoisonError as error:
            dead.append(kafka.dead_record(record, error))
    assert came == ["good"]
    buried = [_plain(record) for record in through(f"dead-{client}", dead)]
    wrong_sum = b"queue: checksum `f9a075fa` of the body, expected `44b90cc2` (`crc32`) - at `$`"
    no_event = b"queue: envelope without `specversion`, expected some text - at `$`"
    expected = [
        (b"c-1", bad["value"], [*bad["headers"], ("wireglot-error", wrong_sum)]),
        (b"c-1", None, [("of", None), ("wireglot-error", no_event)]),
    ]
    assert sorted(buried, key=lambda each: each[1] is None) == expected


def _plain(record: Any) -> tuple[bytes, bytes | None, list[tuple[str, bytes | None]]]:
    """Return key, value and headers, which confluent-kafka has as methods."""
    if callable(record.value):
        return record.key(), record.value(), list(record.headers())
    return record.key, record.value, list(record.headers)


async def _whole_envelopes(servers: str, envelope: queue.Envelope) -> Any:
    producer = AIOKafkaProducer(bootstrap_servers=servers, value_serializer=kafka.serializer)
    async with producer:
        await producer.send_and_wait("c", envelope)
    consumer = AIOKafkaConsumer(
        "c",
        bootstrap_servers=servers,
        auto_offset_reset="earliest",
        value_deserializer=kafka.deserializer,
    )
    async with consumer:
        return await asyncio.wait_for(consumer.getone(), 30)


def test_the_serializers_take_whole_envelopes_as_values(servers: str) -> None:
    envelope = queue.encode(_SESSION, id="1")
    record = asyncio.run(_whole_envelopes(servers, envelope))
    assert (record.value, record.headers) == (envelope, ())
    context = SerializationContext("c", MessageField.VALUE)
    assert kafka.deserializer(kafka.serializer(envelope, context), context) == envelope


@pytest.mark.parametrize("value", [None, b""])
def test_a_record_without_a_value_holds_no_envelope(value: bytes | None) -> None:
    with pytest.raises(wg.queue.PoisonError, match="not an envelope: Input data was truncated"):
        kafka.deserializer(value)


async def _junk_and_an_envelope(servers: str, envelope: queue.Envelope) -> list[str]:
    """Take what is no envelope and what is one, as values, and return what became of each."""
    async with AIOKafkaProducer(bootstrap_servers=servers) as producer:
        await producer.send_and_wait("d", b"junk", partition=0)
        await producer.send_and_wait("d", kafka.serializer(envelope), partition=0)
    came = []
    consumer = AIOKafkaConsumer("d", bootstrap_servers=servers, auto_offset_reset="earliest")
    async with consumer:
        for _ in range(2):
            record = await asyncio.wait_for(consumer.getone(), 30)
            try:
                came.append(kafka.deserializer(record.value).id)
            except wg.queue.PoisonError as error:
                came.append(str(error))
    return came


def test_a_poisonous_value_holds_up_no_consumer_that_opens_it_itself(servers: str) -> None:
    assert asyncio.run(_junk_and_an_envelope(servers, queue.encode(_SESSION, id="1"))) == [
        "queue: not an envelope: Expected `array`, got `int` - at `$`",
        "1",
    ]


def test_a_record_that_kafka_would_refuse_is_refused_before() -> None:
    large = [wg.UserMessage([wg.ImageBlock.from_bytes(bytes(1_050_000))])]
    with pytest.raises(wg.queue.TooLargeError, match="expected at most 1,048,576; check media in"):
        kafka.record(queue.encode(large))
    assert kafka.record(queue.encode(large), limit=2_000_000)["key"] is None
