"""An envelope: encoded messages, with CloudEvents attributes on the outside.

The attributes are those of CloudEvents 1.0 (https://github.com/cloudevents/spec, v1.0.2, `spec.md`)
and of its extensions for partitioning and distributed tracing, in their canonical text. Brokers
carry them beside the body ("binary mode", see `headers.py`), so that programs which route, count or
store envelopes need not open them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta, Raw, Struct

from ..errors import EncodeError, PoisonError, VersionError, WireglotError, quoted
from ..model.source import settled

__all__ = ["VERSION", "WIRE", "ContentType", "Envelope", "Packed"]

WIRE: Final = "queue"
VERSION: Final = 1
"""The major version that we write. A reader reads this version and all before it."""

_SPECVERSION: Final = "1.0"
_REQUIRED: Final = ("specversion", "id", "source", "type")
_KNOWN: Final = {*_REQUIRED, "datacontenttype", "partitionkey", "crc32", "traceparent", "time"}
_NAME: Final = re.compile("[a-z0-9]{1,100}")
# CloudEvents forbids control characters and lone surrogates in a text.
_NO_TEXT: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_TOKEN: Final = re.compile("[A-Za-z0-9-]+")
_MEDIA_TYPE: Final = "application/vnd.wireglot+"
_UPGRADE: Final = "upgrade wireglot"
_LONGEST: Final = 255  # RFC 6838, 4.2: 127 for type and subtype each
_VERSION_TEXT: Final = re.compile(r"([1-9]\d{0,5})(?:\.\d{1,6})?", re.ASCII)


class ContentType(NamedTuple):
    """The type of a body: `application/vnd.wireglot+FORMAT; kind=KIND; version=VERSION`."""

    format: str
    kind: str
    version: int

    def __str__(self) -> str:
        """Return the text as it is sent."""
        return f"{_MEDIA_TYPE}{self.format}; kind={self.kind}; version={self.version}"


class Packed(Struct, array_like=True, forbid_unknown_fields=True):
    """An envelope as a MessagePack array."""

    version: Annotated[int, Meta(ge=1)]
    attributes: dict[str, str]
    encoding: str | None
    body: memoryview


# Attributes are sorted by name, so that equal envelopes are equal bytes.
_encode_packed = msgspec.msgpack.Encoder(order="deterministic").encode
_decode_packed = msgspec.msgpack.Decoder(Packed).decode
_decode_parts = msgspec.msgpack.Decoder(list[Raw]).decode
_decode_integer = msgspec.msgpack.Decoder(int).decode


class Envelope(Struct, frozen=True):
    """Encoded messages, and what a broker may see of them.

    Make one with `wireglot.queue.encode`. `attributes` are CloudEvents attributes by name, `body`
    is the data, compressed if `encoding` says so (`zstd`).

    Raises `EncodeError` if an attribute breaks the rules of CloudEvents, or a required one is
    missing.
    """

    attributes: dict[str, str]
    body: bytes | memoryview
    encoding: str | None = None

    def __post_init__(self) -> None:
        """Check the attributes against the rules of CloudEvents."""
        if not self.attributes.keys() <= _KNOWN:
            for name in self.attributes:
                if not _NAME.fullmatch(name) or name == "data":  # the body, in JSON
                    raise EncodeError(
                        f"attribute {quoted(name)}, expected letters a-z or digits", wire=WIRE
                    )
        for name in _REQUIRED:
            if not self.attributes.get(name):
                raise EncodeError(f"envelope without `{name}`, expected some text", wire=WIRE)
        values = self.attributes.values()
        # Printable text has no such character, and nearly all text is printable.
        if {*map(type, values)} != {str} or not "".join(values).isprintable():
            for name, value in self.attributes.items():
                if type(value) is not str or _NO_TEXT.search(value):
                    kind = f"`{type(value).__name__}`"
                    odd = "text with control characters" if kind == "`str`" else kind
                    reason = f"{odd}, expected printable text"
                    raise EncodeError(reason, wire=WIRE, path=f"$.{name}")
        if self.attributes["specversion"] != _SPECVERSION:
            version = self.attributes["specversion"]
            raise EncodeError(
                f"CloudEvents {quoted(version)}, expected `{_SPECVERSION}`", wire=WIRE
            )
        if self.encoding is not None and not _TOKEN.fullmatch(self.encoding):
            raise EncodeError(
                f"content encoding {quoted(self.encoding)}, expected a word", wire=WIRE
            )

    @property
    def id(self) -> str:
        """The id of the message.

        Every copy of a message has the same `source` and `id`; no other message has both.
        """
        return self.attributes["id"]

    @property
    def source(self) -> str:
        """Where the message was made, a URI reference."""
        return self.attributes["source"]

    @property
    def type(self) -> str:
        """The type of event, in the producer's words."""
        return self.attributes["type"]

    @property
    def conversation(self) -> str | None:
        """The id of the conversation (`partitionkey`), by which brokers may partition."""
        return self.attributes.get("partitionkey")

    @property
    def content_type(self) -> ContentType:
        """The type of the body.

        Raises `PoisonError` if it is not one of ours, `VersionError` if it is newer than this
        library.
        """
        text = self.attributes.get("datacontenttype")
        # A longer text is not one of ours, and the cache would keep it.
        content = None if text is None or len(text) > _LONGEST else _content_type(text)
        if content is None:
            raise self.poison(f"content type {quoted(text)}, expected `{_MEDIA_TYPE}...`")
        if content.version > VERSION:
            reason = f"content of version {content.version}, expected at most {VERSION}; {_UPGRADE}"
            raise self.poison(reason, error=VersionError)
        return content

    def poison(
        self, reason: str, *, path: str = "$", error: Callable[..., PoisonError] = PoisonError
    ) -> PoisonError:
        """Return an error that carries the envelope."""
        headers = {**self.attributes}
        if self.encoding is not None:
            headers["content-encoding"] = self.encoding
        return error(reason, body=bytes(self.body), headers=headers, wire=WIRE, path=path)

    def to_bytes(self) -> bytes:
        """Return the whole envelope in one piece, for transports that have no headers."""
        return _encode_packed(self.packed())

    @classmethod
    def from_bytes(cls, data: bytes | memoryview) -> Envelope:
        """Return the envelope that `to_bytes` wrote; its body is a slice of it.

        Raises `PoisonError` if `data` is not an envelope, `VersionError` if it is newer than this
        library.
        """
        data = settled(data)
        try:
            version, *_ = _decode_parts(data)
            if (number := _decode_integer(version)) > VERSION:
                reason = f"envelope of version {number}, expected at most {VERSION}; {_UPGRADE}"
                raise VersionError(reason, body=bytes(data), wire=WIRE)
            return cls.unpacked(_decode_packed(data))
        except PoisonError:
            raise
        except (ValueError, RecursionError) as error:
            reason = error.reason if isinstance(error, WireglotError) else str(error)
            raise PoisonError(f"not an envelope: {reason}", body=bytes(data), wire=WIRE) from error

    def packed(self) -> Packed:
        """Return the envelope in the form that `to_bytes` and a batch write."""
        return Packed(VERSION, self.attributes, self.encoding, memoryview(self.body))

    @classmethod
    def unpacked(cls, packed: Packed) -> Envelope:
        """Return the envelope of what `packed` returned. Raises `EncodeError` if it is invalid."""
        return cls(packed.attributes, packed.body, packed.encoding)

    def __repr__(self) -> str:
        """Return the attributes and the size: what people said does not belong into a log."""
        encoding = "" if self.encoding is None else f", encoding={self.encoding!r}"
        return f"Envelope({self.attributes!r}, <{len(self.body)} bytes>{encoding})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy with the body as bytes, because a slice depends on its input."""
        return Envelope, (self.attributes, bytes(self.body), self.encoding)


@lru_cache(maxsize=256)
def _content_type(text: str) -> ContentType | None:
    """Read a content type (RFC 9110, 8.3.1); return None if it is not one of ours."""
    media_type, *rest = text.split(";")
    media_type = media_type.strip().lower()
    parameters = {}
    for parameter in rest:
        name, _, value = parameter.partition("=")
        parameters[name.strip().lower()] = value.strip().strip('"')
    version = _VERSION_TEXT.fullmatch(parameters.get("version", ""))
    kind = parameters.get("kind", "")
    if not media_type.startswith(_MEDIA_TYPE) or not kind or version is None:
        return None
    return ContentType(media_type.removeprefix(_MEDIA_TYPE), kind, int(version[1]))
