"""What a wire cannot carry: the record of it, and the one policy for all wires.

With `losses=None` the first loss raises `LossError`. With a list, the documented fallback is taken
and a `Loss` appended, up to `MOST_LOSSES` for one document. With a `LossList`, a request with a
severe loss raises too, unless it is allowed. Content that by design never goes to an LLM
(timestamps, usage, session-only messages) is not a loss.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import Final

from msgspec import Struct

from .errors import LossError, quoted

__all__ = [
    "MOST_LOSSES",
    "Loss",
    "LossList",
    "Losses",
    "lose",
    "lost_so_far",
    "untold",
    "with_names",
]


class Loss(Struct, frozen=True, omit_defaults=True):
    """One thing that the other wire could not carry.

    `path` is its place in the source (`$.messages[3].content[0]`), `what` names it in a word or two
    (`audio`), `why` is the reason and the fallback taken. `severe` says that the request now asks
    for something else, so that an answer to it would mislead: a gateway refuses it.

    `keys` are the names of the keys that went, if keys are what was lost: in the order in which
    they came, at most 64, each cut at 100 characters. `more_keys` is how many there were beyond.
    """

    path: str
    what: str
    why: str
    severe: bool = False
    keys: tuple[str, ...] = ()
    more_keys: int = 0

    def __str__(self) -> str:
        """Return `what: why - at `path``, with at most eight of the keys after the reason."""
        return f"{self.what}: {with_names(self.why, self.keys, self.more_keys)} - at `{self.path}`"


Losses = list[Loss] | None


class LossList(list[Loss]):
    """A list to pass as `losses`, by which a request with a severe loss raises `LossError`.

    A plain list takes the fallback for every loss, and leaves it to you to look for severe ones.
    `allow` names the severe losses whose fallback you want as well, by their `what`. When the error
    is raised, the list has all losses of the request.
    """

    def __init__(self, losses: Iterable[Loss] = (), *, allow: Iterable[str] = ()) -> None:
        super().__init__(losses)
        self.allow: frozenset[str] = frozenset([allow] if isinstance(allow, str) else allow)

    def check(self, known: int, wire: str) -> None:
        """Raise `LossError` for the first severe loss after `known` ones that is not allowed."""
        for loss in islice(self, known, None):
            if loss.severe and loss.what not in self.allow:
                why = with_names(loss.why, loss.keys, loss.more_keys)
                reason = f"{loss.what}: {why}; add `{loss.what}` to `allow` to take the fallback"
                raise LossError(reason, wire=wire, path=loss.path)


MOST_LOSSES: Final = 10_000
"""How many losses one document, or one frame of a stream, may have. One with more is refused."""


_MOST_KEYS: Final = 64
_LONGEST_KEY: Final = 100
_MOST_SHOWN: Final = 8
_STEP: Final = "pass a list as `losses`, and read it"


def with_names(why: str, keys: Collection[str], more: int = 0) -> str:
    """Return the reason of a loss with the first of the keys that were lost, if there are any."""
    if not keys:
        return why
    more += max(len(keys) - _MOST_SHOWN, 0)
    names = ", ".join(map(quoted, islice(keys, _MOST_SHOWN)))
    reason, mark, fallback = why.partition("; ")
    return f"{reason} ({names}{f' and {more:,} more' if more else ''}){mark}{fallback}"


def untold(
    told: dict[tuple[str, str | None], set[str]], loss: tuple[str, str | None], keys: Iterable[str]
) -> list[str] | None:
    """Return those of `keys` that no loss of a stream has named, None if nothing is new.

    `loss` is the loss and the name of the event. Each is told once, and again for new keys, up to
    64 of them.
    """
    known = told.get(loss)
    if known is None:
        told[loss] = {*keys}
        return [*keys]
    if len(known) >= _MOST_KEYS:
        return None
    new = [key for key in keys if key not in known]
    known.update(new)
    return new or None


def lost_so_far(losses: Losses) -> int:
    """Return how many losses a caller's list holds. Raises `TypeError` for anything but a list."""
    if losses is None:
        return 0
    if losses.__class__ is not list and not isinstance(losses, list):
        kind = type(losses).__name__
        raise TypeError(f"losses of type `{kind}`, expected a list, or None")
    return len(losses)


def lose(
    losses: Losses,
    wire: str,
    path: str,
    what: str,
    why: str,
    known: int | None = None,
    *,
    severe: bool = False,
    keys: Collection[str] = (),
) -> None:
    """Record a loss, or raise `LossError` when there is no list to record it in.

    `known` is how many losses the list held before the document; with more than `MOST_LOSSES` since
    then it raises too. `keys` are the names of all keys that are lost.
    """
    if losses is None:
        raise LossError(f"{what}: {with_names(why, keys)}; {_STEP}", wire=wire, path=path)
    if known is not None and len(losses) - known >= MOST_LOSSES:
        raise LossError(f"more than {MOST_LOSSES:,} losses", wire=wire, path=path)
    if not keys:
        losses.append(Loss(path, what, why, severe))
        return
    names = tuple(_cut(key) for key in islice(keys, _MOST_KEYS))
    losses.append(Loss(path, what, why, severe, names, len(keys) - len(names)))


def _cut(key: str) -> str:
    return key if len(key) <= _LONGEST_KEY else f"{key[: _LONGEST_KEY - 3]}..."
