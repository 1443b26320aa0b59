"""The items of a tool's result: MCP's, which V2 passes on as they are, and V3's own blocks.

A Struct here is for an item that has all of these keys, and perhaps unknown ones. An item that
lacks one has no canonical block, and is kept as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET, Raw, UnsetType, field

from ...model import Media, RawJson
from ...model.media import InlineMedia, adopt_media
from ...model.rawjson import RawArguments, RawValue, adopt_arguments
from .._records import Record

__all__ = [
    "LATER_ITEM",
    "MCP_ITEM",
    "Audio",
    "Document",
    "Error",
    "Image",
    "Text",
    "Thinking",
    "ToolResult",
    "ToolUse",
    "Video",
]


class Text(Record, tag_field="type", tag="text"):
    """Text, in MCP and V3."""

    text: str


class _Inline(Record, kw_only=True, tag_field="type"):
    """Inline media, its type under MCP's key, or V3's."""

    data: InlineMedia
    mime_type: str | UnsetType = field(default=UNSET, name="mimeType")
    media_type: str | UnsetType = UNSET

    def __post_init__(self) -> None:
        if type(self.data) is not Media:
            media = adopt_media(self.data)
            if media is None:
                raise ValueError("expected base64 `str`")
            self.data = media
        if (self.mime_type is UNSET) is (self.media_type is UNSET):
            raise ValueError("expected one of `mimeType` and `media_type`")


class Image(_Inline, kw_only=True, tag="image"):
    """An inline image, in MCP and V3."""


class Audio(_Inline, kw_only=True, tag="audio"):
    """An inline sound; V3's has a transcript, null where it is unset."""

    transcript: str | UnsetType | None = UNSET

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.media_type is UNSET) is not (self.transcript is UNSET):
            raise ValueError("expected `transcript` beside `media_type`")


class Video(Record, tag_field="type", tag="video"):
    """A video, in V3."""

    url: str | None
    data: InlineMedia
    media_type: str

    def __post_init__(self) -> None:
        if self.data is not None and type(self.data) is not Media:
            self.data = adopt_media(self.data)
        if self.data is not None and self.url is not None:
            raise ValueError("expected one of `url` and `data`")


class Document(Record, tag_field="type", tag="document"):
    """An inline document, in V3."""

    data: InlineMedia
    media_type: str
    filename: str | None

    def __post_init__(self) -> None:
        if type(self.data) is not Media:
            media = adopt_media(self.data)
            if media is None:
                raise ValueError("expected base64 `str`")
            self.data = media


class Error(Record, tag_field="type", tag="error"):
    """What went wrong, in V3."""

    error_type: str
    message: str
    details: dict[str, Any] | None
    recoverable: bool


class Thinking(Record, tag_field="type", tag="thinking"):
    """What was thought, in V3."""

    text: str
    redacted: bool


class ToolUse(Record, tag_field="type", tag="tool_use"):
    """A call, in V3."""

    tool_call_id: str
    tool_name: str
    arguments: RawArguments

    def __post_init__(self) -> None:
        given: Any = self.arguments
        if type(given) is Raw and bytes(memoryview(given)[:1]) != b"{":
            raise ValueError("expected `object`")
        self.arguments = adopt_arguments(given)


class ToolResult(Record, tag_field="type", tag="tool_result"):
    """The result of a call inside of one, in V3."""

    tool_call_id: str
    content: RawValue
    is_error: bool

    def __post_init__(self) -> None:
        if not isinstance(self.content, RawJson):
            self.content = RawJson.adopt(self.content)


MCP_ITEM: Any = Text | Image | Audio
LATER_ITEM: Any = Text | Image | Audio | Video | Document | Error | Thinking | ToolUse | ToolResult
items: Callable[[Any], list[Raw]] = msgspec.json.Decoder(list[Raw]).decode
