"""Blocks -> the parts of Cohere's content, except calls and results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...errors import DecodeError
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    OpaqueBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
    VideoBlock,
)
from .._media import media_type
from .._writing import RequestWriter, inline, lists_some, with_keys
from ..losses import losses_of
from . import wire
from .reading import IMAGE_TYPES, document_text, is_cited

__all__ = ["PartWriter", "is_own", "thoughts"]

_MAKERS: Final = frozenset({"cohere"})  # `provider` of a message that names no `api`
_DETAILS: Final = {"auto": "auto", "low": "low", "high": "high", "original": "high"}
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class PartWriter(RequestWriter):
    """The encoder of blocks; `writing.py` adds the messages that hold them."""

    WIRE: ClassVar[str] = "cohere"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("cohere")

    def _add(self, block: Any, message: Any, parts: list[Any]) -> None:
        """Write a block, and add it to the parts of its message if anything of it is left."""
        write = _BLOCKS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is not a block", block)
        made = write(self, block, message)
        if made is None:
            return
        if block.extras is None:
            parts.append(made)
        elif type(made) is wire.Text and self._spelling(block, "document") is not None:
            own = self._own_keys(block)  # without the document, which the text has left behind
            parts.append(with_keys(made, own) if own else made)
        else:
            parts.append(self._with_extras(made, block))

    # -- what stands for a block, or None for nothing ------------------------------------------

    def _text(self, block: TextBlock, message: Any) -> Any:
        if block.annotations and not self._is_cited(message):
            self._lose("annotation", block)
        if block.cache is not None:
            self._lose("cache mark", block)
        if not block.text:
            if block.extras is not None and self._own_keys(block):
                self._lose("extras", block)
            return None
        if block.extras is not None and type(message) in _RESULTS:
            document = self._document_of(block)
            if document is not None:
                return {"type": "document", "document": document}
        return wire.Text(block.text)

    def _document_of(self, block: Any) -> Raw | None:
        """Return the document that a text was read from, if the text has not changed."""
        if self._spelling(block, "document") is None:
            return None
        document = _keys(block.extras[self.API].spelling.text)["document"]
        return document if document_text(_keys(document)["data"]) == block.text else None

    def _thinking_block(self, block: ThinkingBlock, message: Any) -> wire.Thinking | None:
        if type(message) is not AssistantMessage:
            self._lose("thinking", block)
            return None
        if block.redacted:
            self._lose("redacted thinking", block)
            return None
        text = "".join(thoughts(block))
        if text or is_own(message):
            return wire.Thinking(text)
        self._lose_keys(block)
        return None

    def _image(self, block: ImageBlock, message: Any) -> wire.Image | None:
        if self._is_in_answer(block, message):
            return None
        url: Any = block.url
        media = inline(block)
        if media is not None:
            kind = block.known_mime_type()
            kind = kind if kind in IMAGE_TYPES else media_type(block)
            url = media.json_data_url(kind) if kind in IMAGE_TYPES else None
        elif url is not None and not url.startswith(("https://", "http://")):
            url = None
        if url is None:
            self._lose("image", block)
            return None
        if block.detail is not None and block.detail not in _DETAILS:
            self._lose("image detail", block)
        return wire.Image(wire.ImageUrl(url, _DETAILS.get(block.detail or "")))

    def _document(self, block: DocumentBlock, message: Any) -> Any:
        if self._is_in_answer(block, message):
            return None
        text = _document_words(block)
        if not text:
            self._lose("document", block)
            return None
        if block.text is not None and (block.url or block.data or block.file_id) is not None:
            self._lose("document source", block)
        if type(message) in _RESULTS:
            fields = {"title": block.title or block.filename, "text": text}
            fields["context"] = block.context
            data = {key: value for key, value in fields.items() if value is not None}
            return wire.Document(wire.DocumentData(data=data))
        self._lose("document text", block)
        if block.context is not None:
            self._lose("document context", block)
        if block.citations:
            self._lose("citations", block)
        return wire.Text(text)

    def _audio(self, block: AudioBlock, message: Any) -> wire.Text | None:
        if not self._is_in_answer(block, message):
            self._lose("audio", block)
        return _words(block.transcript)

    def _video(self, block: VideoBlock, message: Any) -> wire.Text | None:
        if not self._is_in_answer(block, message):
            self._lose("video", block)
        return _words(block.transcript)

    def _data(self, block: DataBlock, message: Any) -> None:
        if not self._is_in_answer(block, message):
            self._lose("data", block)

    def _is_in_answer(self, block: Any, message: Any) -> bool:
        """Whether a media block is in an answer, and so lost; its breakpoint is lost anywhere."""
        if block.cache is not None:
            self._lose("cache mark", block)
        if type(message) is not AssistantMessage:
            return False
        self._lose("answer content", block)
        return True

    def _error(self, block: ErrorBlock, _: Any) -> wire.Text | None:
        self._lose("error", block)
        return _words(block.message)

    def _annotation(self, block: AnnotationBlock, message: Any) -> None:
        if not self._is_cited(message):
            self._lose("annotation", block)

    def _users_call(self, block: ToolCallBlock, _: Any) -> None:
        self._lose("tool call", block)

    def _answers_result(self, block: ToolResultBlock, _: Any) -> None:
        self._lose("tool result", block)

    def _opaque_block(self, block: OpaqueBlock, _: Any) -> Any:
        if block.api == self.API:
            return self._opaque(block)
        self._lose("opaque block", block)
        return None

    # -- spelling ------------------------------------------------------------------------------

    def _is_cited(self, message: Any) -> bool:
        """Whether a message has citations that came over this API."""
        return type(message) is AssistantMessage and bool(self._spelling(message, "citations"))

    def _is_stale(self, part: Any, key: str, spelled: Raw) -> bool:
        is_answers = key == "citations" and type(part) is AssistantMessage
        return is_answers and lists_some(spelled) and not is_cited(part)

    def _spelling(self, part: Any, key: str) -> Any:
        """Return the value of a key in a part's spelling, None if it is not there."""
        extra = part.extras.get(self.API) if part.extras is not None else None
        return extra.spelling.value.get(key) if extra is not None and extra.spelling else None


_BLOCKS: Final[dict[type, Callable[[PartWriter, Any, Any], Any]]] = {
    TextBlock: PartWriter._text,
    ThinkingBlock: PartWriter._thinking_block,
    ToolCallBlock: PartWriter._users_call,
    ToolResultBlock: PartWriter._answers_result,
    ImageBlock: PartWriter._image,
    DocumentBlock: PartWriter._document,
    AudioBlock: PartWriter._audio,
    VideoBlock: PartWriter._video,
    DataBlock: PartWriter._data,
    AnnotationBlock: PartWriter._annotation,
    ErrorBlock: PartWriter._error,
    OpaqueBlock: PartWriter._opaque_block,
}
_RESULTS: Final = frozenset({ToolResultBlock, ToolResultMessage})


def is_own(message: Any) -> bool:
    """Whether an answer is this API's."""
    return message.api == wire.API if message.api is not None else message.provider in _MAKERS


def thoughts(block: ThinkingBlock) -> list[str]:
    """Return the text of a thinking block, or else of its details, in a list; empty if none."""
    text = block.thinking or "\n".join(block.details or ())
    return [text] if text else []


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _document_words(block: DocumentBlock) -> str | None:
    """Return the text of a document, None if it does not hold text."""
    if block.text is not None:
        return block.text
    media = inline(block)
    if media is None or not block.known_mime_type().startswith("text/"):
        return None
    try:
        return media.to_bytes().decode()
    except (DecodeError, UnicodeDecodeError):
        return None
