"""`python -m bench`: print the tables; write `bench/results.json`, the README's table, the figures.

Wireglot is compared with floors in this process, and with other libraries in environments of their
own, which `python -m bench.peers install` makes. With `--only` or `--peers` the rest of the results
is kept, with the machine that they were measured on.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from . import beside
from .formats import format_rows
from .native import Row, peak_memory, rows
from .peers import LIGHT, PEERS
from .peers.environments import PLOTS, python, run
from .queues import queue_rows
from .requests import request_rows
from .streams import stream_rows
from .table import cell, terminal, with_summary

_SETS: dict[str, Callable[[int], Iterator[Row]]] = {
    "native": rows,
    "requests": request_rows,
    "streams": stream_rows,
    "formats": format_rows,
    "queues": queue_rows,
}
_RESULTS = Path(__file__).with_name("results.json")
_README = Path(__file__).parents[1] / "README.md"


def main() -> None:
    """Measure, print, and write the results unless this is a smoke run."""
    given = _arguments()
    smoke, only = given.smoke, given.only
    machine = _machine()
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    results: dict[str, Any] = json.loads(_RESULTS.read_text()) if _RESULTS.exists() else {}
    if (only is None and given.peers is None) or "machine" not in results:
        results |= {"machine": machine, "elsewhere": {}}
    if given.peers is None:
        _floors(results, machine, only, smoke)
    peers = given.peers.split(",") if given.peers else list(LIGHT if smoke else PEERS)
    jobs = beside.chosen(only)
    wrong = _peers(results, peers, jobs, given.seconds, smoke) if jobs else False
    if smoke:
        raise SystemExit(wrong)
    _save(results)
    _README.write_text(with_summary(_README.read_text(), results))
    print(f"\n{terminal(results['peers'])}")
    if not python(PLOTS).exists():
        print("no figures: `python -m bench.peers install plots`")
        return
    drawn = run(PLOTS, "-m", "bench.plots")
    print(drawn.stdout.strip())
    if drawn.returncode:
        raise SystemExit(drawn.stderr)


def _arguments() -> argparse.Namespace:
    kinds = {job.partition(":")[0] for job in beside.chosen(None)}
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="few rounds, nothing written")
    names = ", ".join(sorted({*_SETS, *kinds}))
    parser.add_argument("--only", metavar="JOB", help=f"one of {names}, or `request:anthropic`")
    parser.add_argument("--peers", metavar="A,B", help=f"of {', '.join(PEERS)}")
    parser.add_argument("--seconds", type=float, default=0.8, help="for each peer and job")
    given = parser.parse_args()
    if given.only is not None and given.only not in _SETS and not beside.chosen(given.only):
        parser.error(f"no job `{given.only}`: {names}")
    for name in (given.peers or "").split(","):
        if name and name not in (LIGHT if given.smoke else PEERS):
            parser.error(f"no peer `{name}`: {', '.join(LIGHT if given.smoke else PEERS)}")
    return given


def _floors(
    results: dict[str, Any], machine: dict[str, Any], only: str | None, smoke: bool
) -> None:
    """Compare with the floors in this process: the least work that a job can be."""
    elsewhere = results.setdefault("elsewhere", {})
    rounds = 3 if smoke else 200
    for name, made in _SETS.items():
        if only not in (None, name):
            continue
        print(f"\n{name:42}{'ours':>10}{'peer':>10}{'ratio':>7}{'bound':>7}  peer")
        measured = []
        for row in made(rounds):
            print(_line(row))
            found = {"job": row.job, "beside": row.peer, **row.pair._asdict(), "bound": row.bound}
            measured.append(found if row.sizes is None else {**found, "bytes": row.sizes})
        if not measured:  # its peer is not installed
            continue
        results.setdefault("floors", {})[name] = measured
        elsewhere.pop(name, None)
        if machine != results["machine"]:
            elsewhere[name] = machine
    if only in (None, "memory"):
        results["memory"] = peak_memory()
        print(f"{'10 MB image, peak extra memory':62}{results['memory']:7.2f}  bodies")
    if only in (None, "import"):
        times = results["import"] = _import_times(1 if smoke else 15)
        ratio = times["wireglot"] / times["msgspec"]
        print(f"{'import wireglot':62}{ratio:7.2f}  imports of msgspec")


def _peers(
    results: dict[str, Any], names: list[str], jobs: list[str], seconds: float, smoke: bool
) -> bool:
    """Compare with the peers that are installed; return whether one gave a wrong answer."""
    known = results.setdefault("peers", {})
    wrong = False
    for name in names:
        print(f"\n{PEERS[name]}", flush=True)
        try:
            measured = (
                beside.in_process(name, jobs) if smoke else beside.beside(name, jobs, seconds)
            )
            done = {}
            for job, found in measured:
                done[job] = found
                text = cell(job, found)
                if text != "-":
                    print(f"  {job:34}{text:>12}  {found.get('wrong', '')}", flush=True)
        except ImportError as error:
            print(f"  not installed here: {error}")
            continue
        wrong |= any("wrong" in found for found in done.values())
        if not smoke and done:
            entry = known.setdefault(name, {"jobs": {}})
            entry["versions"] = beside.versions(name)
            entry["jobs"] |= done
            _save(results)
    return wrong


def _save(results: dict[str, Any]) -> None:
    """Write the results so far, in the order of the tables."""
    known = results.get("peers", {})
    ordered = {name: known[name] for name in PEERS if name in known}
    _RESULTS.write_text(json.dumps({**results, "peers": ordered}, indent=1) + "\n")


def _line(row: Row) -> str:
    bound = f"{row.bound:.2f}" if row.bound is not None else ""
    ours, peer = (f"{seconds * 1e6:,.0f} us" for seconds in row.pair[:2])
    sizes = "" if row.sizes is None else f" ({row.sizes[1]:,} bytes; ours {row.sizes[0]:,})"
    return f"{row.job:42}{ours:>10}{peer:>10}{row.pair.ratio:7.2f}{bound:>7}  {row.peer}{sizes}"


def _machine() -> dict[str, Any]:
    return {
        "CPython": platform.python_version(),
        "msgspec": version("msgspec"),
        "pybase64": version("pybase64"),
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


if __name__ == "__main__":
    main()
