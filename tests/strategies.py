"""Nothing in, Hypothesis strategies out: values of the whole model, as the native wires carry them.

Every function returns a strategy. `sessions()` is the one to start from. What they make is valid:
it can be written as JSON and as MessagePack, and comes back equal. Texts hold any character that
Unicode allows, so no lone surrogates, unless `texts(surrogates=True)` is asked for.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import wireglot as wg
from wireglot.model.base import UnknownKeys

__all__ = [
    "agent_messages",
    "arguments",
    "blocks",
    "extensions",
    "extras",
    "json_values",
    "llm_messages",
    "media",
    "media_blocks",
    "messages",
    "requests",
    "responses",
    "session_only_messages",
    "sessions",
    "texts",
    "usages",
]

_EXOTIC = (
    "",
    "\x00\x1f\x7f\x80",
    '"\\/\b\f\n\r\t',
    "\u2028\u2029\ufeff\ufffd\uffff",
    "e\u0301 \u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd",
    "\U0001f469\u200d\U0001f680 \U0001f1f5\U0001f1f9 \U0010ffff",
    "\\ud83d",
    "1e2",
    "null",
    '{"role":"user"}',
)
_COUNTS = st.integers(0, 2**53)
_INT64 = st.integers(-(2**63), 2**63 - 1)
_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
_MIME_TYPES = st.sampled_from(["image/png", "audio/wav", "application/pdf", "x/y", ""])
_APIS = st.sampled_from(["anthropic-messages", "openai-responses", "gemini", "é ", ""])


def texts(*, surrogates: bool = False) -> SearchStrategy[str]:
    """Return short texts of any character; with `surrogates`, with lone ones among them."""
    exclude = () if surrogates else ("Cs",)
    anything = st.text(st.characters(exclude_categories=exclude), max_size=12)
    return st.sampled_from(_EXOTIC) | anything


def json_values() -> SearchStrategy[Any]:
    """Return plain JSON data, integers beyond 64 bits too."""
    integers = _INT64 | st.integers(-(10**40), 10**40)
    leaves = st.none() | st.booleans() | integers | _FLOATS | texts()
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | _objects(inner), max_leaves=5
    )


def arguments() -> SearchStrategy[wg.Arguments]:
    """Return tool arguments: JSON as models write it, JSON that is no object, and broken text."""
    written = st.builds(
        json.dumps,
        json_values(),
        ensure_ascii=st.booleans(),
        indent=st.none() | st.just(2),
        sort_keys=st.booleans(),
    )
    odd = st.sampled_from(
        (
            "",
            "  ",
            "{",
            '{"a": ',
            "1e2",
            "-0",
            "1e999",
            "12345678901234567890123",
            '{"z":1,"a":2,"z":3}',
            '"text"',
            "NaN",
            '{"half":"\\ud83d"}',
            '{ "a" :\t1 }',
        )
    )
    return st.builds(wg.Arguments, written | odd | texts())


def extras() -> SearchStrategy[wg.Extras | None]:
    """Return unknown keys of providers' APIs, or of the native wire itself, or none."""
    keys = _objects(json_values())
    by_api = st.dictionaries(_APIS, st.builds(wg.Extra, keys), max_size=2)
    own = st.dictionaries(texts().map("?{}".format), json_values(), min_size=1, max_size=2)
    own_keys = own.map(lambda data: {"wireglot": wg.Extra(UnknownKeys.of(data))})
    return st.none() | by_api | own_keys


def media() -> SearchStrategy[wg.Media]:
    """Return inline media in every form: binary, base64 text, slices of JSON and MessagePack."""
    data = st.binary(max_size=20) | st.just(b"\x89PNG\r\n\x1a\n\0\0")
    base64_text = data.map(lambda held: base64.b64encode(held).decode())
    loose = st.sampled_from(("AAEC\nAw==", "_9j-", "AB==", "AAE", "no base64", ""))
    return st.one_of(
        st.builds(wg.Media.from_bytes, data),
        st.builds(wg.Media.from_base64, base64_text | loose),
        st.builds(_from_json, base64_text | loose, st.booleans()),
        st.builds(_from_msgpack, data),
    )


