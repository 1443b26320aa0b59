"""What is as large as a broker takes goes through; one byte more is refused before it is sent."""

import asyncio
from uuid import uuid4

import aio_pika
import nats
import pytest
from aiokafka import AIOKafkaProducer
from confluent_kafka import Producer

import wireglot as wg
from tests.queues.brokers import RABBITMQ
from tests.queues.servers import needs
from wireglot import queue


def _envelope(size: int) -> queue.Envelope:
    """Return an envelope with a body of that many bytes."""
    overhead = len(queue.encode([_message(70_000)], id="x").body) - 70_000
    made = queue.encode([_message(size - overhead)], id="x", conversation="é c")
    assert len(made.body) == size
    return made


def _message(size: int) -> wg.Message:
    block = wg.ImageBlock.from_bytes(bytes(size), "image/png")
    return wg.UserMessage([block], timestamp=0)


async def _over_nats(subject: str) -> None:
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    await stream.add_stream(name=subject, subjects=[subject])
    try:
        # 10 for `NATS/1.0` and its line end, 2 for the empty line, 4 for each line's `: ` and end.
        lines = queue.nats.headers(_envelope(100_000))
        around = 12 + sum(len(name) + len(value) + 4 for name, value in lines.items())
        largest = client.max_payload - around
        await queue.nats.publish(stream, subject, _envelope(largest), limit=client.max_payload)
        with pytest.raises(wg.queue.TooLargeError) as caught:
            await queue.nats.publish(stream, subject, _envelope(largest + 1))
        assert (caught.value.size, caught.value.limit) == (1_048_577, 1_048_576)
        info = await stream.stream_info(subject)
        assert info.state.messages == 1
    finally:
        await stream.delete_stream(subject)
        await client.close()


@needs("nats")
def test_nats_takes_the_largest_message_that_we_let_through() -> None:
    asyncio.run(_over_nats(f"wireglot-{uuid4().hex}"))


async def _over_kafka(servers: str) -> None:
    # 97 for the batch and the record, 10 for the lengths of each header.
    record = queue.kafka.record(_envelope(100_000))
    around = 97 + len("é c".encode()) + sum(len(n) + len(v) + 10 for n, v in record["headers"])
    largest = 1_048_576 - around
    with pytest.raises(wg.queue.TooLargeError, match="1,048,577 bytes, expected at most 1,048,576"):
        queue.kafka.record(_envelope(largest + 1))
    async with AIOKafkaProducer(bootstrap_servers=servers) as producer:
        await producer.send_and_wait("large", **queue.kafka.record(_envelope(largest)))


def test_kafka_takes_the_largest_record_that_we_let_through() -> None:
    keeper = Producer({"test.mock.num.brokers": 1, "log_level": 0})  # a broker in this process
    (broker,) = keeper.list_topics("large", timeout=30).brokers.values()
    asyncio.run(_over_kafka(f"{broker.host}:{broker.port}"))


def test_confluent_kafka_takes_the_largest_record_of_its_own_limit() -> None:
    record = queue.kafka.record(_envelope(100_000))
    around = 97 + len("é c".encode()) + sum(len(n) + len(v) + 10 for n, v in record["headers"])
    largest = 1_000_000 - around
    with pytest.raises(wg.queue.TooLargeError, match="1,000,001 bytes, expected at most 1,000,000"):
        queue.kafka.record(_envelope(largest + 1), limit=1_000_000)
    producer = Producer({"test.mock.num.brokers": 1, "log_level": 0})
    came: list[object] = []
    record = queue.kafka.record(_envelope(largest), limit=1_000_000)
    producer.produce("large", **record, on_delivery=lambda error, _: came.append(error))
    producer.flush(30)
    assert came == [None]


async def _over_rabbitmq(name: str) -> None:
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        target = await channel.declare_queue(name, auto_delete=True)
        exchange = channel.default_exchange
        await queue.aio_pika.publish(exchange, target.name, _envelope(16_777_216))
        with pytest.raises(
            wg.queue.TooLargeError, match="message of 16,777,217 bytes, expected at most"
        ):
            await queue.aio_pika.publish(exchange, target.name, _envelope(16_777_217))
        came = await target.get(timeout=30)
        assert queue.decode(queue.aio_pika.envelope(came))
        await came.ack()


@needs("rabbitmq")
def test_rabbitmq_takes_the_largest_message_that_we_let_through() -> None:
    asyncio.run(_over_rabbitmq(f"wireglot-{uuid4().hex}"))
