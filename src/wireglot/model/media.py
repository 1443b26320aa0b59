"""Inline media: one value over one buffer, kept in the form in which it arrived, converted on use.

A 10 MB image that arrives in JSON is a slice of that JSON, and is written as the same slice.
Nothing here fetches a URL, and no data from a wire can make it read a file.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeAlias

import msgspec
from msgspec import Raw

from ..errors import DecodeError, EncodeError, LimitError, quoted
from .rawjson import check_utf8, is_msgpack
from .sniff import HEAD, sniff
from .source import ASCII_JSON, reading, settled, taken_out

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = [
    "InlineMedia",
    "Media",
    "MediaSource",
    "Pieces",
    "adopt_media",
    "is_url",
    "media_of_text",
    "odd_text",
]

_encode_str = msgspec.json.Encoder().encode
_decode_str = msgspec.json.Decoder(str).decode
_decode_bin = msgspec.msgpack.Decoder(memoryview).decode
_decode_text = msgspec.msgpack.Decoder(str | None).decode

# `json` is a whole JSON string, `inner` a part of one: neither is unescaped before it is used.
Form = Literal["json", "inner", "base64", "binary", "image", "file", "loader"]
_TEXT: Final = frozenset({"json", "inner", "base64"})
_QUOTE: Final = ord('"')
_HEAD_BASE64: Final = HEAD // 3 * 4
_LONGEST_HEAD: Final = 256  # of a `data:` URL, before the payload
# Bytes from which it pays to start the encoder again, and from which a slice is not looked at.
_LARGE: Final = 65_536
_PIECE: Final = 262_144  # bytes that are compared at once
_URL: Final = re.compile(r"(?!file:)[a-z][a-z0-9+.-]*://", re.IGNORECASE | re.ASCII)
# The types that base64 text given for each kind of media may show. Containers are often named after
# films though they hold a sound alone.
_SHOWN: Final = {
    "image": ("image/",),
    "audio": ("audio/", "video/"),
    "video": ("video/",),
    "document": ("application/",),
    "file": ("",),
}
_MIME_TYPE: Final = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+", re.ASCII)
_NO_TYPE: Final = re.compile("[^ -~]|,")  # not printable ASCII, or the end of the type
# Pillow's names of the formats that `to_pil` opens; some others (EPS) run programs.
_OPENED: Final = ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF", "AVIF")
# Pillow's names of the formats that some provider accepts; any other is written as PNG.
_PIL_FORMATS: Final = frozenset({"JPEG", "PNG", "GIF", "WEBP"})


class Pieces:
    """A large JSON string in several pieces, which an encoder joins with the rest of its output."""

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[bytes | memoryview, ...]) -> None:
        self.parts: tuple[bytes | memoryview, ...] = parts


class Media:
    """The bytes of an image, a sound, a film or a document, inline.

    Make one with `from_bytes`, `from_base64`, `from_data_url`, `from_pil`, `from_file`,
    `from_loader` or `of`. Base64 is not checked until bytes are asked for.

    `bytes(media)`, `len(media)` and, from Python 3.12 on, its buffer are the binary data;
    `str(media)` is base64. It is true, even if it is empty: a block without data has None.
    """

    __slots__ = ("_body", "_form", "_mime_type")

    _form: Form
    _body: Any
    _mime_type: str | None

    def __init__(self, form: Form, body: Any, mime_type: str | None = None) -> None:
        self._form = form
        self._body = body
        self._mime_type = mime_type

    @classmethod
    def from_bytes(cls, data: bytes | bytearray | memoryview, mime_type: str | None = None) -> Self:
        """Hold binary data. `bytes` and views of `bytes` are not copied; any other buffer is."""
        return cls("binary", memoryview(settled(data)), mime_type)

    @classmethod
    def from_base64(cls, text: str | bytes, mime_type: str | None = None) -> Self:
        """Hold base64 text, standard alphabet, as it is."""
        try:
            return cls("base64", text if isinstance(text, bytes) else text.encode(), mime_type)
        except UnicodeEncodeError as error:
            raise EncodeError("base64 text holds a lone surrogate", wire="media") from error

    @classmethod
    def from_data_url(cls, url: str) -> Self:
        """Hold the payload of a `data:` URL (RFC 2397). Raises `DecodeError` if it is malformed."""
        head, comma, payload = url.partition(",")
        if not comma or head[:5].lower() != "data:":
            raise DecodeError(f"{quoted(url)}, expected a `data:` URL", wire="media")
        mime_type, *parameters = head[5:].split(";")
        if not mime_type.isascii():
            raise DecodeError(_odd_type(mime_type), wire="media")
        from urllib.parse import unquote, unquote_to_bytes

        if parameters and parameters[-1].strip().lower() == "base64":
            return cls.from_base64(
                unquote(payload) if "%" in payload else payload, mime_type or None
            )
        try:
            return cls.from_bytes(unquote_to_bytes(payload), mime_type or "text/plain")
        except UnicodeEncodeError as error:
            raise DecodeError("`data:` URL holds a lone surrogate", wire="media") from error

    @classmethod
    def from_pil(cls, image: Image) -> Self:
        """Hold a PIL image, encoded when bytes are asked for.

        JPEG, PNG, GIF and WEBP keep their own format, any other becomes PNG. The pixels of PNG and
        WEBP are exact. JPEG is compressed anew, as strongly as the file that it was opened from,
        else at quality 95, so that its pixels change a little. All frames of an animation and their
        times are kept, and `info["exif"]` (with the orientation) and `info["icc_profile"]`, but not
        those of a GIF; other metadata are not. `from_file` and `from_bytes` keep a file's bytes.
        """
        return cls("image", image)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], mime_type: str | None = None) -> Self:
        """Hold a file's path, or its `file:` string; the file is read when bytes are asked for.

        `file://` begins a URL (RFC 8089), percent-encoded; `file:` alone precedes a plain path. The
        file must be a regular one: it is read again each time. For a pipe there is `from_loader`.
        """
        name = os.fspath(path)
        if name.startswith("file://"):
            from urllib.parse import unquote

            name = unquote("/" + name[7:].partition("/")[2])
        return cls("file", name.removeprefix("file:"), mime_type)

    @classmethod
    def from_loader(
        cls, load: Callable[[], bytes | memoryview], mime_type: str | None = None
    ) -> Self:
        """Hold a callable that returns the bytes, called when they, or their type, are needed.

        It is called once, but threads that need the bytes at the same time each call it. Its
        exceptions are not caught.
        """
        return cls("loader", load, mime_type)

    @classmethod
    def of(
        cls, value: Media | bytes | bytearray | memoryview | str | os.PathLike[str] | Image
    ) -> Media:
        """Hold what callers pass: bytes, base64, a `data:` URL, a PIL image, a path, `file:` text.

        Raises `EncodeError` for any other text, which `from_base64` would hold unchecked.
        """
        if isinstance(value, Media):
            return value
        if isinstance(value, bytes | bytearray | memoryview):
            return cls.from_bytes(value)
        if isinstance(value, str):
            if value[:5].lower() == "data:":
                return cls.from_data_url(value)
            if value.startswith("file:"):
                return cls.from_file(value)
            media = cls.from_base64(value)
            if odd_text(media) is not None:
                reason = (
                    f"{quoted(value)}, expected base64 or a `data:` URL; "
                    "pass a URL as `url`, pass a `Path` or use `from_file(path)` for a file"
                )
                raise EncodeError(reason, wire="media")
            return media
        if isinstance(value, os.PathLike):
            return cls.from_file(value)
        if hasattr(value, "tobytes") and hasattr(value, "save"):
            return cls.from_pil(value)
        raise EncodeError(
            f"media of type `{type(value).__name__}`, expected bytes, text, a path or a PIL image",
            wire="media",
        )

    @classmethod
    def of_data_url(cls, text: Raw) -> Self | None:
        """Hold the payload of a `data:` URL in a JSON string, as a slice of it.

        Returns None if the string is not a `data:` URL. Raises `DecodeError` if it is a malformed
        one.
        """
        held = taken_out.get()
        view = memoryview(text if held is None else held.string(text))
        if bytes(view[:6]).lower() != b'"data:':
            return None
        if held is not None:
            held.claim(text)
        head, comma, _ = bytes(view[6:_LONGEST_HEAD]).partition(b",")
        *types, encoding = head.lower().split(b";")
        if not comma or encoding.strip() != b"base64" or b"\\" in head or not head.isascii():
            return cls.from_data_url(_decode_str(view))
        _check(view)
        mime_type = head[: len(types[0])].decode() if types else ""
        return cls("inner", view[6 + len(head) + 1 : -1], mime_type or None)

    # -- what it holds ------------------------------------------------------------------------

    def view(self) -> memoryview:
        """Return the binary data, read-only, without a copy if it is held as binary.

        Base64 may be padded or not, broken into lines, and in either alphabet (RFC 4648).

        Raises `DecodeError` if it is anything else, `EncodeError` if a file that the caller named
        cannot be read, or is not a regular file.
        """
        if self._form == "loader":
            self._load()
        if self._form == "binary":
            return self._body  # type: ignore[no-any-return]
        if self._form == "file":
            return memoryview(_read(self._body))
        if self._form == "image":
            return memoryview(_saved(self._body))
        try:
            return memoryview(_strict_base64(self._text()))
        except ValueError:
            return memoryview(_lenient_base64(self.to_base64()))

    def to_bytes(self) -> bytes:
        """Return a copy of `view()`. Raises as it does."""
        return bytes(self.view())

    def to_base64(self) -> str:
        """Return base64 text: the held text itself if there is one, else standard and padded.

        Raises as `view` does.
        """
        if self._form in _TEXT:
            try:
                if self._form == "json":
                    return _decode_str(self._body)
                if self._form == "inner":
                    return _decode_str(b"".join((b'"', self._body, b'"')))
                return str(self._body, "utf-8")
            except UnicodeDecodeError as error:
                raise DecodeError("base64 text is not UTF-8", wire="media") from error
            except msgspec.DecodeError as error:  # a large payload is not checked on decode
                raise DecodeError(f"base64 text is not JSON: {error}", wire="media") from error
        import pybase64

        return pybase64.b64encode_as_string(self.view())

    def data_url(self, mime_type: str | None = None) -> str:
        """Return a `data:` URL with the type given, else the known one, else that of unknown bytes.

        Raises `EncodeError` if a URL cannot hold the type, else as `view` does.
        """
        known = mime_type or self.mime_type or "application/octet-stream"
        if _NO_TYPE.search(known):
            raise EncodeError(_odd_type(known), wire="media")
        return f"data:{known};base64,{self.to_base64()}"

    def to_pil(self) -> Image:
        """Open the image with Pillow, which decodes it on first use.

        JPEG, PNG, GIF, WebP, BMP and TIFF are opened, and AVIF where Pillow supports it.

        Raises `DecodeError` if Pillow cannot read it, `LimitError` if it has more pixels than
        Pillow's `MAX_IMAGE_PIXELS`; Pillow may warn of that, too.
        """
        if self._form == "image":
            return self._body  # type: ignore[no-any-return]
        import io

        from PIL import Image

        data = io.BytesIO(self.view())
        try:
            image = Image.open(data, formats=_OPENED)
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise LimitError(f"image of too many pixels: {error}", wire="media") from error
        except Exception as error:
            raise DecodeError(f"not an image that Pillow reads: {error}", wire="media") from error
        # Up to twice the limit Pillow only warns, and a filter of warnings would be every thread's.
        most, pixels = Image.MAX_IMAGE_PIXELS, image.width * image.height
        if most is not None and pixels > most:
            raise LimitError(f"image of {pixels:,} pixels, expected at most {most:,}", wire="media")
        return image

    @property
    def mime_type(self) -> str | None:
        """The declared type, else the one that the first bytes show, else None.

        Raises `EncodeError` if a file that the caller named cannot be read.
        """
        return self._mime_type or self.sniffed

    @property
    def sniffed(self) -> str | None:
        """The type that the first bytes show, whatever was declared; None if they show none.

        Raises as `mime_type` does.
        """
        if self._form == "image":
            return f"image/{_pil_format(self._body).lower()}"
        if self._form == "file":
            return sniff(_read(self._body, HEAD))
        if self._form == "loader":
            self._load()
        if self._form == "binary":
            return sniff(bytes(self._body[:HEAD]))
        head = str(bytes(self._text()[: 2 * _HEAD_BASE64]), "utf-8", "replace")
        try:
            if "\\" in head:
                head = self.to_base64()[: 2 * _HEAD_BASE64]
            return sniff(_lenient_base64("".join(head.split())[:_HEAD_BASE64]))
        except DecodeError:
            return None

    @property
    def is_empty(self) -> bool:
        """Whether there is no data.

        False for a file, a loader or an image, which are not read for this.
        """
        if self._form in ("image", "file", "loader"):
            return False
        return not len(self._body if self._form == "binary" else self._text())

    @property
    def is_elsewhere(self) -> bool:
        """Whether the bytes are in a file or behind a loader, and are read when asked for."""
        return self._form in ("file", "loader")

    @property
    def size(self) -> int:
        """The number of bytes of the binary data. Raises as `view` does."""
        return len(self.view())

    @property
    def sha256(self) -> str:
        """SHA-256 of the binary data, 64 hexadecimal digits. Raises as `view` does."""
        import hashlib

        return hashlib.sha256(self.view()).hexdigest()

    def detach(self) -> Self:
        """Copy the data out of the input that it is a slice of, and return self.

        A slice keeps its whole input in memory.
        """
        if self._form == "json":
            self._body = Raw(bytes(self._body))
        elif self._form in ("binary", "inner"):
            self._body = memoryview(bytes(self._body))
        return self

    # -- how it travels -----------------------------------------------------------------------

    def json(self) -> Raw:
        """Return base64 as a JSON string: the slice itself, if it arrived as a JSON string."""
        made = self.json_pieces()
        return Raw(b"".join(made.parts)) if isinstance(made, Pieces) else made

    def json_pieces(self) -> Raw | Pieces:
        """Return what `json` does, in pieces if it is large and must be assembled."""
        if self._form == "json":
            return self._body  # type: ignore[no-any-return]
        if self._form == "inner":
            return _joined(b'"', self._body, b'"')
        if self._form == "base64":
            return Raw(_encode_str(self.to_base64()))
        import pybase64

        return _joined(b'"', pybase64.b64encode(self.view()), b'"')

    def json_data_url(self, mime_type: str | None = None) -> Raw | Pieces:
        """Return `data_url` as a JSON string, the payload spliced into it."""
        known = mime_type or self.mime_type or "application/octet-stream"
        if self._form not in ("json", "inner") or not _MIME_TYPE.fullmatch(known):
            return Raw(_encode_str(self.data_url(known)))
        return _joined(b'"data:%b;base64,' % known.encode(), self._text(), b'"')

    def msgpack(self) -> memoryview | str:
        """Return binary data, or the base64 text if decoding and encoding would change it."""
        if self._form not in _TEXT:
            return self.view()
        text = self._text()
        try:
            data = _strict_base64(text)
        except ValueError:
            text = memoryview(self.to_base64().encode())  # without the escapes of JSON
            try:
                data = _strict_base64(text)
            except ValueError:
                return self.to_base64()
        import pybase64

        tail = data[-(len(data) % 3 or 3) :]  # the last group alone can hold stray bits
        return (
            memoryview(data) if pybase64.b64encode(tail) == bytes(text[-4:]) else self.to_base64()
        )

    def _load(self) -> None:
        load: Any = self._body
        if callable(load):  # else another thread has loaded it, and may not have set the form
            data: Any = load()
            self._body = Media.from_bytes(data)._body
        self._form = "binary"

    def _text(self) -> memoryview:
        """Return the base64 text, with its JSON escapes if it has any."""
        view = memoryview(self._body)
        return view[1:-1] if self._form == "json" else view

    def __bytes__(self) -> bytes:
        """Return what `to_bytes` does."""
        return self.to_bytes()

    def __buffer__(self, flags: int) -> memoryview:
        """Return what `view` does; Python asks for it from 3.12 on."""
        return self.view()

    def __len__(self) -> int:
        """Return `size`."""
        return self.size

    def __bool__(self) -> Literal[True]:
        """Return True: `is_empty` tells more."""
        return True

    def __str__(self) -> str:
        """Return what `to_base64` does."""
        return self.to_base64()

    def __eq__(self, other: object) -> bool:
        """Equal if the binary data is; data that cannot be decoded is compared by its text.

        Media equal the bytes that they were made of, too, and a `str` that is their base64.
        """
        if isinstance(other, bytes | bytearray | memoryview):
            other = Media.from_bytes(other)
        elif isinstance(other, str):
            other = Media.from_base64(other.encode("ascii", "replace"))
        if not isinstance(other, Media):
            return NotImplemented
        if self._form == other._form != "binary" and self._body == other._body:
            return True
        try:
            return _same_bytes(self.view(), other.view())
        except (DecodeError, EncodeError):
            return {self._form, other._form} <= _TEXT and _same_text(self, other)

    def __repr__(self) -> str:
        """Return the form, the type and about the size; never the payload. Raises no error."""
        if self._form in ("image", "file", "loader"):
            return f"<Media {self._form} {self._body!r}>"
        size = len(self._body) if self._form == "binary" else len(self._text()) * 3 // 4
        return f"<Media {self._form} {self.mime_type or 'unknown type'}, about {size:,} bytes>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy as bytes: a slice depends on its input, a PIL image on its open file."""
        if self._form in ("binary", "image", "loader"):
            return _revive, ("binary", self.to_bytes(), self._mime_type)
        body = bytes(self._body) if self._form in ("json", "inner") else self._body
        return _revive, (self._form, body, self._mime_type)