def media_blocks() -> SearchStrategy[wg.MediaBlock]:
    """Return image, audio, video, document and data blocks with one source or none."""
    return st.one_of(
        _images(),
        _media_blocks(
            wg.AudioBlock, transcript=_maybe(texts()), sample_rate=_COUNTS, channels=_COUNTS
        ),
        _media_blocks(wg.VideoBlock, transcript=_maybe(texts()), thumbnail=_maybe(_images())),
        _media_blocks(
            wg.DocumentBlock,
            text=_maybe(texts()),
            title=_maybe(texts()),
            context=_maybe(texts()),
            pages=_maybe(st.lists(_COUNTS, max_size=2)),
            excerpt=_maybe(texts()),
            citations=_maybe(st.booleans()),
        ),
        _media_blocks(wg.DataBlock),
    )


def blocks() -> SearchStrategy[wg.Content]:
    """Return content blocks of every kind; tool results hold further blocks."""
    leaves = st.one_of(
        _build(
            wg.TextBlock,
            texts(),
            annotations=_maybe(st.lists(_references(), max_size=2)),
            signature=_maybe(texts()),
            cache=_maybe(_cache_marks()),
        ),
        media_blocks(),
        _build(
            wg.ThinkingBlock,
            texts(),
            signature=_maybe(texts()),
            redacted=st.booleans(),
            details=_maybe(st.lists(texts(), max_size=2)),
        ),
        _build(
            wg.ToolCallBlock,
            texts(),
            texts(),
            arguments(),
            kind=_maybe(st.sampled_from(wg.ToolKind)),
            tool_type=_maybe(texts()),
            signature=_maybe(texts()),
            metadata=_maybe(_objects(json_values())),
            cache=_maybe(_cache_marks()),
        ),
        _build(
            wg.AnnotationBlock,
            kind=st.sampled_from(("citation", "footnote")),
            refs=st.lists(_references(), max_size=2),
            spans=_maybe(st.lists(st.tuples(_COUNTS, _COUNTS), max_size=2)),
        ),
        _build(wg.ErrorBlock, texts(), code=_maybe(texts()), data=json_values()),
        _build(wg.OpaqueBlock, texts(), st.builds(wg.RawJson.of, json_values())),
    )
    return st.recursive(leaves, _results, max_leaves=3)


def usages() -> SearchStrategy[wg.Usage]:
    """Return token counts, with and without cost."""
    cost = st.builds(wg.Cost, _FLOATS, _FLOATS, _FLOATS, _FLOATS, _FLOATS)
    return _build(
        wg.Usage,
        *[_COUNTS] * 6,
        image_tokens=_maybe(_COUNTS),
        audio_tokens=_maybe(_COUNTS),
        cost=_maybe(cost),
    )


def messages() -> SearchStrategy[wg.Message]:
    """Return messages that may reach an LLM, of every role."""
    content = st.lists(blocks(), max_size=3)
    common = {
        "timestamp": _maybe(_INT64),
        "id": _ids(),
        "metadata": _maybe(_objects(json_values())),
    }
    named = {**common, "name": _maybe(texts())}
    assistant = _build(
        wg.AssistantMessage,
        content,
        stop_reason=_maybe(st.sampled_from(wg.StopReason)),
        model=_maybe(texts()),
        provider=_maybe(texts()),
        usage=_maybe(usages()),
        error_message=_maybe(texts()),
        api=_maybe(_APIS),
        raw_stop_reason=_maybe(texts()),
        stop_sequence=_maybe(texts()),
        cached=st.booleans(),
        delta=st.booleans(),
        parsed=json_values(),
        raw=json_values(),
        **named,
    )
    tool_result = _build(
        wg.ToolResultMessage,
        texts(),
        tool_name=_maybe(texts()),
        content=content,
        is_error=st.booleans(),
        child_loop_id=_maybe(texts()),
        status=_maybe(texts()),
        details=json_values(),
        terminate=st.booleans(),
        **common,
    )
    results = st.lists(_results(blocks()), max_size=2)
    return st.one_of(
        _build(wg.UserMessage, content, delta=st.booleans(), **named),
        _build(wg.SystemMessage, content, **named),
        assistant,
        tool_result,
        _build(wg.ToolMessage, results, delta=st.booleans(), **named),
    )


