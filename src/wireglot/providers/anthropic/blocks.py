"""Content blocks -> the blocks of Anthropic Messages. A part of request.py."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw

from ..._hooks import json_hook
from ...errors import DecodeError
from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    CacheMark,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    Media,
    Message,
    OpaqueBlock,
    Request,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    VideoBlock,
)
from ...model.blocks import MediaBlock
from .._turns import CallIds, Result
from .._writing import Writer
from . import wire
from .wire import API

__all__ = ["BlockWriter", "encode", "is_blank"]

encode: Callable[[Any], bytes] = msgspec.json.Encoder(enc_hook=json_hook).encode

_SIGNERS: Final = frozenset({"anthropic"})  # `provider` of a message that names no `api`
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_MOST_MARKS: Final = 4
_WORD: Final = re.compile(r"[a-zA-Z0-9_-]+")
_LONGEST_NAME: Final = 128


class BlockWriter(Writer):
    """The state of one encoding: call ids, tool names, results written, cache breakpoints left."""

    def __init__(self, request: Request, losses: Losses) -> None:
        super().__init__(request, losses, "anthropic", API, encode)
        self._ids = CallIds(_call_id)
        self._names: dict[str, str] = {}
        self._written: set[int] = set()
        self._marks_left = _MOST_MARKS
        self._short_marks = False

    def _mark(self, mark: CacheMark | None, part: Any) -> wire.CacheControl | None:
        """Return a breakpoint, if any is left; an hour may not follow five minutes."""
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
            if not _WORD.fullmatch(name) or len(name) > _LONGEST_NAME:
                self._lose("tool name", part)
                mapped = _mapped(name)
            self._names[name] = mapped
        return mapped

    def _block(self, block: Any, message: Message | None) -> Any:
        """Return what stands for a block, or None for nothing; `message` is who says it."""
        write = _BLOCKS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is no block", block)
        made = write(self, block, message)
        if made is None or block.extras is None:
            return made
        return self._with_extras(made, block)

    def _result(self, result: Result) -> Any:
        self._written.add(id(result))
        content: list[Any] = []
        for block in result.content:
            if type(block) in _IN_RESULTS or (type(block) is OpaqueBlock and block.api == API):
                made = self._block(block, None)
                if made is not None:
                    content.append(made)
            else:
                self._lose("tool result content", block)
        made = wire.ToolResult(
            self._ids.result(result.tool_call_id),
            content,
            result.is_error,
            self._mark(result.cache, result) if type(result) is ToolResultBlock else None,
        )
        return self._with_extras(made, result)

    def _text(self, block: TextBlock, _: Message | None) -> Any:
        if block.annotations and not _is_cited(block):
            self._lose("annotation", block)
        if not block.text:
            if block.cache is not None:
                self._lose("cache mark", block)
            return None
        if block.cache is not None:
            return wire.Text(block.text, self._mark(block.cache, block))
        if block.annotations is None and block.signature is None and block.extras is None:
            return block  # our JSON is already theirs
        return wire.Text(block.text)

    def _thinking_block(self, block: ThinkingBlock, message: Message | None) -> Any:
        if not block.signature or not _is_own(message):
            self._lose("thinking", block)
            return None
        if not block.redacted:
            return wire.Thinking(block.thinking, block.signature)
        if block.thinking:
            self._lose("redacted thinking", block)
        return wire.RedactedThinking(block.signature)

    def _call(self, block: ToolCallBlock, message: Message | None) -> Any:
        if type(message) is not AssistantMessage:
            self._lose("tool call", block)
            return None
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            arguments = Raw(encode({"raw_arguments": text}))
        return wire.ToolUse(
            self._ids.call(block.id),
            self._name(block.name, block),
            arguments,
            self._mark(block.cache, block),
        )

    def _result_block(self, block: ToolResultBlock, _: Message | None) -> None:
        """Write nothing: results stand at the start of their turn, and are written there."""
        if id(block) not in self._written:
            self._lose("tool result", block)

    def _image(self, block: ImageBlock, _: Message | None) -> Any:
        source: Any = _remote(block)
        media = _inline(block)
        if media is not None:
            media_type = block.known_mime_type()
            source = wire.Base64Source(media_type, media) if media_type in _IMAGE_TYPES else None
        if source is None:
            self._lose("image", block)
            return None
        return wire.Image(source, self._mark(block.cache, block))

    def _document(self, block: DocumentBlock, _: Message | None) -> Any:
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

    def _transcript(self, block: AudioBlock | VideoBlock, _: Message | None) -> Any:
        if type(block) is AudioBlock:
            self._lose("audio", block)
        else:
            self._lose("video", block)
        return _words(block.transcript)

    def _error(self, block: ErrorBlock, _: Message | None) -> Any:
        self._lose("error", block)
        return _words(block.message)

    def _data(self, block: DataBlock, _: Message | None) -> None:
        self._lose("data", block)

    def _annotation(self, block: AnnotationBlock, _: Message | None) -> None:
        self._lose("annotation", block)

    def _opaque_block(self, block: OpaqueBlock, _: Message | None) -> Any:
        if block.api == API:
            return self._opaque(block)
        self._lose("opaque block", block)
        return None


_BLOCKS: Final[dict[type, Callable[[BlockWriter, Any, Message | None], Any]]] = {
    TextBlock: BlockWriter._text,
    ThinkingBlock: BlockWriter._thinking_block,
    ToolCallBlock: BlockWriter._call,
    ToolResultBlock: BlockWriter._result_block,
    ImageBlock: BlockWriter._image,
    DocumentBlock: BlockWriter._document,
    AudioBlock: BlockWriter._transcript,
    VideoBlock: BlockWriter._transcript,
    DataBlock: BlockWriter._data,
    AnnotationBlock: BlockWriter._annotation,
    ErrorBlock: BlockWriter._error,
    OpaqueBlock: BlockWriter._opaque_block,
}
_IN_RESULTS: Final = frozenset({TextBlock, ImageBlock, DocumentBlock})


def is_blank(block: Any) -> bool:
    """Whether a block is white space only, which the API refuses where it is all there is."""
    return type(block) is TextBlock and not block.text.strip()


def _is_own(message: Message | None) -> bool:
    """Whether the signatures in a message are this API's."""
    if type(message) is not AssistantMessage:
        return False
    return message.api == API if message.api is not None else message.provider in _SIGNERS


