"""Errors that a recording may rightly get: their text -> why they are not a fault of ours.

The recordings include bodies that a provider itself refused, and bodies made by hand.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import wireglot as wg

__all__ = ["broken", "is_cut", "is_of_order", "refused_for"]

_OF_ORDER: Final = (
    (r"tool call .* has no result", "a call has no result"),
    (r"tool result .* has no call", "a result has no call"),
)
"""Errors that `repair=True` must mend."""

_OF_CONTENT: Final = (
    (r"time out of range, expected the years 1 to 9999", "the time is no time of this API"),
)


def refused_for(error: wg.WireglotError) -> str | None:
    """Return why an error is right, None if no reason is known."""
    known = (*_OF_ORDER, *_OF_CONTENT)
    return next((why for said, why in known if re.search(said, error.reason)), None)


def is_of_order(error: wg.EncodeError) -> bool:
    """Whether `repair=True` must help."""
    return any(re.search(said, error.reason) for said, _ in _OF_ORDER)


_LAST_WORDS: Final = {
    "anthropic": rb'"type": ?"message_stop"',
    "bedrock": rb'"stopReason"',
    "cohere": rb'"type": ?"message-end"',
    "gemini": rb'"(finishReason|blockReason)"',
    "mistral": rb'"finish_reason": ?"',
    "ollama": rb'"done": ?true',
    "openai_chat": rb'"finish_reason": ?"',
    "openai_responses": rb'"type": ?"response\.(completed|incomplete|failed)"',
}
"""Provider -> what its stream contains when the answer is complete."""


def is_cut(error: wg.WireglotError, provider: str, stream: bytes) -> bool:
    """Whether an error says that a stream was cut, and it was."""
    said = isinstance(error, wg.StreamError) and error.reason.startswith(_CUT)
    return said and re.search(_LAST_WORDS[provider], stream) is None


_CUT: Final = "the stream ended before the answer did, expected "
_NOT_APART: Final = re.compile(rb"^data: ?\{.*\}\r?\ndata: ?\{", re.MULTILINE)


def broken(provider: str, stream: bytes) -> str | None:
    """Return why a recorded stream is not what its service would send, None if it may be."""
    if _NOT_APART.search(stream):
        return "no blank line stands between its events"
    if provider == "gemini" and len(re.findall(_LAST_WORDS[provider], stream)) > 1:
        return "it says more than once that it is complete"
    if provider == "openai_chat" and len(re.findall(_LAST_WORDS[provider], stream)) > 2:
        return "it says more than twice that it is complete"
    if provider == "openai_responses" and _sums(stream, "delta") != _sums(stream, "text"):
        return "its deltas do not add up to what it says in the end"
    return None


_TEXTS: Final = ("response.output_text.", "response.reasoning_summary_text.")


def _sums(stream: bytes, key: str) -> dict[tuple[Any, ...], str]:
    """Return the texts of deltas, or of the events that end them, by place."""
    texts: dict[tuple[Any, ...], str] = {}
    for line in re.findall(rb"^data: ?(\{.*\})\r?$", stream, re.MULTILINE):
        event = json.loads(line)
        if str(event.get("type")).startswith(_TEXTS) and key in event:
            place = tuple(map(event.get, ("output_index", "content_index", "summary_index")))
            texts[place] = texts.get(place, "") + event[key]
    return texts
