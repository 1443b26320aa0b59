"""Entries of Redis Streams that are odd, and clients that are."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError

import wireglot as wg
from tests.queues.servers import needs
from wireglot import queue

_ERROR = wg.queue.PoisonError("why", body=b"", wire="queue")


async def _pending(redis: Redis, stream: str) -> Any:
    return (await redis.xpending(stream, "workers"))["pending"]


async def _buried_where_it_cannot_be(name: str) -> tuple[Any, Any]:
    """Bury an entry under a key that is no stream, then in a stream: what is pending after each."""
    async with Redis() as redis:
        await redis.xgroup_create(name, "workers", id="0", mkstream=True)
        await redis.set(f"{name}.text", "x")
        try:
            entry = await redis.xadd(name, {"data": b"hello"})
            await redis.xreadgroup("workers", "one", {name: ">"})
            fields = {b"data": b"hello"}
            with pytest.raises(ResponseError, match="WRONGTYPE"):
                await queue.redis.bury(
                    redis, name, "workers", entry, fields, f"{name}.text", _ERROR
                )
            first = await _pending(redis, name)
            await queue.redis.bury(redis, name, "workers", entry, fields, f"{name}.dead", _ERROR)
            [(_, buried)] = await redis.xrange(f"{name}.dead")
            assert buried == {b"data": b"hello", b"wireglot-error": b"queue: why - at `$`"}
            return first, await _pending(redis, name)
        finally:
            await redis.delete(name, f"{name}.text", f"{name}.dead")


@needs("redis")
def test_an_entry_that_cannot_be_put_aside_is_not_acknowledged() -> None:
    assert asyncio.run(_buried_where_it_cannot_be(f"wireglot-{uuid4().hex}")) == (1, 0)


async def _deleted_and_read_again(name: str, protocol: int) -> list[bytes]:
    """Read what is pending of an entry that was deleted, bury it, and return the errors."""
    async with Redis(protocol=protocol) as redis:
        await redis.xgroup_create(name, "workers", id="0", mkstream=True)
        try:
            entry = await queue.redis.publish(redis, name, queue.encode([]))
            await redis.xreadgroup("workers", "one", {name: ">"})
            await redis.xdel(name, entry)
            read: Any = await redis.xreadgroup("workers", "one", {name: "0"})
            [[(again, fields)]] = read[name.encode()] if protocol == 3 else [read[0][1]]
            with pytest.raises(wg.queue.PoisonError, match="entry without `data`") as caught:
                queue.redis.envelope(fields)
            dead = f"{name}.dead"
            await queue.redis.bury(redis, name, "workers", again, fields, dead, caught.value)
            assert await _pending(redis, name) == 0
            return [lost[b"wireglot-error"] for _, lost in await redis.xrange(dead)]
        finally:
            await redis.delete(name, f"{name}.dead")


@needs("redis")
@pytest.mark.parametrize("protocol", [2, 3])
def test_an_entry_that_was_deleted_while_it_was_pending_is_poison(protocol: int) -> None:
    errors = asyncio.run(_deleted_and_read_again(f"wireglot-{uuid4().hex}", protocol))
    assert errors == [b"queue: entry without `data`, expected an envelope - at `$`"]


async def _published_without_a_stream(name: str) -> None:
    async with Redis() as redis:
        await queue.redis.publish(redis, name, queue.encode([]), nomkstream=True)


@needs("redis")
def test_an_entry_for_a_stream_that_is_not_made_is_an_error() -> None:
    with pytest.raises(wg.EncodeError, match=r"no stream `wireglot-.*`, expected one"):
        asyncio.run(_published_without_a_stream(f"wireglot-{uuid4().hex}"))


async def _read_by_a_client_that_decodes(name: str) -> dict[Any, Any]:
    async with Redis(decode_responses=True) as redis:
        await queue.redis.publish(redis, name, queue.encode([], format="json"))
        [(_, fields)] = await redis.xrange(name)
        await redis.delete(name)
        return fields


@needs("redis")
def test_a_client_that_decodes_is_the_callers_fault_and_no_poison() -> None:
    fields = asyncio.run(_read_by_a_client_that_decodes(f"wireglot-{uuid4().hex}"))
    with pytest.raises(
        wg.EncodeError, match="client with `decode_responses=True`, expected one without it"
    ):
        queue.redis.envelope(fields)
