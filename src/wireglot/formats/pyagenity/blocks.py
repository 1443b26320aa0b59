"""The content blocks of PyAgenity and 10xScale Agentflow as Structs whose JSON is theirs.

Those systems omit nothing: an unset field is printed as null, or as the empty list or object that
is its default. Here, a key that only some versions have is left out while it is unset.

Source: pyagenity 0.3.6 (`utils/message.py`), 0.3.9 and 10xscale-agentflow 0.10.1
(`state/message_block.py`).
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal

from msgspec import UNSET, Raw, UnsetType, field

from ...model import Media
from ...model.accepted import NOTHING
from ...model.media import InlineMedia, adopt_media
from .._constructors import Fresh
from .base import WIRE, Model

__all__ = [
    "WIRE",
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


def _adopted_media(value: Any) -> Media | None:
    return None if value is None or value == _NULL else adopt_media(value)


class MediaRef(Model):
    """Where a medium is: inline as `data_base64`, at a `url`, or held by a provider (`file_id`).

    `kind` says which, and nobody checks it: a reference may have several sources, or none.
    """

    kind: Literal["url", "file_id", "data"] = "url"
    url: str | None = None
    file_id: str | None = None
    data_base64: InlineMedia = NOTHING
    mime_type: str | None = None
    size_bytes: int | None = None
    sha256: str | None = None
    filename: str | None = None
    width: int | None = None
    height: int | None = None
    duration_ms: int | None = None
    page: int | None = None

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed."""
        if type(self.data_base64) is not Media:
            self.data_base64 = _adopted_media(self.data_base64)


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


class DataBlock(Model, tag_field="type", tag="data"):
    """Data of any other kind, inline or in `media`."""

    type: ClassVar[Literal["data"]] = "data"

    mime_type: str
    data_base64: InlineMedia = NOTHING
    media: MediaRef | None = None

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed."""
        if type(self.data_base64) is not Media:
            self.data_base64 = _adopted_media(self.data_base64)


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
