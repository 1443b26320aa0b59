"""What a wire cannot carry: the record of it, and the one policy for all wires.

With `losses=None` the first loss raises `LossError`. With a list, the documented fallback is taken
and a `Loss` appended, up to `MOST_LOSSES` for one document. Content that by design never goes to an
LLM (timestamps, usage, session-only messages) is not a loss.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from .errors import LossError

__all__ = ["MOST_LOSSES", "Loss", "Losses", "lose", "lost_so_far"]


class Loss(Struct, frozen=True):
    """One thing that the other wire could not carry.

    `path` is its place in the source (`$.messages[3].content[0]`), `what` names it in a word or two
    (`audio`), `why` is the reason and the fallback taken. `severe` says that the request now asks
    for something else, so that an answer to it would mislead: a gateway refuses it.
    """

    path: str
    what: str
    why: str
    severe: bool = False

    def __str__(self) -> str:
        """Return `what: why - at `path``."""
        return f"{self.what}: {self.why} - at `{self.path}`"


Losses = list[Loss] | None


MOST_LOSSES: Final = 10_000
"""How many losses one document, or one frame of a stream, may have. One with more is refused."""


_STEP: Final = "pass losses=[] to take the fallback"


def lost_so_far(losses: Losses) -> int:
    """Return how many losses a caller's list holds. Raises `TypeError` for anything but a list."""
    if losses is None:
        return 0
    if losses.__class__ is not list and not isinstance(losses, list):
        kind = type(losses).__name__
        raise TypeError(f"losses of type `{kind}`, expected a list (`losses=[]`), or None")
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
) -> None:
    """Record a loss, or raise `LossError` when there is no list to record it in.

    `known` is how many losses the list held before the document; with more than `MOST_LOSSES` since
    then it raises too.
    """
    if losses is None:
        raise LossError(f"{what}: {why}; {_STEP}", wire=wire, path=path)
    if known is not None and len(losses) - known >= MOST_LOSSES:
        raise LossError(f"more than {MOST_LOSSES:,} losses", wire=wire, path=path)
    losses.append(Loss(path, what, why, severe))
