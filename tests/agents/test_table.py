"""The committed table is what this run saw; `python -m tests.agents` writes it."""

from __future__ import annotations

import os

import pytest

from tests.agents.conftest import Seen, Stage
from tests.agents.table import Table, read, versions


def test_no_request_came_that_belongs_to_no_cell(stage: Stage, seen_by: Seen) -> None:
    assert stage.providers.strangers == []


def test_the_table_is_what_was_seen(stage: Stage, table: Table) -> None:
    if not table.cells:
        pytest.fail("no cell has run: this test belongs behind the others")
    if os.environ.get("WIREGLOT_AGENTS") == "write":
        table.write()
    known, cells = read()
    assert known == versions()
    for client, providers in table.cells.items():
        for provider, outcomes in providers.items():
            committed = cells[client][provider]
            ran = {scenario: committed.get(scenario) for scenario in outcomes}
            assert ran == outcomes, f"{client} to {provider}"
