"""A row of the table of refusals, and how it is looked up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

__all__ = ["ALL", "Json", "Models", "Paths", "Refusal", "refuses"]

Json = dict[str, Any]
Paths = Iterable[str]
Find = Callable[[Json], Paths]


class Models(NamedTuple):
    """Some models: how a page calls them, and a pattern that their names have."""

    text: str
    pattern: str


ALL = Models("all", "")


@dataclass(frozen=True)
class Refusal:
    """One thing that an API refuses, though its types allow it."""

    wire: str
    name: str
    """What has to hold, as the function is called."""
    hosts: frozenset[str]
    """The dialects of the wire that it was seen at; empty for all."""
    models: Models
    says: str
    """The error of the API, or what its pages say, as far as it is known."""
    source: str
    """Where that was reported or is written, and when."""
    seen: str
    """The name of a model that it was seen for."""
    taken: str
    """A body that the API takes."""
    refused: str
    """The same body, with what it refuses."""
    find: Callable[[Json], Paths]
    """Yields the paths in a body of what the API refuses."""

    def concerns(self, wire: str, host: str, model: str) -> bool:
        """Whether the row is about this wire, at this host, for this model."""
        return (
            self.wire == wire
            and (not self.hosts or host in self.hosts)
            and re.search(self.models.pattern, model) is not None
        )


def refuses(
    wire: str,
    says: str,
    source: str,
    *,
    seen: str,
    taken: str,
    refused: str,
    hosts: str = "",
    models: Models = ALL,
) -> Callable[[Find], Find]:
    """Make a row of a function from a body to the paths of what is refused; see `Refusal`.

    The function keeps its rows in `rows`: it may have several, of other wires or models.
    """

    def added(find: Find) -> Find:
        name = find.__name__.replace("_", " ")
        known = frozenset(hosts.split())
        row = Refusal(wire, name, known, models, says, source, seen, taken, refused, find)
        vars(find).setdefault("rows", []).append(row)
        return find

    return added
