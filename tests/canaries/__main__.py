"""`python -m tests.canaries --runs N`: plant so many canaries, and exit with 1 if one vanished.

Each is looked for on its own wire, and at one other destination: another wire, or the model.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from itertools import count
from math import inf

import wireglot as wg
from tests.canaries.bodies import KINDS
from tests.canaries.law import MODEL, OWN, silent
from tests.canaries.planting import planted


def main() -> int:
    options = _options()
    kinds = [options.only] if options.only else list(KINDS)
    wires = list(wg.PROVIDERS)
    chance = random.Random(options.seed)
    tried: Counter[str] = Counter()
    found: Counter[tuple[str, ...]] = Counter()
    began = time.process_time()
    for number in count(1):
        if tried.total() >= options.runs or time.process_time() - began > options.seconds:
            break
        kind, wire = kinds[number % len(kinds)], wires[number // len(kinds) % len(wires)]
        canary = planted(wire, kind, chance, number)
        if canary is None:  # no place for it
            continue
        tried[kind] += 1
        other = chance.choice([MODEL, *(each for each in wires if each != wire)])
        for target in silent(canary, (OWN, other)):
            row = (kind, wire, target, canary.path, canary.key)
            found[row] += 1
            if found[row] == 1:
                print("silent:", *row, flush=True)
                print("   ", canary.data[: options.show], flush=True)
    seconds = time.process_time() - began
    counts = ", ".join(f"{many:,} in {kind}" for kind, many in tried.items())
    print(f"{counts}: {found.total()} silent at {len(found)} places, {seconds:.0f} s")
    return 1 if found else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.canaries", description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, metavar="N", help="canaries, 2000")
    parser.add_argument("--seconds", type=float, default=inf, metavar="N", help="at most, of CPU")
    parser.add_argument("--only", choices=KINDS, help="one kind of bodies")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the choices, 1")
    parser.add_argument("--show", type=int, default=300, metavar="N", help="bytes of each, 300")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
