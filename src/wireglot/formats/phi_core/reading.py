"""phi-core's messages -> canonical ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from ... import model
from ...model import Extras, RawJson
from ...model.base import NATIVE, Extra, UnknownKeys
from ...model.place import PLACE
from .._mapping import extras_of
from .._records import Record
from . import types as own
from .system import API, CACHE_APART

__all__ = ["canonical", "is_apart"]


def canonical(message: own.AgentMessage) -> model.AgentMessage:
    """Return the canonical message."""
    made: model.AgentMessage = _MESSAGES[type(message)](message)
    return made


def _extras(record: Record, spelling: Mapping[str, Any] | None = None) -> Extras | None:
    return extras_of(API, record.unknown, None, spelling)


def _placed(message: Any, made: model.Message) -> model.Message:
    for name in PLACE:
        setattr(made, name, getattr(message, name))
    return made


def _text(block: own.TextContent) -> model.TextBlock:
    return model.TextBlock(block.text, extras=_extras(block))


def _image(block: own.ImageContent) -> model.ImageBlock:
    return model.ImageBlock(data=block.data, mime_type=block.mime_type, extras=_extras(block))


def _thinking(block: own.ThinkingContent) -> model.ThinkingBlock:
    return model.ThinkingBlock(block.thinking, block.signature, extras=_extras(block))


def _call(block: own.ToolCallContent) -> model.ToolCallBlock:
    return model.ToolCallBlock(block.id, block.name, block.arguments, extras=_extras(block))


_BLOCKS: dict[type, Any] = {
    own.TextContent: _text,
    own.ImageContent: _image,
    own.ThinkingContent: _thinking,
    own.ToolCallContent: _call,
}


def _content(blocks: list[own.Content]) -> list[model.Content]:
    return [_BLOCKS[type(block)](block) for block in blocks]


def _user(message: own.UserMessage) -> model.Message:
    made = model.UserMessage(_content(message.content), message.timestamp, extras=_extras(message))
    return _placed(message, made)


def _usage(usage: own.Usage, provider: str | None) -> model.Usage:
    read_too = 0 if is_apart(provider) else usage.cache_read
    is_odd = read_too > usage.input
    return model.Usage(
        usage.input if is_odd else usage.input - read_too,
        usage.output,
        usage.reasoning,
        usage.cache_read,
        usage.cache_write,
        usage.total_tokens,
        extras=_extras(usage, {"input": usage.input} if is_odd else None),
    )


def is_apart(provider: str | None) -> bool:
    """Whether a provider counts cached tokens beside the `input`, not in it; also if unknown."""
    return provider is None or any(name in provider.lower() for name in CACHE_APART)


def _assistant(message: own.AssistantMessage) -> model.Message:
    answer = model.AssistantMessage(
        _content(message.content),
        message.stop_reason,
        message.model or None,
        message.provider or None,
        _usage(message.usage, message.provider or None),
        message.timestamp,
        message.error_message,
        extras=_extras(message),
    )
    return _placed(message, answer)


def _result(message: own.ToolResultMessage) -> model.Message:
    result = model.ToolResultMessage(
        message.tool_call_id,
        message.tool_name or None,
        _content(message.content),
        message.is_error,
        message.timestamp,
        message.child_loop_id,
        extras=_extras(message),
    )
    return _placed(message, result)


def _extension(message: own.ExtensionMessage) -> model.ExtensionMessage:
    extension = model.ExtensionMessage(message.kind, message.data.value)
    if message.unknown is not UNSET:
        keys = dict(message.unknown.value)
        role = keys.pop("role", None) if "role" in keys else None
        extras = {API: Extra(RawJson.of(keys))} if keys else {}
        if role is not None:  # the native wire keeps it there too
            extras[NATIVE] = Extra(UnknownKeys.of({"role": role}))
        extension.extras = extras
    return extension


_MESSAGES: dict[type, Any] = {
    own.UserMessage: _user,
    own.AssistantMessage: _assistant,
    own.ToolResultMessage: _result,
    own.ExtensionMessage: _extension,
}
