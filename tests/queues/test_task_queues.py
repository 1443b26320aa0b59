"""Messages as arguments of tasks: Celery, FastStream, Dramatiq, Taskiq, kombu, each for real."""

import asyncio
import dataclasses
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import aio_pika
import dramatiq
import kombu
import nats
import pytest
from dramatiq.brokers.rabbitmq import RabbitmqBroker
from dramatiq.results.backends.stub import StubBackend
from faststream.nats import NatsBroker, PullSub
from faststream.rabbit import RabbitBroker, RabbitQueue
from taskiq import InMemoryBroker

import wireglot as wg
from tests.queues.brokers import RABBITMQ
from tests.queues.servers import needs
from wireglot import queue

_EXAMPLES = Path(__file__).parents[2] / "examples" / "queue"
_SESSION = [
    wg.LlmMessage(wg.UserMessage.from_text("Hello"), wg.model.TurnId("loop", 1), node_id=3).flat(),
    wg.CustomMessage("note", [wg.TextBlock("seen")]),
]
_VALUES = "application/vnd.wireglot+msgpack; kind=values; version=1"


async def _send(queue_name: str, *messages: aio_pika.Message) -> None:
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        for message in messages:
            await channel.default_exchange.publish(message, queue_name)


async def _bodies(queue_name: str, count: int) -> list[bytes]:
    """Wait for messages of a queue, and remove it."""
    bodies: list[bytes] = []
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        waiting = await channel.get_queue(queue_name)
        async with waiting.iterator(no_ack=True, timeout=30) as messages:
            async for message in messages:
                bodies.append(message.body)
                if len(bodies) == count:
                    break
        await waiting.delete()
    return bodies


async def _forget(*names: str) -> None:
    async with await aio_pika.connect(RABBITMQ) as connection:
        channel = await connection.channel()
        for name in names:
            await channel.queue_delete(name)


