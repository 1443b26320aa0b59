"""What Cohere's chat carries of each type, and why it loses the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ... import model
from .._state.rules import Rules
from .blocks import is_stale
from .wire import API, DIALECTS

CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text annotations",
    model.ThinkingBlock: "thinking redacted",
    model.ToolCallBlock: "id name arguments",
    model.ToolResultBlock: "tool_call_id content is_error",
    model.ToolResultMessage: "tool_call_id content is_error",
    model.ImageBlock: "data url file_id detail",
    model.AudioBlock: "data url file_id transcript",
    model.VideoBlock: "data url file_id transcript",
    model.DocumentBlock: "data url file_id text title filename context citations",
    model.AnnotationBlock: "kind refs spans",
    model.ErrorBlock: "message",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content",
    model.UserMessage: "content",
    model.AssistantMessage: "content",
    model.ToolMessage: "content",
    model.Tool: "name description parameters strict",
    model.Request: (
        "messages model tools tool_choice parallel_tool_calls max_tokens temperature top_p top_k"
        " frequency_penalty presence_penalty seed stop logprobs thinking response_format cache"
        " stream"
    ),
}
"""Type -> the fields that have a place here, or whose loss is reported where they are written."""

LOSSES: Final = {
    "annotation": "citations are written only by the API that made them; left out",
    "arguments": "arguments must be JSON; the model's text goes as `raw_arguments`",
    "audio": "there is no audio part; its transcript goes as text, if it has one",
    "cache": "caching is automatic here, and cannot be narrowed or timed; left out",
    "cache mark": "there are no cache breakpoints; left out",
    "candidates": "one answer per request; left out",
    "citations": "citations of one document cannot be asked for, or refused; left out",
    "data": "there is no part for data of other kinds; left out",
    "document": "documents are text, and do not stand in answers; left out",
    "document context": "a user's document has no context; left out",
    "document source": "a document has one source; its text is taken",
    "document text": "documents stand in results alone; a user's goes as text",
    "error": "there is no error part; its message goes as text",
    "error flag": "results have no error flag; their text says it, or nothing does",
    "frequency_penalty": "must lie in 0 to 1; brought into range",
    "image": "a user's images are JPEG, PNG, GIF or WEBP, inline or by http URL; left out",
    "image detail": "details are low, high and auto; left out",
    "metadata": "there is no such parameter; left out",
    "name": "messages have no participant name; left out",
    "parallel_tool_calls": "calls cannot be limited to one at a time; left out",
    "presence_penalty": "must lie in 0 to 1; brought into range",
    "redacted thinking": "encrypted thinking goes back only to the API that made it; left out",
    "response format": "JSON cannot be asked for beside tools; left out",
    "seed": "must lie in 0 to 2^64 - 1; brought into range",
    "service_tier": "there is no such parameter; left out",
    "signature": "there are no signatures; left out",
    "stop": "there are at most five stop sequences; the first five are taken",
    "stop reason": "there is no such stop reason; it ends as `COMPLETE`",
    "strict": "tools are strict all together or not at all; left out",
    "system content": "system messages are text; left out",
    "temperature": "must lie in 0 to 1; brought into range",
    "thinking": "thinking stands in answers; left out",
    "thinking budget": "a budget is positive; thinking is disabled",
    "thinking level": "there are no levels; thinking is enabled",
    "thinking shown": "thinking is always shown",
    "tool call": "calls stand in answers; left out",
    "tool choice": "one of several tools cannot be forced, or no call forbidden; any may be called",
    "tool choice allowed": "a choice cannot be narrowed to some of the tools; left out",
    "tool choice forced": "this model cannot be made to call a tool; left out",
    "tool result": "results do not stand in answers; left out",
    "tool result content": "results hold text and documents, and images follow them; left out",
    "top_k": "must lie in 0 to 500; brought into range",
    "top_logprobs": "there is no such parameter; left out",
    "top_p": "must lie in 0.01 to 0.99; brought into range",
    "video": "there is no video part; its transcript goes as text, if it has one",
}
"""What -> why, and what happens instead."""

RULES: Final = Rules(
    "cohere", API, DIALECTS, CARRIED, LOSSES, is_stale=is_stale, families=("command",)
)
