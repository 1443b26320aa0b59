"""Content blocks, a union tagged by `type`."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self

from msgspec import field

from ..errors import EncodeError
from .accepted import NOTHING, ListOf, empty
from .base import Extras, Node, adopting, only_text
from .enums import ToolKind
from .media import InlineMedia, Media, adopt_media
from .rawjson import Arguments, RawArguments, RawJson, RawValue, adopt_arguments

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = [
    "AnnotationBlock",
    "AnnotationRef",
    "AudioBlock",
    "CacheMark",
    "Content",
    "DataBlock",
    "DocumentBlock",
    "ErrorBlock",
    "ImageBlock",
    "MediaBlock",
    "OpaqueBlock",
    "TextBlock",
    "ThinkingBlock",
    "ToolCallBlock",
    "ToolResultBlock",
    "VideoBlock",
    "not_a_block",
]


class CacheMark(Node):
    """A prompt-cache breakpoint after the block that carries it."""

    ttl: Literal["5m", "1h"] | None = None


class AnnotationRef(Node):
    """A source that a text refers to. `start` and `end` are character offsets into that text."""

    url: str | None = None
    title: str | None = None
    file_id: str | None = None
    page: int | None = None
    index: int | None = None
    cited_text: str | None = None
    start: int | None = None
    end: int | None = None
    extras: Extras | None = None


class TextBlock(Node, tag_field="type", tag="text"):
    """Text. `signature` is a provider's mark on it (Gemini signs text too)."""

    type: ClassVar[Literal["text"]] = "text"

    text: str
    annotations: list[AnnotationRef] | None = None
    signature: str | None = None
    cache: CacheMark | None = None
    extras: Extras | None = None


class ThinkingBlock(Node, tag_field="type", tag="thinking"):
    """What the model thought.

    `signature` is opaque, and belongs to the API that made the message, or to the models that its
    extras name. It is sent to these alone. It may come with empty text. With `redacted` the text is
    empty and `signature` holds the encrypted thinking. `details` are further parts, such as the
    items of a summary.
    """

    type: ClassVar[Literal["thinking"]] = "thinking"

    thinking: str
    signature: str | None = None
    redacted: bool = False
    details: list[str] | None = None
    extras: Extras | None = None


