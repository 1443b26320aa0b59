"""Poisonous messages on a queue: each goes to the dead-letter place, and the consumer goes on."""

import asyncio
import random
from uuid import uuid4

import pytest

import wireglot as wg
from tests.queues.brokers import BROKERS
from tests.queues.servers import PORTS, needs
from wireglot import queue
from wireglot.queue.headers import AMQP, HTTP, KAFKA, headers_of

_PREFIX = {"rabbitmq": AMQP, "nats": HTTP, "redis": KAFKA}
_GOOD = [
    queue.encode([wg.UserMessage.from_text(f"Hello {number}")], id=f"good-{number}")
    for number in range(30)
]
_PICTURE = wg.ImageBlock.from_bytes(random.Random(1).randbytes(300), "image/png")
_BODY = queue.encode([wg.UserMessage([wg.TextBlock("Look"), _PICTURE])], id="bad")
_TYPE = "application/vnd.wireglot+msgpack; kind=messages; version=1"


def _flipped(body: bytes, bit: int) -> bytes:
    changed = bytearray(body)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _poisons(prefix: str) -> list[tuple[str, dict[str, str], bytes]]:
    """Return what is wrong, headers and body."""
    body = bytes(_BODY.body)
    headers = headers_of(_BODY, prefix)
    unchecked = {key: value for key, value in headers.items() if key != f"{prefix}crc32"}
    without_id = {key: value for key, value in headers.items() if key != f"{prefix}id"}
    newer = _TYPE.replace("version=1", "version=2")
    return [
        ("crc32", headers, body[:-1]),
        ("truncated", unchecked, body[: len(body) // 2]),
        ("truncated", unchecked, b""),
        *[("crc32", headers, _flipped(body, bit)) for bit in range(3, 8 * len(body), 61)],
        ("expected `array`", unchecked, b"\x2a"),
        ("content type", {**headers, "content-type": "application/json"}, body),
        ("version 2", {**headers, "content-type": newer}, body),
        (
            "queue: content of kind `request`, expected `messages` - at `$`",
            {**headers, "content-type": _TYPE.replace("messages", "request")},
            body,
        ),
        ("encoding", {**headers, "content-encoding": "gzip"}, body),
        ("not a Zstandard", {**headers, "content-encoding": "zstd"}, body),
        ("without `id`", without_id, body),
        ("without `specversion`", {}, b"hello"),
    ]


async def _consumed(kind: str) -> None:
    async with BROKERS[kind].open(f"wireglot-{uuid4().hex}") as broker:
        try:
            poisons = _poisons(_PREFIX[kind])
            good = iter(_GOOD)
            for _, headers, body in poisons:
                await broker.publish_raw(headers, body)
                if (envelope := next(good, None)) is not None:
                    await broker.publish(envelope)
            came: list[str] = []
            errors: list[wg.queue.PoisonError] = []
            async for delivery in broker.deliveries():
                try:
                    envelope = broker.envelope(delivery)
                    queue.decode(envelope)
                    came.append(envelope.id)
                    await broker.done(delivery)
                except wg.queue.PoisonError as error:
                    errors.append(error)
                    await broker.bury(delivery, error)
                if len(came) == len(_GOOD) and len(errors) == len(poisons):
                    break
            assert came == [f"good-{number}" for number in range(30)]
            for error, (words, _, _) in zip(errors, poisons, strict=True):
                assert words in str(error)
            assert [error.body for error in errors] == [body for _, _, body in poisons]
            (newer,) = [error for error in errors if isinstance(error, wg.queue.VersionError)]
            assert "content of version 2, expected at most 1" in str(newer)
            dead = await broker.dead(len(poisons))
            assert [body for _, body in dead] == [body for _, _, body in poisons]
            if kind != "rabbitmq":  # which has its own headers for that
                words = [headers["wireglot-error"] for headers, _ in dead]
                assert words == [str(error) for error in errors]
        finally:
            await broker.clear()


@pytest.mark.parametrize("kind", [pytest.param(k, marks=needs(k)) for k in PORTS])
def test_what_is_poisonous_is_put_aside_as_it_came_and_the_rest_arrives(kind: str) -> None:
    asyncio.run(_consumed(kind))
