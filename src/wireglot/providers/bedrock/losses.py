"""What Bedrock Converse carries of each type, and why it loses the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ... import model
from ...capabilities import Capabilities
from .._across.ids import in_alphabet
from .._state.rules import Rules
from .makers import LONGEST, of_model
from .wire import API, DIALECTS

CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text annotations cache",
    model.ThinkingBlock: "thinking signature redacted",
    model.ToolCallBlock: "id name arguments cache",
    model.ToolResultBlock: "tool_call_id content is_error cache",
    model.ToolResultMessage: "tool_call_id content is_error",
    model.ImageBlock: "data url file_id cache",
    model.AudioBlock: "data url file_id transcript cache",
    model.VideoBlock: "data url file_id transcript cache",
    model.DocumentBlock: "data url file_id text title filename context citations cache",
    model.ErrorBlock: "message",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content",
    model.UserMessage: "content",
    model.AssistantMessage: "content",
    model.ToolMessage: "content",
    model.Tool: "name description parameters strict cache",
    model.Request: (
        "messages model tools tool_choice max_tokens temperature top_p top_k stop thinking"
        " response_format cache stream service_tier metadata"
    ),
}
"""Type -> the fields that have a place here, or whose loss is reported where they are written."""

LOSSES: Final = {
    "annotation": "of other APIs, only an answer's citations of documents have a place; left out",
    "arguments": "tool input must be a JSON object; the model's text goes as `raw_arguments`",
    "audio": "a user's, where this model takes any; its transcript goes, if there is one",
    "cache": "this model has no prompt cache, or not there; left out",
    "cache mark": "this model takes none there, or no more than four; left out, or moved before it",
    "cache ttl": "this model caches for five minutes, or an hour would follow them; five minutes",
    "candidates": "one answer per request; left out",
    "citations": "only Claude cites documents; left out",
    "data": "there is no block for data of other kinds; left out",
    "document": "a user's, inline, in S3 or text, where this model takes any; left out",
    "document source": "a document has one source; its text is taken",
    "empty message": "a user's last message may not be blank; `Go on.` stands for it",
    "error": "there is no error block; its message goes as text",
    "error flag": "results have no status for this model; left out",
    "frequency_penalty": "there is no such parameter; left out",
    "image": "a user's JPEG, PNG, GIF or WEBP, where this model takes any; left out",
    "json mode": "there is no JSON mode without a schema; left out",
    "json schema": "objects of a schema are closed to other properties; closed",
    "logprobs": "there is no such parameter; left out",
    "max_tokens": "exceeds a thinking budget, which is lowered or off; not with Nova's `high`",
    "metadata": "request metadata are up to 16 short plain texts; what is not is left out",
    "name": "messages have no participant name; left out",
    "no schema": "this model cannot be held to a schema; left out",
    "parallel_tool_calls": "calls cannot be held to one at a time; left out",
    "prefill": "this model does not go on with an answer; a user asks it to",
    "presence_penalty": "there is no such parameter; left out",
    "property name": "a property's name is [a-zA-Z0-9_.-]{1,64}; the description tells of others",
    "redacted thinking": "redacted thinking has no text on the wire; the text is left out",
    "sampling": "this model takes no temperature and the like, or not while thinking; left out",
    "schema union": "a tool's schema is not a union at the top; its objects are merged into one",
    "seed": "there is no such parameter; left out",
    "service_tier": "the tiers are default, priority, flex and reserved; left out",
    "signature": "only signatures of this API and of Claude are valid here; left out",
    "stop": "this model takes no stop sequences, or none that are white space; left out",
    "stop reason": "there is no such stop reason; it ends as `end_turn`",
    "stream content": "streams hold text, thinking, calls, results and images; left out",
    "strict": "this model does not hold tools to their schemas; left out",
    "system alone": "a request has a message beside the system prompt; sent as a user's",
    "system content": "system prompts are text; left out",
    "system place": "only Claude 4.8 and newer have one, behind a turn that ends; sent as a user's",
    "system prompt": "this model takes no system prompt; sent as a user's",
    "temperature": "must lie in 0 to 1, and be 1 while thinking; brought into range",
    "thinking": "thinking of this API goes, and to a Claude a Claude's; other is left out",
    "thinking asked": "this model cannot be asked to think; left out",
    "thinking budget": "only Anthropic's models take one; left out",
    "thinking form": "this model takes levels or a budget, not both; the other is taken",
    "thinking level": "this model has other efforts; the nearest is taken",
    "thinking midway": "only a turn that began with thinking goes on with a budget; disabled",
    "thinking off": "this model always thinks, or cannot be told not to; its least is taken",
    "thinking shown": "thinking cannot be hidden or shown; left out",
    "tool call": "calls stand in assistant messages; left out",
    "tool choice": "calls cannot be forbidden; left out. Nor forced with a budget: no thinking",
    "tool choice allowed": "a choice cannot be narrowed to some of the tools; left out",
    "tool choice forced": "this model cannot be made to call it; `auto`, or `any`, is taken",
    "tool name": "names have the form [a-zA-Z0-9_-]{1,64}; others become `_`, with a hash",
    "tool result": "results stand in user messages; left out",
    "tool result content": "results hold text, JSON, images, documents and films; left out",
    "tools": "this model takes no functions; left out",
    "top_k": "only Claude and Nova take it, and not while thinking; left out",
    "top_logprobs": "there is no such parameter; left out",
    "top_p": "must lie in 0 to 1, and be at least 0.95 while thinking; brought into range",
    "trailing space": "the answer to continue may not end with white space; removed",
    "video": "a user's, where this model takes any; its transcript goes, if there is one",
}
"""What -> why, and what happens instead."""


class _HostRules(Rules):
    """The rules of a host: what a model takes here need not be what it takes elsewhere."""

    def takes(self, model: str | None, dialect: str) -> Capabilities:
        """Return what a model takes, everything if nothing is known of it."""
        return of_model((model or "")[:LONGEST]).takes


RULES: Final = _HostRules(
    "bedrock",
    API,
    DIALECTS,
    CARRIED,
    LOSSES,
    tool_name=in_alphabet("a-zA-Z0-9_-", 64),
)
