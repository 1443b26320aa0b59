"""Canonical messages and tools -> OpenTelemetry's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, TypeVar

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...losses import Losses
from ...model import Media, MediaBlock, RawJson, StopReason
from ...model.rawjson import adopt_arguments
from .._mapping import Keys, Where, Writer, inline
from .._records import read, write
from .._set_aside import put_back
from . import types as own
from .reading import MEANT, MODALITIES, ROLES, Reader
from .system import API, SYSTEM, WIRE

__all__ = ["MessageWriter"]

_WORDS: Final[Mapping[StopReason, str]] = {
    StopReason.TOOL_USE: "tool_call",
    StopReason.GUARD_RAIL: "content_filter",
    StopReason.CONTEXT_COMPACTED: "compaction",
}
_MODALITIES: Final = {kind: word for word, kind in MODALITIES.items()}
_IN_RESULTS: Final = frozenset({model.TextBlock, *_MODALITIES})
_MEDIA: Final = "data url file_id mime_type"

_P = TypeVar("_P", own.ToolCallPart, own.ToolCallResponsePart)

_str = msgspec.json.Decoder(str).decode


class MessageWriter(Writer):
    """Makes OpenTelemetry's messages of canonical ones."""

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    LOSSES: ClassVar[Mapping[str, str]] = {
        "media source": "a medium without data, URL or file id, or a malformed `data:` URL;"
        " left out",
        "text": "a document has one source here, the first of its data, URL and file; left out",
        "url": "a malformed `data:` URL; left out",
        "redacted thinking": "OpenTelemetry has no place for what cannot be read; left out",
        "toolName": "a result has no name but that of the call before it; left out",
        "isError": "OpenTelemetry does not say of a result that it failed; left out",
        "rawStopReason": "there is one word for it, that of `stopReason`; left out",
        "opaque": "a part of another API; left out",
        "custom": "a message whose role is one of the conversation's own; left out",
    }
    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        model.TextBlock: "text",
        model.ImageBlock: _MEDIA,
        model.AudioBlock: _MEDIA,
        model.VideoBlock: _MEDIA,
        model.DocumentBlock: f"{_MEDIA} text",
        model.DataBlock: _MEDIA,
        model.ThinkingBlock: "thinking redacted",
        model.ToolCallBlock: "id name arguments",
        model.ToolResultBlock: "tool_call_id tool_name content",
        model.OpaqueBlock: "api raw",
        model.SystemMessage: "content name",
        model.UserMessage: "content name",
        model.AssistantMessage: "content name stop_reason raw_stop_reason",
        model.ToolResultMessage: "tool_call_id tool_name content",
        model.ToolMessage: "content name",
        model.CustomMessage: "custom_type content",
        model.Tool: "name description parameters",
    }

    def __init__(self, losses: Losses) -> None:
        super().__init__(losses)
        self._names: dict[str, str] = {}

    # -- messages ----------------------------------------------------------------------------------

    def _message(self, message: Any, where: Where) -> list[own.Message]:
        keys, spelling = self.rest(message, where)
        role = message.role
        if role == "system" and "role" in spelling:
            role = _str(spelling["role"])
        own_message = own.Message(role, self._parts(message.content, where))
        if message.name is not None:
            own_message.name = message.name
        if role == "assistant":
            word = self._finish_reason(message, where)
            own_message.finish_reason = UNSET if word is None else word
        return [put_back(own_message, keys, spelling)]

    def _finish_reason(self, message: model.AssistantMessage, where: Where) -> str | None:
        reason, raw = message.stop_reason, message.raw_stop_reason
        if raw is not None and (reason is None or MEANT.get(raw) is reason):
            return raw
        if reason is None:
            return None
        if raw is not None:
            self.lose("rawStopReason", where, ".rawStopReason")
        return _WORDS.get(reason, str(reason))

    def _result_message(self, message: model.ToolResultMessage, where: Where) -> list[own.Message]:
        return [own.Message("tool", [self._result(message, where)])]

    def _custom(self, message: model.CustomMessage, where: Where) -> list[own.Message]:
        role = message.custom_type
        if role in ROLES or role == "assistant":
            self.lose("custom", where)
            return []
        keys, spelling = self.rest(message, where)
        made = own.Message(role, self._parts(message.content, where))
        if "name" in keys:
            made.name = _str(keys["name"])
            keys = {key: raw for key, raw in keys.items() if key != "name"}
        return [put_back(made, keys, spelling)]

    # -- parts -------------------------------------------------------------------------------------

    def _parts(
        self, blocks: Iterable[model.Content], where: Where, *, in_result: bool = False
    ) -> list[Any]:
        parts = []
        for i, block in enumerate(blocks):
            make = self._BLOCKS.get(type(block))
            if make is None or (in_result and type(block) not in _IN_RESULTS):
                self.lose_block(block, (*where, i))
                continue
            part = make(self, block, (*where, i))
            if part is not None:
                parts.append(part)
        return parts

    def _text(self, block: model.TextBlock, where: Where) -> own.TextPart:
        return put_back(own.TextPart(block.text), *self.rest(block, where))

    def _thinking(self, block: model.ThinkingBlock, where: Where) -> own.ReasoningPart | None:
        if block.redacted:
            self.lose("redacted thinking", where)
            return None
        return put_back(own.ReasoningPart(block.thinking), *self.rest(block, where))

    def _media(self, block: MediaBlock, where: Where) -> Any:
        keys, spelling = self.rest(block, where)
        modality = _MODALITIES[type(block)]
        if "modality" in spelling and type(block) is model.DataBlock:
            modality = _str(spelling["modality"])
        # A block that came as a URI may be inline now, for example after a claim was resolved.
        is_uri = block.url is not None and "type" in spelling
        media = None if is_uri else inline(block)
        text = getattr(block, "text", None)
        mime_type = block.mime_type
        part: Any
        if media is not None:
            part = own.BlobPart(modality, media)
        elif block.url is not None and (block.url[:5].lower() != "data:" or is_uri):
            part = own.UriPart(modality, block.url)
        elif block.file_id is not None:
            part = own.FilePart(modality, block.file_id)
        elif text is not None:
            part = own.BlobPart(modality, Media.from_bytes(text.encode()))
            mime_type = "text/plain" if mime_type is None else mime_type
            text = None
            if block.url is not None:
                self.lose("url", where, ".url")
        else:
            self.lose("media source", where)
            return None
        if text is not None:
            self.lose("text", where, ".text")
        if mime_type is not None:
            part.mime_type = mime_type
        return put_back(part, keys, spelling)

    def _call(self, block: model.ToolCallBlock, where: Where) -> own.ToolCallPart:
        keys, spelling = self.rest(block, where)
        self._names[block.id] = block.name
        made = own.ToolCallPart(block.name)
        if block.arguments.text or bytes(spelling.get("arguments", b"")) == b'""':
            made.arguments = block.arguments
            if bytes(block.arguments.native()) == b"null":  # which here means a missing key
                made.arguments = adopt_arguments(block.arguments.string_json())
        return _with_id(made, block.id, keys, spelling)

    def _result(self, result: Any, where: Where) -> own.ToolCallResponsePart:
        keys, spelling = self.rest(result, where)
        name = result.tool_name
        if name is not None and self._names.get(result.tool_call_id) != name:
            self.lose("toolName", where, ".toolName")
        made = own.ToolCallResponsePart(self._response(result.content, spelling, where))
        return _with_id(made, result.tool_call_id, keys, spelling)

    def _response(self, content: list[model.Content], spelling: Keys, where: Where) -> RawJson:
        """Return the original response if the content is still the same, else a new one."""
        if "response" in spelling:
            original = RawJson.adopt(spelling["response"])
            if Reader().response(original)[0] == content:
                return original
        parts = self._parts(content, where, in_result=True)
        if len(parts) == 1 and type(parts[0]) is own.TextPart and parts[0].unknown is UNSET:
            return RawJson.of(parts[0].content)
        return RawJson.adopt(Raw(write(parts, WIRE)))

    def _opaque(self, block: model.OpaqueBlock, where: Where) -> Any:
        if block.api != API:
            self.lose("opaque", where)
            return None
        self.lose_rest(block, where)
        return read(own.Part, block.raw.text, WIRE)

    # -- tools -------------------------------------------------------------------------------------

    def tool(self, tool: Any, where: Where) -> Any:
        """Return the definition of a tool."""
        if type(tool) is model.OpaqueBlock:
            if tool.api == API:
                return read(own.ToolDefinition, tool.raw.text, WIRE)
            self.lose("opaque", where)
            return None
        keys, spelling = self.rest(tool, where)
        made = own.FunctionToolDefinition(tool.name)
        if tool.description is not None:
            made.description = tool.description
        if tool.parameters is not None:
            made.parameters = tool.parameters
        return put_back(made, keys, spelling)

    _BLOCKS: ClassVar[Mapping[type[Any], Any]] = {
        model.TextBlock: _text,
        model.ThinkingBlock: _thinking,
        **dict.fromkeys(_MODALITIES, _media),
        model.ToolCallBlock: _call,
        model.ToolResultBlock: _result,
        model.OpaqueBlock: _opaque,
    }
    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        model.SystemMessage: _message,
        model.UserMessage: _message,
        model.AssistantMessage: _message,
        model.ToolResultMessage: _result_message,
        model.ToolMessage: _message,
        model.CustomMessage: _custom,
    }


def _with_id(made: _P, call_id: str, keys: Keys, spelling: Keys) -> _P:
    """Put an id on `made`; an empty id is left out unless it came in as such."""
    if call_id or bytes(spelling.get("id", b"")) == b'""':
        made.id = call_id
    return put_back(made, keys, spelling)
