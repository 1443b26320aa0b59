"""Nothing in, strategies out: OpenTelemetry's messages and tools, unknown keys included."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import UNSET

import wireglot as wg
from wireglot.formats import otel
from wireglot.formats._records import unknown
from wireglot.testing import json_objects, json_values, texts

__all__ = ["documents", "parts", "tools"]

_KEYS = st.dictionaries(texts().map("?{}".format), json_values(), max_size=2)
_UNKNOWN = _KEYS.map(unknown)
_TEXTS = st.just(UNSET) | st.none() | texts()
_IDS = st.sampled_from([UNSET, None, "", "a", "b"])
_JSON = st.builds(wg.RawJson.of, json_values())
_ROLES = st.sampled_from(["system", "user", "assistant", "tool", "developer", "critic", ""])
_REASONS = st.sampled_from([UNSET, None, "", "stop", "tool_call", "end_turn", "refusal"])
_MODALITIES = st.sampled_from(["image", "audio", "video", "document", "data", "smell", ""])
_TYPES = st.sampled_from([UNSET, None, "", "image/png", "text/plain"])
_MEDIA = st.binary(max_size=9).map(wg.Media.from_bytes)
_URIS = st.sampled_from(["https://e/x.png", "gs://b/ü", "data:a/b;base64,AAAA", "DATA:", ""])
_RESPONSES = st.sampled_from(
    [
        "null",
        '""',
        "[]",
        '{"temp" : 1e2}',
        '[{"type":"text","content":"a"}]',
        '[{"type":"text","content":"a","x":1},{"type":"text","content":"b"}]',
        '[{"type":"blob","modality":"image","content":"AAEC"},{"type":"uri","uri":"u","modality":"x"}]',
        '[{"type":"text","text":"a"}]',
        "[[1]]",
    ]
).map(wg.RawJson)
_ARGUMENTS = st.builds(
    wg.Arguments, st.sampled_from(["{}", '{"a" : 1e2}', "{half", "", " ", "7", '"text"'])
)


def documents() -> SearchStrategy[list[otel.Message]]:
    """Return conversations: messages of the input, and of the output."""
    message = _build(
        otel.Message, _ROLES, st.lists(parts(), max_size=3), _TEXTS, finish_reason=_REASONS
    )
    return st.lists(message, max_size=4)


def parts() -> SearchStrategy[Any]:
    """Return parts of every type."""
    known = {"mime_type": _TYPES}
    return st.one_of(
        _build(otel.TextPart, texts()),
        _build(otel.ReasoningPart, texts()),
        _build(otel.ToolCallPart, texts(), _IDS, st.none() | st.just(UNSET) | _ARGUMENTS),
        _build(otel.ToolCallResponsePart, _JSON | _RESPONSES, _IDS),
        _build(otel.BlobPart, _MODALITIES, _MEDIA, **known),
        _build(otel.FilePart, _MODALITIES, texts(), **known),
        _build(otel.UriPart, _MODALITIES, _URIS, **known),
        _build(otel.ServerToolCallPart, texts(), _JSON, _IDS),
        _build(otel.ServerToolCallResponsePart, _JSON, _IDS),
        _build(otel.CompactionPart, _IDS, _TEXTS),
        st.builds(_generic, texts().map("x{}".format), _KEYS),
    )


def tools() -> SearchStrategy[list[otel.ToolDefinition]]:
    """Return definitions of tools."""
    schemas = st.just(UNSET) | st.none() | st.builds(wg.RawJson.of, json_objects())
    function = _build(otel.FunctionToolDefinition, texts(), _TEXTS, schemas)
    other = st.builds(
        lambda kind, name: otel.GenericToolDefinition(name, unknown=unknown({"type": kind})),
        st.sampled_from(["custom", "web_search"]),
        texts(),
    )
    return st.lists(function | other, max_size=3)


def _build(kind: Any, *parts: Any, **fields: Any) -> SearchStrategy[Any]:
    plain = st.builds(kind, *parts, **fields)
    return plain | st.builds(kind, *parts, unknown=_UNKNOWN, **fields)


def _generic(kind: str, keys: dict[str, Any]) -> otel.GenericPart:
    return otel.GenericPart(unknown=unknown({"type": kind, **keys}))
