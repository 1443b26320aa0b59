"""The gateway, the scripted providers behind it, and what each client saw, played once.

Only `tox -e agents` collects this folder, or whoever sets `WIREGLOT_AGENTS=1`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.agents.cells import CELLS
from tests.agents.provider import Providers
from tests.agents.running import gateway, installed, played
from tests.agents.table import Table
from tests.gateway.serving import serving

__all__ = ["Stage"]


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


@pytest.fixture(scope="session")
def seen_by(stage: Stage, request: pytest.FixtureRequest) -> Iterator[Seen]:
    """A function that returns the number of a cell, and what its client saw.

    Each client plays the cells that were selected in one process, two clients at a time.
    """
    numbers = {cell: number for number, cell in enumerate(CELLS, 1)}
    selected: dict[str, list[tuple[int, str, str]]] = {}
    for item in request.session.items:
        params = getattr(item, "callspec", None)
        if params is not None and "scenario" in params.params:
            client, provider, scenario = cell = tuple(
                params.params[name] for name in ("client", "provider", "scenario")
            )
            selected.setdefault(client, []).append((numbers[cell], scenario, provider))
    with ThreadPoolExecutor(2) as pool:
        runs: dict[str, Future[dict[int, Any]]] = {
            client: pool.submit(
                played, client, stage.packages, stage.address, cells, stage.homes / client
            )
            for client, cells in selected.items()
        }

        def seen(client: str, provider: str, scenario: str) -> tuple[int, Any]:
            number = numbers[client, provider, scenario]
            return number, runs[client].result()[number]

        yield seen
