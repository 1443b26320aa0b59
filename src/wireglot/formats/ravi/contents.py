"""The items in the content of Ravi's messages, text as `str` and media, and their JSON.

The JSON depends on the version, and in V2 on the role of the message. Ravi itself opens an inline
image with Pillow and writes it as PNG again; here the image keeps its bytes, its media type and its
detail.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ...errors import EncodeError, quoted
from ...model import Media
from ...model.base import UnknownKeys
from .._records import Record, unknown, write
from . import wire
from .system import WIRE
from .wire import is_data_url, is_kept

__all__ = [
    "AUTO",
    "PNG",
    "AudioContent",
    "DocumentContent",
    "ImageContent",
    "MediaType",
    "TextContent",
    "VideoContent",
    "format_of",
    "full_type",
    "is_fit",
    "is_pil",
    "item_of",
    "mime_type_of",
    "png",
    "v3_item",
    "written_item",
]

if TYPE_CHECKING:
    from PIL.Image import Image

PNG: Final = "image/png"
"""The type that Ravi writes PIL images as."""
AUTO: Final = "auto"
"""The detail that is not written."""
_UNTYPED: Final = "application/octet-stream"
"""The media type of data that declares none and shows none."""
_UNFIT: Final = re.compile(r"[^!-~]|[,;]")  # what is not ASCII has no place in a URL
_value = msgspec.json.Decoder().decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_Unknown = UnknownKeys | UnsetType


class TextContent(Record):
    """A text that has keys unknown to Ravi; any other text is a plain `str`."""

    type: ClassVar[Literal["text"]] = "text"

    text: str


class ImageContent(Record, kw_only=True):
    """An image: a URL, a file of OpenAI's Files API, or inline data.

    `media_type` is that of the data, `detail` is `low`, `high`, `original` or `auto`.

    Raises `EncodeError` unless there is exactly one of `url`, `file_id` and `data`.
    """

    type: ClassVar[Literal["image"]] = "image"

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
            self.media_type = media.mime_type or _UNTYPED

    def to_data_url(self) -> str:
        """Return the inline data as a `data:` URL. Raises `EncodeError` if there are none."""
        return _inline(self).data_url(self.media_type)


class AudioContent(Record):
    """A sound, inline. `data` may be given as bytes, or as a path, which is read when needed.

    `format` is the part of the media type after `audio/`, or the whole of another type. V2 has no
    `transcript`.
    """

    type: ClassVar[Literal["audio"]] = "audio"

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

    type: ClassVar[Literal["video"]] = "video"

    data: Media | bytes | str | PathLike[str] | None = None
    format: str = "mp4"
    url: str | None = None

    def __post_init__(self) -> None:
        """Hold bytes, or a file, as media; refuse two sources."""
        if self.data is not None:
            self.data = _of_file(self.data)
            if self.url is not None:
                raise EncodeError("both `url` and `data`, expected one", wire=WIRE)


class DocumentContent(Record, kw_only=True):
    """A document, which only V3 has.

    Raises `EncodeError` unless there is exactly one of `url`, `file_id` and `data`.
    """

    type: ClassVar[Literal["document"]] = "document"

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


if TYPE_CHECKING:
    MediaType: TypeAlias = (
        "str | TextContent | ImageContent | AudioContent | VideoContent | DocumentContent | Image"
    )
else:  # PIL images too, but Pillow is not loaded to say so
    MediaType = str | TextContent | ImageContent | AudioContent | VideoContent | DocumentContent


def _one_source(*sources: Any) -> None:
    if sum(source is not None for source in sources) != 1:
        reason = "several or none of `url`, `file_id` and `data`, expected one"
        raise EncodeError(reason, wire=WIRE)


def _of_file(data: Any) -> Media:
    if type(data) is Media:
        return data
    return Media.from_file(data) if isinstance(data, str | PathLike) else Media.of(data)


def _inline(item: Any) -> Media:
    """Return the data of an item. Raises `EncodeError` if it has none."""
    media = item.data
    if type(media) is not Media:
        raise EncodeError(f"`{type(item).__name__}` without inline data, expected some", wire=WIRE)
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


def is_fit(media_type: str) -> bool:
    """Whether a media type can be part of a `data:` URL without being misread."""
    return _UNFIT.search(media_type) is None


def is_pil(item: Any) -> bool:
    """Whether an item is a PIL image; Pillow is not imported to tell."""
    return hasattr(item, "tobytes") and hasattr(item, "save")


# -- JSON -> an item ----------------------------------------------------------------------


def item_of(part: Any) -> Any:
    """Return the item for a part of Ravi's JSON, of any version."""
    return _READ[type(part)](part)


def _text_of(part: wire.InputText) -> Any:
    if part.unknown is UNSET:
        return part.text
    return TextContent(part.text, unknown=part.unknown)


