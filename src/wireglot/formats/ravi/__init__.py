"""Ravi's messages and stream chunks: V2 as the reference has them, other versions read too."""

from .chunks import (
    CompletionChunk,
    ReasoningDeltaChunk,
    StreamChunk,
    StructuredOutputChunk,
    StructuredOutputResult,
    TextDeltaChunk,
)
from .codec import MESSAGE, decode, encode, from_canonical, to_canonical
from .contents import (
    AudioContent,
    DocumentContent,
    ImageContent,
    MediaType,
    TextContent,
    VideoContent,
)
from .streams import StreamReader, StreamWriter
from .system import API
from .types import (
    AgentMessage,
    AssistantMessage,
    BaseClientMessage,
    SystemMessage,
    ToolCallMessage,
    ToolExecutionResultMessage,
    UsageStats,
    UserMessage,
    Version,
)

__all__ = [
    "API",
    "MESSAGE",
    "AgentMessage",
    "AssistantMessage",
    "AudioContent",
    "BaseClientMessage",
    "CompletionChunk",
    "DocumentContent",
    "ImageContent",
    "MediaType",
    "ReasoningDeltaChunk",
    "StreamChunk",
    "StreamReader",
    "StreamWriter",
    "StructuredOutputChunk",
    "StructuredOutputResult",
    "SystemMessage",
    "TextContent",
    "TextDeltaChunk",
    "ToolCallMessage",
    "ToolExecutionResultMessage",
    "UsageStats",
    "UserMessage",
    "Version",
    "VideoContent",
    "decode",
    "encode",
    "from_canonical",
    "to_canonical",
]
