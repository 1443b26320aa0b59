"""MCP's messages, results and tools -> canonical ones.

A message of only results is a `ToolMessage`. MCP's results do not name their tool: the name is that
of the call before them, if there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ..._body.decode import UNKNOWN
from ..._body.objects import shallow
from ...model import MediaBlock, StopReason
from .._set_aside import beside
from . import types as own
from .system import API

__all__ = ["ATTACHED", "MEANT", "Reader", "tool"]

ATTACHED: Final = "attachment:"
"""The start of the URI of a file that did not come from MCP; its name follows."""

MEANT: Final[Mapping[str, StopReason]] = {
    **{reason.value: reason for reason in StopReason},
    "endTurn": StopReason.STOP,
    "stopSequence": StopReason.STOP,
    "maxTokens": StopReason.LENGTH,
}
"""Stop reasons: MCP's words, and ours where it has none."""

_KINDS: Final[Mapping[str, type[MediaBlock]]] = {
    "image": model.ImageBlock,
    "audio": model.AudioBlock,
    "video": model.VideoBlock,
}
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_FETCHED: Final = ("https://", "http://", "gs://", "s3://")  # the last two by Gemini and Bedrock
_LINK: Final = {"type": "resource_link"}
_RESOURCE: Final = {"type": "resource"}
_BYTES: Final = "application/octet-stream"


def _kind(mime_type: str | None) -> type[MediaBlock]:
    """Return the block type for a MIME type."""
    if mime_type is None or mime_type == _BYTES:
        return model.DataBlock
    return _KINDS.get(mime_type.partition("/")[0], model.DocumentBlock)


def _maybe(value: Any) -> Any:
    return None if value is UNSET else value


def _attached(uri: str) -> str | None:
    """Return the file name in a URI made with `ATTACHED`, None for any other URI."""
    if not uri.startswith(ATTACHED):
        return None
    from urllib.parse import quote, unquote

    quoted = uri.removeprefix(ATTACHED)
    name = unquote(quoted)
    return name if quote(name, safe="") == quoted else None


class Reader:
    """Makes canonical messages of MCP's; one object for one conversation."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def message(self, message: own.Message) -> model.Message:
        """Return the canonical message."""
        content = message.content
        spelling: dict[str, Any] | None = None
        if type(content) is list:
            blocks = [self.block(block) for block in content]
            if len(blocks) == 1:
                spelling = {"content": []}
        else:
            blocks = [self.block(content)]
        extras = beside(API, message, None, spelling)
        if type(message) is own.AssistantMessage:
            word = _maybe(message.stop_reason)
            reason = MEANT.get(word) if word is not None else None
            return model.AssistantMessage(
                blocks, reason, _maybe(message.model), raw_stop_reason=word, extras=extras
            )
        if blocks and all(type(block) is model.ToolResultBlock for block in blocks):
            return model.ToolMessage(blocks, extras=extras)
        return model.UserMessage(blocks, extras=extras)

    def block(self, block: Any) -> model.Content:
        """Return the canonical block."""
        made: model.Content = self._BLOCKS[type(block)](self, block)
        return made

    def answered(
        self, result: own.CallToolResult, tool_call_id: str, tool_name: str | None
    ) -> model.ToolResultMessage:
        """Return a tool's answer as the result of a call."""
        keys: dict[str, Any] = {}
        spelling: dict[str, Any] = {}
        if result.result_type == "complete":
            spelling["resultType"] = result.result_type
        elif type(result.result_type) is str:
            keys["resultType"] = result.result_type
        if result.is_error is False:
            spelling["isError"] = False
        return model.ToolResultMessage(
            tool_call_id,
            tool_name,
            [self.block(block) for block in result.content],
            bool(_maybe(result.is_error)),
            details=_details(result),
            extras=beside(API, result, keys, spelling),
        )

    def _text(self, block: own.TextContent) -> model.TextBlock:
        return model.TextBlock(block.text, extras=beside(API, block))

    def _image(self, block: own.ImageContent) -> model.ImageBlock:
        return model.ImageBlock(
            data=block.data, mime_type=block.mime_type, extras=beside(API, block)
        )

    def _audio(self, block: own.AudioContent) -> model.AudioBlock:
        return model.AudioBlock(
            data=block.data, mime_type=block.mime_type, extras=beside(API, block)
        )

    def _link(self, block: own.ResourceLink) -> MediaBlock:
        """Return media by URL: a `DataBlock` if no model could fetch it, or if it has no type."""
        mime_type = _maybe(block.mime_type)
        is_web = block.uri.startswith(_FETCHED)
        is_inline = block.uri[:5].lower() == "data:"
        return (_kind(mime_type) if is_web else model.DataBlock)(
            url=block.uri,
            mime_type=mime_type,
            filename=block.name,
            size=_maybe(block.size),
            extras=beside(API, block, None, _LINK if is_inline else None),
        )

    def _resource(self, block: own.EmbeddedResource) -> model.TextBlock | MediaBlock:
        """Return the content of a resource; the rest of it is kept under the key `resource`."""
        resource = block.resource
        keys = shallow(resource)
        others = keys.pop(UNKNOWN, None)
        if others is not None:
            keys |= _keys(others.text)
        if resource.text is not UNSET:
            del keys["text"]
            return model.TextBlock(
                resource.text, extras=beside(API, block, {"resource": keys}, _RESOURCE)
            )
        del keys["blob"]
        mime_type = _maybe(resource.mime_type)
        if mime_type is not None:
            del keys["mimeType"]
        name = _attached(resource.uri)
        if name is not None:
            del keys["uri"]
        return _kind(mime_type)(
            data=_maybe(resource.blob),
            mime_type=mime_type,
            filename=name or None,
            extras=beside(API, block, {"resource": keys} if keys else None, _RESOURCE),
        )

    def _call(self, block: own.ToolUseContent) -> model.ToolCallBlock:
        self._names[block.id] = block.name
        return model.ToolCallBlock(block.id, block.name, block.input, extras=beside(API, block))

    def _result(self, block: own.ToolResultContent) -> model.ToolResultBlock:
        return model.ToolResultBlock(
            block.tool_use_id,
            self._names.get(block.tool_use_id),
            [self.block(each) for each in block.content],
            bool(_maybe(block.is_error)),
            details=_details(block),
            extras=beside(
                API, block, None, {"isError": False} if block.is_error is False else None
            ),
        )

    _BLOCKS: ClassVar[Mapping[type, Callable[[Any, Any], Any]]] = {
        own.TextContent: _text,
        own.ImageContent: _image,
        own.AudioContent: _audio,
        own.ResourceLink: _link,
        own.EmbeddedResource: _resource,
        own.ToolUseContent: _call,
        own.ToolResultContent: _result,
    }


def _details(result: own.CallToolResult | own.ToolResultContent) -> Any:
    held = _maybe(result.structured_content)
    return held.value if held is not None else None


def tool(tool: own.Tool) -> model.Tool:
    """Return the canonical tool, its schema byte for byte."""
    return model.Tool(
        tool.name,
        _maybe(tool.description),
        tool.input_schema,
        extras=beside(API, tool),
    )
