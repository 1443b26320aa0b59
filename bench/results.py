"""`bench/results.json`: what was measured last, and the machine that it was measured on."""

from __future__ import annotations

import json
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

__all__ = ["COMMON", "described", "load", "save"]

COMMON = ("msgspec", "pybase64")  # in all environments; a result depends on their versions
_FILE = Path(__file__).with_name("results.json")


def load() -> dict[str, Any]:
    """Return the results, empty if nothing was ever measured."""
    found: dict[str, Any] = json.loads(_FILE.read_text()) if _FILE.exists() else {}
    return found


def save(results: dict[str, Any]) -> None:
    """Write all results."""
    _FILE.write_text(json.dumps(results, indent=1) + "\n")


def described() -> dict[str, Any]:
    """Return the machine, and the versions in this process."""
    return {
        "CPython": platform.python_version(),
        **{name: version(name) for name in COMMON},
        "machine": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def _processor() -> str:
    """Return the model's name if Linux reports it."""
    info = Path("/proc/cpuinfo")
    for line in info.read_text().splitlines() if info.exists() else ():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.processor()
