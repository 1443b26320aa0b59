"""`python -m tests.judged`: translate made-up requests, and hold what comes out against the fakes.

A case is a body of one wire, and a wire, a host and a model to go to. A loss tells what was left
out, so what is left has to be accepted: it is a fault if the API there would refuse it. Only bodies
count that the fake of their own wire takes. Each fault is shown once, with the smallest body that
still has it.
"""

from __future__ import annotations

import argparse
from collections import Counter

from tests.judged.judge import Fault, cases, shrunk


def main() -> None:
    """Run, print, and end with 1 if there is a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.judged", description=__doc__)
    parser.add_argument("--count", type=int, default=20_000, help="how many requests")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--to", default="", help="only to this wire, or wire:host")
    parser.add_argument("--show", type=int, default=40, help="how many faults to show whole")
    given = parser.parse_args()
    outcomes: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    first: dict[str, Fault] = {}
    for outcome, fault in cases(given.count, given.seed, given.to):
        outcomes[outcome] += 1
        if fault is not None:
            faults[fault.key] += 1
            first.setdefault(fault.key, fault)
    for key, number in faults.most_common(given.show):
        print(f"{number:6}  {key}\n{shrunk(first[key])}\n")
    print(", ".join(f"{outcome} {number:,}" for outcome, number in sorted(outcomes.items())))
    print(f"{len(faults)} kinds of faults, {faults.total()} faults")
    raise SystemExit(bool(faults))


if __name__ == "__main__":
    main()
