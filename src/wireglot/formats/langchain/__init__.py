"""LangChain's messages (langchain-core 1.7.2), in each shape that it stores them in."""

from .codec import MESSAGE, decode, encode, from_canonical, to_canonical
from .system import API
from .types import Fields, InvalidToolCall, Message, TokenDetails, ToolCall, UsageMetadata

__all__ = [
    "API",
    "MESSAGE",
    "Fields",
    "InvalidToolCall",
    "Message",
    "TokenDetails",
    "ToolCall",
    "UsageMetadata",
    "decode",
    "encode",
    "from_canonical",
    "to_canonical",
]
