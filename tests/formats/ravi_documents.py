"""Nothing in, Hypothesis strategies out: Ravi's messages, V2 and V3, unknown keys included."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import wireglot as wg
from wireglot.formats import ravi
from wireglot.formats._records import unknown
from wireglot.testing import json_values, texts

__all__ = ["chunks", "documents"]

_COUNTS = st.integers(0, 2**53)
_UNKNOWN = st.dictionaries(texts().map("?{}".format), json_values(), max_size=2).map(unknown)
_OBJECTS = st.dictionaries(texts(), json_values(), max_size=2)
_DATA = st.binary(max_size=9).map(wg.Media.from_bytes)
_URLS = st.sampled_from(
    ["https://e/x.png", "http://e/ü?a=b,c", "gs://b/o", "data:a/b;c=d;base64,AAAA", "data:;utf8,a"]
)
_LATER_URLS = _URLS | st.sampled_from(["data:a/b;base64,AAAA", "DATA:,a", "data:x"])
_DETAILS = st.sampled_from(["auto", "low", "high", "original", ""])
_REASONS = st.sampled_from(["stop", "tool_calls", "length", "end_turn", "guardrail_tripped", ""])
_NAMES = st.none() | texts()
_LATER_FORMATS = st.sampled_from(["mp3", "aac", "mpeg", "audio/mp3", "application/ogg", ""])
_FORMATS = st.sampled_from(["mp3", "wav", "x-ogg; rate=1", "application/ogg", ""])


def documents() -> SearchStrategy[list[ravi.AgentMessage]]:
    """Return stored conversations, in which the versions may be mixed."""
    versions = [False, True]
    kinds = [
        k(later) for k in (_systems, _users, _assistants, _calls, _results) for later in versions
    ]
    return st.lists(st.one_of(kinds), max_size=4)


def chunks() -> SearchStrategy[ravi.StreamChunk]:
    """Return chunks of every kind."""
    metadata = _OBJECTS
    results = _build(
        ravi.StructuredOutputResult, json_values(), texts(), st.none() | texts(), _NAMES
    )
    return st.one_of(
        _build(ravi.TextDeltaChunk, texts(), metadata),
        _build(ravi.ReasoningDeltaChunk, texts(), metadata),
        _build(ravi.CompletionChunk, _assistants(True) | _assistants(False), metadata),
        _build(ravi.StructuredOutputChunk, results, metadata),
    )


def _build(kind: Any, *parts: Any, **fields: Any) -> SearchStrategy[Any]:
    whole = st.builds(kind, *parts, unknown=_UNKNOWN, **fields)
    return st.builds(kind, *parts, **fields) | whole


def _message(kind: Any, later: bool, *parts: Any, **fields: Any) -> SearchStrategy[Any]:
    if later:
        fields["id"] = texts()
        fields["version"] = st.just("v3")
    return _build(kind, *parts, **fields)


def _items(later: bool) -> SearchStrategy[list[Any]]:
    kinds = [
        texts(),
        st.builds(ravi.TextContent, texts(), unknown=_UNKNOWN.filter(bool)),
        _build(ravi.ImageContent, data=_DATA, media_type=_types(), detail=_DETAILS),
        _build(ravi.AudioContent, _DATA, _LATER_FORMATS if later else _FORMATS),
        _build(ravi.VideoContent, _DATA, st.sampled_from(["mp4", "webm", "application/mp4"])),
    ]
    media_types = {"media_type": _types()} if later else {}
    kinds += [
        _build(ravi.ImageContent, url=_URLS, detail=_DETAILS, **media_types),
        _build(
            ravi.ImageContent, file_id=texts().map("f{}".format), detail=_DETAILS, **media_types
        ),
    ]
    if later:
        kinds += _later_media()
    return st.lists(st.one_of(kinds), max_size=3)


def _types() -> SearchStrategy[str]:
    return st.sampled_from(["image/png", "image/jpeg", "image/svg+xml", "x/y"])


def _later_media() -> list[SearchStrategy[Any]]:
    known = {"filename": _NAMES, "media_type": st.sampled_from(["application/pdf", "text/html"])}
    return [
        _build(ravi.AudioContent, _DATA, st.sampled_from(["opus", "wav"]), texts()),
        _build(ravi.VideoContent, st.none(), url=_LATER_URLS),
        st.builds(
            lambda word: ravi.VideoContent(
                None, word, "https://e/x", unknown=unknown({"media_type": word})
            ),
            st.sampled_from(["mp4", ""]),
        ),
        _build(ravi.DocumentContent, data=_DATA, **known),
        _build(ravi.DocumentContent, url=_LATER_URLS, **known),
        _build(ravi.DocumentContent, file_id=texts().map("f{}".format), **known),
    ]


def _systems(later: bool) -> SearchStrategy[ravi.SystemMessage]:
    return _message(ravi.SystemMessage, later, texts())


def _users(later: bool) -> SearchStrategy[ravi.UserMessage]:
    roles = st.sampled_from(["user", "user", "assistant"])
    return _message(ravi.UserMessage, later, _items(later), _NAMES, roles)


def _calls(later: bool, nested: bool = False) -> SearchStrategy[ravi.ToolCallMessage]:
    arguments = st.builds(wg.Arguments.of, _OBJECTS) | st.just(wg.Arguments('{"a" : 1e2}'))
    fields: dict[str, Any] = {"id": texts() if later and not nested else st.none() | texts()}
    if not nested:
        fields["version"] = st.just("v3" if later else "v2")
    return _build(ravi.ToolCallMessage, texts(), arguments, **fields)


def _assistants(later: bool) -> SearchStrategy[ravi.AssistantMessage]:
    extra = st.dictionaries(
        st.sampled_from(["cache_read_input_tokens", "cache_creation_input_tokens", "tier"]),
        _COUNTS | st.just("x"),
        max_size=2,
    )
    return _message(
        ravi.AssistantMessage,
        later,
        st.none() | _items(later),
        st.none() | st.lists(_calls(later, nested=True), max_size=2),
        _NAMES,
        _REASONS,
        st.none() | _build(ravi.UsageStats, _COUNTS, _COUNTS, _COUNTS, extra),
        st.booleans(),
        _NAMES,
        parsed=json_values() if later else st.none(),
    )


def _results(later: bool) -> SearchStrategy[ravi.ToolExecutionResultMessage]:
    media = st.lists(st.one_of(*_later_media()), max_size=2)
    return _message(
        ravi.ToolExecutionResultMessage,
        later,
        texts(),
        st.lists(_blocks(), max_size=3),
        _NAMES,
        st.booleans(),
        st.none() | _OBJECTS,
        st.none() | media if later else st.none(),
    )


def _blocks() -> SearchStrategy[dict[str, Any]]:
    """Return items of results, of both versions: each passes on what it does not know."""
    base64 = st.sampled_from(["", "AAEC", "iVBORw0KGgo="])
    flat: list[dict[str, SearchStrategy[Any]]] = [
        {"type": st.just("text"), "text": texts()},
        {"type": st.just("text"), "text": texts(), "annotations": _OBJECTS},
        {"type": st.just("image"), "data": base64, "mimeType": _types()},
        {"type": st.just("image"), "data": base64, "media_type": _types()},
        {"type": st.just("image"), "data": base64},
        {"type": st.just("audio"), "data": base64, "mimeType": st.just("audio/wav")},
        {
            "type": st.just("audio"),
            "data": base64,
            "media_type": st.just("audio/wav"),
            "transcript": _NAMES,
        },
        {"type": st.just("resource"), "resource": _OBJECTS},
        {
            "type": st.just("error"),
            "error_type": texts(),
            "message": texts(),
            "details": st.none() | _OBJECTS,
            "recoverable": st.booleans(),
        },
        {"type": st.just("thinking"), "text": texts(), "redacted": st.booleans()},
        {
            "type": st.just("tool_use"),
            "tool_call_id": texts(),
            "tool_name": texts(),
            "arguments": _OBJECTS,
        },
        {
            "type": st.just("video"),
            "url": _URLS,
            "data": st.none(),
            "media_type": st.just("video/webm"),
        },
        {
            "type": st.just("document"),
            "data": base64,
            "media_type": st.just("text/csv"),
            "filename": _NAMES,
        },
        {"type": st.just("code"), "code": texts(), "language": texts()},
        {"kind": texts()},
    ]
    leaves = st.one_of([st.fixed_dictionaries(keys) for keys in flat])
    inner = st.fixed_dictionaries(
        {
            "type": st.just("tool_result"),
            "tool_call_id": texts(),
            "content": st.lists(leaves | texts(), max_size=2),
            "is_error": st.booleans(),
        }
    )
    return leaves | inner
