"""Each row of the table refuses what it says it does, takes the rest, and names its source."""

from __future__ import annotations

import json
import re

import pytest

from tests.refusals import ROWS, WIRES, Refusal
from tests.refusals.hosts import HOSTS, faults

each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.wire}: {row.name}")


@each_row
def test_a_row_refuses_one_body_and_takes_the_other(row: Refusal) -> None:
    assert [*row.find(json.loads(row.refused))], "takes what it should refuse"
    assert [*row.find(json.loads(row.taken))] == []
    assert re.search(row.models.pattern, row.seen), "is not about the model that it was seen for"


@each_row
def test_the_types_of_the_wire_allow_both_bodies(row: Refusal) -> None:
    for host in row.hosts or HOSTS[row.wire]:
        for body in (row.taken, row.refused):
            found = [f for f in faults(row.wire, host, "", body.encode()) if "schema:" in f]
            assert found == []


@each_row
def test_a_row_has_a_source_with_a_date(row: Refusal) -> None:
    assert re.search(r"\b20\d\d-\d\d\b|\d+\.\d+", row.source)
    assert row.says
    assert row.wire in WIRES
    assert row.hosts <= set(HOSTS[row.wire])


def test_no_two_rows_of_a_wire_have_one_name() -> None:
    names = [(row.wire, row.name, row.models.text, row.hosts) for row in ROWS]
    assert len(names) == len(set(names))


def test_what_is_not_json_is_a_fault() -> None:
    assert faults("anthropic", "anthropic", "claude", b"{") == [
        "json: Expecting property name enclosed in double quotes - at character 1"
    ]
