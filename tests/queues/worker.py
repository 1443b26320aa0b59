"""`python -m tests.queues.worker ROLE BROKER NAME FOLDER COUNT [DIE_AT]`: one of two processes.

`produce` publishes COUNT messages, in windows, and notes in FOLDER how far it has come. `consume`
takes them, compares each with what it should be, and notes it in a database before it acknowledges.
Either kills itself at DIE_AT, at the worst moment: when the work is done and not yet noted.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import wireglot as wg
from tests.queues.brokers import BROKERS, Broker
from wireglot import queue

_WINDOW = 100
_SCREENSHOT = random.Random(0).randbytes(80_000)


def message(number: int) -> list[wg.Message]:
    """Return message NUMBER: media of its own, and now and then a screenshot like the others'."""
    picture = random.Random(number).randbytes(100 + number % 2000)
    blocks: list[wg.Content] = [wg.ToolResultBlock(f"call-{number}", content=[
        wg.TextBlock(f"No {number}: łódź 🌍"),
        wg.ImageBlock.from_bytes(picture, "image/png"),
    ])]  # fmt: skip
    if number % 50 == 0:
        blocks.append(wg.ToolResultBlock("shot", content=[
            wg.ImageBlock.from_bytes(_SCREENSHOT, "image/jpeg"),
        ]))  # fmt: skip
    return [wg.ToolMessage(blocks, turn_id=wg.model.TurnId("loop", number), node_id=number)]


async def produce(broker: Broker, folder: Path, count: int, die_at: int | None) -> None:
    store = queue.FileStore(str(folder / "media"))
    noted = folder / "published"
    start = int(noted.read_text()) if noted.exists() else 0
    for first in range(start, count, _WINDOW):
        window = range(first, min(first + _WINDOW, count))
        await asyncio.gather(*[broker.publish(_sealed(n, store)) for n in window])
        if die_at is not None and window.stop >= die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        made = noted.with_suffix(".new")
        made.write_text(str(window.stop))
        made.replace(noted)


def _sealed(number: int, store: queue.Store) -> queue.Envelope:
    light = queue.check_in(message(number), store)
    return queue.encode(light, id=f"no-{number}", source="/worker", conversation=f"c-{number % 7}")


async def consume(broker: Broker, folder: Path, count: int, die_at: int | None) -> None:
    store = queue.FileStore(str(folder / "media"))
    with closing(sqlite3.connect(folder / "consumed.sqlite", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = OFF")  # a killed process loses nothing by it
        database.execute("CREATE TABLE IF NOT EXISTS done (id TEXT PRIMARY KEY, seen INT, ok INT)")
        (done,) = database.execute("SELECT count(*) FROM done").fetchone()
        async for delivery in broker.deliveries():
            envelope = broker.envelope(delivery)
            number = int(envelope.id.removeprefix("no-"))
            came = queue.check_out(queue.decode(envelope), store)
            (row,) = database.execute(
                "INSERT INTO done VALUES (?, 1, ?) ON CONFLICT DO UPDATE SET seen = seen + 1 "
                "RETURNING seen",
                (envelope.id, came == message(number)),
            )
            done += row == (1,)
            if die_at is not None and done >= die_at:
                os.kill(os.getpid(), signal.SIGKILL)
            await broker.done(delivery)
            if done == count:
                return


async def main(role: str, kind: str, name: str, folder: str, count: str, die_at: str = "") -> None:
    work = produce if role == "produce" else consume
    async with BROKERS[kind].open(name) as broker:
        await work(broker, Path(folder), int(count), int(die_at) if die_at else None)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
