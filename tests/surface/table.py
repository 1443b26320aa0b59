"""The verdicts -> the rows of the table, by API and direction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from .apis import Root, roots
from .elements import elements
from .judge import Judge, Verdict


def judged(wanted: Iterable[Root] | None = None) -> Iterator[Verdict]:
    """Yield the verdict of each element of the APIs."""
    known: dict[tuple[str, str], set[str]] = {}
    for root in wanted or roots():
        judge = Judge(root)
        before = known.setdefault((root.wire, root.part), set())
        for element in elements(root):
            name = f"{element.region} {element.name}".replace("Beta", "")
            if not root.api.endswith(" beta") or name not in before:
                before.add(name)
                yield judge(element)
