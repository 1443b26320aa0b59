"""An open input -> the documents in it, one at a time, each with the place where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..errors import DecodeError, WireglotError
from .detection import Found, decoded, detect, documents_on, is_doubtful, misread
from .sources import Source

__all__ = ["Document", "document_on", "documents", "founds"]


class Document(NamedTuple):
    """The bytes of a document; `usual` is the wire and kind of most, where each is on a line."""

    place: str
    data: bytes
    line: int | None = None
    usual: tuple[str, str] | None = None

    def found(self, wires: dict[str, Any]) -> Found:
        """Return what it is. Raises `DecodeError`."""
        if self.usual is None:
            return detect(self.data, **wires)
        return document_on(self.data, self.usual, wires)


def documents(source: Source, wires: dict[str, Any]) -> Iterator[Document]:
    """Yield what is in an input: all of it as one document, or one on each line.

    `wires` is what `detect` is given. Raises `LimitError` if something is too large.
    """
    usual = documents_on(source.head, **wires)
    if usual is None:
        yield Document(source.name, source.whole())
        return
    first = 1
    for block in source.blocks():
        for number, line in enumerate(block.split(b"\n"), first):
            if line and not line.isspace():
                yield Document(f"{source.name}:{number}", line, number, usual)
        first += block.count(b"\n")


def founds(
    source: Source, wires: dict[str, Any], left_out: Callable[[str], object] | None = None
) -> Iterator[tuple[str, Found]]:
    """Yield place and meaning of each document. Raises `DecodeError`, with the line in the path.

    With `left_out` that is told of each line that cannot be read, and the next one follows.
    """
    for document in documents(source, wires):
        try:
            found = document.found(wires)
        except WireglotError as error:
            if document.line is None:
                raise
            path = f"line {document.line}: {error.path}"
            named = DecodeError(error.reason, wire=error.wire, path=path)
            if left_out is None:
                raise named from error
            left_out(f"{source.name}: {named}")
            continue
        yield document.place, found


def document_on(line: bytes, usual: tuple[str, str], wires: dict[str, Any]) -> Found:
    """Return the document on a line: of the usual wire and kind, or else whatever it is.

    Raises `DecodeError` as the usual decoder does if it is nothing at all.
    """
    try:
        found = decoded(line, *usual, dialect=wires.get("dialect"))
    except WireglotError as error:
        try:
            return detect(line, **wires)
        except WireglotError:
            raise error from None
    return _likelier(found, line, wires) if is_doubtful(found) else found


def _likelier(found: Found, line: bytes, wires: dict[str, Any]) -> Found:
    try:
        other = detect(line, **wires)
    except WireglotError:
        return found
    return min(found, other, key=lambda read: misread(read)[0])
