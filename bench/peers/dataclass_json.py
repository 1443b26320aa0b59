"""Dataclasses of the session's shape, with the standard library's `json`, as people write them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .kinds import Native

__all__ = ["BLOCKS", "FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS", "encode"]

REQUIREMENTS: tuple[str, ...] = ()
IMPORT = "import dataclasses, json"
FLOOR = frozenset[str]()


@dataclass
class Text:
    """A text."""

    text: str
    type: str = "text"


@dataclass
class Image:
    """An image in base64."""

    data: str
    mimeType: str  # noqa: N815 - its name in JSON
    type: str = "image"


@dataclass
class Thinking:
    """What a model thought."""

    thinking: str
    signature: str | None = None
    type: str = "thinking"


@dataclass
class ToolCall:
    """A call."""

    id: str
    name: str
    arguments: dict[str, Any]
    type: str = "toolCall"


@dataclass
class Usage:
    """The tokens."""

    input: int
    output: int
    reasoning: int = 0
    cache_read: int = 0
    cache_write: int = 0
    total_tokens: int = 0


@dataclass
class User:
    """A user's message."""

    content: list[Any]
    timestamp: int
    role: str = "user"


@dataclass
class Assistant:
    """A model's message."""

    content: list[Any]
    stopReason: str  # noqa: N815
    model: str
    provider: str
    usage: Usage
    timestamp: int
    role: str = "assistant"


@dataclass
class ToolResult:
    """The result of a call."""

    toolCallId: str  # noqa: N815
    toolName: str  # noqa: N815
    content: list[Any]
    isError: bool  # noqa: N815
    timestamp: int
    role: str = "toolResult"


BLOCKS = {"text": Text, "image": Image, "thinking": Thinking, "toolCall": ToolCall}
_MESSAGES = {"user": User, "assistant": Assistant, "toolResult": ToolResult}
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=vars).encode


def _message(data: dict[str, Any]) -> Any:
    data["content"] = [BLOCKS[block["type"]](**block) for block in data["content"]]
    if "usage" in data:
        data["usage"] = Usage(**data["usage"])
    return _MESSAGES[data["role"]](**data)


def _decode(data: bytes) -> list[Any]:
    return [_message(message) for message in json.loads(data)]


def encode(value: Any) -> bytes:
    """Encode dataclasses as JSON."""
    return _encode(value).encode()


NATIVE = Native(encode, _decode, encode)
