"""Content blocks <-> the blocks of Anthropic Messages, in requests and in answers.

What describes a block to programs (alt text, bounding boxes, sizes, pages, the kind of a call) is
not sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ...errors import DecodeError
from ...model import (
    AnnotationRef,
    AssistantMessage,
    AudioBlock,
    CacheMark,
    Content,
    DocumentBlock,
    ErrorBlock,
    Extras,
    ImageBlock,
    OpaqueBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    VideoBlock,
)
from ...model.blocks import MediaBlock
from .._across.citations import lose_others, pages
from .._across.ids import hashed
from .._across.media import inline, is_foreign_file, media_type, of_its_kind, plain_type
from .._across.tools import object_arguments
from .._codecs.order import Result
from .._codecs.simple import is_bare, is_lone_result
from .._state.decoding import Decoding, arguments_of
from .._state.encoding import Encoding
from .._state.signatures import api_of, claudes
from .._state.stored import key_of
from .._state.wire import Slice, Wire
from . import wire

# -- blocks -> the wire's ----------------------------------------------------------------------

_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_MOST_MARKS: Final = 4
_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_is_word: Final = re.compile(r"[a-zA-Z0-9_-]+").fullmatch
_LONGEST: Final = 128


class BlockWriter:
    """The encoder of the blocks of one request or one answer.

    It counts the cache breakpoints, and keeps the names of tools in this wire's alphabet.
    """

    def __init__(self, encoding: Encoding, *, is_answer: bool = False) -> None:
        self._encoding = encoding
        self._is_answer = is_answer
        self._marks_left = 0 if is_answer else _MOST_MARKS  # answers have none
        self._has_short_mark = False

    def block(self, block: Content, message: Any = None) -> Any:
        """Return the wire's block, None if it has no place for this one.

        `message` is what the block is the content of, None for a result or the system prompt.
        """
        kind = type(block)
        write = _BLOCKS.get(kind)
        if write is None:
            shown: Any = of_its_kind(block, self._encoding)
            if shown is not None:
                return self.block(shown, message)
            self._encoding.lose_whole(block)
            return None
        body = write(self, block, message)
        self._encoding.lose_rest(block)
        if body is not None:
            return body if block.extras is None else self._encoding.with_extras(body, block)
        if kind is TextBlock:  # which is empty, and that alone would not be a loss
            self._encoding.lose_keys(block)
        return None

    def text(self, block: TextBlock, mark: CacheMark | None) -> Any:
        """Return a text with this breakpoint; the API refuses an empty one."""
        cited = self.cited(block) if block.annotations else []
        if not block.text:
            if mark is not None:
                self._encoding.lose("cache mark", block)
            return None
        return wire.Text(block.text, cited or None, self.mark(mark, block))

    def cited(self, block: TextBlock) -> list[Any]:
        """Return the citations of pages in a text of another API's answer; all others are lost.

        A block cites as a whole, so what is said of a part of it is a loss.
        """
        if _is_cited(block):
            return []
        if not self._is_answer or not block.text:
            self._encoding.lose("annotation", block)
            return []
        lose_others(block, self._encoding, quotes=True)
        found = pages(block)
        if any(page.is_placed and page.end - page.start < len(block.text) for page in found):
            self._encoding.lose("annotation detail", block)
        return [
            {
                "type": "web_search_result_location",
                "cited_text": page.cited_text,
                "encrypted_index": "",  # required, and known to Anthropic's own search alone
                "title": page.title,
                "url": page.url,
            }
            for page in found
        ]

    def call(self, block: ToolCallBlock, call_id: str) -> wire.ToolUse:
        """Return the block of a call, without its unknown keys."""
        arguments = object_arguments(block, self._encoding)
        # A client knows the tool by the very name that the model has called.
        name = block.name if self._is_answer else self._encoding.tool_name(block.name, block)
        return wire.ToolUse(call_id, name, arguments)

    def result(self, result: Result, call_id: str) -> wire.ToolResult:
        """Return the block of a result, without its unknown keys."""
        content: list[Any] = result.content
        if is_lone_result(result):
            return wire.ToolResult(call_id, content, False)
        self._encoding.lose_rest(result)
        if not (len(content) == 1 and is_bare(content[0]) and content[0].text):
            content = self._result_content(content)
        if not content and result.is_error:  # the API refuses one without content
            content = [wire.Text("error")]
        body = wire.ToolResult(call_id, content, result.is_error)
        if type(result) is ToolResultBlock and result.cache is not None:
            body.cache_control = self.mark(result.cache, result)
        return body

    def signature(self, block: ThinkingBlock, message: Any) -> str:
        """Return the signature of thinking; one not of Claude's is a loss, and becomes empty."""
        signature = self._signature(block, message)
        if signature is None and block.signature is not None:
            self._encoding.lose("signature", block)
        return signature or ""

    def is_thought(self, block: Content, message: AssistantMessage) -> bool:
        """Whether a block is thinking that this API takes back."""
        return type(block) is ThinkingBlock and bool(self._signature(block, message))

    def _signature(self, block: ThinkingBlock, message: Any) -> str | None:
        if _is_own(message):
            return block.signature
        return claudes(block, message, self._encoding)

    # Breakpoints and names

    def mark(self, mark: CacheMark | None, part: Any) -> wire.CacheControl | None:
        """Return a breakpoint, None if all are used."""
        if mark is None:
            return None
        if self._marks_left == 0:
            self._encoding.lose("cache mark", part)
            return None
        self._marks_left -= 1
        control = self.control(mark, part)
        self._has_short_mark |= control.ttl != "1h"
        return control

    def control(self, mark: CacheMark, part: Any) -> wire.CacheControl:
        """Return a breakpoint that is not counted. One of an hour after a shorter one is a loss."""
        if mark.ttl == "1h" and self._has_short_mark:
            self._encoding.lose("cache ttl", part)
            return wire.CacheControl()
        if mark.ttl is not None and self._is_untimed():
            if mark.ttl != "5m":
                self._encoding.lose("cache ttl", part)
            return wire.CacheControl()
        return wire.CacheControl(mark.ttl)

    def _is_untimed(self) -> bool:
        """Whether the model takes no time at this host; the name that a host gives it tells."""
        pattern, model = self._encoding.host.untimed, getattr(self._encoding.root, "model", None)
        return bool(pattern) and re.search(pattern, model or "") is not None

    def reserve_mark(self) -> None:
        """Count the breakpoint that the API sets itself for `cache_control` of the body."""
        self._marks_left -= 1

    def has_marks(self) -> bool:
        """Whether there have been breakpoints."""
        return self._marks_left < _MOST_MARKS

    # One kind each: the wire's block, or None

    def _text(self, block: TextBlock, _: Any) -> Any:
        if is_bare(block) and block.text:
            return block  # our JSON is already theirs
        return self.text(block, block.cache)

    def _thinking(self, block: ThinkingBlock, message: Any) -> Any:
        # The API takes back what it has signed, and no other thinking. A client is shown that of
        # any API, with an empty signature, but not data that only another one can read.
        signature = self._signature(block, message)
        is_shown = self._is_answer and (not block.redacted or _is_own(message))
        if not is_shown and not signature:
            self._encoding.lose("thinking", block)
            return None
        if signature is None and block.signature is not None:
            self._encoding.lose("signature", block)
        if not block.redacted:
            return wire.Thinking(block.thinking, signature or "")
        if block.thinking:
            self._encoding.lose("redacted thinking", block)
        return wire.RedactedThinking(signature or "")

    def _call(self, block: ToolCallBlock, message: Any) -> Any:
        if type(message) is not AssistantMessage:
            self._encoding.lose_whole(block)
            return None
        body = self.call(block, id_of_call(block.id))
        if block.cache is not None:
            body.cache_control = self.mark(block.cache, block)
        return body

    def _image(self, block: ImageBlock, message: Any) -> Any:
        if is_foreign_file(block, wire.API) and not _is_refused(message):
            self._encoding.lose("file id", block)
            return None
        source: Any = None if _is_refused(message) else _image_source(block)
        if source is None:
            self._encoding.lose("image", block)
            return None
        if not self._encoding.host.fetches and not self._is_had(source, block):
            return None
        return wire.Image(source, self.mark(block.cache, block))

    def _document(self, block: DocumentBlock, message: Any) -> Any:
        is_refused = _is_refused(message)
        if block.text is None and is_foreign_file(block, wire.API) and not is_refused:
            self._encoding.lose("file id", block)
            return None
        source = None if is_refused else _document_source(block)
        if source is None:
            self._encoding.lose("document", block)
            return None
        if not self._encoding.host.fetches and not self._is_had(source, block):
            return None
        if block.text is not None and (block.url or block.data or block.file_id) is not None:
            self._encoding.lose("document source", block)
        return wire.Document(
            source,
            block.title or block.filename,
            block.context,
            wire.Citations(block.citations) if block.citations is not None else None,
            self.mark(block.cache, block),
        )

    def _is_had(self, source: Any, block: MediaBlock) -> bool:
        """Whether a host that fetches nothing has media from there; else they are a loss."""
        if type(source) is wire.UrlSource:
            self._encoding.lose("media url", block)
            return False
        if type(source) is wire.FileSource and not self._encoding.host.stores:
            self._encoding.lose("file id", block)
            return False
        return True

    def _transcript(self, block: AudioBlock | VideoBlock, _: Any) -> Any:
        self._encoding.lose_whole(block)
        return _words(block.transcript)

    def _error(self, block: ErrorBlock, _: Any) -> Any:
        self._encoding.lose_whole(block)
        return _words(block.message)

    def _opaque(self, block: OpaqueBlock, _: Any) -> Any:
        if block.api != wire.API:
            self._encoding.lose_whole(block)
            return None
        host = self._encoding.host
        if host.blocks and (
            key_of(block.raw, "type") in host.blocks
            or (
                key_of(block.raw, "type") == "server_tool_use"
                and key_of(block.raw, "name") in host.calls
            )
        ):
            self._encoding.lose("host block", block)
            return None
        return self._encoding.opaque(block)

    def _result_content(self, blocks: list[Content]) -> list[Any]:
        content: list[Any] = []
        for block in blocks:
            shown: Any = of_its_kind(block, self._encoding) or block
            if type(shown) in _IN_RESULTS or is_own_block(block):
                body = self.block(shown)
                if body is not None:
                    content.append(body)
            else:
                self._encoding.lose("tool result content", block)
        return content


