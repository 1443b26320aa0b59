"""The peer to beat: plain `msgspec` Structs, written for exactly the session's shape.

They have no hooks, keep no unknown keys, and have no limits and no errors of their own. `Parsed...`
types hold tool arguments as a dict, which is what people write. The others hold them as `Raw`, the
cheapest type: a program has to decode it again before it can read anything.
"""

from __future__ import annotations

from typing import Any

from msgspec import Raw, Struct

__all__ = ["FlatMessage", "Message", "ParsedFlatMessage", "ParsedMessage"]


class Text(Struct, tag_field="type", tag="text"):
    text: str


class Image(Struct, tag_field="type", tag="image", rename="camel"):
    data: str
    mime_type: str


class Thinking(Struct, tag_field="type", tag="thinking", omit_defaults=True):
    thinking: str
    signature: str | None = None


class ToolCall(Struct, tag_field="type", tag="toolCall"):
    id: str
    name: str
    arguments: Raw


class ParsedToolCall(Struct, tag_field="type", tag="toolCall"):
    id: str
    name: str
    arguments: dict[str, Any]


class Usage(Struct):
    input: int
    output: int
    reasoning: int = 0
    cache_read: int = 0
    cache_write: int = 0
    total_tokens: int = 0


Content = Text | Image | Thinking | ToolCall


class User(Struct, tag_field="role", tag="user"):
    content: list[Content]
    timestamp: int


class Assistant(Struct, tag_field="role", tag="assistant", rename="camel", omit_defaults=True):
    content: list[Content]
    stop_reason: str
    model: str
    provider: str
    usage: Usage
    timestamp: int
    error_message: str | None = None


class ToolResult(Struct, tag_field="role", tag="toolResult", rename="camel"):
    tool_call_id: str
    tool_name: str
    content: list[Content]
    is_error: bool
    timestamp: int


class ParsedAssistant(
    Struct, tag_field="role", tag="assistant", rename="camel", omit_defaults=True
):
    content: list[Text | Image | Thinking | ParsedToolCall]
    stop_reason: str
    model: str
    provider: str
    usage: Usage
    timestamp: int
    error_message: str | None = None


class TurnId(Struct, rename="camel"):
    loop_id: str
    turn_index: int


class FlatUser(User, tag="user", rename="camel", omit_defaults=True):
    turn_id: TurnId | None = None


class FlatAssistant(Assistant, tag="assistant"):
    turn_id: TurnId | None = None


class ParsedFlatAssistant(ParsedAssistant, tag="assistant"):
    turn_id: TurnId | None = None


class FlatToolResult(ToolResult, tag="toolResult", omit_defaults=True):
    turn_id: TurnId | None = None


Message = User | Assistant | ToolResult
ParsedMessage = User | ParsedAssistant | ToolResult
FlatMessage = FlatUser | FlatAssistant | FlatToolResult
ParsedFlatMessage = FlatUser | ParsedFlatAssistant | FlatToolResult
