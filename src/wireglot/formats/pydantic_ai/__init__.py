"""Pydantic AI's message histories (pydantic-ai 2.68.0, and those of 1.x)."""

from .codec import MESSAGE, decode, encode, from_canonical, to_canonical
from .system import API
from .types import (
    FilePart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    OtherPart,
    RequestUsage,
    RetryPromptPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

__all__ = [
    "API",
    "MESSAGE",
    "FilePart",
    "ModelMessage",
    "ModelRequest",
    "ModelRequestPart",
    "ModelResponse",
    "ModelResponsePart",
    "OtherPart",
    "RequestUsage",
    "RetryPromptPart",
    "SystemPromptPart",
    "TextPart",
    "ThinkingPart",
    "ToolCallPart",
    "ToolReturnPart",
    "UserPromptPart",
    "decode",
    "encode",
    "from_canonical",
    "to_canonical",
]
