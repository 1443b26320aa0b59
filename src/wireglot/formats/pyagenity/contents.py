"""The content blocks of PyAgenity and 10xScale Agentflow as Structs whose JSON is theirs.

Those systems omit nothing: an unset field is printed as null, or as the empty list or object that
is its default. Here, a key that only some versions have is left out while it is unset.

Source: pyagenity 0.3.6 (`utils/message.py`), 0.3.9 and 10xscale-agentflow 0.10.1
(`state/message_block.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, overload

from msgspec import UNSET, Raw, UnsetType, field

from ...model import Media
from ...model.media import InlineMedia, adopt_media
from .._constructors import Fresh
from .base import Model, Validated

if TYPE_CHECKING:
    from ...model.media import MediaSource

__all__ = [
    "AnnotationBlock",
    "AnnotationRef",
    "AudioBlock",
    "ContentBlock",
    "DataBlock",
    "DocumentBlock",
    "ErrorBlock",
    "ImageBlock",
    "MediaRef",
    "ReasoningBlock",
    "RemoteToolCallBlock",
    "TextBlock",
    "ToolCallBlock",
    "ToolResultBlock",
    "VideoBlock",
]

_NULL: Final = Raw(b"null")  # compared in C; looking into the slice is Python


# Of such letters alone, text is taken for base64 without a check, as PyAgenity takes any.
_BASE64: Final = re.compile("[A-Za-z0-9+/_-]*={0,2}")


def _adopted_media(value: Any) -> Media | None:
    if isinstance(value, str) and _BASE64.fullmatch(value):
        return Media.from_base64(value)
    return None if value is None or value == _NULL else adopt_media(value)


class _Base64:
    """Inline data as base64 text, which is made of the field `inline` on each access.

    It may be set to what `Media.of` takes.
    """

    if TYPE_CHECKING:

        @overload
        def __get__(self, record: None, kind: Any = None) -> Self: ...
        @overload
        def __get__(self, record: object, kind: Any = None) -> str | None: ...

    def __get__(self, record: Any, kind: Any = None) -> Any:
        if record is None:
            return self
        media = record.inline
        return None if media is None else media.to_base64()

    def __set__(self, record: Any, value: MediaSource | None) -> None:
        record.inline = _adopted_media(value)


class _HoldsData(Validated):
    """Metaclass of types with inline data: their constructor knows it as `data_base64`."""

    if not TYPE_CHECKING:

        def __call__(cls, *args, **fields):  # noqa: N805 -- of a metaclass
            if "data_base64" in fields:
                fields["inline"] = fields.pop("data_base64")
            return super().__call__(*args, **fields)


class _WithData(Model, metaclass=_HoldsData):
    """Base of the types with inline data, which have a field `inline` for it."""

    if TYPE_CHECKING:

        @property
        def inline(self) -> Media | None:
            """The inline data, not copied."""

        @inline.setter
        def inline(self, value: Media | None) -> None: ...

    else:
        data_base64 = _Base64()

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed."""
        if type(self.inline) is not Media:
            self.inline = _adopted_media(self.inline)


class MediaRef(_WithData):
    """Where a medium is: inline as `data_base64`, at a `url`, or held by a provider (`file_id`).

    `kind` says which, and nobody checks it: a reference may have several sources, or none.
    `data_base64` is a `str`, as in PyAgenity; `inline` is the same data as `Media`, not copied. The
    constructor refuses text that cannot be base64, such as a URL or the name of a file.
    """

    kind: Literal["url", "file_id", "data"] = "url"
    url: str | None = None
    file_id: str | None = None
    if TYPE_CHECKING:
        data_base64: _Base64 = _Base64()
    else:
        inline: InlineMedia = field(default=None, name="data_base64")
    mime_type: str | None = None
    size_bytes: int | None = None
    sha256: str | None = None
    filename: str | None = None
    width: int | None = None
    height: int | None = None
    duration_ms: int | None = None
    page: int | None = None


class AnnotationRef(Model):
    """A source that a text refers to."""

    url: str | None = None
    file_id: str | None = None
    page: int | None = None
    index: int | None = None
    title: str | None = None


