"""Envelopes <-> messages of RabbitMQ, by aio-pika.

Reject a poisonous message; the broker dead-letters it if its queue has an exchange for that
(`x-dead-letter-exchange`)::

    async for message in messages:
        try:
            session = queue.decode(queue.aio_pika.envelope(message))
        except wg.queue.PoisonError:
            await message.reject(requeue=False)
            continue
"""

from __future__ import annotations

import asyncio
from secrets import token_hex
from typing import Any, Final
from weakref import WeakKeyDictionary

from .._runtime.extras import needs
from ..errors import EncodeError
from .envelope import WIRE, Envelope
from .headers import AMQP, envelope_of, headers_of
from .sizes import RABBITMQ_HEADERS, RABBITMQ_LIMIT, check_headers, check_size

with needs("wireglot.queue.aio_pika", "aio-pika"):
    import aio_pika
    from aio_pika.abc import AbstractExchange, AbstractIncomingMessage
    from aio_pika.exceptions import PublishError
    from aiormq.abc import DeliveredMessage
    from pamqp.header import ContentHeader

__all__ = ["envelope", "message", "publish"]

_SHORT: Final = 255  # the most bytes of a property, a short string
_RANDOM: Final = 1 + 32  # the message id that the client makes if there is none
_OURS: Final = ("content_type", "content_encoding")

# Channel -> message id -> its publish, until the broker has answered.
_sending: Final[WeakKeyDictionary[Any, dict[str, asyncio.Future[Any]]]] = WeakKeyDictionary()


def message(envelope: Envelope, **properties: Any) -> aio_pika.Message:
    """Return a persistent message of an envelope.

    Further `properties` are those of aio-pika, including your own headers. `message_id` is the id
    of the envelope, unless that is too long for AMQP.

    Raises `TooLargeError` if headers and properties are too large: the broker would close the
    connection. Raises `EncodeError` for the content type or encoding, which are the envelope's.
    """
    for name in _OURS:
        if name in properties:
            raise EncodeError(
                f"property `{name}`, expected another; `message` sets this one", wire=WIRE
            )
    headers: dict[str, Any] = {
        **(properties.pop("headers", None) or {}),
        **headers_of(envelope, AMQP),
    }
    content_type = headers.pop("content-type", None)
    headers.pop("content-encoding", None)
    for what, text in (("content type", content_type), ("content encoding", envelope.encoding)):
        check_headers("rabbitmq", len((text or "").encode()), _SHORT, what)
    fields = {
        "delivery_mode": aio_pika.DeliveryMode.PERSISTENT,
        "message_id": envelope.id if len(envelope.id.encode()) <= _SHORT else None,
        **properties,
    }
    amqp_message = aio_pika.Message(
        bytes(envelope.body),
        headers=headers,
        content_type=content_type,
        content_encoding=envelope.encoding,
        **fields,
    )
    size = len(ContentHeader(properties=amqp_message.properties).marshal())
    check_headers("rabbitmq", size + (0 if amqp_message.message_id else _RANDOM), RABBITMQ_HEADERS)
    return amqp_message


def envelope(message: AbstractIncomingMessage) -> Envelope:
    """Return the envelope of a message. Raises `PoisonError` if it is not a CloudEvent."""
    return envelope_of(
        message.headers,
        message.body,
        message.content_type,
        message.content_encoding,
        percent=False,
    )


async def publish(
    exchange: AbstractExchange,
    routing_key: str,
    envelope: Envelope,
    *,
    limit: int = RABBITMQ_LIMIT,
    **properties: Any,
) -> None:
    """Publish an envelope, and wait for the broker's confirmation.

    The message may still be published if this call is cancelled while it waits.

    Raises `TooLargeError` before anything is sent if the body is beyond `limit` bytes,
    `EncodeError` if the channel has no publisher confirms (channels have them by default),
    aio-pika's `DeliveryError` if no queue takes the message, whatever `on_return_raises` is.
    """
    check_size("rabbitmq", len(envelope.body), limit)
    amqp_message = message(envelope, **properties)
    channel = getattr(exchange, "channel", exchange)
    if not getattr(channel, "publisher_confirms", True):
        raise EncodeError("channel without publisher confirms, expected one with them", wire=WIRE)
    # A returned message is known by its `message_id`: never send two of one id at once. The broker
    # may still return the message of a call that was cancelled.
    sending = _sending.setdefault(channel, {})
    id = amqp_message.message_id or token_hex(16)
    while (other := sending.get(id)) is not None:
        await asyncio.wait([other])
    publishing = sending[id] = asyncio.ensure_future(exchange.publish(amqp_message, routing_key))
    publishing.add_done_callback(lambda _: sending.pop(id))
    done = await asyncio.shield(publishing)
    if isinstance(done, DeliveredMessage):  # returned: it could not be routed
        raise PublishError(done, done.delivery)
