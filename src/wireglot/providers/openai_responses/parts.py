"""Blocks -> the parts of Responses; also the base of all encoders of this wire.

The extras of a block hold what the model has no field for. `as` in their spelling names the shape
that the block came in; see `reading.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...errors import DecodeError, EncodeError
from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AudioBlock,
    CacheMark,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    Media,
    OpaqueBlock,
    Request,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    VideoBlock,
)
from ...model.media import Pieces
from .._media import is_foreign_file, media_type
from .._writing import RequestWriter, Writer, hashed, inline, is_uncited, shallow, with_keys
from ..losses import losses_of
from . import wire
from .dialects import SERVICES

__all__ = [
    "DETAILS",
    "FILE_TYPES",
    "IMAGE_TYPES",
    "LETTER",
    "LONGEST",
    "PARTS",
    "PartWriter",
    "SpellingWriter",
    "is_plain_text",
    "joined",
]

IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
DETAILS: Final = frozenset({"low", "high", "auto", "original"})
FILE_TYPES: Final = {
    "any": re.compile(
        r"text/[\w.+-]+|application/(pdf|json|rtf|xml|msword|vnd\.ms-(excel|powerpoint)"
        r"|vnd\.openxmlformats-officedocument\.[\w.+-]+|vnd\.oasis\.opendocument\.[\w.+-]+)"
    ),
    "pdf": re.compile("application/pdf"),
    "stored": re.compile("(?!)"),
}
"""The types of documents that are taken inline."""
PARTS: Final = frozenset(
    {"input_text", "input_image", "input_file", "input_audio", "input_video"}
    | {"output_text", "refusal", "text"}
)
"""The types of message parts; an opaque block of another type is an item of its own."""
_MARKERS: Final = frozenset({"after", "as", "next", "message"})
_NULL: Final = Raw(b"null")
LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_is_word: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch
LONGEST: Final = 64
"""The most characters that a call's id, or a name, may have."""
_DEFAULT_NAMES: Final = {"application/pdf": "document.pdf", "text/plain": "document.txt"}
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class SpellingWriter(Writer):
    """Base of the request and answer encoders: restores the shape and spelling of a part."""

    WIRE: ClassVar[str] = "openai_responses"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("openai_responses")

    def _shape(self, part: Any) -> tuple[Any, bool]:
        """Return the shape that a part came in, None if usual, and whether it is this dialect's."""
        extra = part.extras.get(self.API) if part.extras is not None else None
        if extra is None or extra.spelling is None:
            return None, False
        return extra.spelling.value.get("as"), extra.dialect in (None, self._dialect)

    def _spelling(self, part: Any) -> dict[str, Raw]:
        """Return the spelled keys of a part that still hold, if they came in this dialect."""
        extra = part.extras.get(self.API) if part.extras is not None else None
        if extra is None or extra.spelling is None or extra.dialect not in (None, self._dialect):
            return {}
        spelling = _keys(extra.spelling.text)
        return {key: spelling[key] for key in spelling if not _is_stale(part, key, spelling[key])}

    def _with_extras(self, made: Any, part: Any) -> Any:
        """Return `made` with the unknown keys of `part`, and its spelled keys in this dialect."""
        return joined(made, self._own_keys(part), self._spelling(part)) if part.extras else made

    def _is_item(self, block: OpaqueBlock) -> bool:
        """Whether an opaque block of this API is an item, and not a part of a message."""
        shape = self._shape(block)[0]
        if shape in ("item", "part"):
            return bool(shape == "item")
        return self._opaque(block).value.get("type") not in PARTS


