"""The decoder of FastStream's brokers: handlers take an `Envelope`.

For instance::

    broker = RabbitBroker(decoder=queue.faststream.decoder)

    @broker.subscriber("turns")
    async def on_turn(envelope: queue.Envelope) -> None: ...

    await broker.publish(queue.aio_pika.message(envelope), "turns")                   # RabbitMQ
    headers = queue.nats.headers(envelope)
    await broker.publish(bytes(envelope.body), "turns", headers=headers)          # NATS, Kafka

What is none of ours is decoded as FastStream does it. A `PoisonError` is for the subscriber's
`ack_policy`: with `REJECT_ON_ERROR`, RabbitMQ dead-letters what cannot be read. No policy does that
on NATS, Kafka or Redis: there, catch it in a middleware, in `consume_scope`.
"""

from __future__ import annotations

from typing import Any

from faststream.message import StreamMessage, decode_message

from .headers import envelope_of

__all__ = ["decoder"]


async def decoder(message: StreamMessage[Any]) -> Any:
    """Return the envelope of a message of ours, else what FastStream makes of it.

    Raises `PoisonError` if it says that it is ours and is no CloudEvent.
    """
    content_type = message.content_type or message.headers.get("content-type") or ""
    if not str(content_type).lower().startswith("application/vnd.wireglot+"):
        return decode_message(message)
    encoding = getattr(message.raw_message, "content_encoding", None)
    return envelope_of(message.headers, message.body, str(content_type), encoding)
