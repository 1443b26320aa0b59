"""Frameworks for agents, with each of eight strict providers behind the gateway."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.agents.cells import FRAMEWORK_CELLS, QUICK, worked
from tests.agents.conftest import Seen, Stage
from tests.agents.table import Table

if find_spec("strands") is None:
    pytest.skip("the frameworks are not here", allow_module_level=True)


@pytest.mark.parametrize(
    ("client", "provider", "scenario"),
    [
        pytest.param(*cell, marks=[] if cell[1] in QUICK else pytest.mark.slow)
        for cell in FRAMEWORK_CELLS
    ],
    ids=[f"{framework} to {provider}" for framework, provider, _ in FRAMEWORK_CELLS],
)
def test_a_framework_works_with_a_provider(
    client: str, provider: str, scenario: str, stage: Stage, seen_by: Seen, table: Table
) -> None:
    number, seen = seen_by(client, provider, scenario)
    cell = stage.providers.cells[number]
    table.add(client, provider, scenario, worked(client, provider, cell, seen))
