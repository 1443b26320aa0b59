"""The tree of a session's entries: the way to one of them, and the places of those yet to write.

An entry that is written has the id, time and parent that it had, or new ones. Nothing here is
random, and nothing reads the clock: the same messages make the same entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from ... import model
from ...errors import DecodeError, EncodeError, quoted
from ...model import AgentMessage as CanonicalMessage
from ...model import ThinkingLevel
from .._mapping import Keys, spelled
from .._records import Record
from . import types as own
from .system import API, WIRE

__all__ = [
    "ENTRY",
    "NOBODY",
    "Place",
    "Served",
    "SessionContext",
    "Tree",
    "branch",
    "kept_of",
    "path_to",
    "place_of",
    "text_id",
]

ENTRY: Final = "(entry)"
"""The key of what is around a message: the place in the spelling, other fields in the keys."""
Served = tuple[str | None, str | None]
"""Model and provider."""
NOBODY: Final[Served] = (None, None)


# -- the way to an entry ---------------------------------------------------------------------------


class SessionContext(Struct):
    """The context that a conversation continues with: canonical messages, and settings.

    Summaries are user messages in it; see `context`.
    """

    messages: list[CanonicalMessage]
    thinking_level: ThinkingLevel = ThinkingLevel.OFF
    model_id: str | None = None
    provider_id: str | None = None


def branch(entries: Iterable[Any], leaf: str | None = None) -> list[own.SessionEntry]:
    """Return the entries from the root to `leaf`, by default to the session's current leaf.

    The path stops at a missing parent, as it does in Operator-Use.

    Raises `EncodeError` if there is no entry `leaf`, `DecodeError` if the parents form a circle.
    """
    given = list(entries)
    return [given[i] for i in path_to(given, leaf)]


def path_to(entries: Sequence[Any], leaf: str | None) -> list[int]:
    """Return the indexes of `branch`."""
    places: dict[str, int] = {}
    last: str | None = None
    for i, entry in enumerate(entries):
        if type(entry) is own.SessionHeader or entry.id is None:
            continue
        places[entry.id] = i
        last = entry.target_id if type(entry) is own.LeafEntry else entry.id
    if leaf is not None and leaf not in places:
        raise EncodeError(f"unknown entry {quoted(leaf)}, expected the id of one", wire=WIRE)
    path: list[int] = []
    passed: set[str] = set()
    at = last if leaf is None else leaf
    while at is not None and at in places:
        i = places[at]
        if at in passed:
            where = f"$[{path[-1]}].parent_id"
            raise DecodeError("entry among its own parents, expected a tree", wire=WIRE, path=where)
        passed.add(at)
        path.append(i)
        at = entries[i].parent_id
    path.reverse()
    return path


def kept_of(entries: Sequence[Any], path: Sequence[int]) -> list[int]:
    """Return the indexes of the entries on a path that belong to the model's context.

    If the path has compactions: the summary of the last one, the entries that it kept, and those
    that followed.
    """
    compactions = [n for n, i in enumerate(path) if type(entries[i]) is own.CompactionEntry]
    if not compactions:
        return [i for i in path if type(entries[i]) in _IN_CONTEXT]
    last = compactions[-1]
    summary = entries[path[last]]
    first = (n for n in range(last) if entries[path[n]].id == summary.first_kept_entry_id)
    kept = [*path[next(first, last) : last], *path[last + 1 :]]
    return [path[last], *(i for i in kept if type(entries[i]) in _IN_CONTEXT)]


_IN_CONTEXT: Final = frozenset({own.MessageEntry, own.CustomMessageEntry, own.BranchEntry})


# -- the places of entries -------------------------------------------------------------------------


class Place(Struct):
    """The place of an entry in the file that it came from."""

    type: str | None = None
    id: str | None = None
    timestamp: float | None = None
    parent_id: str | None = None
    cut: bool = False
    loose: str | None = None


_read = msgspec.json.Decoder(Place).decode


def place_of(spelling: Keys) -> Place | None:
    """Return the place that a message had, None if it comes from another system."""
    return _read(spelling[ENTRY]) if ENTRY in spelling else None


class Tree:
    """The entries written so far. `messages` are all those that become entries."""

    def __init__(self, messages: Sequence[Any] = ()) -> None:
        self._all = messages
        self._taken: set[str] | None = None
        """Ids that entries have, or will have; None before the first is made."""
        self.count: int = 0
        """How many entries there are."""
        self._number = 0
        """The last number that an id was made of."""
        self._seen: dict[str | None, Served] = {}
        """Entry id -> the model and provider that answer after it."""
        self._next: dict[str | None, str] = {}
        """Entry id -> the new entry inserted between it and the entries that followed it."""
        self._renamed: dict[str, str] = {}
        """Id that an earlier entry had too -> the new id of the last entry that came with it."""
        self._left_out: dict[str, tuple[str | None, str | None]] = {}
        """Id of an entry that was left out -> the entries before and after the gap."""
        self._above: dict[str, tuple[str | None, bool]] = {}
        """Entry id -> its parent, and whether it came with another parent."""
        self._has_moved: bool = False
        self._missing: set[str] = set()
        """Parents not written so far; an entry that gets such an id has children already."""
        self._leaf: str | None = None
        self._now: float | None = None

    def __contains__(self, entry_id: object) -> bool:
        """Whether an entry of this id has been written."""
        return entry_id in self._seen

    def put(
        self,
        entry: Any,
        place: Place | None,
        time: float | None = None,
        own_id: str | None = None,
        served: Served | None = None,
    ) -> list[Any]:
        """Give an entry the place that it had, or the next; add a model change before an answer.

        If the parent was left out, the entry follows the current leaf; if new entries were
        inserted after the parent, it follows the last of them. An entry whose id is taken is
        treated as new. `served`, the model and provider, is None unless the entry is an answer.
        """
        former_id = None
        if place is not None:
            time = place.timestamp
            if place.id in self._seen:
                former_id, place = place.id, None
        elif time is None:
            time = self._now
        parent = self._leaf if place is None else self._parent(place)
        if place is not None and place.id in self._missing and self._goes_round(place, parent):
            former_id, place, parent = place.id, None, self._leaf
        before = self._leaf
        entries = []
        if served is not None and served != self._seen.get(parent, NOBODY):
            change = own.ModelChangeEntry(
                id=self._new_id(),
                timestamp=time,
                parent_id=parent,
                model_id=served[0] or "",
                provider_id=served[1] or "",
            )
            parent = change.id
            entries.append(change)
            self.note(change)
        entry.timestamp, entry.parent_id = time, parent
        if place is not None:
            entry.id = place.id
        else:
            entry.id = own_id or self._new_id()
            if before is not None:
                self._next[before] = entry.id
            if former_id is not None:
                self._renamed[former_id] = entry.id
        elsewhere = None if place is None or place.cut else place.parent_id
        if elsewhere is not None and elsewhere not in self._seen:
            self._left_out.setdefault(elsewhere, (parent, entry.id))
        self.note(entry, place is None or parent != place.parent_id)
        return [*entries, entry]

    def _parent(self, place: Place) -> str | None:
        """Return the parent of an entry that brings its place along."""
        parent = place.parent_id
        if place.cut or (parent is None and not self.count):
            return parent
        if parent is None or parent not in self._seen:
            return self._leaf
        return self._last(self._renamed.get(parent, parent))

    def _goes_round(self, place: Place, parent: str | None) -> bool:
        """Whether entries of several files together would form a circle of parents.

        A circle that one file already had is kept as it was.
        """
        # The parent of an entry that is cut off was not in its own file.
        is_moved = parent != place.parent_id or (place.cut and parent in self._seen)
        if not (is_moved or self._has_moved):
            return False
        passed: set[str] = set()
        while parent is not None and parent in self._above and parent not in passed:
            passed.add(parent)
            parent, is_new = self._above[parent]
            is_moved = is_moved or is_new
        return is_moved and parent == place.id

    def is_free(self, entry_id: str) -> bool:
        """Whether an entry from elsewhere may have this id."""
        return entry_id not in self._seen and entry_id not in self._missing

    def _last(self, entry_id: str) -> str:
        """Return the last of the new entries after an entry, or the entry itself."""
        passed = []
        while entry_id in self._next:
            passed.append(entry_id)
            entry_id = self._next[entry_id]
        for each in passed:  # shortens the way for later entries
            self._next[each] = entry_id
        return entry_id

    def now_called(self, entry_id: str) -> str | None:
        """Return the id that an entry was written with, None if it has not been written."""
        return self._renamed.get(entry_id, entry_id) if entry_id in self._seen else None

    def around(self, entry_id: str, place: Place | None) -> tuple[str | None, str | None] | None:
        """Return the entries before and after one that was left out, None if they are unknown.

        `place` is that of an entry yet to be written, which may have followed it.
        """
        if place is not None and place.parent_id == entry_id:
            return self._leaf, None
        return self._left_out.get(entry_id)

    def note(self, entry: Any, is_moved: bool = True) -> None:
        """Record what later entries need to know of an entry."""
        if entry.parent_id is not None and entry.parent_id not in self._seen:
            self._missing.add(entry.parent_id)
        self.count += 1
        if is_moved:
            self._has_moved = True
        if entry.timestamp is not None:
            self._now = entry.timestamp
        if entry.id is None:
            return
        now = self._seen.get(entry.parent_id, NOBODY)
        if type(entry) is own.ModelChangeEntry:
            now = (entry.model_id or None, entry.provider_id or None)
        self._seen[entry.id] = now
        self._above[entry.id] = entry.parent_id, is_moved
        self._leaf = entry.target_id if type(entry) is own.LeafEntry else entry.id
        if self._leaf is not None and self._leaf not in self._seen:
            self._missing.add(self._leaf)  # what comes next will be its child

    def _new_id(self) -> str:
        """Return the next id that no entry has: eight hexadecimal digits that count the entries.

        Later entries count too. They keep the ids that others refer to, even if that changes the
        bytes of what comes before them.
        """
        if self._taken is None:
            self._taken = {found for entry in self._all for found in _ids_of(entry)}
        self._number = max(self._number, self.count) + 1
        while (made := f"{self._number:08x}") in self._taken:
            self._number += 1
        return made


def text_id(value: str | int | None) -> str | None:
    """Return an id as text, as Operator-Use has it."""
    return None if value is None else str(value)


def _ids_of(entry: Any) -> list[str]:
    """Return the ids that an entry has or refers to, even if no entry has them."""
    if isinstance(entry, Record):
        ids = [getattr(entry, "id", None), getattr(entry, "parent_id", None)]
        return [each for each in ids if each is not None]
    ids = [text_id(entry.id)] if type(entry) in _ENTRIES else []
    place = place_of(spelled(getattr(entry, "extras", None), API))
    if place is not None:
        ids += [place.id, place.parent_id, place.loose]
    return [each for each in ids if each is not None]


_ENTRIES: Final = frozenset(
    {model.CustomMessage, model.BranchSummaryMessage, model.CompactionSummaryMessage}
)
