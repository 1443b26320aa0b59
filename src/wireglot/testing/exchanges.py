"""Strategies for requests and responses."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..model import (
    CacheConfig,
    CacheSections,
    ManualCache,
    RawJson,
    Request,
    Response,
    ResponseFormat,
    Thinking,
    ThinkingLevel,
    Tool,
    ToolChoice,
)
from ._building import INT64, build, maybe
from ._once import once
from .blocks import cache_marks, opaque_blocks
from .messages import answers, messages
from .values import json_objects, texts

__all__ = ["requests", "responses"]


@once
def requests() -> SearchStrategy[Request]:
    """Draw requests with any parameter, whose messages are not in the order of a conversation.

    Use them to test that a provider's encoder refuses a request, or writes all of it, or reports
    what is lost.
    """
    return build(
        Request,
        {"messages": st.lists(messages(), max_size=2)},
        tools=maybe(st.lists(_tools() | opaque_blocks(), max_size=2)),
        tool_choice=maybe(_tool_choices()),
        seed=maybe(INT64),
        thinking=maybe(_thinking()),
        response_format=maybe(_response_formats()),
        cache=maybe(_cache_configs()),
    )


@once
def responses() -> SearchStrategy[Response]:
    """Draw whole answers, some with further candidates.

    Use them to test that an answer is written whole, or with losses.
    """
    return build(
        Response,
        {"message": answers()},
        created_at=maybe(INT64),
        alternatives=maybe(st.lists(answers(), max_size=2)),
    )


def _schemas() -> SearchStrategy[RawJson]:
    return st.builds(RawJson.of, json_objects())


def _tools() -> SearchStrategy[Tool]:
    return build(
        Tool,
        {"name": texts()},
        parameters=maybe(_schemas()),
        cache=maybe(cache_marks()),
    )


def _tool_choices() -> SearchStrategy[ToolChoice]:
    return build(ToolChoice, {"mode": st.sampled_from(("auto", "none", "required", "tool"))})


def _thinking() -> SearchStrategy[Thinking]:
    return build(Thinking, {}, level=maybe(st.sampled_from(ThinkingLevel)))


def _response_formats() -> SearchStrategy[ResponseFormat]:
    return build(
        ResponseFormat,
        {"kind": st.sampled_from(("text", "json", "json_schema"))},
        schema=maybe(_schemas()),
    )


def _cache_configs() -> SearchStrategy[CacheConfig]:
    sections = st.builds(CacheSections, st.booleans(), st.booleans(), st.booleans())
    return build(
        CacheConfig,
        {},
        enabled=st.booleans(),
        strategy=st.sampled_from(("auto", "disabled")) | st.builds(ManualCache, sections),
        ttl=st.sampled_from((None, "5m", "1h")),
    )
