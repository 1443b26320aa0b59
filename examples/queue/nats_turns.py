"""Send turns of conversations, and one poisonous message, through NATS JetStream.

Run `python nats_turns.py`. It needs NATS with JetStream on its default port, and
`pip install 'wireglot[queue]' nats-py`.
"""

import asyncio

import nats
import turn

import wireglot as wg
from wireglot import queue


async def main() -> None:
    """Publish a turn twice, as after a crash, and what is not an envelope; consume them."""
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    await stream.add_stream(name="example", subjects=["example.>"])
    try:
        for _ in range(2):
            receipt = await queue.nats.publish(
                stream, "example.turns", turn.envelope("turn-1"), limit=client.max_payload
            )
            print("a duplicate" if receipt.duplicate else "published")
        await stream.publish("example.turns", b"hello")

        subscription = await stream.pull_subscribe("example.turns", durable="workers")
        for message in await subscription.fetch(2):
            try:
                said = turn.opened(queue.nats.envelope(message))
            except (wg.queue.PoisonError, wg.queue.ClaimError) as error:
                await queue.nats.bury(stream, message, "example.dead", error)
                continue
            await message.ack()
            print(said)

        lost = await stream.get_last_msg("example", "example.dead")
        assert lost.headers is not None
        print("dead:", lost.data, lost.headers["wireglot-error"])
    finally:
        await stream.delete_stream("example")
        await client.close()


asyncio.run(main())
