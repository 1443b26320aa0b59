"""What Operator-Use carries of each canonical type, and why what else is set is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ... import model

__all__ = ["CARRIED", "LOSSES"]

LOSSES: Final[Mapping[str, str]] = {
    "arguments": "a call's arguments are a JSON object; written as an empty one",
    "cost": "there is no JSON for infinity; written as 0",
    "custom content": "custom messages hold texts and images; left out",
    "display": "only a session file says what is not displayed; left out",
    "document": "only files that came from Tau have a place; the text of one goes as text",
    "error": "errors have no place in content; the message goes as text",
    "firstKeptId": "a session file names it by its entry, which must be there; left out",
    "extension": "extensions have a place in session files alone; left out",
    "id": (
        "an entry has an id of its own, which no other has, and the other forms have none "
        "here; left out"
    ),
    "media source": (
        "images are base64 or begin with `http`, sounds are base64, and a `file:` path is "
        "read, so it must come from Operator-Use itself; left out"
    ),
    "meta": "what a channel says of a message stands in session files alone; left out",
    "mimeType": "the bytes tell the type, and these tell another; left out",
    "model": "only a session file names the model; left out",
    "order": "a result is its text, then an image, a sound and a film; moved",
    "provider": "only a session file names the provider; left out",
    "redacted thinking": "encrypted thinking has no place; left out",
    "session": "a file has one header, which stands first; left out",
    "signature": "thinking goes back to Anthropic, calls to Gemini, no other signs; left out",
    "stopReason": "there is no such stop reason; written as `stop`",
    "targetId": "the entry that is meant is not there; the leaf or label is left out",
    "timestamp": "times are in seconds, exact to the millisecond near our days; left out",
    "tool result content": "a result is one text; left out",
    "video": "only films that came from Tau have a place; left out",
}
CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text",
    model.ImageBlock: "data url mime_type",
    model.AudioBlock: "data url mime_type",
    model.VideoBlock: "data url mime_type",
    model.DocumentBlock: "data url mime_type",
    model.ThinkingBlock: "thinking signature redacted",
    model.ToolCallBlock: "id name arguments kind signature metadata",
    model.ToolResultBlock: "tool_call_id tool_name content is_error metadata terminate",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content timestamp id",
    model.UserMessage: "content timestamp id",
    model.AssistantMessage: (
        "content stop_reason model provider usage timestamp error_message api id"
    ),
    model.ToolResultMessage: (
        "tool_call_id tool_name content is_error metadata terminate timestamp id"
    ),
    model.ToolMessage: "content timestamp id",
    model.CustomMessage: "custom_type content display details timestamp id",
    model.BranchSummaryMessage: "summary from_id details timestamp id",
    model.CompactionSummaryMessage: "summary tokens_before first_kept_id details timestamp id",
    model.ExtensionMessage: "kind data",
    model.Usage: "input output cache_read cache_write total_tokens cost",
}
