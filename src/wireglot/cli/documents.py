"""An open input -> the documents in it, one at a time, each with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw

from .._surrogates import mended_text
from ..errors import DecodeError, ProviderError, WireglotError
from .detection import LIKELY, Found, decoded, detect, is_doubtful, is_one, misread
from .envelopes import body_on
from .faults import judged, read
from .sources import Source

__all__ = ["Document", "bodies_on", "document_on", "documents", "documents_on", "founds"]

_FIRST: Final = 16
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class Document(NamedTuple):
    """The bytes of a document; `usual` is the wire and kind of most lines, if it is on a line.

    A line of a batch that holds no document has an `error`.
    """

    place: str
    data: bytes
    line: int | None = None
    usual: tuple[str, str] | None = None
    error: DecodeError | None = None

    def found(self, wires: dict[str, Any]) -> Found:
        """Return the document decoded. Raises `DecodeError`."""
        if self.error is not None:
            raise self.error
        if self.usual is None:
            return read(self.data, **wires)
        return document_on(self.data, self.usual, wires)


def documents(source: Source, wires: dict[str, Any]) -> Iterator[Document]:
    """Yield what is in an input: all of it as one document, or one on each line.

    On a line of a batch, the document is its request, or its answer.

    `wires` are the arguments of `read`. Raises `LimitError` if something is too large.
    """
    bodies = bodies_on(source.head)
    usual = documents_on(
        b"\n".join(bodies) if bodies else source.head, **wires, is_asked=bool(bodies)
    )
    if usual is None and not bodies:
        yield Document(source.name, source.whole())
        return
    first = 1
    for block in source.blocks():
        for number, line in enumerate(block.split(b"\n"), first):
            if line and not line.isspace():
                place = f"{source.name}:{number}"
                try:
                    body = (body_on(line) if bodies else None) or line
                except DecodeError as error:
                    yield Document(place, line, number, usual, error)
                    continue
                yield Document(place, body, number, usual)
        first += block.count(b"\n")


def founds(
    source: Source, wires: dict[str, Any], left_out: Callable[[str], object] | None = None
) -> Iterator[tuple[str, Found]]:
    """Yield each document, decoded, with its place.

    Raises `DecodeError`, with the line in the path. With `left_out`, a line that cannot be read
    does not raise: its fault is passed to `left_out`, and the next line follows.
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
    """Return the document on a line: by the usual wire and kind, or by whichever can read it.

    Raises the `DecodeError` of the usual decoder if none can, `ProviderError` if it is an error
    that came in place of an answer.
    """
    try:
        found = decoded(line, *usual, dialect=wires.get("dialect"))
    except WireglotError as error:
        try:
            return read(line, **wires)
        except ProviderError:
            raise
        except WireglotError:
            raise error from None
    return _likelier(found, line, wires) if is_doubtful(found) else found


def _likelier(found: Found, line: bytes, wires: dict[str, Any]) -> Found:
    try:
        other = detect(line, **wires)
    except WireglotError:
        return found
    return min(found, other, key=lambda read: misread(read)[0])


def bodies_on(head: bytes) -> list[bytes]:
    """Return the bodies in the first lines of a batch, an empty list if it is no batch.

    A result that has no body counts as an empty one.
    """
    bodies = []
    for line in head.split(b"\n", _FIRST)[:_FIRST]:
        try:
            body = body_on(line)
        except DecodeError:
            body = b""
        if body is not None:
            bodies.append(body)
    return bodies


def documents_on(
    head: bytes,
    wires: Sequence[str] = LIKELY,
    *,
    dialect: str | None = None,
    is_asked: bool = False,
) -> tuple[str, str] | None:
    """Return the wire and kind of documents that have a line each, None if there are none.

    `head` is the first lines of the input. Messages of one session, and the chunks of a stream, may
    be lines too: they are one document, unless lines were asked for.
    """
    lines = [line for line in head.split(b"\n", _FIRST)[:_FIRST] if line and not line.isspace()]
    # In one document over many lines the first line is not whole JSON, and after each line that
    # is, another closes something.
    are_whole = [is_one(line) for line in lines]
    if not is_asked and (len(lines) < 2 or not (are_whole[0] or sum(are_whole) * 2 > len(lines))):
        return None
    found: Counter[tuple[str, str]] = Counter()
    for line in lines:
        # A line with a fault is judged by the rest of it: all lines may have the same fault.
        this, _ = judged(line, wires, dialect=dialect)
        if this is None:
            continue
        is_part = this.kind == "session" and line.lstrip()[:1] == b"{"
        is_chunk = this.wire == "ollama" and _is_chunk(line)
        if not is_asked and (is_part or is_chunk):
            return None
        found[this.wire, this.kind] += 1
    return found.most_common(1)[0][0] if found else None


def _is_chunk(line: bytes) -> bool:
    """Whether a line of Ollama's is a part of an answer, not all of it."""
    keys = _keys(mended_text(line, "cli", []) or line)
    return bytes(keys.get("done", b"")) == b"false"
