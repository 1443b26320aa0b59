"""Where the entries of a session stand: the ids, times and parents that they had, or new ones.

Nothing here is random and nothing asks what time it is: the same messages make the same entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from ... import model
from .._mapping import Keys, spelled
from .._records import Record
from . import session
from .block_reading import API
from .reading import ENTRY, NOBODY, Served

__all__ = ["Place", "Tree", "place_of", "text_id"]


class Place(Struct):
    """Where an entry stood in the file that it came from; see `reading`."""

    type: str | None = None
    id: str | None = None
    timestamp: float | None = None
    parent_id: str | None = None
    cut: bool = False
    loose: str | None = None


_read = msgspec.json.Decoder(Place).decode


def place_of(spelling: Keys) -> Place | None:
    """Return where a message stood, None if it comes from elsewhere."""
    return _read(spelling[ENTRY]) if ENTRY in spelling else None


class Tree:
    """The entries written so far, of those that `messages` become."""

    def __init__(self, messages: Sequence[Any] = ()) -> None:
        self._all = messages
        self._taken: set[str] | None = None
        """Ids that entries have, or will have; None before the first is made."""
        self.count: int = 0
        """How many entries there are."""
        self._number = 0
        """The last of the numbers that ids were made of."""
        self._seen: dict[str | None, Served] = {}
        """Entries, by id, and who answers after them."""
        self._next: dict[str | None, str] = {}
        """Entries, by id -> the new one that stands between them and what followed them."""
        self._renamed: dict[str, str] = {}
        """Ids that an earlier entry had too -> the new id of the last entry that had it."""
        self._left_out: dict[str, tuple[str | None, str | None]] = {}
        """Entries that have been left out, by id -> what stands before and after the gap."""
        self._above: dict[str, tuple[str | None, bool]] = {}
        """Entries, by id -> their parents, and whether those are others than they came with."""
        self._has_moved: bool = False
        self._missing: set[str] = set()
        """Parents that were in no file; an entry that gets such an id has children already."""
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
        """Give an entry the place that it had, or the next; before an answer, who made it.

        What followed an entry that has been left out follows the entry before it, and what
        followed one that has a new entry after it follows that. An entry whose id another has
        is a new one. `served` is None for what is no answer.
        """
        copied = None
        if place is not None:
            time = place.timestamp
            if place.id in self._seen:
                copied, place = place.id, None
        elif time is None:
            time = self._now
        parent = self._leaf if place is None else self._parent(place)
        if place is not None and place.id in self._missing and self._goes_round(place, parent):
            copied, place, parent = place.id, None, self._leaf
        before = self._leaf
        made = []
        if served is not None and served != self._seen.get(parent, NOBODY):
            change = session.ModelChangeEntry(
                id=self._new_id(),
                timestamp=time,
                parent_id=parent,
                model_id=served[0] or "",
                provider_id=served[1] or "",
            )
            parent = change.id
            made.append(change)
            self.note(change)
        entry.timestamp, entry.parent_id = time, parent
        if place is not None:
            entry.id = place.id
        else:
            entry.id = own_id or self._new_id()
            if before is not None:
                self._next[before] = entry.id
            if copied is not None:
                self._renamed[copied] = entry.id
        elsewhere = None if place is None or place.cut else place.parent_id
        if elsewhere is not None and elsewhere not in self._seen:
            self._left_out.setdefault(elsewhere, (parent, entry.id))
        self.note(entry, place is None or parent != place.parent_id)
        return [*made, entry]

    def _parent(self, place: Place) -> str | None:
        """Return what an entry follows that brings its place along."""
        parent = place.parent_id
        if place.cut or (parent is None and not self.count):
            return parent
        if parent is None or parent not in self._seen:
            return self._leaf
        return self._last(self._renamed.get(parent, parent))

    def _goes_round(self, place: Place, parent: str | None) -> bool:
        """Whether entries of several files would follow each other in a circle.

        One that is in a file itself comes back as it was.
        """
        # One that is cut off had no parent in its own file.
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
        for each in passed:  # so that the next entry need not go all that way
            self._next[each] = entry_id
        return entry_id

    def now_called(self, entry_id: str) -> str | None:
        """Return the id that an entry has been written with, None if it has not been."""
        return self._renamed.get(entry_id, entry_id) if entry_id in self._seen else None

    def around(self, entry_id: str, place: Place | None) -> tuple[str | None, str | None] | None:
        """Return what stands before and after an entry that has been left out, if that is known.

        `place` is that of an entry which is yet to be written, and may be what followed it.
        """
        if place is not None and place.parent_id == entry_id:
            return self._leaf, None
        return self._left_out.get(entry_id)

    def note(self, entry: Any, is_moved: bool = True) -> None:
        """Keep in mind what follows from an entry for those after it."""
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
        if type(entry) is session.ModelChangeEntry:
            now = (entry.model_id or None, entry.provider_id or None)
        self._seen[entry.id] = now
        self._above[entry.id] = entry.parent_id, is_moved
        self._leaf = entry.target_id if type(entry) is session.LeafEntry else entry.id
        if self._leaf is not None and self._leaf not in self._seen:
            self._missing.add(self._leaf)  # what comes next will be its child

    def _new_id(self) -> str:
        """Return the next id that no entry has: eight digits that count the entries."""
        if self._taken is None:
            self._taken = {found for entry in self._all for found in _ids_of(entry)}
        self._number = max(self._number, self.count) + 1
        while (made := f"{self._number:08x}") in self._taken:
            self._number += 1
        return made


def text_id(value: str | int | None) -> str | None:
    """Return an id as the text that it is in Operator-Use."""
    return None if value is None else str(value)


def _ids_of(entry: Any) -> list[str]:
    """Return the ids that an entry brings along, and those of entries that there are not."""
    if isinstance(entry, Record):
        found = [getattr(entry, "id", None), getattr(entry, "parent_id", None)]
        return [each for each in found if each is not None]
    message = getattr(entry, "message", entry)
    found = [text_id(message.id)] if type(message) in _ENTRIES else []
    place = place_of(spelled(getattr(message, "extras", None), API))
    if place is not None:
        found += [place.id, place.parent_id, place.loose]
    return [each for each in found if each is not None]


_ENTRIES: Final = frozenset(
    {model.CustomMessage, model.BranchSummaryMessage, model.CompactionSummaryMessage}
)
