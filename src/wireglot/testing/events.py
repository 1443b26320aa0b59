"""Strategies for stream events, single and as whole streams."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec.structs import replace

from ..errors import ERROR_KINDS
from ..model import (
    Arguments,
    AssistantMessage,
    Content,
    RawJson,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from ..model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    CitationDelta,
    OpaqueEvent,
    StreamEnd,
    StreamEvent,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
    UsageUpdate,
)
from ._building import build, maybe
from ._once import once
from .blocks import blocks, references
from .exchanges import responses
from .messages import usages
from .values import json_objects, texts

__all__ = ["event_kinds", "stream_events", "streams"]

_INDEXES = st.integers(0, 100)


@once
def stream_events() -> SearchStrategy[StreamEvent]:
    """Draw events of every kind, each by itself: no two of them belong to one stream.

    Use them to test that an event comes back equal from both native wires.
    """
    return st.one_of(*event_kinds().values())


@once
def event_kinds() -> dict[Any, SearchStrategy[Any]]:
    """Return a strategy for each type of an event."""
    return {
        TextDelta: st.builds(TextDelta, _INDEXES, texts()),
        ThinkingDelta: st.builds(ThinkingDelta, _INDEXES, texts()),
        ArgumentsDelta: st.builds(ArgumentsDelta, _INDEXES, texts()),
        CitationDelta: st.builds(CitationDelta, _INDEXES, references(), st.booleans()),
        BlockStart: st.builds(BlockStart, _INDEXES, blocks()),
        BlockEnd: st.builds(BlockEnd, _INDEXES, blocks(), st.booleans(), st.booleans()),
        UsageUpdate: st.builds(UsageUpdate, usages()),
        StreamStart: st.builds(StreamStart, responses()),
        StreamEnd: st.builds(StreamEnd, responses()),
        OpaqueEvent: build(
            OpaqueEvent, {"api": texts(), "raw": st.builds(RawJson.of, json_objects())}
        ),
        StreamFailure: build(
            StreamFailure,
            {"kind": st.sampled_from(tuple(ERROR_KINDS)), "message": texts()},
            status=maybe(st.integers(400, 599)),
            wire=texts(),
            body=maybe(st.builds(RawJson.of, json_objects())),
        ),
    }


@once
def streams() -> SearchStrategy[list[StreamEvent]]:
    """Draw the events of one whole stream, from `StreamStart` to `StreamEnd`.

    Texts and arguments come in pieces, and calls may be open while other blocks begin. Use them to
    test that the events add up to the answer that the last one holds, and that a `StreamDecoder`
    reads what a `StreamEncoder` writes. The smallest stream is an answer without content.
    """
    return _streams(responses())


@st.composite
def _streams(draw: DrawFn, answers: SearchStrategy[Response]) -> list[StreamEvent]:
    response = replace(draw(answers), alternatives=None)
    begun = Response(AssistantMessage([], model=response.message.model), id=response.id)
    waiting = [_events(draw, i, block) for i, block in enumerate(response.message.content)]
    open_blocks: list[list[StreamEvent]] = []
    events: list[StreamEvent] = [StreamStart(begun)]
    while waiting or open_blocks:
        # Blocks begin in order. Calls may be open beside others, as in OpenAI's streams; two texts
        # at once have no order.
        may_begin = bool(waiting) and (_is_call(waiting[0]) or all(map(_is_call, open_blocks)))
        at = draw(st.integers(0, len(open_blocks) - (not may_begin)))
        if at == len(open_blocks):
            open_blocks.append(waiting.pop(0))
        events.append(open_blocks[at].pop(0))
        if not open_blocks[at]:
            del open_blocks[at]
    if response.message.usage is not None:
        events.append(UsageUpdate(response.message.usage))
    return [*events, StreamEnd(response)]


def _is_call(events: list[StreamEvent]) -> bool:
    """Whether these are the events of a call, its `BlockEnd` the last of them."""
    return isinstance(events[-1], BlockEnd) and isinstance(events[-1].block, ToolCallBlock)


def _events(draw: DrawFn, index: int, block: Content) -> list[StreamEvent]:
    """Return the events of one block."""
    begun: Content = block
    deltas: list[StreamEvent] = []
    if isinstance(block, TextBlock):
        begun = TextBlock("")
        deltas += [TextDelta(index, piece) for piece in _pieces(draw, block.text)]
        deltas += [CitationDelta(index, ref) for ref in block.annotations or ()]
    elif isinstance(block, ThinkingBlock):
        begun = ThinkingBlock("", redacted=block.redacted)
        deltas += [ThinkingDelta(index, piece) for piece in _pieces(draw, block.thinking)]
    elif isinstance(block, ToolCallBlock):
        begun = ToolCallBlock(block.id, block.name, Arguments(""))
        text = block.arguments.text.decode()
        deltas += [ArgumentsDelta(index, piece) for piece in _pieces(draw, text)]
    return [BlockStart(index, begun), *deltas, BlockEnd(index, block)]


def _pieces(draw: DrawFn, text: str) -> list[str]:
    """Cut a text at a few places."""
    cuts = draw(st.sets(st.integers(1, len(text) - 1), max_size=3)) if len(text) > 1 else set()
    ends = [0, *sorted(cuts), len(text)]
    return [text[a:b] for a, b in pairwise(ends) if text[a:b]]
