"""The table of elements that mean the same -> which of them go from one API to the other.

A row of `pairs.tsv` is one thing, with its element in each API that has it. Each two of them are
two pairs. Those that are not translated are in `not_translated.tsv`, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from .judge import Judge, Verdict, dump
from .values import MODEL, Json

_HERE = Path(__file__).parent


class Pair(NamedTuple):
    """An element of one API, and its counterpart in another."""

    part: str
    what: str
    source: str
    element: str
    target: str
    other: str


def pairs() -> Iterator[Pair]:
    """Yield the pairs of the table, in both directions."""
    head, *lines = (line.split("\t") for line in (_HERE / "pairs.tsv").read_text().splitlines())
    for part, what, *names in lines:
        known = [(api, name) for api, name in zip(head[2:], names, strict=True) if name != "-"]
        for source, element in known:
            for target, other in known:
                if target != source:
                    yield Pair(part, what, source, element, target, other)


def reasons() -> dict[tuple[str, ...], str]:
    """Return why pairs are not translated: (part, what, source, target) -> the reason."""
    lines = (_HERE / "not_translated.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines]
    return {(part, what, source, to): why for part, what, source, to, why in rows}


def not_translated(wanted: Iterable[Pair], verdicts: Iterable[Verdict]) -> Iterator[Pair]:
    """Yield the pairs whose element has no effect on its counterpart, wherever it is."""
    known: dict[tuple[str, str, str], list[Verdict]] = {}
    for verdict in verdicts:
        element = verdict.element
        known.setdefault((element.root.api, element.root.part, element.name), []).append(verdict)
    judges: dict[tuple[str, str], Judge] = {}
    for pair in wanted:
        found = known[pair.source, pair.part, pair.element]
        judge = judges.get((pair.source, pair.part))
        if judge is None:
            judge = judges[pair.source, pair.part] = Judge(found[0].element.root)
        if not any(_arrives(pair, verdict, judge) for verdict in found):
            yield pair


def _arrives(pair: Pair, verdict: Verdict, judge: Judge) -> bool:
    outs = [
        judge.to(dump(body), pair.target).out
        for body in (verdict.element.body, verdict.element.without)
    ]
    one, two = (msgspec.json.decode(out) if out else None for out in outs)
    key, _, value = pair.other.partition(".")[2].partition(":")[0].partition("=")
    changes = {*_changes(one, two)}
    if value and value != MODEL:
        return {key, value} <= changes
    return key in changes or not changes.isdisjoint(_words(verdict.element.value))


def _changes(one: Json, two: Json, above: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the keys around each difference and in it, and the texts in it."""
    if one == two:
        return
    if isinstance(one, dict) and isinstance(two, dict):
        for key in one.keys() | two.keys():
            yield from _changes(one.get(key), two.get(key), (*above, key))
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for each, another in zip(one, two, strict=True):
            yield from _changes(each, another, above)
    else:
        yield from above
        yield from _words(one)
        yield from _words(two)


def _words(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _words(each)
    elif isinstance(value, list):
        for each in value:
            yield from _words(each)
    elif isinstance(value, str):
        yield value
