"""The limits of brokers, and the error that names them before anything is sent."""

from __future__ import annotations

from typing import Final

from ..errors import TooLargeError

__all__ = [
    "KAFKA_LIMIT",
    "NATS_HEADERS",
    "NATS_LIMIT",
    "RABBITMQ_HEADERS",
    "RABBITMQ_LIMIT",
    "REDIS_LIMIT",
    "check_headers",
    "check_size",
    "size_of",
]

# Default limits of the servers, and of Kafka's producer, in bytes.
KAFKA_LIMIT: Final = 1_048_576  # max.request.size of aiokafka; brokers accept 12 bytes more
NATS_LIMIT: Final = 1_048_576  # max_payload, headers included
RABBITMQ_LIMIT: Final = 16 * 1024 * 1024  # max_message_size since 4.0, 128 MiB before
REDIS_LIMIT: Final = 512 * 1024 * 1024  # proto-max-bulk-len
# Limits that a server's operator usually cannot change.
NATS_HEADERS: Final = 65_535  # of a message in a stream
RABBITMQ_HEADERS: Final = 131_072 - 8  # frame_max: headers and properties go in one frame


def size_of(headers: dict[str, str], body: bytes | memoryview, overhead: int) -> int:
    """Return the bytes of a message, with `overhead` bytes for each header."""
    texts = sum(len(key) + len(value.encode()) + overhead for key, value in headers.items())
    return len(body) + texts


def check_size(broker: str, size: int, limit: int) -> None:
    """Raise `TooLargeError` if a message of `size` bytes is more than the broker accepts."""
    if size > limit:
        reason = (
            f"message of {size:,} bytes, expected at most {limit:,}; check media in with "
            "`wireglot.queue.check_in`, compress with `zstd_over`, or raise the limit of broker "
            "and call"
        )
        raise TooLargeError(reason, size=size, limit=limit, wire=broker)


def check_headers(broker: str, size: int, limit: int, what: str = "headers") -> None:
    """Raise `TooLargeError` if headers of `size` bytes are more than the broker accepts."""
    if size > limit:
        reason = f"{what} of {size:,} bytes, expected at most {limit:,}; shorten attributes"
        raise TooLargeError(reason, size=size, limit=limit, wire=broker)
