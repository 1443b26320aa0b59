"""The native wires compared with plain `msgspec` Structs; each row checks its answer first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw, Struct

import wireglot as wg

from .measure import Pair, paired
from .plain import FlatMessage, Message, ParsedFlatMessage, ParsedMessage
from .session import image_message, session

__all__ = ["Row", "rows"]

_IMAGE = 10_000_000


class Row(NamedTuple):
    """One line of the table: `sizes` of the output are in bytes, ours and the peer's."""

    job: str
    peer: str
    pair: Pair
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
        yield from _codec("400 messages", bare, list[wg.Message], peer, how, rounds)
        yield from _codec(
            "400 with turn ids", placed, list[wg.AgentMessage], flat_peer, how, rounds
        )
    yield _image_through_json(some)
    for size in (100_000, _IMAGE):
        yield _image_from_msgpack(size, some)


def _codec(what: str, data: bytes, kind: Any, plain: Any, how: str, rounds: int) -> Iterator[Row]:
    """Measure what a program does: it reads what is decoded, and makes what it encodes."""
    decode = msgspec.json.Decoder(list[plain]).decode
    encode = msgspec.json.Encoder().encode
    value, peer_value = [*map(_made, wg.json.decode(data, kind))], [*map(_made, decode(data))]
    assert json.loads(wg.json.encode(value)) == json.loads(data) == json.loads(encode(peer_value))
    parsed = how.startswith("dict")

    def ours() -> int:
        return _read(wg.json.decode(data, kind), parsed=parsed)

    def theirs() -> int:
        return _read(decode(data), parsed=parsed)

    assert ours() == theirs()
    peer = f"plain Structs, {how}"
    yield Row(f"decode and read {what}", peer, paired(ours, theirs, rounds))
    encoding = paired(lambda: wg.json.encode(value), lambda: encode(peer_value), rounds)
    yield Row(f"encode {what}, made", peer, encoding)


def _read(messages: list[Any], *, parsed: bool = True) -> int:
    """Look at each message, as a program does that shows them; return how many blocks there are.

    The peer with `Raw` arguments would have to decode them again: then nobody's are looked at.
    """
    blocks = 0
    for message in messages:
        _ = message.timestamp
        for block in message.content:
            blocks += 1
            _ = getattr(block, "text", None)
            if parsed and hasattr(block, "arguments"):
                _ = block.arguments["path"]
    return blocks


def _made(value: Any) -> Any:
    """Return a value as a program makes it: by the constructors of its classes."""
    if isinstance(value, list):
        return [*map(_made, value)]
    if isinstance(value, wg.RawJson):
        return type(value)(value.text)
    if isinstance(value, Struct):
        names = value.__struct_fields__
        return type(value)(**{name: _made(getattr(value, name)) for name in names})
    return value


def _image_through_json(rounds: int) -> Row:
    body = image_message(_IMAGE)
    raw = msgspec.json.Decoder(Raw).decode
    assert wg.json.encode(wg.json.decode(body)) == body

    def ours() -> bytes:
        return wg.json.encode(wg.json.decode(body))

    def peer() -> bytearray:
        return bytearray(raw(body))

    return Row("10 MB image, JSON in and out", "decode as Raw, copy", paired(ours, peer, rounds))


def _image_from_msgpack(size: int, rounds: int) -> Row:
    """Compare with a small image: the time must not grow with the size."""
    large = wg.msgpack.encode(wg.json.decode(image_message(size)))
    small = wg.msgpack.encode(wg.json.decode(image_message(10_000)))
    timed = paired(lambda: wg.msgpack.decode(large), lambda: wg.msgpack.decode(small), rounds * 20)
    return Row(f"{size // 1000:,} kB image, MessagePack in", "10 kB image", timed)
