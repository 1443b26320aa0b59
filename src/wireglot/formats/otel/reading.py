"""OpenTelemetry's messages and tools -> canonical ones.

The response of a tool is any JSON: a string is text, a list of parts is blocks, and any other JSON
becomes its own text. Results do not name their tool: the name is that of the call before them, if
there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from msgspec import UNSET, Raw

from ... import model
from ...errors import DecodeError
from ...model import AgentMessage, MediaBlock, RawJson, StopReason
from .._records import read, write
from .._set_aside import beside
from . import types as own
from .system import API, WIRE

__all__ = ["MEANT", "MODALITIES", "ROLES", "Reader", "tool"]

MEANT: Final[Mapping[str, StopReason]] = {
    **{reason.value: reason for reason in StopReason},
    "end_turn": StopReason.STOP,
    "max_tokens": StopReason.LENGTH,
    "tool_call": StopReason.TOOL_USE,
    "tool_calls": StopReason.TOOL_USE,
    "tool_use": StopReason.TOOL_USE,
    "content_filter": StopReason.GUARD_RAIL,
    "compaction": StopReason.CONTEXT_COMPACTED,
}
"""Finish reasons -> ours: the conventions', those of providers that are passed on, and our own."""

MODALITIES: Final[Mapping[str, type[MediaBlock]]] = {
    "image": model.ImageBlock,
    "audio": model.AudioBlock,
    "video": model.VideoBlock,
    "document": model.DocumentBlock,
    "data": model.DataBlock,
}

ROLES: Final[Mapping[str, type[Any]]] = {
    "system": model.SystemMessage,
    "developer": model.SystemMessage,
    "user": model.UserMessage,
    "tool": model.ToolMessage,
}
"""All roles but `assistant`; a message of any other role is session-only."""

_PLAIN: Final[Any] = list[own.TextPart | own.BlobPart | own.FilePart | own.UriPart]


def _maybe(value: Any) -> Any:
    return None if value is UNSET else value


class Reader:
    """Makes canonical messages of OpenTelemetry's; one object for one conversation."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def message(self, message: own.Message) -> AgentMessage:
        """Return the canonical message."""
        blocks = [self._PARTS[type(part)](self, part) for part in message.parts]
        name = _maybe(message.name)
        if message.role == "assistant":
            word = _maybe(message.finish_reason)
            return model.AssistantMessage(
                blocks,
                MEANT.get(word) if word is not None else None,
                raw_stop_reason=word,
                name=name,
                extras=beside(API, message),
            )
        kind = ROLES.get(message.role)
        if kind is None:
            keys = {"name": name} if name is not None else None
            return model.CustomMessage(message.role, blocks, extras=beside(API, message, keys))
        spelling = {"role": message.role} if message.role == "developer" else None
        extras = beside(API, message, None, spelling)
        made: model.Message = kind(blocks, name=name, extras=extras)
        return made

    def instructions(self, parts: list[own.Part]) -> model.Message:
        """Return system instructions as a system message."""
        return model.SystemMessage([self._PARTS[type(part)](self, part) for part in parts])

    def response(self, response: RawJson) -> tuple[list[model.Content], bool]:
        """Return the blocks of a tool's response, and whether they are enough to restore it."""
        text = response.text
        if text[:1] == b'"':
            return [model.TextBlock(response.value)], True
        if text == b"null":
            return [], False
        if text[:1] == b"[":
            try:
                parts = read(_PLAIN, text, WIRE)
            except DecodeError:
                pass
            else:
                is_all = len(parts) != 1 or type(parts[0]) is not own.TextPart
                return [self._PARTS[type(part)](self, part) for part in parts], is_all
        return [model.TextBlock(str(text, "utf-8"))], False

    def _text(self, part: own.TextPart) -> model.TextBlock:
        return model.TextBlock(part.content, extras=beside(API, part))

    def _reasoning(self, part: own.ReasoningPart) -> model.ThinkingBlock:
        return model.ThinkingBlock(part.content, extras=beside(API, part))

    def _call(self, part: own.ToolCallPart) -> model.ToolCallBlock:
        spelling = {"id": ""} if part.id == "" else {}
        arguments: Any = part.arguments
        if not isinstance(arguments, RawJson):
            arguments = ""
        elif arguments.text == b"":
            spelling["arguments"] = ""
        call_id = part.id or ""
        self._names[call_id] = part.name
        return model.ToolCallBlock(
            call_id, part.name, arguments, extras=beside(API, part, None, spelling)
        )

    def _result(self, part: own.ToolCallResponsePart) -> model.ToolResultBlock:
        content, is_all = self.response(part.response)
        spelling: dict[str, Any] = {"id": ""} if part.id == "" else {}
        if not is_all:
            spelling["response"] = part.response
        call_id = part.id or ""
        return model.ToolResultBlock(
            call_id,
            self._names.get(call_id),
            content,
            extras=beside(API, part, None, spelling),
        )

    def _media(self, part: Any) -> MediaBlock:
        spelling = {} if part.modality in MODALITIES else {"modality": part.modality}
        source: dict[str, Any] = {}
        if type(part) is own.BlobPart:
            source["data"] = part.content
        elif type(part) is own.FilePart:
            source["file_id"] = part.file_id
        else:
            source["url"] = part.uri
            if part.uri[:5].lower() == "data:":
                spelling["type"] = "uri"
        return MODALITIES.get(part.modality, model.DataBlock)(
            mime_type=_maybe(part.mime_type),
            extras=beside(API, part, None, spelling),
            **source,
        )

    def _opaque(self, part: Any) -> model.OpaqueBlock:
        return model.OpaqueBlock(API, RawJson.adopt(Raw(write(part, WIRE))))

    _PARTS: ClassVar[Mapping[type, Callable[[Any, Any], Any]]] = {
        own.TextPart: _text,
        own.ReasoningPart: _reasoning,
        own.ToolCallPart: _call,
        own.ToolCallResponsePart: _result,
        own.BlobPart: _media,
        own.FilePart: _media,
        own.UriPart: _media,
        own.ServerToolCallPart: _opaque,
        own.ServerToolCallResponsePart: _opaque,
        own.CompactionPart: _opaque,
        own.GenericPart: _opaque,
    }


def tool(tool: own.ToolDefinition) -> model.Tool | model.OpaqueBlock:
    """Return the canonical tool, its schema byte for byte; a tool of another type is opaque."""
    if type(tool) is not own.FunctionToolDefinition:
        return model.OpaqueBlock(API, RawJson.adopt(Raw(write(tool, WIRE))))
    return model.Tool(
        tool.name, _maybe(tool.description), _maybe(tool.parameters), extras=beside(API, tool)
    )
