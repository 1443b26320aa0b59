"""Streamed text, from chunk in to chunk out: one event per chunk, and many.

The floor is `msgspec.json.decode` of the event's JSON into the wire's Struct: no framing, no
accumulated answer, nothing written. Other libraries are in `bench.peers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import msgspec

import wireglot as wg
from wireglot.framing import eventstream

from .measure import paired
from .native import Row

__all__ = ["stream_rows"]

_EVENTS = 500
_TEXT = " and so"
_PAIRS = (
    ("anthropic", "openai_chat"),
    ("openai_chat", "anthropic"),
    ("openai_responses", "anthropic"),
    ("gemini", "openai_chat"),
    ("mistral", "openai_chat"),
    ("cohere", "openai_chat"),
    ("bedrock", "anthropic"),
    ("ollama", "openai_chat"),
    ("openai_chat", "openai_chat"),
)
_KINDS = {
    "anthropic": "Event",
    "openai_chat": "Chunk",
    "openai_responses": "Event",
    "gemini": "Chunk",
    "mistral": "Event",
    "cohere": "Event",
    "bedrock": "BlockDelta",
    "ollama": "Response",
}


def stream_rows(rounds: int) -> Iterator[Row]:
    """Measure the pairs of wires. Raises AssertionError if an answer is wrong."""
    for source, target in _PAIRS:
        yield _row(source, target, 1, rounds)
    yield _row("anthropic", "openai_chat", 50, rounds)


def _row(source: str, target: str, together: int, rounds: int) -> Row:
    first, frames, last = _stream(source)
    chunks = [b"".join(frames[i : i + together]) for i in range(0, len(frames), together)]
    translator = wg.StreamTranslator(source, target, losses=[])
    made = [translator.feed(first), *map(translator.feed, chunks), translator.feed(last)]
    decoder = wg.PROVIDERS[target].StreamDecoder()
    decoder.feed(b"".join([*made, translator.close()]))
    assert decoder.close().message.text() == _TEXT * (_EVENTS + 1)

    translator = wg.StreamTranslator(source, target, losses=[])
    translator.feed(first)
    feed = translator.feed
    decode = msgspec.json.Decoder(_kind(source)).decode
    payloads = [_payload(source, frame) for frame in frames]
    timed = paired(lambda: [feed(c) for c in chunks], lambda: [decode(p) for p in payloads], rounds)
    job = f"{source} to {target}" + (f", {together} events a chunk" if together > 1 else "")
    return Row(job, "msgspec decode of the event", timed)


def _stream(name: str) -> tuple[bytes, list[bytes], bytes]:
    """Return a stream of this wire: its beginning, the frames of its text, its end."""
    provider = wg.PROVIDERS[name]
    message = wg.AssistantMessage([], model="m", api=provider.API)
    block = wg.TextBlock(_TEXT * (_EVENTS + 1))
    stop = wg.StopReason.STOP
    done = wg.AssistantMessage([block], stop, "m", api=provider.API, usage=wg.Usage(1, _EVENTS))
    encode = provider.StreamEncoder().encode
    first = encode(wg.StreamStart(wg.Response(message, id="x")))
    first += encode(wg.BlockStart(0, wg.TextBlock("")))
    first += encode(wg.TextDelta(0, _TEXT))  # which some wires begin the block with
    frames = [encode(wg.TextDelta(0, _TEXT)) for _ in range(_EVENTS)]
    last = encode(wg.BlockEnd(0, block)) + encode(wg.StreamEnd(wg.Response(done, id="x")))
    return first, frames, last


def _payload(name: str, frame: bytes) -> bytes:
    """Return the JSON of a frame."""
    if name == "bedrock":
        return eventstream.Decoder().feed(frame)[0][1]
    return frame.partition(b"data: ")[2].strip() or frame.strip()


def _kind(name: str) -> Any:
    return getattr(import_module(f"wireglot.providers.{name}.wire"), _KINDS[name])
