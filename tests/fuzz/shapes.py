"""The body of an input <-> a tree of lists, dicts and scalars, one shape for each grammar."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from wireglot.framing import eventstream, ndjson, sse

__all__ = ["ODD_TEXTS", "SHAPES", "Key", "Shape"]

ODD_TEXTS = {
    '"@huge"': "1e400",
    '"@exact"': "1.00000000000000000001e2",
    '"@deep"': "[" * 1100 + "]" * 1100,
    '"@nested"': '{"content":[' * 120 + "]}" * 120,
    '"@escaped"': '"\\u0061\\/\\n"',
}
"""Values that a tree cannot hold, by the string that replaces them there."""


class Shape(NamedTuple):
    """How a body becomes a tree and a tree a body.

    Both may raise ValueError, TypeError, KeyError, RecursionError and `WireglotError`.
    """

    tree: Callable[[bytes], Any]
    body: Callable[[Any], bytes]


class Key(str):
    """A key that is equal only to itself, so that an object may have the same text as key twice."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other


def _json(tree: Any) -> bytes:
    text = json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
    if '"@' in text:
        for word, odd in ODD_TEXTS.items():
            text = text.replace(word, odd)
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which JSON can express as an escape
        return "".join(c if ord(c) < 128 else json.dumps(c)[1:-1] for c in text).encode()


def _packed(tree: Any) -> bytes:
    return msgspec.msgpack.encode(tree, enc_hook=str)


def _frames(decoder: Any, body: bytes) -> list[Any]:
    return [*decoder.feed(body), *decoder.close()]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _payload(data: bytes) -> Any:
    """Return the tree of a frame; its text under `@text` if it is not JSON (`[DONE]`)."""
    try:
        return json.loads(data)
    except ValueError:
        return {"@text": _text(data)}


def _of_payload(tree: Any) -> bytes:
    is_text = isinstance(tree, dict) and list(tree) == ["@text"]
    return _bytes(tree["@text"]) if is_text else _json(tree)


def _events(body: bytes) -> list[Any]:
    frames = _frames(sse.Decoder(), body)
    return [{"event": _text(name), "data": _payload(data)} for name, data in frames]


def _of_events(tree: Any) -> bytes:
    return b"".join(
        sse.encode(_of_payload(each["data"]), _bytes(each.get("event", ""))) for each in tree
    )


def _messages(body: bytes) -> list[Any]:
    return [
        {"headers": dict(headers), "payload": _payload(payload)}
        for headers, payload in _frames(eventstream.Decoder(), body)
    ]


def _of_messages(tree: Any) -> bytes:
    """Write messages with valid checksums."""
    return b"".join(
        eventstream.encode(
            {str(name): str(value) for name, value in each.get("headers", {}).items()},
            _of_payload(each["payload"]),
        )
        for each in tree
    )


def _envelope(body: bytes) -> Any:
    """Return the parts of an envelope, the last of them as the tree of the content."""
    *outside, inside = msgspec.msgpack.decode(body)
    return [*outside, msgspec.msgpack.decode(inside)]


def _of_envelope(tree: Any) -> bytes:
    *outside, inside = tree
    return _packed([*outside, _packed(inside)])


SHAPES = {
    "json": Shape(json.loads, _json),
    "lines": Shape(
        lambda body: [json.loads(line) for line in _frames(ndjson.Decoder(), body)],
        lambda tree: b"".join(_json(each) + b"\n" for each in tree),
    ),
    "events": Shape(_events, _of_events),
    "messages": Shape(_messages, _of_messages),
    "msgpack": Shape(msgspec.msgpack.decode, _packed),
    "envelope": Shape(_envelope, _of_envelope),
}
"""Name of the grammar -> shape."""


def _grammar(body: bytes) -> str:
    """Return the grammar of a stream or of stored messages, by its first byte."""
    return {b"[": "json", b"{": "lines", b"\0": "messages"}.get(body.lstrip()[:1], "events")


SHAPES["any"] = Shape(
    lambda body: [_grammar(body), SHAPES[_grammar(body)].tree(body)],
    lambda tree: SHAPES[tree[0]].body(tree[1]),
)
