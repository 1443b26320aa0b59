"""Blocks -> the blocks of Anthropic Messages."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar, Final

from msgspec import Raw

from ...errors import DecodeError
from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    CacheMark,
    Content,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    OpaqueBlock,
    Request,
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
from .._media import is_foreign_file, media_type
from .._turns import Disorder, Result
from .._writing import RequestWriter, encode, hashed, inline, is_plain, is_uncited
from ..losses import losses_of
from . import wire

__all__ = ["BLOCKS", "MOST_MARKS", "PartWriter"]

_SIGNERS: Final = frozenset({"anthropic"})  # `provider` of a message that names no `api`
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
MOST_MARKS: Final = 4
_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_is_word: Final = re.compile(r"[a-zA-Z0-9_-]+").fullmatch
_LONGEST_NAME: Final = 128


class PartWriter(RequestWriter):
    """The state of one encoding: open calls, tool names, cache breakpoints left."""

    WIRE: ClassVar[str] = "anthropic"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("anthropic")

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        self._names: dict[str, str] = {}
        self._marks_left = MOST_MARKS
        self._short_marks = False

    # -- blocks: the part for each, or None ----------------------------------------------------

    def _result(self, result: Result) -> Any:
        call = self._open.pop(result.tool_call_id, None)
        if call is None:
            raise Disorder
        content: list[Any] = result.content
        if not is_plain(content):
            content = self._result_content(content)
        made = wire.ToolResult(call, content, result.is_error)
        if type(result) is ToolResultBlock and result.cache is not None:
            made.cache_control = self._mark(result.cache, result)
        return made

    def _result_content(self, given: list[Content]) -> list[Any]:
        content: list[Any] = []
        for block in given:
            kind = type(block)
            if kind in _IN_RESULTS or self._is_own_block(block):
                made = BLOCKS[kind](self, block, None)
                if made is not None:
                    content.append(made if block.extras is None else self._with_extras(made, block))
            else:
                self._lose("tool result content", block)
        return content

    def _result_block(self, block: ToolResultBlock, message: Any) -> Any:
        if type(message) is AssistantMessage or type(message) is SystemMessage:
            self._lose("tool result", block)
            return None
        return self._result(block)

    def _call(self, block: ToolCallBlock, message: Any) -> Any:
        if type(message) is not AssistantMessage:
            self._lose("tool call", block)
            return None
        call_id = block.id
        if call_id in self._open:
            raise Disorder
        is_plain = call_id.isascii() and call_id.isidentifier()  # quicker than the pattern
        wire_id = call_id
        if not is_plain and not _is_word(call_id):
            wire_id = hashed(call_id, _LETTER, _LONGEST_NAME)
        self._open[call_id] = wire_id
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            arguments = Raw(encode({"raw_arguments": text}))
        name = self._names.get(block.name) or self._name(block.name, block)
        made = wire.ToolUse(wire_id, name, arguments)
        if block.cache is not None:
            made.cache_control = self._mark(block.cache, block)
        return made

    def _text(self, block: TextBlock, message: Any) -> Any:
        is_bare = block.annotations is None and block.signature is None and block.extras is None
        self._after_results(message)
        if not block.text:
            if block.annotations and not self._is_cited(block):
                self._lose("annotation", block)
            if block.cache is not None:
                self._lose("cache mark", block)
            return None
        if is_bare and block.cache is None:
            return block  # our JSON is already theirs
        if block.annotations and not self._is_cited(block):
            self._lose("annotation", block)
        return wire.Text(block.text, cache_control=self._mark(block.cache, block))

    def is_thought(self, block: Content, message: AssistantMessage) -> bool:
        """Whether a block is thinking that this API takes back."""
        return type(block) is ThinkingBlock and bool(block.signature) and _is_own(message)

    def _thinking_block(self, block: ThinkingBlock, message: Any) -> Any:
        if not block.signature or not self.is_thought(block, message):
            self._lose("thinking", block)
            return None
        if not block.redacted:
            return wire.Thinking(block.thinking, block.signature)
        if block.thinking:
            self._lose("redacted thinking", block)
        return wire.RedactedThinking(block.signature)

    def _is_in_answer(self, block: MediaBlock, message: Any) -> bool:
        """Whether a block is in an answer of another API: here answers have no media; report it."""
        if type(message) is not AssistantMessage or _is_own(message):
            return False
        self._lose("answer content", block)
        return True

    def _image(self, block: ImageBlock, message: Any) -> Any:
        self._after_results(message)
        if self._is_in_answer(block, message):
            return None
        if is_foreign_file(block, self.API):
            self._lose("file id", block)
            return None
        source: Any = _remote(block)
        media = inline(block)
        if media is not None:
            kind = media_type(block)
            source = wire.Base64Source(kind, media) if kind in _IMAGE_TYPES else None
        if source is None:
            self._lose("image", block)
            return None
        return wire.Image(source, self._mark(block.cache, block))

    def _document(self, block: DocumentBlock, message: Any) -> Any:
        self._after_results(message)
        if self._is_in_answer(block, message):
            return None
        if block.text is None and is_foreign_file(block, self.API):
            self._lose("file id", block)
            return None
        source = _document_source(block)
        if source is None:
            self._lose("document", block)
            return None
        if block.text is not None and (block.url or block.data or block.file_id) is not None:
            self._lose("document source", block)
        return wire.Document(
            source,
            block.title or block.filename,
            block.context,
            wire.Citations(block.citations) if block.citations is not None else None,
            self._mark(block.cache, block),
        )

    def _transcript(self, block: AudioBlock | VideoBlock, message: Any) -> Any:
        self._after_results(message)
        if type(block) is AudioBlock:
            self._lose("audio", block)
        else:
            self._lose("video", block)
        return _words(block.transcript)

    def _error(self, block: ErrorBlock, message: Any) -> Any:
        self._after_results(message)
        self._lose("error", block)
        return _words(block.message)

    def _data(self, block: DataBlock, _: Any) -> None:
        self._lose("data", block)

    def _annotation(self, block: AnnotationBlock, _: Any) -> None:
        self._lose("annotation", block)

    def _opaque_block(self, block: OpaqueBlock, message: Any) -> Any:
        if block.api != self.API:
            self._lose("opaque block", block)
            return None
        self._after_results(message)
        return self._opaque(block)

    # -- parts of blocks -----------------------------------------------------------------------

    def _after_results(self, message: Any) -> None:
        """Raise `Disorder` for a user's content before the results of open calls.

        A system message is exempt: it came before the calls, even if it is written later.
        """
        if self._open and type(message) in _USERS:
            raise Disorder

    def _mark(self, mark: CacheMark | None, part: Any) -> wire.CacheControl | None:
        """Return a breakpoint, None if all are used. A `1h` ttl after a shorter one is a loss."""
        if mark is None:
            return None
        if self._marks_left == 0:
            self._lose("cache mark", part)
            return None
        self._marks_left -= 1
        ttl = mark.ttl
        if ttl == "1h" and self._short_marks:
            self._lose("cache ttl", part)
            ttl = None
        self._short_marks |= ttl != "1h"
        return wire.CacheControl(ttl)

    def _name(self, name: str, part: Any) -> str:
        """Return a tool's name in this wire's alphabet."""
        mapped = self._names.get(name)
        if mapped is None:
            mapped = name
            if not _is_word(name) or len(name) > _LONGEST_NAME:
                self._lose("tool name", part)
                mapped = hashed(name, _LETTER, _LONGEST_NAME)
            self._names[name] = mapped
        return mapped

    def _is_stale(self, part: Any, key: str, spelled: Raw) -> bool:
        return key == "citations" and type(part) is TextBlock and is_uncited(part, spelled)

    def _is_own_block(self, block: Any) -> bool:
        return type(block) is OpaqueBlock and block.api == self.API

    def _is_cited(self, block: TextBlock) -> bool:
        """Whether the block still has the citations that came over this API."""
        extra = (block.extras or {}).get(self.API)
        if extra is None:
            return False
        spelled = extra.spelling is not None and "citations" in extra.spelling.value
        return spelled or "citations" in extra.keys.value


BLOCKS: Final[dict[type, Callable[[PartWriter, Any, Any], Any]]] = {
    TextBlock: PartWriter._text,
    ThinkingBlock: PartWriter._thinking_block,
    ToolCallBlock: PartWriter._call,
    ToolResultBlock: PartWriter._result_block,
    ImageBlock: PartWriter._image,
    DocumentBlock: PartWriter._document,
    AudioBlock: PartWriter._transcript,
    VideoBlock: PartWriter._transcript,
    DataBlock: PartWriter._data,
    AnnotationBlock: PartWriter._annotation,
    ErrorBlock: PartWriter._error,
    OpaqueBlock: PartWriter._opaque_block,
}
_IN_RESULTS: Final = frozenset({TextBlock, ImageBlock, DocumentBlock})
_USERS: Final = frozenset({UserMessage, ToolMessage})


def _is_own(message: Any) -> bool:
    """Whether the signatures in a message are this API's."""
    if type(message) is not AssistantMessage:
        return False
    return message.api == wire.API if message.api is not None else message.provider in _SIGNERS


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _remote(block: MediaBlock) -> wire.UrlSource | wire.FileSource | None:
    if block.file_id is not None:
        return wire.FileSource(block.file_id)
    if block.url is not None and block.url.startswith(("https://", "http://")):
        return wire.UrlSource(block.url)
    return None


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
