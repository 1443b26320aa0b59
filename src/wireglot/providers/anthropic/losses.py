"""What Anthropic Messages carries of each type, and why it loses the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Raw

from ... import model
from .._across.ids import in_alphabet
from .._state.rules import Rules, is_uncited
from .dialects import DIALECTS, HOSTS
from .wire import API

CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text annotations cache",
    model.ThinkingBlock: "thinking signature redacted",
    model.ToolCallBlock: "id name arguments cache",
    model.ToolResultBlock: "tool_call_id content is_error cache",
    model.ToolResultMessage: "tool_call_id content is_error",
    model.ImageBlock: "data url file_id cache",
    model.AudioBlock: "data url file_id transcript",
    model.VideoBlock: "data url file_id transcript",
    model.DocumentBlock: "data url file_id text title filename context citations cache",
    model.ErrorBlock: "message",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content",
    model.UserMessage: "content",
    model.AssistantMessage: "content",
    model.ToolMessage: "content",
    model.Tool: "name description parameters strict cache",
    model.Request: (
        "messages model tools tool_choice parallel_tool_calls max_tokens temperature top_p top_k"
        " stop thinking response_format cache stream service_tier user_id"
    ),
}
"""Type -> the fields that have a place here, or whose loss is reported where they are written."""

LOSSES: Final = {
    "annotation": "answers cite web pages, and what this API itself has cited; left out",
    "annotation detail": "a citation is of a page, by a whole text block; the rest is left out",
    "arguments": "tool input must be a JSON object; the model's text goes as `raw_arguments`",
    "audio": "there is no audio block; its transcript goes as text, if it has one",
    "cache mark": "at most four cache breakpoints in a request, none on thinking; left out",
    "cache ttl": "a breakpoint of an hour may not follow one of five minutes; five minutes",
    "candidates": "one answer per request; left out",
    "data": "there is no block for data of other kinds; left out",
    "document": "a user's PDF or plain text, inline, by http URL or file id; left out",
    "document source": "a document has one source; its text is taken",
    "empty message": "a user's last message may not be blank; `Go on.` stands for it",
    "error": "there is no error block; its message goes as text",
    "file id": "a file id is valid at the provider that gave it alone; left out",
    "frequency_penalty": "there is no such parameter; left out",
    "host block": "a block of a feature that this host does not have; left out",
    "host key": "this host does not know it, or only with a beta that the body names; left out",
    "host tool": "a tool that this host does not run; left out",
    "image": "a user's JPEG, PNG, GIF or WEBP, inline, by http URL or file id; left out",
    "json mode": "there is no JSON mode without a schema; left out",
    "json schema": "objects of a schema are closed to other properties; closed",
    "logprobs": "there is no such parameter; left out",
    "max_tokens": "must exceed the thinking budget; the budget is lowered, or thinking disabled",
    "media url": "this host takes media inline; left out",
    "metadata": "request metadata holds a user id alone; left out",
    "name": "messages have no participant name; left out",
    "no schema": "this model cannot be held to a schema; left out",
    "prefill": "this model does not go on with an answer; a user asks it to",
    "presence_penalty": "there is no such parameter; left out",
    "property name": "a property's name is [a-zA-Z0-9_.-]{1,64}; the description tells of others",
    "redacted thinking": "redacted thinking has no text on the wire; the text is left out",
    "sampling": "this model takes no temperature and the like, or not while thinking; left out",
    "schema union": "a tool's schema is not a union at the top; its objects are merged into one",
    "seed": "there is no such parameter; left out",
    "service_tier": "`auto` and `standard_only` are the tiers; left out",
    "signature": "only Claude's signatures are valid here; left out",
    "stop": "stop sequences that are white space are refused; left out",
    "stop reason": "there is no such stop reason; it ends as `end_turn`",
    "strict tool": "this host does not hold this model to schemas; sent without `strict`",
    "system alone": "a request has a message beside the system prompt; sent as a user's",
    "system content": "system prompts are text; left out",
    "system place": "from Claude 4.8 on, after a user turn and before an answer; sent as a user's",
    "temperature": "must lie in 0 to 1, and be 1 while thinking; brought into range",
    "thinking": "thinking goes to a Claude, with a Claude's signature alone; left out",
    "thinking asked": "this model cannot be asked to think; left out",
    "thinking form": "this model takes levels or a budget, not both; the other is taken",
    "thinking level": "this model has other efforts; the nearest is taken",
    "thinking midway": "only a turn that began with thinking goes on with a budget; disabled",
    "thinking off": "this model always thinks; its least is asked for",
    "tool call": "calls stand in assistant messages; left out",
    "tool choice": "a forced call cannot be had with a thinking budget; thinking is disabled",
    "tool choice allowed": "a choice cannot be narrowed to some of the tools; left out",
    "tool choice forced": "this model cannot be made to call a tool; `auto` is taken",
    "tool name": "names have the form [a-zA-Z0-9_-]{1,128}; others become `_`, with a hash",
    "tool result": "results stand in user messages; left out",
    "tool result content": "results hold text, images and documents; left out",
    "top_k": "there is none while thinking; left out",
    "top_logprobs": "there is no such parameter; left out",
    "top_p": "must be at least 0.95 while thinking; raised to that",
    "trailing space": "the last assistant text must not end in white space; stripped",
    "user id": "the API refuses an e-mail address, a number of a telephone, a long id; a hash",
    "video": "there is no video block; its transcript goes as text, if it has one",
    "web search": "this API's web search has no such options; left out",
}
"""What -> why, and what happens instead."""


def _is_stale(part: Any, key: str, spelled: Raw) -> bool:
    """Whether citations came with a text that has lost its annotations since."""
    return key == "citations" and type(part) is model.TextBlock and is_uncited(part, spelled)


RULES: Final = Rules(
    "anthropic",
    API,
    DIALECTS,
    CARRIED,
    LOSSES,
    hosts=HOSTS,
    is_stale=_is_stale,
    families=("claude",),
    tool_name=in_alphabet("a-zA-Z0-9_-", 128),
)