@contextmanager
def _service(command: list[str], ready: str) -> Iterator[None]:
    """Run a service of the examples, from the line that says that it is up."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=_EXAMPLES,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines: list[str] = []
        try:
            for line in process.stdout:
                lines.append(line)
                if ready in line:
                    break
            else:
                raise AssertionError("".join(lines))
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)


def _printed(script: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, script],
        cwd=_EXAMPLES,
        env=environment,
        timeout=60,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout


@needs("rabbitmq")
@needs("redis")
def test_the_celery_example_answers_and_dead_letters_what_it_cannot_read() -> None:
    task: dict[str, Any] = {"task": "answer", "lang": "py", "root_id": None, "parent_id": None}
    newer = _VALUES.replace("version=1", "version=2")
    poison = [
        aio_pika.Message(
            body,
            content_type=content_type,
            content_encoding="binary",
            headers={**task, "id": uuid4().hex, "retries": 0, "timelimit": [None, None], **other},
        )
        for content_type, body, other in (
            (_VALUES, b"\x93\x90\x80", {}),  # an array of three, the third is missing
            (newer, b"\x93\x90\x80\x80", {}),
            (_VALUES, b"\x93\x91\xc1\x80\x80", {}),
            # What can be read and is no task, at which Celery's own consumer stops its worker.
            (_VALUES, b"", {}),
            (_VALUES, b"\x01", {}),
            (_VALUES, b"\xa1x", {}),
            (_VALUES, b"\x92\x90\x80", {}),
            (_VALUES, b"\x93\x90\x80\x01", {}),
            ("application/json", b"1", {}),
            (_VALUES, b"\x93\x90\x80\x80", {"task": ["answer"]}),
            (_VALUES, b"\x93\x90\x80\x80", {"timelimit": 5}),
            (_VALUES, b"\x93\x90\x80\x80", {"eta": "9999-12-31T24:00"}),
            (_VALUES, b"\x93\x90\x80\x80", {"expires": "9999-12-31T24:00"}),
        )
    ]
    asyncio.run(_forget("celery-turns", "celery-turns.dead"))
    worker = ["celery", "--app", "celery_tasks", "worker", "--pool", "solo", "--without-mingle"]
    with _service([*worker, "--loglevel", "info"], " ready."):
        assert _printed("celery_tasks.py") == "You said 'Hello' about an image/png.\n"
        asyncio.run(_send("celery-turns", *poison))
        assert _printed("celery_tasks.py") == "You said 'Hello' about an image/png.\n"
    dead = asyncio.run(_bodies("celery-turns.dead", len(poison)))
    assert sorted(dead) == sorted(message.body for message in poison)


@needs("rabbitmq")
def test_the_faststream_example_answers_and_dead_letters_what_it_cannot_read() -> None:
    event = {f"cloudEvents_{name}": name for name in ("id", "source", "type")}
    headers: Any = {**event, "cloudEvents_specversion": "1.0"}
    ours = "application/vnd.wireglot+msgpack; kind=messages; version="
    hello = [wg.UserMessage([wg.TextBlock("Hello")])]
    poison = [
        aio_pika.Message(b"\x91", content_type=f"{ours}1", headers=headers),
        aio_pika.Message(b"\x90", content_type=f"{ours}2", headers=headers),
        aio_pika.Message(b"\x90", content_type=f"{ours}1"),
        aio_pika.Message(b'{"not": "ours"}', content_type="application/json"),
        queue.aio_pika.message(queue.encode(hello, conversation="that nobody listens to")),
    ]
    asyncio.run(_forget("faststream-turns", "faststream-turns.dead"))
    with _service(["faststream", "run", "faststream_app:app"], "started successfully"):
        assert _printed("faststream_app.py") == "1 messages, the last one: Hello\n"
        asyncio.run(_send("faststream-turns", *poison))
        assert _printed("faststream_app.py") == "1 messages, the last one: Hello\n"
    dead = asyncio.run(_bodies("faststream-turns.dead", 5))
    assert dead == [
        b"\x91",
        b"\x90",
        b"\x90",
        b'{"not": "ours"}',
        b"\x91\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa4text\xa4text\xa5Hello",
    ]


async def _in_one_batch(name: str, kept: list[tuple[bytes, dict[str, str]]]) -> list[Any]:
    """Return what a handler of batches gets of messages in one stream."""
    client = await nats.connect("nats://127.0.0.1:4222")
    stream = client.jetstream()
    await stream.add_stream(name=name, subjects=[name])
    came: asyncio.Queue[list[Any]] = asyncio.Queue()
    broker = NatsBroker(decoder=queue.faststream.decoder, logger=None)

    async def on_batch(batch: list[Any]) -> None:
        await came.put(batch)

    pull = PullSub(batch_size=len(kept), batch=True)
    broker.subscriber(name, stream=name, durable="workers", pull_sub=pull)(on_batch)
    try:
        for body, headers in kept:
            await stream.publish(name, body, headers=headers)
        async with broker:
            await broker.start()
            return await asyncio.wait_for(came.get(), 30)
    finally:
        await stream.delete_stream(name)
        await client.close()


@needs("nats")
def test_faststream_gives_a_handler_of_batches_an_envelope_for_each_message_of_ours() -> None:
    ours = [queue.encode(_SESSION, id="1"), queue.encode([], id="2", format="json")]
    kept = [(bytes(each.body), queue.nats.headers(each)) for each in ours]
    theirs = (b'{"not": "ours"}', {"content-type": "application/json"})
    name = f"wireglot-{uuid4().hex}"
    came = asyncio.run(_in_one_batch(name, [kept[0], theirs, kept[1]]))
    assert came == [ours[0], {"not": "ours"}, ours[1]]
    assert asyncio.run(_in_one_batch(name, [theirs])) == [{"not": "ours"}]


async def _by_faststream(message: aio_pika.Message) -> Any:
    came: asyncio.Queue[Any] = asyncio.Queue()
    broker = RabbitBroker(RABBITMQ, decoder=queue.faststream.decoder, logger=None)
    target = RabbitQueue(f"wireglot-{uuid4().hex}", auto_delete=True)

    async def on_message(body: Any) -> None:
        await came.put(body)

    broker.subscriber(target)(on_message)
    async with broker:
        await broker.start()
        await broker.publish(message, target)
        return await asyncio.wait_for(came.get(), 30)


@needs("rabbitmq")
def test_faststream_reads_attributes_of_others_on_rabbitmq_as_they_are() -> None:
    attributes = {"specversion": "1.0", "id": "1", "source": "/a%20b", "type": "t"}
    headers: Any = {f"ce-{name}": value for name, value in attributes.items()}
    ours = "application/vnd.wireglot+msgpack; kind=messages; version=1"
    message = aio_pika.Message(b"\x90", headers=headers, content_type=ours)
    assert asyncio.run(_by_faststream(message)) == queue.Envelope(
        {**attributes, "datacontenttype": ours}, b"\x90"
    )


@pytest.fixture
def actors() -> Iterator[RabbitmqBroker]:
    """Dramatiq with our encoder, on RabbitMQ."""
    before = dramatiq.get_encoder()
    dramatiq.set_encoder(queue.dramatiq.MessageEncoder())
    broker = RabbitmqBroker(url=RABBITMQ)
    yield broker
    broker.close()
    dramatiq.set_encoder(before)


@needs("rabbitmq")
def test_dramatiq_runs_actors_and_dead_letters_what_it_cannot_read(actors: RabbitmqBroker) -> None:
    name = f"wireglot-{uuid4().hex}"
    came: list[Any] = []

    def note(session: list[Any], *, block: wg.Content) -> None:
        came.append((session, block))

    actor = dramatiq.Actor(
        note, broker=actors, actor_name="note", queue_name=name, priority=0, options={}
    )
    actors.declare_queue(name, ensure=True)
    task = {
        "queue_name": name,
        "actor_name": "note",
        "args": [],
        "kwargs": {},
        "options": {},
        "message_id": "1",
        "message_timestamp": 1,
    }
    poison = [
        b"\x81\xa1",
        b"\x90",
        b"\xc1",
        *[
            queue.encode_values({**task, **wrong})
            for wrong in ({"options": []}, {"kwargs": []}, {"actor_name": []}, {"queue_name": 5})
        ],
    ]
    asyncio.run(_send(name, *map(aio_pika.Message, poison)))
    actor.send(_SESSION, block=wg.TextBlock("x"))
    worker = dramatiq.Worker(actors, worker_threads=1)
    worker.start()
    actors.join(name, timeout=30_000)
    worker.stop()
    assert came == [(_SESSION, wg.TextBlock("x"))]
    assert asyncio.run(_bodies(f"{name}.XQ", len(poison))) == poison
    asyncio.run(_forget(name, f"{name}.DQ"))


@pytest.mark.parametrize(
    "returned",
    [_SESSION, wg.TextBlock("x"), {"options": 1, "kwargs": _SESSION}, "plain", None],
)
def test_dramatiq_keeps_what_an_actor_returns(returned: Any) -> None:
    backend = StubBackend(encoder=queue.dramatiq.MessageEncoder())
    task = dramatiq.Message("q", "a", (), {}, {})
    backend.store_result(task, returned, 10_000)
    assert backend.get_result(task) == returned


def test_taskiq_runs_tasks() -> None:
    broker = InMemoryBroker().with_formatter(queue.taskiq.MessageFormatter())

    @broker.task
    async def echoed(session: list[Any]) -> Any:
        return {"came": session}

    async def run() -> Any:
        await broker.startup()
        kicked = await echoed.kiq(_SESSION)
        result = await kicked.wait_result(timeout=30)
        await broker.shutdown()
        return result.return_value

    assert asyncio.run(run()) == {"came": _SESSION}
    for poison, words in (
        (b"\x91", "not values: Input data was truncated"),
        (b"\x80", "not a task"),
    ):
        with pytest.raises(wg.queue.PoisonError, match=words):
            queue.taskiq.MessageFormatter().loads(poison)


@dataclasses.dataclass
class _Point:
    x: int


def test_taskiq_makes_dataclasses_again_where_the_parameter_is_one() -> None:
    broker = InMemoryBroker().with_formatter(queue.taskiq.MessageFormatter())

    @broker.task
    async def shown(point: _Point, other: Any) -> Any:
        return [type(point).__name__, type(other).__name__]

    async def run() -> Any:
        await broker.startup()
        kicked = await shown.kiq(_Point(1), _Point(2))
        result = await kicked.wait_result(timeout=30)
        await broker.shutdown()
        return result.return_value

    assert asyncio.run(run()) == ["_Point", "dict"]


@needs("rabbitmq")
def test_kombu_carries_messages_in_plain_data() -> None:
    queue.kombu.register()
    data = {"session": _SESSION, "attempt": 1}
    came: list[Any] = []

    def take(body: Any, message: kombu.Message) -> None:
        came.append((body, message.content_type))
        message.ack()

    with kombu.Connection(RABBITMQ) as connection:
        target = kombu.Queue(f"wireglot-{uuid4().hex}", auto_delete=True)
        producer = connection.Producer(serializer="wireglot")
        consumer = connection.Consumer(target, callbacks=[take], accept=["wireglot"])
        with consumer:
            producer.publish(data, routing_key=target.name)
            connection.drain_events(timeout=30)
    assert came == [(data, _VALUES)]


@pytest.mark.parametrize(
    "wrong",
    [{1, 2}, object(), [wg.TextBlock], "\ud83d"],
    ids=["set", "object", "class", "surrogate"],
)
def test_what_would_not_come_back_is_refused(wrong: object) -> None:
    with pytest.raises(wg.EncodeError):
        queue.encode_values([wrong])
