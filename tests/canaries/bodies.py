"""A wire and a kind of body -> the bodies in which canaries are planted, as trees of objects.

They are the first inputs of the fuzz targets: the golden files and what the encoders make of them.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import wireglot as wg
from tests.fuzz.laws import choices
from tests.fuzz.providers import PATHS
from tests.fuzz.seeds import seeds
from tests.fuzz.shapes import SHAPES

__all__ = ["KINDS", "STREAMS", "Body", "Place", "bodies", "places"]

KINDS = {"requests": "request", "answers": "answer", "streams": "stream", "broken": "stream"}
"""The kinds of bodies -> the ending of their fuzz target's name; `broken` streams end in errors."""
STREAMS = frozenset({"streams", "broken"})


_ERRORS = ("'error': '", "'error': {", ":exception-type", "'object': 'error'")
"""What only a stream that ends with an error has."""


_CHAT = (
    b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":['
    b'{"index":0,"delta":{"content":"%b"},"logprobs":{"content":[{"token":"%b","logprob":-0.5,'
    b'"bytes":[97],"top_logprobs":[]}],"refusal":null},"finish_reason":%b}]}\n\n'
)
_GEMINI = (
    b'data: {"candidates":[{"content":{"parts":[{"text":"%b"}],"role":"model"},"index":0,'
    b'"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://%b.org/","title":"t"}}],'
    b'"groundingSupports":[{"segment":{"endIndex":4},"groundingChunkIndices":[0]}]}%b}],'
    b'"modelVersion":"m","responseId":"r"}\n\n'
)
_MORE = {
    ("openai_chat", "streams"): (
        b"\0\0" + _CHAT % (b"a", b"a", b"null") + _CHAT % (b"b", b"b", b'"stop"'),
    ),
    ("gemini", "streams"): (
        b"\0\0"
        + _GEMINI % (b"Oslo", b"a", b"")
        + _GEMINI % (b"Bern", b"b", b',"finishReason":"STOP"'),
    ),
}
"""Streams with log probabilities, and with metadata in several chunks, which no seed has."""


class Body(NamedTuple):
    """A body and its tree, which is changed and put back."""

    wire: str
    kind: str
    dialect: str
    path: str | None
    data: bytes
    grammar: str
    tree: Any


class Place(NamedTuple):
    """An object in a body: what it is, and its path, without the numbers of lists."""

    path: str
    holder: dict[str, Any]


@cache
def bodies(wire: str, kind: str) -> tuple[Body, ...]:
    """Return the bodies of a kind, in a stable order, without those that are no such body."""
    return tuple(_broken(wire) if kind == "broken" else _bodies(wire, kind))


def _broken(wire: str) -> Iterator[Body]:
    """Yield the streams of an API as an error ends them: early, in the middle, and late."""
    whole = bodies(wire, "streams")
    error = next(frame for body in whole for frame in body.tree[1] if _fails([frame]))
    for body in whole:
        head, frames = body.tree
        if _fails(frames) or len(frames) < 3:
            continue
        for before in sorted({2, len(frames) // 2, len(frames) - 2}):
            tree = copy.deepcopy([head, [*frames[:before], error]])
            data = SHAPES[body.grammar].body(tree)
            yield body._replace(kind="broken", data=data, tree=tree)


def _bodies(wire: str, kind: str) -> Iterator[Body]:
    dialects = wg.PROVIDERS[wire].DIALECTS
    more = _MORE.get((wire, kind), ())
    for seed in (*seeds(f"{wire}-{KINDS[kind]}"), *more):
        first, second, data = choices(seed)
        if kind == "answers" and first & 128:  # an error
            continue
        number = second // len(wg.PROVIDERS) if kind == "streams" else first
        dialect = dialects[number % len(dialects)]
        if wire == "anthropic" and kind == "streams" and dialect == "bedrock":
            continue  # the events are base64 within a frame
        grammar = "any" if kind == "streams" else "json"
        path = PATHS.get(wire) if kind == "requests" else None
        yield Body(wire, kind, dialect, path, data, grammar, SHAPES[grammar].tree(data))


def places(body: Body) -> Iterator[Place]:
    """Yield the objects of a body."""
    if body.kind not in STREAMS:
        yield from _places(body.tree, "$")
        return
    is_broken = body.kind == "broken"
    ends = "failed: " if not is_broken and _fails(body.tree[1]) else ""
    for frame in body.tree[1][:-1] if is_broken else body.tree[1]:
        if "headers" in frame:
            kind = frame["headers"].get(":event-type", "")
            yield from _places(frame["payload"], f"{ends}{kind} $" if kind else f"{ends}$")
        elif set(frame) == {"event", "data"}:
            kind = frame["data"].get("type", "")
            yield from _places(frame["data"], f"{ends}{kind} $" if kind else f"{ends}$")
        else:
            yield from _places(frame, f"{ends}$")


def _fails(frames: list[Any]) -> bool:
    """Whether a stream ends with an error."""
    text = str(frames)
    return any(word in text for word in _ERRORS)


def _places(value: Any, path: str) -> Iterator[Place]:
    if isinstance(value, dict):
        if list(value) == ["@text"]:
            return
        yield Place(path, value)
        for key, inner in value.items():
            yield from _places(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from _places(inner, f"{path}[{_name(inner)}]")


def _name(value: Any) -> str:
    """Return what tells an object in a list from its siblings: its type, role, or first key."""
    if not isinstance(value, dict):
        return ""
    for key in ("type", "role"):
        if isinstance(value.get(key), str):
            return str(value[key])
    return next(iter(value), "")