_BLOCKS: Final[dict[type, Callable[[BlockWriter, Any, Any], Any]]] = {
    TextBlock: BlockWriter._text,
    ThinkingBlock: BlockWriter._thinking,
    ToolCallBlock: BlockWriter._call,
    ImageBlock: BlockWriter._image,
    DocumentBlock: BlockWriter._document,
    AudioBlock: BlockWriter._transcript,
    VideoBlock: BlockWriter._transcript,
    ErrorBlock: BlockWriter._error,
    OpaqueBlock: BlockWriter._opaque,
}
_IN_RESULTS: Final = frozenset({TextBlock, ImageBlock, DocumentBlock})


def id_of_call(call_id: str) -> str:
    """Return the id of a call in this wire's alphabet, in which the API requires it."""
    is_plain = call_id.isascii() and call_id.isidentifier()  # quicker than the pattern
    if is_plain or _is_word(call_id):
        return call_id
    return hashed(call_id, _LETTER, _LONGEST)


def is_own_block(block: Any) -> bool:
    """Whether a block is opaque, and of this API."""
    return type(block) is OpaqueBlock and block.api == wire.API


def _is_own(message: Any) -> bool:
    """Whether a message came over this API."""
    return api_of(message) == wire.API


def _is_refused(message: Any) -> bool:
    """Whether the API refuses media there: in answers, unless it has made them itself."""
    return type(message) is AssistantMessage and not _is_own(message)


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _remote(block: MediaBlock) -> wire.UrlSource | wire.FileSource | None:
    if block.file_id is not None:
        return wire.FileSource(block.file_id)
    if block.url is not None and block.url.startswith(("https://", "http://")):
        return wire.UrlSource(block.url)
    return None


