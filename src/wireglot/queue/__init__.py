"""Messages on queues: envelopes, media kept in a store, and the clients of brokers.

Send a turn from one program to another::

    from wireglot import queue

    await queue.nats.publish(stream, "turns", queue.encode(messages, conversation="c-42"))
    ...
    messages = queue.decode(queue.nats.envelope(message))

Each broker client has its own module, which is imported when it is first used: `aio_pika`,
`celery`, `dramatiq`, `faststream`, `kafka`, `kombu`, `nats`, `redis`, `taskiq`. Install the client
yourself; the extra `queue` brings Zstandard, zlib-ng and fsspec.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from ..errors import ClaimError, PoisonError, TooLargeError, VersionError
from .batches import decode_batch, encode_batch
from .claims import Claim, check_in, check_out, claims
from .codec import KINDS, decode, decode_each, encode
from .envelope import VERSION, ContentType, Envelope
from .stores import FileStore, Store
from .values import decode_values, encode_values

if TYPE_CHECKING:
    from . import aio_pika as aio_pika
    from . import celery as celery
    from . import dramatiq as dramatiq
    from . import faststream as faststream
    from . import kafka as kafka
    from . import kombu as kombu
    from . import nats as nats
    from . import redis as redis
    from . import taskiq as taskiq

__all__ = [
    "KINDS",
    "VERSION",
    "Claim",
    "ClaimError",
    "ContentType",
    "Envelope",
    "FileStore",
    "PoisonError",
    "Store",
    "TooLargeError",
    "VersionError",
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

_CLIENTS = frozenset(
    {"aio_pika", "celery", "dramatiq", "faststream", "kafka", "kombu", "nats", "redis", "taskiq"}
)


if not TYPE_CHECKING:  # to a type checker every name would be a module

    def __getattr__(name: str) -> ModuleType:
        if name in _CLIENTS:
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
