"""Messages on queues: envelopes, media kept elsewhere, and the brokers' clients.

    from wireglot import queue
    from wireglot.queue import nats

    await nats.publish(stream, "turns", queue.encode(messages, conversation="c-42"))
    ...
    messages = queue.decode(nats.envelope(message))

Each client has a module of its own, which imports that client and no other: `aio_pika`, `nats`,
`redis`, `kafka`, `faststream`, `kombu` (Celery), `dramatiq`, `taskiq`. The clients themselves are
yours to install; the extra `queue` brings Zstandard and fsspec.
"""

from .batches import decode_batch, encode_batch
from .claims import Claim, check_in, check_out, claims
from .codec import KINDS, decode, decode_each, encode
from .envelope import VERSION, ContentType, Envelope
from .stores import FileStore, Store
from .values import decode_values, encode_values

__all__ = [
    "KINDS",
    "VERSION",
    "Claim",
    "ContentType",
    "Envelope",
    "FileStore",
    "Store",
    "check_in",
    "check_out",
    "claims",
    "decode",
    "decode_batch",
    "decode_each",
    "decode_values",
    "encode",
    "encode_batch",
    "encode_values",
]