def _image_source(block: ImageBlock) -> Any:
    media = inline(block)
    if media is None:
        return _remote(block)
    kind = media_type(block)
    return wire.Base64Source(kind, media) if kind in _IMAGE_TYPES else None


def _document_source(block: DocumentBlock) -> Any:
    if block.text is not None:
        return wire.TextSource(block.text)
    media = inline(block)
    if media is None:
        return _remote(block)
    kind = media_type(block)
    if kind == "application/pdf":
        return wire.Base64Source(kind, media)
    if not kind.startswith("text/"):
        return None
    try:
        return wire.TextSource(media.to_bytes().decode())
    except (DecodeError, UnicodeDecodeError):
        return None


# -- the wire's -> blocks ----------------------------------------------------------------------


class BlockReader:
    """The decoder of the blocks of one body; it knows the names of the tools called so far."""

    def __init__(self, decoding: Decoding) -> None:
        self._decoding = decoding
        self.names: dict[str, str] = {}

    def content(self, parts: Any) -> list[Content]:
        """Return the blocks of a turn, a result or a prompt."""
        if parts is None:
            return []
        if type(parts) is str:
            return [TextBlock(parts)]
        unknown = self._decoding.unknown
        return [
            TextBlock(part.text)
            if type(part) is wire.Text
            and part.cache_control is None
            and part.citations is None
            and id(part) not in unknown
            else _PARTS[type(part)](self, part)
            for part in parts
        ]

    def _text(self, part: wire.Text) -> Content:
        block = TextBlock(part.text, cache=mark_of(part.cache_control))
        if part.citations is None:
            block.extras = self._decoding.extras(part)
        else:
            block.annotations = [_annotation(*each) for each in self._cited(part)] or None
            block.extras = self._decoding.extras_of(part, citations=part.citations)
        return block

    def _cited(self, part: wire.Text) -> list[tuple[_Citation, Extras | None]]:
        if bytes(part.citations)[:1] == b"{":  # only a document's `citations` is an object
            self._decoding.fail("expected `array`, got `object`", part, ".citations")
        return self._decoding.cited(_CITATIONS, part.citations, part, ".citations")

    def _thinking(self, part: wire.Thinking) -> Content:
        return ThinkingBlock(part.thinking, part.signature, extras=self._decoding.extras(part))

    def _redacted(self, part: wire.RedactedThinking) -> Content:
        return ThinkingBlock("", part.data, redacted=True, extras=self._decoding.extras(part))

    def _call(self, part: wire.ToolUse) -> Content:
        self.names[part.id] = part.name
        return ToolCallBlock(
            part.id,
            part.name,
            arguments_of(part.input),
            cache=mark_of(part.cache_control) if part.cache_control is not None else None,
            extras=self._decoding.extras_of(part) if self._decoding.unknown else None,
        )

    def _result(self, part: wire.ToolResult) -> Content:
        return ToolResultBlock(
            part.tool_use_id,
            self.names.get(part.tool_use_id),
            self.content(part.content),
            bool(part.is_error),
            cache=mark_of(part.cache_control) if part.cache_control is not None else None,
            extras=self._decoding.extras_of(part) if self._decoding.unknown else None,
        )

    def _image(self, part: wire.Image) -> Any:
        return self._media(ImageBlock, part, part.source)

    def _document(self, part: wire.Document) -> Any:
        block: Any = self._media(DocumentBlock, part, part.source)
        if type(block) is DocumentBlock:
            block.title = part.title
            block.context = part.context
            if part.citations is not None:
                block.citations = part.citations.enabled
        return block

    def _media(self, kind: type[ImageBlock | DocumentBlock], part: Any, source: Any) -> Any:
        form = type(source)
        is_other_text = form is wire.TextSource and source.media_type != "text/plain"
        if form is Raw or is_other_text:  # a source that the model has no place for
            return self._opaque(part)
        block: Any = kind()
        if form is wire.Base64Source:
            block = self._decoding.inner(kind, source.data, source, ".data")
            block.mime_type = plain_type(source.media_type)
        elif form is wire.UrlSource:
            block.url = source.url
        elif form is wire.FileSource:
            block.file_id = source.file_id
        elif type(block) is DocumentBlock:
            block.text, block.mime_type = source.data, source.media_type
        block.cache = mark_of(part.cache_control)
        block.extras = self._decoding.extras(part)
        return self._decoding.owned(block)

    def _opaque(self, part: Any) -> Content:
        return OpaqueBlock(wire.API, self._decoding.raw(part))


