"""Calls without ids: which result is whose, and the ids that they get for other wires.

A result finds its call by its name, and where that is not enough by its place. Readers tie them so;
writers ask whether a reader would find the call that they mean.
"""

from __future__ import annotations

from collections import deque
from hashlib import blake2b

from msgspec import Struct

__all__ = ["Call", "Waiting", "prefix_of"]


class Call(Struct):
    """A call: `id` is the canonical one, `sent` the one that stands on the wire, if any."""

    id: str
    name: str
    sent: str | None
    is_answered: bool = False


class Waiting:
    """Calls by what a result can say of its own.

    Nothing is searched for, since a body may have very many calls.
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

    def answered(self, sent: str | None, name: str | None) -> Call | None:
        """Take the call of a result: that of its id, else of its name, else the next one.

        Of one name, calls without an id come first. Where the result has an id, no call with
        another is meant.
        """
        if sent is not None:
            call = self._ids.get(sent)
            if call is not None and not call.is_answered:
                call.is_answered = True
                return call
            return self._next(("id", sent), ("bare", name), ("bare", None))
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
        """Queue what was added. Where calls and results all say an id, nobody comes here."""
        for call in self._calls[self._queued :]:
            keys = [("name", call.name), ("any", None)]
            if call.sent is None:
                keys += [("bare", call.name), ("bare", None)]
            else:
                keys.append(("id", call.sent))  # for those behind the first of one id
            for key in keys:
                self._queues.setdefault(key, deque()).append(call)
        self._queued = len(self._calls)


def prefix_of(answer_id: str | None) -> str:
    """Return what the ids made for an answer's calls begin with.

    Programs take a call's id for unique in a conversation, so those of two answers must differ; an
    answer's own are the same whenever it is read.
    """
    if not answer_id:
        return "call_"
    digest = blake2b(answer_id.encode(errors="surrogatepass"), digest_size=6)
    return f"call_{digest.hexdigest()}_"
