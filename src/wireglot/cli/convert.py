"""`wireglot convert`: documents of one wire, written on another."""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, BinaryIO

import click

from .._documents.conversion import TARGETS, Target, converted, hinted, kind_of, suffix
from .._documents.data_sets import data_set_in
from .._documents.detection import KINDS
from ..capabilities import ANY, of_model
from ..errors import DecodeError, EncodeError, WireglotError, quoted
from ..losses import Loss
from .batch import ONE_LINE, Made, Plan, converted_blocks, processes
from .documents import (
    Block,
    bodies_on,
    documents_on,
    first_documents,
    numbered,
    whole_or_head,
)
from .options import (
    WireName,
    column_option,
    ended_in_order,
    fail,
    files_argument,
    from_option,
    keep_going_option,
    output_option,
    reported,
    say,
    wires_of,
)
from .output import written
from .progress import progress
from .sources import PACKED, Input, Source, opened
from .summary import Summary, mixed
from .urls import is_url, make_folder

__all__ = ["convert"]

_EXAMPLES = """\b
Examples:
  wireglot convert session.jsonl --to anthropic -o body.json
  wireglot convert chats.jsonl --to gemini --model gemini-3-pro > out.jsonl
  wireglot convert 'logs/**/*.json' --to openai_chat -o converted/
  curl -sN ... | wireglot convert --to native
"""


@click.command(epilog=_EXAMPLES)
@files_argument
@click.option(
    "--to",
    "target",
    type=WireName(TARGETS),
    required=True,
    help=f"The wire to write: {', '.join(TARGETS)}.",
)
@from_option
@column_option
@click.option(
    "--as", "kind", type=click.Choice(KINDS), help="The kind to write. Default: as the input."
)
@output_option("A file, or a folder for several.")
@click.option("--model", help="The model to ask. Default: the one that answered last.")
@click.option("--like", help="A known model that it takes after, where its name does not tell.")
@click.option("--strict", is_flag=True, help="Fail if the target cannot carry everything.")
@click.option("--repair", is_flag=True, help="Close calls without result, results without call.")
@click.option("--jsonl", is_flag=True, help="Write a session as JSON Lines, not as an array.")
@click.option(
    "--each-line/--whole",
    "by_line",
    default=None,
    help="Each line is a document, or all of it is one. Default: what it looks like.",
)
@keep_going_option
@click.option(
    "--jobs",
    type=click.IntRange(1),
    help="Processes for lines. Default: all cores for a large file, else one.",
)
def convert(
    files: list[Input],
    target: tuple[str, str | None],
    wire: tuple[str, str | None] | None,
    column: str | None,
    kind: str | None,
    output: str | None,
    model: str | None,
    like: str | None,
    strict: bool,
    repair: bool,
    jsonl: bool,
    by_line: bool | None,
    keep_going: bool,
    jobs: int | None,
) -> None:
    """Write what is in FILES on another wire.

    A file holds a request, an answer, a stream or a session of any wire, or one of them on each
    line. `-`, and no FILE at all, is standard input; gzip and Zstandard are read as they are; a
    quoted pattern is expanded. An answer becomes an answer, a stream a stream, a session the
    request that goes on with it; `--as` asks for another kind.

    What the target cannot carry is said on standard error. The exit code is 0 if all went well, 1
    if something could not be read or written, 2 for wrong usage.
    """
    if like is not None and of_model(like) is ANY:
        raise click.UsageError(f"--like {quoted(like)}, expected the name of a known model")
    lines = jsonl or (output or "").endswith(".jsonl")
    into = Target(*target, kind, model, strict, repair, lines, like=like)
    folder = output if output is not None and _is_folder(output) else None
    is_table = (output or "").endswith(".parquet") and folder is None
    if len(files) > 1 and output is not None and folder is None and not is_table:
        raise click.UsageError("several files, expected a folder behind --output")
    if jsonl and is_table:
        raise click.UsageError("--jsonl writes lines, expected no Parquet file behind --output")
    work = _Work(into, wires_of(wire), by_line, keep_going, jobs, is_one_session=jsonl)
    try:
        with (
            ended_in_order(),
            written(None if folder is not None else output) as shared,
            _table(shared) if is_table else nullcontext(None) as add,
        ):
            for given in files:
                with (
                    reported(given.name, work.leave_out if keep_going else fail),
                    opened(given, column) as source,
                ):
                    if add is not None:
                        work.add_rows(source, add, "" if len(files) == 1 else f"{given.name}: ")
                    else:
                        work.convert(source, folder, shared, is_alone=len(files) == 1)
            if not work.summary.documents and not work.has_rows:  # an older file stays as it was
                work.end()
    except (SystemExit, click.UsageError):  # what was already written may have losses too
        work.say_losses()
        raise
    work.say_losses()
    work.end()