def is_url(media: Media) -> bool:
    """Whether text in place of base64 is a URL, for a wire that takes either in the same field."""
    if media._form not in _TEXT:
        return False
    return bytes(media._text()[:6]).lower().startswith((b"http:", b"https:", b"data:"))


def odd_text(media: Media) -> str | None:
    """Return text that is held in place of base64 but cannot be decoded, such as a path.

    Data whose first bytes show a type are not decoded to find that out.
    """
    if media._form not in _TEXT or media.sniffed is not None:
        return None
    try:
        media.view()
    except DecodeError:
        try:
            return media.to_base64()
        except DecodeError:
            return None
    return None


def media_of_text(text: str, kind: str, *, wire: str, path: str) -> Media | None:
    """Return the inline data that a caller gave as text, None if the text is a URL.

    `kind` is `image`, `audio`, `video`, `document` or `file`. The text is a `data:` URL, any other
    URL but a `file:` one, or base64 whose first bytes show that kind.

    Raises `EncodeError` for any other text.
    """
    if text[:5].lower() == "data:":
        try:
            return Media.from_data_url(text)
        except DecodeError as error:
            raise EncodeError(error.reason, wire=wire, path=path) from error
    if _URL.match(text):
        return None
    mime_type = None
    if text.isascii():  # else it may hold a lone surrogate
        media = Media.from_base64(text)
        mime_type = media.sniffed
        try:
            if mime_type is not None and len(media.view()) and mime_type.startswith(_SHOWN[kind]):
                return media
        except DecodeError:  # it only begins as base64
            mime_type = None
    shown = f"base64 of `{mime_type}`" if mime_type is not None else quoted(text)
    raise EncodeError(
        f"{shown}, expected a URL or base64 of {_NAMED[kind]}; pass a `Path` or use "
        "`from_file(path)` for a file, `from_base64(text)` for base64 of unknown type",
        wire=wire,
        path=path,
    )


