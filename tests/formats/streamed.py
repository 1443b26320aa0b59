"""One canonical answer as a stream of every provider, for the tests of the systems' streams."""

from typing import Any

import wireglot as wg
from wireglot.model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    StreamEnd,
    StreamStart,
    TextDelta,
    ThinkingDelta,
    UsageUpdate,
)

__all__ = ["ANSWER", "EVENTS", "events_of"]

_USAGE = wg.Usage(10, 5)
_CONTENT: list[Any] = [
    wg.ThinkingBlock("Let me see."),
    wg.TextBlock("Hello, you"),
    wg.ToolCallBlock("c1", "look", '{"at": 1}'),
    wg.ToolCallBlock("c2", "look", '{"at": [2]}'),
]
ANSWER = wg.Response(
    wg.AssistantMessage(_CONTENT, wg.StopReason.TOOL_USE, "m1", usage=_USAGE), id="r1"
)
EVENTS: list[wg.StreamEvent] = [
    StreamStart(wg.Response(wg.AssistantMessage([], model="m1"), id="r1")),
    BlockStart(0, wg.ThinkingBlock("")),
    ThinkingDelta(0, "Let me "),
    ThinkingDelta(0, "see."),
    BlockEnd(0, _CONTENT[0]),
    BlockStart(1, wg.TextBlock("")),
    TextDelta(1, "Hello, "),
    TextDelta(1, "you"),
    BlockEnd(1, _CONTENT[1]),
    BlockStart(2, wg.ToolCallBlock("c1", "look", "")),
    ArgumentsDelta(2, '{"at"'),
    ArgumentsDelta(2, ": 1}"),
    BlockEnd(2, _CONTENT[2]),
    BlockStart(3, wg.ToolCallBlock("c2", "look", "")),
    ArgumentsDelta(3, '{"at": [2]}'),
    BlockEnd(3, _CONTENT[3]),
    UsageUpdate(_USAGE),
    StreamEnd(ANSWER),
]


def events_of(provider: str) -> list[Any]:
    """Return the events that a provider's decoder makes of the answer's stream on its wire."""
    wire = wg.PROVIDERS[provider]
    encoder = wire.StreamEncoder(losses=[])
    data = b"".join(encoder.encode(event) for event in EVENTS) + encoder.close()
    decoder = wire.StreamDecoder()
    return [*decoder.feed(data), *decoder.finish()]
