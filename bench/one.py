"""`python -m bench.one JOB PEER`: one job, ours and the peer's, in this process -> a line of JSON.

The output is `{"ours", "peer", "ratio"}` in seconds (for memory, in bodies), `{"wrong"}` with what
is wrong with the answer, or `{}` if the peer does not do the job.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
import warnings
from pathlib import Path
from typing import Any

import wireglot as wg

from . import agent, cases, growing, jobs
from .measure import paired

__all__ = ["measured"]

_ROUNDS = (5, 400)


def measured(
    job: str, peer: str, seconds: float, *, image: int = jobs.IMAGE, turns: int = growing.TURNS
) -> dict[str, Any]:
    """Measure for about `seconds`. Both sides are timed in this thread's CPU time."""
    if job == "growing":
        return growing.grown(peer, turns) or {}
    if job.startswith("agent:"):
        return agent.translated(job, peer, min(turns, agent.TURNS))
    sides = jobs.sides(job, peer, image=image)
    if sides is None:
        return {}
    wrong = sides.wrong()
    if wrong is not None:
        return {"wrong": wrong}
    start = time.thread_time()
    sides.ours()
    sides.peer()
    took = max(time.thread_time() - start, 1e-3)  # what is shorter is repeated within a round
    rounds = min(max(round(seconds / took), _ROUNDS[0]), _ROUNDS[1]) if seconds else 1
    gc.collect()
    gc.freeze()  # the libraries' set-up is not to be collected while one side is timed
    found = paired(sides.ours, sides.peer, rounds)._asdict()
    without = sides.without()
    return {**found, "without": without} if without else found


def resident(file: Path, peer: str | None) -> dict[str, Any]:
    """Measure the peak of resident memory of an OpenAI body to an Anthropic body, in bodies.

    `peer` is None for ours. The body comes from a file: a process that made the body itself would
    still hold that memory, and would reuse it.
    """
    pair = ("openai_chat", "anthropic")
    if peer is None:
        translate: Any = _ours
        is_floor = False
    else:
        module = jobs.peer_module(peer)
        translate = jobs.translation(module, *pair)
        is_floor = "memory" in module.FLOOR
    if translate is None:
        return {}
    translate(cases.chat_with_image(1000))
    body = file.read_bytes()
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = _status("VmRSS")
    made = translate(body)
    added = _status("VmHWM") - before
    wrong = jobs.mistranslated(body, made, *pair, is_floor)
    return {"bodies": added / len(body)} if wrong is None else {"wrong": wrong}


def _ours(data: bytes) -> bytes:
    return wg.translate_request(data, "openai_chat", "anthropic", losses=[])


def _status(key: str) -> int:
    """Return a line of Linux's status of this process, in bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(key))


def _main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(prog="python -m bench.one", description=__doc__)
    parser.add_argument("job", choices=jobs.JOBS)
    parser.add_argument("peer", help="a peer's name; for memory also `wireglot`")
    parser.add_argument("--body", type=Path, help="for memory: the file to read")
    parser.add_argument("--seconds", type=float, default=1.0)
    given = parser.parse_args()
    if given.job.startswith("memory"):
        found = resident(given.body, None if given.peer == "wireglot" else given.peer)
    else:
        found = measured(given.job, given.peer, given.seconds)
    print(json.dumps(found))


if __name__ == "__main__":
    _main()