_NAMED: Final = {
    "image": "an image",
    "audio": "a sound",
    "video": "a video",
    "document": "a document",
    "file": "a file of a known type",
}


def adopt_media(value: Any) -> Media | None:
    """Take over a decoder's slice, or whatever a caller passed for it.

    Raises ValueError, which the current decoder turns into an error with the path.
    """
    if type(value) is not Raw:
        return None if value is None else Media.of(value)
    held = taken_out.get()
    if held is not None:
        value = held.claim(value)
    view = memoryview(value)
    if is_msgpack(view):
        if 0xC4 <= view[0] <= 0xC6:
            return Media("binary", _decode_bin(view))
        try:
            text = _decode_text(view)
        except msgspec.DecodeError as error:
            raise ValueError("expected `bytes` or base64 `str`") from error
        return None if text is None else Media.from_base64(text)
    if view[0] != _QUOTE:
        if bytes(view[:4]) == b"null":
            return None
        raise ValueError("expected base64 `str`")
    _check(view)
    return Media("json", value)


def _check(text: memoryview) -> None:
    """Raise ValueError if a JSON string is not UTF-8, unless it is too large to be looked at.

    The C decoder has skipped over it, and the bytes would damage any body that it is written into.
    """
    if len(text) < _LARGE and reading.get() is not ASCII_JSON:
        check_utf8(text)


