"""The tables of cases and the logs: each case has its verdict, and each report its line."""

from __future__ import annotations

import csv
import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from tests.trackers.table import Case, verdict

_HERE: Final = Path(__file__).parent
_NAMES: Final = sorted(path.stem for path in _HERE.glob("cases_*.py"))
TABLES: Final[dict[str, list[Case]]] = {
    name.removeprefix("cases_"): import_module(f"tests.trackers.{name}").CASES for name in _NAMES
}
"""The letter of a table -> its cases."""
COLUMNS: Final = ["report", "class", "half", "situation", "covered", "verdict", "read"]
CLASSES: Final = frozenset(
    {"messages", "tools", "thinking", "streams", "usage"}
    | {"errors", "media", "caching", "schemas", "parameters"}
)
_is_report = re.compile(r"[\w.-]+/[\w.-]+#[0-9]+").fullmatch
ROWS: Final = [pytest.param(row, id=row.report) for rows in TABLES.values() for row in rows]
each_log = pytest.mark.parametrize("path", sorted(_HERE.glob("log_*.tsv")), ids=lambda p: p.stem)


def _lines(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file, delimiter="\t")]


@pytest.mark.parametrize("row", ROWS)
def test_nothing_is_wrong_without_a_word(row: Case) -> None:
    judged, shown = verdict(row)
    if row.known:
        assert judged in ("silent", "loud"), f"no longer wrong: {shown}"
    else:
        assert judged in ("right", "told"), shown


@each_log
def test_a_log_has_each_report_once_and_half_of_them_blind(path: Path) -> None:
    lines = _lines(path)
    assert [*lines[0]] == COLUMNS
    reports = [line["report"] for line in lines]
    assert [report for report in reports if not _is_report(report)] == []
    assert len(reports) == len(set(reports))
    assert {line["class"] for line in lines} <= CLASSES
    assert all({a["half"], b["half"]} == {"used", "blind"} for a, b in pairwise(lines))


@each_log
def test_a_blind_line_says_nothing_and_a_used_one_everything(path: Path) -> None:
    for line in _lines(path):
        said = [line[column] for column in COLUMNS[3:]]
        if line["half"] == "blind":
            assert not any(said), line["report"]
        else:
            assert all(said), line["report"]
            assert len(line["situation"].split()) <= 15, line["report"]


@each_log
def test_the_verdicts_of_a_log_are_those_of_its_cases(path: Path) -> None:
    judged = {row.report: verdict(row)[0] for row in TABLES[path.stem.removeprefix("log_")]}
    logged = {line["report"]: line["verdict"] for line in _lines(path) if line["covered"] == "case"}
    assert logged == judged
