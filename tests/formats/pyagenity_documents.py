"""Nothing in, Hypothesis strategies out: PyAgenity's messages of all versions, odd ones too."""

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import UNSET

import wireglot as wg
from wireglot.formats import pyagenity as pa
from wireglot.formats._records import unknown
from wireglot.testing import json_values, texts

__all__ = ["blocks", "documents"]

_COUNTS = st.integers(0, 2**53)
_SMALL = st.integers(0, 9)
_FLOATS = st.floats(-1e6, 1e6)
_OBJECTS = st.dictionaries(texts(), json_values(), max_size=2)
_UNKNOWN = st.dictionaries(texts().map("?{}".format), json_values(), min_size=1, max_size=2)
_DATA = st.binary(max_size=9).map(wg.Media.from_bytes)
_IDS = st.sampled_from(["c1", "c2", ""])
_NAMES = st.sampled_from(["f", "g"])
_WORDS = st.sampled_from(["stop", "tool_use", "FinishReason.STOP", "STOP", "UNKNOWN", "pause_turn"])
_SECONDS = st.floats(-6e10, 2e11) | st.sampled_from([0.0, 1704164645.678, 1704164645.678901, 1e12])
_LOCAL = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1))


def documents(*, is_known: bool = False) -> SearchStrategy[list[pa.Message]]:
    """Return conversations, each of one version; if all `is_known`, without unknown keys."""
    return st.sampled_from(("0.3.6", "0.3.9", "agentflow")).flatmap(
        lambda version: st.lists(_messages(version, is_known), max_size=4)
    )


def messages(version: str) -> SearchStrategy[pa.Message]:
    """Return messages as a version writes them, every key there is and no other."""
    return _messages(version, is_known=True)


