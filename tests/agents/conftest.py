"""The gateway, the scripted providers behind it, and what each client saw, played once.

`pytest tests` leaves this folder out; `pytest tests/agents` runs it, as `tox -e agents` does.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.agents.agents import AGENTS, Run, answers, run
from tests.agents.cells import CELLS
from tests.agents.provider import Cell, Providers
from tests.agents.running import gateway, installed, models, played
from tests.agents.script import prompt
from tests.agents.table import Table
from tests.gateway.serving import serving

__all__ = ["AgentRun", "Seen", "Stage"]


class Stage(NamedTuple):
    """Where all clients play."""

    packages: Path
    providers: Providers
    address: str
    homes: Path


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    if shutil.which("npm") is None:
        pytest.skip("node and npm are not here")
    homes = tmp_path_factory.mktemp("homes")
    cache = os.environ.get("WIREGLOT_AGENTS_CACHE")
    packages = installed(Path(cache) if cache else tmp_path_factory.mktemp("npm"))
    providers = Providers()
    with serving(providers) as there, gateway(there, homes) as here:
        yield Stage(packages, providers, here, homes)


@pytest.fixture(scope="session")
def table() -> Table:
    return Table()


Seen = Callable[[str, str, str], tuple[int, Any]]
AgentRun = Callable[[str, str, str], tuple[int, Run]]


@pytest.fixture(scope="session")
def pool() -> Iterator[ThreadPoolExecutor]:
    """Two processes at a time, in the order in which the tests ask."""
    with ThreadPoolExecutor(2) as pool:
        yield pool


def _selected(session: pytest.Session, name: str) -> Iterator[tuple[str, str, str]]:
    """List the cells of the clients, or of the agents, whose tests were selected."""
    for item in session.items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        if name in params:
            yield params[name], params["provider"], params["scenario"]


@pytest.fixture(scope="session")
def seen_by(stage: Stage, pool: ThreadPoolExecutor, request: pytest.FixtureRequest) -> Seen:
    """Return a function that returns the number of a cell, and what its client saw.

    Each client plays all its cells in one process.
    """
    numbers = {cell: number for number, cell in enumerate(CELLS, 1)}
    selected: dict[str, list[tuple[int, str, str]]] = {}
    for client, provider, scenario in _selected(request.session, "client"):
        number = numbers[client, provider, scenario]
        selected.setdefault(client, []).append((number, scenario, provider))
    runs = {
        client: pool.submit(
            played, client, stage.packages, stage.address, cells, stage.homes / client
        )
        for client, cells in selected.items()
    }

    def seen(client: str, provider: str, scenario: str) -> tuple[int, Any]:
        number = numbers[client, provider, scenario]
        return number, runs[client].result()[number]

    return seen


@pytest.fixture(scope="session")
def ran(stage: Stage, pool: ThreadPoolExecutor, request: pytest.FixtureRequest) -> AgentRun:
    """Return a function that returns the number of an agent's cell, and its run."""
    runs: dict[tuple[str, str, str], tuple[int, Future[Run]]] = {}
    for number, cell in enumerate(_selected(request.session, "agent"), len(CELLS) + 1):
        name, provider, scenario = cell
        agent = AGENTS[name]
        home = stage.homes / f"{name}-{number}"
        stage.providers.scripts[number] = answers(agent, home / "work")
        stage.providers.cells[number] = Cell()
        model = models(scenario, name)[provider]
        asked = prompt(scenario, number)
        future = pool.submit(
            run,
            agent,
            stage.packages,
            stage.address,
            model,
            asked,
            home,
            stage.providers.cells[number],
        )
        runs[cell] = (number, future)

    def seen(agent: str, provider: str, scenario: str) -> tuple[int, Run]:
        number, future = runs[agent, provider, scenario]
        return number, future.result()

    return seen
