"""Blocks -> the blocks of Bedrock Converse, except calls and results (`writing.py`)."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from msgspec import Struct

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
    RawJson,
    Request,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    VideoBlock,
)
from .._turns import Disorder
from .._writing import RequestWriter, hashed
from . import wire
from .media import MediaWriter, words

__all__ = [
    "ID_LETTER",
    "LONGEST",
    "MOST_MARKS",
    "PartWriter",
    "citations_of",
    "is_base64",
    "is_id",
    "is_mark",
    "is_plain",
]

_SIGNERS: Final = frozenset({"bedrock", "amazon-bedrock"})  # `provider` where there is no `api`

MOST_MARKS: Final = 4
is_id: Final = re.compile(r"[a-zA-Z0-9_.:-]{1,64}").fullmatch
_is_name: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch
is_base64: Final = re.compile(r"(?:[a-zA-Z0-9+/]{4})*(?:[a-zA-Z0-9+/]{2,3}={1,2})?").fullmatch
ID_LETTER: Final = re.compile(r"[a-zA-Z0-9_.:-]")
_NAME_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
LONGEST: Final = 64


class _Piece(Struct):
    text: str | None = None


class _Cited(Struct):
    content: list[_Piece] | None = None


class _Spelling(Struct, rename="camel"):
    """The part of a text's spelling that is compared with the text."""

    citations_content: _Cited | None = None


_cited: Final = msgspec.json.Decoder(_Spelling).decode


class PartWriter(MediaWriter, RequestWriter):
    """The state of one encoding: names, titles, cache points left."""

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        self._names: dict[str, str] = {}
        self._titles: dict[str, int] = {}
        self._marks_left = MOST_MARKS
        self._short_marks = False

    # -- blocks: the part for each, or None ----------------------------------------------------

    def _text(self, block: TextBlock, message: Any) -> Any:
        if block.extras is not None and self._is_as_it_came(block, message):
            self._after_results(message)
            return wire.Block()  # the spelling fills it
        if block.annotations:
            self._lose("annotation", block)
        if not block.text or block.text.isspace():
            return None
        self._after_results(message)
        return wire.Block(block.text)

    def _is_as_it_came(self, block: TextBlock, message: Any) -> bool:
        """Whether the block has not changed since it was read from JSON or from cited text.

        JSON occurs only in results, where `message` is None; cited text only outside of them.
        """
        extra = (block.extras or {}).get(self.API)
        if extra is None or extra.spelling is None:
            return False
        if message is None:
            return extra.spelling.text == b'{"json":%b}' % block.text.encode()
        return citations_of(block) is not None

    def is_thought(self, block: Content, message: AssistantMessage) -> bool:
        """Whether a block is thinking that this API takes back."""
        if type(block) is not ThinkingBlock or not _is_own(message):
            return False
        return not block.redacted or bool(block.signature and is_base64(block.signature))

    def _thinking_block(self, block: ThinkingBlock, message: Any) -> Any:
        if not self.is_thought(block, message):
            self._lose("thinking", block)
            return None
        if not block.redacted:
            text = wire.ReasoningText(block.thinking, block.signature)
            return wire.Block(reasoning_content=wire.Reasoning(text))
        if block.thinking:
            self._lose("redacted thinking", block)
        return wire.Block(reasoning_content=wire.Reasoning(redacted_content=block.signature))

    def _image(self, block: ImageBlock, message: Any) -> Any:
        self._after_results(message)
        if type(message) is AssistantMessage and not _is_own(message):
            self._lose("answer content", block)
            return None
        return self.image(block)

    def _video(self, block: VideoBlock, message: Any) -> Any:
        self._after_results(message)
        return self.video(block)

    def _audio(self, block: AudioBlock, message: Any) -> Any:
        self._after_results(message)
        return self.audio(block)

    def _document(self, block: DocumentBlock, message: Any) -> Any:
        self._after_results(message)
        if type(message) is AssistantMessage and not _is_own(message):
            self._lose("answer content", block)
            return None
        return self.document(block)

    def _error(self, block: ErrorBlock, message: Any) -> Any:
        self._after_results(message)
        self._lose("error", block)
        return words(block.message)

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
        """Raise `Disorder` for a user's content before the results of open calls."""
        if self._open and message is not None and type(message) is not AssistantMessage:
            raise Disorder

    def add_mark(self, content: list[Any], mark: CacheMark, part: Any) -> None:
        """Add a cache point after content. It is lost if there is no content, or after thinking."""
        if content and not _is_thought(content[-1]):
            content += self._mark(mark, part)
        else:
            self._lose("cache mark", part)

    def _mark(self, mark: CacheMark, part: Any) -> list[Any]:
        """Return a cache point, none if all are used. A `1h` ttl after a shorter one is a loss."""
        if self._marks_left == 0:
            self._lose("cache mark", part)
            return []
        self._marks_left -= 1
        ttl = mark.ttl
        if ttl == "1h" and self._short_marks:
            self._lose("cache ttl", part)
            ttl = None
        self._short_marks |= ttl != "1h"
        return [wire.Block(cache_point=wire.CachePoint("default", ttl))]

    def _name(self, name: str, part: Any) -> str:
        """Return a tool's name in this wire's alphabet."""
        mapped = self._names.get(name)
        if mapped is None:
            mapped = _mapped(name)
            if mapped != name:
                self._lose("tool name", part)
            self._names[name] = mapped
        return mapped

    def called(self) -> list[str]:
        """Return the names of the tools that the whole conversation has called."""
        calls = (
            block.name
            for message in self._request.messages
            for block in message.content
            if type(message) is AssistantMessage and type(block) is ToolCallBlock
        )
        return list(dict.fromkeys(map(_mapped, calls)))


def _mapped(name: str) -> str:
    return name if _is_name(name) else hashed(name, _NAME_LETTER, LONGEST)


def is_plain(block: TextBlock) -> bool:
    """Whether a block has text that is not blank, and nothing else."""
    return (
        block.extras is None
        and block.cache is None
        and block.annotations is None
        and block.text != ""
        and not block.text.isspace()
    )


def citations_of(block: TextBlock) -> RawJson | None:
    """Return the spelling with the cited text that a block was read from, None if it changed."""
    extra = (block.extras or {}).get(wire.API)
    if extra is None or extra.spelling is None or block.annotations is None:
        return None
    try:
        cited = _cited(extra.spelling.text).citations_content
    except msgspec.DecodeError:
        return None
    if cited is None:
        return None
    said = "".join(piece.text or "" for piece in cited.content or ())
    return extra.spelling if said == block.text else None


def is_mark(part: Any) -> bool:
    """Whether a block or tool of the wire is a cache point."""
    return isinstance(part, wire.Block | wire.Tool) and part.cache_point is not None


def _is_thought(part: Any) -> bool:
    return type(part) is wire.Block and part.reasoning_content is not None


def _is_own(message: Any) -> bool:
    """Whether the signatures in a message are this API's."""
    if type(message) is not AssistantMessage:
        return False
    return message.api == wire.API if message.api is not None else message.provider in _SIGNERS
