"""What was used lately: bounded in number, in memory and in age."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class _Entry(NamedTuple, Generic[_Value]):
    value: _Value
    size: int
    used: float


class Recent(Generic[_Key, _Value]):
    """A mapping that forgets what has not been used for the longest time; not thread-safe.

    `forgotten` is called with each entry that goes.
    """

    def __init__(
        self,
        most: int,
        most_bytes: int,
        most_seconds: float,
        forgotten: Callable[[_Key, _Value], None] | None = None,
    ) -> None:
        self._most, self._most_bytes, self._most_seconds = most, most_bytes, most_seconds
        self._forgotten = forgotten
        self._entries: OrderedDict[_Key, _Entry[_Value]] = OrderedDict()
        self._now = time.monotonic
        self.size: int = 0

    def __len__(self) -> int:
        """Return how many entries there are."""
        return len(self._entries)

    def get(self, key: _Key) -> _Value | None:
        """Return an entry, which is then the last one used."""
        now = self._forget_old()
        found = self._entries.get(key)
        if found is None:
            return None
        self._entries[key] = found._replace(used=now)
        self._entries.move_to_end(key)
        return found.value

    def put(self, key: _Key, value: _Value, size: int) -> None:
        """Add or replace an entry that takes so many bytes."""
        now = self._forget_old()
        self.drop(key)
        self._entries[key] = _Entry(value, size, now)
        self.size += size
        while self._entries and (len(self) > self._most or self.size > self._most_bytes):
            self.drop(next(iter(self._entries)))

    def _forget_old(self) -> float:
        """Forget what has not been used for too long; return the time."""
        now = self._now()
        while self._entries:
            oldest, entry = next(iter(self._entries.items()))
            if now - entry.used <= self._most_seconds:
                break
            self.drop(oldest)
        return now

    def drop(self, key: _Key) -> None:
        """Forget an entry, if it is there."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self.size -= entry.size
            if self._forgotten is not None:
                self._forgotten(key, entry.value)

    def clear(self) -> None:
        """Forget all."""
        for key in list(self._entries):
            self.drop(key)
