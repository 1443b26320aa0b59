"""Ravi's stored JSON as Structs: the items of a content, and the messages in written order.

Items are told apart by `type`, which is their first key. Messages have `type` between other keys,
so their Structs, which are only written, hold it as a plain field.

Source: Ravikumarchavva/agent-framework. V2: `src/ravi/core/messages` at 4375c21f; older shapes of
items: `src/agent_framework/messages` at 95d51ffe and before; V3: `src/ravi/core/messages` at
3b7dd0a6 (`content.py`, `encoders/storage.py`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

import msgspec
from msgspec import UNSET, Raw, UnsetType, field

from ...model import Arguments, Media, RawJson
from ...model.media import InlineMedia, Pieces, adopt_media
from .._records import Record, set_aside

__all__ = [
    "ITEM",
    "Assistant",
    "Base64",
    "Bytes",
    "Call",
    "Chunk",
    "ImagePart",
    "InputAudio",
    "InputImage",
    "InputText",
    "InputVideo",
    "OutputAudio",
    "OutputText",
    "OutputVideo",
    "PngImage",
    "Result",
    "System",
    "User",
    "V3Assistant",
    "V3Audio",
    "V3Call",
    "V3Document",
    "V3Image",
    "V3Result",
    "V3System",
    "V3Usage",
    "V3User",
    "V3Video",
    "arguments_json",
    "is_data_url",
    "is_kept",
    "text_of",
]

if TYPE_CHECKING:
    ImageUrl: TypeAlias = str | Media | UnsetType
else:
    ImageUrl = Raw  # text, or an object as in Chat Completions

_PLAIN: Final = re.compile(rb'"data:[^,;\s\\]*(?:;base64)?,', re.IGNORECASE)
_PLAIN_URL: Final = re.compile(r"data:[^,;\s]*(?:;base64)?,", re.IGNORECASE)
_str = msgspec.json.Decoder(str).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def _media(value: Any) -> Media:
    media = adopt_media(value)
    if media is None:
        raise ValueError("expected base64 `str`, got `null`")
    return media


class _Inline(Record, kw_only=True):
    """Base of the items that hold base64 under `data`."""

    data: InlineMedia

    def __post_init__(self) -> None:
        """Adopt the decoder's slice."""
        if type(self.data) is not Media:
            self.data = _media(self.data)


# -- items of V2 and before ------------------------------------------------------------------------


class InputText(Record, tag_field="type", tag="input_text"):
    text: str = ""


class OutputText(Record, tag_field="type", tag="output_text"):
    text: str = ""


class PlainText(Record, tag_field="type", tag="text"):
    text: str = ""


class SummaryText(Record, tag_field="type", tag="summary_text"):
    text: str = ""


class Base64(Record, kw_only=True, omit_defaults=True, tag_field="type", tag="base64"):
    media_type: str | None = None
    data: InlineMedia

    def __post_init__(self) -> None:
        if type(self.data) is not Media:
            self.data = _media(self.data)


class ImagePart(Record, kw_only=True, tag_field="type", tag="input_image"):
    """An image as V2 writes it."""

    image_url: Raw | Pieces | str | UnsetType = UNSET
    file_id: str | UnsetType = UNSET
    detail: str | UnsetType = UNSET


class _Image(Record, kw_only=True, tag_field="type"):
    """An image as it is read. `image_url` becomes a URL, or the data of a `data:` URL."""

    LENIENT: ClassVar[frozenset[str]] = frozenset({"source"})  # ignored if it is not base64

    image_url: ImageUrl = UNSET
    file_id: str | None = None
    detail: str | None = None
    source: Base64 | None = None

    def __post_init__(self) -> None:
        raw: Any = self.image_url
        if type(raw) is Raw:
            first = bytes(memoryview(raw)[:1])
            if first == b"{":  # as in Chat Completions
                parts = _keys(raw)
                raw = parts.pop("url", Raw(b'""'))
                if self.detail is None and "detail" in parts:
                    self.detail = text_of(parts.pop("detail"))
                held = _keys(self.unknown.text) if self.unknown is not UNSET else {}
                for key in ("type", *self.__struct_encode_fields__, *held):
                    if key in parts:  # the image has this key itself
                        raise ValueError(f"`{key}` in `image_url` and beside it, expected one")
                if parts:
                    set_aside(self, parts)
            self.image_url = _url(raw) if first != b"n" else UNSET
        if self.file_id is None and not self.image_url and self.source is None:
            raise ValueError("none of `file_id`, `image_url` and `source`, expected one")


def _url(raw: Raw) -> Any:
    view = memoryview(raw)
    if bytes(view[:6]).lower() != b'"data:':
        return text_of(raw)
    if _PLAIN.match(view) is not None:
        return Media.of_data_url(raw)
    url = text_of(raw)
    return url if is_kept(url) else Media.from_data_url(url)


def is_data_url(url: str) -> bool:
    """Whether a URL is a `data:` URL, well-formed or not."""
    return url[:5].lower() == "data:"


def is_kept(url: str) -> bool:
    """Whether a `data:` URL stays as it is: it says more than a type and the data."""
    return is_data_url(url) and "," in url and _PLAIN_URL.match(url) is None


