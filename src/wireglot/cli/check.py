"""`wireglot check`: what is wrong with a body, and what another wire would lose of it."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import click

from .._display.characters import one_line
from .._display.conversation import number_of
from .._documents.conversion import TARGETS, Target, converted
from .._documents.detection import Found
from ..errors import LimitError, ProviderError, WireglotError
from ..losses import Loss
from .documents import Document, documents
from .faults import faults_in, judged, unknown_keys
from .options import (
    WireName,
    column_option,
    files_argument,
    from_option,
    reported,
    say,
    wires_of,
)
from .progress import progress
from .sources import Input, opened
from .summary import Summary, mixed

__all__ = ["check"]

_MOST = 1000
_LINE_END = b"\n"

_EXAMPLES = """\b
Examples:
  wireglot check body.json
  wireglot check body.json --from openai_chat:groq --to anthropic
  wireglot check batch.jsonl --to bedrock --strict && upload batch.jsonl
"""


@click.command(epilog=_EXAMPLES)
@files_argument
@from_option
@column_option
@click.option("--to", "target", type=WireName(TARGETS), help="Say what would be lost there.")
@click.option("--strict", is_flag=True, help="A loss is a fault too.")
@click.option("-v", "--verbose", is_flag=True, help="List keys that have no field in the model.")
def check(
    files: list[Input],
    wire: tuple[str, str | None] | None,
    column: str | None,
    target: tuple[str, str | None] | None,
    strict: bool,
    verbose: bool,
) -> None:
    """Say what is wrong with FILES, or lost on another wire.

    Each fault comes with its path. A file is a request, an answer, a stream or a session of any
    wire, or one of them on each line. A decoder stops at the first fault; here the part that has it
    is set aside, and the rest is read on.

    The exit code is 0 if there is nothing wrong, 1 if there is, 2 for wrong usage.
    """
    wires = wires_of(wire)
    into = None if target is None else Target(*target, fallback="any")
    work = _Check(wires, into, verbose)
    for given in files:
        with (
            reported(given.name, work.leave_out),
            opened(given, column) as source,
            progress(source) as advance,
        ):
            for document in documents(source, wires):
                work.check(document)
                advance()
            for line in mixed(work.wires, source.name):
                say(line)
            work.wires.clear()
    if work.not_listed:
        more = number_of("document", "documents", work.not_listed)
        _tell(f"{more} more with faults, which are not listed")
    losses = [*work.summary.lines()]
    for line in losses:
        _tell(line)
    if work.documents != 1 or work.has_lines:
        count = number_of("document", "documents", work.documents)
        _tell(f"{count}, {work.faulty:,} with faults")
    if work.faulty or (strict and losses):
        sys.exit(1)


def _tell(line: str) -> None:
    click.echo(one_line(line))


class _Check:
    """The options of a run, and what it has found so far."""

    def __init__(self, wires: dict[str, Any], target: Target | None, lists_keys: bool) -> None:
        self._wires = wires
        self._target = target
        self._lists_keys = lists_keys
        self.documents = 0
        self.faulty = 0
        self.not_listed = 0
        self.has_lines = False
        self.summary = Summary()
        self.wires: Counter[str] = Counter()
        """How many documents of the input that is being read are of each wire."""

    def leave_out(self, fault: str) -> None:
        """Report an input that cannot be read, which counts as a fault."""
        say(f"wireglot: {fault}")
        self.documents += 1
        self.faulty += 1

    def check(self, document: Document) -> None:
        """Report what is wrong with one document."""
        self.documents += 1
        self.has_lines |= document.line is not None
        if self.faulty >= _MOST and document.line is not None:
            self._count(document)
            return
        reading, faults = self._read(document)
        if reading is not None and not faults:
            self.wires[reading.wire] += 1
            if document.line is None:
                _tell(f"{document.place}: {reading.wire} {reading.kind}, no faults")
            if self._lists_keys:
                for path in unknown_keys(reading.value):
                    _tell(f"{document.place}: no field here, kept for its own API: `{path}`")
            losses = reading.losses
            if self._target is not None:
                losses, faults = self._towards(self._target, document, reading)
            place = "" if document.line is None else f"{document.place}: "
            self.summary.add(losses, (), place)
        for fault in faults:
            _tell(f"{document.place}: {fault}")
        if document.is_head:
            lines = f"the first {document.data.count(_LINE_END):,} lines"
            _tell(f"{document.place}: {lines} are not of a known wire; the rest is not read")
        self.faulty += bool(faults)

    def _count(self, document: Document) -> None:
        """Look at a document, but list no faults."""
        try:
            found = document.found()
            self.wires[found.wire] += 1
            losses = found.losses
            faults: list[WireglotError] = []
            if self._target is not None:
                losses, faults = self._towards(self._target, document, found)
        except WireglotError as error:
            losses, faults = [], [error]
        self.faulty += bool(faults)
        self.not_listed += bool(faults)
        self.summary.add(losses, (), f"{document.place}: ")

    def _read(self, document: Document) -> tuple[Found | None, list[WireglotError]]:
        if document.error is not None:
            return None, [document.error]
        if document.usual is None:
            return judged(document.data, **document.wires)
        try:
            return document.found(), []
        except WireglotError as error:
            first = error
        if isinstance(first, LimitError | ProviderError) or first.wire == "cli":
            return None, [first]  # it was understood, or it is empty
        dialect = self._wires.get("dialect")
        found, faults = faults_in(document.data, *document.usual.way, dialect=dialect)
        return found, faults or [first]

    def _towards(
        self, target: Target, document: Document, reading: Found
    ) -> tuple[list[Loss], list[WireglotError]]:
        """Return what is lost on the way to the target, and what it would refuse."""
        losses: list[Loss] = []
        try:
            converted(reading, document.data, target, losses, [])
        except WireglotError as error:
            return reading.losses, [error]
        return losses, []
