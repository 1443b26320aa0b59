"""What the echo server carries of each type, and why it loses the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from wireglot import (
    AssistantMessage,
    ErrorBlock,
    Request,
    SystemMessage,
    TextBlock,
    Tool,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
)
from wireglot.providers._state.rules import Rules

from .wire import API, DIALECTS

CARRIED: Final[Mapping[type[Any], str]] = {
    TextBlock: "text",
    ToolCallBlock: "id name arguments",
    ToolResultBlock: "tool_call_id content is_error",
    ToolResultMessage: "tool_call_id content is_error",
    ErrorBlock: "message",
    SystemMessage: "content",
    UserMessage: "content",
    AssistantMessage: "content",
    ToolMessage: "content",
    Tool: "name description parameters",
    Request: "messages model tools max_tokens temperature stream",
}
"""Type -> the fields that have a place here, or whose loss is reported where they are written."""

LOSSES: Final = {
    "annotation": "there are no citations; left out",
    "arguments": "the input of a call is an object; other text goes as `raw_arguments`",
    "cache mark": "there are no cache breakpoints; left out",
    "candidates": "one answer per request; left out",
    "error": "there is no error block; its message goes as text",
    "error flag": "results have no error flag; their text says it, or nothing does",
    "image": "turns hold text and calls; left out",
    "parallel_tool_calls": "calls cannot be held to one at a time; left out",
    "stop reason": "there is no such end; it is `done`",
    "temperature": "must lie in 0 to 2; brought into range",
}
"""What -> why, and what happens instead."""

RULES: Final = Rules("echo", API, DIALECTS, CARRIED, LOSSES)
