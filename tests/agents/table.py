"""What the clients saw <-> `results.json`, from which the page "Works with" is made."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

__all__ = ["RESULTS", "WORKS", "Table", "read", "versions"]

RESULTS = Path(__file__).parent / "results.json"
WORKS = "works"

Cells = dict[str, dict[str, dict[str, str]]]
Versions = dict[str, dict[str, str]]
"""Registry -> package -> version."""


class Table:
    """The outcome of each cell that ran: `WORKS`, or whose limit it is."""

    def __init__(self) -> None:
        self.cells: Cells = {}

    def add(self, client: str, provider: str, scenario: str, outcome: str) -> None:
        self.cells.setdefault(client, {}).setdefault(provider, {})[scenario] = outcome

    def write(self) -> None:
        """Write all cells, a line for each client and provider; those that did not run stay."""
        cells = read()[1] if RESULTS.exists() else {}
        for client, providers in self.cells.items():
            for provider, outcomes in providers.items():
                cells.setdefault(client, {}).setdefault(provider, {}).update(outcomes)
        clients = ",\n".join(
            f"  {json.dumps(client)}: {{\n{_lines(providers)}\n  }}"
            for client, providers in cells.items()
        )
        head = f'{{\n "versions": {json.dumps(versions(), indent=2)},\n'
        RESULTS.write_text(f'{head} "cells": {{\n{clients}\n }}\n}}\n')


def _lines(providers: dict[str, dict[str, str]]) -> str:
    return ",\n".join(
        f"   {json.dumps(provider)}: {json.dumps(_grouped(outcomes))}"
        for provider, outcomes in providers.items()
    )


def _grouped(outcomes: dict[str, str]) -> dict[str, Any]:
    """Return the scenarios that work as one list, beside the limits of the others."""
    works = [scenario for scenario, outcome in outcomes.items() if outcome == WORKS]
    limits = {scenario: outcome for scenario, outcome in outcomes.items() if outcome != WORKS}
    return {WORKS: works, "limits": limits}


def read() -> tuple[Versions, Cells]:
    """Return the versions and the outcomes of the last full run."""
    results = json.loads(RESULTS.read_text())
    cells = {
        client: {
            provider: dict.fromkeys(row[WORKS], WORKS) | row["limits"]
            for provider, row in providers.items()
        }
        for client, providers in results["cells"].items()
    }
    return results["versions"], cells


def versions() -> Versions:
    """Return the versions of the packages that are locked."""
    package = json.loads((RESULTS.parent / "package.json").read_text())
    project = tomllib.loads((RESULTS.parents[2] / "pyproject.toml").read_text())
    pins = [one.split("==") for one in project["dependency-groups"]["agents"] if "==" in one]
    return {"npm": package["dependencies"], "PyPI": dict(pins)}
