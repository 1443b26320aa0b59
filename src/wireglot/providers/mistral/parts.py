"""Blocks -> the parts of Mistral's content, which its SDK calls chunks, in requests and answers."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Any, ClassVar, Final

from msgspec import Raw

from ...errors import EncodeError
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    OpaqueBlock,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    VideoBlock,
)
from ...model.blocks import MediaBlock
from ...model.media import is_url
from .._media import is_foreign_file, media_type
from .._writing import Writer, encode, inline
from ..losses import losses_of
from . import wire
from .reading import DETAILS

__all__ = ["PartWriter", "is_own_answer", "wire_id"]

_SIGNERS: Final = frozenset({"mistral"})  # `provider` of a message that names no `api`
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_NONE: Final = frozenset({b"", b"null"})
_NO_ARGUMENTS: Final = Raw(b'"{}"')


class PartWriter(Writer):
    """Base of the request and answer encoders: message content, and the arguments of calls."""

    WIRE: ClassVar[str] = "mistral"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("mistral")

    def arguments(self, block: ToolCallBlock) -> Raw:
        """Return a call's arguments as a JSON string, or as an object if they came as one."""
        try:
            arguments = block.arguments.string_json()
        except EncodeError:
            self._lose("arguments", block)
            arguments = Raw(encode(block.arguments.text.decode("utf-8", "replace")))
        if block.arguments.text.strip() in _NONE:
            arguments = _NO_ARGUMENTS
        if block.extras is not None and self._spells(block, "function"):
            arguments = block.arguments.object_json() or arguments
        return arguments

    def type_of(self, block: ToolCallBlock) -> str:
        """Return the `type` of a call: the one it came with on this wire, else `function`."""
        extra = block.extras.get(self.API) if block.extras is not None else None
        if extra is None or extra.spelling is None:
            return "function"
        word: str = extra.spelling.value.get("type", "function")
        return word

    # -- blocks: the part for each, or None ----------------------------------------------------

    def _add(self, block: Any, message: Any, content: list[Any]) -> None:
        write = _BLOCKS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is not a block", block)
        made = write(self, block, message)
        if made is not None:
            content.append(made if block.extras is None else self._with_extras(made, block))

    def _text(self, block: TextBlock, _: Any) -> wire.Text:
        if block.annotations:
            self._lose("annotation", block)
        if block.cache is not None:
            self._lose("cache mark", block)
        return wire.Text(block.text)

    def _thinking_block(self, block: ThinkingBlock, message: Any) -> wire.Thinking | None:
        kind = type(message)
        is_own = kind is SystemMessage or is_own_answer(message)
        texts = [block.thinking] if block.thinking else block.details or []
        is_said = kind is SystemMessage or kind is AssistantMessage
        if not is_said or block.redacted or not (texts or is_own):
            self._lose("thinking", block)
            return None
        signature = block.signature if is_own else None
        return wire.Thinking([wire.Text(text) for text in texts], signature)

    def _image(self, block: ImageBlock, message: Any) -> Any:
        if self._is_answer(block, message):
            return None
        if is_foreign_file(block, self.API):
            self._lose("file id", block)
            return None
        if block.file_id is not None:
            return wire.File(block.file_id)
        url: Any = _http_url(block)
        media = inline(block)
        if media is not None:
            kind = media_type(block)
            url = media.json_data_url(kind) if kind in _IMAGE_TYPES else None
        if url is None:
            self._lose("image", block)
            return None
        detail = block.detail
        if detail is not None and detail not in DETAILS:
            self._lose("image detail", block)
            detail = None
        if detail is None and self._spells(block, "image_url"):
            return wire.Image(url)
        return wire.Image(wire.ImageUrl(url, detail))

    def _document(self, block: DocumentBlock, message: Any) -> Any:
        if self._is_answer(block, message):
            return None
        if block.context is not None:
            self._lose("document context", block)
        if block.citations:
            self._lose("citations", block)
        if block.text is not None:
            self._lose("document text", block)
            if (block.url or block.data or block.file_id) is not None:
                self._lose("document source", block)
            return wire.Text(block.text)
        if is_foreign_file(block, self.API):
            self._lose("file id", block)
            return None
        if block.file_id is not None:
            return wire.File(block.file_id)
        url: Any = _http_url(block)
        media = inline(block)
        if media is not None:
            url = media.json_data_url(block.known_mime_type())
        if url is None:
            self._lose("document", block)
            return None
        return wire.Document(url, block.filename or block.title)

    def _audio(self, block: AudioBlock, message: Any) -> Any:
        if self._is_answer(block, message):
            return _words(block.transcript)
        media = inline(block)
        source: Any = media or _http_url(block)
        if source is None or (media is not None and is_url(media)):  # not audio data
            self._lose("audio", block)
            return _words(block.transcript)
        return wire.Audio({"data": source} if self._spells(block, "input_audio") else source)

    def _video(self, block: VideoBlock, message: Any) -> Any:
        if not self._is_answer(block, message):
            self._lose("video", block)
        return _words(block.transcript)

    def _data(self, block: DataBlock, message: Any) -> None:
        if not self._is_answer(block, message):
            self._lose("data", block)

    def _is_answer(self, block: MediaBlock, message: Any) -> bool:
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

    def _annotation(self, block: AnnotationBlock, _: Any) -> None:
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

    def _said(self, content: list[Any], part: Any) -> Any:
        """Return parts as `content`: a string, if it is one text that did not come as a list."""
        if part.extras is not None and self._spells(part, "content"):
            return content
        if len(content) == 1:
            only = content[0]
            if type(only) is TextBlock or type(only) is wire.Text:
                return only.text
        return content or ""

    def _spells(self, part: Any, key: str) -> bool:
        """Whether a part came with `key` in another form than the one written by default."""
        extra = part.extras.get(self.API) if part.extras is not None else None
        return extra is not None and extra.spelling is not None and key in extra.spelling.value


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


def wire_id(call_id: str) -> str:
    """Return a call's id in this wire's form: nine letters and digits."""
    if len(call_id) == 9 and call_id.isascii() and call_id.isalnum():
        return call_id
    return _nine_letters(call_id)


@lru_cache(maxsize=4096)  # a conversation asks for the same ids again at every turn
def _nine_letters(call_id: str) -> str:
    """Return nine letters and digits of a hash of the id, about 53 bits."""
    digest = b64encode(sha256(call_id.encode("utf-8", "surrogatepass")).digest())
    return digest.translate(None, b"+/=")[:9].decode()


def is_own_answer(message: Any) -> bool:
    """Whether the signatures in a message are this API's."""
    if type(message) is not AssistantMessage:
        return False
    return message.api == wire.API if message.api is not None else message.provider in _SIGNERS


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _http_url(block: MediaBlock) -> str | None:
    url = block.url
    return url if url is not None and url.startswith(("https://", "http://")) else None
