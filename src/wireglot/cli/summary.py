"""The losses of many documents -> a few lines for standard error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from ..losses import Loss, with_names

__all__ = ["Summary", "mixed"]

_MOST_FAULTS: Final = 100
_MOST_NAMES: Final = 64


class Summary:
    """Counts of losses and notes, each with the first place where it was seen."""

    def __init__(self) -> None:
        self.documents: int = 0
        self.faults: int = 0
        self.wires: Counter[str] = Counter()
        """How many documents were of each wire."""
        self._said: list[str] = []
        self._losses: dict[tuple[str, str], tuple[int, str]] = {}
        self._keys: dict[tuple[str, str], dict[str, None]] = {}
        self._notes: dict[str, int] = {}

    def add(self, losses: Iterable[Loss], notes: Iterable[str], place: str = "") -> None:
        """Count what one document lost; `place` goes before its paths."""
        self.documents += 1
        for loss in losses:
            count, first = self._losses.get((loss.what, loss.why), (0, place + loss.path))
            self._losses[loss.what, loss.why] = count + 1, first
            if loss.keys:
                self._name(loss.what, loss.why, loss.keys)
        self.note(notes)

    def _name(self, what: str, why: str, keys: Iterable[str]) -> None:
        """Note the names of keys that were lost, at most `_MOST_NAMES` of one loss."""
        names = self._keys.setdefault((what, why), {})
        for key in islice(keys, max(_MOST_NAMES - len(names), 0)):
            names.setdefault(key)

    def note(self, notes: Iterable[str]) -> None:
        """Count what is not in the output by design."""
        for note in notes:
            self._notes[note] = self._notes.get(note, 0) + 1

    def fault(self, said: str) -> None:
        """Count a document that could not be converted, and why."""
        self.faults += 1
        if len(self._said) < _MOST_FAULTS:
            self._said.append(said)

    def merge(self, other: Summary) -> list[str]:
        """Add the counts of later documents; return the texts of their faults."""
        self.documents += other.documents
        self.faults += other.faults
        self.wires += other.wires
        for key, (count, first) in other._losses.items():
            seen, place = self._losses.get(key, (0, first))
            self._losses[key] = seen + count, place
        for (what, why), names in other._keys.items():
            self._name(what, why, names)
        for note, count in other._notes.items():
            self._notes[note] = self._notes.get(note, 0) + count
        return other._said

    def lines(self) -> Iterator[str]:
        """Yield the lines of the report, the most frequent losses first."""
        for note, count in self._notes.items():
            yield note if count == 1 else f"{count:,} x {note}"
        losses = sorted(self._losses.items(), key=lambda item: -item[1][0])
        for (what, why), (count, first) in losses:
            often = f"{count:,} x " if count > 1 else ""
            start = "first " if count > 1 else ""
            reason = with_names(why, self._keys.get((what, why), ()))
            yield f"lost: {often}{what}: {reason} - {start}at `{first}`"


def mixed(wires: Counter[str], name: str) -> Iterator[str]:
    """Yield what to say of an input whose lines or rows are of several wires."""
    if len(wires) > 1:
        counts = ", ".join(f"{count:,} of {wire}" for wire, count in wires.most_common())
        yield f"wireglot: {name}: documents of {len(wires)} wires: {counts}"
