"""An open input -> the documents in it, one at a time, each with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw

from .._body.surrogates import mended_text
from .._documents.data_sets import data_set_in
from .._documents.detection import (
    LIKELY,
    Found,
    Rivals,
    decoded,
    is_empty,
    is_one,
    misread,
    possible,
    unknown_at_top,
)
from ..errors import DecodeError, ProviderError, WireglotError
from ..providers import PROVIDERS, facts_named
from .envelopes import body_on
from .faults import faults_in, judged, read
from .options import say
from .sources import Source
from .summary import mixed

__all__ = [
    "Block",
    "Document",
    "Usual",
    "bodies_on",
    "documents",
    "documents_on",
    "first_documents",
    "founds",
    "in_block",
    "numbered",
    "reader",
    "whole_or_head",
]

Block = bytes | list[bytes | DecodeError | None]
"""Whole lines, or rows: a document, None for null, or why there is none."""

_FIRST: Final = 16
_FEWEST: Final = 2
_ENOUGH: Final = 1024 * 1024
_TRIES: Final = 100
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class Usual:
    """Reads the lines of a file, most of which are of one wire and kind.

    A line that the usual decoder refuses is read by all the others, which takes 10 to 100 times as
    long. After 100 lines for which that was in vain, it is not done again. A line in which it
    leaves something unknown is that of the wire that leaves less.
    `way` is the usual wire and kind.
    """

    def __init__(self, way: tuple[str, str], wires: dict[str, Any]) -> None:
        self.way: tuple[str, str] = way
        self._wires = wires
        self._tries = _TRIES
        self._rivals = Rivals(**wires)

    def found(self, line: bytes) -> Found:
        """Return the document on a line.

        Raises the `DecodeError` of the usual decoder if none can read it, or one that names the
        data set that it is of; `ProviderError` if it is an error that came in place of an answer.
        """
        if self.way[1] == "request" and line.lstrip()[:1] == b"[":
            return read(line, **self._wires)  # a session, or messages without the request
        try:
            reading = decoded(line, *self.way, dialect=self._wires.get("dialect"))
        except ProviderError:
            raise
        except WireglotError as error:
            if not self._tries:
                raise
            try:
                return read(line, **self._wires)
            except ProviderError:
                raise
            except WireglotError:
                self._tries -= 1
                raise self._data_set(line) or error from None
        # An example of a data set has keys that no request has.
        if unknown_at_top(reading) and (data_set := self._data_set(line)) is not None:
            raise data_set
        return self._rivals.best(reading, line)

    def _data_set(self, line: bytes) -> DecodeError | None:
        return None if "wires" in self._wires else data_set_in(line)


def reader(way: tuple[str, str] | None, wires: dict[str, Any]) -> Callable[[bytes], Found]:
    """Return what reads lines, most of which are of `way`; without one, each by itself.

    It takes 10 times as long without one, but what a line is does not depend on those before it.
    """
    return partial(read, **wires) if way is None else Usual(way, wires).found


class Document(NamedTuple):
    """The bytes of a document, on a `line` or in a row of that number, or all of its file.

    `usual` reads it, if the usual wire is known; `wires` are the arguments of `read`. A line of a
    batch that holds no document, and a row that has none, has an `error`.
    With `is_head` these are the first lines of more: they are not of a known wire, and the
    rest is not read.
    """

    place: str
    data: bytes
    wires: dict[str, Any]
    line: int | None = None
    usual: Usual | None = None
    error: DecodeError | None = None
    is_head: bool = False

    def found(self) -> Found:
        """Return the document decoded. Raises `DecodeError`."""
        if self.error is not None:
            raise self.error
        if self.usual is None:
            return read(self.data, **self.wires)
        return self.usual.found(self.data)


def documents(
    source: Source, wires: dict[str, Any], *, in_lines: bool = False
) -> Iterator[Document]:
    """Yield what is in an input: all of it as one document, or one on each line.

    On a line of a batch, the document is its request, or its answer. With `in_lines`, a message of
    a session is a document too, as soon as its line has been read. Each row of a table is one.

    `wires` are the arguments of `read`. Raises `LimitError` if something is too large.
    """
    first = first_documents(source)
    bodies = bodies_on(first)
    in_lines = in_lines or bool(bodies) or source.rows is not None
    way = documents_on(bodies or first, **wires, is_asked=in_lines)
    if way is None and not in_lines:
        yield whole_or_head(source, wires)
        return
    usual = None if way is None else Usual(way, wires)
    blocks: Iterable[Block] = source.blocks() if source.rows is None else source.rows.blocks()
    for start, block in numbered(blocks):
        for number, document in enumerate(in_block(block), start):
            if document is None:
                continue
            place = f"{source.name}:{number}"
            try:
                if isinstance(document, DecodeError):
                    raise document
                body = (body_on(document) if bodies else None) or document
            except DecodeError as error:
                yield Document(place, b"", wires, number, usual, error)
                continue
            yield Document(place, body, wires, number, usual)


def in_block(block: Block) -> Iterable[bytes | DecodeError | None]:
    """Return what is on each line or in each row; None for a blank line, and for null."""
    if isinstance(block, list):
        return block
    return (line if line and not line.isspace() else None for line in block.split(b"\n"))


def numbered(blocks: Iterable[Block]) -> Iterator[tuple[int, Block]]:
    """Yield blocks, each with the number of its first line or row, counted from 1."""
    number = 1
    for block in blocks:
        yield number, block
        number += len(block) if isinstance(block, list) else block.count(b"\n")


def first_documents(source: Source) -> list[bytes]:
    """Return some of the first lines that are not blank, or of the first rows with a document."""
    if source.rows is None:
        return _first_lines(source.head)[0]
    first: list[bytes] = []
    size = 0
    for document in chain.from_iterable(source.rows.blocks()):
        if isinstance(document, bytes):
            first.append(document)
            size += len(document)
        if len(first) >= (_FIRST if size < _ENOUGH else _FEWEST):
            break
    return first


def whole_or_head(source: Source, wires: dict[str, Any]) -> Document:
    """Return all of an input as one document.

    If it has lines, as a session or a stream may, the first of them decide which wires it may be
    of. If they are not of any, only they are returned.
    """
    lines, end = _first_lines(source.head)
    asked: Sequence[str] | None = wires.get("wires")
    if (asked is not None and len(asked) == 1) or not _are_documents(lines):
        return Document(source.name, source.whole(), wires)
    head = source.head[:end]
    is_not_read = asked is None and data_set_in(head) is not None
    names = set() if is_not_read else _likeliest(head, asked, wires.get("dialect"))
    if is_not_read or (not names and not any(map(_is_chunk, lines))):
        return Document(source.name, head, wires, is_head=end < len(source.head))
    if any(map(_is_chunk, lines)):  # of a stream, whose first lines are not one
        names |= {name for name in asked or PROVIDERS if facts_named(name).framing == "ndjson"}
    if asked is not None:
        names.intersection_update(asked)
    return Document(source.name, source.whole(), {**wires, "wires": tuple(names)})


def founds(
    source: Source,
    wires: dict[str, Any],
    left_out: Callable[[str], object] | None = None,
    *,
    in_lines: bool = False,
) -> Iterator[tuple[str, Found]]:
    """Yield each document, decoded, with its place; `in_lines` is that of `documents`.

    Raises `DecodeError`, with the line in the path. With `left_out`, a line that cannot be read
    does not raise: its fault is passed to `left_out`, and the next line follows. That is so for a
    line of a session, too, such as the last one of a log that was cut. At the end it is said if
    documents were of several wires.
    """
    wires_read: Counter[str] = Counter()
    for document in documents(source, wires, in_lines=in_lines):
        try:
            reading = document.found()
        except WireglotError as error:
            if document.line is None:
                if left_out is None:
                    raise
                found, faults = _sound_lines(document)
                if found is None:
                    raise
                for fault in faults:
                    left_out(f"{source.name}: {fault}")
                yield document.place, found
                continue
            path = f"line {document.line}: {error.path.removeprefix('line 1: ')}"
            named = DecodeError(error.reason, wire=error.wire, path=path)
            if left_out is None:
                raise named from error
            left_out(f"{source.name}: {named}")
            continue
        wires_read[reading.wire] += 1
        yield document.place, reading
    for line in mixed(wires_read, source.name):
        say(line)


def _sound_lines(document: Document) -> tuple[Found | None, list[WireglotError]]:
    """Return a document without its bad lines, and their faults; None if it has other faults."""
    found, faults = judged(document.data, **document.wires, most=len(document.data))
    are_lines = all(fault.path.startswith("line ") for fault in faults)
    return (found, faults) if are_lines else (None, [])


def bodies_on(lines: Iterable[bytes]) -> list[bytes]:
    """Return the bodies in the first lines of a batch, an empty list if it is not a batch.

    A result that has no body counts as an empty one.
    """
    bodies = []
    for line in lines:
        try:
            body = body_on(line)
        except DecodeError:
            body = b""
        if body is not None:
            bodies.append(body)
    return bodies


def documents_on(
    lines: list[bytes],
    wires: Sequence[str] | None = None,
    *,
    dialect: str | None = None,
    is_asked: bool = False,
) -> tuple[str, str] | None:
    """Return the wire and kind of documents that have a line each, None if there are none.

    `lines` are the first of the input. Messages of one session, and the chunks of a stream, may be
    lines too: they are one document, unless lines were asked for.
    """
    if not is_asked and not _are_documents(lines):
        return None
    counts: Counter[tuple[str, str]] = Counter()
    for line in lines:
        # A line with a fault is judged by the rest of it: all lines may have the same fault.
        this, _ = judged(line, wires, dialect=dialect)
        if this is None:
            continue
        is_object = line.lstrip()[:1] == b"{"
        is_part = this.kind == "session" and is_object
        is_chunk = facts_named(this.wire).framing == "ndjson" and _is_chunk(line)
        # Of a registered wire: the end of a stream can pass for all of it.
        is_chunk = is_chunk or (this.wire not in LIKELY and this.kind == "stream" and is_object)
        if not is_asked and (is_part or is_chunk):
            return None
        counts[this.wire, this.kind] += 1
    return counts.most_common(1)[0][0] if counts else None


def _first_lines(head: bytes) -> tuple[list[bytes], int]:
    """Return some of the first lines that are not blank, and where they end."""
    lines: list[bytes] = []
    at = size = 0
    while at < len(head) and len(lines) < _FIRST and (size < _ENOUGH or len(lines) < _FEWEST):
        end = head.find(b"\n", at)
        end = len(head) if end < 0 else end
        line = head[at:end]
        if line and not line.isspace():
            lines.append(line)
            size += len(line)
        at = end + 1
    return lines, at


def _are_documents(lines: list[bytes]) -> bool:
    """Whether lines are a document each, or a message of one, and not parts of one JSON text."""
    # In one document over many lines the first line is not whole JSON, and after each line that
    # is, another closes something.
    are_whole = [is_one(line) for line in lines]
    return len(lines) >= _FEWEST and (are_whole[0] or sum(are_whole) * 2 > len(lines))


def _likeliest(head: bytes, wires: Sequence[str] | None, dialect: str | None) -> set[str]:
    """Return the wires on which the first lines have no fault, or the least that is unknown or bad.

    Further lines may show that one of these is the better one.
    """
    sound: set[str] = set()
    counts: dict[str, int] = {}
    for wire, kind in possible(head, wires):
        found, faults = faults_in(head, wire, kind, dialect=dialect, most=_FIRST)
        if found is not None and not is_empty(found):
            counts[wire] = misread(found)[0] + len(faults)
            if not faults:
                sound.add(wire)
    least = min(counts.values(), default=0)
    return sound | {wire for wire, count in counts.items() if count == least}


def _is_chunk(line: bytes) -> bool:
    """Whether a line is a part of a streamed answer, not all of it."""
    try:
        keys = _keys(mended_text(line, "cli", []) or line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return bytes(keys.get("done", b"")) == b"false"
