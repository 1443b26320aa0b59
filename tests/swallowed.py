"""Whether a stream loses something without a word: insert what is unknown, and look for it.

Each mutant is a stream with one unknown thing in it that holds a marker. Translated to its own wire
the marker must be in the bytes. Translated to another wire, there must be a loss that the stream
without it does not have. An error of the library will do for both.

`python -m tests.swallowed --mutants 20000` makes so many of each wire, each translated to its own
and to two others, and prints how many vanished, by wire and kind.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import wireglot as wg
from tests.clients.turn import STREAMS
from wireglot.framing import eventstream, ndjson, sse

__all__ = ["KINDS", "Mutant", "fates", "mutant", "told_in_pieces"]

MARK = "Qz7marker"
_STREAMS = STREAMS | {"gemini": STREAMS["gemini"].replace(b'"index":0,', b"")}
"""The streams, without a key whose loss on other wires would hide that of another."""
_EVENT = {"type": "new.event", "object": "new.event", "said": MARK}


class Mutant(NamedTuple):
    """A stream with one unknown thing in it; `kind` says what it is."""

    wire: str
    kind: str
    data: bytes


@cache
def _frames(wire: str) -> tuple[tuple[Any, bytes], ...]:
    """Return the frames of a wire's stream: what names each, and its JSON."""
    data = _STREAMS[wire]
    if wire == "bedrock":
        decoder: Any = eventstream.Decoder()
    else:
        decoder = ndjson.Decoder() if _is_lines(wire) else sse.Decoder()
    frames = decoder.feed(data) + decoder.close()
    return tuple((b"", each) if isinstance(each, bytes) else tuple(each) for each in frames)


def _bytes(wire: str, name: Any, data: bytes) -> bytes:
    if wire == "bedrock":
        return eventstream.encode(name, data)
    return ndjson.encode(data) if _is_lines(wire) else sse.encode(data, name)


def _is_lines(wire: str) -> bool:
    return wg.PROVIDERS[wire].StreamEncoder.CONTENT_TYPE == "application/x-ndjson"