def _image_of(part: Any) -> ImageContent:
    detail = AUTO if part.detail is None else part.detail
    common: dict[str, Any] = {"detail": detail, "unknown": part.unknown}
    if part.file_id is not None:
        common["unknown"] = _beside(part, "image_url", "source")
        return ImageContent(file_id=part.file_id, **common)
    if part.image_url:
        common["unknown"] = _beside(part, "source")
    if type(part.image_url) is Media:
        return ImageContent(
            data=part.image_url, media_type=part.image_url.mime_type or _UNTYPED, **common
        )
    if part.image_url:
        return ImageContent(url=part.image_url, **common)
    source = part.source
    common["unknown"] = _inside(part.unknown, "source", source.unknown)
    media_type = (source.media_type or "").partition(";")[0].strip()
    if not media_type or not is_fit(media_type):
        media_type = source.data.mime_type or _UNTYPED
    return ImageContent(data=source.data, media_type=media_type, **common)


def _beside(part: Any, *names: str) -> _Unknown:
    """Return the unknown keys, with the named sources, which Ravi ignores."""
    ignored: dict[str, Any] = {}
    for name in names:
        source = getattr(part, name)
        if type(source) is wire.Base64:
            ignored[name] = Raw(write(source, WIRE))
        elif source:
            ignored[name] = source.json_data_url() if type(source) is Media else source
    return unknown({**ignored, **_known(part.unknown)}) if ignored else part.unknown


def _png_of(part: wire.PngImage) -> ImageContent:
    return ImageContent(data=part.data, media_type="image/png", unknown=part.unknown)


def _audio_of(part: Any) -> AudioContent:
    keys = _inside(part.unknown, "source", part.source.unknown)
    return AudioContent(part.source.data, _format(part.source, "audio", "mp3"), unknown=keys)


def _video_of(part: Any) -> VideoContent:
    keys = _inside(part.unknown, "source", part.source.unknown)
    return VideoContent(part.source.data, _format(part.source, "video", "mp4"), unknown=keys)


def _format(source: wire.Base64, kind: str, default: str) -> str:
    return format_of(source.media_type, kind) if source.media_type is not None else default


def _v3_image_of(part: wire.V3Image) -> ImageContent:
    return ImageContent(
        url=part.url,
        file_id=part.file_id,
        data=part.data.data if part.data is not None else None,
        media_type=part.media_type,
        detail=part.detail,
        unknown=_bytes_inside(part),
    )


def _v3_audio_of(part: wire.V3Audio) -> AudioContent:
    data: Any = part.data.data
    return AudioContent(data, part.format, part.transcript, unknown=_bytes_inside(part))


def _v3_video_of(part: wire.V3Video) -> VideoContent:
    keys = _bytes_inside(part)
    if "/" not in part.media_type:  # half a type; the other half is not written
        keys = unknown({**_known(keys), "media_type": part.media_type})
    return VideoContent(
        part.data.data if part.data is not None else None,
        format_of(part.media_type, "video"),
        part.url,
        unknown=keys,
    )


def _v3_document_of(part: wire.V3Document) -> DocumentContent:
    data: Any = part.data
    if type(data) is str:
        data = Media.from_data_url(data) if data[:5] == "data:" else Media.from_base64(data)
    elif data is not None:
        data = data.data
    return DocumentContent(
        url=part.url,
        file_id=part.file_id,
        data=data,
        media_type=part.media_type,
        filename=part.filename,
        unknown=_bytes_inside(part),
    )


def _bytes_inside(part: Any) -> _Unknown:
    keys: _Unknown = part.unknown
    return _inside(keys, "data", part.data.unknown) if type(part.data) is wire.Bytes else keys


def _inside(outer: _Unknown, key: str, inner: _Unknown) -> _Unknown:
    """Return the unknown keys of an item, with those of the object under `key` in it."""
    if inner is UNSET:
        return outer
    return unknown({**_known(outer), key: inner.native()})


def _known(keys: _Unknown) -> dict[str, Raw]:
    return _keys(keys.text) if keys is not UNSET else {}


_READ: Final[Mapping[type, Callable[[Any], Any]]] = {
    wire.InputText: _text_of,
    wire.OutputText: _text_of,
    wire.PlainText: _text_of,
    wire.SummaryText: _text_of,
    wire.InputImage: _image_of,
    wire.OutputImage: _image_of,
    wire.ChatImage: _image_of,
    wire.PngImage: _png_of,
    wire.InputAudio: _audio_of,
    wire.OutputAudio: _audio_of,
    wire.InputVideo: _video_of,
    wire.OutputVideo: _video_of,
    wire.V3Image: _v3_image_of,
    wire.V3Audio: _v3_audio_of,
    wire.V3Video: _v3_video_of,
    wire.V3Document: _v3_document_of,
}


# -- an item -> JSON --------------------------------------------------------------------


def written_item(item: Any, role: str) -> Any:
    """Return an item as V2 writes it.

    Raises `EncodeError` for what V2 has no item for.
    """
    if type(item) is str:
        return wire.InputText(item) if role == "user" else wire.OutputText(item)
    write = _WRITTEN.get(type(item))
    if write is None:
        return wire.ImagePart(image_url=png(item).json_data_url())
    return write(item, role)