def text_of(raw: Raw) -> str:
    """Return a JSON string's text. Raises ValueError if it is not a string."""
    if bytes(memoryview(raw)[:1]) != b'"':
        raise ValueError("expected `str`")
    return _str(raw)


class InputImage(_Image, tag="input_image"):
    pass


class OutputImage(_Image, tag="output_image"):
    pass


class ChatImage(_Image, tag="image_url"):
    pass


class PngImage(_Inline, tag_field="type", tag="image/png"):
    pass


class InputAudio(Record, tag_field="type", tag="input_audio"):
    source: Base64


class OutputAudio(Record, tag_field="type", tag="output_audio"):
    source: Base64


class InputVideo(Record, tag_field="type", tag="input_video"):
    source: Base64


class OutputVideo(Record, tag_field="type", tag="output_video"):
    source: Base64


# -- items of V3: every key is written, null where it is unset -------------------------------------


class Bytes(Record):
    """Bytes as V3 stores them."""

    data: InlineMedia = field(name="__bytes_b64__")

    def __post_init__(self) -> None:
        if type(self.data) is not Media:
            self.data = _media(self.data)


class V3Image(Record, tag_field="type", tag="image"):
    url: str | None = None
    file_id: str | None = None
    data: Bytes | None = None
    media_type: str = "image/jpeg"
    detail: str = "auto"


class V3Audio(Record, tag_field="type", tag="audio"):
    data: Bytes
    format: str = "mp3"
    transcript: str | None = None


class V3Video(Record, tag_field="type", tag="video"):
    url: str | None = None
    data: Bytes | None = None
    media_type: str = "video/mp4"


class V3Document(Record, tag_field="type", tag="document"):
    url: str | None = None
    file_id: str | None = None
    data: Bytes | str | None = None
    media_type: str = "application/pdf"
    filename: str | None = None


ITEM: Any = (
    str
    | InputText
    | OutputText
    | PlainText
    | SummaryText
    | InputImage
    | OutputImage
    | ChatImage
    | PngImage
    | InputAudio
    | OutputAudio
    | InputVideo
    | OutputVideo
    | V3Image
    | V3Audio
    | V3Video
    | V3Document
)
"""An item of a user's or an assistant's content, of any version."""


# -- messages as V2 writes them --------------------------------------------------------------------


class System(Record):
    role: str
    content: str
    type: str = "SystemMessage"


class User(Record):
    role: str
    content: list[Any]
    type: str = "UserMessage"
    name: str | UnsetType = UNSET


class Call(Record, kw_only=True):
    role: str
    type: str = "ToolCallMessage"
    id: str | UnsetType = UNSET
    name: str
    arguments: Raw
    content: str | UnsetType = UNSET


class Assistant(Record, kw_only=True):
    role: str
    finish_reason: str
    cached: bool
    type: str = "AssistantMessage"
    name: str | UnsetType = UNSET
    reasoning: str | UnsetType = UNSET
    content: list[Any] | UnsetType = UNSET
    tool_calls: list[Any] | UnsetType = UNSET
    usage: Any = UNSET


class Result(Record, kw_only=True):
    role: str
    tool_call_id: str
    content: RawJson
    is_error: bool = field(name="isError")
    type: str = "ToolExecutionResultMessage"
    name: str | UnsetType = UNSET
    app_data: dict[str, Any] | UnsetType = UNSET


# -- messages as V3 writes them --------------------------------------------------------------------


class V3System(Record, kw_only=True):
    id: str | UnsetType = UNSET
    role: str
    content: str
    type: str = "SystemMessage"


class V3User(Record, kw_only=True):
    id: str | UnsetType = UNSET
    role: str
    content: list[Any]
    type: str = "UserMessage"
    name: str | None


class V3Usage(Record, kw_only=True):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int
    extra: dict[str, Any]


class V3Call(Record, kw_only=True):
    id: str | UnsetType = UNSET
    role: str
    content: str | None
    type: str = "ToolCallMessage"
    name: str
    arguments: Raw


class V3Assistant(Record, kw_only=True):
    id: str | UnsetType = UNSET
    role: str
    content: list[Any] | None
    type: str = "AssistantMessage"
    name: str | None
    reasoning: str | None
    tool_calls: list[Any] | None
    finish_reason: str
    usage: V3Usage | None
    cached: bool
    parsed: Any


class V3Result(Record, kw_only=True):
    id: str | UnsetType = UNSET
    role: str
    content: RawJson
    type: str = "ToolExecutionResultMessage"
    tool_call_id: str
    name: str | None
    is_error: bool
    app_data: dict[str, Any] | None
    media: list[Any] | None


class Chunk(Record, kw_only=True):
    """A chunk of a stream, with its keys in V3's order."""

    chunk_type: str
    metadata: dict[str, Any]
    text: str | UnsetType = UNSET
    message: Any = UNSET
    result: Any = UNSET


def arguments_json(arguments: Arguments) -> Raw:
    """Return arguments as an object. Raises ValueError if they are not one."""
    raw = arguments.object_json()
    if raw is None:
        raise ValueError("expected `object`, or text of one")
    return raw