def llm_messages() -> SearchStrategy[wg.LlmMessage]:
    """Return messages with their place in a session, whole, in part or not at all."""
    small = st.integers(0, 2**32 - 1)
    tags = st.builds(
        wg.Tag,
        st.sampled_from(("lesson", "finding", "outcome", "checkpoint")),
        texts(),
        small,
        st.lists(small, max_size=2),
    )
    roles = ("user-message", "assistant-response", "tool-call-request", "tool-call-result")
    hints = st.one_of(
        st.builds(wg.HintSystemPrompt),
        st.builds(wg.HintIdentityBlock, texts(), small),
        st.builds(wg.HintMemoryTier, texts(), texts()),
        st.builds(wg.HintLoopTurn, small, st.sampled_from(roles), small),
        st.builds(wg.HintSteering),
        st.builds(wg.HintFollowUp),
        st.builds(wg.HintUnknown),
    )
    return st.builds(
        wg.LlmMessage,
        messages(),
        turn_id=_maybe(st.builds(wg.TurnId, texts(), small)),
        node_id=_maybe(_INT64),
        parent_id=_maybe(_INT64),
        tags=_maybe(st.lists(tags, max_size=2)),
        provenance_hint=_maybe(hints),
    )


def extensions() -> SearchStrategy[wg.ExtensionMessage]:
    """Return extensions, some under a role that nobody knows."""
    roles = texts().map("?{}".format)
    odd = roles.map(lambda role: {"wireglot": wg.Extra(UnknownKeys.of({"role": role}))})
    return st.builds(wg.ExtensionMessage, texts(), json_values(), st.none() | odd)


def session_only_messages() -> SearchStrategy[wg.SessionOnly]:
    """Return what of a session never goes to an LLM."""
    common = {"details": json_values(), "timestamp": _maybe(_INT64), "id": _ids()}
    return st.one_of(
        extensions(),
        _build(
            wg.CustomMessage,
            texts(),
            content=st.lists(blocks(), max_size=2),
            display=st.booleans(),
            **common,
        ),
        _build(wg.BranchSummaryMessage, texts(), from_id=_maybe(texts()), **common),
        _build(
            wg.CompactionSummaryMessage,
            texts(),
            tokens_before=_maybe(_COUNTS),
            first_kept_id=_maybe(texts()),
            **common,
        ),
    )


def agent_messages() -> SearchStrategy[wg.AgentMessage]:
    """Return any entry of a session."""
    return llm_messages() | session_only_messages()


def sessions(max_size: int = 4) -> SearchStrategy[list[wg.AgentMessage]]:
    """Return whole sessions."""
    return st.lists(agent_messages(), max_size=max_size)


def requests() -> SearchStrategy[wg.Request]:
    """Return requests with all that can be asked."""
    tools = _build(
        wg.Tool,
        texts(),
        description=_maybe(texts()),
        parameters=_maybe(st.builds(wg.RawJson.of, _objects(json_values()))),
        strict=_maybe(st.booleans()),
        cache=_maybe(_cache_marks()),
    )
    opaque = st.builds(wg.OpaqueBlock, texts(), st.builds(wg.RawJson.of, json_values()))
    sections = st.builds(wg.CacheSections, st.booleans(), st.booleans(), st.booleans())
    strategies = st.sampled_from(("auto", "disabled")) | st.builds(wg.ManualCache, sections)
    return _build(
        wg.Request,
        st.lists(messages(), max_size=2),
        model=_maybe(texts()),
        tools=_maybe(st.lists(tools | opaque, max_size=2)),
        tool_choice=_maybe(
            st.builds(
                wg.ToolChoice,
                st.sampled_from(("auto", "none", "required", "tool")),
                _maybe(texts()),
                _maybe(st.lists(texts(), max_size=2)),
            )
        ),
        parallel_tool_calls=_maybe(st.booleans()),
        max_tokens=_maybe(_COUNTS),
        temperature=_maybe(_FLOATS),
        top_p=_maybe(_FLOATS),
        seed=_maybe(_INT64),
        stop=_maybe(st.lists(texts(), max_size=2)),
        thinking=_maybe(
            st.builds(
                wg.Thinking,
                _maybe(st.sampled_from(wg.ThinkingLevel)),
                _maybe(_COUNTS),
                _maybe(st.booleans()),
            )
        ),
        response_format=_maybe(
            st.builds(
                wg.ResponseFormat,
                st.sampled_from(("text", "json", "json_schema")),
                _maybe(st.builds(wg.RawJson.of, _objects(json_values()))),
            )
        ),
        cache=_maybe(st.builds(wg.CacheConfig, st.booleans(), strategies)),
        stream=st.booleans(),
        metadata=_maybe(_objects(json_values())),
    )


