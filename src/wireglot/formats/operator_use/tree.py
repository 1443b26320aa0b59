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
        self._count = 0
        self._seen: dict[str | None, Served] = {}
        """Entries, by id, and who answers after them."""
        self._next: dict[str | None, str] = {}
        """Entries, by id -> the new one that stands between them and what followed them."""
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
        served: Served = NOBODY,
    ) -> list[Any]:
        """Give an entry the place that it had, or the next; before an answer, who made it.

        What followed an entry that has been left out follows the entry before it, and what
        followed one that has a new entry after it follows that.
        """
        parent = self._leaf
        if place is not None:
            if place.cut or (place.parent_id is None and not self._count):
                parent = place.parent_id
            elif place.parent_id in self._seen:
                parent = place.parent_id
                while parent in self._next:
                    parent = self._next[parent]
        if place is not None:
            time = place.timestamp
        elif time is None:
            time = self._now
        before = self._leaf
        made = []
        if served not in (NOBODY, self._seen.get(parent, NOBODY)):
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
        self.note(entry)
        return [*made, entry]

    def note(self, entry: Any) -> None:
        """Keep in mind what follows from an entry for those after it."""
        self._count += 1
        if entry.timestamp is not None:
            self._now = entry.timestamp
        if entry.id is None:
            return
        now = self._seen.get(entry.parent_id, NOBODY)
        if type(entry) is session.ModelChangeEntry:
            now = (entry.model_id or None, entry.provider_id or None)
        self._seen[entry.id] = now
        self._leaf = entry.target_id if type(entry) is session.LeafEntry else entry.id

    def _new_id(self) -> str:
        """Return the next id that no entry has: eight digits that count the entries."""
        if self._taken is None:
            self._taken = {found for entry in self._all if (found := _id_of(entry)) is not None}
        number = self._count + 1
        while (made := f"{number:08x}") in self._taken:
            number += 1
        self._taken.add(made)
        return made


def text_id(value: str | int | None) -> str | None:
    """Return an id as the text that it is in Operator-Use."""
    return None if value is None else str(value)


def _id_of(entry: Any) -> str | None:
    """Return the id that an entry brings along."""
    if isinstance(entry, Record):
        return getattr(entry, "id", None)
    message = getattr(entry, "message", entry)
    spelling = spelled(getattr(message, "extras", None), API)
    place = place_of(spelling)
    if place is not None and place.id is not None:
        return place.id
    is_entry = type(message) in _ENTRIES
    return text_id(message.id) if is_entry else None


_ENTRIES: Final = frozenset(
    {model.CustomMessage, model.BranchSummaryMessage, model.CompactionSummaryMessage}
)
