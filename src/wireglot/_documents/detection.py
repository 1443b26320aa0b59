"""Bytes of an unnamed wire -> its name and kind, and the document.

The decoders that the first bytes allow read them, the likelier wires first. The reading that leaves
the fewest keys without a field wins. Between equals the name of the model decides, or a key that
only one wire has, and then the order of `LIKELY`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields

import wireglot.json as json
import wireglot.msgpack as msgpack

from .._body.field_types import compiled, field_of
from .._body.surrogates import mended_text
from .._registry import FORMAT_NAMES, PROVIDER_NAMES
from .._registry import LIKELY as _LIKELY
from ..errors import DecodeError, LimitError, ProviderError, WireglotError
from ..formats import FORMATS
from ..losses import Loss
from ..model import OpaqueBlock, Request, Response
from ..model.events import StreamEnd, StreamEvent, StreamFailure
from ..model.session import whole
from ..providers import PROVIDERS, facts_named
from .data_sets import data_set_in, keys_at_start, says_nothing

CLI: Final = "cli"
"""The wire that an error names if it is of none: the input of the command."""
NATIVE: Final = "native"
KINDS: Final = ("request", "response", "stream", "session")

LIKELY: Final = (NATIVE, *_LIKELY, *FORMAT_NAMES)
"""Our wires, the likelier first where a document could be of several; those of others follow."""


# A line of server-sent events that brings no data, or only the end of the stream.
_is_no_event = re.compile(rb"((event|id|retry)?:.*|data: ?\[DONE\])?\s*", re.DOTALL).fullmatch
_is_empty_list = re.compile(rb"\s*\[\s*\]\s*").fullmatch
_MAPS: Final = frozenset(bytes([first]) for first in (*range(0x80, 0x90), 0xDE, 0xDF))
"""The first bytes of an object in MessagePack."""


class Found(NamedTuple):
    """A document: `wire` is a name of `PROVIDERS` or `FORMATS`, or `native`; `kind` is of `KINDS`.

    `value` is a `Request`, a `Response` (of a stream too), or a list of messages; `losses` is what
    the decoder could not keep.
    """

    wire: str
    kind: str
    value: Any
    losses: list[Loss]
    dialect: str | None = None


def detect(data: bytes, wires: Sequence[str] | None = None, *, dialect: str | None = None) -> Found:
    """Return a document of one of `wires`, or of any; `dialect` is the one of its provider.

    If it is none of them, raises the `DecodeError` of the decoder that came furthest, or
    `ProviderError` if it is the error answer of a provider. If no wires are named, data of a data
    set is none of them, whatever a decoder makes of it.
    """
    if not data or data.isspace():
        raise DecodeError("empty input, expected a document of a known wire", wire=CLI)
    if _is_empty_list(data):
        raise DecodeError("no message, expected at least one", wire=CLI)
    if wires is None and (data_set := data_set_in(data)) is not None:
        raise data_set
    readings: list[Found] = []
    errors: dict[tuple[str, str], WireglotError] = {}
    ways = [*possible(data, wires)]
    are_sessions = all(kind == "session" for _, kind in ways)
    is_list = data.lstrip()[:1] == b"["
    is_wrapped = False

    def rank(way: tuple[str, str]) -> tuple[bool, int]:
        return is_list and way[1] == "request", order_of(*way)

    for wire, kind in sorted(ways, key=rank):
        if is_list and kind == "request" and any(map(_is_session, readings)):
            continue  # messages alone are a request only where they are not a session
        try:
            reading = decoded(data, wire, kind, dialect=dialect)
        except WireglotError as error:
            errors[wire, kind] = error
            continue
        if wires is None and _is_wrapped(reading, data):
            is_wrapped = True
            continue
        readings.append(reading)
        is_likeliest = are_sessions or _is_likeliest(reading, ways)
        if is_likeliest and not misread(reading)[0] and not is_empty(reading):
            break  # those that follow cannot be better
    full = [reading for reading in readings if not is_empty(reading)]
    if full:
        return min(full, key=misread)
    unknown = DecodeError(_UNKNOWN, wire=CLI)
    failed = [errors[way] for way in ways if way in errors]
    furthest = max(failed, key=progress_of, default=unknown)
    if isinstance(furthest, ProviderError):  # several wires have errors of this form
        told = [error for error in failed if isinstance(error, ProviderError)]
        furthest = min(told, key=lambda error: order_of(error.wire, ""))
    is_nothing = not is_list and progress_of(furthest) == _NOT_AT_ALL
    if is_nothing and any(it.kind == "request" for it in readings):
        furthest = DecodeError("no message, expected at least one", wire=CLI)
    if is_wrapped or (wires is None and _is_strange(data, furthest)):
        furthest = unknown
    raise _no_text(data) or furthest


def _is_strange(data: bytes, error: WireglotError) -> bool:
    """Whether the error of a decoder of ours is about a document that is not its own."""
    if isinstance(error, LimitError | ProviderError) or error.wire not in _OWN:
        return False
    return error.path in _NAMES or says_nothing(data)


def _is_wrapped(reading: Found, data: bytes) -> bool:
    """Whether an answer is only a part of an object, most of whose keys no answer has.

    A log keeps the message of an answer among keys of its own.
    """
    if reading.kind != "response":
        return False
    unknown = unknown_at_top(reading)
    return unknown > _FEW and unknown > len(keys_at_start(data)) * _MOST_OF


def _is_session(reading: Found) -> bool:
    return reading.kind == "session" and not is_empty(reading)


def misread(read: Found) -> tuple[int, bool, int]:
    """Return the evidence against a reading: unknown keys and losses, then the model's name."""
    is_other = not _is_named(read.wire, read.value)
    return _unknown(read.value) + len(read.losses), is_other, order_of(read.wire, read.kind)


