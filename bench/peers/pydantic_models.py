"""Pydantic models of the session's shape: tagged unions, one `TypeAdapter` of the list."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel

from .kinds import Native

__all__ = ["FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS"]

REQUIREMENTS = ("pydantic==2.14.3",)
IMPORT = "from pydantic import BaseModel, TypeAdapter"
FLOOR = frozenset[str]()


class _Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)


class Text(BaseModel):
    """A text."""

    type: Literal["text"]
    text: str


class Image(_Camel):
    """An image in base64."""

    type: Literal["image"]
    data: str
    mime_type: str


class Thinking(BaseModel):
    """What a model thought."""

    type: Literal["thinking"]
    thinking: str
    signature: str | None = None


class ToolCall(_Camel):
    """A call."""

    type: Literal["toolCall"]
    id: str
    name: str
    arguments: dict[str, Any]


class Usage(BaseModel):
    """The tokens."""

    input: int
    output: int
    reasoning: int = 0
    cache_read: int = 0
    cache_write: int = 0
    total_tokens: int = 0


Content = Annotated[Text | Image | Thinking | ToolCall, Field(discriminator="type")]


class User(BaseModel):
    """A user's message."""

    role: Literal["user"]
    content: list[Content]
    timestamp: int


class Assistant(_Camel):
    """A model's message."""

    role: Literal["assistant"]
    content: list[Content]
    stop_reason: str
    model: str
    provider: str
    usage: Usage
    timestamp: int


class ToolResult(_Camel):
    """The result of a call."""

    role: Literal["toolResult"]
    tool_call_id: str
    tool_name: str
    content: list[Content]
    is_error: bool
    timestamp: int


_listed = TypeAdapter(list[Annotated[User | Assistant | ToolResult, Field(discriminator="role")]])


def _encode(value: Any) -> bytes:
    return _listed.dump_json(value, by_alias=True)


NATIVE = Native(msgspec.json.encode, _listed.validate_json, _encode)
