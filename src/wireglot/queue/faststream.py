"""The decoder of FastStream's brokers: handlers receive an `Envelope`.

For instance::

    broker = RabbitBroker(decoder=queue.faststream.decoder)

    @broker.subscriber("turns")
    async def on_turn(envelope: queue.Envelope) -> None: ...

    await broker.publish(queue.aio_pika.message(envelope), "turns")                   # RabbitMQ
    headers = queue.nats.headers(envelope)
    await broker.publish(bytes(envelope.body), "turns", headers=headers)          # NATS, Kafka

Other messages are decoded by FastStream itself. Batch subscribers of NATS and Kafka get a list of
envelopes; those of Redis cannot, because FastStream changes the bodies there before it decodes.

A `PoisonError` is handled by the subscriber's `ack_policy`: with `REJECT_ON_ERROR`, RabbitMQ
dead-letters the message. No policy does that on NATS, Kafka or Redis: there, catch the error in a
middleware, in `consume_scope`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from .._runtime.extras import needs
from .headers import envelope_of

with needs("wireglot.queue.faststream", "faststream"):
    from faststream.message import StreamMessage

__all__ = ["decoder"]


async def decoder(
    message: StreamMessage[Any], original: Callable[[StreamMessage[Any]], Awaitable[Any]]
) -> Any:
    """Return the envelope of a message of ours; `original`, FastStream's, decodes any other.

    Of a batch, return a list with one or the other for each message.

    Raises `PoisonError` if its content type is ours and it is not a CloudEvent: one such message
    fails its whole batch.
    """
    if type(message.body) is list:
        others = await original(message)
        parts = zip(message.batch_headers, message.body, others, strict=True)
        return [
            envelope_of(headers, body) if _is_ours(headers.get("content-type")) else other
            for headers, body, other in parts
        ]
    content_type = message.content_type or message.headers.get("content-type")
    if not _is_ours(content_type):
        return await original(message)
    raw = message.raw_message
    encoding = getattr(raw, "content_encoding", None)
    percent = not hasattr(raw, "content_encoding")  # a property of RabbitMQ's messages alone
    return envelope_of(message.headers, message.body, str(content_type), encoding, percent=percent)


def _is_ours(content_type: object) -> bool:
    return str(content_type).lower().startswith("application/vnd.wireglot+")
