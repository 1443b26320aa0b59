"""What Gemini's generateContent carries of each type, and why it loses the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Raw

from ... import model
from .._across.ids import in_alphabet
from .._state.rules import Rules
from .._state.stored import lenient_value
from .schemas import is_changed
from .wire import API, DIALECTS

CARRIED: Final[Mapping[type[Any], str]] = {
    model.TextBlock: "text annotations",
    model.ThinkingBlock: "thinking redacted",
    model.ToolCallBlock: "id name arguments",
    model.ToolResultBlock: "tool_call_id tool_name content is_error",
    model.ToolResultMessage: "tool_call_id tool_name content is_error",
    model.ImageBlock: "data url file_id",
    model.AudioBlock: "data url file_id",
    model.VideoBlock: "data url file_id",
    model.DataBlock: "data url file_id",
    model.DocumentBlock: "data url file_id text",
    model.ErrorBlock: "message",
    model.OpaqueBlock: "api raw",
    model.SystemMessage: "content",
    model.UserMessage: "content",
    model.AssistantMessage: "content",
    model.ToolMessage: "content",
    model.Tool: "name description parameters",
    model.Request: (
        "messages model tools tool_choice parallel_tool_calls max_tokens temperature top_p top_k"
        " frequency_penalty presence_penalty seed stop candidates logprobs top_logprobs thinking"
        " response_format cache stream service_tier metadata"
    ),
}
"""Type -> the fields that have a place here, or whose loss is reported where they are written."""

LOSSES: Final = {
    "annotation": "answers cite web pages, and what this API itself has cited; left out",
    "annotation detail": "a citation has the page's URL and title, and its place; left out",
    "arguments": "args must be a JSON object; the model's text goes as `raw_arguments`",
    "cache": "caching is automatic here, and cannot be narrowed or timed; left out",
    "cache mark": "there are no cache breakpoints; left out",
    "citations": "citations cannot be asked for; left out",
    "document context": "documents have no context; left out",
    "document source": "a document has one source; its text is taken",
    "error": "there is no error part; its message goes as text",
    "media": "media are inline, by http or gs URL or a file of this API; the transcript, if any",
    "metadata": "labels are words in small letters, digits and `_-`; left out",
    "name": "messages have no participant name; left out",
    "parallel_tool_calls": "calls cannot be held to one at a time; left out",
    "redacted thinking": "there is no encrypted thinking; left out",
    "service_tier": "the tiers are standard, flex and priority; left out",
    "signature": "only Gemini's signatures are valid here; left out",
    "stop": "there are at most five stop sequences; the first five",
    "stop reason": "there is no such finish reason; it ends as `STOP`",
    "stop sequence": "the sequence that an answer stopped at is not told; left out",
    "strict": "the schemas of tools are not enforced by request; left out",
    "system alone": "a request has a message beside the system prompt; sent as a user's",
    "system content": "system instructions are text; left out",
    "system place": "there is one system instruction, at the start; sent as a user's",
    "system prompt": "this model takes no system prompt; sent as a user's",
    "temperature": "must lie in 0 to 2; brought into range",
    "thinking": "thoughts go back only to the models that made them; left out",
    "thinking asked": "this model cannot be asked to think; left out",
    "thinking form": "this model takes levels or a budget, not both; the other is taken",
    "thinking level": "this model has other levels, or takes a budget; the nearest is taken",
    "thinking off": "this model always thinks; its least is asked for",
    "tool call": "calls stand in the model's turns; left out",
    "tool choice allowed": "a choice is narrowed only where calls may be made; left out",
    "tool name": "names are letters, digits and `_.:-`, at most 128; others become `_`, and a hash",
    "tool result": "results stand in user turns; left out",
    "tool result content": "results hold text and media; left out",
    "tools": "this model takes no functions; left out",
    "web search": "this API's web search has no such options; left out",
}
"""What -> why, and what happens instead."""


def _is_stale(part: Any, key: str, spelled: Raw) -> bool:
    if key != "parameters" or type(part) is not model.Tool:
        return False
    return is_changed(part, lenient_value(model.RawJson.adopt(spelled)))


RULES: Final = Rules(
    "gemini",
    API,
    DIALECTS,
    CARRIED,
    LOSSES,
    is_stale=_is_stale,
    families=("gemini", "gemma"),
    tool_name=in_alphabet("a-zA-Z0-9_.:-", 128, first="a-zA-Z_"),
)
