"""A made-up body -> what a fake of the API says to its translation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

import wireglot as wg
from tests.judged.scripts import made
from tests.judged.wires import ASKING
from tests.refusals.hosts import HOSTS, faults

__all__ = ["Case", "Fault", "cases", "judged", "shrunk"]


@dataclass(frozen=True)
class Case:
    """A body of a wire, and where it goes to."""

    source: str
    body: dict[str, Any]
    target: str
    host: str
    model: str


@dataclass(frozen=True)
class Fault:
    """What the API refuses of a translation, in its first line."""

    case: Case
    rule: str

    @property
    def key(self) -> str:
        """What it is counted by."""
        case = self.case
        return f"{case.source} -> {case.target} ({case.host}, {case.model}): {self.rule}"


def cases(
    count: int, seed: int, to: str = "", first: int = 0
) -> Iterator[tuple[str, Fault | None]]:
    """Yield the outcome of each case from the `first` on, with its fault if it has one."""
    for number in range(first, first + count):
        case = drawn_case(Random(f"{seed}:{number}"), to)
        yield judged(case)


def drawn_case(random: Random, to: str = "") -> Case:
    """Return a case."""
    source = random.choice(sorted(ASKING))
    body = ASKING[source].write(made(random), random)
    wire, _, only = to.partition(":")
    target = wire or random.choice(sorted(ASKING))
    host = only or random.choice(HOSTS[target])
    return Case(source, body, target, host, random.choice(ASKING[target].MODELS))


def judged(case: Case) -> tuple[str, Fault | None]:
    """Translate a body, and return what came of it."""
    losses: list[wg.Loss] = []
    try:
        written = translated(case, losses)
    except (wg.EncodeError, wg.DecodeError):
        return "refused", None
    found = faults(case.target, case.host, case.model, written)
    if not found:
        return ("with losses" if losses else "whole"), None
    given = json.dumps(case.body).encode()
    if faults(case.source, HOSTS[case.source][0], "", given):
        return "not a request", None
    if case.source == case.target:
        came = {_rule(each) for each in faults(case.target, case.host, case.model, given)}
        found = [each for each in found if _rule(each) not in came]
        if not found:
            return "as it came", None
    return "fault", Fault(case, _rule(found[0]))


def _rule(fault: str) -> str:
    return fault.partition(" - at ")[0]


def translated(case: Case, losses: list[wg.Loss]) -> bytes:
    """Return the body of the target."""
    return wg.translate_request(
        json.dumps(case.body).encode(),
        case.source,
        case.target,
        model=case.model,
        target_dialect=case.host,
        losses=losses,
    )


def shrunk(fault: Fault) -> str:
    """Return the smallest body that has the fault, with what is made of it."""
    body = deepcopy(fault.case.body)
    again = True
    while again:
        again = False
        for path in sorted(_paths(body), key=len):
            less = _without(body, path)
            if less is not None and _has(fault, less):
                body, again = less, True
                break
    case = Case(fault.case.source, body, fault.case.target, fault.case.host, fault.case.model)
    made = translated(case, []).decode()
    return f"        {json.dumps(body, ensure_ascii=False)}\n        {made}"


def _has(fault: Fault, body: dict[str, Any]) -> bool:
    case = fault.case
    try:
        found = judged(Case(case.source, body, case.target, case.host, case.model))[1]
    except (
        KeyError,
        TypeError,
        AttributeError,
        IndexError,
        ValueError,
    ):  # a rule wants what was taken away
        return False
    return found is not None and found.rule == fault.rule


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        yield from _paths(item, (*path, key))


def _without(body: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any] | None:
    less = deepcopy(body)
    place: Any = less
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return less
