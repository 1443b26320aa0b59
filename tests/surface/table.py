"""The verdicts -> what is printed: a row for each API and part, and what is silent or gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import wireglot as wg

from .apis import Root, roots, versions
from .elements import elements
from .excuses import Excused
from .judge import Judge, Verdict
from .pairs import not_translated, pairs

RESULTS = Path(__file__).with_name("results.json")
WORDS = ("translated", "loss", "error", "excused", "fault", "silent")


def judged(wanted: Iterable[Root] | None = None, excused: Excused | None = None) -> list[Verdict]:
    """Return the verdict of each element of the APIs. What beta has like the rest is left out."""
    excused = Excused() if excused is None else excused
    known: dict[tuple[str, str], set[str]] = {}
    verdicts = []
    for root in wanted or roots():
        judge = Judge(root)
        before = known.setdefault((root.wire, root.part), set())
        for element in elements(root):
            name = f"{element.region} {element.name}".replace("Beta", "")
            if not root.api.endswith(" beta") or name not in before:
                before.add(name)
                verdicts.append(excused(judge(element)))
    return verdicts


def rows(verdicts: Iterable[Verdict]) -> Iterator[list[str]]:
    """Yield the cells of each API and part: elements, then the counts of their words.

    The words of the other wires are counted by pair: an element and a wire.
    """
    for root, group in groupby(verdicts, lambda verdict: verdict.element.root):
        of_root = list(group)
        held = Counter(verdict.held for verdict in of_root)
        own = Counter(verdict.own for verdict in of_root)
        words = Counter(word for verdict in of_root for word in verdict.targets.values())
        counts = [len(of_root), held["typed"], held["raw"], own["gone"]]
        yield [root.api, root.part, *map(str, counts), *(str(words[word]) for word in WORDS)]


HEAD = ["API", "part", "elements", "typed", "raw", "gone", *WORDS]


def by_target(verdicts: Iterable[Verdict]) -> Iterator[list[str]]:
    """Yield for each wire what became of the elements of the others."""
    counts = {name: Counter[str]() for name in wg.PROVIDERS}
    for verdict in verdicts:
        for name, word in verdict.targets.items():
            counts[name][word] += 1
    for name, words in counts.items():
        yield [name, *(str(words[word]) for word in WORDS)]


def news(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield what no table explains: elements gone on their own wire, or silent on another."""
    for verdict in verdicts:
        element = verdict.element
        silent = [name for name, word in verdict.targets.items() if word == "silent"]
        silent = ["own", *silent] if verdict.own == "gone" else silent
        if silent:
            where = f"{element.root.api}: {element.root.part} {element.name}"
            yield f"{where} -> {' '.join(silent)}  (in {element.region or 'the root'})"


def results(verdicts: list[Verdict]) -> dict[str, Any]:
    """Return what the page about this shows: `results.json`."""
    wanted = [*pairs()]
    missing = len([*not_translated(wanted, verdicts)])
    return {
        "versions": versions(),
        "apis": [*rows(verdicts)],
        "targets": [*by_target(verdicts)],
        "pairs": {"all": len(wanted), "translated": len(wanted) - missing},
    }


def laid_out(lines: list[list[str]]) -> str:
    """Return lines of cells as columns."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)
