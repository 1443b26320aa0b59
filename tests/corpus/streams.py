"""The bytes of a stream -> its events and its ending -> bytes; and the order of events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

import wireglot as wg

__all__ = ["Ending", "decoded", "disorder", "encoded", "pieces_of", "token"]

Ending = wg.Response | wg.StreamFailure
"""The whole answer, or the error with which the stream ended."""

_DELTAS = {
    wg.TextDelta: (wg.TextBlock, lambda block: block.text, ""),
    wg.ThinkingDelta: (wg.ThinkingBlock, lambda block: block.thinking, ""),
    wg.ArgumentsDelta: (wg.ToolCallBlock, lambda block: block.arguments.text.decode(), "{}"),
}
"""Kind of delta -> the kind of its block, the field that it adds up to, and that field if empty."""


def token() -> str:
    """Return the token of all ids: without a source, those of a call are made of the answer's."""
    return "0123456789ab"


def decoded(
    provider: str,
    dialect: str,
    data: bytes,
    size: int | None = None,
    losses: list[wg.Loss] | None = None,
) -> tuple[list[Any], Ending]:
    """Feed a stream in chunks of a size, or whole; return its events and its end."""
    decoder = wg.PROVIDERS[provider].StreamDecoder(
        dialect=dialect, losses=[] if losses is None else losses, ids=token
    )
    events: list[Any] = []
    size = size or max(1, len(data))
    for at in range(0, len(data), size):
        events += decoder.feed(data[at : at + size])
    events += decoder.finish()
    try:
        return events, decoder.close()
    except wg.ProviderError as error:
        return events, wg.StreamFailure.of(error)


def encoded(provider: str, dialect: str, events: list[Any], losses: list[wg.Loss]) -> bytes:
    """Write events as a stream of a provider."""
    encoder = wg.PROVIDERS[provider].StreamEncoder(losses=losses, dialect=dialect, ids=token)
    return b"".join(map(encoder.encode, events)) + encoder.close()


def pieces_of(value: Any) -> bytes:
    """Return the JSON of a response, of an ending or of events."""
    return wg.json.encode(value) if isinstance(value, msgspec.Struct) else _list(value)


def _list(values: list[Any]) -> bytes:
    return b"[" + b",".join(map(wg.json.encode, values)) + b"]"


def disorder(events: list[Any]) -> Iterator[str]:
    """List where events break the order of `wireglot.model.events`, or do not add up."""
    ended: dict[int, Any] = {}
    texts: dict[int, str] = {}
    begun: list[Any] = []
    last = type(events[-1]) if events else None
    if not events or type(events[0]) not in (wg.StreamStart, wg.StreamFailure):
        yield "the first event is no start"
    if last not in (wg.StreamEnd, wg.StreamFailure):
        yield "the last event is no end"
    for i, event in enumerate(events):
        kind = type(event)
        if kind is wg.StreamStart and i:
            yield "a second start"
        elif kind is wg.BlockStart:
            if event.index != len(begun):
                yield "a block begins out of turn"
            begun.append(event.block)
            texts[event.index] = ""
        elif kind in _DELTAS:
            if event.index in ended or event.index >= len(begun):
                yield "a delta outside its block"
            elif type(begun[event.index]) is not _DELTAS[kind][0]:
                yield "a delta of another kind than its block"
            else:
                texts[event.index] += event.text
        elif kind is wg.BlockEnd:
            if event.index in ended or event.index >= len(begun):
                yield "an end without its block"
            ended[event.index] = event.block
    yield from _unsummed(ended, texts)
    if last is wg.StreamEnd:
        if len(ended) != len(begun):
            yield "a block without its end"
        if events[-1].response.message.content != [ended[i] for i in sorted(ended)]:
            yield "the answer is not what its blocks were"


def _unsummed(ended: dict[int, Any], texts: dict[int, str]) -> Iterator[str]:
    for block_kind, text_of, empty in _DELTAS.values():
        blocks = ((index, block) for index, block in ended.items() if type(block) is block_kind)
        for index, block in blocks:
            if (text_of(block) or empty) != texts[index]:
                yield f"a block of {block_kind.__name__} is not the sum of its deltas"
