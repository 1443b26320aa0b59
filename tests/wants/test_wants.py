"""Each row of the table finds what is broken, keeps the rest, and names its source."""

from __future__ import annotations

import json
import re

import pytest

from tests.wants import ROWS, WIRES, Want

each_row = pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row.wire} {row.kind}: {row.name}"
)


@each_row
def test_a_row_finds_what_is_broken_and_keeps_the_rest(row: Want) -> None:
    assert [*row.find(json.loads(row.broken))], "keeps what it should find"
    assert [*row.find(json.loads(row.kept))] == []


@each_row
def test_a_row_has_a_client_and_a_source_with_a_date(row: Want) -> None:
    assert re.search(r"\b20\d\d-\d\d\b|\d+\.\d+", row.source)
    assert row.client.endswith(".")
    assert row.wire in WIRES


def test_no_two_rows_of_a_wire_have_one_name() -> None:
    names = [(row.wire, row.kind, row.name) for row in ROWS]
    assert len(names) == len(set(names))
