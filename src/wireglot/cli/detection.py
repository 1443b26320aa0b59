"""Bytes of a wire that nobody has named -> which it is, and what it says.

Every decoder that the bytes could be for reads them, and the one that understands the most is
taken: it leaves the fewest keys that have no field. Between equals the name of the model decides,
or a key of one wire alone, and then the order of `_LIKELY`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw, Struct

from .. import json, msgpack
from ..errors import DecodeError, WireglotError
from ..formats import FORMATS
from ..model import LlmMessage, OpaqueBlock, Request, Response
from ..model.events import StreamEnd
from ..providers import PROVIDERS

__all__ = ["KINDS", "NATIVE", "Found", "detect"]

NATIVE: Final = "native"
KINDS: Final = ("request", "response", "stream", "session")

_LIKELY: Final = (
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

    `value` is a `Request`, a `Response` (of a stream too), or a list of messages.
    """

    wire: str
    kind: str
    value: Any


def detect(data: bytes, wires: tuple[str, ...] = _LIKELY) -> Found:
    """Return what a document is, one of `wires`.

    Raises `DecodeError` with what the likeliest of the decoders says if it is none of them.
    """
    found: list[tuple[int, bool, int, Found]] = []
    error: WireglotError | None = None
    for kind, wire, read in _readers(data):
        if wire not in wires:
            continue
        try:
            value = read(data)
        except WireglotError as caught:
            error = error or caught
            continue
        if not _is_empty(value):
            is_other = not _is_named(wire, value)
            order = _LIKELY.index(wire)
            found.append((_unknown(value), is_other, order, Found(wire, kind, value)))
    if found:
        return min(found, key=lambda each: each[:3])[3]
    raise error or DecodeError("no wire that is known here")


def _readers(data: bytes) -> Iterator[tuple[str, str, Callable[[bytes], Any]]]:
    """Yield a kind, a wire and its decoder, for each that the first bytes allow."""
    start = data[:4096].lstrip()
    if start[:1] == b"[":
        yield "session", NATIVE, json.decode
        yield from _sessions()
        yield "stream", "gemini", partial(_stream, "gemini")
    elif start[:1] == b"{" and _is_one(data):
        yield "request", NATIVE, partial(json.decode, type=Request)
        yield "response", NATIVE, partial(json.decode, type=Response)
        for name, provider in PROVIDERS.items():
            yield "request", name, partial(provider.decode_request, losses=[])
            yield "response", name, partial(provider.decode_response, losses=[])
        yield "session", NATIVE, _lines
        yield from _sessions()
    elif start[:1] == b"{":
        yield "session", NATIVE, _lines
        yield from _sessions()
        yield "stream", "ollama", partial(_stream, "ollama")
    elif start[:1] in b"de:" and start[:1]:
        for name in PROVIDERS:
            if name not in ("bedrock", "ollama"):
                yield "stream", name, partial(_stream, name)
    else:
        yield "stream", "bedrock", partial(_stream, "bedrock")
        yield "session", NATIVE, msgpack.decode


def _sessions() -> Iterator[tuple[str, str, Callable[[bytes], Any]]]:
    for name, format in FORMATS.items():
        yield "session", name, partial(format.decode, losses=[])


def _is_one(data: bytes) -> bool:
    """Whether this is one JSON document, not lines of them."""
    try:
        msgspec.json.decode(data, type=Raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return True


def _lines(data: bytes) -> Any:
    return list(json.decode_lines(data))


def _stream(name: str, data: bytes) -> Response:
    decoder = PROVIDERS[name].StreamDecoder(losses=[])
    for event in (*decoder.feed(data), *decoder.finish()):
        if isinstance(event, StreamEnd):
            return event.response
    raise DecodeError("a stream without an answer", wire=name)


def _is_empty(value: Any) -> bool:
    return not (value.messages if isinstance(value, Request) else value)


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
