"""Bytes of a wire that nobody has named -> which it is, and what it says.

Every decoder that the bytes could be for reads them, and the one that understands the most is
taken: it leaves the fewest keys that have no field. Between equals the name of the model decides,
or a key of one wire alone, and then the order of `LIKELY`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from .. import json, msgpack
from ..errors import DecodeError, WireglotError
from ..formats import FORMATS
from ..losses import Loss
from ..model import LlmMessage, OpaqueBlock, Request, Response
from ..model.events import StreamEnd
from ..providers import PROVIDERS

__all__ = [
    "KINDS",
    "LIKELY",
    "NATIVE",
    "Found",
    "decoded",
    "detect",
    "documents_on",
    "misread",
    "possible",
]

NATIVE: Final = "native"
KINDS: Final = ("request", "response", "stream", "session")

LIKELY: Final = (
    NATIVE,
    "openai_chat",
    "anthropic",
    "openai_responses",
    "gemini",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
    *FORMATS,
)
"""Every wire, the likelier first where a document could be of several."""
_MODELS: Final = {
    "anthropic": re.compile(r"claude"),
    "cohere": re.compile(r"command|c4ai"),
    "gemini": re.compile(r"gemini"),
    "mistral": re.compile(r"(open-)?(mi[sx]|minis|magis|codes|devs|pix|vox)tral"),
}

# Keys of a request that no other wire of its kind has, and that have no field of ours.
_KEYS: Final = {
    "cohere": frozenset({"documents", "citation_options", "safety_mode", "raw_prompting"}),
    "mistral": frozenset({"safe_prompt", "prompt_mode", "guardrails", "document_image_limit"}),
    "ollama": frozenset({"options", "keep_alive", "think", "template"}),
}


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


def detect(data: bytes, wires: Sequence[str] = LIKELY, *, dialect: str | None = None) -> Found:
    """Return what a document is, one of `wires`; `dialect` is the one that its provider speaks.

    Raises `DecodeError` with what the decoder says that came furthest if it is none of them.
    """
    if not data or data.isspace():
        raise DecodeError("there is nothing in it", wire="cli")
    found: list[Found] = []
    errors: list[WireglotError] = []
    for wire, kind in possible(data):
        if wire in wires:
            try:
                found.append(decoded(data, wire, kind, dialect=dialect))
            except WireglotError as error:
                errors.append(error)
    found = [read for read in found if not _is_empty(read)]
    if not found:
        raise max(errors, key=_progress, default=DecodeError("no wire that is known here"))
    return min(found, key=misread)


def misread(read: Found) -> tuple[int, bool, int]:
    """Return how much speaks against a reading: unknown keys, then the model's name."""
    is_other = not _is_named(read.wire, read.value)
    # What could as well be a provider's is one: there are more of them than of ours.
    is_rare = read.wire == NATIVE and read.kind != "session"
    order = len(LIKELY) if is_rare else LIKELY.index(read.wire)
    return _unknown(read.value) + len(read.losses), is_other, order


def decoded(data: bytes, wire: str, kind: str, *, dialect: str | None = None) -> Found:
    """Return a document whose wire and kind are known.

    Raises `DecodeError`.
    """
    losses: list[Loss] = []
    more: dict[str, Any] = {"losses": losses}
    if wire == NATIVE:
        value = _native(data, kind, losses)
    elif wire in FORMATS:
        value = FORMATS[wire].decode(data, **more)
    else:
        if dialect is not None:
            more["dialect"] = dialect
        value = _PROVIDED[kind](wire, data, more)
    return Found(wire, kind, value, losses, dialect)


def _native(data: bytes, kind: str, losses: list[Loss]) -> Any:
    if kind == "request":
        return json.decode(data, Request, losses=losses)
    if kind == "response":
        return json.decode(data, Response, losses=losses)
    start = data.lstrip()[:1]
    if start == b"[":
        return json.decode(data, losses=losses)
    return list(json.decode_lines(data, losses=losses)) if start == b"{" else msgpack.decode(data)


