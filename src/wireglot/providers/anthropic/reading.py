"""The messages of Anthropic Messages -> messages, block by block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...model import (
    AnnotationRef,
    AssistantMessage,
    CacheMark,
    Content,
    DocumentBlock,
    ImageBlock,
    Message,
    OpaqueBlock,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    UserMessage,
)
from .._media import plain_type
from .._reading import Body, Reader, arguments_of
from . import wire

__all__ = ["MessageReader"]


class _Citation(Struct):
    """The keys of all kinds of citation that an `AnnotationRef` has a place for."""

    cited_text: str | None = None
    url: str | None = None
    source: str | None = None
    title: str | None = None
    document_title: str | None = None
    document_index: int | None = None
    search_result_index: int | None = None
    start_page_number: int | None = None
    file_id: str | None = None


_citations = msgspec.json.Decoder(list[_Citation] | None).decode


class MessageReader(Reader):
    """The state of one decoding: the names of the tools called so far."""

    WIRE: ClassVar[str] = "anthropic"
    API: ClassVar[str] = wire.API

    def __init__(self, body: Body, dialect: str) -> None:
        super().__init__(body, dialect)
        self._names: dict[str, str] = {}

    def message(self, part: wire.Message) -> Message:
        """Return the message for a turn; a turn of results alone is a `ToolMessage`."""
        content = self.content(part.content)
        extras = self._extras(part) if self._unknown else None
        if part.role == "assistant":
            return AssistantMessage(content, api=self.API, extras=extras)
        if part.role == "system":
            return SystemMessage(content, extras=extras)
        if content and set(map(type, content)) == _RESULTS:
            return ToolMessage(content, extras=extras)
        return UserMessage(content, extras=extras)

    def content(self, parts: Any) -> list[Content]:
        """Return the blocks of a turn, a result or a prompt."""
        if parts is None:
            return []
        if type(parts) is str:
            return [TextBlock(parts)]
        if self._unknown:
            return [_BLOCKS[type(part)](self, part) for part in parts]
        return [
            TextBlock(part.text)
            if type(part) is wire.Text and part.cache_control is None and part.citations is None
            else _BLOCKS[type(part)](self, part)
            for part in parts
        ]

    def _text(self, part: wire.Text) -> Content:
        made = TextBlock(part.text)
        if part.cache_control is not None:
            made.cache = CacheMark(part.cache_control.ttl)
        if part.citations is not None:
            made.annotations = [_annotation(citation) for citation in self._cited(part)] or None
            made.extras = self._extras(part, citations=part.citations)
        elif self._unknown:
            made.extras = self._extras(part)
        return made

    def _cited(self, part: wire.Text) -> list[_Citation]:
        if bytes(part.citations)[:1] == b"{":  # only a document's `citations` is an object
            self._fail("expected `array`, got `object`", part, ".citations")
        return self._inner(_citations, part.citations, part, ".citations") or []

    def _thinking(self, part: wire.Thinking) -> Content:
        return ThinkingBlock(part.thinking, part.signature, extras=self._extras(part))

    def _redacted(self, part: wire.RedactedThinking) -> Content:
        return ThinkingBlock("", part.data, redacted=True, extras=self._extras(part))

    def _call(self, part: wire.ToolUse) -> Content:
        self._names[part.id] = part.name
        made = ToolCallBlock(part.id, part.name, arguments_of(part.input))
        if part.cache_control is not None:
            made.cache = CacheMark(part.cache_control.ttl)
        if self._unknown:
            made.extras = self._extras(part)
        return made

    def _result(self, part: wire.ToolResult) -> Content:
        made = ToolResultBlock(
            part.tool_use_id,
            self._names.get(part.tool_use_id),
            self.content(part.content),
            bool(part.is_error),
        )
        if part.cache_control is not None:
            made.cache = CacheMark(part.cache_control.ttl)
        if self._unknown:
            made.extras = self._extras(part)
        return made

    def _image(self, part: wire.Image) -> Any:
        return self._media(ImageBlock, part, part.source)

    def _document(self, part: wire.Document) -> Any:
        made: Any = self._media(DocumentBlock, part, part.source)
        if type(made) is DocumentBlock:
            made.title = part.title
            made.context = part.context
            if part.citations is not None:
                made.citations = part.citations.enabled
        return made

    def _media(self, kind: type[ImageBlock | DocumentBlock], part: Any, source: Any) -> Any:
        form = type(source)
        is_other_text = form is wire.TextSource and source.media_type != "text/plain"
        if form is Raw or is_other_text:  # a source that the model has no place for
            return OpaqueBlock(self.API, self._raw(part))
        made: Any = kind()
        if form is wire.Base64Source:
            made = self._inner(kind, source.data, source, ".data")
            made.mime_type = plain_type(source.media_type)
        elif form is wire.UrlSource:
            made.url = source.url
        elif form is wire.FileSource:
            made.file_id = source.file_id
        elif type(made) is DocumentBlock:
            made.text, made.mime_type = source.data, source.media_type
        if part.cache_control is not None:
            made.cache = CacheMark(part.cache_control.ttl)
        if self._unknown:
            made.extras = self._extras(part)
        return self._owned(made)

    def _opaque(self, part: Raw) -> Content:
        return OpaqueBlock(self.API, self._raw(part))


_BLOCKS: Final[dict[type, Callable[[MessageReader, Any], Content]]] = {
    wire.Text: MessageReader._text,
    wire.Thinking: MessageReader._thinking,
    wire.RedactedThinking: MessageReader._redacted,
    wire.ToolUse: MessageReader._call,
    wire.ToolResult: MessageReader._result,
    wire.Image: MessageReader._image,
    wire.Document: MessageReader._document,
    Raw: MessageReader._opaque,
}


_RESULTS: Final = {ToolResultBlock}


def _annotation(citation: _Citation) -> AnnotationRef:
    index = citation.document_index
    return AnnotationRef(
        url=citation.url or citation.source,
        title=citation.title or citation.document_title,
        file_id=citation.file_id,
        page=citation.start_page_number,
        index=citation.search_result_index if index is None else index,
        cited_text=citation.cited_text,
    )
