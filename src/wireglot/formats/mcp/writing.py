"""Canonical messages, results and tools -> MCP's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, TypeVar

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...losses import Losses
from ...model import Arguments, MediaBlock, RawJson, StopReason
from ...model.rawjson import adopt_arguments
from .._mapping import Keys, Where, Writer, inline
from .._set_aside import put_back
from . import types as own
from .reading import ATTACHED, MEANT
from .system import API, SYSTEM, WIRE

__all__ = ["MessageWriter"]

_WORDS: Final[Mapping[StopReason, str]] = {
    StopReason.STOP: "endTurn",
    StopReason.LENGTH: "maxTokens",
}
_APART: Final = frozenset({own.ResourceLink, own.EmbeddedResource})
_OF_MESSAGES: Final = frozenset({model.ToolCallBlock, model.ToolResultBlock})
_MEDIA: Final = "data url mime_type filename size"
_NULL: Final = Raw(b"null")
_NO_SCHEMA: Final = RawJson(b'{"type":"object"}')

_A = TypeVar("_A", own.CallToolResult, own.ToolResultContent)

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_str = msgspec.json.Decoder(str).decode
_value = msgspec.json.Decoder().decode


class MessageWriter(Writer):
    """Makes MCP's messages of canonical ones.

    With `merge`, consecutive `ToolResultMessage`s become one message, as MCP requires.
    """

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    LOSSES: ClassVar[Mapping[str, str]] = {
        "system": "MCP has the system prompt beside the messages; left out",
        "media source": "a medium without data or URL, or a malformed `data:` URL; left out",
        "arguments": "MCP's arguments are an object; the text is written as `raw_arguments`",
        "toolName": "MCP's results have no name but that of the call before them; left out",
        "model": "MCP's answers hold no resources, whose message has no model; left out",
        "stopReason": "MCP's answers hold no resources, whose message has no stop reason; left out",
        "rawStopReason": "MCP has one word for it, that of `stopReason`; left out",
        "filename": "MCP's media have no name, and a resource has that of its URI; left out",
        "size": "MCP has the size of links alone; left out",
        "data": "a document has one source here, its text; left out",
        "url": "a document has one source here, its text; left out",
        "tool": "MCP's tools are functions; left out",
    }
    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        model.TextBlock: "text",
        model.ImageBlock: _MEDIA,
        model.AudioBlock: _MEDIA,
        model.VideoBlock: _MEDIA,
        model.DocumentBlock: f"{_MEDIA} text",
        model.DataBlock: _MEDIA,
        model.ToolCallBlock: "id name arguments",
        model.ToolResultBlock: "tool_call_id tool_name content is_error details",
        model.UserMessage: "content",
        model.AssistantMessage: "content model stop_reason raw_stop_reason",
        model.ToolResultMessage: "tool_call_id tool_name content is_error details",
        model.ToolMessage: "content",
        model.Tool: "name description parameters",
    }

    def __init__(self, losses: Losses, *, merge: bool = True) -> None:
        super().__init__(losses)
        self._names: dict[str, str] = {}
        self._merge = merge
        self._results: list[Any] = []
        self._last: tuple[int, own.UserMessage] | None = None

    # -- messages ----------------------------------------------------------------------------------

    def _turn(self, message: Any, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        made = self._runs(own.UserMessage, message.content, where, "content" in spelling)
        put_back(made[0], keys, spelling)
        return made

    def _assistant(self, message: model.AssistantMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        messages = self._runs(own.AssistantMessage, message.content, where, "content" in spelling)
        word = self._stop_reason(message, where)
        if message.model is not None or word is not None:
            answer = next((m for m in reversed(messages) if type(m.content) not in _APART), None)
            if answer is not None:
                answer.model = message.model or ""
                answer.stop_reason = UNSET if word is None else word
            else:
                for key, value in (("model", message.model), ("stopReason", word)):
                    if value is not None:
                        self.lose(key, where, f".{key}")
        put_back(messages[0], keys, spelling)
        return messages

    def _runs(
        self, kind: Any, blocks: Iterable[model.Content], where: Where, as_list: bool
    ) -> list[Any]:
        """Return a message for each run of blocks that can share one; a resource has its own."""
        contents: list[Any] = []
        run: list[Any] = []
        for block in self._content(blocks, where, in_result=False):
            if type(block) in _APART:
                contents += [run, block] if run else [block]
                run = []
            else:
                run.append(block)
        if run or not contents:
            contents.append(run)
        return [
            kind(each[0] if type(each) is list and len(each) == 1 and not as_list else each)
            for each in contents
        ]

    def _stop_reason(self, message: model.AssistantMessage, where: Where) -> str | None:
        reason, raw = message.stop_reason, message.raw_stop_reason
        if raw is not None and (reason is None or MEANT.get(raw) is reason):
            return raw
        if reason is None:
            return None
        if raw is not None:
            self.lose("rawStopReason", where, ".rawStopReason")
        return _WORDS.get(reason, str(reason))

    def _result_message(self, message: model.ToolResultMessage, where: Where) -> list[Any]:
        block = self._result(message, where)
        if self._merge and self._last is not None and self._last[0] + 1 == where[0]:
            self._results.append(block)
            turn = self._last[1]
            turn.content = self._results
            messages = []
        else:
            self._results = [block]
            turn = own.UserMessage(block)
            messages = [turn]
        self._last = int(where[0]), turn
        return messages

    # -- blocks ------------------------------------------------------------------------------------

    def _content(
        self, blocks: Iterable[model.Content], where: Where, *, in_result: bool = True
    ) -> list[Any]:
        parts = []
        for i, block in enumerate(blocks):
            make = self._BLOCKS.get(type(block))
            if make is None or (in_result and type(block) in _OF_MESSAGES):
                self.lose_block(block, (*where, i))
                continue
            part = make(self, block, (*where, i))
            if part is not None:
                parts.append(part)
        return parts

    def _text(self, block: model.TextBlock, where: Where) -> Any:
        keys, spelling = self.rest(block, where)
        if not _is_spelled("resource", spelling):
            return put_back(own.TextContent(block.text), keys, spelling)
        return self._resource(block, keys, spelling, where, text=block.text)

    def _media(self, block: MediaBlock, where: Where) -> Any:
        keys, spelling = self.rest(block, where)
        # A block that came as a link may be inline now, for example after a claim was resolved.
        is_link = block.url is not None and _is_spelled("resource_link", spelling)
        media = None if is_link else inline(block)
        if media is None:
            return self._link(block, keys, spelling, where)
        if block.size is not None:
            self.lose("size", where, ".size")
        kind = _INLINE.get(type(block))
        if kind is None or _is_spelled("resource", spelling):
            return self._resource(block, keys, spelling, where, blob=media)
        if block.filename is not None:
            self.lose("filename", where, ".filename")
        mime_type = block.mime_type
        if mime_type is None:
            mime_type = media.mime_type or block.default_mime_type
        return put_back(kind(media, mime_type), keys, spelling)

    def _document(self, block: model.DocumentBlock, where: Where) -> Any:
        if block.text is None:
            return self._media(block, where)
        keys, spelling = self.rest(block, where)
        for key, value in (("data", block.data), ("url", block.url), ("size", block.size)):
            if value is not None:
                self.lose(key, where, f".{key}")
        return self._resource(block, keys, spelling, where, text=block.text)

    def _resource(
        self, block: Any, keys: Keys, spelling: Keys, where: Where, **payload: Any
    ) -> own.EmbeddedResource:
        """Return a block as a resource: the one that it came in, or one whose URI is its name."""
        from urllib.parse import quote

        name = getattr(block, "filename", None)
        uri, resource = ATTACHED + quote(name or "", safe=""), {}
        if _is_spelled("resource", spelling):
            resource = _keys(keys.get("resource", b"{}"))
            if "uri" in resource:
                uri = _str(resource.pop("uri"))
                if name is not None:
                    self.lose("filename", where, ".filename")
            keys = {key: raw for key, raw in keys.items() if key != "resource"}
        contents = put_back(own.ResourceContents(uri, **payload), resource, {})
        mime_type = getattr(block, "mime_type", None)
        if mime_type is not None:
            contents.mime_type = mime_type
        return put_back(own.EmbeddedResource(contents), keys, spelling)

    def _link(
        self, block: MediaBlock, keys: Keys, spelling: Keys, where: Where
    ) -> own.ResourceLink | None:
        url = block.url
        is_link = _is_spelled("resource_link", spelling)
        if url is None or (url[:5].lower() == "data:" and not is_link):
            self.lose("media source", where)
            return None
        name = block.filename if block.filename is not None else url.rpartition("/")[2] or url
        made = own.ResourceLink(url, name)
        if block.mime_type is not None:
            made.mime_type = block.mime_type
        if block.size is not None:
            made.size = block.size
        return put_back(made, keys, spelling)

    def _call(self, block: model.ToolCallBlock, where: Where) -> own.ToolUseContent:
        keys, spelling = self.rest(block, where)
        self._names[block.id] = block.name
        held = block.arguments.object_json()
        if held is not None:
            arguments = adopt_arguments(held)
        else:
            self.lose("arguments", where, ".arguments")
            arguments = Arguments.of(
                {"raw_arguments": block.arguments.text.decode("utf-8", "replace")}
            )
        made = own.ToolUseContent(block.id, block.name, arguments)
        return put_back(made, keys, spelling)

    def _result(self, result: Any, where: Where) -> own.ToolResultContent:
        keys, spelling = self.rest(result, where)
        self.finite(result.details, where, ".details")
        name = result.tool_name
        if name is not None and self._names.get(result.tool_call_id) != name:
            self.lose("toolName", where, ".toolName")
        made = own.ToolResultContent(result.tool_call_id, self._content(result.content, where))
        return _answered(made, result, keys, spelling)

    def answered(self, result: Any, where: Where) -> own.CallToolResult:
        """Return a tool's answer. It does not name the call; the caller has to know it."""
        keys, spelling = self.rest(result, where)
        self.finite(result.details, where, ".details")
        made = own.CallToolResult(self._content(result.content, where))
        word = keys.get("resultType", spelling.get("resultType", _NULL))
        if bytes(word) != b"null":
            made.result_type = _str(word)
        others = {key: raw for key, raw in keys.items() if key != "resultType"}
        return _answered(made, result, others, spelling)

    # -- tools -------------------------------------------------------------------------------------

    def tool(self, tool: Any, where: Where) -> own.Tool | None:
        """Return MCP's tool. Without a schema it takes any object."""
        if type(tool) is not model.Tool:
            self.lose("tool", where)
            return None
        keys, spelling = self.rest(tool, where)
        made = own.Tool(tool.name, _NO_SCHEMA if tool.parameters is None else tool.parameters)
        if tool.description is not None:
            made.description = tool.description
        return put_back(made, keys, spelling)

    _BLOCKS: ClassVar[Mapping[type[Any], Any]] = {
        model.TextBlock: _text,
        model.ImageBlock: _media,
        model.AudioBlock: _media,
        model.VideoBlock: _media,
        model.DocumentBlock: _document,
        model.DataBlock: _media,
        model.ToolCallBlock: _call,
        model.ToolResultBlock: _result,
    }
    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        model.UserMessage: _turn,
        model.AssistantMessage: _assistant,
        model.ToolResultMessage: _result_message,
        model.ToolMessage: _turn,
    }


def _answered(block: _A, result: Any, keys: Keys, spelling: Keys) -> _A:
    """Put the fields of a result other than its content on `block`."""
    if result.details is not None:
        block.structured_content = RawJson.of(result.details)
    if result.is_error:
        block.is_error = True
    elif "isError" in spelling:
        block.is_error = _value(spelling["isError"])
    return put_back(block, keys, spelling)


def _is_spelled(kind: str, spelling: Keys) -> bool:
    """Whether a block came in as MCP's `kind`, which is not the default for its type."""
    return bytes(spelling.get("type", b"")) == b'"%b"' % kind.encode()


_INLINE: Final[Mapping[type[MediaBlock], Any]] = {
    model.ImageBlock: own.ImageContent,
    model.AudioBlock: own.AudioContent,
}
