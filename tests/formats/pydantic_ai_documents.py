"""Nothing in, Hypothesis strategies out: histories of Pydantic AI, unknown keys included."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import UNSET

import wireglot as wg
from wireglot.formats import pydantic_ai as pa
from wireglot.formats._records import unknown
from wireglot.testing import json_objects, json_values, texts

_COUNTS = st.integers(0, 2**53)
_UNSET = st.just(UNSET)
_NAMES = st.none() | texts() | _UNSET
_KEYS = st.dictionaries(texts().map("?{}".format), json_values(), max_size=2)
_UNKNOWN = _KEYS.map(unknown)
_TIMES = st.sampled_from(
    (
        UNSET,
        "2025-01-02T03:04:05Z",
        "2025-01-02T03:04:05.123456Z",
        "2025-01-02T03:04:05.5+02:00",
        "0001-01-01T00:00:00Z",
    )
)
_IDENTIFIERS = st.sampled_from(["00ff7a", "my file"])


def documents() -> SearchStrategy[list[pa.ModelMessage]]:
    """Return histories."""
    return st.lists(_requests() | _responses(), max_size=4)


def _build(kind: Any, **fields: Any) -> SearchStrategy[Any]:
    return st.builds(kind, **fields) | st.builds(kind, unknown=_UNKNOWN, **fields)


def _objects(keys: dict[str, Any], **optional: Any) -> SearchStrategy[dict[str, Any]]:
    whole = st.fixed_dictionaries(keys, optional=optional)
    return whole | st.tuples(_KEYS, whole).map(lambda both: both[0] | both[1])


def _json(values: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return _UNSET | values.map(wg.RawJson.of)


def _files() -> SearchStrategy[dict[str, Any]]:
    vendor = st.none() | st.sampled_from([{}, {"detail": "low"}, {"detail": "high", "fps": 1}])
    more: dict[str, Any] = {"vendor_metadata": vendor, "identifier": _IDENTIFIERS}
    types = st.sampled_from(["image/png", "audio/wav", "application/pdf", ""])
    return st.one_of(
        _objects(
            {
                "kind": st.sampled_from(["image-url", "audio-url", "video-url", "document-url"]),
                "url": texts(),
            },
            media_type=st.none() | types,
            force_download=st.sampled_from([False, True, "allow-local"]),
            **more,
        ),
        _objects(
            {
                "kind": st.just("binary"),
                "data": st.sampled_from(["", "AAEC", "__76", "//76", "_/76"]),
                "media_type": types,
            },
            **more,
        ),
        _objects(
            {"kind": st.just("uploaded-file"), "file_id": texts(), "provider_name": texts()},
            media_type=types,
            **more,
        ),
    )


def _said() -> SearchStrategy[Any]:
    item = st.one_of(
        _files(),
        _objects({"kind": st.just("cache-point")}, ttl=st.sampled_from(["5m", "1h", "7h"])),
        _objects({"kind": st.just("text-content"), "content": texts()}, metadata=json_values()),
        _objects({"kind": st.just("structured-content"), "value": json_values()}),
        json_objects(),
    ).map(wg.RawJson.of)
    return texts() | st.lists(texts() | item, max_size=4)


def _request_parts() -> SearchStrategy[Any]:
    items = st.lists(texts() | _files(), max_size=3)
    return st.one_of(
        _build(
            pa.SystemPromptPart,
            content=texts(),
            timestamp=_TIMES,
            dynamic_ref=_NAMES,
            scope=st.sampled_from(["conversation", "request", UNSET]),
            metadata=_json(st.none() | json_objects()),
        ),
        _build(pa.UserPromptPart, content=_said(), timestamp=_TIMES),
        _build(
            pa.ToolReturnPart,
            tool_name=texts(),
            content=st.one_of(texts(), items, _files(), json_values()).map(wg.RawJson.of),
            tool_call_id=texts() | _UNSET,
            tool_kind=_NAMES,
            metadata=_json(json_values()),
            timestamp=_TIMES,
            outcome=st.sampled_from(["success", "failed", "retried", "?", UNSET]),
            retry=_json(st.none() | json_objects()),
            content_file_digests=_UNSET | st.just([]),
        ),
        _build(
            pa.RetryPromptPart,
            content=(texts() | st.lists(json_objects(), max_size=1)).map(wg.RawJson.of),
            tool_name=_NAMES,
            tool_call_id=texts() | _UNSET,
            timestamp=_TIMES,
        ),
        _others(["speech", "retry-feedback", "compaction", "model-settings-delta", "next"]),
    )


def _others(kinds: list[str]) -> SearchStrategy[pa.OtherPart]:
    keys = _objects({"part_kind": st.sampled_from(kinds)}, content=json_values())
    return st.builds(pa.OtherPart, unknown=keys.map(unknown))


def _response_parts() -> SearchStrategy[Any]:
    answer = {
        "id": _NAMES | st.just("redacted_thinking"),
        "provider_name": _NAMES,
        "provider_details": _json(st.none() | json_objects()),
    }
    return st.one_of(
        _build(
            pa.TextPart,
            content=texts(),
            citations=_json(st.none() | st.lists(json_objects(), max_size=1)),
            **answer,
        ),
        _build(pa.ThinkingPart, content=texts(), signature=_NAMES, **answer),
        _build(
            pa.ToolCallPart,
            tool_name=texts(),
            args=_json(st.none() | texts() | st.just('{"a": 1}') | json_objects()),
            tool_call_id=texts() | _UNSET,
            tool_kind=_NAMES,
            **answer,
        ),
        _build(pa.FilePart, content=(_files() | json_objects()).map(wg.RawJson.of), **answer),
        _others(["builtin-tool-call", "builtin-tool-return", "compaction", "next"]),
    )


def _requests() -> SearchStrategy[pa.ModelRequest]:
    return _build(
        pa.ModelRequest,
        parts=st.lists(_request_parts(), max_size=3),
        timestamp=_TIMES | st.none(),
        instructions=st.sampled_from([None, UNSET, "", "Be brief.", "Be long."]),
        run_id=_NAMES,
        metadata=_json(st.none() | json_objects()),
        state=st.sampled_from(["complete", "interrupted", UNSET]),
    )


def _responses() -> SearchStrategy[pa.ModelResponse]:
    usage = _build(
        pa.RequestUsage,
        input_tokens=_COUNTS | _UNSET,
        output_tokens=_COUNTS,
        cache_read_tokens=st.integers(0, 9) | _UNSET,
        output_reasoning_tokens=_COUNTS | _UNSET,
        details=_json(st.sampled_from([{}, {"reasoning_tokens": 3}])),
        cost=_json(st.none() | st.just("0.5")),
        request_tokens=st.none() | _COUNTS | _UNSET,
        total_tokens=st.none() | _COUNTS | _UNSET,
    )
    details = st.none() | st.sampled_from([{"finish_reason": "end_turn"}, {"x": 1}])
    return _build(
        pa.ModelResponse,
        parts=st.lists(_response_parts(), max_size=3),
        usage=usage | _UNSET,
        model_name=_NAMES,
        timestamp=_TIMES,
        provider_name=_NAMES | st.sampled_from(["anthropic", "google", "openai"]),
        provider_details=_json(details),
        provider_response_id=_NAMES,
        finish_reason=st.sampled_from(["stop", "tool_call", "other", None, UNSET]),
        run_id=_NAMES,
        metadata=_json(st.none() | json_objects()),
        state=st.sampled_from(["complete", "suspended", UNSET]),
        vendor_id=_NAMES,
        vendor_details=_json(details),
    )
