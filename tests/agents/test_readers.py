"""Readers that keep one block at a time, with each of eight strict providers behind the gateway."""

from __future__ import annotations

import pytest

from tests.agents.cells import READER_CELLS, outcome
from tests.agents.conftest import Seen, Stage
from tests.agents.table import Table


@pytest.mark.parametrize(
    ("client", "provider", "scenario"),
    READER_CELLS,
    ids=[f"{reader} to {provider}" for reader, provider, _ in READER_CELLS],
)
def test_a_reader_of_one_block_at_a_time_reads_all_calls(
    client: str, provider: str, scenario: str, stage: Stage, seen_by: Seen, table: Table
) -> None:
    number, seen = seen_by(client, provider, scenario)
    cell = stage.providers.cells[number]
    table.add(client, provider, scenario, outcome(client, provider, scenario, cell, seen))
