"""The places in documents that a text cites <-> `citationsContent` of Converse."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from .._state.facts import DocumentCitation, DocumentsForm


class _Place(Struct, rename="camel"):
    start: int
    end: int
    document_index: int | None = None
    search_result_index: int | None = None


class _Location(Struct, rename="camel"):
    document_char: _Place | None = None
    document_page: _Place | None = None
    document_chunk: _Place | None = None
    search_result_location: _Place | None = None


class _Text(Struct):
    text: str | None = None


class _Citation(Struct, rename="camel"):
    location: _Location
    title: str | None = None
    source: str | None = None
    source_content: list[_Text] | None = None


class _Content(Struct):
    citations: list[_Citation]
    content: list[_Text] | None = None


class _Spelling(Struct, rename="camel"):
    citations_content: _Content


_spelled = msgspec.json.Decoder(_Spelling).decode
_KEYS: Final = {
    "char": ("document_char", "documentChar", "documentIndex"),
    "page": ("document_page", "documentPage", "documentIndex"),
    "block": ("document_chunk", "documentChunk", "documentIndex"),
    "result": ("search_result_location", "searchResultLocation", "searchResultIndex"),
}
"""Kind of a place -> the field that has it, its key, and the key of the source's number."""


def _read(spelling: bytes, text: str) -> list[DocumentCitation] | None:
    cited = _spelled(spelling).citations_content
    if _joined(cited.content) != text:
        return None
    found = [_citation(each) for each in cited.citations]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


def _joined(pieces: list[_Text] | None) -> str:
    return "".join(piece.text or "" for piece in pieces or ())


def _citation(each: _Citation) -> DocumentCitation | None:
    for kind, (field, _, _) in _KEYS.items():
        place: _Place | None = getattr(each.location, field)
        if place is not None:
            index = place.search_result_index if kind == "result" else place.document_index
            said = _joined(each.source_content)
            return DocumentCitation(
                kind, index or 0, place.start, place.end, said, each.title, each.source
            )
    return None


def _write(text: str, citations: list[DocumentCitation]) -> dict[str, Any]:
    content = {"content": [{"text": text}], "citations": [*map(_body, citations)]}
    return {"citationsContent": content}


def _body(each: DocumentCitation) -> dict[str, Any]:
    _, key, number = _KEYS[each.kind]
    place = {number: each.index, "start": each.start, "end": each.end}
    body: dict[str, Any] = {"location": {key: place}}
    if each.title is not None:
        body["title"] = each.title
    if each.source is not None:
        body["source"] = each.source
    if each.cited_text:
        body["sourceContent"] = [{"text": each.cited_text}]
    return body


DOCUMENTS: Final = DocumentsForm(_read, _write)
