"""What each version of Ravi carries of each canonical type, and why what else is set is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ... import model

__all__ = ["V2_CARRIED", "V2_LOSSES", "V3_CARRIED", "V3_LOSSES"]

V2_LOSSES: Final[Mapping[str, str]] = {
    "arguments": "arguments are a JSON object; the model's text goes as `raw_arguments`",
    "audio": "sounds are inline; left out, but for a transcript, which goes as text",
    "cache_read": "cached tokens have no count of their own; they are in `prompt_tokens`",
    "cache_write": "cached tokens have no count of their own; they are in `prompt_tokens`",
    "detail": "an image in a result has no detail; left out",
    "result details": "a result's `app_data` is an object; left out",
    "document": "V2 has no documents; left out, but for its text, which goes as text",
    "error": "there is no error item; its message goes as text",
    "id": "V2 writes ids of tool calls alone, and V3 ids that are text; left out",
    "image": "an image has data, a URL or a file id; left out",
    "mimeType": "a URL and a file id have no type of their own, and a `data:` URL none with "
    "`,`, `;` or a space; left out, or what the data show",
    "order": "thinking stands first in an answer, calls last, and results before what a user "
    "says; moved",
    "parsed": "structured output is not stored in V2; left out",
    "rawStopReason": "`finish_reason` is one word; that of our own is taken",
    "thoughts": "there is one reasoning in an answer; joined by line feeds",
    "result media": "images and sounds in a result are inline; left out, but for a "
    "transcript, which goes as text",
    "system content": "system messages are text; left out",
    "thinking": "empty thinking is not stored, nor any outside of answers; left out",
    "tool": "a batch is a message for each result; left out where there is none",
    "tool content": "a batch of results has results alone; left out",
    "transcript": "a film has no transcript beside it, nor a sound in V2; left out",
    "video": "films are inline, and in no result; left out, but for a transcript, which goes "
    "as text",
}
V2_CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text",
    model.ImageBlock: "data url file_id mime_type detail",
    model.AudioBlock: "data url mime_type transcript",
    model.VideoBlock: "data url mime_type",
    model.ThinkingBlock: "thinking",
    model.ToolCallBlock: "id name arguments",
    model.ToolResultBlock: "tool_call_id tool_name content is_error details",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content",
    model.UserMessage: "content name",
    model.AssistantMessage: "content stop_reason raw_stop_reason usage name cached parsed",
    model.ToolResultMessage: "tool_call_id tool_name content is_error details",
    model.ToolMessage: "content",
    model.Usage: "input output cache_read cache_write total_tokens",
}
V3_LOSSES: Final[Mapping[str, str]] = {
    **V2_LOSSES,
    "audio": "sounds are inline MP3, WAV, Opus, FLAC or Ogg; left out, but for a transcript, "
    "which goes as text",
    "error data": "an error's details are an object; left out",
    "detail": "V3 has low, high and auto, and none in a result; auto is taken",
    "document": "a document has data, a URL or a file id; left out, but for its text",
    "error": "there is no error item; its message goes as text",
    "video": "films have data or a URL; left out, but for a transcript, which goes as text",
}
V3_CARRIED: Final[Mapping[type[Any], str]] = {
    **V2_CARRIED,
    model.DocumentBlock: "data url file_id mime_type filename",
    model.ErrorBlock: "message code data",
    model.ThinkingBlock: "thinking redacted",
    model.SystemMessage: "content id",
    model.UserMessage: "content name id",
    model.AssistantMessage: f"{V2_CARRIED[model.AssistantMessage]} id",
    model.ToolResultMessage: f"{V2_CARRIED[model.ToolResultMessage]} id",
}
