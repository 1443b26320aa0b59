"""A row of the table of refusals, and how it is looked up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

__all__ = ["ALL", "ONE_OBJECT", "ROWS", "Json", "Models", "Paths", "Refusal", "refuses"]

Json = dict[str, Any]
Paths = Iterable[str]
Find = Callable[[Json], Paths]


class Models(NamedTuple):
    """Some models: how a page calls them, and a pattern that their names have."""

    text: str
    pattern: str


ALL = Models("all", "")
ONE_OBJECT = (
    "one object that accepts everything that one of the alternatives accepts; a reference into the"
    " union becomes its target"
)
"""What is sent for a schema that is a union."""


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
    """The error of the API, or what its pages say, as far as it is known.

    What nobody has quoted begins with `refuses`, in our words.
    """
    source: str
    """Where that was reported or is written, and when."""
    seen: str
    """The name of a model that it was seen for."""
    taken: str
    """A body that the API takes."""
    refused: str
    """The same body, with what it refuses."""
    sent: str
    """What wireglot sends in its place, in plain words."""
    find: Callable[[Json], Paths]
    """Yields the paths in a body of what the API refuses."""

    def concerns(self, wire: str, host: str, model: str) -> bool:
        """Whether the row is about this wire, at this host, for this model."""
        return (
            self.wire == wire
            and (not self.hosts or host in self.hosts)
            and re.search(self.models.pattern, model) is not None
        )


ROWS: list[Refusal] = []
"""What the modules that are imported have made, in their order."""


def refuses(
    wire: str,
    says: str,
    source: str,
    *,
    sent: str,
    seen: str,
    taken: str,
    refused: str,
    hosts: str = "",
    models: Models = ALL,
) -> Callable[[Find], Find]:
    """Make a row of a function from a body to the paths of what is refused; see `Refusal`.

    The row goes into `ROWS`. A function may have several, of other wires or models.
    """

    def added(find: Find) -> Find:
        name = find.__name__.replace("_", " ")
        known = frozenset(hosts.split())
        row = Refusal(wire, name, known, models, says, source, seen, taken, refused, sent, find)
        ROWS.append(row)
        return find

    return added
