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
from msgspec import Raw, Struct

from ..._body.encode import encode_json as encode
from ...errors import LimitError
from ...model import AnnotationRef, Content, TextBlock
from .._across.citations import in_bytes, in_characters, pages
from .._codecs.stream_decoder import grow


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
_MOST_CHARACTERS, _MOST_TIMES = 256 * 1024, 32
"""The sources of a candidate together have at most so many characters, and so many times more than
the metadata, in which supports name them by numbers. Recorded ones have less than half as many.
"""
_PATH: Final = "$.candidates[0].groundingMetadata"


# -- metadata in several chunks ----------------------------------------------------------------

_keys: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_items: Final = msgspec.json.Decoder(list[Raw]).decode
_numbers: Final = msgspec.json.Decoder(list[int]).decode
_CHUNKS, _SUPPORTS, _INDEXES = "groundingChunks", "groundingSupports", "groundingChunkIndices"


def grown(known: Any, more: Raw) -> Any:
    """Return the metadata of earlier chunks, or what this returned for them, with a later one.

    A list that begins like the earlier one tells it again; any other goes on. The indexes of
    supports are those of the chunks that come with them.
    """
    made: dict[str, Any] = _keys(known) if type(known) is Raw else known
    later = _keys(more)
    shift = 0
    if _CHUNKS in later:
        before = _listed(made, _CHUNKS)
        if not _goes_on(before, _listed(later, _CHUNKS)):
            shift = len(before or ())
    for key, value in later.items():
        before, after = _listed(made, key), _listed(later, key)
        if before is None or after is None:
            grow(made, {key: value})
            continue
        if _goes_on(before, after):
            del before[:]
        elif shift and key == _SUPPORTS:
            after = [_shifted(support, shift) for support in after]
        before += after
        made[key] = before
    return made


def _listed(keys: dict[str, Any], key: str) -> list[Raw] | None:
    value = keys.get(key)
    if type(value) is Raw and bytes(memoryview(value)[:1]) == b"[":
        return _items(value)
    return value if type(value) is list else None


def _goes_on(before: list[Raw] | None, after: list[Raw] | None) -> bool:
    """Whether a list begins like an earlier one."""
    return before is None or after is None or after[: len(before)] == before


def _shifted(support: Raw, shift: int) -> Raw:
    """Return a support whose chunks come behind others."""
    try:
        keys = _keys(support)
        indexes = [index + shift for index in _numbers(keys[_INDEXES])]
    except (msgspec.DecodeError, KeyError):  # of another shape
        return support
    return Raw(encode({**keys, _INDEXES: indexes}))


# -- metadata -> sources -----------------------------------------------------------------------


def sources(raw: Any, texts: list[str]) -> Iterator[tuple[int, AnnotationRef]]:
    """Yield each source of some texts, with the number of the text, for a candidate's metadata.

    Sources without a segment are those of the first text. Metadata of another shape has none: it
    is kept as raw JSON all the same.

    Raises `LimitError` if the addresses and titles, which supports name by an index, would be much
    larger than the metadata.
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
    sizes = [len(each.uri or "") + len(each.title or "") if each else 0 for each in chunks]
    most, total = _MOST_CHARACTERS + _MOST_TIMES * len(raw), 0
    for support in supports:
        start, end = (places[offset] for offset in _ends(support))
        number = bisect_right(starts, min(start, max(len(whole) - 1, 0))) - 1
        begun, size = starts[number], len(texts[number])
        for i in support.grounding_chunk_indices or ():
            source = chunks[i] if 0 <= i < len(chunks) else None
            if source is not None:
                total += sizes[i]
                if total > most:
                    reason = f"sources of more than {most:,} characters, expected fewer"
                    raise LimitError(reason, wire="gemini", path=_PATH)
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