def _maybe(strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.none() | strategy


def _build(kind: Any, is_known: bool, *parts: Any, **fields: Any) -> SearchStrategy[Any]:
    plain = st.builds(kind, *parts, **fields)
    if is_known:
        return plain
    return plain | st.builds(kind, *parts, unknown=_UNKNOWN.map(unknown), **fields)


@cache
def _refs(is_known: bool) -> SearchStrategy[pa.MediaRef]:
    kinds = st.sampled_from(("url", "file_id", "data"))
    described = {
        "mime_type": _maybe(texts()),
        "size_bytes": _maybe(_COUNTS),
        "sha256": _maybe(texts()),
        "filename": _maybe(texts()),
        "width": _maybe(_COUNTS),
        "height": _maybe(_COUNTS),
        "duration_ms": _maybe(_COUNTS),
        "page": _maybe(_COUNTS),
    }
    urls = texts() | st.just("data:image/png;base64,AAEC")
    return st.one_of(
        _build(pa.MediaRef, is_known, st.just("url"), url=urls, **described),
        _build(pa.MediaRef, is_known, st.just("data"), data_base64=_DATA),
        _build(
            pa.MediaRef,
            is_known,
            kinds,
            url=_maybe(urls),
            file_id=_maybe(texts()),
            data_base64=_maybe(_DATA),
            mime_type=_maybe(texts()),
        ),
        st.just(pa.MediaRef()),
    )


@cache
def _sources(is_known: bool) -> SearchStrategy[pa.AnnotationRef]:
    return _build(
        pa.AnnotationRef,
        is_known,
        _maybe(texts()),
        _maybe(texts()),
        _maybe(_COUNTS),
        _maybe(_COUNTS),
        _maybe(texts()),
    )


@cache
def blocks(version: str, is_known: bool = True, depth: int = 1) -> SearchStrategy[pa.ContentBlock]:
    """Return blocks of every kind; results hold further ones."""
    ref = _refs(is_known)
    text = _maybe(texts()) if version == "agentflow" else st.just(UNSET)
    if not is_known:
        text = text | _maybe(texts()) | st.just(UNSET)
    sources = st.lists(_sources(is_known), max_size=2)
    spans = _maybe(st.lists(st.tuples(_COUNTS, _COUNTS), max_size=2))
    kinds = [
        _build(pa.TextBlock, is_known, texts(), sources),
        _build(
            pa.ImageBlock, is_known, ref, _maybe(texts()), _maybe(st.lists(_FLOATS, max_size=4))
        ),
        _build(pa.AudioBlock, is_known, ref, _maybe(texts()), _maybe(_COUNTS), _maybe(_COUNTS)),
        _build(pa.VideoBlock, is_known, ref, _maybe(ref)),
        _build(
            pa.DocumentBlock,
            is_known,
            ref,
            text,
            _maybe(st.lists(_COUNTS, max_size=2)),
            _maybe(texts()),
        ),
        _build(pa.DataBlock, is_known, texts(), _maybe(_DATA), _maybe(ref)),
        _build(
            pa.ToolCallBlock,
            is_known,
            _IDS,
            _NAMES,
            _OBJECTS,
            _maybe(st.sampled_from(["server_tool", "web_search"])),
        ),
        _build(
            pa.ToolResultBlock,
            is_known,
            _IDS,
            _outputs(version, is_known, depth),
            st.booleans(),
            _maybe(st.sampled_from(("completed", "failed"))),
        ),
        _build(pa.ReasoningBlock, is_known, texts(), _maybe(st.lists(texts(), max_size=2))),
        _build(pa.AnnotationBlock, is_known, st.sampled_from(("citation", "note")), sources, spans),
        _build(pa.ErrorBlock, is_known, texts(), _maybe(texts()), _maybe(_OBJECTS)),
    ]
    if version != "0.3.6":
        kinds.append(_build(pa.RemoteToolCallBlock, is_known, _IDS, _NAMES, _OBJECTS, texts()))
    return st.one_of(kinds)


@cache
def _outputs(version: str, is_known: bool, depth: int) -> SearchStrategy[Any]:
    if not depth:
        return json_values()
    listed = st.lists(blocks(version, is_known, depth - 1), max_size=2)
    whole = listed.map(lambda made: wg.RawJson(pa.encode(pa.ToolResultBlock("", made))).value)
    as_blocks = whole.map(lambda made: made["output"])
    bare = st.just([{"type": "text", "text": "x"}])  # without its empty annotations
    return json_values() | as_blocks | bare


@st.composite
def _messages(draw: st.DrawFn, version: str, is_known: bool) -> pa.Message:
    role: Any = draw(st.sampled_from(("user", "assistant", "assistant", "system", "tool")))
    content = draw(st.lists(blocks(version, is_known), max_size=3))
    made = pa.Message(
        message_id=draw(texts() | st.integers(-(2**63), 2**64 - 1)),
        role=role,
        content=content,
        delta=draw(st.booleans()),
        tools_calls=draw(_entries(content)),
        reasoning=draw(_reasoning(content)),
        timestamp=draw(_maybe(_times(version, is_known))),
        metadata=draw(_metadata()),
        usages=draw(_maybe(_usages(is_known))),
        raw=draw(_maybe(_OBJECTS)),
        parsed_content=draw(_maybe(_OBJECTS)) if version == "agentflow" else UNSET,
    )
    if not is_known and draw(st.booleans()):
        made.unknown = unknown(draw(_UNKNOWN))
        made.message_id = UNSET
        made.timestamp = UNSET
        made.parsed_content = draw(st.sampled_from([UNSET, None]))
    return made


@cache
def _times(version: str, is_known: bool) -> SearchStrategy[Any]:
    if version != "0.3.6":
        return _SECONDS
    local = _LOCAL.map(datetime.isoformat)
    whole = _LOCAL.map(lambda when: when.replace(microsecond=678000).isoformat())
    aware = _LOCAL.map(lambda when: when.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z"))
    return local | whole | aware


@cache
def _metadata() -> SearchStrategy[dict[str, Any]]:
    known = st.fixed_dictionaries(
        {},
        optional={
            "provider": st.sampled_from(["openai", "anthropic", "google_genai", "", None, 7]),
            "model": _maybe(texts()),
            "finish_reason": _maybe(_WORDS),
            "function_name": _maybe(_NAMES),
        },
    )
    return st.builds(lambda a, b: {**a, **b}, _OBJECTS, known)


@cache
def _usages(is_known: bool) -> SearchStrategy[pa.TokenUsages]:
    few = _build(pa.TokenUsages, is_known, _SMALL, _SMALL, _SMALL, _SMALL, _SMALL, _SMALL)
    many = [_COUNTS] * 6
    modal = (_maybe(_COUNTS), _maybe(_COUNTS))
    return few | _build(pa.TokenUsages, is_known, *many, *modal)


def _reasoning(content: list[Any]) -> SearchStrategy[str | None]:
    thoughts = [block.summary for block in content if isinstance(block, pa.ReasoningBlock)]
    return _maybe(st.sampled_from(["".join(thoughts), "\n".join(thoughts), ""]) | texts())


def _entries(content: list[Any]) -> SearchStrategy[list[dict[str, Any]] | None]:
    """Return entries for the calls, as a rule; or none, or other ones, or odd ones."""
    calls = [block for block in content if isinstance(block, pa.ToolCallBlock)]
    good = [_entry(call.id, call.name, json.dumps(call.args)) for call in calls]
    strange = st.sampled_from(
        [
            _entry("c1", "f", "{}"),
            _entry("c1", "f", '{"half": '),
            _entry("c2", "g", ""),
            _entry("c3", "f", "[1]"),
            _entry("c3", "f", '{"a":1}', thought_signature="c2ln"),
            _entry("c3", "f", "{}", index=0),
            _entry("c4", "f", "{}", extra={"a": None}),
            _entry("c4", "f", "{}", type="custom"),
            {"id": 7},
            {},
        ]
    )
    signed = [{**entry, "thought_signature": "c2ln"} for entry in good]
    return st.one_of(
        st.just(good or None),
        st.just(signed or None),
        st.none(),
        st.lists(strange, max_size=2),
        st.lists(strange, max_size=2).map(lambda odd: good + odd),
    )


def _entry(call_id: str, name: str, text: str, **more: Any) -> dict[str, Any]:
    made = {"id": call_id, "type": "function", "function": {"name": name, "arguments": text}}
    return {**made, **more}
