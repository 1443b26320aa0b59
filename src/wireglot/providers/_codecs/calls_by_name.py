"""Calls without ids: which result belongs to which call, and the ids for other wires.

A result is matched to a call by name, and where that is not enough by order. Readers match them so;
writers check that a reader would find the right call.
"""

from __future__ import annotations

from collections import deque

from msgspec import Struct


class Call(Struct):
    """A call: `id` is the canonical id, `sent` the one on the wire, if any."""

    id: str
    name: str
    sent: str | None
    is_answered: bool = False


class CallsByName:
    """Calls that wait for a result, indexed by what a result can say about its call.

    Every access is a lookup, not a search, because a body may have very many calls.
    """

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._ids: dict[str, Call] = {}
        self._queued = 0  # how many of the calls are in queues
        self._queues: dict[tuple[str, str | None], deque[Call]] = {}

    def add(self, call: Call) -> None:
        """Note a call."""
        self._calls.append(call)
        if call.sent is not None:
            self._ids.setdefault(call.sent, call)

    def answered(self, wire_id: str | None, name: str | None) -> Call | None:
        """Take the call of a result: by its id, else by its name, else the next one.

        Among calls of one name, those without an id come first. A result with an id never takes a
        call with another id.
        """
        if wire_id is not None:
            call = self._ids.get(wire_id)
            if call is not None and not call.is_answered:
                call.is_answered = True
                return call
            return self._next(("id", wire_id), ("bare", name), ("bare", None))
        return self._next(("bare", name), ("name", name), ("any", None))

    def _next(self, *keys: tuple[str, str | None]) -> Call | None:
        """Take the first call without a result, under the first of these keys that has one."""
        self._queue()
        for key in keys:
            queue = self._queues.get(key, ())
            while queue:
                call = queue.popleft()
                if not call.is_answered:
                    call.is_answered = True
                    return call
        return None

    def _queue(self) -> None:
        """Queue the calls that were added. Not reached if all calls and results have unique ids."""
        for call in self._calls[self._queued :]:
            keys = [("name", call.name), ("any", None)]
            if call.sent is None:
                keys += [("bare", call.name), ("bare", None)]
            else:
                keys.append(("id", call.sent))  # for later calls with the same id
            for key in keys:
                self._queues.setdefault(key, deque()).append(call)
        self._queued = len(self._calls)
