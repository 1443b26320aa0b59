"""What Chat Completions carries of each type, and why it loses the rest.

What one dialect carries and another does not is in `dialects.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Raw

from ... import model
from .._across.ids import in_alphabet
from .._state.rules import Rules
from .._state.signatures import SIGNER, SIGNS
from .dialects import DIALECTS, SERVICES
from .wire import API

CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text annotations cache",
    model.ThinkingBlock: "thinking signature redacted",
    model.ToolCallBlock: "id name arguments tool_type",
    model.ToolResultBlock: "tool_call_id tool_name content is_error cache",
    model.ToolResultMessage: "tool_call_id tool_name content is_error",
    model.ImageBlock: "data url file_id detail cache",
    model.AudioBlock: "data url file_id transcript cache",
    model.VideoBlock: "data url file_id transcript cache",
    model.DocumentBlock: "data url file_id filename text title cache",
    model.ErrorBlock: "message",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content name",
    model.UserMessage: "content name",
    model.AssistantMessage: "content name",
    model.ToolMessage: "content name",
    model.Tool: "name description parameters strict cache",
    model.Request: (
        "messages model tools tool_choice parallel_tool_calls max_tokens temperature top_p top_k"
        " frequency_penalty presence_penalty seed stop candidates logprobs top_logprobs thinking"
        " response_format cache stream service_tier user_id metadata"
    ),
}
"""Type -> the fields that have a place here, or whose loss is reported where they are written."""

LOSSES: Final = {
    "annotation": "answers cite web pages, and what this API itself has cited; left out",
    "annotation detail": "a citation has the page's URL and title, and its place; left out",
    "audio": "audio is WAV or MP3, inline, where it is taken; a user's transcript goes as text",
    "author name": "messages have no names of their authors in this dialect; left out",
    "cache": "caching is automatic here, and cannot be turned off; left out",
    "cache mark": "newer models take one on a part, at OpenRouter at most four; left out",
    "cache ttl": "the cache lasts as long as the service says; its default is taken",
    "candidates": "one answer per request; left out",
    "citations": "citations of a document cannot be asked for; left out",
    "custom call": "there are no custom tools in this dialect; the input goes as `input`",
    "data": "there is no part for data of other kinds; left out",
    "document": "documents are PDF, inline or by file id, where they are taken; left out",
    "document context": "a file has no context; left out",
    "document text": "there are no text documents; the text goes as text",
    "error": "there is no error part; its message goes as text",
    "error flag": "results have no error flag; their text says it, or nothing does",
    "file id": "a file id is valid at the provider that gave it alone; left out",
    "frequency_penalty": "must lie in -2 to 2; brought into range, or left out if unknown",
    "image": "images are JPEG, PNG, GIF or WEBP, inline or by http URL; left out",
    "image file": "there are no images by file id; left out",
    "image input": "this model takes no images; left out",
    "image place": "images stand in a user's message; left out",
    "json schema": "the model or the dialect cannot be held to a schema; JSON is asked for",
    "logprobs": "this dialect has no such parameter; left out",
    "metadata": "16 texts, at OpenAI only with `store`; left out",
    "name": "names have the form [a-zA-Z0-9_-]{1,64}; others become `_`, with a hash",
    "no stop": "this model takes no stop sequences; left out",
    "parameter": "this model or dialect does not take it; left out",
    "parallel_tool_calls": "this model or dialect has no such parameter; left out",
    "presence_penalty": "must lie in -2 to 2; brought into range, or left out if unknown",
    "redacted thinking": "encrypted thinking goes only to the models that made it; left out",
    "sampling": "this model takes no temperature and the like, or not while thinking; left out",
    "schema root": "an answer's schema is that of an object; JSON is asked for",
    "schema union": "a tool's schema is not a union at the top; its objects are merged into one",
    "seed": "this dialect has no such parameter; left out",
    "service_tier": "each service has tiers of its own; left out",
    "signature": "this dialect has no place for it, or it is of other models; left out",
    "stop": "there are at most four stop sequences; the first four are taken",
    "stop reason": "there is no such stop reason; it ends as `stop`",
    "stop sequence": "answers do not say which sequence stopped them; left out",
    "strict": "only closed objects that require all they have are strict; not strict",
    "system content": "system messages are text; left out",
    "system prompt": "this model takes no system prompt; sent as a user's",
    "system turn": "this model's template takes a system message first; sent as a user's",
    "temperature": "must lie in 0 to 2; brought into range",
    "thinking": "an answer's thinking is not taken back in this dialect; left out",
    "thinking asked": "this model cannot be asked to think; left out",
    "thinking beside tools": "this model does not think where it has tools; it is told not to",
    "thinking budget": "there are no budgets in this dialect; an effort like it is taken",
    "thinking forced": "a call cannot be forced while thinking here; thinking is turned off",
    "thinking form": "this model takes levels or a budget, not both; the other is taken",
    "thinking level": "the model or the dialect has other efforts, or none; the nearest is taken",
    "thinking off": "this model always thinks; its least is asked for",
    "thinking shown": "this dialect decides by itself whether thinking is shown; left out",
    "thinking unstreamed": "this model thinks here in streams alone; thinking is turned off",
    "tool call": "calls stand in answers; left out",
    "tool choice": "this choice cannot be had in this dialect; the nearest is taken",
    "tool choice forced": "this model cannot be made to call a tool; `auto` is taken",
    "tool choice allowed": "a choice cannot be narrowed in this dialect; left out",
    "tool name": "names have the form [a-zA-Z0-9_-]{1,64}; others become `_`, with a hash",
    "tool result": "results do not stand in answers; left out",
    "tool result content": "results hold text, and media go with them; left out",
    "tools": "this model takes no functions, or on Responses alone; left out",
    "top_k": "this dialect has no such parameter; left out",
    "top_logprobs": "must lie in 0 to 20; brought into range, or left out if unknown",
    "top_p": "must lie in 0 to 1; brought into range",
    "user id": "an identifier has 128 characters at most, at Z.AI six at least; its end is hashed",
    "user part": "a part that only a user's message takes; left out",
    "video": "videos are taken in few dialects; a user's transcript goes as text",
    "web search": "this API's web search has no such options; left out",
}
"""What -> why, and what happens instead."""

BARE: Final = "bare"
"""The note that an image came as a URL without an object around it."""
MARKS: Final = ("prompt_cache_breakpoint", "cache_control")
"""The keys of a breakpoint, in the dialects that have one."""


def _is_stale(part: Any, key: str, _: Raw) -> bool:
    """Whether a caller has removed the breakpoint that a part came with."""
    return key in MARKS and getattr(part, "cache", part) is None


RULES: Final = Rules(
    "openai_chat",
    API,
    DIALECTS,
    CARRIED,
    LOSSES,
    notes=("as", BARE, SIGNER, SIGNS),
    marks=MARKS,
    is_stale=_is_stale,
    families_at=lambda dialect: SERVICES[dialect].families,
    has_client_tools=lambda dialect: SERVICES[dialect].has_custom_tools,
    tool_name=in_alphabet("a-zA-Z0-9_-", 64),
)
