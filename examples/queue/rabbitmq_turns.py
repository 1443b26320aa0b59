"""Send turns of conversations, and one poisonous message, through a queue of RabbitMQ.

Run `python rabbitmq_turns.py`. It needs RabbitMQ on its default port, and
`pip install 'wireglot[queue]' aio-pika`.
"""

import asyncio

import aio_pika
import turn

import wireglot as wg
from wireglot import queue


async def main() -> None:
    """Publish two turns and a message that is not an envelope, and consume them."""
    async with await aio_pika.connect("amqp://guest:guest@127.0.0.1/") as connection:
        channel = await connection.channel()
        dead = await channel.declare_queue("example-turns.dead", auto_delete=True)
        turns = await channel.declare_queue(
            "example-turns",
            auto_delete=True,
            arguments={"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead.name},
        )
        exchange = channel.default_exchange
        await queue.aio_pika.publish(exchange, turns.name, turn.envelope("turn-1"))
        await exchange.publish(aio_pika.Message(b"hello"), turns.name)
        await queue.aio_pika.publish(exchange, turns.name, turn.envelope("turn-2"))

        async with turns.iterator() as messages:
            async for message in messages:
                try:
                    said = turn.opened(queue.aio_pika.envelope(message))
                except (wg.PoisonError, wg.ClaimError) as error:
                    await message.reject(requeue=False)  # to the dead-letter queue
                    print("rejected:", error)
                    continue
                await message.ack()
                print(said)
                if said.startswith("turn-2"):
                    break
        lost = await dead.get(timeout=30)
        print("dead:", lost.body)
        await lost.ack()


asyncio.run(main())