def order_of(wire: str, kind: str) -> int:
    """Return the rank of a wire and kind among all; likelier ones have a lower rank."""
    # A document that could be a provider's or ours is taken for the provider's: it is likelier.
    is_rare = wire == NATIVE and kind != "session"
    return LIKELY.index(wire) if wire in LIKELY and not is_rare else len(LIKELY)


def unknown_at_top(read: Found) -> int:
    """Count the keys of a request or an answer that have no field, without those of its parts."""
    if isinstance(read.value, list):
        return 0
    holders = (read.value, getattr(read.value, "message", None))
    extras = (extra for held in holders for extra in (getattr(held, "extras", None) or {}).values())
    return sum(len(_keys_of(extra.keys.text)) for extra in extras)


def decoded(
    data: bytes,
    wire: str,
    kind: str,
    *,
    dialect: str | None = None,
    losses: list[Loss] | None = None,
) -> Found:
    """Return a document whose wire and kind are known.

    `losses`, a list that is empty, has what was found before an exception.

    Raises `DecodeError`, and `ProviderError` if it is an error that came in place of an answer.
    """
    losses = [] if losses is None else losses
    more: dict[str, Any] = {"losses": losses}
    if wire == NATIVE:
        value = _native(data, kind, losses)
    elif kind == "session":
        value = [*map(whole, FORMATS[wire].decode(data, **more))]
    else:
        if dialect is not None:
            more["dialect"] = dialect
        value = _PROVIDED[kind](wire, data, more)
    return Found(wire, kind, value, losses, dialect)


def _native(data: bytes, kind: str, losses: list[Loss]) -> Any:
    if kind != "session":
        made = Request if kind == "request" else Response
        if is_packed(data):
            return msgpack.decode(data, made)
        return json.decode(data, made, losses=losses)
    if data.lstrip()[:1] == b"{":
        return list(json.decode_lines(data, losses=losses))
    return msgpack.decode(data) if is_packed(data) else json.decode(data, losses=losses)


class _Parts(Struct, gc=False):
    """The keys by which a request and an answer differ from a message of a session."""

    role: Raw = Raw()
    messages: Raw = Raw()
    message: Raw = Raw()


_parts_of = {
    False: msgspec.json.Decoder(_Parts).decode,
    True: msgspec.msgpack.Decoder(_Parts).decode,
}


