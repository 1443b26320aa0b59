"""The decoder of FastStream's brokers: handlers take an `Envelope`, or a list of messages.

    broker = NatsBroker(decoder=decoder)

    @broker.subscriber("turns")
    async def on_turn(envelope: Envelope) -> None: ...

    await broker.publish(envelope.body, "turns", headers=wireglot.queue.nats.headers(envelope))

What is none of ours is decoded as FastStream does it. A `PoisonError` is for the subscriber's
`ack_policy`: `REJECT_ON_ERROR`, the default, dead-letters on RabbitMQ and ends deliveries on NATS.
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
