"""The verdicts -> the rows of the table, by API and direction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from .apis import Root, roots
from .elements import elements
from .judge import Judge, Verdict


def judged(wanted: Iterable[Root] | None = None) -> Iterator[Verdict]:
    """Yield the verdict of each element of the APIs."""
    for root in wanted or roots():
        judge = Judge(root)
        yield from map(judge, elements(root))