class ToolCallBlock(Node, tag_field="type", tag="toolCall"):
    """A call that the model asks for. `arguments` keeps the model's own text; see `Arguments`.

    A caller may pass `arguments` as a dict, or as the model's text (`str` or `bytes`).
    """

    type: ClassVar[Literal["toolCall"]] = "toolCall"

    id: str
    name: str
    arguments: RawArguments
    kind: ToolKind | None = None
    tool_type: str | None = None
    signature: str | None = None
    metadata: dict[str, Any] | None = None
    cache: CacheMark | None = None
    extras: Extras | None = None

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed."""
        arguments = self.arguments
        if type(arguments) is not Arguments:
            _put_arguments(self, adopt_arguments(arguments))

    if not TYPE_CHECKING:  # with a `__setattr__`, a type checker allows any name
        __setattr__ = adopting(arguments=adopt_arguments)


# An assignment would come to `__setattr__`.
_put_arguments = ToolCallBlock.__dict__["arguments"].__set__


class ToolResultBlock(Node, tag_field="type", tag="toolResult"):
    """The result of one call, inside a batch. `status` and `terminate` are for the loop only.

    `details` is structured output for programs, beside the `content` that the model reads.
    """

    type: ClassVar[Literal["toolResult"]] = "toolResult"

    tool_call_id: str
    tool_name: str | None = None
    content: ListOf[Content] = empty()
    is_error: bool = False
    status: str | None = None
    details: Any = None
    metadata: dict[str, Any] | None = None
    terminate: bool = False
    child_loop_id: str | None = None
    cache: CacheMark | None = None
    extras: Extras | None = None

    @classmethod
    def from_text(cls, tool_call_id: str, text: str, *, is_error: bool = False) -> Self:
        """Return a result with one text block."""
        only_text(tool_call_id=tool_call_id, text=text)
        return cls(tool_call_id, content=[TextBlock(text)], is_error=is_error)

    def text(self) -> str:
        """Return the text blocks of the content, joined without a separator."""
        return joined_text(self.content)


def not_a_block(value: Any) -> str:
    """Return the reason for a value where a block is expected, and the next step."""
    step = "; use `TextBlock`" if isinstance(value, str) else ""
    return f"`{type(value).__name__}`, expected a content block{step}"


class MediaBlock(Node):
    """Base of the media blocks: one source (`data`, `url` or `file_id`), and what is known of it.

    `size` counts bytes, `width` and `height` pixels, `sha256` is hexadecimal, all as declared by
    the block's maker. `page` is a page of a paged source. A `url` is never fetched.
    """

    default_mime_type: ClassVar[str] = "application/octet-stream"

    data: InlineMedia = NOTHING
    url: str | None = None
    file_id: str | None = None
    mime_type: str | None = None
    filename: str | None = None
    size: int | None = None
    sha256: str | None = None
    width: int | None = None
    height: int | None = None
    duration_ms: int | None = None
    page: int | None = None
    cache: CacheMark | None = None
    extras: Extras | None = None

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed; refuse two sources."""
        data = self.data
        if data is not None and type(data) is not Media:
            _put_data(self, adopt_media(data))
        if (self.data is not None) + (self.url is not None) + (self.file_id is not None) > 1:
            raise EncodeError("several of `data`, `url` and `fileId`, expected one", wire="model")

    if not TYPE_CHECKING:  # with a `__setattr__`, a type checker allows any name
        __setattr__ = adopting(data=adopt_media)

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, mime_type: str | None = None) -> Self:
        """Return a block of binary data; the type is sniffed if not given."""
        return cls._inline(Media.from_bytes(data), mime_type)

    @classmethod
    def from_base64(cls, text: str | bytes, mime_type: str | None = None) -> Self:
        """Return a block of base64 text, unchecked; the type is sniffed if not given."""
        return cls._inline(Media.from_base64(text), mime_type)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], mime_type: str | None = None) -> Self:
        """Return a block of a file, which is read when its data is needed.

        Its first bytes are read now to sniff the type, unless the type is given.

        Raises `EncodeError` if they cannot be read, or the file is not a regular one: a pipe has
        its bytes only once. Its block is made with `Media.from_loader`.
        """
        media = Media.from_file(path)
        # `path` may be a `file:` string, which is not the name of the file that is opened.
        return cls._inline(media, mime_type, filename=os.path.basename(media._body))

    @classmethod
    def from_url(cls, url: str, mime_type: str | None = None) -> Self:
        """Return a block of a URL, which is never fetched; a `data:` URL becomes inline data."""
        only_text(url=url)
        if url[:5].lower() == "data:":
            return cls._inline(Media.from_data_url(url), mime_type)
        return cls(url=url, mime_type=mime_type)

    @classmethod
    def from_file_id(cls, file_id: str, mime_type: str | None = None) -> Self:
        """Return a block of a file that the provider holds under this id."""
        only_text(file_id=file_id)
        return cls(file_id=file_id, mime_type=mime_type)

    @classmethod
    def _inline(cls, media: Media, mime_type: str | None, filename: str | None = None) -> Self:
        return cls(data=media, mime_type=mime_type or media.mime_type, filename=filename)

    def inline(self) -> Media | None:
        """Return the inline data, also from a `data:` URL, or None if there is none.

        Raises `DecodeError` if the `data:` URL is malformed.
        """
        if self.url is not None and self.url[:5].lower() == "data:":
            return Media.from_data_url(self.url)
        return self.data

    def known_mime_type(self) -> str:
        """Return the declared type, else what the data shows or the URL says, else the default."""
        media = self.inline()
        found = self.mime_type or (media.mime_type if media is not None else None)
        if found is None and media is None and self.url is not None:
            named = _suffix(self.url)
            found = _BY_SUFFIX.get(named[1].lower()) if named is not None else None
            if found is not None and found.partition("/")[0] not in self._families():
                found = None
        return found or self.default_mime_type

    @classmethod
    def _families(cls) -> tuple[str, ...]:
        """Return how the types of such blocks begin."""
        family = cls.default_mime_type.partition("/")[0]
        return (family, "text") if family == "application" else (family,)


