"""Blocks -> the parts of Chat Completions, in requests and in answers.

`as` in the spelling of a block's extras names the shape that it came in, see `reading.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar, Final

from msgspec import Raw, Struct

from ...errors import DecodeError
from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AudioBlock,
    CacheMark,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    OpaqueBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    VideoBlock,
)
from ...model.media import Pieces
from .._media import is_foreign_file, media_type
from .._writing import Writer, hashed, inline
from ..losses import losses_of
from . import wire
from .dialects import service_of

__all__ = [
    "AUDIO_FORMATS",
    "FILE_TYPES",
    "IMAGE_TYPES",
    "LETTER",
    "LONGEST_NAME",
    "MEDIA",
    "MOST_MARKS",
    "PartWriter",
    "as_content",
]

IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
FILE_TYPES: Final = frozenset({"application/pdf"})
AUDIO_FORMATS: Final = {
    "audio/wav": "wav",
    "audio/wave": "wav",
    "audio/x-wav": "wav",
    "audio/vnd.wave": "wav",
    "audio/mpeg": "mp3",
    "audio/mp3": "mp3",
}
MEDIA: Final[dict[type, str]] = {
    ImageBlock: "image",
    AudioBlock: "audio",
    VideoBlock: "video",
    DocumentBlock: "document",
}
_MARKS: Final = frozenset({"cache_control", "prompt_cache_breakpoint"})
MOST_MARKS: Final = 4
LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
LONGEST_NAME: Final = 64
_is_word: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch


class PartWriter(Writer):
    """Base of the request and answer encoders: the dialect, tool names, breakpoints left."""

    WIRE: ClassVar[str] = "openai_chat"
    NOTES: ClassVar[tuple[str, ...]] = ("as",)
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("openai_chat")

    def __init__(self, root: Any, losses: Losses, dialect: str, *more: Any) -> None:
        super().__init__(root, losses, dialect, *more)
        self._service = service_of(dialect)
        self._names: dict[str, str] = {}
        self._marks_left = MOST_MARKS

    # -- parts: what stands for a block, or None for nothing -----------------------------------

    def _part(self, block: Any) -> Any:
        """Return the part for a block, with the block's unknown keys; None if it is lost."""
        write = _PARTS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is not a block", block)
        made = write(self, block)
        if made is None or block.extras is None:
            return made
        return self._with_extras(made, block)

    def _text(self, block: TextBlock) -> Any:
        if block.annotations and self._shape(block)[0] != "cited":
            self._lose("annotation", block)
        return self._marked(wire.Text(block.text), block)

    def _image(self, block: ImageBlock) -> Any:
        url = self._url(block, IMAGE_TYPES)
        if url is None:
            self._lose("image", block)
            return None
        return self._marked(wire.Image(wire.Url(url, block.detail)), block)

    def _video(self, block: VideoBlock) -> Any:
        url = self._url(block, None)
        if url is None:
            self._lose("video", block)
            return _words(block.transcript)
        return self._marked(wire.Video(wire.Url(url)), block)

    def _audio(self, block: AudioBlock) -> Any:
        form = None
        media = inline(block)
        if media is not None:
            mime_type = block.known_mime_type()
            if self._came_so(block):
                form = AUDIO_FORMATS.get(mime_type, mime_type.removeprefix("audio/"))
            elif "audio" in self._service.media:
                form = AUDIO_FORMATS.get(mime_type)
        if media is None or form is None:
            self._lose("audio", block)
            return _words(block.transcript)
        return self._marked(wire.Audio(wire.AudioData(media.json(), form)), block)

    def _document(self, block: DocumentBlock) -> Any:
        if block.context is not None:
            self._lose("document context", block)
        if block.citations:
            self._lose("citations", block)
        text = _document_text(block) if not self._came_so(block) else None
        if text is not None:
            self._lose("document text", block)
            return self._marked(wire.Text(text), block)
        if is_foreign_file(block, self.API):
            self._lose("file id", block)
            return None
        file = self._file(block)
        if file is None:
            self._lose("document", block)
            return None
        return self._marked(wire.File(file), block)

    def _file(self, block: DocumentBlock) -> wire.FileData | None:
        if block.file_id is not None:
            came_so = self._came_so(block)
            if not came_so and "document" not in self._service.media:
                return None
            # The API takes a file name only with inline data.
            return wire.FileData(block.filename if came_so else None, file_id=block.file_id)
        url = self._url(block, FILE_TYPES)
        if url is None or (type(url) is str and not self._takes_url(block)):
            return None
        return wire.FileData(block.filename or block.title or "document.pdf", url)

    def _takes_url(self, block: DocumentBlock) -> bool:
        return self._service.file_urls or self._came_so(block)

    def _url(self, block: Any, types: frozenset[str] | None) -> Raw | Pieces | str | None:
        """Return a block's http URL, or a `data:` URL if its data is of one of the types."""
        came_so = self._came_so(block)
        if MEDIA[type(block)] not in self._service.media and not came_so:
            return None
        media = inline(block)
        if media is None:
            url: str | None = block.url
            return url if url is not None and url.startswith(("https://", "http://")) else None
        kind = block.known_mime_type() if types is None or came_so else media_type(block)
        return media.json_data_url(kind) if types is None or kind in types or came_so else None

    def _came_so(self, block: Any) -> bool:
        """Whether a block goes back as it came in this dialect, even if the dialect takes none."""
        return block.extras is not None and self._shape(block) == ("as is", True)

    def _error(self, block: ErrorBlock) -> Any:
        self._lose("error", block)
        return _words(block.message)

    def _data(self, block: DataBlock) -> None:
        self._lose("data", block)

    def _annotation(self, block: AnnotationBlock) -> None:
        self._lose("annotation", block)

    def _thinking(self, block: ThinkingBlock) -> None:
        self._lose("thinking", block)

    def _tool_call(self, block: ToolCallBlock) -> None:
        self._lose("tool call", block)

    def _opaque_block(self, block: OpaqueBlock) -> Any:
        if block.api == self.API:
            return self._opaque(block)
        self._lose("opaque block", block)
        return None

    def _detail(self, block: Any, shape: dict[str, Any]) -> Any:
        """Return the reasoning detail for a block: a summary if it came as one, else by content."""
        made: Any
        if shape.get("type") == "reasoning.summary":
            made = wire.ReasoningSummary(block.thinking)
        elif block.redacted:
            made = wire.ReasoningEncrypted(block.signature or "")
        else:
            text = block.thinking if block.thinking or not block.signature else None
            made = wire.ReasoningText(text, block.signature)
        for key in ("id", "format", "index"):
            setattr(made, key, shape.get(key))
        return made if block.extras is None else self._with_extras(made, block)

    # -- breakpoints ---------------------------------------------------------------------------

    def _marked(self, made: Any, block: Any) -> Any:
        if block.cache is not None:
            self._mark(made, block.cache, block)
        return made

    def _mark(self, made: Any, mark: CacheMark, part: Any) -> None:
        """Put a breakpoint on a part or a tool, under the dialect's key."""
        key = self._service.cache
        if self._came_marked(part):
            return
        if key == "cache_control" and self._marks_left:
            self._marks_left -= 1
            made.cache_control = wire.CacheControl(mark.ttl)
        elif key == "prompt_cache_breakpoint" and hasattr(made, key):
            if mark.ttl == "1h":
                self._lose("cache ttl", part)
            made.prompt_cache_breakpoint = wire.CacheBreakpoint("explicit")
        else:
            self._lose("cache mark", part)

    def _mark_last(self, parts: list[Any], mark: CacheMark, owner: Any) -> None:
        """Put a breakpoint behind the last of some parts."""
        last = parts[-1] if parts else None
        if type(last) is TextBlock:
            last = parts[-1] = wire.Text(last.text)
        if isinstance(last, Struct):
            self._mark(last, mark, owner)
        else:
            self._lose("cache mark", owner)

    def _came_marked(self, part: Any) -> bool:
        """Whether a part's spelling, in this dialect, holds the breakpoint that it came with."""
        extra = part.extras.get(self.API) if part.extras is not None else None
        if extra is None or extra.spelling is None or extra.dialect != self._dialect:
            return False
        return not _MARKS.isdisjoint(extra.spelling.value)

    def _is_stale(self, part: Any, key: str, spelled: Raw) -> bool:
        return key in _MARKS and getattr(part, "cache", part) is None

    # -- names and extras ----------------------------------------------------------------------

    def _tool_name(self, name: str, part: Any) -> str:
        """Return a tool's name in this wire's alphabet."""
        mapped = self._names.get(name)
        if mapped is None:
            mapped = name
            if not _is_word(name):
                self._lose("tool name", part)
                mapped = hashed(name, LETTER, LONGEST_NAME)
            self._names[name] = mapped
        return mapped

    def _name(self, part: Any) -> str | None:
        """Return a participant's name in this wire's alphabet."""
        return None if part.name is None else self._plain(part.name, part)

    def _plain(self, name: str, part: Any) -> str:
        if _is_word(name):
            return name
        self._lose("name", part)
        return hashed(name, LETTER, LONGEST_NAME)

    def _shape(self, part: Any) -> tuple[Any, bool]:
        """Return the shape that a part came in, None if usual, and whether it is this dialect's."""
        extra = part.extras.get(self.API) if part.extras is not None else None
        if extra is None or extra.spelling is None:
            return None, False
        return extra.spelling.value.get("as"), extra.dialect == self._dialect

    def _type_of(self, block: ToolCallBlock) -> str:
        """Return the `type` of a call of a function; a service's own word goes back to it alone."""
        extra = block.extras.get(self.API) if block.extras is not None else None
        if extra is None or extra.spelling is None or extra.dialect != self._dialect:
            return "function"
        word: str | None = extra.spelling.value.get("type")
        return word if word is not None and word == block.tool_type else "function"


_PARTS: Final[dict[type, Callable[[PartWriter, Any], Any]]] = {
    TextBlock: PartWriter._text,
    ImageBlock: PartWriter._image,
    AudioBlock: PartWriter._audio,
    VideoBlock: PartWriter._video,
    DocumentBlock: PartWriter._document,
    DataBlock: PartWriter._data,
    ThinkingBlock: PartWriter._thinking,
    ToolCallBlock: PartWriter._tool_call,
    AnnotationBlock: PartWriter._annotation,
    ErrorBlock: PartWriter._error,
    OpaqueBlock: PartWriter._opaque_block,
}


def as_content(parts: list[Any]) -> Any:
    """Return parts as `content`: a string, if they are one plain text."""
    if len(parts) == 1:
        part = parts[0]
        if type(part) is TextBlock:
            return part.text
        if type(part) is wire.Text and not (part.prompt_cache_breakpoint or part.cache_control):
            return part.text
    return parts


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _document_text(block: DocumentBlock) -> str | None:
    if block.text is not None:
        return block.text
    media = inline(block)
    if media is None or not block.known_mime_type().startswith("text/"):
        return None
    try:
        return media.to_bytes().decode()
    except (DecodeError, UnicodeDecodeError):
        return None
