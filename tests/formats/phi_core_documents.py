"""Nothing in, Hypothesis strategies out: saved conversations of phi-core, unknown keys included."""

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import wireglot as wg
from wireglot.formats import phi_core as phi
from wireglot.formats._records import unknown
from wireglot.testing import arguments, json_values, texts

_COUNTS = st.integers(0, 2**53)
# A key that stands twice is carried as it is, which no provider would like.
_ARGUMENTS = arguments().filter(lambda made: made.text.count(b'"z"') < 2)
_UNKNOWN = st.dictionaries(texts().map("?{}".format), json_values(), max_size=2).map(unknown)


def documents() -> SearchStrategy[list[phi.AgentMessage]]:
    """Return saved conversations."""
    return st.lists(st.one_of(_users(), _assistants(), _results(), _extensions()), max_size=4)


def _build(kind: Any, *parts: Any, **fields: Any) -> SearchStrategy[Any]:
    whole = st.builds(kind, *parts, unknown=_UNKNOWN, **fields)
    return st.builds(kind, *parts) | whole


def _content() -> SearchStrategy[list[phi.Content]]:
    data = st.binary(max_size=9).map(wg.Media.from_bytes)
    return st.lists(
        st.one_of(
            _build(phi.TextContent, texts()),
            _build(phi.ImageContent, data, texts()),
            _build(phi.ThinkingContent, texts(), signature=st.none() | texts()),
            _build(phi.ToolCallContent, texts(), texts(), _ARGUMENTS),
        ),
        max_size=3,
    )


def _place() -> dict[str, SearchStrategy[Any]]:
    tags = st.builds(
        wg.model.Tag, st.just("lesson"), texts(), _COUNTS, st.lists(_COUNTS, max_size=2)
    )
    return {
        "turn_id": st.none() | st.builds(wg.model.TurnId, texts(), _COUNTS),
        "node_id": st.none() | _COUNTS,
        "parent_id": st.none() | _COUNTS,
        "tags": st.none() | st.lists(tags, min_size=1, max_size=2),
        "provenance_hint": st.none() | st.builds(wg.model.HintIdentityBlock, texts(), _COUNTS),
    }


def _users() -> SearchStrategy[phi.UserMessage]:
    return _build(phi.UserMessage, _content(), _COUNTS, **_place())


def _assistants() -> SearchStrategy[phi.AssistantMessage]:
    providers = st.sampled_from(["", "anthropic", "openai", "google", "x"])
    return _build(
        phi.AssistantMessage,
        _content(),
        st.sampled_from(wg.StopReason),
        texts(),
        providers,
        _build(phi.Usage, *[_COUNTS] * 6),
        _COUNTS,
        error_message=st.none() | texts(),
        **_place(),
    )


def _results() -> SearchStrategy[phi.ToolResultMessage]:
    return _build(
        phi.ToolResultMessage,
        texts(),
        texts(),
        _content(),
        st.booleans(),
        _COUNTS,
        child_loop_id=st.none() | texts(),
        **_place(),
    )


def _extensions() -> SearchStrategy[phi.ExtensionMessage]:
    return _build(phi.ExtensionMessage, texts(), json_values().map(wg.RawJson.of))