def _text(item: TextContent, role: str) -> Any:
    make = wire.InputText if role == "user" else wire.OutputText
    return make(item.text, unknown=item.unknown)


def _image(item: ImageContent, role: str) -> wire.ImagePart:
    part = wire.ImagePart(unknown=item.unknown)
    if item.file_id is not None:
        part.file_id = item.file_id
    elif item.url:
        part.image_url = item.url
    else:
        if not is_fit(item.media_type):
            reason = f"media type {quoted(item.media_type)}, expected one like `image/png`"
            raise EncodeError(reason, wire=WIRE)
        part.image_url = _inline(item).json_data_url(item.media_type)
    if item.detail != AUTO:
        part.detail = item.detail
    return part


def _audio(item: AudioContent, role: str) -> Any:
    if item.transcript is not None:
        raise EncodeError(
            'sound with a transcript, which V3 alone has; pass `version="v3"`', wire=WIRE
        )
    source, keys = _source(item)
    make = wire.InputAudio if role == "user" else wire.OutputAudio
    return make(source, unknown=keys)


def _video(item: VideoContent, role: str) -> Any:
    if item.data is None:
        raise EncodeError(
            'video without inline data, which V3 alone has; pass `version="v3"`', wire=WIRE
        )
    source, keys = _source(item)
    make = wire.InputVideo if role == "user" else wire.OutputVideo
    return make(source, unknown=keys)


def _source(item: Any) -> tuple[wire.Base64, _Unknown]:
    keys, inner = _outside(item.unknown, "source")
    return wire.Base64(media_type=mime_type_of(item), data=_inline(item), unknown=inner), keys


def _outside(keys: _Unknown, key: str) -> tuple[_Unknown, _Unknown]:
    """Take the unknown keys of the object under `key` out of those of an item."""
    if keys is UNSET:
        return UNSET, UNSET
    outer = _known(keys)
    inner = outer.pop(key, None)
    if inner is None or bytes(memoryview(inner)[:1]) != b"{":
        return keys, UNSET
    return unknown(outer), unknown(_keys(inner))


def _document(item: DocumentContent, role: str) -> Any:
    raise EncodeError('document, which V3 alone has; pass `version="v3"`', wire=WIRE)


_WRITTEN: Final[Mapping[type, Callable[[Any, str], Any]]] = {
    TextContent: _text,
    ImageContent: _image,
    AudioContent: _audio,
    VideoContent: _video,
    DocumentContent: _document,
}


def v3_item(item: Any) -> Any:
    """Return an item as V3 writes it: text as it is, media with every key."""
    if type(item) is str:
        return item
    write = _V3_WRITTEN.get(type(item))
    if write is None:
        data = wire.Bytes(png(item))
        return wire.V3Image(data=data, media_type="image/png")
    return write(item)


def _v3_text(item: TextContent) -> wire.PlainText:
    return wire.PlainText(item.text, unknown=item.unknown)


def _v3_image(item: ImageContent) -> wire.V3Image:
    data, keys = _bytes(item)
    return wire.V3Image(item.url, item.file_id, data, item.media_type, item.detail, unknown=keys)


def _v3_audio(item: AudioContent) -> wire.V3Audio:
    data: Any
    data, keys = _bytes(item)
    return wire.V3Audio(data, item.format, item.transcript, unknown=keys)


def _v3_video(item: VideoContent) -> wire.V3Video:
    data, keys = _bytes(item)
    media_type = mime_type_of(item)
    others = _known(keys)
    if "media_type" in others:
        word = _value(others.pop("media_type"))
        if type(word) is str and full_type(word, "video") == media_type:
            media_type = word
        keys = unknown(others)
    return wire.V3Video(item.url, data, media_type, unknown=keys)


def _v3_document(item: DocumentContent) -> wire.V3Document:
    data, keys = _bytes(item)
    return wire.V3Document(
        item.url, item.file_id, data, item.media_type, item.filename, unknown=keys
    )


def _bytes(item: Any) -> tuple[wire.Bytes | None, _Unknown]:
    if item.data is None:
        return None, item.unknown
    keys, inner = _outside(item.unknown, "data")
    return wire.Bytes(item.data, unknown=inner), keys


_V3_WRITTEN: Final[Mapping[type, Callable[[Any], Any]]] = {
    TextContent: _v3_text,
    ImageContent: _v3_image,
    AudioContent: _v3_audio,
    VideoContent: _v3_video,
    DocumentContent: _v3_document,
}


def png(item: Any) -> Media:
    """Return a PIL image as PNG, as Ravi writes each of them.

    Raises `EncodeError` if Pillow cannot save it.
    """
    out = io.BytesIO()
    try:
        item.save(out, "PNG")
    except Exception as error:
        raise EncodeError(f"image that Pillow cannot save: {error}", wire=WIRE) from error
    return Media.from_bytes(out.getvalue(), "image/png")
