"""Send turns of conversations, and one poisonous record, through Kafka with aiokafka.

Run `python kafka_turns.py ADDRESS`, `ADDRESS` is `127.0.0.1:9092` by default. It needs
`pip install 'wireglot[queue]' aiokafka`.
"""

import asyncio
import sys

import turn
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

import wireglot as wg
from wireglot import queue


async def main(servers: str) -> None:
    """Publish a turn and a record that is not an envelope, and consume both."""
    producer = AIOKafkaProducer(bootstrap_servers=servers, acks="all")
    consumer = AIOKafkaConsumer(
        "example-turns",
        bootstrap_servers=servers,
        group_id="example-workers",
        auto_offset_reset="earliest",
        enable_auto_commit=False,  # it may commit before the work is done
    )
    async with producer, consumer:
        # The conversation is the key, so that all of it stays in one partition, in order.
        await producer.send_and_wait("example-turns", **queue.kafka.record(turn.envelope("turn-1")))
        await producer.send_and_wait("example-turns", key=b"c-42", value=b"hello")
        for _ in range(2):
            record = await consumer.getone()
            try:
                print(turn.opened(queue.kafka.envelope(record)))
            except (wg.queue.PoisonError, wg.queue.ClaimError) as error:
                dead = queue.kafka.dead_record(record, error)
                await producer.send_and_wait("example-dead", **dead)
                print("put aside:", error)
            await consumer.commit()


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:9092"))
