"""Lists of media as Operator-Use writes them: base64, URLs and `file:` paths, all of them strings.

An item is held as a `Media`, which keeps the base64 that came in; a URL or a path is held as `str`.
Nothing here reads a file unless the caller asks for it explicitly.

Source: CursorTouch/Operator-Use at ed1adb1, `program/message/utils.py`.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, Self, SupportsIndex, TypeAlias

import msgspec
from msgspec import Raw

from ...errors import DecodeError, EncodeError, quoted
from ...model import Media
from ...model.media import adopt_media, media_of_text, odd_text
from .system import WIRE

__all__ = [
    "LISTS",
    "MediaList",
    "adopted",
    "media_type",
    "misread",
    "read_file",
    "to_base64",
]

if TYPE_CHECKING:
    MediaList: TypeAlias = list[str | Media]
else:
    MediaList = list[Raw]  # the decoder hands over slices, and `__post_init__` adopts them

_decode_str = msgspec.json.Decoder(str).decode
_HEAD: Final = 40  # bytes of a JSON string that show its kind: an escaped letter takes six of them
# RPC prints binary data as Python's `repr` of bytes, which is never base64.
# Possessive quantifiers never backtrack, so the match needs no memory for it.
_ESCAPE = r"""\\(?:x[0-9a-f]{2}|[nrt\\'"])"""
_ONE, _TWO = r"[ -&(-\[\]-~]*+", r"[ !#-\[\]-~]*+"
_REPR: Final = re.compile(rf"""b'{_ONE}(?:{_ESCAPE}{_ONE})*+'|b"{_TWO}(?:{_ESCAPE}{_TWO})*+\"""")

# Media that begin with none of these are taken for PNG or MPEG.
_IMAGES: Final = (
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_SOUNDS: Final = ((b"OggS", "audio/ogg"), (b"fLaC", "audio/flac"))
_DEFAULTS: Final = {
    "image": "image/png",
    "audio": "audio/mpeg",
    "video": "video/mp4",
    "file": "application/octet-stream",
}
_LEAST: Final = 16
_SAMPLE: Final = 8192  # bytes of a file that show whether it is text
_SAME: Final = {"audio/opus": "audio/ogg"}  # Operator-Use knows only the container

LISTS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "images": ("image", ("http",)),
    "audio": ("audio", ("file:", "http")),
    "audios": ("audio", ("file:", "http")),
    "videos": ("video", ("file:", "http")),
    "files": ("file", ("file:", "http")),
}
"""The key of each list -> its kind of media, and how the items begin that are held as `str`.

An `http` URL of a sound stays a URL, though Operator-Use takes it for base64.
"""


class _Items(list[Any]):
    """A list of media that adopts what is added to it, as its content's constructor does."""

    __slots__ = ("name",)

    def __init__(self, items: Iterable[Any] = (), name: str | None = None) -> None:
        """Without a name, hold a copy of such a list, as `dataclasses.asdict` makes one."""
        self.name: str | None = name
        super().__init__(_item(item, name, i) for i, item in enumerate(items))

    def append(self, item: Any) -> None:
        super().append(_item(item, self.name, len(self)))

    def insert(self, index: SupportsIndex, item: Any) -> None:
        super().insert(index, _item(item, self.name, index))

    def extend(self, items: Iterable[Any]) -> None:
        super().extend(_item(item, self.name, i) for i, item in enumerate([*items], len(self)))

    def __iadd__(self, items: Iterable[Any]) -> Self:  # type: ignore[misc]
        self.extend(items)
        return self

    def __setitem__(self, index: Any, item: Any) -> None:
        is_slice = isinstance(index, slice)
        super().__setitem__(
            index, _Items(item, self.name) if is_slice else _item(item, self.name, index)
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy by the constructor's arguments."""
        return _Items, (list(self), self.name)


def adopted(name: str, items: Iterable[Any]) -> MediaList:
    """Return a list of media that adopts slices, and whatever a caller passes or adds.

    Raises `EncodeError` for a caller's text that has no place in the list; ValueError for a slice,
    which the running decoder turns into an error with the path.
    """
    return _Items(items, name)


def _item(item: Any, name: str | None, index: SupportsIndex) -> str | Media:
    kind = type(item)
    if kind is Media or name is None:
        return item  # type: ignore[no-any-return]
    what, prefixes = LISTS[name]
    if kind is Raw:
        return _slice(item, prefixes)
    if isinstance(item, os.PathLike):
        return read_file(item)
    if not isinstance(item, str):
        return Media.of(item)
    if item.startswith(prefixes):
        return str(item)
    if what == "audio" and _is_unknown(item):
        return Media.from_base64(item)
    path = f"$.{name}[{index}]"
    media = media_of_text(item, what, wire=WIRE, path=path)
    if media is None:
        reason = f"URL {quoted(item)}, expected one that begins with `http`"
        raise EncodeError(reason, wire=WIRE, path=path)
    return media


def _is_unknown(text: str) -> bool:
    """Whether text is base64 that shows no type, which Operator-Use takes for `audio/mpeg`.

    It takes any text so. What is shorter than 16 letters may be a name without an extension.
    """
    if len(text) < _LEAST or not text.isascii():
        return False
    media = Media.from_base64(text)
    return media.sniffed is None and odd_text(media) is None


def read_file(path: str | os.PathLike[str]) -> Media:
    """Read a file now, as Operator-Use does. Raises `EncodeError` if it cannot be read."""
    return Media.from_bytes(Media.from_file(path).view())


def _slice(raw: Raw, prefixes: tuple[str, ...]) -> str | Media:
    head = bytes(memoryview(raw)[:_HEAD])
    if head[:1] == b'"' and b"\\" in head:
        text = _decode_str(raw)
        return text if text.startswith(prefixes) else _odd(text) or Media("json", raw)
    start = head[1:6].decode("latin-1")
    if start.startswith(prefixes):
        return _decode_str(raw)
    if start.lower() == "data:":
        try:
            media = Media.of_data_url(raw)
        except DecodeError:  # malformed: Operator-Use takes it for base64
            media = None
        if media is not None:
            return media
    if start[:2] in ("b'", 'b"'):
        found = _odd(_decode_str(raw))
        if found is not None:
            return found
    media = adopt_media(raw)
    if media is None:
        raise ValueError("expected base64 `str`, got `null`")
    return media


def _odd(text: str) -> Media | None:
    """Return the media in a `data:` URL or in the `repr` of bytes, None if it is neither."""
    if text[:2] in ("b'", 'b"') and _REPR.fullmatch(text):
        return Media.from_bytes(text[2:-1].encode().decode("unicode_escape").encode("latin-1"))
    return _data_url(text)


def _data_url(text: str) -> Media | None:
    if text[:5].lower() != "data:":
        return None
    try:
        return Media.from_data_url(text)
    except DecodeError:
        return None


def misread(media: Media, prefixes: tuple[str, ...]) -> Media | None:
    """Return inline data as it is written, None if it would be read as a URL or a path."""
    raw = media.json()
    head = bytes(memoryview(raw)[:_HEAD])
    text = _decode_str(raw) if b"\\" in head else head[1:].decode("latin-1")
    return None if text.startswith(prefixes) else Media("json", raw)


def media_type(media: Media, kind: str) -> str:
    """Return the type detected from the bytes; if there is none, Operator-Use's default.

    `kind` is `image`, `audio`, `video` or `file`.
    """
    found = media.sniffed
    if found is not None and (kind == "file" or found.startswith(kind)):
        return _SAME.get(found, found)
    return "text/plain" if kind == "file" and _is_text(media) else _DEFAULTS[kind]


def _is_text(media: Media) -> bool:
    """Whether a file begins with UTF-8, as Tau finds it; text taken for a PDF is refused."""
    try:
        head = bytes(media.view()[:_SAMPLE])
    except DecodeError:
        return False
    try:
        head.decode()
    except UnicodeDecodeError as error:
        if error.reason != "unexpected end of data":  # else the sample cuts a letter
            return False
    return bool(head) and b"\0" not in head


def to_base64(item: str | Media, kind: str, read_files: bool = False) -> tuple[str, str]:
    """Return base64 and MIME type by Operator-Use's own rules; an image's URL has type `""`.

    Raises `EncodeError` for a `file:` path that is not allowed to be read, or cannot be.
    """
    text = item if isinstance(item, str) else item.to_base64()
    if isinstance(item, str):
        if kind == "image":
            return text, ""
        if text.startswith("file:"):
            if not read_files:
                raise EncodeError(
                    "`file:` path, expected the data; pass `read_files=True`", wire=WIRE
                )
            text = Media.from_bytes(Media.from_file(text[5:]).view()).to_base64()
    rule = _RULES.get(kind)
    if rule is None:
        return text, media_type(Media.from_base64(text), kind)
    return text, _told(text, rule)


def _told(text: str, rule: Callable[[bytes], str]) -> str:
    try:
        return rule(base64.b64decode(text[:16] + "=="))
    except (binascii.Error, ValueError):
        return rule(b"")


def _image(head: bytes) -> str:
    for magic, mime_type in _IMAGES:
        if head.startswith(magic):
            return mime_type
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return _DEFAULTS["image"]


def _sound(head: bytes) -> str:
    for magic, mime_type in _SOUNDS:
        if head.startswith(magic):
            return mime_type
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "audio/wav"
    return _DEFAULTS["audio"]


_RULES: Final = {"image": _image, "audio": _sound}
