"""Nothing in, strategies out: MCP's messages, results and tools, unknown keys included."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import UNSET

import wireglot as wg
from wireglot.formats import mcp
from wireglot.formats._records import unknown
from wireglot.testing import json_objects, json_values, texts

__all__ = ["documents", "results", "tools"]

_UNKNOWN = st.dictionaries(texts().map("?{}".format), json_values(), max_size=2).map(unknown)
_CARRIED = st.just(UNSET) | st.none() | st.builds(wg.RawJson.of, json_objects())
_TEXTS = st.just(UNSET) | st.none() | texts()
_FLAGS = st.sampled_from([UNSET, None, False, True])
_MEDIA = st.binary(max_size=9).map(wg.Media.from_bytes)
_TYPES = st.sampled_from(["image/png", "audio/wav", "video/mp4", "application/pdf", "x", ""])
_MAYBE_TYPES = st.just(UNSET) | st.none() | _TYPES
_URIS = st.sampled_from(
    ["https://e/x.png", "http://e/ü?a=b/c", "file:///x", "data:a/b;base64,AAAA", "DATA:", ""]
)
_ARGUMENTS = st.builds(wg.Arguments.of, json_objects()) | st.just(wg.Arguments('{"a" : 1e2}'))
_REASONS = st.sampled_from([UNSET, None, "endTurn", "stopSequence", "toolUse", "refusal", ""])


def documents() -> SearchStrategy[list[mcp.Message]]:
    """Return conversations: prompts, messages for sampling and answers."""
    return st.lists(_users() | _assistants(), max_size=4)


def results() -> SearchStrategy[mcp.CallToolResult]:
    """Return what tools answer."""
    types = st.sampled_from([UNSET, None, "complete", "task", ""])
    return _build(
        mcp.CallToolResult,
        st.lists(_blocks(), max_size=3),
        structured_content=_structured(),
        is_error=_FLAGS,
        result_type=types,
    )


def tools() -> SearchStrategy[mcp.ListToolsResult]:
    """Return the tools of a server."""
    schemas = st.builds(wg.RawJson.of, json_objects()) | st.just(wg.RawJson('{"a" : 1e2}'))
    rest = dict.fromkeys(["output_schema", "annotations", "icons", "execution"], _CARRIED)
    tool = _build(mcp.Tool, texts(), schemas, _TEXTS, title=_TEXTS, **rest)
    return st.builds(mcp.ListToolsResult, st.lists(tool, max_size=3))


def _build(kind: Any, *parts: Any, **fields: Any) -> SearchStrategy[Any]:
    plain = st.builds(kind, *parts, **fields)
    return plain | st.builds(kind, *parts, meta=_CARRIED, unknown=_UNKNOWN, **fields)


def _structured() -> SearchStrategy[Any]:
    return st.just(UNSET) | st.none() | st.builds(wg.RawJson.of, json_values().filter(_is_set))


def _is_set(value: Any) -> bool:
    return value is not None


def _texts() -> list[SearchStrategy[Any]]:
    return [
        _build(mcp.TextContent, texts()),
        _build(mcp.TextContent, texts(), annotations=_CARRIED),
        _build(mcp.ImageContent, _MEDIA, _TYPES, annotations=_CARRIED),
        _build(mcp.AudioContent, _MEDIA, _TYPES, annotations=_CARRIED),
    ]


def _resources() -> list[SearchStrategy[Any]]:
    sizes = st.sampled_from([UNSET, None, 0, 2**60])
    contents = _build(mcp.ResourceContents, texts(), _MAYBE_TYPES, text=texts()) | _build(
        mcp.ResourceContents, texts(), _MAYBE_TYPES, blob=_MEDIA
    )
    described = {"title": _TEXTS, "description": _TEXTS, "icons": _CARRIED}
    return [
        _build(mcp.EmbeddedResource, contents, annotations=_CARRIED),
        _build(mcp.ResourceLink, _URIS, texts(), _MAYBE_TYPES, sizes, **described),
    ]


def _blocks() -> SearchStrategy[Any]:
    return st.one_of(*_texts(), *_resources())


def _contents() -> SearchStrategy[Any]:
    ids = st.sampled_from(["a", "b", ""])
    call = _build(mcp.ToolUseContent, ids, texts(), _ARGUMENTS)
    result = _build(
        mcp.ToolResultContent,
        ids,
        st.lists(_blocks(), max_size=2),
        structured_content=_structured(),
        is_error=_FLAGS,
    )
    for_sampling = st.one_of(*_texts(), call, result)
    return st.one_of(
        for_sampling,
        *_resources(),
        st.lists(for_sampling, max_size=3),
        st.lists(result, max_size=2),
    )


def _users() -> SearchStrategy[mcp.UserMessage]:
    return _build(mcp.UserMessage, _contents())


def _assistants() -> SearchStrategy[mcp.AssistantMessage]:
    models = st.just(UNSET) | texts()
    return _build(mcp.AssistantMessage, _contents(), models, _REASONS)
