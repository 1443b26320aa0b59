"""Model values <-> envelopes.

    envelope = queue.encode(messages, conversation="c-42")
    messages = queue.decode(envelope)

The body is native MessagePack or native JSON of one of the `KINDS`. `crc32`, a checksum of the body
as eight hexadecimal digits, detects bits that flipped on the way; it is not a signature.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from secrets import token_hex
from types import ModuleType
from typing import Annotated, Any, Final, Literal, TypeVar, overload

import msgspec
from msgspec import Meta, Raw

import wireglot.json as json
import wireglot.msgpack as msgpack

from .._body.refuse import refuse
from ..errors import DecodeError, EncodeError, LimitError, quoted, unknown
from ..limits import DEFAULT_LIMITS, Limits
from ..losses import Losses
from ..model import AgentMessage, LlmMessage, Message, Request, Response, SessionOnly
from ..model.counting import INCREASE_VALUES, check_json, check_msgpack
from ..model.events import StreamEvent
from ..model.session import canonical
from .compression import ZSTD, compressed, decompressed, largest_content, most_values
from .envelope import VERSION, WIRE, ContentType, Envelope

try:
    from zlib_ng.zlib_ng import crc32  # the same number, ten times as fast
except ImportError:
    from zlib import crc32

__all__ = ["KINDS", "decode", "decode_each", "encode", "opened", "sealed"]

T = TypeVar("T")

_SESSION: Any = list[AgentMessage]
KINDS: Final[dict[str, Any]] = {
    "messages": _SESSION,
    "request": Request,
    "response": Response,
    "events": list[StreamEvent],
}
"""What an envelope can hold: the kind in its content type, and the type that it decodes to."""

_ITEMS: Final[dict[str, Any]] = {"messages": AgentMessage, "events": StreamEvent}
_MESSAGES: Final[set[type]] = {LlmMessage, *Message.__args__, *SessionOnly.__args__}
_EVENTS: Final[set[type]] = {*StreamEvent.__args__}
_WIRES: Final[dict[str, ModuleType]] = {"msgpack": msgpack, "json": json}
_BOM: Final = b"\xef\xbb\xbf"
_OURS: Final = ("datacontenttype", "crc32")
_NEVER_EMPTY: Final = ("dataschema", "partitionkey", "subject")  # by the rules of CloudEvents
_Time = Annotated[datetime, Meta(tz=True)]
_CHECKS: Final[dict[str, Any]] = {"msgpack": check_msgpack, "json": check_json}
_SPLIT: Final = {
    "msgpack": msgspec.msgpack.Decoder(list[Raw]).decode,
    "json": msgspec.json.Decoder(list[Raw]).decode,
}


def encode(
    value: Any,
    *,
    id: str | None = None,
    source: str = "wireglot",
    type: str | None = None,
    conversation: str | None = None,
    format: Literal["msgpack", "json"] = "msgpack",
    zstd_over: int | None = None,
    losses: Losses = None,
    **attributes: str,
) -> Envelope:
    """Put a list of messages, a `Request`, a `Response`, or a list of stream events in an envelope.

    Another system's own messages are written as canonical ones.
    `id` is random if not given. A producer that may send a message twice must give it the same id
    both times: consumers recognise duplicates by `source` and `id`. `conversation` is the partition
    key. `type` defaults to `wireglot.messages`, `wireglot.request` and so on. Bodies of more than
    `zstd_over` bytes are compressed; with None, no body is. Further `attributes` are those of
    CloudEvents (`subject`, `time`), of its extensions (`traceparent`, `tracestate`, `sequence`) or
    your own.

    Raises `EncodeError` as `wireglot.json.encode` does, if an attribute is invalid, and beyond the
    default `Limits` of readers.
    """
    wire = _WIRES.get(format)
    if wire is None:
        raise EncodeError(unknown("format", format, _WIRES), wire=WIRE)
    if isinstance(value, list):
        value = canonical(value)
    kind = _kind(value)
    if conversation is not None:
        attributes["partitionkey"] = conversation
    return sealed(
        wire.encode(value, losses=losses, check=True),
        ContentType(format, kind, VERSION),
        {"id": id, "source": source, "type": type, **attributes},
        zstd_over,
    )


@overload
def decode(envelope: Envelope, *, limits: Limits | None = ...) -> list[AgentMessage]: ...
@overload
def decode(envelope: Envelope, type: type[T], *, limits: Limits | None = ...) -> T: ...
@overload
def decode(envelope: Envelope, type: Any, *, limits: Limits | None = ...) -> Any: ...
def decode(envelope: Envelope, type: Any = _SESSION, *, limits: Limits | None = None) -> Any:
    """Decode the body of an envelope as one of the types of `KINDS`. Media are slices of the body.

    Raises `PoisonError` if it cannot be read or is of another kind, `VersionError` if it is newer
    than this library, `EncodeError` if `type` is not a type that an envelope can hold.
    """
    content = _envelope(envelope).content_type
    if KINDS.get(content.kind) != type:
        wanted = next((kind for kind, known in KINDS.items() if known == type), None)
        if wanted is None:
            raise EncodeError(f"type {quoted(type)}, expected one of `KINDS`", wire=WIRE)
        raise envelope.poison(f"content of kind `{content.kind}`, expected `{wanted}`")
    body = opened(envelope, limits)
    try:
        return _wire(envelope, content).decode(body, type, limits=limits)
    except DecodeError as error:
        raise envelope.poison(error.reason, path=error.path) from error


def _envelope(value: Any) -> Envelope:
    if isinstance(value, Envelope):
        return value
    reason = f"`{value.__class__.__name__}`, expected an `Envelope`"
    raise TypeError(f"{reason}; `Envelope.from_bytes` reads one that is in one piece")


def decode_each(envelope: Envelope, *, limits: Limits | None = None) -> Iterator[Any]:
    """Yield the messages (or events) of an envelope one by one, each decoded when it is asked for.

    A message that cannot be read does not lose those before it.

    Raises `PoisonError`, `VersionError` as `decode` does: at once for the envelope, later for a
    single message, whose index is in the path.
    """
    content = _envelope(envelope).content_type
    item = _ITEMS.get(content.kind)
    if item is None:
        raise envelope.poison(f"content of kind `{content.kind}`, expected `messages` or `events`")
    wire = _wire(envelope, content)
    body = opened(envelope, limits)
    most = (limits or DEFAULT_LIMITS).messages
    if content.format == "json" and body[:3] == _BOM:
        body = memoryview(body)[3:]
    try:
        _CHECKS[content.format](body, (limits or DEFAULT_LIMITS).values, WIRE, step=INCREASE_VALUES)
        parts = _SPLIT[content.format](body)
    except LimitError as error:
        raise envelope.poison(error.reason) from error
    except (ValueError, RecursionError) as error:
        raise envelope.poison(f"not an array of {content.kind}: {error}") from error
    if len(parts) > most:
        raise envelope.poison(
            f"{len(parts):,} {content.kind}, expected at most {most:,}; increase `Limits.messages`"
        )
    return _each(envelope, parts, wire, item, limits)


def _each(
    envelope: Envelope, parts: list[Raw], wire: ModuleType, item: Any, limits: Limits | None
) -> Iterator[Any]:
    for number, part in enumerate(parts):
        try:
            yield wire.decode(memoryview(part), item, limits=limits)
        except DecodeError as error:
            path = f"$[{number}]{error.path[1:]}"
            raise envelope.poison(error.reason, path=path) from error


def sealed(
    body: bytes, content: ContentType, attributes: dict[str, Any], zstd_over: int | None
) -> Envelope:
    """Return an envelope of `body`, with the attributes that every envelope has.

    It is stricter than `Envelope`, which also holds what others wrote.
    """
    for name in _OURS:
        if name in attributes:
            raise EncodeError(
                f"attribute `{name}`, expected another; `encode` sets this one", wire=WIRE
            )
    for name in _NEVER_EMPTY:
        if attributes.get(name) == "":
            raise EncodeError(
                "empty text, expected a character or more", wire=WIRE, path=f"$.{name}"
            )
    if "time" in attributes:
        try:
            msgspec.convert(attributes["time"], _Time)
        except (msgspec.ValidationError, UnicodeEncodeError) as error:
            reason = f"{quoted(attributes['time'])}, expected a time as in RFC 3339"
            raise EncodeError(reason, wire=WIRE, path="$.time") from error
    if len(body) > DEFAULT_LIMITS.bytes:
        most = DEFAULT_LIMITS.bytes
        reason = f"body of {len(body):,} bytes, expected at most {most:,}, the readers' default"
        raise EncodeError(reason, wire=WIRE)
    encoding = None
    if zstd_over is not None and len(body) > zstd_over:
        frame = compressed(body)
        if len(body) <= largest_content(frame) and _has_few_values(body, content.format, frame):
            body, encoding = frame, ZSTD
    all_attributes = {
        "specversion": "1.0",
        **attributes,
        "id": token_hex(16) if attributes["id"] is None else attributes["id"],
        "type": f"wireglot.{content.kind}" if attributes["type"] is None else attributes["type"],
        "datacontenttype": str(content),
        "crc32": f"{crc32(body):08x}",
    }
    return Envelope(all_attributes, body, encoding)


def opened(envelope: Envelope, limits: Limits | None) -> bytes | memoryview:
    """Return the body, checked and decompressed.

    Raises `PoisonError`.
    """
    body, encoding = envelope.body, envelope.encoding
    most = (limits or DEFAULT_LIMITS).bytes
    if len(body) > most:
        raise envelope.poison(
            f"body of {len(body):,} bytes, expected at most {most:,}; increase `Limits.bytes`"
        )
    checksum = envelope.attributes.get("crc32")
    if checksum is not None and checksum != f"{crc32(body):08x}":
        reason = f"checksum `{crc32(body):08x}` of the body, expected {quoted(checksum)} (`crc32`)"
        raise envelope.poison(reason)
    if encoding is None:
        return body
    if encoding.lower() != ZSTD:  # RFC 9110, 8.4.1
        raise envelope.poison(f"content encoding {quoted(encoding)}, expected `{ZSTD}` or none")
    try:
        unpacked = decompressed(body, min(most, largest_content(body)))
    except DecodeError as error:
        raise envelope.poison(error.reason) from error
    if not _has_few_values(unpacked, envelope.content_type.format, body):
        reason = f"more than {most_values(body):,} keys and values in {len(body):,} bytes"
        raise envelope.poison(f"{reason}, expected a body that is not compressed")
    return unpacked


def _has_few_values(body: bytes, format: str, frame: bytes | memoryview) -> bool:
    """Whether a reader unpacks a body of a known format that came in a frame."""
    try:
        if format in _CHECKS:
            _CHECKS[format](body, most_values(frame))
    except LimitError:
        return False
    return True


def _kind(value: Any) -> str:
    if type(value) is Request:
        return "request"
    if type(value) is Response:
        return "response"
    if type(value) is list:
        if len(value) > DEFAULT_LIMITS.messages:
            most = DEFAULT_LIMITS.messages
            reason = f"{len(value):,} values, expected at most {most:,}, the readers' default"
            raise EncodeError(reason, wire=WIRE)
        kinds = {*map(type, value)}
        if kinds <= _MESSAGES:
            return "messages"
        if kinds <= _EVENTS:
            return "events"
    refuse(value, WIRE)
    expected = "a list of messages or of events, a `Request` or a `Response`"
    raise EncodeError(f"`{type(value).__name__}`, expected {expected}", wire=WIRE)


def _wire(envelope: Envelope, content: ContentType) -> ModuleType:
    wire = _WIRES.get(content.format)
    if wire is None:
        raise envelope.poison(unknown("format", content.format, _WIRES))
    return wire
