"""How the spelling of a body may change in a round trip, while its meaning stays the same.

Each provider has a module of its name with a table `RULES` for requests, and `ANSWER_RULES` for
answers; they are found by these names. A rule is counted for each body that needed it, alone or
with others.
"""

from __future__ import annotations

import copy
import importlib
import importlib.util
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from tests.corpus.compare import difference

__all__ = ["Rule", "needed", "normalized", "rules_of"]


class Rule(NamedTuple):
    """One permitted difference, in a sentence.

    `change` brings a parsed body into a common spelling, in place. It is applied to the recorded
    and to the written body, and must not hide a difference in meaning. `dialects` limits the rule
    to some of the provider's dialects; empty means all.
    """

    sentence: str
    change: Callable[[Any], None]
    dialects: tuple[str, ...] = ()


@cache
def rules_of(provider: str, dialect: str, table: str = "RULES") -> tuple[Rule, ...]:
    """Return the rules of a provider for a dialect; a provider without a table has none."""
    name = f"{__name__}.{provider}"
    if importlib.util.find_spec(name) is None:
        return ()
    rules: tuple[Rule, ...] = getattr(importlib.import_module(name), table, ())
    return tuple(rule for rule in rules if not rule.dialects or dialect in rule.dialects)


def normalized(body: Any, rules: Sequence[Rule]) -> Any:
    """Return a copy of a parsed body with the rules applied, in their order."""
    body = copy.deepcopy(body)
    for rule in rules:
        rule.change(body)
    return body


def needed(recorded: Any, written: Any, rules: Sequence[Rule]) -> list[Rule] | None:
    """Return the rules that are needed to make two bodies the same, None if all do not suffice.

    Rules are added in the order of the table until the bodies agree; then each rule that is not
    needed is removed.
    """
    enough = next((n for n in range(len(rules) + 1) if _agree(recorded, written, rules[:n])), None)
    if enough is None:
        return None
    kept = list(rules[:enough])
    for rule in rules[:enough]:
        rest = [other for other in kept if other is not rule]
        if _agree(recorded, written, rest):
            kept = rest
    return kept


def _agree(recorded: Any, written: Any, rules: Sequence[Rule]) -> bool:
    return difference(normalized(recorded, rules), normalized(written, rules)) is None