def _is_cited(block: TextBlock) -> bool:
    """Whether the block still has the citations that came over this API."""
    extra = (block.extras or {}).get(API)
    return extra is not None and "citations" in extra.keys.value


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _inline(block: MediaBlock) -> Media | None:
    try:
        return block.inline()
    except DecodeError:  # a `data:` URL that is none
        return None


def _remote(block: MediaBlock) -> wire.UrlSource | wire.FileSource | None:
    if block.file_id is not None:
        return wire.FileSource(block.file_id)
    if block.url is not None and block.url.startswith(("https://", "http://")):
        return wire.UrlSource(block.url)
    return None


def _document_source(block: DocumentBlock) -> Any:
    if block.text is not None:
        return wire.TextSource(block.text)
    media = _inline(block)
    if media is None:
        return _remote(block)
    media_type = block.known_mime_type()
    if media_type == "application/pdf":
        return wire.Base64Source(media_type, media)
    if not media_type.startswith("text/"):
        return None
    try:
        return wire.TextSource(media.to_bytes().decode())
    except (DecodeError, UnicodeDecodeError):
        return None


def _call_id(call_id: str) -> str:
    return call_id if _WORD.fullmatch(call_id) else _mapped(call_id)


def _mapped(word: str) -> str:
    """Return the word in `[a-zA-Z0-9_-]`, with a hash so that no two become one."""
    digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{re.sub(r'[^a-zA-Z0-9_-]', '_', word)[: _LONGEST_NAME - 9]}_{digest}"
