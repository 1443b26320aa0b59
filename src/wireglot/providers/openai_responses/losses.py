"""What Responses carries of each type, and why it loses the rest.

What one dialect carries and another does not is in `dialects.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Raw

from ... import model
from .._across.ids import in_alphabet
from .._state.rules import Rules, is_uncited
from .._state.signatures import SIGNER
from .dialects import DIALECTS, SERVICES
from .wire import API

CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text annotations cache",
    model.ThinkingBlock: "thinking signature details redacted",
    model.ToolCallBlock: "id name arguments tool_type",
    model.ToolResultBlock: "tool_call_id content is_error cache",
    model.ToolResultMessage: "tool_call_id content is_error",
    model.ImageBlock: "data url file_id detail cache",
    model.AudioBlock: "data url file_id transcript cache",
    model.VideoBlock: "data url file_id transcript cache",
    model.DocumentBlock: "data url file_id text title filename context citations cache",
    model.ErrorBlock: "message",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content",
    model.UserMessage: "content",
    model.AssistantMessage: "content",
    model.ToolMessage: "content",
    model.Tool: "name description parameters strict",
    model.Request: (
        "messages model tools tool_choice parallel_tool_calls max_tokens temperature top_p top_k"
        " frequency_penalty presence_penalty stop logprobs top_logprobs thinking response_format"
        " cache stream service_tier user_id metadata"
    ),
}
"""Type -> the fields that have a place here, or whose loss is reported where they are written."""

LOSSES: Final = {
    "annotation": "answers cite web pages, and what this API itself has cited; left out",
    "annotation detail": "a citation has the page's URL and title, and its place; left out",
    "audio": "there is no audio part; its transcript goes as text, if it has one",
    "cache": "caching is automatic here, and cannot be turned off; left out",
    "cache mark": "newer models take one on a part of a message or a result; left out",
    "cache ttl": "the cache lasts as long as the service says; its default is taken",
    "candidates": "one answer per request; left out",
    "citations": "citations of a document cannot be asked for; left out",
    "custom call": "there are no custom tools in this dialect; the input goes as `input`",
    "data": "there is no part for data of other kinds; left out",
    "document": "a user's documents go inline where they are taken, by URL or id; left out",
    "document context": "a file has no context; left out",
    "document source": "a document has one source; its text is taken",
    "document text": "there are no text documents in this dialect; the text goes as text",
    "error": "there is no error part; its message goes as text",
    "error flag": "results have no error flag; their text says it, or nothing does",
    "file id": "a file id is valid at the provider that gave it alone; left out",
    "frequency_penalty": "this dialect has no such parameter; left out",
    "image": "images are JPEG, PNG, GIF or WEBP, inline, by http URL or file id; left out",
    "image input": "this model takes no images; left out",
    "image place": "images stand in a user's message, or in a result; left out",
    "json schema": "this model cannot be held to a schema; JSON is asked for",
    "logprobs": "this service asks for them by their number alone, in `top_logprobs`; left out",
    "max_tokens": "the limit is at least 16 here; raised to that",
    "metadata": "metadata are 16 texts, and in some dialects none; left out",
    "name": "names have the form [a-zA-Z0-9_-]{1,64}, messages have none; mapped, or left out",
    "parameter": "this service or this model refuses such a key; left out",
    "parallel_tool_calls": "this model has no such parameter; left out",
    "presence_penalty": "this dialect has no such parameter; left out",
    "redacted thinking": "redacted thinking goes only to the models that made it; left out",
    "sampling": "this model takes no temperature and the like, or not while thinking; left out",
    "schema union": "a tool's schema is not a union at the top; its objects are merged into one",
    "seed": "there is no such parameter; left out",
    "service_tier": "each service has tiers of its own; left out",
    "signature": "only signatures of this API and of Claude have a place; left out",
    "stop": "this dialect has no such parameter; left out",
    "stop reason": "there is no such status; it ends as `completed`",
    "stop sequence": "answers do not say at which sequence they stopped; left out",
    "strict": "only closed objects that require all they have are strict; not strict",
    "system prompt": "this model takes no system prompt; sent as a user's",
    "temperature": "must lie in 0 to 2; brought into range",
    "thinking": "thinking goes back only with this service's signature or id; left out",
    "thinking asked": "this model cannot be asked to think; left out",
    "thinking at the end": "reasoning goes back only before what it led to; left out",
    "thinking budget": "there are no budgets in this dialect; an effort like it is taken",
    "thinking form": "this model takes levels or a budget, not both; the other is taken",
    "thinking level": "the model or the dialect has other efforts; the nearest is taken",
    "thinking off": "this model always thinks; its least is asked for",
    "tool call": "calls stand in answers; left out",
    "tool choice allowed": "a choice of `none` cannot be narrowed; left out",
    "tool name": "names have the form [a-zA-Z0-9_-]{1,64}; others become `_`, with a hash",
    "tool result": "results stand behind answers; left out",
    "tool result content": "results hold text, images and documents; left out",
    "tools": "this model takes no functions; left out",
    "top_k": "this dialect has no such parameter; left out",
    "top_logprobs": "must lie in 0 to 20, at xAI in 0 to 8; brought into range",
    "top_p": "must lie in 0 to 1; brought into range",
    "user id": "an identifier has at most 128 characters; its end becomes a hash",
    "user part": "a part that only a user's message takes; left out",
    "video": "there is no video part; its transcript goes as text, if it has one",
    "web search": "this API's web search has no such options; left out",
}
"""What -> why, and what happens instead."""

DETAILS: Final = frozenset({"low", "high", "auto", "original"})
"""The API's words for the detail of an image."""
MARKERS: Final = ("after", "as", "next", "message", SIGNER)
"""The keys of a spelling that are notes, see `blocks.py`."""
_NULL: Final = Raw(b"null")


def _is_stale(part: Any, key: str, spelled: Raw) -> bool:
    """Whether a field of a part no longer says what its spelling says."""
    if key == "detail":
        return type(part) is model.ImageBlock and part.detail in DETAILS
    if key == "filename":
        return part.filename is not None
    if key == "strict":
        return part.strict is not None
    if key == "parameters":
        return part.parameters is not None and part.parameters.text != bytes(spelled)
    if key == "annotations":
        return type(part) is model.TextBlock and is_uncited(part, spelled)
    if key == "summary":
        return spelled == _NULL and bool(part.thinking)
    return key == "prompt_cache_breakpoint" and part.cache is None


RULES: Final = Rules(
    "openai_responses",
    API,
    DIALECTS,
    CARRIED,
    LOSSES,
    notes=MARKERS,
    marks=("prompt_cache_breakpoint",),
    is_stale=_is_stale,
    families_at=lambda dialect: SERVICES[dialect].families,
    tool_name=in_alphabet("a-zA-Z0-9_-", 64),
)
