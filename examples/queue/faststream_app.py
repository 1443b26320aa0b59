"""A service of FastStream that takes turns of conversations from RabbitMQ, and answers them.

Start it with `faststream run faststream_app:app`, then run `python faststream_app.py`. It needs
RabbitMQ on its default port, and `pip install 'wireglot[queue]' 'faststream[cli,rabbit]'`. RabbitMQ
moves messages that the service cannot read or fails to handle to the queue `faststream-turns.dead`.
"""

import asyncio

from faststream import AckPolicy, FastStream
from faststream.rabbit import Channel, RabbitBroker, RabbitQueue

import wireglot as wg
from wireglot import queue

# Without `on_return_raises`, an answer that no queue takes is lost and the turn acknowledged.
broker = RabbitBroker(
    "amqp://guest:guest@127.0.0.1/",
    decoder=queue.faststream.decoder,
    default_channel=Channel(on_return_raises=True),
)
app = FastStream(broker)

turns = RabbitQueue(
    "faststream-turns",
    durable=True,
    arguments={
        "x-dead-letter-exchange": "",
        "x-dead-letter-routing-key": "faststream-turns.dead",
    },
)


@broker.subscriber(turns, ack_policy=AckPolicy.REJECT_ON_ERROR)
async def on_turn(envelope: queue.Envelope) -> None:
    """Answer a turn in the queue of its conversation; a real service would ask a model."""
    messages = wg.llm_messages(queue.decode(envelope))
    text = f"{len(messages)} messages, the last one: {messages[-1].text()}"
    answer = queue.encode(
        [wg.AssistantMessage([wg.TextBlock(text)], wg.StopReason.STOP)],
        id=f"answer-to-{envelope.id}",
        conversation=envelope.conversation,
    )
    await broker.publish(queue.aio_pika.message(answer), f"answers.{envelope.conversation}")


@app.after_startup
async def declare() -> None:
    """Declare the dead-letter queue."""
    await broker.declare_queue(RabbitQueue("faststream-turns.dead", durable=True))


async def demo() -> None:
    """Send a turn to the service, and print what comes back."""
    async with broker:
        answers = await broker.declare_queue(RabbitQueue("answers.c-1", auto_delete=True))
        turn = queue.encode([wg.UserMessage.from_text("Hello")], conversation="c-1")
        await broker.publish(queue.aio_pika.message(turn), turns)
        async with answers.iterator(timeout=30) as messages:
            async for message in messages:
                await message.ack()
                (answer,) = wg.llm_messages(queue.decode(queue.aio_pika.envelope(message)))
                print(answer.text())
                break


if __name__ == "__main__":
    asyncio.run(demo())
