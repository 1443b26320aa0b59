"""Ten thousand messages with media through a broker, while producer and consumer get killed."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest

from tests.queues.brokers import BROKERS
from tests.queues.servers import PORTS, needs

_ROOT = Path(__file__).parents[2]
_COUNT = 10_000


def _worker(role: str, *arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.queues.worker", role, *map(str, arguments)]
    return subprocess.Popen(command, cwd=_ROOT)


async def _clear(kind: str, name: str) -> None:
    async with BROKERS[kind].open(name) as broker:
        await broker.clear()


@pytest.mark.parametrize("kind", [pytest.param(k, marks=needs(k)) for k in PORTS])
def test_killed_and_started_again_nothing_is_lost_or_altered_and_duplicates_are_known(
    kind: str, tmp_path: Path
) -> None:
    name = f"wireglot-{uuid4().hex}"
    where = (kind, name, tmp_path, _COUNT)
    consumer = _worker("consume", *where, 4_000)
    producer = _worker("produce", *where, 3_000)
    try:
        assert producer.wait() == -signal.SIGKILL
        producer = _worker("produce", *where)
        assert consumer.wait() == -signal.SIGKILL
        consumer = _worker("consume", *where)
        assert (producer.wait(), consumer.wait()) == (0, 0)
    finally:
        for process in (producer, consumer):
            process.kill()
            process.wait()
        asyncio.run(_clear(kind, name))
    with closing(sqlite3.connect(tmp_path / "consumed.sqlite")) as database:
        rows = database.execute("SELECT id, seen, ok FROM done").fetchall()
    assert {id for id, _, _ in rows} == {f"no-{number}" for number in range(_COUNT)}
    assert all(ok for _, _, ok in rows)
    assert sum(seen for _, seen, _ in rows) > _COUNT  # each once as a row, some of them sent twice
    objects = [path for path in (tmp_path / "media").rglob("*") if path.is_file()]
    assert len(objects) == 1  # two hundred screenshots, one content
