"""The tables of silences -> which of them are right, which are known faults, and which are news."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .judge import Verdict

DOCS = Path(__file__).parents[2] / "docs"
_HERE = Path(__file__).parent


class Row(NamedTuple):
    """One field of one object, or one value or member of it, and the wires that say nothing."""

    api: str
    part: str
    name: str
    targets: frozenset[str]
    why: str
    page: str = ""

    def speaks_of(self, verdict: Verdict) -> bool:
        """Whether this is about the element of a verdict."""
        element = verdict.element
        is_there = (self.api, self.part) == (element.root.api, element.root.part)
        return is_there and self.name in (element.name, element.field)


def excuses() -> list[Row]:
    """Return the rows of `excuses.txt`: silences that a page explains."""
    rows, page, sentence = [], "", ""
    for line in (_HERE / "excuses.txt").read_text().splitlines():
        if head := re.fullmatch(r"\[(.+?)\] (.+)", line):
            page, sentence = head.groups()
        elif row := re.fullmatch(r" {4}(.+?): (\w+) (\S+) -> (.+)", line):
            targets = frozenset(row[4].split())
            rows.append(Row(row[1], row[2], row[3], targets, sentence, page))
        else:
            assert not line or line.startswith("#"), line
    return rows


def known() -> list[Row]:
    """Return the rows of `known.tsv`: silences that are faults, too large to mend at once."""
    lines = (_HERE / "known.tsv").read_text().splitlines()
    cells = (line.split("\t") for line in lines)
    return [Row(api, part, name, frozenset(to.split()), why) for api, part, name, to, why in cells]


class Excused:
    """Finds the row for a silence, and remembers which rows were of use."""

    def __init__(self) -> None:
        self.unused: dict[Row, set[str]] = {}
        self._rows: dict[tuple[str, str, str], list[tuple[Row, str]]] = {}
        for word, rows in (("excused", excuses()), ("fault", known())):
            for row in rows:
                self.unused[row] = {*row.targets}
                self._rows.setdefault(row[:3], []).append((row, word))

    def __call__(self, verdict: Verdict) -> Verdict:
        """Return the verdict with `excused` or `fault` where a row explains a silence."""
        element = verdict.element
        where = (element.root.api, element.root.part)
        names = {element.name, element.field}
        rows = [row for name in names for row in self._rows.get((*where, name), ())]
        if not rows:
            return verdict
        words = {
            target: self._word(rows, target) or word if word == "silent" else word
            for target, word in verdict.targets.items()
        }
        own = (self._word(rows, "own") or "gone") if verdict.own == "gone" else verdict.own
        return verdict._replace(own=own, targets=words)

    def _word(self, rows: Iterable[tuple[Row, str]], target: str) -> str | None:
        for row, word in rows:
            wanted = "all" if "all" in row.targets and target != "own" else target
            if wanted in row.targets:
                self.unused[row].discard(wanted)
                return word
        return None


def is_on_page(row: Row) -> bool:
    """Whether the sentence of a row is on its page, whatever the line breaks."""
    return " ".join(row.why.split()) in " ".join((DOCS / row.page).read_text().split())
