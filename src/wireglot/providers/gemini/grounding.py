"""The sources of an answer's texts <-> the `groundingMetadata` of a candidate.

Its supports say which segment of the text rests on which chunks. A segment is told in bytes of
UTF-8, of all of an answer's texts in one: no recorded answer has a `partIndex`, and in a stream
each piece of text is a part.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import Struct

from ...model import AnnotationRef, Content, TextBlock
from .._citations import in_bytes, in_characters, pages

__all__ = ["grounding", "sources"]


class _Source(Struct):
    uri: str | None = None
    title: str | None = None


class _Chunk(Struct, rename="camel"):
    """Has one of the keys that are read here, or one of a kind that has no address."""

    web: _Source | None = None
    maps: _Source | None = None
    retrieved_context: _Source | None = None


class _Segment(Struct, rename="camel"):
    start_index: int | None = None
    end_index: int | None = None
    part_index: int | None = None


class _Support(Struct, rename="camel"):
    segment: _Segment | None = None
    grounding_chunk_indices: list[int] | None = None


class _Grounding(Struct, rename="camel"):
    grounding_chunks: list[_Chunk] | None = None
    grounding_supports: list[_Support] | None = None


_grounding: Final = msgspec.json.Decoder(_Grounding | None).decode


# -- metadata -> sources -----------------------------------------------------------------------


def sources(raw: Any, texts: list[str]) -> Iterator[tuple[int, AnnotationRef]]:
    """Yield each source of some texts, with the number of the text, for a candidate's metadata.

    Sources without a segment are those of the first text. Metadata of another shape has none: it
    is kept as raw JSON all the same.
    """
    try:
        found = _grounding(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return
    chunks = [*map(_source, found.grounding_chunks or ())] if found is not None else []
    if found is None or not texts or not any(chunks):
        return
    supports = [each for each in found.grounding_supports or () if _is_told(each)]
    if not supports:
        for each in filter(None, chunks):
            yield 0, AnnotationRef(each.uri, each.title)
        return
    whole = "".join(texts)
    starts = [0]
    for text in texts[:-1]:
        starts.append(starts[-1] + len(text))
    places = in_characters(whole, (offset for each in supports for offset in _ends(each)))
    for support in supports:
        start, end = (places[offset] for offset in _ends(support))
        number = bisect_right(starts, min(start, max(len(whole) - 1, 0))) - 1
        begun, size = starts[number], len(texts[number])
        for i in support.grounding_chunk_indices or ():
            source = chunks[i] if 0 <= i < len(chunks) else None
            if source is not None:
                place = min(start - begun, size), min(end - begun, size)
                yield number, AnnotationRef(source.uri, source.title, start=place[0], end=place[1])


def _source(chunk: _Chunk) -> _Source | None:
    return chunk.web or chunk.maps or chunk.retrieved_context


def _is_told(support: _Support) -> bool:
    return bool(support.grounding_chunk_indices)


def _ends(support: _Support) -> tuple[int, int]:
    segment = support.segment or _Segment()
    start = max(segment.start_index or 0, 0)
    return start, max(segment.end_index or 0, start)


# -- sources -> metadata -----------------------------------------------------------------------


def grounding(content: list[Content]) -> dict[str, Any] | None:
    """Return the metadata for the pages that texts cite, None if they cite none.

    A page that is cited twice is one chunk; the pages of one segment share a support, which does
    not repeat the text.
    """
    if not any(type(block) is TextBlock and block.annotations for block in content):
        return None
    texts = [block for block in content if type(block) is TextBlock]
    whole = "".join(block.text for block in texts)
    chunks: dict[tuple[str, str], int] = {}
    supports: dict[tuple[int, int], list[int]] = {}
    before = 0
    for block in texts:
        for page in pages(block):
            number = chunks.setdefault((page.url, page.title), len(chunks))
            place = before + page.start, before + page.end
            supports.setdefault(place, []).append(number)
        before += len(block.text)
    if not chunks:
        return None
    places = in_bytes(whole, (offset for place in supports for offset in place))
    return {
        "groundingChunks": [{"web": {"uri": url, "title": title}} for url, title in chunks],
        "groundingSupports": [
            {
                "segment": {
                    **({"startIndex": places[start]} if start else {}),
                    "endIndex": places[end],
                },
                "groundingChunkIndices": list(dict.fromkeys(numbers)),
            }
            for (start, end), numbers in supports.items()
        ],
    }