_PARTS: Final[dict[type, Callable[[BlockReader, Any], Content]]] = {
    wire.Text: BlockReader._text,
    wire.Thinking: BlockReader._thinking,
    wire.RedactedThinking: BlockReader._redacted,
    wire.ToolUse: BlockReader._call,
    wire.ToolResult: BlockReader._result,
    wire.Image: BlockReader._image,
    wire.Document: BlockReader._document,
    Raw: BlockReader._opaque,
}


def mark_of(control: wire.CacheControl | None) -> CacheMark | None:
    """Return the breakpoint of a part of the wire."""
    return CacheMark(control.ttl) if control is not None else None


# -- citations ---------------------------------------------------------------------------------


class _Citation(Wire):
    """The keys of all kinds of citation. An `AnnotationRef` has a place for the first ones."""

    cited_text: str | None = None
    url: str | None = None
    source: str | None = None
    title: str | None = None
    document_title: str | None = None
    document_index: int | None = None
    search_result_index: int | None = None
    start_page_number: int | None = None
    file_id: str | None = None
    type: Slice = None
    encrypted_index: Slice = None
    end_page_number: Slice = None
    start_block_index: Slice = None
    end_block_index: Slice = None
    start_char_index: Slice = None
    end_char_index: Slice = None


_CITATIONS: Final = list[_Citation] | None


class _Cited(Struct):
    citations: list[Raw] | None = None


_spelled = msgspec.json.Decoder(_Cited).decode


def _annotation(citation: _Citation, extras: Extras | None) -> AnnotationRef:
    index = citation.document_index
    return AnnotationRef(
        url=citation.url or citation.source,
        title=citation.title or citation.document_title,
        file_id=citation.file_id,
        page=citation.start_page_number,
        index=citation.search_result_index if index is None else index,
        cited_text=citation.cited_text,
        extras=extras,
    )


def citations(block: TextBlock) -> list[Raw]:
    """Return the citations that a text brought over this API, none without annotations."""
    extra = (block.extras or {}).get(wire.API)
    if not block.annotations or extra is None or extra.spelling is None:
        return []
    return _spelled(extra.spelling.text).citations or []


def _is_cited(block: TextBlock) -> bool:
    """Whether a text goes out with citations: those that it came with, or those among its keys."""
    extra = (block.extras or {}).get(wire.API)
    return extra is not None and (bool(citations(block)) or bool(key_of(extra.keys, "citations")))