def _joined(*parts: bytes | memoryview) -> Raw | Pieces:
    return Pieces(parts) if len(parts[1]) >= _LARGE else Raw(b"".join(parts))


def _same_bytes(one: memoryview, other: memoryview) -> bool:
    """Compare as `==` does, which takes ten times as long: it compares item by item."""
    return len(one) == len(other) and all(
        bytes(one[at : at + _PIECE]) == bytes(other[at : at + _PIECE])
        for at in range(0, len(one), _PIECE)
    )


def _same_text(one: Media, other: Media) -> bool:
    try:
        return one.to_base64() == other.to_base64()
    except DecodeError:  # the text cannot be decoded either
        return one._text() == other._text()


def _strict_base64(text: memoryview) -> bytes:
    import pybase64

    return pybase64.b64decode(text, validate=True)


def _odd_type(mime_type: str) -> str:
    return f"media type {quoted(mime_type)}, expected one like `image/png`"


def _lenient_base64(text: str) -> bytes:
    plain = "".join(text.split()).rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return _strict_base64(memoryview((plain + "=" * (-len(plain) % 4)).encode()))
    except ValueError as error:
        raise DecodeError(f"not base64: {error}", wire="media") from error


def _read(path: str, size: int = -1) -> bytes:
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISREG(mode) or stat.S_ISDIR(mode):  # a directory is an error of `open`
            with open(path, "rb") as file:
                return file.read(size)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise EncodeError(f"cannot read {quoted(path, 300)}: {why}", wire="media") from error
    # A pipe, a socket or a terminal has its bytes once, and finding the type would use them up.
    reason = (
        f"cannot read {quoted(path, 300)}: not a regular file; pass what reads it to `from_loader`"
    )
    raise EncodeError(reason, wire="media")


