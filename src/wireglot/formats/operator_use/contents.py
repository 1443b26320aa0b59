"""Operator-Use's contents of messages as Structs whose JSON is Operator-Use's own.

Fields whose default is `UNSET` came with later versions, and are written only if they are set.

Source: CursorTouch/Operator-Use at ed1adb1, `program/message/types.py`; later fields from
operator_use (7297d0b) and Jeomon/Tau (00f93a7).
"""

from __future__ import annotations

import os
from typing import Any, ClassVar, Final, Literal, Self

from msgspec import UNSET, Raw, UnsetType, field

from ...errors import EncodeError
from ...model import Arguments, Media, ToolKind
from ...model.rawjson import adopt_arguments
from .._arguments import DictArguments, ShownAsDict
from .base import Own
from .media import LISTS, MediaList, adopted, read_file, to_base64
from .system import WIRE

__all__ = [
    "ARGS",
    "AssistantContent",
    "AudioContent",
    "Content",
    "FileContent",
    "ImageContent",
    "LinesContent",
    "SystemContent",
    "TextContent",
    "ThinkingContent",
    "ToolCallContent",
    "ToolContent",
    "ToolKind",
    "ToolResultContent",
    "UserContent",
    "VideoContent",
]


class TextContent(Own, tag_field="type", tag="text"):
    """Text."""

    type: ClassVar[Literal["text"]] = "text"

    content: str = ""


class _Listed(Own):
    """Base of the contents that are lists of media."""

    def __setattr__(self, name: str, value: Any) -> None:
        """Adopt a list of media: the decoder's slices, or what the caller passed."""
        if name in LISTS and value is not UNSET:
            value = adopted(name, value)
        super().__setattr__(name, value)


class ImageContent(_Listed, tag_field="type", tag="image"):
    """Images: URLs as `str`, everything else as `Media`.

    Accepts strings that begin with `http`, `data:` URLs, base64 of an image, bytes, PIL images and
    `Path` objects, here and when they are added to the list. A `data:` URL is written as the base64
    that it holds.

    Raises `EncodeError` for any other string, such as a path: see `from_file`. A string that comes
    in a document is taken for base64, as Operator-Use takes it.
    """

    type: ClassVar[Literal["image"]] = "image"

    images: MediaList = field(default_factory=list)
    dimension_note: str | UnsetType | None = UNSET

    def __post_init__(self) -> None:
        """Adopt the images; see `__setattr__`."""
        self.images = self.images

    def to_base64(self) -> list[tuple[str, str]]:
        """Return base64 and MIME type of each image; a URL stays a URL, its type is `""`."""
        return [to_base64(item, "image") for item in self.images]

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read an image from a file. Raises `EncodeError` if it cannot be read."""
        return cls([read_file(path)])

    @classmethod
    def from_base64(cls, data: str) -> Self:
        """Return an image of base64 that is not checked; its type is detected from its bytes."""
        return cls([Media.from_base64(data)])

    @classmethod
    def from_url(cls, url: str) -> Self:
        """Return an image by its URL. Raises `EncodeError` if it does not begin with `http`."""
        return cls([url])


class AudioContent(_Listed, tag_field="type", tag="audio"):
    """Sounds: `file:` paths as `str`, everything else as `Media`.

    Accepts what `ImageContent` does, but base64 of a sound, and `file:` paths. Tau calls the list
    `audios`; one of the two fields is set.
    """

    type: ClassVar[Literal["audio"]] = "audio"

    audio: MediaList | UnsetType = UNSET
    audios: MediaList | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Adopt the sounds; see `__setattr__`."""
        if self.audios is not UNSET:
            self.audios = self.audios
        if self.audio is not UNSET:
            self.audio = self.audio
        elif self.audios is UNSET:
            self.audio = []

    @property
    def items(self) -> MediaList:
        """The sounds, whichever of the two fields they are in."""
        return [*(self.audio or []), *(self.audios or [])]

    def to_base64(self, *, read_files: bool = False) -> list[tuple[str, str]]:
        """Return base64 and MIME type of each sound.

        A `file:` path is read only with `read_files`, else it is an `EncodeError`: a message that
        came over a wire could name any file.
        """
        return [to_base64(item, "audio", read_files) for item in self.items]

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a sound from a file. Raises `EncodeError` if it cannot be read."""
        return cls([read_file(path)])

    @classmethod
    def from_base64(cls, data: str, mime_type: str | None = None) -> Self:
        """Return a sound of base64 that is not checked.

        Its type is detected from its bytes; `mime_type` is ignored.
        """
        return cls([Media.from_base64(data)])


class VideoContent(_Listed, tag_field="type", tag="video"):
    """Videos: `file:` paths as `str`, everything else as `Media` (Tau)."""

    type: ClassVar[Literal["video"]] = "video"

    videos: MediaList = field(default_factory=list)

    def __post_init__(self) -> None:
        """Adopt the videos; see `__setattr__`."""
        self.videos = self.videos

    def to_base64(self, *, read_files: bool = False) -> list[tuple[str, str]]:
        """Return base64 and MIME type of each video; see `AudioContent.to_base64`."""
        return [to_base64(item, "video", read_files) for item in self.videos]

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a video from a file. Raises `EncodeError` if it cannot be read."""
        return cls([read_file(path)])