_suffix: Final = re.compile(r"[^?#]*\.([A-Za-z0-9]{2,4})(?:[?#]|$)").match
"""Finds the suffix of a URL's path."""
_BY_SUFFIX: Final = {
    **{"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif"},
    **{"webp": "image/webp", "heic": "image/heic", "heif": "image/heif"},
    **{"mp3": "audio/mpeg", "wav": "audio/wav", "flac": "audio/flac", "ogg": "audio/ogg"},
    **{"aac": "audio/aac", "m4a": "audio/mp4"},
    **{"mp4": "video/mp4", "mov": "video/quicktime", "webm": "video/webm", "mpeg": "video/mpeg"},
    **{"pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "csv": "text/csv"},
    **{"html": "text/html"},
}

_put_data = MediaBlock.__dict__["data"].__set__


class ImageBlock(MediaBlock, tag_field="type", tag="image"):
    """An image. `detail` is `low`, `high`, `original` or `auto`; `bbox` is in pixels."""

    type: ClassVar[Literal["image"]] = "image"

    default_mime_type: ClassVar[str] = "image/png"

    alt_text: str | None = None
    bbox: list[float] | None = None
    detail: str | None = None
    signature: str | None = None

    @classmethod
    def from_pil(cls, image: Image) -> Self:
        """Return a block of a PIL image, encoded when needed: see `Media.from_pil`."""
        return cls._inline(Media.from_pil(image), None)

    def to_pil(self) -> Image:
        """Open the image with Pillow.

        Raises `EncodeError` if it is not inline, else as `Media.to_pil` does.
        """
        media = self.inline()
        if media is None:
            raise EncodeError(
                "image without inline data, expected some; fetch its URL first", wire="model"
            )
        return media.to_pil()


class AudioBlock(MediaBlock, tag_field="type", tag="audio"):
    """Sound. `sample_rate` is in hertz."""

    type: ClassVar[Literal["audio"]] = "audio"

    default_mime_type: ClassVar[str] = "audio/wav"

    transcript: str | None = None
    sample_rate: int | None = None
    channels: int | None = None


class VideoBlock(MediaBlock, tag_field="type", tag="video"):
    """A video; `thumbnail` is a still of it."""

    type: ClassVar[Literal["video"]] = "video"

    default_mime_type: ClassVar[str] = "video/mp4"

    thumbnail: ImageBlock | None = None
    transcript: str | None = None


class DocumentBlock(MediaBlock, tag_field="type", tag="document"):
    """A document. `text` is a fourth kind of source: the document itself, as plain text.

    `pages` lists the pages that are meant, numbered as the source numbers them; `excerpt` is a part
    of the text; `citations` asks the model to cite from it.
    """

    type: ClassVar[Literal["document"]] = "document"

    default_mime_type: ClassVar[str] = "application/pdf"

    text: str | None = None
    title: str | None = None
    context: str | None = None
    pages: list[int] | None = None
    excerpt: str | None = None
    citations: bool | None = None

    @classmethod
    def from_text(cls, text: str, title: str | None = None) -> Self:
        """Return a plain-text document."""
        only_text(text=text)
        return cls(text=text, title=title, mime_type="text/plain")


class DataBlock(MediaBlock, tag_field="type", tag="data"):
    """Data of any other kind."""

    type: ClassVar[Literal["data"]] = "data"


class AnnotationBlock(Node, tag_field="type", tag="annotation"):
    """References that belong to the message. `spans` are pairs of character offsets, end open."""

    type: ClassVar[Literal["annotation"]] = "annotation"

    kind: str = field(default_factory=lambda: "citation")  # so that it is always written
    refs: ListOf[AnnotationRef] = empty()
    spans: list[tuple[int, int]] | None = None
    extras: Extras | None = None


class ErrorBlock(Node, tag_field="type", tag="error"):
    """Something that went wrong, as content."""

    type: ClassVar[Literal["error"]] = "error"

    message: str
    code: str | None = None
    data: Any = None
    extras: Extras | None = None


class OpaqueBlock(Node, tag_field="type", tag="opaque"):
    """A block of one API that has no type here, as raw JSON: that API gets it back unchanged."""

    type: ClassVar[Literal["opaque"]] = "opaque"

    api: str
    raw: RawValue
    extras: Extras | None = None

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or a plain dict."""
        if not isinstance(self.raw, RawJson):
            self.raw = RawJson.adopt(self.raw)

    if not TYPE_CHECKING:
        __setattr__ = adopting(raw=RawJson.adopt)


Content = (
    TextBlock
    | ImageBlock
    | AudioBlock
    | VideoBlock
    | DocumentBlock
    | DataBlock
    | ThinkingBlock
    | ToolCallBlock
    | ToolResultBlock
    | AnnotationBlock
    | ErrorBlock
    | OpaqueBlock
)


def joined_text(content: list[Content]) -> str:
    """Return the text of text blocks and of tool results, in order, without a separator."""
    texts = []
    for block in content:
        if isinstance(block, TextBlock):
            texts.append(block.text)
        elif isinstance(block, ToolResultBlock):
            texts.append(block.text())
    return "".join(texts)
