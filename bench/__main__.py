"""`python -m bench`: print the table, write `bench/results.json`; `--smoke` for a quick run."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

from .formats import format_rows
from .native import Row, peak_memory, rows
from .requests import request_rows
from .streams import stream_rows


def main() -> None:
    """Measure, print, and write the results unless this is a smoke run."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="few rounds, nothing written")
    smoke = parser.parse_args().smoke
    machine = _machine()
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    print(f"{'job':42}{'ours':>10}{'peer':>10}{'ratio':>7}{'bound':>7}  peer")
    results = []
    rounds = 3 if smoke else 200
    jobs = (rows, request_rows, stream_rows, format_rows)
    for row in chain.from_iterable(made(rounds) for made in jobs):
        print(_line(row))
        results.append(
            {"job": row.job, "beside": row.peer, **row.pair._asdict(), "bound": row.bound}
        )
    memory = peak_memory()
    print(f"{'10 MB image, peak extra memory':62}{memory:7.2f}  bodies")
    times = _import_times(1 if smoke else 15)
    print(f"{'import wireglot':62}{times['wireglot'] / times['msgspec']:7.2f}  imports of msgspec")
    if not smoke:
        out = {"machine": machine, "rows": results, "memory": memory, "import": times}
        Path(__file__).with_name("results.json").write_text(json.dumps(out, indent=2) + "\n")


def _line(row: Row) -> str:
    bound = f"{row.bound:.2f}" if row.bound is not None else ""
    ours, peer = (f"{seconds * 1e6:,.0f} us" for seconds in row.pair[:2])
    return f"{row.job:42}{ours:>10}{peer:>10}{row.pair.ratio:7.2f}{bound:>7}  {row.peer}"


def _machine() -> dict[str, Any]:
    return {
        "CPython": platform.python_version(),
        "msgspec": version("msgspec"),
        "pybase64": version("pybase64"),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }


def _import_times(runs: int) -> dict[str, float]:
    """Return the least time in seconds of each import, in processes of their own."""
    code = "import time; t = time.perf_counter(); import {}; print(time.perf_counter() - t)"
    names = ("msgspec", "wireglot")
    least = dict.fromkeys(names, float("inf"))
    for _ in range(runs):
        for name in names:
            done = subprocess.run(
                [sys.executable, "-c", code.format(name)],
                capture_output=True,
                check=True,
                text=True,
            )
            least[name] = min(least[name], float(done.stdout))
    return least


main()
