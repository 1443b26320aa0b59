"""What the echo server cannot carry, and why: what -> reason, with the fallback."""

from __future__ import annotations

from typing import Any, Final

from wireglot import CacheConfig, ResponseFormat, Thinking, ThinkingLevel, ToolChoice
from wireglot.providers.losses import COMMON

UNSUPPORTED: Final[dict[str, Any]] = {
    "cache": CacheConfig(enabled=False),
    "candidates": 1,
    "frequency_penalty": 0.0,
    "logprobs": None,
    "metadata": {},
    "presence_penalty": 0.0,
    "response_format": ResponseFormat("text"),
    "seed": None,
    "service_tier": None,
    "stop": [],
    "temperature": None,
    "thinking": Thinking(ThinkingLevel.OFF),
    "tool_choice": ToolChoice("auto"),
    "top_k": None,
    "top_logprobs": None,
    "top_p": None,
    "user_id": None,
}
"""Parameter -> the value that asks for nothing, like None and False."""

LOSSES: Final = {
    **COMMON,
    **dict.fromkeys(UNSUPPORTED, "there is no such parameter; left out"),
    "annotation": "there are no citations; left out",
    "arguments": "the input of a call is an object; an empty one is taken",
    "cache mark": "there are no cache breakpoints; left out",
    "content": "turns hold text and calls; left out",
    "candidates": "one answer per request; left out",
    "error flag": "results have no error flag; their text says it, or nothing does",
    "name": "turns have no participant name; left out",
    "parallel_tool_calls": "calls cannot be held to one at a time; left out",
    "stop reason": "there is no such end; it is `done`",
    "strict": "schemas of tools are not enforced; left out",
}
"""What -> why, and what happens instead."""
