"""Names of peers and jobs -> the results of each in a process of its own, as plain data."""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterator
from typing import Any

from . import cases
from .jobs import IMAGE, JOBS
from .peers import LIGHT
from .peers.environments import environment, imported, python, requirements, run
from .results import COMMON

__all__ = ["beside", "chosen", "in_process", "is_installed", "versions"]

_OURS = "import wireglot as wg; wg.providers.anthropic.encode_request"
_TIMED = "import time; t = time.process_time()\n{}\nprint(time.process_time() - t)"
_IMPORTS = 7
# Bodies of some megabytes: an allocator's leftovers are small against them.
_BODIES = {
    "memory:image": lambda: cases.chat_with_image(IMAGE),
    "memory:translate": lambda: cases.body("openai_chat", 4000),
}
_VERSIONS = """import platform
from importlib.metadata import version
print(platform.python_version(), *map(version, {!r}))"""


def chosen(only: str | None) -> list[str]:
    """Return the jobs of that name or whose name goes on behind it, all jobs for None."""
    return [job for job in JOBS if only is None or f"{job}:".startswith(f"{only}:")]


def is_installed(peer: str) -> bool:
    """Say whether the peer's environment was made."""
    return python(environment(peer)).exists()


def beside(peer: str, jobs: list[str], seconds: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """Measure the jobs one by one; the result is empty if the peer does not do a job."""
    for job in jobs:
        if job == "import":
            yield job, _import(peer)
        elif job.startswith("memory"):
            yield job, _memory(job, peer)
        else:
            yield job, _line(peer, "bench.one", job, peer, "--seconds", str(seconds))


def in_process(peer: str, jobs: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Do each job once, small, in this process: for a peer that needs no environment of its own."""
    from .one import measured

    assert peer in LIGHT
    for job in jobs:
        if job != "import" and not job.startswith("memory"):
            yield job, measured(job, peer, 0, image=100_000, turns=16)


def versions(peer: str) -> dict[str, str]:
    """Return the versions of Python and of a peer's requirements in the peer's environment."""
    own = [wanted.partition("==")[0].partition("[")[0] for wanted in requirements(peer)]
    names = [*COMMON, *own]
    found = run(environment(peer), "-c", _VERSIONS.format(names)).stdout.split()
    return dict(zip(["CPython", *names], found, strict=True))


def _line(peer: str, *arguments: str) -> dict[str, Any]:
    done = run(environment(peer), "-m", *arguments)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"exit {done.returncode}"]
        return {"wrong": lines[-1][:200]}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _import(peer: str) -> dict[str, Any]:
    statement = imported(peer)
    if statement is None:
        return {}
    ours, theirs = [], []
    for _ in range(_IMPORTS):
        ours.append(_seconds(peer, _OURS))
        theirs.append(_seconds(peer, statement))
    a, b = statistics.median(ours[1:]), statistics.median(theirs[1:])  # the first may compile
    return {"ours": a, "peer": b, "ratio": a / b}


def _seconds(peer: str, statement: str) -> float:
    done = run(environment(peer), "-W", "ignore", "-c", _TIMED.format(statement))
    if done.returncode:
        raise RuntimeError(f"{peer}: {statement}: {done.stderr}")
    return float(done.stdout.splitlines()[-1])


def _memory(job: str, peer: str) -> dict[str, Any]:
    """Measure in a process for each side: the peak of a process only ever grows."""
    body = _BODIES[job]()
    with tempfile.NamedTemporaryFile() as file:
        file.write(body)
        file.flush()
        found = _line(peer, "bench.one", job, peer, "--body", file.name)
        ours = _line(peer, "bench.one", job, "wireglot", "--body", file.name)
    if "bodies" not in found:
        return found
    return {
        "ours": ours["bodies"],
        "peer": found["bodies"],
        "ratio": ours["bodies"] / found["bodies"],
    }
