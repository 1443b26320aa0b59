"""Strategies for content blocks of every kind."""

from __future__ import annotations

from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ..model import (
    AnnotationBlock,
    AnnotationRef,
    AudioBlock,
    CacheMark,
    Content,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    MediaBlock,
    OpaqueBlock,
    RawJson,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolKind,
    ToolResultBlock,
    VideoBlock,
)
from ._building import COUNTS, FLOATS, build, maybe, one_kind
from ._once import once
from .values import arguments, json_values, media, texts

__all__ = [
    "block_kinds",
    "blocks",
    "cache_marks",
    "media_blocks",
    "opaque_blocks",
    "references",
    "results",
]

M = TypeVar("M", bound=MediaBlock)

_NO_SOURCE = dict.fromkeys(("data", "url", "file_id"), st.none())
_MIME_TYPES = st.sampled_from(["image/png", "audio/wav", "application/pdf", "x/y", ""])


@once
def blocks() -> SearchStrategy[Content]:
    """Draw content blocks of every kind; tool results hold further blocks.

    Use them to test that any content comes back equal.
    """
    text, *others = _leaves().values()
    leaves = (text, media_blocks(), *others)
    # Not `st.recursive`: four in five of its blocks would be results.
    return one_kind(*leaves, results(one_kind(*leaves, results(one_kind(*leaves)))))


@once
def block_kinds() -> dict[Any, SearchStrategy[Any]]:
    """Return a strategy for each type of a block."""
    return {**_leaves(), **_media_kinds(), ToolResultBlock: results(blocks())}


@once
def _leaves() -> dict[Any, SearchStrategy[Any]]:
    """Return a strategy for each type that holds neither media nor blocks."""
    return {
        TextBlock: build(
            TextBlock,
            {"text": texts()},
            annotations=maybe(st.lists(references(), max_size=2)),
            cache=maybe(cache_marks()),
        ),
        ThinkingBlock: build(ThinkingBlock, {"thinking": texts()}),
        ToolCallBlock: build(
            ToolCallBlock,
            {"id": texts(), "name": texts(), "arguments": arguments()},
            kind=maybe(st.sampled_from(ToolKind)),
            cache=maybe(cache_marks()),
        ),
        AnnotationBlock: build(
            AnnotationBlock,
            {},
            kind=st.sampled_from(("citation", "footnote")),
            refs=st.lists(references(), max_size=2),
            spans=maybe(st.lists(st.tuples(COUNTS, COUNTS), max_size=2)),
        ),
        ErrorBlock: build(ErrorBlock, {"message": texts()}),
        OpaqueBlock: opaque_blocks(),
    }


@once
def media_blocks() -> SearchStrategy[MediaBlock]:
    """Draw image, audio, video, document and data blocks with one source or none.

    Use them to test that a block of media is written whole, or with a loss.
    """
    return st.one_of(*_media_kinds().values())


@once
def _media_kinds() -> dict[Any, SearchStrategy[Any]]:
    """Return a strategy for each type of a block of media."""
    return {
        ImageBlock: _images(),
        AudioBlock: _media_block(AudioBlock),
        VideoBlock: _media_block(VideoBlock, thumbnail=maybe(_images())),
        DocumentBlock: _media_block(DocumentBlock),
        DataBlock: _media_block(DataBlock),
    }


@once
def opaque_blocks() -> SearchStrategy[OpaqueBlock]:
    """Draw opaque blocks of any API, with any JSON inside."""
    return build(OpaqueBlock, {"api": texts(), "raw": st.builds(RawJson.of, json_values())})


@once
def cache_marks() -> SearchStrategy[CacheMark]:
    """Draw prompt-cache breakpoints with each lifetime, and without one."""
    return st.builds(CacheMark, st.sampled_from((None, "5m", "1h")))


@once
def references() -> SearchStrategy[AnnotationRef]:
    """Draw sources that a text refers to."""
    return build(AnnotationRef, {})


def results(content: SearchStrategy[Content]) -> SearchStrategy[ToolResultBlock]:
    """Draw tool results that hold up to two blocks of `content`."""
    return build(
        ToolResultBlock,
        {"tool_call_id": texts(), "content": st.lists(content, max_size=2)},
        cache=maybe(cache_marks()),
    )


def _images() -> SearchStrategy[ImageBlock]:
    return _media_block(
        ImageBlock,
        bbox=maybe(st.lists(FLOATS, max_size=4)),
        detail=maybe(st.sampled_from(("low", "high", "original", "auto"))),
    )


def _media_block(kind: type[M], **fields: SearchStrategy[Any]) -> SearchStrategy[M]:
    sources: tuple[dict[str, SearchStrategy[Any]], ...] = (
        {},
        {"data": media()},
        {"url": texts()},
        {"file_id": texts()},
    )
    described = {"mime_type": maybe(_MIME_TYPES), "cache": maybe(cache_marks())}
    return st.one_of(
        *(build(kind, {**_NO_SOURCE, **source}, **described, **fields) for source in sources)
    )
