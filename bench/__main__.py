"""`python -m bench`: print the tables; write `bench/results.json`, the README's table, the figures.

Wireglot is compared with floors in this process, and with other libraries in environments of their
own, which `python -m bench.peers install` makes. A run of everything is written, so that all
figures are of one machine and one time. With `--only` or `--peers` they are printed; with `--add`
too, they are written beside those of the last run of everything, with the machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from . import beside, results
from .answers import answer_rows
from .formats import format_rows
from .native import Row, rows
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
    "answers": answer_rows,
    "formats": format_rows,
    "queues": queue_rows,
}
_README = Path(__file__).parents[1] / "README.md"


def main() -> None:
    """Measure and print; write the results of a run of everything."""
    given = _arguments()
    machine = results.described()
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    floors = {} if given.peers else _floors(given.only, 3 if given.smoke else 200)
    peers = _peers(given)
    if given.smoke:
        raise SystemExit(any(found["wrong"] for peer in peers.values() for found in _wrong(peer)))
    print(f"\n{terminal(peers)}")
    if given.add:
        _write(_added(machine, given.only, floors, peers))
        return
    if given.only or given.peers:
        return
    unlike = [name for name in PEERS if not _like(machine, peers.get(name))]
    if unlike:
        raise SystemExit(
            f"not written: {', '.join(unlike)} not installed, or beside other versions than here; "
            "`python -m bench.peers install`"
        )
    measured = {"machine": machine, "floors": floors, "peers": peers}
    measured |= {"gateway": results.load().get("gateway")}  # it has a machine of its own
    _write(measured)


def _write(measured: dict[str, Any]) -> None:
    """Write the results, and what is made of them."""
    results.save(measured)
    _README.write_text(with_summary(_README.read_text(), measured))
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
    parser.add_argument("--smoke", action="store_true", help="few rounds, to check the answers")
    names = ", ".join(sorted({*_SETS, *kinds}))
    parser.add_argument("--only", metavar="JOB", help=f"one of {names}, or `request:anthropic`")
    parser.add_argument("--add", action="store_true", help="write what `--only` has measured")
    parser.add_argument("--peers", metavar="A,B", help=f"of {', '.join(PEERS)}")
    parser.add_argument("--seconds", type=float, default=0.8, help="for each peer and job")
    given = parser.parse_args()
    if given.only is not None and given.only not in _SETS and not beside.chosen(given.only):
        parser.error(f"no job `{given.only}`: {names}")
    if given.add and (given.only is None or given.smoke):
        parser.error("`--add` needs `--only`, without `--smoke`")
    for name in (given.peers or "").split(","):
        if name and name not in (LIGHT if given.smoke else PEERS):
            parser.error(f"no peer `{name}`: {', '.join(LIGHT if given.smoke else PEERS)}")
    return given


def _added(
    machine: dict[str, Any], only: str, floors: dict[str, Any], peers: dict[str, Any]
) -> dict[str, Any]:
    """Return the last results with these in their place, and where these were measured."""
    known = results.load()
    known["floors"] |= floors
    for name, peer in known["peers"].items():
        found = peers.get(name, peer)
        if found["versions"] != peer["versions"]:
            raise SystemExit(f"not written: {name} is of other versions than in the last results")
        done = peer["jobs"] | found["jobs"]
        peer["jobs"] = {job: done[job] for job in beside.chosen(None) if job in done}
    return known | {"apart": known.get("apart", {}) | {only: machine}}


def _floors(only: str | None, rounds: int) -> dict[str, Any]:
    """Compare with the floors in this process: the least work that a job can be."""
    measured: dict[str, Any] = {}
    for name, made in _SETS.items():
        if only not in (None, name):
            continue
        print(f"\n{name:42}{'ours':>10}{'peer':>10}{'ratio':>7}  peer")
        for row in made(rounds):
            print(_line(row))
            found = {"job": row.job, "beside": row.peer, **row.pair._asdict()}
            found |= {} if row.sizes is None else {"bytes": row.sizes}
            measured.setdefault(name, []).append(found)
    return measured


def _peers(given: argparse.Namespace) -> dict[str, Any]:
    """Compare with the peers that are installed."""
    names = given.peers.split(",") if given.peers else LIGHT if given.smoke else PEERS
    jobs = beside.chosen(given.only)
    measured: dict[str, Any] = {}
    for name in names if jobs else ():
        print(f"\n{PEERS[name]}", flush=True)
        if given.smoke:
            made, versions = beside.in_process(name, jobs), {}
        elif beside.is_installed(name):
            made, versions = beside.beside(name, jobs, given.seconds), beside.versions(name)
        else:
            print(f"  not installed: `python -m bench.peers install {name}`")
            continue
        done = {}
        for job, found in made:
            done[job] = found
            text = cell(job, found)
            if text != "-":
                print(f"  {job:34}{text:>12}  {found.get('wrong', '')}", flush=True)
        measured[name] = {"versions": versions, "jobs": done}
    return measured


def _wrong(peer: dict[str, Any]) -> list[dict[str, Any]]:
    return [found for found in peer["jobs"].values() if "wrong" in found]


def _like(machine: dict[str, Any], peer: dict[str, Any] | None) -> bool:
    """Say whether a peer was measured, with the Python and the libraries of this process."""
    common = ("CPython", *results.COMMON)
    return peer is not None and all(peer["versions"][name] == machine[name] for name in common)


def _line(row: Row) -> str:
    ours, peer = (f"{seconds * 1e6:,.0f} us" for seconds in row.pair[:2])
    sizes = "" if row.sizes is None else f" ({row.sizes[1]:,} bytes; ours {row.sizes[0]:,})"
    return f"{row.job:42}{ours:>10}{peer:>10}{row.pair.ratio:7.2f}  {row.peer}{sizes}"


if __name__ == "__main__":
    main()
