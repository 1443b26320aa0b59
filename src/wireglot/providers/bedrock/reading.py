"""The messages of Bedrock Converse -> messages, block by block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...model import (
    AnnotationRef,
    AssistantMessage,
    AudioBlock,
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
    VideoBlock,
)
from ...model.blocks import MediaBlock
from .._reading import Body, Reader, arguments_of
from . import wire
from .formats import MIME_TYPES, is_s3

__all__ = ["MessageReader"]


class _Web(Struct):
    url: str | None = None


class _Location(Struct):
    web: _Web | None = None


class _Words(Struct):
    text: str = ""


class _Citation(Struct, rename="camel"):
    title: str | None = None
    source: str | None = None
    source_content: list[_Words] | None = None
    location: _Location | None = None


_citations = msgspec.json.Decoder(list[_Citation] | None).decode


class MessageReader(Reader):
    """The state of one decoding: the names of the tools called so far."""

    WIRE: ClassVar[str] = "bedrock"
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
        if content and set(map(type, content)) == {ToolResultBlock}:
            return ToolMessage(content, extras=extras)
        return UserMessage(content, extras=extras)

    def content(self, parts: list[wire.Block]) -> list[Content]:
        """Return the blocks of a turn or a prompt; a cache point marks the block before it."""
        content: list[Content] = []
        for part in parts:
            mark = self._mark(part) if part.cache_point is not None else None
            last: Any = content[-1] if content else None
            if mark is not None and getattr(last, "cache", mark) is None:
                last.cache = mark
            else:
                content.append(self._block(part))
        return content

    def _block(self, part: wire.Block) -> Content:
        text = part.text
        if text is not None and not self._unknown and part == wire.Block(text=text):
            return TextBlock(text)
        name = self._member(part)
        read = _BLOCKS.get(name or "")
        made = read(self, part, getattr(part, name)) if read and name else None
        return made or OpaqueBlock(self.API, self._raw(part))

    def _member(self, union: Any) -> str | None:
        """Return the name of a union's one field, None if it has no, several or unknown keys.

        A key that is null is as good as none.
        """
        if self._unknown and not self._is_known(union):
            return None
        names = [name for name in union.__struct_fields__ if getattr(union, name) is not None]
        return names[0] if len(names) == 1 else None

    def _mark(self, part: Any) -> CacheMark | None:
        """Return the mark for a cache point, None if the point says more than a mark can."""
        point: wire.CachePoint = part.cache_point
        ttl: Any = point.ttl
        if self._member(part) is None or not self._is_known(point):
            return None
        return CacheMark(ttl) if point.type == "default" and ttl in _TTLS else None

    def _text(self, part: wire.Block, text: str) -> Content | None:
        return TextBlock(text, extras=self._extras(part))

    def _call(self, part: wire.Block, use: wire.ToolUse) -> Content | None:
        if use.type not in (None, "tool_use"):  # the provider runs the tool
            return None
        self._names[use.tool_use_id] = use.name
        spelling = {"toolUse": {"type": use.type}} if use.type is not None else {}
        extras = self._extras(part, **spelling)
        return ToolCallBlock(use.tool_use_id, use.name, arguments_of(use.input), extras=extras)

    def _result(self, part: wire.Block, result: wire.ToolResult) -> Content | None:
        if result.type is not None:
            return None
        said = result.status is not None and result.status != "error"
        spelling = {"toolResult": {"status": result.status}} if said else {}
        return ToolResultBlock(
            result.tool_use_id,
            self._names.get(result.tool_use_id),
            [self._part(inner) for inner in result.content],
            result.status == "error",
            extras=self._extras(part, **spelling),
        )

    def _part(self, part: wire.Part) -> Content:
        """Return a block inside a result. JSON becomes text, and goes back to this API as JSON."""
        name = self._member(part)
        if name == "text":
            return TextBlock(part.text or "", extras=self._extras(part))
        if name == "json" and part.json != _NULL:
            text = bytes(part.json).decode()
            return TextBlock(text, extras=self._extras(part, json=part.json))
        read = _BLOCKS.get(name or "")
        made = read(self, part, getattr(part, name)) if read and name else None
        return made or OpaqueBlock(self.API, self._raw(part))

    def _thinking(self, part: wire.Block, thought: wire.Reasoning) -> Content | None:
        if self._member(thought) is None:
            return None
        extras = self._extras(part)
        if thought.reasoning_text is not None:
            text = thought.reasoning_text
            return ThinkingBlock(text.text, text.signature, extras=extras)
        return ThinkingBlock("", thought.redacted_content, redacted=True, extras=extras)

    def _cited(self, part: wire.Block, cited: wire.CitedText) -> Content | None:
        given = None
        if cited.citations is not None:
            given = self._inner(_citations, cited.citations, cited, ".citations")
        texts = "".join(piece.text or "" for piece in cited.content or ())
        return TextBlock(
            texts,
            [_annotation(citation) for citation in given or ()],
            extras=self._extras(citationsContent=self._raw(cited)),
        )

    def _image(self, part: Any, image: wire.Image) -> Any:
        return self._media(ImageBlock, part, image, "image")

    def _video(self, part: Any, film: wire.Image) -> Any:
        return self._media(VideoBlock, part, film, "video")

    def _audio(self, part: Any, sound: wire.Image) -> Any:
        return self._media(AudioBlock, part, sound, "audio")

    def _document(self, part: Any, document: wire.Document) -> Any:
        made: Any = None
        if self._member(document.source) == "text":
            mime_type = MIME_TYPES["document"].get(document.format or "")
            if mime_type is not None or document.format is None:
                made = DocumentBlock(text=document.source.text, mime_type=mime_type)
                made.extras = self._extras(part)
        else:
            made = self._media(DocumentBlock, part, document, "document")
        if made is not None:
            made.title = document.name
            made.context = document.context
            if document.citations is not None:
                made.citations = document.citations.enabled
        return made

    def _media(
        self, kind: type[MediaBlock], part: Any, held: wire.Image | wire.Document, name: str
    ) -> Any:
        """Return the media, None if its format or its source has no place in the model."""
        mime_type = MIME_TYPES[name].get(held.format or "")
        source, place = held.source, held.source.s3_location
        member = self._member(source)
        if member == "bytes" and memoryview(source.bytes)[0] != _QUOTE:
            self._fail("expected base64 `str`", source, ".bytes")
        if mime_type is None or member is None:
            return None
        if place is None:
            return kind(source.bytes, mime_type=mime_type, extras=self._extras(part))
        if place.bucket_owner is not None or not is_s3(place.uri):
            return None
        return kind(url=place.uri, mime_type=mime_type, extras=self._extras(part))


_BLOCKS: Final[dict[str, Callable[[MessageReader, Any, Any], Content | None]]] = {
    "text": MessageReader._text,
    "tool_use": MessageReader._call,
    "tool_result": MessageReader._result,
    "reasoning_content": MessageReader._thinking,
    "image": MessageReader._image,
    "document": MessageReader._document,
    "video": MessageReader._video,
    "audio": MessageReader._audio,
    "citations_content": MessageReader._cited,
}
_TTLS: Final = (None, "5m", "1h")
_NULL: Final = Raw(b"null")
_QUOTE: Final = ord('"')


def _annotation(citation: _Citation) -> AnnotationRef:
    web = citation.location.web if citation.location is not None else None
    texts = [piece.text for piece in citation.source_content or ()]
    return AnnotationRef(
        url=(web.url if web is not None else None) or citation.source,
        title=citation.title,
        cited_text="".join(texts) if texts else None,
    )
