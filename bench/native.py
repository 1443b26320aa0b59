"""The native wires compared with plain `msgspec` Structs; each row checks its answer first."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

import wireglot as wg

from .measure import Pair, paired
from .plain import FlatMessage, Message, ParsedFlatMessage, ParsedMessage
from .session import image_message, session

__all__ = ["Row", "peak_memory", "rows"]

_IMAGE = 10_000_000


class Row(NamedTuple):
    """One line of the table. `bound` is the ratio that must not be exceeded, if there is one.

    `sizes` are the sizes of the output in bytes, ours and the peer's, if they differ.
    """

    job: str
    peer: str
    pair: Pair
    bound: float | None
    sizes: tuple[int, int] | None = None


def rows(rounds: int) -> Iterator[Row]:
    """Measure every job. Raises AssertionError if an answer is wrong."""
    bare = msgspec.json.encode(session())
    placed = msgspec.json.encode(session(turn_ids=True))
    some = max(rounds // 5, 3)
    for peer, flat_peer, how in (
        (ParsedMessage, ParsedFlatMessage, "dict arguments"),
        (Message, FlatMessage, "Raw arguments"),
    ):
        bound = 1.15 if peer is ParsedMessage else None
        yield from _codec("400 messages", bare, list[wg.Message], peer, how, (bound, bound), rounds)
        yield from _codec(
            "400 with turn ids", placed, list[wg.AgentMessage], flat_peer, how, (1.4, 1.8), rounds
        )
    yield _image_through_json(some)
    for size in (100_000, _IMAGE):
        yield _image_from_msgpack(size, some)


def peak_memory() -> float:
    """Return the memory for a 10 MB image, JSON in and out, divided by the size of the body."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(image_message(_IMAGE))
        file.flush()
        command = [sys.executable, "-m", "bench.memory", file.name]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
    return float(done.stdout)


def _codec(
    what: str,
    data: bytes,
    kind: Any,
    plain: Any,
    how: str,
    bounds: tuple[float | None, float | None],
    rounds: int,
) -> Iterator[Row]:
    decode = msgspec.json.Decoder(list[plain]).decode
    encode = msgspec.json.Encoder().encode
    value, peer_value = wg.json.decode(data, kind), decode(data)
    assert json.loads(wg.json.encode(value)) == json.loads(data) == json.loads(encode(peer_value))
    peer = f"plain Structs, {how}"
    decoding = paired(lambda: wg.json.decode(data, kind), lambda: decode(data), rounds)
    yield Row(f"decode {what}", peer, decoding, bounds[0])
    encoding = paired(lambda: wg.json.encode(value), lambda: encode(peer_value), rounds)
    yield Row(f"encode {what}", peer, encoding, bounds[1])


def _image_through_json(rounds: int) -> Row:
    body = image_message(_IMAGE)
    raw = msgspec.json.Decoder(Raw).decode
    assert wg.json.encode(wg.json.decode(body)) == body

    def ours() -> bytes:
        return wg.json.encode(wg.json.decode(body))

    def peer() -> bytearray:
        return bytearray(raw(body))

    return Row(
        "10 MB image, JSON in and out", "decode as Raw, copy", paired(ours, peer, rounds), 1.2
    )


def _image_from_msgpack(size: int, rounds: int) -> Row:
    """Compare with a small image: the time must not grow with the size."""
    large = wg.msgpack.encode(wg.json.decode(image_message(size)))
    small = wg.msgpack.encode(wg.json.decode(image_message(10_000)))
    timed = paired(lambda: wg.msgpack.decode(large), lambda: wg.msgpack.decode(small), rounds * 20)
    return Row(f"{size // 1000:,} kB image, MessagePack in", "10 kB image", timed, None)