def native_kind(data: bytes) -> str:
    """Return the kind of a native document; of what is not one, `session`."""
    try:
        parts = _parts_of[is_packed(data)](data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "session"  # a list, or several lines
    if bytes(parts.role):
        return "session"
    return "request" if bytes(parts.messages) else "response" if bytes(parts.message) else "session"


def is_packed(data: bytes | memoryview) -> bool:
    """Whether a native document is MessagePack, not JSON: its first bytes tell."""
    return len(data) > 0 and data[0] >= 0x80 and data[:3] != codecs.BOM_UTF8


def _stream(name: str, data: bytes, more: dict[str, Any]) -> Response:
    decoder = PROVIDERS[name].StreamDecoder(**more)
    answer: Response | None = None
    failures: list[StreamFailure] = []
    is_binary = data[:1] in b"\0\1"
    place = 0 if is_binary else 1
    # A decoder ignores what follows the end of its answer; in a file it may be another answer.
    for piece in _frames(data) if is_binary else data.splitlines(keepends=True):
        if answer is None:
            events = decoder.feed(piece)
            answer = _answer(events)
            failures += [event for event in events if isinstance(event, StreamFailure)]
        elif is_binary or not _is_no_event(piece):
            path = f"byte {place}" if is_binary else f"line {place}: $"
            raise DecodeError(
                "text after the end of the answer, expected none", wire=CLI, path=path
            )
        place += len(piece) if is_binary else 1
    answer = answer or _answer(decoder.finish())
    if answer is None:
        cause = failures[0].error() if failures else None
        raise DecodeError("stream without an answer, expected one", wire=name) from cause
    return answer


def _answer(events: Sequence[StreamEvent]) -> Response | None:
    return next((event.response for event in events if isinstance(event, StreamEnd)), None)


def _frames(data: bytes) -> Iterator[bytes]:
    """Yield the frames of a binary stream; each begins with its length."""
    at = 0
    while at < len(data):
        size = max(int.from_bytes(data[at : at + 4], "big"), 4)
        yield data[at : at + size]
        at += size


_PROVIDED: Final[dict[str, Callable[[str, bytes, dict[str, Any]], Any]]] = {
    "request": lambda name, data, more: PROVIDERS[name].decode_request(data, **more),
    "response": lambda name, data, more: PROVIDERS[name].decode_response(data, **more),
    "stream": _stream,
}


class Rivals:
    """The wires and kinds that may know what the usual one of many documents leaves unknown.

    To ask them all takes ten times as long as to read the document. So what was seen of each is
    remembered: with which keys it is not its document, and what it does not know either.
    """

    def __init__(self, wires: Sequence[str] | None = None, *, dialect: str | None = None) -> None:
        self._wires = wires
        self._dialect = dialect
        self._strange: dict[tuple[str, str], set[frozenset[str]]] = {}
        self._unknown: dict[tuple[str, str], set[tuple[str, str]]] = {}

    def best(self, usual: Found, data: bytes) -> Found:
        """Return the reading that leaves the least unknown, `usual` unless another leaves less."""
        unknown = {*unknown_in(usual.value)}
        if not unknown:
            return usual
        keys = keys_at_start(data)
        is_list = data.lstrip()[:1] == b"["
        best, least = usual, misread(usual)[0]
        for way in possible(data, self._wires):
            strange = self._strange.setdefault(way, set())
            unknown_too = self._unknown.setdefault(way, set())
            if way == usual[:2] or (keys and keys in strange) or unknown <= unknown_too:
                continue
            if way[1] == "stream" or (is_list and way[1] == "request" and _is_session(best)):
                continue
            try:
                reading = decoded(data, *way, dialect=self._dialect)
            except WireglotError as error:
                # It is JSON, as `usual` was read: what is wrong with all of it are its keys.
                if type(error) is DecodeError and error.path.removeprefix("line 1: ") in _AT_START:
                    _remember(strange, keys, {keys})
                continue
            left = {*unknown_in(reading.value)}
            _remember(unknown_too, (key for _, key in left), left)
            if not is_empty(reading) and (count := misread(reading)[0]) < least:
                best, least = reading, count
        return best


def _remember(seen: set[Any], names: Iterable[str], more: set[Any]) -> None:
    """Add to what was seen, unless there is much of it, or its names are long."""
    if len(seen) < _MOST and sum(map(len, names)) < _MOST:
        seen |= more


def possible(data: bytes, wires: Sequence[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield each wire, of `wires` or of all, and kind that the first bytes allow."""
    for wire, kind in _possible(data, wires):
        if wires is None or wire in wires:
            yield wire, kind


def _possible(data: bytes, wires: Sequence[str] | None) -> Iterator[tuple[str, str]]:
    providers = _among(PROVIDERS, PROVIDER_NAMES, wires)
    formats = _among(FORMATS, FORMAT_NAMES, wires)
    start = data.lstrip()[:1]
    if start == b"[":
        yield NATIVE, "session"
        yield from ((name, "session") for name in formats)
        yield from ((name, "stream") for name in providers if _may_be(name, _ARRAY))
        yield from ((name, "request") for name in providers)
    elif start == b"{":
        if is_one(data):
            for name in (NATIVE, *providers):
                yield name, "request"
                yield name, "response"
        yield NATIVE, "session"
        yield from ((name, "session") for name in formats)
        yield from ((name, "stream") for name in providers if _may_be(name, "ndjson"))
    elif start and start in b"deir:":  # data, event, id, retry, or a comment
        yield from ((name, "stream") for name in providers if _may_be(name, "sse"))
    elif data[:1] in b"\0\1":  # the length of a frame
        yield from ((name, "stream") for name in providers if _may_be(name, "eventstream"))
    elif data[:1] in _MAPS:
        yield NATIVE, "request"
        yield NATIVE, "response"
    elif is_packed(data):  # an array
        yield NATIVE, "session"


_ARRAY: Final = "array"


def _may_be(provider: str, framing: str) -> bool:
    """Whether a stream that is framed so may be of a provider; of one without facts, any may."""
    facts = facts_named(provider)
    if framing == _ARRAY:
        is_array = facts.endpoint is not None and facts.endpoint.array_unless is not None
        return is_array or facts.framing is None
    return facts.framing in (framing, None)


def _among(table: Mapping[str, Any], own: Sequence[str], wires: Sequence[str] | None) -> list[str]:
    """Return the names of a table that are of `wires`; no other is looked for."""
    if wires is None:
        return [*table]
    others = sorted({*wires}.difference(own))
    return [*(name for name in own if name in wires), *(name for name in others if name in table)]


def is_one(data: bytes) -> bool:
    """Whether this is one JSON document, not lines of them; half a character in it is allowed."""
    try:
        msgspec.json.decode(data, type=Raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        if "trailing characters" in str(error):  # saves the search in large files
            return False
        mended = mended_text(data, CLI, [])
        return mended is not None and is_one(mended)
    return True


def _no_text(data: bytes) -> DecodeError | None:
    """Return the error of text that is not plain UTF-8, before any decoder reads it."""
    if data.startswith(_MARKS):
        reason = "text with a byte order mark, expected UTF-8 without one"
        return DecodeError(reason, wire=CLI)
    if data.lstrip()[:1] in (b"{", b"["):
        try:
            data.decode()
        except UnicodeDecodeError as error:
            return DecodeError("text is not UTF-8", wire=CLI, path=f"byte {error.start}")
    return None


def progress_of(error: WireglotError) -> tuple[bool, list[int], int]:
    """Return how far a decoder came: the indexes and the depth of the place where it failed.

    Input that is too large, or that is an error answer, counts as understood; a failure at the
    first line or frame counts as no progress.
    """
    if isinstance(error, LimitError | ProviderError):
        return True, [], 0
    path = error.path.removeprefix("line 1: ")
    depth = path.count(".")
    indexes = [int(digits) for digits in _INDEX.findall(path)] if path != "$[0]" else []
    return False, indexes, depth


_MARKS: Final = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNKNOWN: Final = "unknown document, expected one of a known wire; pass --from"
_OWN: Final = frozenset({*LIKELY, "json"})
_AT_START: Final = frozenset({"$", "$[0]"})
_MOST: Final = 2_000
_NAMES: Final = frozenset({"$.type", "$.role", "$.kind"})
_FEW: Final = 3
_MOST_OF: Final = 3 / 4
_NOT_AT_ALL: Final[tuple[bool, list[int], int]] = (False, [], 0)
_INDEX: Final = re.compile(r"\d{1,9}")


def is_empty(read: Found) -> bool:
    """Whether a reading has no content.

    A reader that accepts any object has understood nothing then.
    """
    if read.kind in ("response", "stream"):
        return False
    entries = read.value.messages if isinstance(read.value, Request) else read.value
    if read.wire == NATIVE:  # it accepts no unknown message
        return not entries
    return not any(getattr(entry, "content", True) for entry in entries)


def _is_named(wire: str, value: Any) -> bool:
    """Whether the model's name, or a key of the request, belongs to this provider alone."""
    facts = facts_named(wire)
    if isinstance(value, Request):
        for extra in (value.extras or {}).values():
            if not facts.own_keys.isdisjoint(extra.keys.value):
                return True
    model = _model_of(value)
    return (model or "").startswith(facts.models)


def _is_likeliest(read: Found, ways: Sequence[tuple[str, str]]) -> bool:
    """Whether no model's name can make another of the ways likelier than this one."""
    if isinstance(read.value, list):
        return False
    model = _model_of(read.value) or ""
    others = (facts_named(wire).models for wire in {wire for wire, _ in ways} - {read.wire})
    return not any(model.startswith(models) for models in others)


def _model_of(value: Any) -> str | None:
    held = value.message if isinstance(value, Response) else value
    return held.model if isinstance(value, Request | Response) else None


def _unknown(value: Any) -> int:
    """Count the keys without a field, and the opaque blocks."""
    return sum(1 for _ in unknown_in(value))


def unknown_in(value: Any) -> Iterator[tuple[str, str]]:
    """Yield what has no field: each key, with the class that lacks it, and each opaque block."""
    parts = [value]
    for value in parts:
        kind = type(value)
        if kind is list:
            parts += value
            continue
        try:
            is_plain, inner = _LOOKS[kind]
        except KeyError:
            is_plain, inner = _LOOKS[kind] = _looks(kind)
        if is_plain(value):
            continue
        parts += filter(None, inner(value))
        if kind is OpaqueBlock:
            yield kind.__name__, _kind_of(value.raw.text)
        for extra in (getattr(value, "extras", None) or {}).values():
            yield from ((kind.__name__, key) for key in _keys_of(extra.keys.text))


_Look = tuple[Callable[[Any], bool], Callable[[Any], Iterable[Any]]]
_LOOKS: Final[dict[type, _Look]] = {}


def _looks(kind: type) -> _Look:
    """Return whether a value of a type is all known, and what may hold more in one that is not."""
    names: list[str] = []
    if issubclass(kind, Struct):
        names = [info.name for info in fields(kind) if field_of(info).kinds]
    has_extras = "extras" in getattr(kind, "__struct_fields__", ())
    conditions = [f"not part.{name}" for name in (*names, *["extras"] * has_extras)]
    parts = ", ".join(f"part.{name}" for name in names)
    is_plain = compiled(["False"] if kind is OpaqueBlock else conditions, {})
    return is_plain, compiled([f"[{parts}]"], {})


_object = msgspec.json.Decoder(dict[str, Raw]).decode


def _keys_of(text: bytes) -> dict[str, Raw]:
    """Return the keys of an object, none of what is not one; their values may be anything."""
    try:
        return {} if text == b"{}" else _object(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return {}


def _kind_of(text: bytes) -> str:
    """Return the type of an opaque block; of one without a type, its keys."""
    keys = _keys_of(text)
    if "type" in keys:
        return bytes(keys["type"]).decode("utf-8", "replace")
    return " ".join(sorted(keys))