class PartWriter(SpellingWriter, RequestWriter):
    """Base of the request encoder: writes parts, and holds the dialect and the tool names."""

    def __init__(self, request: Request, losses: Losses, dialect: str) -> None:
        super().__init__(request, losses, dialect)
        if dialect not in SERVICES:
            known = ", ".join(f"`{name}`" for name in SERVICES)
            raise EncodeError(f"dialect `{dialect}`, expected one of {known}", wire=self.WIRE)
        self._service = SERVICES[dialect]
        self._names: dict[str, str] = {}

    # -- parts: what stands for a block, or None for nothing -----------------------------------

    def _part(self, block: Any) -> Any:
        """Return the part for a block, with the block's unknown keys; None if it is lost."""
        made = self._bare(block)
        return made if made is None or block.extras is None else self._with_extras(made, block)

    def _bare(self, block: Any) -> Any:
        write = _PARTS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is not a block", block)
        return write(self, block)

    def _text(self, block: TextBlock) -> Any:
        if block.annotations and "annotations" not in self._spelling(block):
            self._lose("annotation", block)
        return self._marked(wire.Part("input_text", block.text), block)

    def _image(self, block: ImageBlock) -> Any:
        if is_foreign_file(block, self.API):
            self._lose("file id", block)
            return None
        made = wire.Part("input_image", file_id=block.file_id)
        if block.file_id is None:
            made.image_url = self._url(block, inline(block))
            if made.image_url is None:
                self._lose("image", block)
                return None
        made.detail = block.detail if block.detail in DETAILS else "auto"
        return self._marked(made, block)

    def _url(self, block: ImageBlock, media: Media | None) -> Raw | Pieces | str | None:
        if media is None:
            return _http(block.url)
        came_so = self._came_so(block)
        kind = block.known_mime_type() if came_so else media_type(block)
        return media.json_data_url(kind) if kind in IMAGE_TYPES or came_so else None

    def _document(self, block: DocumentBlock) -> Any:
        if block.context is not None:
            self._lose("document context", block)
        if block.citations:
            self._lose("citations", block)
        made = wire.Part("input_file", filename=block.filename)
        media, mime_type = inline(block), "text/plain"
        if block.text:
            if (block.url or block.data or block.file_id) is not None:
                self._lose("document source", block)
            media = Media.from_bytes(block.text.encode())
        elif is_foreign_file(block, self.API):
            self._lose("file id", block)
            return None
        elif block.file_id is not None:
            made.file_id = block.file_id
            return self._marked(made, block)
        elif media is not None:
            mime_type = block.known_mime_type()
        if media is None:
            made.file_url = _http(block.url)
        elif FILE_TYPES[self._service.files].fullmatch(mime_type) or self._came_so(block):
            made.file_data = media.json_data_url(mime_type)
            made.filename = block.filename or block.title or _DEFAULT_NAMES.get(mime_type, "file")
        else:
            text = block.text or _text_of(media, mime_type)
            if text:
                self._lose("document text", block)
                return self._marked(wire.Part("input_text", text), block)
        if made.file_url is None and made.file_data is None:
            self._lose("document", block)
            return None
        return self._marked(made, block)

    def _transcript(self, block: AudioBlock | VideoBlock) -> Any:
        self._lose("audio" if type(block) is AudioBlock else "video", block)
        return self._words(block.transcript, block)

    def _error(self, block: ErrorBlock) -> Any:
        self._lose("error", block)
        return wire.Part("input_text", block.message) if _has_words(block.message) else None

    def _words(self, text: str | None, block: Any) -> Any:
        return self._marked(wire.Part("input_text", text), block) if _has_words(text) else None

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

    def _came_so(self, block: Any) -> bool:
        """Whether a block goes back as it came in this dialect, even if the dialect takes none."""
        return block.extras is not None and self._shape(block) == ("as is", True)

    # -- breakpoints ---------------------------------------------------------------------------

    def _marked(self, made: wire.Part, block: Any) -> wire.Part:
        if block.cache is not None and "prompt_cache_breakpoint" not in self._spelling(block):
            self._mark(made, block.cache, block)
        return made

    def _mark(self, made: wire.Part, mark: CacheMark, part: Any) -> None:
        if made.type not in self._service.breakpoints:
            self._lose("cache mark", part)
            return
        if mark.ttl == "1h":
            self._lose("cache ttl", part)
        made.prompt_cache_breakpoint = wire.CacheBreakpoint("explicit")

    # -- names ----------------------------------------------------------------------------------

    def _tool_name(self, name: str, part: Any) -> str:
        """Return a tool's name in this wire's alphabet."""
        mapped = self._names.get(name)
        if mapped is None:
            mapped = name
            if not _is_word(name):
                self._lose("tool name", part)
                mapped = hashed(name, LETTER, LONGEST)
            self._names[name] = mapped
        return mapped

    def _plain(self, name: str, part: Any) -> str:
        """Return a name, other than a tool's, in this wire's alphabet."""
        if _is_word(name):
            return name
        self._lose("name", part)
        return hashed(name, LETTER, LONGEST)

    def _call_id(self, call_id: str) -> str:
        return call_id if 0 < len(call_id) <= LONGEST else hashed(call_id, LETTER, LONGEST)


def joined(made: Any, own: dict[str, Raw], spelling: dict[str, Raw]) -> Any:
    """Return `made` with unknown keys and spelled keys; a key spelled as null is left out."""
    spelling = {key: spelling[key] for key in spelling if key not in _MARKERS}
    if not own and not spelling:
        return made
    known = with_keys(made, own) if own else dict(shallow(made))
    known |= spelling
    return {key: known[key] for key in known if spelling.get(key) != _NULL}


def _is_stale(part: Any, key: str, spelling: Raw) -> bool:
    """Whether a field of the block no longer says what its spelling says."""
    if key == "detail":
        return type(part) is ImageBlock and part.detail in DETAILS
    if key == "filename":
        return part.filename is not None
    if key == "strict":
        return part.strict is not None
    if key == "parameters":
        return part.parameters is not None and part.parameters.text != bytes(spelling)
    if key == "annotations":
        return type(part) is TextBlock and is_uncited(part, spelling)
    if key == "summary":
        return spelling == _NULL and bool(part.thinking)
    return key == "prompt_cache_breakpoint" and part.cache is None


_PARTS: Final[dict[type, Callable[[PartWriter, Any], Any]]] = {
    TextBlock: PartWriter._text,
    ImageBlock: PartWriter._image,
    AudioBlock: PartWriter._transcript,
    VideoBlock: PartWriter._transcript,
    DocumentBlock: PartWriter._document,
    DataBlock: PartWriter._data,
    ThinkingBlock: PartWriter._thinking,
    ToolCallBlock: PartWriter._tool_call,
    AnnotationBlock: PartWriter._annotation,
    ErrorBlock: PartWriter._error,
    OpaqueBlock: PartWriter._opaque_block,
}


def is_plain_text(block: Any) -> bool:
    """Whether a text block holds its text, and nothing else."""
    return (
        block.cache is None
        and block.annotations is None
        and block.signature is None
        and block.extras is None
    )


def _has_words(text: str | None) -> bool:
    return bool(text) and not text.isspace()  # type: ignore[union-attr]


def _http(url: str | None) -> str | None:
    return url if url is not None and url.startswith(("https://", "http://")) else None


def _text_of(media: Media, mime_type: str) -> str | None:
    if not mime_type.startswith("text/"):
        return None
    try:
        return media.to_bytes().decode()
    except (DecodeError, UnicodeDecodeError):
        return None
