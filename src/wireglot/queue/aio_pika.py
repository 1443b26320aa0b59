"""Envelopes <-> messages of RabbitMQ, by aio-pika.

A poisonous message is rejected, and the broker dead-letters it, where its queue has an exchange
for that (`x-dead-letter-exchange`)::

    async for message in messages:
        try:
            session = queue.decode(queue.aio_pika.envelope(message))
        except wg.PoisonError:
            await message.reject(requeue=False)
            continue
"""

from __future__ import annotations

from typing import Any, Final

import aio_pika
from aio_pika.abc import AbstractExchange, AbstractIncomingMessage

from .envelope import Envelope
from .headers import AMQP, envelope_of, headers_of
from .sizes import RABBITMQ_LIMIT, check_size

__all__ = ["envelope", "message", "publish"]

_LONGEST: Final = 255  # bytes of a property of AMQP; the headers have the id of any length


def message(envelope: Envelope, **properties: Any) -> aio_pika.Message:
    """Return a persistent message of an envelope; further `properties` are aio-pika's."""
    headers: dict[str, Any] = {**headers_of(envelope, AMQP)}
    content_type = headers.pop("content-type", None)
    headers.pop("content-encoding", None)
    given = {"delivery_mode": aio_pika.DeliveryMode.PERSISTENT, **properties}
    return aio_pika.Message(
        bytes(envelope.body),
        headers=headers,
        content_type=content_type,
        content_encoding=envelope.encoding,
        message_id=envelope.id if len(envelope.id.encode()) <= _LONGEST else None,
        **given,
    )


def envelope(message: AbstractIncomingMessage) -> Envelope:
    """Return the envelope of a message. Raises `PoisonError` if it is no CloudEvent."""
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
    """Publish an envelope, and wait until the broker has it: in a channel with confirms, as usual.

    Raises `TooLargeError` before anything is sent if the body is beyond `limit` bytes, aio-pika's
    `DeliveryError` if no queue takes it.
    """
    check_size("rabbitmq", len(envelope.body), limit)
    await exchange.publish(message(envelope, **properties), routing_key)
