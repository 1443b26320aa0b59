"""Official clients, and Vercel's AI SDK, with each of eight strict providers behind the gateway."""

from __future__ import annotations

import pytest

from tests.agents.cells import CELLS, outcome
from tests.agents.conftest import Seen, Stage
from tests.agents.table import Table


@pytest.mark.parametrize(
    ("client", "provider", "scenario"),
    CELLS,
    ids=[f"{client} to {provider}, {scenario}" for client, provider, scenario in CELLS],
)
def test_a_client_works_with_a_provider(
    client: str, provider: str, scenario: str, stage: Stage, seen_by: Seen, table: Table
) -> None:
    number, seen = seen_by(client, provider, scenario)
    cell = stage.providers.cells[number]
    table.add(client, provider, scenario, outcome(client, provider, scenario, cell, seen))
