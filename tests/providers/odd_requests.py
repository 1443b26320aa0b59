"""Requests that nobody would write down: blocks in the wrong place, ids that clash, odd sources."""

from typing import Any

from hypothesis import strategies as st

import wireglot as wg
from tests.providers.conversation import extras

__all__ = ["PNG", "odd_requests"]

WORDS = st.sampled_from(("", " ", "\n", "x", "x ", " é😀", "\u2028"))
IDS = st.sampled_from(("a", "a_2", "a.b", "", "call_1"))
MARKS = st.sampled_from((None, None, None, wg.CacheMark(), wg.CacheMark("5m"), wg.CacheMark("1h")))
PNG = wg.Media.from_bytes(b"\x89PNG\r\n\x1a\n")
SOURCES = st.sampled_from(
    (
        {"data": PNG},
        {"data": wg.Media.from_base64("R0lGODlh")},
        {"data": wg.Media.from_bytes(b"%PDF-")},
        {"data": wg.Media.from_bytes(b"II*\0")},
        {"url": "https://x.org/a"},
        {"url": "data:image/png;base64,iVBORw0KGgo="},
        {"url": "data:text/plain,x"},
        {"url": "data:x"},
        {"url": "s3://a/b"},
        {"file_id": "f"},
        {},
    )
)
ARGUMENTS = st.sampled_from(("{}", '{"a":1e2}', "", "{", "[1]", '"x"', {"a": None}))


def _media(kind: Any, **fields: Any) -> st.SearchStrategy[Any]:
    described = st.fixed_dictionaries(fields)
    return st.builds(
        lambda source, more, mark: kind(**source, **more, cache=mark), SOURCES, described, MARKS
    )


def odd_requests(api: str, own: dict[str, Any], **keys: Any) -> st.SearchStrategy[wg.Request]:
    """Requests for one API, which takes `own` as an opaque block, and `keys` on a text."""
    unknown = st.sampled_from(
        (
            None,
            None,
            extras(api, **keys),
            extras("other-api", k=1),
            extras("wireglot", k=1),
        )
    )
    texts = st.builds(
        wg.TextBlock,
        WORDS,
        annotations=st.sampled_from((None, None, [wg.AnnotationRef(url="u")])),
        cache=MARKS,
        extras=unknown,
    )

    media = st.one_of(
        _media(wg.ImageBlock),
        _media(wg.DocumentBlock, title=st.sampled_from((None, "t"))),
        st.builds(wg.DocumentBlock.from_text, st.sampled_from(("x", "é\n"))),
        _media(wg.AudioBlock, transcript=WORDS),
        _media(wg.VideoBlock, transcript=WORDS),
        _media(wg.DataBlock),
    )
    thinking = st.builds(
        wg.ThinkingBlock, WORDS, st.sampled_from((None, "", "s")), st.booleans(), extras=st.none()
    )
    calls = st.builds(
        wg.ToolCallBlock, IDS, st.sampled_from(("f", "a.b", "")), ARGUMENTS, cache=MARKS
    )
    opaque = st.sampled_from(
        (
            wg.OpaqueBlock(api, own),
            wg.OpaqueBlock("other-api", {"type": "x"}),
        )
    )
    plain = (
        texts | media | thinking | st.builds(wg.ErrorBlock, WORDS) | st.builds(wg.AnnotationBlock)
    )
    results = st.builds(
        wg.ToolResultBlock,
        IDS,
        content=st.lists(plain | opaque.filter(lambda block: block.api != api), max_size=2),
        is_error=st.booleans(),
        cache=MARKS,
    )
    content = st.lists(texts | plain | opaque | calls | results, max_size=3)
    # No API takes more than texts there; what the caller wrote in its own words goes out even so.
    prompt = content.filter(lambda c: not any(getattr(b, "api", None) == api for b in c))
    messages = st.one_of(
        st.builds(wg.UserMessage, content, name=st.sampled_from((None, None, "n"))),
        st.builds(
            wg.AssistantMessage,
            st.lists(texts | calls | thinking, max_size=3) | content,
            api=st.sampled_from((None, api, "other-api")),
            provider=st.sampled_from((None, "anthropic")),
        ),
        st.builds(wg.SystemMessage, st.lists(texts, max_size=2) | prompt),
        st.builds(wg.ToolMessage, st.lists(results | texts, max_size=3)),
        st.builds(
            lambda held: wg.ToolResultMessage(held.tool_call_id, content=held.content), results
        ),
    )
    tools = st.sampled_from(("f", "g", "a.b")).map(wg.Tool)
    return st.builds(
        wg.Request,
        st.lists(messages, min_size=1, max_size=6),
        model=st.just("m"),
        tools=st.lists(tools | opaque.filter(lambda t: t.api != api), max_size=3, unique_by=repr),
        tool_choice=st.sampled_from((None, wg.ToolChoice(), wg.ToolChoice("required"))),
        parallel_tool_calls=st.sampled_from((None, True, False)),
        max_tokens=st.sampled_from((None, 1, 1024, 1025, 4096)),
        temperature=st.none() | st.floats(-1, 3),
        top_p=st.none() | st.floats(0, 1),
        thinking=st.none()
        | st.builds(
            wg.Thinking,
            st.none() | st.sampled_from(wg.ThinkingLevel),
            st.sampled_from((None, 0, 1024, 4096)),
            st.sampled_from((None, True, False)),
        ),
        response_format=st.sampled_from(
            (None, wg.ResponseFormat("json"), wg.ResponseFormat("json_schema", {"type": "object"}))
        ),
        cache=st.sampled_from((None, wg.CacheConfig(), wg.CacheConfig(ttl="1h"))),
        service_tier=st.sampled_from((None, "auto", "flex")),
    )
