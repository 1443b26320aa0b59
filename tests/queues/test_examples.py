"""The examples of brokers, run as a reader would run them; those of task queues have their own."""

import os
import subprocess
import sys
from pathlib import Path

from confluent_kafka import Producer

from tests.queues.servers import needs

_EXAMPLES = Path(__file__).parents[2] / "examples" / "queue"
_NO_EVENT = "queue: envelope without `specversion`, expected some text - at `$`"


def _printed(script: str, *arguments: str) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, script, *arguments]
    done = subprocess.run(
        command, cwd=_EXAMPLES, env=environment, timeout=60, check=True, capture_output=True
    )
    return done.stdout.decode().splitlines()


@needs("nats")
def test_nats() -> None:
    assert _printed("nats_turns.py") == [
        "published",
        "a duplicate",
        "turn-1 of c-42: 2 messages",
        f"dead: b'hello' {_NO_EVENT}",
    ]


@needs("redis")
def test_redis() -> None:
    assert _printed("redis_turns.py") == [
        "turn-1 of c-42: 2 messages",
        f"dead: b'hello' {_NO_EVENT}",
    ]


def test_kafka() -> None:
    keeper = Producer({"test.mock.num.brokers": 1, "log_level": 0})  # a broker in this process
    (broker,) = keeper.list_topics("example-turns", timeout=30).brokers.values()
    assert sorted(_printed("kafka_turns.py", f"{broker.host}:{broker.port}")) == [
        f"put aside: {_NO_EVENT}",
        "turn-1 of c-42: 2 messages",
    ]
