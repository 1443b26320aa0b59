"""A row of the table of what clients want, and how it is looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Json", "Kind", "Paths", "Want", "wants"]

Json = dict[str, Any]
Paths = Iterable[str]
Kind = Literal["answer", "stream"]


@dataclass(frozen=True)
class Want:
    """One thing that a client needs of an answer, though the types of the wire do not say so."""

    wire: str
    kind: Kind
    name: str
    """What has to hold, as the function is called."""
    client: str
    """Which client, and what it does else."""
    source: str
    """Where that was reported or is written, and when."""
    kept: str
    """An answer that is as wanted; of a stream, the list of its events."""
    broken: str
    """The same without."""
    find: Callable[[Any], Paths]
    """Yields the paths of what is wrong: of an answer, or of a list of events."""


def wants(
    wire: str, kind: Kind, client: str, source: str, *, kept: str, broken: str
) -> Callable[[Callable[[Any], Paths]], Want]:
    """Make a row of a function from an answer, or from events, to the paths of what is wrong."""

    def row(find: Callable[[Any], Paths]) -> Want:
        name = find.__name__.replace("_", " ")
        return Want(wire, kind, name, client, source, kept, broken, find)

    return row
