"""The items in the content of Ravi's messages: text as `str`, and media."""

from __future__ import annotations

import re
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ...errors import EncodeError
from ...model import Media
from .._records import Record

__all__ = [
    "AUTO",
    "PNG",
    "UNTYPED",
    "WIRE",
    "AudioContent",
    "DocumentContent",
    "ImageContent",
    "MediaType",
    "TextContent",
    "VideoContent",
    "format_of",
    "full_type",
    "inline",
    "is_data_url",
    "is_fit",
    "is_kept",
    "is_pil",
    "mime_type_of",
]

if TYPE_CHECKING:
    from PIL.Image import Image

    MediaType: TypeAlias = (
        "str | TextContent | ImageContent | AudioContent | VideoContent | DocumentContent | Image"
    )
else:
    MediaType = Any

WIRE: Final = "ravi"
"""The name of the system's folder, for errors."""
PNG: Final = "image/png"
"""The type that Ravi writes PIL images as."""
AUTO: Final = "auto"
"""The detail that is not written."""
UNTYPED: Final = "application/octet-stream"
"""The media type of data that declares none and shows none."""
_PLAIN: Final = re.compile(r"data:[^,;\s]*(?:;base64)?,", re.IGNORECASE)
_UNFIT: Final = re.compile(r"[^!-~]|[,;]")  # what is not ASCII has no place in a URL


class TextContent(Record):
    """A text that has keys unknown to Ravi; any other text is a plain `str`."""

    text: str


class ImageContent(Record, kw_only=True):
    """An image: a URL, a file of OpenAI's Files API, or inline data.

    `media_type` is that of the data, `detail` is `low`, `high`, `original` or `auto`.

    Raises `EncodeError` unless there is exactly one of `url`, `file_id` and `data`.
    """

    url: str | None = None
    file_id: str | None = None
    data: Media | bytes | None = None
    media_type: str = "image/jpeg"
    detail: str = AUTO

    def __post_init__(self) -> None:
        """Hold bytes, and a `data:` URL without parameters, as media; refuse two sources."""
        if self.data is not None and type(self.data) is not Media:
            self.data = Media.of(self.data)
        _one_source(self.url, self.file_id, self.data)
        if self.url is not None and is_data_url(self.url) and not is_kept(self.url):
            media = Media.from_data_url(self.url)
            self.url, self.data = None, media
            self.media_type = media.mime_type or UNTYPED

    def to_data_url(self) -> str:
        """Return the inline data as a `data:` URL. Raises `EncodeError` if there are none."""
        return inline(self).data_url(self.media_type)


class AudioContent(Record):
    """A sound, inline. `data` may be given as bytes, or as a path, which is read when needed.

    `format` is the part of the media type after `audio/`, or the whole of another type. V2 has no
    `transcript`.
    """

    data: Media | bytes | str | PathLike[str]
    format: str = "mp3"
    transcript: str | None = None

    def __post_init__(self) -> None:
        """Hold bytes, or a file, as media."""
        self.data = _of_file(self.data)


class VideoContent(Record):
    """A video, inline. `data` may be given as bytes, or as a path, which is read when needed.

    `format` is the part of the media type after `video/`, or the whole of another type. V2 has no
    `url`; some of V3's videos have neither `url` nor `data`.
    """

    data: Media | bytes | str | PathLike[str] | None = None
    format: str = "mp4"
    url: str | None = None

    def __post_init__(self) -> None:
        """Hold bytes, or a file, as media; refuse two sources."""
        if self.data is not None:
            self.data = _of_file(self.data)
            if self.url is not None:
                raise EncodeError("a video with both `url` and `data`", wire=WIRE)


class DocumentContent(Record, kw_only=True):
    """A document, which only V3 has.

    Raises `EncodeError` unless there is exactly one of `url`, `file_id` and `data`.
    """

    url: str | None = None
    file_id: str | None = None
    data: Media | bytes | None = None
    media_type: str = "application/pdf"
    filename: str | None = None

    def __post_init__(self) -> None:
        """Hold bytes as media; refuse two sources, and none."""
        if self.data is not None and type(self.data) is not Media:
            self.data = Media.of(self.data)
        _one_source(self.url, self.file_id, self.data)


def _one_source(*sources: Any) -> None:
    if sum(source is not None for source in sources) != 1:
        raise EncodeError("expected exactly one of url, file_id and data", wire=WIRE)


def _of_file(data: Any) -> Media:
    if type(data) is Media:
        return data
    return Media.from_file(data) if isinstance(data, str | PathLike) else Media.of(data)


def inline(item: Any) -> Media:
    """Return the data of an item. Raises `EncodeError` if it has none."""
    media = item.data
    if type(media) is not Media:
        raise EncodeError(f"a `{type(item).__name__}` without inline data", wire=WIRE)
    return media


def mime_type_of(item: AudioContent | VideoContent) -> str:
    """Return the media type of a sound or a video."""
    return full_type(item.format, "audio" if type(item) is AudioContent else "video")


def full_type(word: str, kind: str) -> str:
    """Return the media type for the part of it after `audio/` or `video/`, or for the whole."""
    return word if "/" in word else f"{kind}/{word}"


def format_of(media_type: str, kind: str) -> str:
    """Return the part of a media type after `audio/` or `video/`, or the whole of another type."""
    short = media_type.removeprefix(f"{kind}/")
    return media_type if "/" in short else short


def is_data_url(url: str) -> bool:
    """Whether a URL is a `data:` URL, well-formed or not."""
    return url[:5].lower() == "data:"


def is_kept(url: str) -> bool:
    """Whether a `data:` URL stays as it is: it says more than a type and the data."""
    return is_data_url(url) and "," in url and _PLAIN.match(url) is None


def is_fit(media_type: str) -> bool:
    """Whether a media type can be part of a `data:` URL without being misread."""
    return _UNFIT.search(media_type) is None


def is_pil(item: Any) -> bool:
    """Whether an item is a PIL image; Pillow is not imported to tell."""
    return hasattr(item, "tobytes") and hasattr(item, "save")
