"""What PyAgenity carries of each canonical type, and why what else is set is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ... import model

__all__ = ["CARRIED", "LOSSES"]

_MEDIA: Final = "data url file_id mime_type filename size sha256 width height duration_ms page"

LOSSES: Final[Mapping[str, str]] = {
    "signature": "PyAgenity has no place for it but on a call by Gemini; left out",
    "redacted": "PyAgenity has no place for thinking that nobody can read; left out",
    "arguments": "PyAgenity's block of a call holds an object; written as {}",
    "api": "PyAgenity says who answered, not over which API; left out",
    "rawStopReason": "PyAgenity has one word for both; the one for stopReason is written",
    "timestamp": "no time of this version says it exactly; the nearest, or null, is written",
    "status": "in PyAgenity a result is completed, failed, or neither; written as null",
    "annotation kind": "in PyAgenity an annotation is a citation or a note; written as a note",
    "error data": "in PyAgenity the data of an error is an object; left out",
    "raw": "in PyAgenity a raw response is an object; left out",
    "parsed": "Agentflow has a place for an object, older versions have none; left out",
    "text": "the text of a document is Agentflow's; left out",
    "remote call": "0.3.6 has no calls that a client runs; left out",
    "order": "a result among a user's blocks is only text; it stands before them, moved",
    "function name": "a message names the function of one result alone; left out",
    "metadata key": "a field of the message stands under this key; left out",
    "opaque": "PyAgenity has no such block; left out",
}
CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text annotations",
    model.AnnotationRef: "url title file_id page index",
    model.ImageBlock: f"{_MEDIA} alt_text bbox",
    model.AudioBlock: f"{_MEDIA} transcript sample_rate channels",
    model.VideoBlock: f"{_MEDIA} thumbnail",
    model.DocumentBlock: f"{_MEDIA} text pages excerpt",
    model.DataBlock: _MEDIA,
    model.ThinkingBlock: "thinking details",
    model.ToolCallBlock: "id name arguments tool_type signature",
    model.ToolResultBlock: "tool_call_id tool_name content is_error status",
    model.AnnotationBlock: "kind refs spans",
    model.ErrorBlock: "message code data",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content timestamp id metadata",
    model.UserMessage: "content timestamp id delta metadata",
    model.AssistantMessage: (
        "content stop_reason model provider usage timestamp api raw_stop_reason id delta "
        "parsed raw metadata"
    ),
    model.ToolResultMessage: (
        "tool_call_id tool_name content is_error timestamp status id metadata"
    ),
    model.ToolMessage: "content timestamp id delta metadata",
    model.Usage: (
        "input output reasoning cache_read cache_write total_tokens image_tokens audio_tokens"
    ),
}
