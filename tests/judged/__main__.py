"""`python -m tests.judged`: translate made-up requests, and hold what comes out against the fakes.

A case is a body of one wire, and a wire, a host and a model to go to. A loss tells what was left
out, so what is left has to be accepted: it is a fault if the API there would refuse it. Only bodies
count that the fake of their own wire takes. Each fault is shown once, with the smallest body that
still has it.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from multiprocessing import Pool
from typing import Any

from tests.judged.answered import AnswerFault, answer_cases
from tests.judged.judge import cases, shrunk


def main() -> None:
    """Run, print, and end with 1 if there is a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.judged", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="how many requests")
    parser.add_argument("--answers", type=int, help="how many answers; as many, if not given")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--to", default="", help="only to this wire, or wire:host")
    parser.add_argument("--show", type=int, default=40, help="how many faults to show whole")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many processes")
    given = parser.parse_args()
    number = given.count if given.answers is None else given.answers
    with Pool(given.jobs) as pool:
        asked = _outcomes(pool, cases, given.count, given.seed, given.to)
        found = _shown("requests", asked, shrunk, given.show)
        to = given.to.partition(":")[0]
        answered = _outcomes(pool, answer_cases, number, given.seed, to)
        found += _shown("answers and streams", answered, _whole, given.show)
    raise SystemExit(bool(found))


def _outcomes(pool: Any, cases: Any, count: int, seed: int, to: str) -> Iterator[tuple[str, Any]]:
    """Yield the outcomes of all cases, in their order."""
    work = partial(_part, cases, count, seed, to)
    for part in pool.imap(work, range(0, count, _BATCH)):
        yield from part


_BATCH = 500


def _part(cases: Any, count: int, seed: int, to: str, first: int) -> list[tuple[str, Any]]:
    return [*cases(min(_BATCH, count - first), seed, to, first)]


def _shown(
    what: str,
    outcomes: Iterable[tuple[str, Any]],
    text: Callable[[Any], str],
    most: int,
) -> int:
    """Print the faults, the commonest first, and return how many kinds there are."""
    counts: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    first: dict[str, Any] = {}
    for outcome, fault in outcomes:
        counts[outcome] += 1
        if fault is not None:
            faults[fault.key] += 1
            first.setdefault(fault.key, fault)
    for key, number in faults.most_common(most):
        print(f"{number:6}  {key}\n{text(first[key])}\n")
    print(f"{what}: " + ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items())))
    print(f"{what}: {len(faults)} kinds of faults, {faults.total()} faults", flush=True)
    return len(faults)


def _whole(fault: AnswerFault) -> str:
    return f"        {fault.case.given.decode(errors='replace')}\n        {fault.written!r}"


if __name__ == "__main__":
    main()
