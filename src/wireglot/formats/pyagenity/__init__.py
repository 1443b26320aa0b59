"""PyAgenity's messages and stream chunks (0.3.6, 0.3.9), and 10xScale Agentflow's (0.10)."""

from .codec import MESSAGE, decode, encode, from_canonical, to_canonical
from .contents import (
    AnnotationBlock,
    AnnotationRef,
    AudioBlock,
    ContentBlock,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    MediaRef,
    ReasoningBlock,
    RemoteToolCallBlock,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    VideoBlock,
)
from .events import ContentType, Event, EventModel, EventType, StreamChunk, StreamEvent
from .streams import StreamReader, StreamWriter
from .system import API
from .types import Message, TokenUsages, generate_id

__all__ = [
    "API",
    "MESSAGE",
    "AnnotationBlock",
    "AnnotationRef",
    "AudioBlock",
    "ContentBlock",
    "ContentType",
    "DataBlock",
    "DocumentBlock",
    "ErrorBlock",
    "Event",
    "EventModel",
    "EventType",
    "ImageBlock",
    "MediaRef",
    "Message",
    "ReasoningBlock",
    "RemoteToolCallBlock",
    "StreamChunk",
    "StreamEvent",
    "StreamReader",
    "StreamWriter",
    "TextBlock",
    "TokenUsages",
    "ToolCallBlock",
    "ToolResultBlock",
    "VideoBlock",
    "decode",
    "encode",
    "from_canonical",
    "generate_id",
    "to_canonical",
]