class FileContent(_Listed, tag_field="type", tag="file"):
    """Documents: `file:` paths as `str`, everything else as `Media` (Tau)."""

    type: ClassVar[Literal["file"]] = "file"

    files: MediaList = field(default_factory=list)

    def __post_init__(self) -> None:
        """Adopt the documents; see `__setattr__`."""
        self.files = self.files

    def to_base64(self, *, read_files: bool = False) -> list[tuple[str, str]]:
        """Return base64 and MIME type of each document; see `AudioContent.to_base64`."""
        return [to_base64(item, "file", read_files) for item in self.files]

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """Read a document from a file. Raises `EncodeError` if it cannot be read."""
        return cls([read_file(path)])


class ThinkingContent(Own, tag_field="type", tag="thinking"):
    """What the model thought. Anthropic wants the signature back with it."""

    type: ClassVar[Literal["thinking"]] = "thinking"

    content: str = ""
    signature: str = ""


def _object() -> Any:
    return Raw(b"{}")


# A plain default is omitted when written; a default that a factory makes is not.
class ToolCallContent(Own, tag_field="type", tag="tool_call", omit_defaults=True):
    """A call. `args` is a dict; until it is changed, it is written as the model wrote it."""

    type: ClassVar[Literal["tool_call"]] = "tool_call"

    id: str = field(default_factory=str)
    name: str = field(default_factory=str)
    kind: ToolKind | None = None
    args: DictArguments = field(default_factory=_object)
    metadata: dict[str, Any] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or a plain dict."""
        args: Any = ARGS.held(self)
        if type(args) is not Raw:
            self.args = args
            return
        ARGS.put(self, adopt_arguments(args))
        if bytes(memoryview(args)[:1]) != b"{":
            raise ValueError("expected `object` as `args`")


def _adopted(args: Any) -> Arguments:
    held = adopt_arguments(args).object_json()
    if held is None:
        raise EncodeError("arguments that are not an object, expected a JSON object", wire=WIRE)
    return adopt_arguments(held)


ARGS: Final = ShownAsDict(ToolCallContent, "args", _adopted)


class ToolResultContent(Own, tag_field="type", tag="tool_result"):
    """The result of the call of the same id. `metadata` and `terminate` are not for the model."""

    type: ClassVar[Literal["tool_result"]] = "tool_result"

    id: str = ""
    content: str = ""
    is_error: bool = False
    metadata: dict[str, Any] = field(default_factory=dict)
    terminate: bool = False
    terminate_message: str | UnsetType | None = UNSET
    tool_name: str | UnsetType = UNSET
    image: ImageContent | UnsetType | None = UNSET
    audio: AudioContent | UnsetType | None = UNSET
    video: VideoContent | UnsetType | None = UNSET


class LinesContent(Own, tag_field="type", tag="lines"):
    """Lines of text for a notice on the screen (Tau)."""

    type: ClassVar[Literal["lines"]] = "lines"

    lines: list[str] = field(default_factory=list)
    notify_type: str = "info"


Content = (
    TextContent
    | ImageContent
    | AudioContent
    | VideoContent
    | FileContent
    | ThinkingContent
    | ToolCallContent
    | ToolResultContent
    | LinesContent
)
"""What a message may hold. Which role holds which is not checked, here or there."""
SystemContent = TextContent
"""What instructions hold."""
UserContent = (
    TextContent | ImageContent | AudioContent | VideoContent | FileContent | ToolResultContent
)
"""What a user's message holds; videos and files are Tau's."""
AssistantContent = TextContent | ThinkingContent | ToolCallContent
"""What an answer holds."""
ToolContent = ToolResultContent
"""What a batch of results holds."""
