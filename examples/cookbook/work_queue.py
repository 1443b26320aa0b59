"""Send conversations through RabbitMQ to a worker.

Pictures stay in a store. Messages that the worker cannot read go to a dead-letter queue.
"""

import asyncio
import os
from uuid import uuid4

import aio_pika
from aio_pika.abc import AbstractExchange, AbstractQueue

import wireglot as wg
from wireglot import queue

RABBITMQ = os.environ.get("RABBITMQ_URL", "amqp://guest:guest@127.0.0.1/")
STORE = queue.FileStore("memory://media")  # or `s3://bucket/media`, or a shared folder
NAME = f"wireglot-cookbook-{uuid4()}"

picture = wg.ImageBlock.from_bytes(bytes(100_000), "image/png")
session = [wg.UserMessage([wg.TextBlock("What is this?"), picture])]


async def produce(exchange: AbstractExchange, id: str) -> None:
    """Publish a job. If you send a job again, use the same id."""
    envelope = queue.encode(queue.check_in(session, STORE), id=id, conversation="c-42")
    await queue.aio_pika.publish(exchange, NAME, envelope)
    print(f"{id}: sent in {len(envelope.body)} bytes")


async def consume(jobs: AbstractQueue) -> None:
    """Do the jobs. Stop after the second one."""
    async with jobs.iterator(timeout=30) as messages:
        async for message in messages:
            try:
                envelope = queue.aio_pika.envelope(message)
                job = queue.check_out(queue.decode(envelope), STORE)
            except (wg.queue.PoisonError, wg.queue.ClaimError) as error:
                await message.reject(requeue=False)  # to the dead-letter queue
                print(f"rejected: {error}")
                continue
            print(f"{envelope.id}: done, the picture is there: {job == session}")
            await message.ack()
            if envelope.id == "job-2":
                break


async def main() -> None:
    """Declare the queues, and use them. RabbitMQ deletes an `exclusive` queue at the end."""
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        dead = await channel.declare_queue(f"{NAME}.dead", exclusive=True)
        jobs = await channel.declare_queue(
            NAME,
            exclusive=True,
            arguments={"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead.name},
        )
        exchange = channel.default_exchange
        await produce(exchange, "job-1")
        await exchange.publish(aio_pika.Message(b"hello"), NAME)  # not an envelope
        await produce(exchange, "job-2")
        await consume(jobs)
        async with dead.iterator(no_ack=True, timeout=30) as messages:
            print("dead:", (await anext(messages)).body)


asyncio.run(main())
