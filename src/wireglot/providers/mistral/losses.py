"""What Mistral's chat completions carry of each type, and why they lose the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ... import model
from .._across.ids import in_alphabet
from .._state.rules import Rules
from .wire import API, DIALECTS

CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text",
    model.ThinkingBlock: "thinking details signature redacted",
    model.ToolCallBlock: "id name arguments",
    model.ToolResultBlock: "tool_call_id content is_error",
    model.ToolResultMessage: "tool_call_id content is_error",
    model.ImageBlock: "data url file_id detail",
    model.AudioBlock: "data url file_id transcript",
    model.VideoBlock: "data url file_id transcript",
    model.DocumentBlock: "data url file_id text title filename",
    model.ErrorBlock: "message",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content",
    model.UserMessage: "content",
    model.AssistantMessage: "content",
    model.ToolMessage: "content",
    model.Tool: "name description parameters strict",
    model.Request: (
        "messages model tools tool_choice parallel_tool_calls max_tokens temperature top_p top_k"
        " frequency_penalty presence_penalty seed stop candidates logprobs top_logprobs thinking"
        " response_format cache stream service_tier metadata"
    ),
}
"""Type -> the fields that have a place here, or whose loss is reported where they are written."""

LOSSES: Final = {
    "annotation": "citations are written only by the API that made them; left out",
    "arguments": "arguments are UTF-8 text; U+FFFD stands for what is not",
    "audio": "a user's audio is inline or by http URL; its transcript goes as text, if it has one",
    "cache": "caching is automatic here, and cannot be narrowed or timed; left out",
    "cache mark": "there are no cache breakpoints; left out",
    "candidates": "there is at least one answer; one is asked for",
    "citations": "citations of a document cannot be asked for; left out",
    "data": "there is no chunk for data of other kinds; left out",
    "document": "a user's documents are inline, by http URL or file id; left out",
    "document context": "a document has no context; left out",
    "document source": "a document has one source; its text is taken",
    "document text": "there are no text documents; the text goes as text",
    "error": "there is no error chunk; its message goes as text",
    "error flag": "results have no error flag; their text says it, or nothing does",
    "file id": "a file id is valid at the provider that gave it alone; left out",
    "frequency_penalty": "must lie in -2 to 2; brought into range",
    "image": "a user's images are JPEG, PNG, GIF or WEBP, inline, by http URL or file id; left out",
    "image detail": "details are low, high and auto; left out",
    "json schema": "a schema goes with `json_schema` alone; left out",
    "max_tokens": "must not be negative; zero is taken",
    "name": "messages have no participant name; left out",
    "presence_penalty": "must lie in -2 to 2; brought into range",
    "seed": "must not be negative; zero is taken",
    "service_tier": "`auto` and `standard_only` are the tiers; left out",
    "signature": "a signature is valid at the API that made it alone; left out",
    "stop reason": "there is no such stop reason; it ends as `stop`",
    "system content": "system messages are text and thinking; left out",
    "system place": "the system prompt stands at the start; sent as a user's",
    "temperature": "must lie in 0 to 1.5; brought into range",
    "thinking": "thinking stands in answers, as text; left out",
    "thinking asked": "this model cannot be asked to think; left out",
    "thinking budget": "there are no budgets; effort `high` is taken, or `none` for zero",
    "thinking form": "this model takes levels or a budget, not both; the other is taken",
    "thinking level": "efforts are none to max; the nearest is taken",
    "thinking off": "this model always thinks; its least is asked for",
    "thinking shown": "thinking is always shown",
    "tool call": "calls stand in answers; left out",
    "tool choice allowed": "a choice cannot be narrowed to some of the tools; left out",
    "tool name": "names have the form [a-zA-Z0-9_-]{1,64}; others become `_`, with a hash",
    "tool result": "results do not stand in answers; left out",
    "tool result content": "results hold text, images, documents and audio; left out",
    "top_p": "must lie in 0 to 1, and be 1 at temperature 0; brought into range",
    "video": "there is no video chunk; its transcript goes as text, if it has one",
}
"""What -> why, and what happens instead."""

RULES: Final = Rules(
    "mistral",
    API,
    DIALECTS,
    CARRIED,
    LOSSES,
    notes=("id",),
    tool_name=in_alphabet("a-zA-Z0-9_-", 64),
    families=("mistral", "magistral"),
)
"""The `id` of a call's spelling is one that says none: only answers are written with it."""