class _Work:
    """The options of a run, and what was lost so far."""

    def __init__(
        self,
        target: Target,
        wires: dict[str, Any],
        by_line: bool | None,
        goes_on: bool,
        jobs: int | None,
        *,
        is_one_session: bool,
    ) -> None:
        self._target = target
        self._wires = wires
        self._by_line = by_line
        self._goes_on = goes_on
        self._jobs = jobs
        self._is_one_session = is_one_session
        self._numbers: dict[str, int] = {}
        self._unlisted = 0
        self._read: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.has_rows = False
        self.summary = Summary()

    def leave_out(self, fault: str) -> None:
        """Report an input that is left out, and count it."""
        self.summary.fault(say(f"wireglot: {fault}"))

    def say_losses(self) -> None:
        """Report what was lost so far, and the inputs of several wires."""
        for name, wires in self._read.items():
            for line in mixed(wires, name):
                say(line)
        for line in self.summary.lines():
            say(line)

    def end(self) -> None:
        """Exit with 1 if something was left out."""
        if self.summary.faults:
            said = f"{self.summary.faults:,} of {self.summary.documents + self.summary.faults:,}"
            rest = f"; {self._unlisted:,} of them are not listed" if self._unlisted else ""
            fail(f"{said} documents could not be converted{rest}")

    def convert(
        self, source: Source, folder: str | None, shared: BinaryIO, *, is_alone: bool
    ) -> None:
        """Write one input to a file of its own in `folder`, or to `shared`."""
        lines = self._usual(source)
        if lines is not None or source.rows is not None:
            place = written(self._inside(folder, source, ".jsonl")) if folder else None
            with place or nullcontext(shared) as stream:
                self._convert_lines(source, stream, lines, "" if is_alone else f"{source.name}: ")
            return
        document = whole_or_head(source, self._wires)
        losses: list[Loss] = []
        notes: list[str] = []
        try:
            reading = document.found()
            body = converted(reading, document.data, self._target, losses, notes)
        except WireglotError as error:
            raise hinted(error) from error
        ending = suffix(self._target, kind_of(self._target, reading.kind))
        if folder is not None:
            with written(self._inside(folder, source, ending)) as stream:
                stream.write(body)
        elif is_alone:
            shared.write(body)
            if shared.isatty():
                shared.write(b"\n")
        elif ending == ".json":
            shared.write(body.translate(ONE_LINE) + b"\n")
        else:
            raise click.UsageError(f"several {ending} files, expected a folder behind --output")
        self.summary.add(losses, notes, "" if is_alone else f"{source.name}: ")

    def _usual(self, source: Source) -> tuple[str, str] | None:
        """Return the wire and kind of documents that have a line each, None if it is all one.

        A document in each row of a table may also be of no known wire; then it is None.
        """
        first = first_documents(source)
        if bodies_on(first):
            reason = "batch, whose ids have no place elsewhere, expected what is in its lines"
            raise DecodeError(reason, wire="cli")
        if self._by_line is False:
            if source.rows is not None:
                raise click.UsageError("--whole, expected files without rows, not Parquet")
            return None
        is_asked = self._by_line is True or source.rows is not None
        lines = documents_on(first, **self._wires, is_asked=is_asked)
        if lines is None and self._by_line and source.rows is None:
            reason = "no line of a known wire, expected at least one; pass --from"
            raise data_set_in(source.head) or DecodeError(reason, wire="cli")
        return lines

    def _inside(self, folder: str, source: Source, ending: str) -> str:
        """Return the file in `folder` for an input; the folder is made if it does not exist.

        Inputs of one name, from different folders, are numbered from the second on.
        """
        if not is_url(folder):
            os.makedirs(folder, exist_ok=True)
        elif not self._numbers:
            make_folder(folder)
        plain, packed = os.path.splitext(source.base)
        plain = plain if packed in PACKED else source.base
        stem = first = os.path.splitext(plain)[0] or source.base
        ending = f".{self._target.wire}{ending}"
        # Some file systems ignore the case of names.
        while (key := (stem + ending).casefold()) in self._numbers:
            number = (first + ending).casefold()
            self._numbers[number] += 1
            stem = f"{first}.{self._numbers[number]}"
        self._numbers[key] = 1
        return os.path.join(folder, stem + ending)

    def _convert_lines(
        self, source: Source, stream: BinaryIO, usual: tuple[str, str] | None, prefix: str
    ) -> None:
        if self._is_one_session:
            raise click.UsageError("--jsonl writes one session, and here each line is a document")
        target = self._target._replace(in_lines=False)
        if usual is not None and suffix(target, kind_of(target, usual[1])) != ".json":
            raise EncodeError(
                "wire without lines of documents, expected one that has them", wire=target.wire
            )
        blocks: Iterable[Block] = source.blocks()
        place = "line"
        if source.rows is not None:
            blocks, place = source.rows.blocks(), "row"
        plan = Plan(usual, self._wires, target, self._goes_on, prefix, place)
        jobs = processes(self._jobs, source.size)
        with progress(source) as advance:
            for made in converted_blocks(numbered(blocks), plan, jobs):
                stream.write(made.data)
                self._merge(source, made)
                advance()

    def add_rows(self, source: Source, add: Callable[[Any], None], prefix: str) -> None:
        """Add one input to a table: the rows of a Parquet file, lines, or one document.

        Other columns of the rows are kept. With `--keep-going` a bad row has its fault in `error`.
        """
        from . import parquet

        usual = self._usual(source)
        jobs = 1
        place = ""
        if source.rows is not None:
            batches, column, place = source.rows.batches(), source.rows.column, "row"
            jobs = processes(self._jobs, source.size)
        elif usual is not None:
            batches, column = parquet.rows_of_lines(source.blocks(), source.name), parquet.LINE
            jobs, place = processes(self._jobs, source.size), "line"
        else:
            data = whole_or_head(source, self._wires).data
            batches, column = iter([parquet.row_of(source.name, data)]), parquet.LINE
        drops = source.rows is None
        plan = parquet.Plan(column, usual, self._wires, self._target, prefix, place, drops)
        with progress(source) as advance:
            for made in converted_blocks(parquet.numbered(batches), plan, jobs):
                add(made.data)
                self.has_rows = True
                self._merge(source, made)
                advance()

    def _merge(self, source: Source, made: Made) -> None:
        """Report the faults of a block; without `--keep-going` the first ends the run."""
        self._read[source.name] += made.summary.wires
        faults = self.summary.merge(made.summary)
        self._unlisted += made.summary.faults - len(faults)
        for fault in faults:
            say(f"wireglot: {source.name}: {fault}")
            if not self._goes_on:
                sys.exit(1)


def _table(stream: BinaryIO) -> AbstractContextManager[Callable[[Any], None]]:
    from .parquet import written_table

    return written_table(stream)


def _is_folder(output: str) -> bool:
    return os.path.isdir(output) or output[-1:] in (os.sep, os.altsep)