def _stream(name: str, data: bytes, more: dict[str, Any]) -> Response:
    decoder = PROVIDERS[name].StreamDecoder(**more)
    for event in (*decoder.feed(data), *decoder.finish()):
        if isinstance(event, StreamEnd):
            return event.response
    raise DecodeError("a stream without an answer", wire=name)


_PROVIDED: Final[dict[str, Callable[[str, bytes, dict[str, Any]], Any]]] = {
    "request": lambda name, data, more: PROVIDERS[name].decode_request(data, **more),
    "response": lambda name, data, more: PROVIDERS[name].decode_response(data, **more),
    "stream": _stream,
}


def possible(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield each wire and kind that the first bytes allow."""
    start = data[:4096].lstrip()
    if start[:1] == b"[":
        yield NATIVE, "session"
        yield from ((name, "session") for name in FORMATS)
        yield "gemini", "stream"
    elif start[:1] == b"{":
        if _is_one(data):
            for name in (NATIVE, *PROVIDERS):
                yield name, "request"
                yield name, "response"
        yield NATIVE, "session"
        yield from ((name, "session") for name in FORMATS)
        yield "ollama", "stream"
    elif start[:1] in b"de:" and start[:1]:
        yield from ((name, "stream") for name in PROVIDERS if name not in ("bedrock", "ollama"))
    else:
        yield "bedrock", "stream"
        yield NATIVE, "session"


def _is_one(data: bytes) -> bool:
    """Whether this is one JSON document, not lines of them."""
    try:
        msgspec.json.decode(data, type=Raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True


def _progress(error: WireglotError) -> list[int]:
    """Return how far a decoder came: the indexes of the place that it did not understand."""
    return [int(digits) for digits in _INDEX.findall(error.path)]


_FIRST: Final = 16
_INDEX: Final = re.compile(r"\d{1,9}")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def documents_on(
    head: bytes, wires: Sequence[str] = LIKELY, *, dialect: str | None = None
) -> tuple[str, str] | None:
    """Return the wire and kind of the documents that stand one a line, None if there are none.

    `head` is the first lines of the input. Messages of one session, and the chunks of a stream, may
    be lines too: they are one document.
    """
    lines = [line for line in head.split(b"\n", _FIRST)[:_FIRST] if line and not line.isspace()]
    if len(lines) < 2 or not _is_one(lines[0]):
        return None
    found: Counter[tuple[str, str]] = Counter()
    for line in lines:
        try:
            read = detect(line, wires, dialect=dialect)
        except WireglotError:
            continue
        is_part = read.kind == "session" and line.lstrip()[:1] == b"{"
        if is_part or (read.wire == "ollama" and bytes(_keys(line).get("done", b"")) == b"false"):
            return None
        found[read.wire, read.kind] += 1
    return found.most_common(1)[0][0] if found else None


def _is_empty(read: Found) -> bool:
    """Whether nothing is said: a reader that takes any object has then understood nothing."""
    if read.kind in ("response", "stream"):
        return False
    entries = read.value.messages if isinstance(read.value, Request) else read.value
    if read.wire == NATIVE:  # which takes no message for one that it does not know
        return not entries
    for entry in entries:
        message = entry.message if type(entry) is LlmMessage else entry
        if getattr(message, "content", True):
            return False
    return True


def _is_named(wire: str, value: Any) -> bool:
    """Whether the model has a name, or the request a key, that is this provider's alone."""
    model: str | None = None
    if isinstance(value, Response):
        model = value.message.model
    elif isinstance(value, Request):
        model = value.model
        for extra in (value.extras or {}).values():
            if not _KEYS.get(wire, frozenset()).isdisjoint(extra.keys.value):
                return True
    return model is not None and wire in _MODELS and _MODELS[wire].match(model) is not None


def _unknown(value: Any) -> int:
    """Count the keys that have no field, and the blocks that nobody knows."""
    count = 0
    left = [value]
    while left:
        value = left.pop()
        if isinstance(value, LlmMessage):
            value = value.message
        if isinstance(value, Struct):
            for extra in (getattr(value, "extras", None) or {}).values():
                count += len(extra.keys.value)
            count += type(value) is OpaqueBlock
            left += [getattr(value, name) for name in value.__struct_fields__ if name != "extras"]
        elif isinstance(value, list):
            left += value
    return count
