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

from tests.agents import readers
from tests.agents.agents import AGENTS, Run, answers, run
from tests.agents.cells import CELLS, FRAMEWORK_CELLS, FRAMEWORKS, READER_CELLS, READERS
from tests.agents.provider import Cell, Providers
from tests.agents.running import RENAMED, gateway, installed, models, played, worked
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


_NUMBERS = {
    cell: number for number, cell in enumerate([*CELLS, *READER_CELLS, *FRAMEWORK_CELLS], 1)
}


@pytest.fixture(scope="session")
def seen_by(stage: Stage, pool: ThreadPoolExecutor, request: pytest.FixtureRequest) -> Seen:
    """Return a function that returns the number of a cell, and what its client saw.

    Each client plays all its cells in one process, as the clients of a framework do together.
    """
    selected: dict[str, list[tuple[str, str, str]]] = {}
    for cell in _selected(request.session, "client"):
        selected.setdefault(_player(cell[0]), []).append(cell)
    runs = {
        player: pool.submit(_played, stage, player, cells) for player, cells in selected.items()
    }

    def seen(*cell: str) -> tuple[int, Any]:
        number = _NUMBERS[cell]
        return number, runs[_player(cell[0])].result()[number]

    return seen


def _player(client: str) -> str:
    return FRAMEWORKS[client].module if client in FRAMEWORKS else client


def _played(stage: Stage, player: str, cells: list[tuple[str, str, str]]) -> dict[int, Any]:
    home = stage.homes / player
    if player in READERS:
        asked = [(_NUMBERS[cell], RENAMED[cell[1]]) for cell in cells]
        plays = [(number, model, prompt("tools", number)) for number, model in asked]
        return readers.played(player, stage.address, plays)
    if cells[0][0] in FRAMEWORKS:
        plays = [(_NUMBERS[cell], cell[0], cell[1]) for cell in cells]
        return worked(player, stage.address, plays, home)
    plays = [(_NUMBERS[cell], cell[2], cell[1]) for cell in cells]
    return played(player, stage.packages, stage.address, plays, home)


@pytest.fixture(scope="session")
def ran(stage: Stage, pool: ThreadPoolExecutor, request: pytest.FixtureRequest) -> AgentRun:
    """Return a function that returns the number of an agent's cell, and its run."""
    runs: dict[tuple[str, str, str], tuple[int, Future[Run]]] = {}
    for number, cell in enumerate(_selected(request.session, "agent"), len(_NUMBERS) + 1):
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
