"""Payloads of a queue: time in and out, and size, compared with other ways to carry the messages.

Ours has the envelope with its id and checksum; the peers have only the messages.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from typing import Any, Literal

import msgspec

import wireglot as wg
from wireglot import queue

from .measure import paired
from .native import Row
from .session import session

__all__ = ["queue_rows"]

_IMAGE = 50_000  # bytes
_ENVELOPE = {"id": "4f2a6c0b9d7e4a51b8c3d2e1f0a9b8c7", "conversation": "c-42"}


def queue_rows(rounds: int) -> Iterator[Row]:
    """Measure each payload. Raises AssertionError if an answer is wrong or ours is too large."""
    for job, messages, runs in (
        ("a turn of 4 messages", _turn(), rounds * 5),
        ("the same with a 50 kB image", _turn(_IMAGE), rounds * 5),
        ("400 messages", session(turn_ids=True), max(rounds // 4, 3)),
    ):
        yield from _payload(job, messages, runs)


def _turn(image: int = 0) -> list[dict[str, Any]]:
    """Return a question, two calls and their results."""
    turn = session(9, turn_ids=True)[5:]
    if image:
        data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + random.Random(7).randbytes(image - 8))
        turn[0]["content"].append({"type": "image", "data": data.decode(), "mimeType": "image/png"})
    return turn


def _payload(job: str, plain: list[dict[str, Any]], rounds: int) -> Iterator[Row]:
    from .payloads import CARRIERS

    data = msgspec.json.encode(plain)
    packed, packed_size = _ours(data, plain)
    in_json, json_size = _ours(data, plain, format="json")
    zstd, zstd_size = _ours(data, plain, zstd_over=0)
    assert packed_size <= json_size

    def row(what: str, peer: Callable[[], Any], size: int) -> Row:
        return Row(job, what, paired(packed, peer, rounds), (packed_size, size))

    yield row("ours, JSON inside", in_json, json_size)
    yield row(f"ours, zstandard {version('zstandard')}", zstd, zstd_size)
    for what, carrier in CARRIERS.items():
        value = carrier.made(data)
        payload = carrier.encode(value)
        back = carrier.decode(payload)
        assert back == value, what
        assert json.loads(carrier.told(back)) == plain, what
        assert packed_size <= len(carrier.told(value)), what
        peer = partial(_round_trip, carrier.encode, carrier.decode, value)
        yield row(what, peer, len(payload))


def _round_trip(encode: Callable[[Any], Any], decode: Callable[[Any], Any], value: Any) -> Any:
    return decode(encode(value))


def _ours(
    data: bytes,
    plain: list[dict[str, Any]],
    *,
    format: Literal["msgpack", "json"] = "msgpack",
    zstd_over: int | None = None,
) -> tuple[Callable[[], Any], int]:
    """Return a function that encodes and decodes an envelope, and the size of its body."""
    encode = partial(queue.encode, **_ENVELOPE, format=format, zstd_over=zstd_over)
    envelope = encode(wg.json.decode(data))
    back = queue.decode(envelope)
    assert back == wg.json.decode(data)
    assert json.loads(wg.json.encode(back)) == plain
    # Decoded again: the comparison has parsed parts of the messages.
    messages = wg.json.decode(data)
    return partial(_round_trip, encode, queue.decode, messages), len(envelope.body)
