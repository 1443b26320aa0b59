"""What Ollama's chat carries of each type, and why it loses the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ... import model
from .._state.rules import Rules
from .wire import API, DIALECTS

CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text",
    model.ThinkingBlock: "thinking redacted",
    model.ToolCallBlock: "id name arguments",
    model.ToolResultBlock: "tool_call_id tool_name content is_error",
    model.ToolResultMessage: "tool_call_id tool_name content is_error",
    model.ImageBlock: "data url file_id",
    model.AudioBlock: "data url file_id",
    model.VideoBlock: "data url file_id",
    model.DocumentBlock: "data url file_id text citations context",
    model.ErrorBlock: "message",
    model.SystemMessage: "content",
    model.UserMessage: "content",
    model.AssistantMessage: "content",
    model.ToolMessage: "content",
    model.Tool: "name description parameters",
    model.Request: (
        "messages model tools tool_choice max_tokens temperature top_p top_k frequency_penalty"
        " presence_penalty seed stop logprobs top_logprobs thinking response_format cache stream"
    ),
}
"""Type -> the fields that have a place here, or whose loss is reported where they are written."""

LOSSES: Final = {
    "annotation": "there are no citations; left out",
    "arguments": "arguments must be a JSON object; the model's text goes as `raw_arguments`",
    "audio": "there is no audio; its transcript goes as text, if it has one",
    "cache": "caching is automatic here, and cannot be narrowed or timed; left out",
    "cache mark": "there are no cache breakpoints; left out",
    "candidates": "one answer per request; left out",
    "citations": "citations of a document cannot be asked for; left out",
    "data": "there is no place for data of other kinds; left out",
    "document context": "there are no documents, and so no context; left out",
    "document": "there are no documents; left out",
    "document source": "a document has one source; its text is taken",
    "document text": "there are no text documents; the text goes as text",
    "error": "there is no error block; its message goes as text",
    "error flag": "results have no error flag; their text says it, or nothing does",
    "image": "images are inline; left out",
    "json schema": "a schema goes with `json_schema` alone; left out",
    "metadata": "there is no request metadata; left out",
    "name": "messages have no participant name; left out",
    "opaque block": "only whole messages of this API go back as they came; left out",
    "parallel_tool_calls": "calls cannot be held to one at a time; left out",
    "redacted thinking": "thinking goes as text, and this has none; left out",
    "service_tier": "there is no such parameter; left out",
    "signature": "there are no signatures; left out",
    "stop reason": "there is no such stop reason; it ends as `stop`",
    "strict": "schemas of tools are not enforced; left out",
    "thinking": "thinking stands in answers; left out",
    "thinking asked": "this model cannot be asked to think; left out",
    "thinking budget": "thinking has levels and no budget; left out",
    "thinking level": "levels are low, medium, high and max, or only on; the nearest is taken",
    "thinking shown": "thinking cannot be hidden; left out",
    "tool call": "calls stand in answers; left out",
    "tool choice": "the model chooses; where it must not call, the tools are left out",
    "tool choice allowed": "a choice cannot be narrowed to some of the tools; left out",
    "tool name": "results without ids belong to calls by their names; that of the call is taken",
    "tool result": "results stand in messages of their own; left out",
    "tools": "this model takes no functions; left out",
    "video": "there is no video; its transcript goes as text, if it has one",
}
"""What -> why, and what happens instead."""

RULES: Final = Rules(
    "ollama",
    API,
    DIALECTS,
    CARRIED,
    LOSSES,
    families=("deepseek-r1", "gemma3", "llama3", "qwen3"),
)