def responses() -> SearchStrategy[wg.Response]:
    """Return whole answers."""
    answers = st.builds(wg.AssistantMessage, st.lists(blocks(), max_size=2), usage=_maybe(usages()))
    return _build(
        wg.Response,
        answers,
        id=_maybe(texts()),
        created_at=_maybe(_INT64),
        service_tier=_maybe(texts()),
        alternatives=_maybe(st.lists(answers, max_size=2)),
    )


# -- parts ---------------------------------------------------------------------------------------


def _maybe(strategy: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return st.none() | strategy


def _objects(values: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    return st.dictionaries(texts(), values, max_size=3)


def _ids() -> SearchStrategy[str | int | None]:
    return st.none() | texts() | _INT64


def _build(
    kind: Any, /, *required: SearchStrategy[Any], **fields: SearchStrategy[Any]
) -> SearchStrategy[Any]:
    """Build a Struct; a third of them with optional fields, so that the examples stay small."""
    bare = st.builds(kind, *required)
    whole = st.builds(kind, *required, extras=extras(), **fields)
    return bare | bare | whole


def _cache_marks() -> SearchStrategy[wg.CacheMark]:
    return st.builds(wg.CacheMark, st.sampled_from((None, "5m", "1h")))


def _references() -> SearchStrategy[wg.AnnotationRef]:
    return _build(
        wg.AnnotationRef,
        url=_maybe(texts()),
        title=_maybe(texts()),
        file_id=_maybe(texts()),
        page=_maybe(_COUNTS),
        index=_maybe(_COUNTS),
        cited_text=_maybe(texts()),
        start=_maybe(_COUNTS),
        end=_maybe(_COUNTS),
    )


def _results(content: SearchStrategy[wg.Content]) -> SearchStrategy[wg.ToolResultBlock]:
    return _build(
        wg.ToolResultBlock,
        texts(),
        tool_name=_maybe(texts()),
        content=st.lists(content, max_size=2),
        is_error=st.booleans(),
        status=_maybe(texts()),
        details=json_values(),
        metadata=_maybe(_objects(json_values())),
        terminate=st.booleans(),
        child_loop_id=_maybe(texts()),
        cache=_maybe(_cache_marks()),
    )


def _images() -> SearchStrategy[wg.ImageBlock]:
    return _media_blocks(
        wg.ImageBlock,
        alt_text=_maybe(texts()),
        bbox=_maybe(st.lists(_FLOATS, max_size=4)),
        detail=_maybe(st.sampled_from(("low", "high", "original", "auto"))),
        signature=_maybe(texts()),
    )


def _media_blocks(kind: Any, **fields: SearchStrategy[Any]) -> SearchStrategy[Any]:
    sources = st.one_of(
        st.fixed_dictionaries({"data": media()}),
        st.fixed_dictionaries({"url": texts()}),
        st.fixed_dictionaries({"file_id": texts()}),
        st.just({}),
    )
    described = _build(
        kind,
        mime_type=_maybe(_MIME_TYPES),
        filename=_maybe(texts()),
        size=_maybe(_COUNTS),
        sha256=_maybe(texts()),
        width=_maybe(_COUNTS),
        height=_maybe(_COUNTS),
        duration_ms=_maybe(_COUNTS),
        page=_maybe(_COUNTS),
        cache=_maybe(_cache_marks()),
        **fields,
    )
    return st.builds(_with_source, described, sources)


def _with_source(block: Any, source: dict[str, Any]) -> Any:
    for name, value in source.items():
        setattr(block, name, value)
    return block


def _from_json(text: str, escaped: bool) -> wg.Media:
    """Return a slice of a JSON body, with `/` escaped or not, as PHP and others write it."""
    quoted = json.dumps(text).replace("/", "\\/") if escaped else json.dumps(text)
    return wg.json.decode(f'{{"type":"data","data":{quoted}}}', wg.DataBlock).data


def _from_msgpack(data: bytes) -> wg.Media:
    body = b"\x82\xa4type\xa4data\xa4data\xc4" + bytes([len(data)]) + data
    return wg.msgpack.decode(body, wg.DataBlock).data
