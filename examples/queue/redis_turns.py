"""Send turns of conversations, and one poisonous entry, through a stream of Redis.

Run `python redis_turns.py`. It needs Redis on its default port, and
`pip install 'wireglot[queue]' redis`.
"""

import asyncio
from typing import Any

import turn
from redis.asyncio import Redis

import wireglot as wg
from wireglot import queue


async def main() -> None:
    """Publish a turn and an entry that is not an envelope, and consume both."""
    async with Redis() as redis:
        await redis.xgroup_create("example:turns", "workers", id="0", mkstream=True)
        try:
            await redis.xadd("example:turns", {"data": b"hello"})
            await queue.redis.publish(redis, "example:turns", turn.envelope("turn-1"))

            # Its own type has the shapes of both protocols of Redis, and of text as well as bytes.
            read: Any = await redis.xreadgroup("workers", "one", {"example:turns": ">"}, count=10)
            for _, entries in read:
                for entry, fields in entries:
                    try:
                        said = turn.opened(queue.redis.envelope(fields))
                    except (wg.queue.PoisonError, wg.queue.ClaimError) as error:
                        await queue.redis.bury(
                            redis, "example:turns", "workers", entry, fields, "example:dead", error
                        )
                        continue
                    await redis.xack("example:turns", "workers", entry)
                    print(said)

            dead: Any = await redis.xrange("example:dead")
            for _, lost in dead:
                print("dead:", lost[b"data"], lost[b"wireglot-error"].decode())
        finally:
            await redis.delete("example:turns", "example:dead")


asyncio.run(main())
