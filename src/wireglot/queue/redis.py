"""Envelopes <-> entries of Redis Streams, by redis-py (`redis.asyncio`).

An entry has the fields of CloudEvents' Kafka binding, and the body in `data`. The client must not
decode bytes (`decode_responses=False`, the default). Put a poisonous entry into a stream of its
own::

    try:
        session = queue.decode(queue.redis.envelope(fields))
    except wg.queue.PoisonError as error:
        await queue.redis.bury(redis, "turns", "workers", entry, fields, "turns:dead", error)
"""

from __future__ import annotations

from typing import Any, Final

from .._runtime.extras import needs
from ..errors import EncodeError, PoisonError, WireglotError, quoted
from .envelope import WIRE, Envelope
from .headers import ERROR, KAFKA, described, envelope_of, headers_of, shown
from .sizes import REDIS_LIMIT, check_size

with needs("wireglot.queue.redis", "redis"):
    from redis.asyncio import Redis, RedisCluster

__all__ = ["bury", "envelope", "fields", "publish"]

_BODY: Final = "data"


def fields(envelope: Envelope) -> dict[Any, Any]:
    """Return the fields of an entry, for `XADD`."""
    return {**headers_of(envelope, KAFKA), _BODY: bytes(envelope.body)}


def envelope(fields: dict[Any, Any]) -> Envelope:
    """Return the envelope of an entry.

    Raises `PoisonError` if it is not a CloudEvent, `EncodeError` if the client decodes bytes, which
    is not the entry's fault.
    """
    others = {**fields}
    if _BODY in others:
        reason = "client with `decode_responses=True`, expected one without it"
        raise EncodeError(reason, wire=WIRE)
    body = others.pop(_BODY.encode(), None)
    if not isinstance(body, bytes):
        came = {shown(key): shown(value) for key, value in others.items()}
        raise PoisonError(
            "entry without `data`, expected an envelope", body=b"", headers=came, wire=WIRE
        )
    return envelope_of(others, body)


async def publish(
    redis: Redis | RedisCluster,
    stream: str,
    envelope: Envelope,
    *,
    limit: int = REDIS_LIMIT,
    **options: Any,
) -> bytes | str:
    """Append an envelope to a stream, and return the id of its entry; `options` are `XADD`'s.

    Raises `TooLargeError` before anything is sent if the body is beyond `limit` bytes,
    `EncodeError` if there is no such stream and `nomkstream` makes none.
    """
    check_size("redis", len(envelope.body), limit)
    entry = await redis.xadd(stream, fields(envelope), **options)
    if not entry:  # None, which the client's types do not have
        reason = f"no stream {quoted(stream)}, expected one; leave out `nomkstream` to create it"
        raise EncodeError(reason, wire=WIRE)
    return entry


async def bury(
    redis: Redis | RedisCluster,
    stream: str,
    group: str,
    entry: bytes | str,
    fields: dict[Any, Any],
    dead: str,
    error: WireglotError,
) -> None:
    """Add an entry unchanged, with the error, to the stream `dead`, and acknowledge it.

    The entry is in `dead` before it is acknowledged: an interruption in between may duplicate it.
    """
    # In two steps: a transaction would acknowledge an entry even if `dead` refused it.
    await redis.xadd(dead, {**fields, ERROR: described(error)})
    await redis.xack(stream, group, entry)
