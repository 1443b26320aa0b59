"""What an opaque block of Converse says: its text, a search result, an object in a bucket.

The text is for the model to read. Source: botocore 1.44.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from .._state.facts import SearchResult
from .._state.opaque_text import Part, texts_of


class _Source(Struct):
    content: str | list[Part] | None = None


class _Search(Struct):
    content: list[Part]


class _Document(Struct):
    source: _Source


class _Union(Struct, rename="camel"):
    search_result: _Search | None = None
    document: _Document | None = None


_union: Final = msgspec.json.Decoder(_Union).decode


def text_of(raw: bytes) -> str | None:
    """Return the text of a block."""
    union = _union(raw)
    if union.search_result is not None:
        return texts_of(union.search_result.content)
    return texts_of(union.document.source.content) if union.document is not None else None


class _Words(Struct, forbid_unknown_fields=True):
    text: str


class _Enabled(Struct, forbid_unknown_fields=True):
    enabled: bool


class _Result(Struct, forbid_unknown_fields=True, omit_defaults=True):
    source: str
    title: str
    content: list[_Words]
    citations: _Enabled | None = None


class _OneResult(Struct, forbid_unknown_fields=True, rename="camel"):
    """A search result that has nothing beside what one of another API can have."""

    search_result: _Result


_result: Final = msgspec.json.Decoder(_OneResult).decode


def result_in(raw: bytes) -> SearchResult:
    """Return the search result that a block is."""
    made = _result(raw).search_result
    cites = made.citations.enabled if made.citations is not None else None
    return SearchResult(made.source, made.title, [part.text for part in made.content], cites)


def result_as(result: SearchResult) -> Any:
    """Return the block for a search result."""
    words = [_Words(text) for text in result.texts]
    cites = _Enabled(result.cites) if result.cites is not None else None
    return _OneResult(_Result(result.source, result.title, words, cites))


def refers_to(block: Any) -> str | None:
    """Return the key of a source that is an object in a bucket."""
    media = next(iter(block.values()), None) if isinstance(block, dict) else None
    source = media.get("source") if isinstance(media, dict) else None
    is_in_bucket = isinstance(source, dict) and source.get("s3Location") is not None
    return "s3Location" if is_in_bucket else None