def _pil_format(image: Image) -> str:
    return image.format if image.format in _PIL_FORMATS else "PNG"


def _saving(image: Image, animated: bool) -> dict[str, Any]:
    """Return Pillow's options to keep what it would drop. Moves an animation to another frame."""
    options = {key: image.info[key] for key in ("exif", "icc_profile") if image.info.get(key)}
    if image.format == "WEBP":
        options |= {"lossless": True, "exact": True}
        if animated:  # of the other formats, Pillow keeps the times itself
            options |= {"duration": _durations(image), "loop": image.info.get("loop", 0)}
    elif image.format == "JPEG":
        options["quality"] = "keep" if getattr(image, "quantization", None) else 95
    return options


def _durations(image: Image) -> list[int]:
    from PIL import ImageSequence

    times = []
    for frame in ImageSequence.Iterator(image):
        frame.load()
        times.append(frame.info.get("duration", 0))
    return times


def _saved(image: Image) -> bytes:
    """Write an image, an animation with all its frames, and restore its current frame.

    Of other files that hold several pictures (MPO, TIFF), only the current one is written.
    """
    import io

    out = io.BytesIO()
    try:
        animated = image.format in _PIL_FORMATS and getattr(image, "is_animated", False)
        frame = image.tell() if animated else 0
        image.save(out, _pil_format(image), save_all=animated, **_saving(image, animated))
        if animated:
            image.seek(frame)
    except Exception as error:
        raise EncodeError(f"image that Pillow cannot save: {error}", wire="media") from error
    return out.getvalue()


def _revive(form: Form, body: Any, mime_type: str | None) -> Media:
    return Media(
        form,
        Raw(body) if form == "json" else memoryview(body) if form == "binary" else body,
        mime_type,
    )


# What constructors accept (see `accepted.py`); at run time it is a slice of the input.
if TYPE_CHECKING:
    from .accepted import Field

    MediaSource: TypeAlias = (
        "Media | bytes | bytearray | memoryview | str | os.PathLike[str] | Image"
    )
    InlineMedia: TypeAlias = Field[Media | None, MediaSource | None]
else:
    MediaSource = Any
    InlineMedia = Annotated[Raw, str | None]
