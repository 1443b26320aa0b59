"""The places in documents that a text cites <-> `citations` of a text block."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from .._state.facts import DocumentCitation, DocumentsForm


class _Source(Struct, kw_only=True, tag_field="type"):
    cited_text: str = ""
    file_id: str | None = None


class _OfDocument(_Source, kw_only=True):
    document_index: int
    document_title: str | None = None


class _Chars(_OfDocument, kw_only=True, tag="char_location"):
    start_char_index: int
    end_char_index: int


class _Pages(_OfDocument, kw_only=True, tag="page_location"):
    start_page_number: int
    end_page_number: int


class _Blocks(_OfDocument, kw_only=True, tag="content_block_location"):
    start_block_index: int
    end_block_index: int


class _Result(_Source, kw_only=True, tag="search_result_location"):
    search_result_index: int
    source: str
    title: str | None = None
    start_block_index: int
    end_block_index: int


class _Spelling(Struct):
    citations: list[_Chars | _Pages | _Blocks | _Result]


_spelled = msgspec.json.Decoder(_Spelling).decode
_KEYS: Final = {
    "char": ("char_location", "start_char_index", "end_char_index"),
    "page": ("page_location", "start_page_number", "end_page_number"),
    "block": ("content_block_location", "start_block_index", "end_block_index"),
    "result": ("search_result_location", "start_block_index", "end_block_index"),
}
"""Kind of a place -> its type here, and the keys of its beginning and its end."""
_KINDS: Final = {key: (kind, start, end) for kind, (key, start, end) in _KEYS.items()}


def _read(spelling: bytes, _: str) -> list[DocumentCitation] | None:
    found = _spelled(spelling).citations
    return None if any(each.file_id for each in found) else [*map(_citation, found)]


def _citation(given: Any) -> DocumentCitation:
    kind, start, end = _KINDS[given.__struct_config__.tag]
    place = (getattr(given, start), getattr(given, end), given.cited_text)
    if type(given) is _Result:
        index, title, source = given.search_result_index, given.title, given.source
        return DocumentCitation(kind, index, *place, title, source)
    return DocumentCitation(kind, given.document_index, *place, given.document_title)


def _write(_: str, citations: list[DocumentCitation]) -> dict[str, Any]:
    return {"citations": [*map(_body, citations)]}


def _body(each: DocumentCitation) -> dict[str, Any]:
    kind, start, end = _KEYS[each.kind]
    body: dict[str, Any] = {"type": kind, "cited_text": each.cited_text}
    if each.kind == "result":
        body |= {"search_result_index": each.index, "source": each.source or ""}
        body["title"] = each.title
    else:
        body |= {"document_index": each.index, "document_title": each.title}
    return {**body, start: each.start, end: each.end}


DOCUMENTS: Final = DocumentsForm(_read, _write)
