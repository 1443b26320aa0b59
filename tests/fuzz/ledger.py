"""How long and how far each target was fuzzed: a JSON file, written after every slice.

A finding resets its target: the sums count only the runs since then, which found nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["Ledger"]


class Ledger:
    """A JSON file: target -> processor seconds, inputs, coverage, and the versions that ran."""

    def __init__(self, path: Path, versions: str) -> None:
        self._path = path
        self._versions = versions

    def add(self, name: str, seconds: float, executions: int, edges: int, features: int) -> None:
        """Add a slice to the sums of a target. Edges and features are maxima, not sums."""
        runs = self._runs()
        entry = runs.setdefault(
            name, {"cpu_seconds": 0, "executions": 0, "edges": 0, "features": 0, "versions": []}
        )
        entry["cpu_seconds"] = round(entry["cpu_seconds"] + seconds, 1)
        entry["executions"] += executions
        entry["edges"] = max(entry["edges"], edges)
        entry["features"] = max(entry["features"], features)
        entry["versions"] = sorted({*entry["versions"], self._versions})
        self._write(runs)

    def drop(self, name: str) -> None:
        """Forget a target, after a finding."""
        runs = self._runs()
        if runs.pop(name, None) is not None:
            self._write(runs)

    def left(self, names: Iterable[str], seconds: float) -> dict[str, float]:
        """Return how much of `seconds` each target has yet to run, those that ran least first."""
        runs = self._runs()
        left = {name: seconds - runs.get(name, {"cpu_seconds": 0})["cpu_seconds"] for name in names}
        return dict(sorted(((n, t) for n, t in left.items() if t > 0), key=lambda each: -each[1]))

    def _runs(self) -> dict[str, Any]:
        return dict(json.loads(self._path.read_text())) if self._path.exists() else {}

    def _write(self, runs: dict[str, Any]) -> None:
        # If this is interrupted, the file is the old one or the new one.
        made = self._path.with_suffix(".new")
        made.write_text(json.dumps(runs, indent=1, sort_keys=True) + "\n")
        os.replace(made, self._path)
