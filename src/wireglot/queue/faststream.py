"""The decoder of FastStream's brokers: handlers receive an `Envelope`.

For instance::

    broker = RabbitBroker(decoder=queue.faststream.decoder)

    @broker.subscriber("turns")
    async def on_turn(envelope: queue.Envelope) -> None: ...

    await broker.publish(queue.aio_pika.message(envelope), "turns")                   # RabbitMQ
    headers = queue.nats.headers(envelope)
    await broker.publish(bytes(envelope.body), "turns", headers=headers)          # NATS, Kafka

Other messages are decoded by FastStream itself. A `PoisonError` is handled by the subscriber's
`ack_policy`: with `REJECT_ON_ERROR`, RabbitMQ dead-letters the message. No policy does that on
NATS, Kafka or Redis: there, catch the error in a middleware, in `consume_scope`.
"""

from __future__ import annotations

from typing import Any

from faststream.message import StreamMessage, decode_message

from .headers import envelope_of

__all__ = ["decoder"]


async def decoder(message: StreamMessage[Any]) -> Any:
    """Return the envelope of a message of ours; FastStream decodes any other message.

    Raises `PoisonError` if its content type is ours and it is not a CloudEvent.
    """
    content_type = message.content_type or message.headers.get("content-type") or ""
    if not str(content_type).lower().startswith("application/vnd.wireglot+"):
        return decode_message(message)
    encoding = getattr(message.raw_message, "content_encoding", None)
    return envelope_of(message.headers, message.body, str(content_type), encoding)