class TextBlock(Model, tag_field="type", tag="text"):
    """Text."""

    type: ClassVar[Literal["text"]] = "text"

    text: str
    annotations: list[AnnotationRef] = field(default_factory=list)


class ImageBlock(Model, tag_field="type", tag="image"):
    """An image; `bbox` is in pixels, four numbers by convention only."""

    type: ClassVar[Literal["image"]] = "image"

    media: MediaRef
    alt_text: str | None = None
    bbox: list[float] | None = None


class AudioBlock(Model, tag_field="type", tag="audio"):
    """Sound; `sample_rate` is in hertz."""

    type: ClassVar[Literal["audio"]] = "audio"

    media: MediaRef
    transcript: str | None = None
    sample_rate: int | None = None
    channels: int | None = None


class VideoBlock(Model, tag_field="type", tag="video"):
    """A video, with a still of it."""

    type: ClassVar[Literal["video"]] = "video"

    media: MediaRef
    thumbnail: MediaRef | None = None


class DocumentBlock(Model, tag_field="type", tag="document"):
    """A document. `text`, if someone extracted it, is a key that only Agentflow has."""

    type: ClassVar[Literal["document"]] = "document"
    FRESH: ClassVar[Fresh] = {"text": lambda: None}

    media: MediaRef
    text: str | UnsetType | None = UNSET
    pages: list[int] | None = None
    excerpt: str | None = None


class DataBlock(_WithData, tag_field="type", tag="data"):
    """Data of any other kind, inline or in `media`. See `MediaRef` for `data_base64`."""

    type: ClassVar[Literal["data"]] = "data"

    mime_type: str
    if TYPE_CHECKING:
        data_base64: _Base64 = _Base64()
    else:
        inline: InlineMedia = field(default=None, name="data_base64")
    media: MediaRef | None = None


class ToolCallBlock(Model, tag_field="type", tag="tool_call"):
    """A call that the model asks for.

    Only `Message.tools_calls` ever goes back to a model; this block is for people and programs.
    """

    type: ClassVar[Literal["tool_call"]] = "tool_call"

    id: str
    name: str
    args: dict[str, Any] = field(default_factory=dict)
    tool_type: str | None = None


class RemoteToolCallBlock(Model, tag_field="type", tag="remote_tool_call"):
    """A call that the client is to run: a placeholder, never sent to a model (since 0.3.7)."""

    type: ClassVar[Literal["remote_tool_call"]] = "remote_tool_call"

    id: str
    name: str
    args: dict[str, Any] = field(default_factory=dict)
    tool_type: str = "remote"


class ToolResultBlock(Model, tag_field="type", tag="tool_result"):
    """The result of a call. `output` is any JSON; blocks inside it are plain objects there.

    Nothing ties `status` to `is_error`.
    """

    type: ClassVar[Literal["tool_result"]] = "tool_result"

    call_id: str
    output: Any = None
    is_error: bool = False
    status: Literal["completed", "failed"] | None = None


class ReasoningBlock(Model, tag_field="type", tag="reasoning"):
    """What the model thought, or a summary of it; there is no place for a signature."""

    type: ClassVar[Literal["reasoning"]] = "reasoning"

    summary: str
    details: list[str] | None = None


class AnnotationBlock(Model, tag_field="type", tag="annotation"):
    """References that belong to the message; `spans` are pairs of offsets."""

    type: ClassVar[Literal["annotation"]] = "annotation"

    kind: Literal["citation", "note"] = "citation"
    refs: list[AnnotationRef] = field(default_factory=list)
    spans: list[tuple[int, int]] | None = None


class ErrorBlock(Model, tag_field="type", tag="error"):
    """Something that went wrong, as content."""

    type: ClassVar[Literal["error"]] = "error"

    message: str
    code: str | None = None
    data: dict[str, Any] | None = None


ContentBlock = (
    TextBlock
    | ImageBlock
    | AudioBlock
    | VideoBlock
    | DocumentBlock
    | DataBlock
    | ToolCallBlock
    | RemoteToolCallBlock
    | ToolResultBlock
    | ReasoningBlock
    | AnnotationBlock
    | ErrorBlock
)
"""A block of a message; `type` tells them apart. An unknown `type` is an error there and here."""
