"""Nothing in, Hypothesis strategies out: LangChain's stored messages, in all of their shapes."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import UNSET

import wireglot as wg
from wireglot.formats import langchain as lc
from wireglot.formats._records import unknown
from wireglot.testing import json_objects, json_values, texts

_COUNTS = st.integers(0, 2**53)
_UNSET = st.just(UNSET)
_NAMES = st.none() | texts() | _UNSET
_KEYS = st.dictionaries(texts().map("?{}".format), json_values(), max_size=2)
_UNKNOWN = _KEYS.map(unknown)
_TYPES = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
    "ChatMessage": "chat",
    "RemoveMessage": "remove",
    "HumanMessageChunk": "HumanMessageChunk",
    "AIMessageChunk": "AIMessageChunk",
    "ToolMessageChunk": "ToolMessageChunk",
    "SystemMessageChunk": "SystemMessageChunk",
    "ChatMessageChunk": "ChatMessageChunk",
}


def documents() -> SearchStrategy[list[lc.Message]]:
    """Return stored messages."""
    return st.lists(_messages(), max_size=4)


def _build(kind: Any, **fields: Any) -> SearchStrategy[Any]:
    return st.builds(kind, **fields) | st.builds(kind, unknown=_UNKNOWN, **fields)


def _objects(keys: dict[str, Any], **optional: Any) -> SearchStrategy[dict[str, Any]]:
    whole = st.fixed_dictionaries(keys, optional=optional)
    return whole | st.tuples(_KEYS, whole).map(lambda both: both[0] | both[1])


def _blocks() -> SearchStrategy[wg.RawJson]:
    base64 = st.sampled_from(["", "AAEC", "iVBORw0KGgo="])
    mime = st.sampled_from(["image/png", "audio/wav", "text/plain", ""])
    signed = st.fixed_dictionaries({"signature": texts()}) | json_objects()
    mark = st.sampled_from([{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}, {"x": 1}])
    citation = _objects({"type": st.just("citation")}, url=texts(), start_index=_COUNTS)
    kinds = st.sampled_from(["image", "audio", "video", "file", "text-plain"])
    any_block = {"id": texts(), "index": _COUNTS, "cache_control": mark}
    calls = st.sampled_from(["call_1", "call_2", ""])
    image_url = st.one_of(
        _objects({"url": texts() | base64.map("data:image/png;base64,{}".format)}, detail=texts()),
        texts(),
    )
    return st.one_of(
        _objects(
            {"type": st.just("text"), "text": texts()},
            annotations=st.lists(citation, max_size=2),
            extras=signed,
            **any_block,
        ),
        _objects({"type": st.just("reasoning"), "reasoning": texts()}, extras=signed),
        _objects({"type": st.just("thinking"), "thinking": texts()}, signature=texts()),
        _objects({"type": st.just("redacted_thinking"), "data": texts()}),
        _objects({"type": kinds, "base64": base64}, mime_type=mime, title=texts(), **any_block),
        _objects({"type": kinds, "url": texts()}, mime_type=mime, filename=texts(), **any_block),
        _objects({"type": kinds, "file_id": texts()}, text=texts(), **any_block),
        _objects({"type": kinds, "text": texts()}, mime_type=mime, extras=signed),
        _objects({"type": kinds, "source_type": st.just("base64"), "data": base64}, mime_type=mime),
        _objects({"type": kinds, "source_type": st.just("url"), "url": texts()}, mime_type=mime),
        _objects(
            {
                "type": st.sampled_from(["image", "document"]),
                "source": _objects(
                    {"type": st.sampled_from(["base64", "text"]), "data": base64}, media_type=mime
                ),
            },
            title=texts(),
        ),
        _objects({"type": st.just("image_url"), "image_url": image_url}, **any_block),
        _objects(
            {
                "type": st.just("input_audio"),
                "input_audio": _objects(
                    {"data": base64, "format": st.sampled_from(["wav", "mp3"])}
                ),
            }
        ),
        _objects(
            {"type": st.just("tool_use"), "id": calls, "name": texts(), "input": json_objects()}
        ),
        _objects(
            {"type": st.just("tool_call"), "id": calls, "name": texts(), "args": json_objects()}
        ),
        json_objects(),
    ).map(wg.RawJson.of)


def _contents() -> SearchStrategy[Any]:
    return texts() | st.lists(texts() | _blocks(), max_size=3)


def _calls() -> dict[str, SearchStrategy[Any]]:
    ids = st.sampled_from(["call_1", "call_2", "", None, UNSET])
    call = _build(
        lc.ToolCall,
        name=texts(),
        args=json_objects().map(wg.RawJson.of),
        id=ids,
        type=_UNSET | st.just("tool_call"),
    )
    invalid = _build(
        lc.InvalidToolCall, id=ids, name=_NAMES, args=_NAMES | st.just("{}"), error=_NAMES
    )
    counts = _COUNTS | st.none() | _UNSET
    into = _build(lc.TokenDetails, cache_read=counts, cache_creation=counts, audio=counts)
    out = _build(lc.TokenDetails, reasoning=counts, audio=counts)
    usage = _build(
        lc.UsageMetadata,
        input_tokens=_COUNTS,
        output_tokens=_COUNTS,
        total_tokens=_COUNTS,
        input_token_details=into | st.none() | _UNSET,
        output_token_details=out | st.none() | _UNSET,
    )
    return {
        "tool_calls": st.lists(call, max_size=2) | _UNSET,
        "invalid_tool_calls": st.lists(invalid, max_size=2) | _UNSET,
        "usage_metadata": usage | st.none() | _UNSET,
    }


def _about() -> SearchStrategy[Any]:
    return _objects(
        {},
        model=texts(),
        model_name=texts(),
        model_provider=st.sampled_from(["openai", "anthropic", "google_genai", "", 1]),
        finish_reason=st.sampled_from(["stop", "length", "tool_calls", "other", None]),
        stop_reason=st.sampled_from(["end_turn", "tool_use"]),
        stop_sequence=st.none() | texts(),
    )


def _fields(kind: Any, word: str, **fields: Any) -> SearchStrategy[Any]:
    more: dict[str, Any] = {}
    if "AI" in word or word == "ai":
        more = _calls()
    elif word.lower().startswith("tool"):
        more = {
            "tool_call_id": texts(),
            "artifact": _UNSET | json_values().map(wg.RawJson.of),
            "status": st.sampled_from(["success", "error", "?", UNSET]),
        }
    elif word.lower().startswith("chat"):
        more = {"role": st.sampled_from(["user", "assistant", "critic", UNSET])}
    objects = st.sampled_from([{}, {"refusal": None}]) | json_objects()
    return _build(
        kind,
        content=st.just("") if word == "remove" else _contents(),
        additional_kwargs=_UNSET | objects.map(wg.RawJson.of),
        response_metadata=_UNSET | _about().map(wg.RawJson.of),
        name=_NAMES,
        **more,
        **fields,
    )


@st.composite
def _messages(draw: st.DrawFn) -> lc.Message:
    name, type = draw(st.sampled_from(list(_TYPES.items())))
    shape = draw(st.sampled_from(["data", "kwargs", "plain"]))
    id = st.none() | texts() | _UNSET | st.integers(0, 9)
    if shape == "plain":
        return draw(_fields(lc.Message, type, type=st.just(type), id=id))
    inner = draw(_fields(lc.Fields, type, type=st.just(type) | _UNSET, id=id))
    if shape == "data":
        return draw(_build(lc.Message, type=st.just(type), data=st.just(inner)))
    spaces = [["langchain", "schema", "messages"], ["langchain_core", "messages", "x"]]
    names = [*draw(st.sampled_from(spaces)), name]
    return draw(
        _build(
            lc.Message,
            lc=st.just(1),
            type=st.just("constructor"),
            id=st.just(names),
            kwargs=st.just(inner),
        )
    )
