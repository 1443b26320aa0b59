"""Envelopes <-> messages of RabbitMQ, by aio-pika.

Reject a poisonous message; the broker dead-letters it if its queue has an exchange for that
(`x-dead-letter-exchange`)::

    async for message in messages:
        try:
            session = queue.decode(queue.aio_pika.envelope(message))
        except wg.PoisonError:
            await message.reject(requeue=False)
            continue
"""

from __future__ import annotations

import asyncio
from typing import Any, Final
from weakref import WeakKeyDictionary

import aio_pika
from aio_pika.abc import AbstractExchange, AbstractIncomingMessage
from aio_pika.exceptions import PublishError
from aiormq.abc import DeliveredMessage

from .envelope import Envelope
from .headers import AMQP, envelope_of, headers_of
from .sizes import RABBITMQ_HEADERS, RABBITMQ_LIMIT, check_headers, check_size, size_of

__all__ = ["envelope", "message", "publish"]

_SHORT: Final = 255  # the most bytes of a property, a short string
_FRAME: Final = 14 + 4 + 3 * (1 + _SHORT) + 1  # flags and lengths, three short strings, the mode
_HEADER: Final = 1 + 1 + 4  # the lengths of name and value, and a type

# Channel -> message id -> a future that is done when its publish has ended.
_sending: Final[WeakKeyDictionary[Any, dict[str, asyncio.Future[None]]]] = WeakKeyDictionary()


def message(envelope: Envelope, **properties: Any) -> aio_pika.Message:
    """Return a persistent message of an envelope.

    Further `properties` are those of aio-pika, including your own headers. `message_id` is the id
    of the envelope, unless that is too long for AMQP.

    Raises `TooLargeError` if the headers are too large: the broker would close the connection.
    """
    texts = headers_of(envelope, AMQP)
    check_headers("rabbitmq", size_of(texts, b"", _HEADER) + _FRAME, RABBITMQ_HEADERS)
    headers: dict[str, Any] = {**properties.pop("headers", {}), **texts}
    content_type = headers.pop("content-type", None)
    headers.pop("content-encoding", None)
    given = {"delivery_mode": aio_pika.DeliveryMode.PERSISTENT, **properties}
    return aio_pika.Message(
        bytes(envelope.body),
        headers=headers,
        content_type=content_type,
        content_encoding=envelope.encoding,
        message_id=envelope.id if len(envelope.id.encode()) <= _SHORT else None,
        **given,
    )


def envelope(message: AbstractIncomingMessage) -> Envelope:
    """Return the envelope of a message. Raises `PoisonError` if it is not a CloudEvent."""
    return envelope_of(
        message.headers, message.body, message.content_type, message.content_encoding
    )


async def publish(
    exchange: AbstractExchange,
    routing_key: str,
    envelope: Envelope,
    *,
    limit: int = RABBITMQ_LIMIT,
    **properties: Any,
) -> None:
    """Publish an envelope, and wait for the broker's confirmation (channels have it by default).

    Raises `TooLargeError` before anything is sent if the body is beyond `limit` bytes, aio-pika's
    `DeliveryError` if no queue takes it, however the channel was opened.
    """
    check_size("rabbitmq", len(envelope.body), limit)
    made = message(envelope, **properties)
    # A returned message is known by its `message_id`: never send two of one id at once.
    sending = _sending.setdefault(getattr(exchange, "channel", exchange), {})
    while (other := sending.get(envelope.id)) is not None:
        await asyncio.wait([other])
    turn = sending[envelope.id] = asyncio.get_running_loop().create_future()
    try:
        done = await exchange.publish(made, routing_key)
    finally:
        del sending[envelope.id]
        turn.set_result(None)
    if isinstance(done, DeliveredMessage):  # returned: it could not be routed
        raise PublishError(done, done.delivery)