def _parsed(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None


# Objects in which a key is not unknown, or is taken back:
_FREE = {
    "input": "the arguments of a call, which deltas replace",
    "metadata": "of the request, which an answer repeats",
    "metrics": "of the service; they are no part of the answer",
    "output": "repeats the items, whose own ends count",
    "part": "repeats a part of an item, whose own end counts",
}


def _objects(value: Any, path: str = "$") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects in a frame, with their paths."""
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            if key not in _FREE:
                yield from _objects(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner, f"{path}[]")


def _event(chance: random.Random, wire: str) -> tuple[int, Any, Any] | None:
    """Insert a frame of an unknown kind."""
    frames = _frames(wire)
    at = chance.randrange(len(frames) - 2)
    name: Any = b"new.event" if frames[at][0] else b""
    if wire == "bedrock":
        name = {**frames[at][0], ":event-type": "newEvent"}
    return at, name, _EVENT


def _delta(chance: random.Random, wire: str) -> tuple[int, Any, Any] | None:
    """Insert a copy of a delta whose type is unknown."""
    found: list[tuple[int, Any, Any]] = []
    for at, (name, data) in enumerate(_frames(wire)):
        frame = _parsed(data)
        if wire == "anthropic" and frame["type"] == "content_block_delta":
            frame["delta"] = {"type": "new_delta", "said": MARK}
        elif wire == "bedrock" and name.get(":event-type") == "contentBlockDelta":
            frame["delta"] = {"newDelta": {"said": MARK}}
        elif wire == "cohere" and frame is not None and frame["type"] == "content-delta":
            frame["delta"]["message"]["content"] = {"new": MARK}
        elif wire == "openai_responses" and frame is not None and "delta" in frame:
            frame |= {"type": "response.new.delta", "delta": MARK}
            name = b"response.new.delta"
        else:
            continue
        found.append((at, name, frame))
    return chance.choice(found) if found else None


def _block(chance: random.Random, wire: str) -> tuple[int, Any, Any] | None:
    """Insert a block, a part or an item of an unknown type."""
    new = {"type": "new_block", "said": MARK}
    found: list[tuple[int, Any, Any]] = []
    for at, (name, data) in enumerate(_frames(wire)):
        frame = _parsed(data)
        if frame is None:
            continue
        kind = frame.get("type")
        if wire == "anthropic" and kind == "content_block_start":
            frame |= {"index": 90, "content_block": new}
        elif wire == "openai_responses" and kind == "response.output_item.done":
            frame |= {"output_index": 90, "item": new}
        elif wire == "cohere" and kind == "content-start":
            frame |= {"index": 90, "delta": {"message": {"content": new}}}
        elif wire == "bedrock" and name.get(":event-type") == "contentBlockStart":
            frame |= {"contentBlockIndex": 90, "start": {"newBlock": {"said": MARK}}}
        elif wire == "gemini" and frame.get("candidates"):
            frame["candidates"][0] |= {
                "content": {"role": "model", "parts": [{"newPart": {"said": MARK}}]}
            }
            frame["candidates"][0].pop("finishReason", None)
        elif wire == "mistral" and frame.get("choices"):
            frame["choices"][0] |= {"delta": {"content": [new]}, "finish_reason": None}
        else:
            continue
        found.append((at, name, frame))
    return chance.choice(found) if found else None


def _key(chance: random.Random, wire: str, where: str) -> tuple[int, Any, Any] | None:
    """Replace a frame by itself with an unknown key in one of its objects."""
    found: list[tuple[int, Any, Any, dict[str, Any]]] = []
    for at, (name, data) in enumerate(_frames(wire)):
        frame = _parsed(data)
        inside = [
            (at, name, frame, inner) for path, inner in _objects(frame) if _place(path) == where
        ]
        if where == "usage" and inside:
            found.clear()  # each usage replaces the one before
        found += inside
    if not found:
        return None
    at, name, frame, inner = chance.choice(found)
    inner["new_key"] = MARK
    return -at - 1, name, frame


def _place(path: str) -> str:
    if path == "$":
        return "frame"
    if "usage" in path.lower() or "tokens" in path.lower():
        return "usage"
    if path.endswith((".content_block", ".item", ".start", ".part", ".parts[]")):
        return "block"
    return "delta" if "delta" in path else "inner"


KINDS: dict[str, Any] = {
    "event": _event,
    "delta": _delta,
    "block": _block,
    **{
        f"key of {where}": lambda chance, wire, where=where: _key(chance, wire, where)
        for where in ("frame", "delta", "block", "usage", "inner")
    },
}
"""What a mutant holds that is unknown -> what makes it."""


def mutant(chance: random.Random, wire: str, kind: str) -> Mutant | None:
    """Return a stream with something unknown in it; None if the wire has no place for it."""
    made = KINDS[kind](chance, wire)
    if made is None:
        return None
    at, name, value = made
    data = json.dumps(value).encode()
    parts = [_bytes(wire, *frame) for frame in _frames(wire)]
    if at < 0:
        parts[-at - 1] = _bytes(wire, name, data)
    else:
        parts.insert(at + 1, _bytes(wire, name, data))
    return Mutant(wire, kind, b"".join(parts))


def told_in_pieces(wire: str) -> Iterator[tuple[str, bytes]]:
    """Yield streams in which two frames tell two keys of one unknown object, and its path."""
    frames = [(name, _parsed(data)) for name, data in _frames(wire)]
    known: dict[str, list[int]] = {}
    for at, (_, frame) in enumerate(frames):
        for path, _ in _objects(frame):
            if _place(path) != "usage":
                known.setdefault(path, []).append(at)
    for path, places in known.items():
        for first, second in pairwise(dict.fromkeys(places)):
            parts = [_bytes(wire, *frame) for frame in _frames(wire)]
            for at, said in ((first, {"first": 1}), (second, {"second": 2})):
                frame = _parsed(_frames(wire)[at][1])
                next(inner for other, inner in _objects(frame) if other == path)["zz"] = said
                parts[at] = _bytes(wire, _frames(wire)[at][0], json.dumps(frame).encode())
            yield f"{path} of {first} and {second}", b"".join(parts)


def _translated(source: str, target: str, data: bytes) -> tuple[bytes, list[wg.Loss]]:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(source, target, losses=losses)
    return translator.feed(data) + translator.close(), losses


@cache
def _plain(source: str, target: str) -> Counter[str]:
    return Counter(loss.what for loss in _translated(source, target, _STREAMS[source])[1])


def fates(mutant: Mutant, others: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield each target and whether it swallowed what is unknown."""
    for target in (mutant.wire, *others):
        try:
            made, losses = _translated(mutant.wire, target, mutant.data)
        except wg.WireglotError:
            yield target, False
            continue
        told = MARK.encode() in made
        if target != mutant.wire:
            known = Counter(loss.what for loss in losses)
            told = told or bool(known - _plain(mutant.wire, target))
        yield target, not told


def main() -> None:
    """Print what vanished of so many mutants of each wire."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mutants", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    chance = random.Random(asked.seed)
    wires = list(wg.PROVIDERS)
    tried: Counter[tuple[str, str]] = Counter()
    own: Counter[tuple[str, str]] = Counter()
    other: Counter[tuple[str, str]] = Counter()
    for wire in wires:
        kinds = [kind for kind in KINDS if mutant(chance, wire, kind) is not None]
        for number in range(asked.mutants):
            kind = kinds[number % len(kinds)]
            made = mutant(chance, wire, kind)
            assert made is not None
            tried[wire, kind] += 1
            targets = chance.sample([each for each in wires if each != wire], 2)
            for target, is_swallowed in fates(made, targets):
                (own if target == wire else other)[wire, kind] += is_swallowed
    print(f"{'wire':17}{'kind':15}{'mutants':>8}{'own wire':>10}{'others':>8} (of twice as many)")
    for (wire, kind), count in tried.items():
        print(f"{wire:17}{kind:15}{count:8}{own[wire, kind]:10}{other[wire, kind]:8}")
    print(f"{'all':32}{tried.total():8}{own.total():10}{other.total():8}")


if __name__ == "__main__":
    main()
