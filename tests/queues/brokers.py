"""The brokers of the tests: one way to publish, to consume and to bury, on each of three."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any, NamedTuple, Protocol

import aio_pika
import nats
import redis.asyncio
from nats.js.api import ConsumerConfig

import wireglot as wg
import wireglot.queue.aio_pika as on_rabbitmq
import wireglot.queue.nats as on_nats
import wireglot.queue.redis as on_redis
from wireglot.queue import Envelope

__all__ = ["BROKERS", "RABBITMQ", "Broker", "Delivery"]

RABBITMQ = "amqp://guest:guest@127.0.0.1/"
_GROUP = "workers"


class Delivery(NamedTuple):
    """A message as its client gives it, and the bytes in it."""

    raw: Any
    body: bytes


class Broker(Protocol):
    """A queue of one name, and one beside it for what is poisonous."""

    @classmethod
    def open(cls, name: str) -> AbstractAsyncContextManager[Broker]: ...
    async def publish(self, envelope: Envelope) -> None: ...
    async def publish_raw(self, headers: dict[str, str], body: bytes) -> None: ...
    def deliveries(self) -> AsyncIterator[Delivery]: ...
    def envelope(self, delivery: Delivery) -> Envelope: ...
    async def done(self, delivery: Delivery) -> None: ...
    async def bury(self, delivery: Delivery, error: wg.queue.PoisonError) -> None: ...
    async def dead(self, count: int) -> list[tuple[dict[str, str], bytes]]: ...
    async def clear(self) -> None: ...


class RabbitMQ:
    """A queue that the broker dead-letters to another."""

    def __init__(self, channel: Any, name: str) -> None:
        self._channel = channel
        self._name = name

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, name: str) -> AsyncIterator[Broker]:
        async with await aio_pika.connect(RABBITMQ) as connection:
            channel = await connection.channel()
            await channel.set_qos(prefetch_count=200)
            await channel.declare_queue(f"{name}.dead", durable=True)
            arguments = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": f"{name}.dead"}
            await channel.declare_queue(name, durable=True, arguments=arguments)
            yield cls(channel, name)

    async def publish(self, envelope: Envelope) -> None:
        await on_rabbitmq.publish(self._channel.default_exchange, self._name, envelope)

    async def publish_raw(self, headers: dict[str, str], body: bytes) -> None:
        others: dict[str, Any] = {**headers}
        content_type = others.pop("content-type", None)
        message = aio_pika.Message(body, headers=others, content_type=content_type)
        await self._channel.default_exchange.publish(message, self._name)

    async def deliveries(self) -> AsyncIterator[Delivery]:
        queue = await self._channel.get_queue(self._name)
        async with queue.iterator() as messages:
            async for message in messages:
                yield Delivery(message, message.body)

    def envelope(self, delivery: Delivery) -> Envelope:
        return on_rabbitmq.envelope(delivery.raw)

    async def done(self, delivery: Delivery) -> None:
        await delivery.raw.ack()

    async def bury(self, delivery: Delivery, error: wg.queue.PoisonError) -> None:
        await delivery.raw.reject(requeue=False)

    async def dead(self, count: int) -> list[tuple[dict[str, str], bytes]]:
        queue = await self._channel.get_queue(f"{self._name}.dead")
        found = []
        async with queue.iterator(no_ack=True) as messages:
            async for message in messages:
                found.append(({k: str(v) for k, v in message.headers.items()}, message.body))
                if len(found) == count:
                    break
        return found

    async def clear(self) -> None:
        for name in (self._name, f"{self._name}.dead"):
            await self._channel.queue_delete(name)


class Nats:
    """A stream of JetStream with a durable consumer, and a stream for what is dead."""

    def __init__(self, stream: Any, name: str) -> None:
        self._stream = stream
        self._name = name

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, name: str) -> AsyncIterator[Broker]:
        client = await nats.connect("nats://127.0.0.1:4222")
        try:
            stream = client.jetstream(timeout=30)
            for each in (name, f"{name}-dead"):
                await stream.add_stream(name=each, subjects=[each], duplicate_window=0.1)
            yield cls(stream, name)
        finally:
            await client.close()

    async def publish(self, envelope: Envelope) -> None:
        await on_nats.publish(self._stream, self._name, envelope)

    async def publish_raw(self, headers: dict[str, str], body: bytes) -> None:
        await self._stream.publish(self._name, body, headers=headers or None)

    async def deliveries(self) -> AsyncIterator[Delivery]:
        config = ConsumerConfig(ack_wait=5, max_ack_pending=400)
        messages = await self._stream.pull_subscribe(self._name, durable=_GROUP, config=config)
        while True:
            with contextlib.suppress(TimeoutError):  # that of nats-py is one too
                for message in await messages.fetch(200, timeout=1):
                    yield Delivery(message, message.data)

    def envelope(self, delivery: Delivery) -> Envelope:
        return on_nats.envelope(delivery.raw)

    async def done(self, delivery: Delivery) -> None:
        await delivery.raw.ack()

    async def bury(self, delivery: Delivery, error: wg.queue.PoisonError) -> None:
        await on_nats.bury(self._stream, delivery.raw, f"{self._name}-dead", error)

    async def dead(self, count: int) -> list[tuple[dict[str, str], bytes]]:
        messages = await self._stream.pull_subscribe(f"{self._name}-dead", durable=_GROUP)
        found: list[tuple[dict[str, str], bytes]] = []
        while len(found) < count:
            found += [(m.headers or {}, m.data) for m in await messages.fetch(count, timeout=5)]
        return found

    async def clear(self) -> None:
        for each in (self._name, f"{self._name}-dead"):
            await self._stream.delete_stream(each)


class Redis:
    """A stream with a consumer group, and a stream for what is dead."""

    def __init__(self, client: redis.asyncio.Redis, name: str) -> None:
        self._client = client
        self._name = name

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, name: str) -> AsyncIterator[Broker]:
        async with redis.asyncio.Redis() as client:
            with contextlib.suppress(redis.ResponseError):  # the group is there
                await client.xgroup_create(name, _GROUP, id="0", mkstream=True)
            yield cls(client, name)

    async def publish(self, envelope: Envelope) -> None:
        await on_redis.publish(self._client, self._name, envelope)

    async def publish_raw(self, headers: dict[str, str], body: bytes) -> None:
        await self._client.xadd(self._name, {**headers, "data": body})

    async def deliveries(self) -> AsyncIterator[Delivery]:
        last: Any = "0"  # what was delivered before and never acknowledged comes first
        while True:
            read = await self._client.xreadgroup(
                _GROUP, "one", {self._name: last}, count=200, block=1000
            )
            entries = [entry for _, entries in read or () for entry in entries]
            for entry in entries:
                yield Delivery(entry, entry[1].get(b"data", b""))
            last = entries[-1][0] if entries and last != ">" else ">"

    def envelope(self, delivery: Delivery) -> Envelope:
        return on_redis.envelope(delivery.raw[1])

    async def done(self, delivery: Delivery) -> None:
        await self._client.xack(self._name, _GROUP, delivery.raw[0])

    async def bury(self, delivery: Delivery, error: wg.queue.PoisonError) -> None:
        entry, fields = delivery.raw
        dead = f"{self._name}.dead"
        await on_redis.bury(self._client, self._name, _GROUP, entry, fields, dead, error)

    async def dead(self, count: int) -> list[tuple[dict[str, str], bytes]]:
        found = []
        for _, fields in await self._client.xrange(f"{self._name}.dead"):
            body = fields.pop(b"data")
            found.append(({k.decode(): v.decode() for k, v in fields.items()}, body))
        assert len(found) == count
        return found

    async def clear(self) -> None:
        await self._client.delete(self._name, f"{self._name}.dead")


BROKERS: dict[str, type[Broker]] = {"rabbitmq": RabbitMQ, "nats": Nats, "redis": Redis}
