"""What an opaque block of Anthropic's says: its text, a search result, a stored file.

The text is for the model to read: of search results, of documents that are made of content blocks,
of the summary of a compacted conversation, and the name of a tool that a search has found. Source:
the types of the SDK, `anthropic` 2.12.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from .._state.facts import SearchResult
from .._state.opaque_text import Part, texts_of


class _Source(Struct):
    content: str | list[Part] | None = None


class _Block(Struct, tag_field="type"):
    pass


class _SearchResult(_Block, tag="search_result"):
    content: list[Part]


class _Document(_Block, tag="document"):
    source: _Source


class _Compaction(_Block, tag="compaction"):
    content: str | None = None


class _ToolReference(_Block, tag="tool_reference"):
    tool_name: str


_block: Final = msgspec.json.Decoder(
    _SearchResult | _Document | _Compaction | _ToolReference
).decode


def text_of(raw: bytes) -> str | None:
    """Return the text of a block."""
    block = _block(raw)
    if type(block) is _ToolReference:
        return f"This tool can be called now: `{block.tool_name}`."
    return texts_of(block.source.content if type(block) is _Document else block.content)


class _Words(Struct, forbid_unknown_fields=True, tag_field="type", tag="text"):
    text: str


class _Enabled(Struct, forbid_unknown_fields=True):
    enabled: bool


class _Result(
    Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="type", tag="search_result"
):
    """A search result that has nothing beside what one of another API can have."""

    source: str
    title: str
    content: list[_Words]
    citations: _Enabled | None = None


_result: Final = msgspec.json.Decoder(_Result).decode


def result_in(raw: bytes) -> SearchResult:
    """Return the search result that a block is."""
    made = _result(raw)
    cites = made.citations.enabled if made.citations is not None else None
    return SearchResult(made.source, made.title, [part.text for part in made.content], cites)


def result_as(result: SearchResult) -> Any:
    """Return the block for a search result."""
    words = [_Words(text) for text in result.texts]
    cites = _Enabled(result.cites) if result.cites is not None else None
    return _Result(result.source, result.title, words, cites)


def refers_to(block: Any) -> str | None:
    """Return the type of a block that puts a stored file into a container."""
    kind = block.get("type") if isinstance(block, dict) else None
    return str(kind) if kind == "container_upload" else None
