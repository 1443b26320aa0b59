"""What a wire cannot carry: the record of it, and the one policy for all wires.

With `losses=None` the first loss raises `LossError`. With a list, the documented fallback is taken
and a `Loss` appended. Content that by design never goes to an LLM (timestamps, usage, session-only
messages) is not a loss.
"""

from __future__ import annotations

from msgspec import Struct

from .errors import LossError

__all__ = ["Loss", "Losses", "lose"]


class Loss(Struct, frozen=True):
    """One thing that the other wire could not carry.

    `path` is its place in the source (`$.messages[3].content[0]`), `what` names it in a word or two
    (`audio`), `why` is the reason and the fallback taken.
    """

    path: str
    what: str
    why: str

    def __str__(self) -> str:
        """Return `what: why - at `path``."""
        return f"{self.what}: {self.why} - at `{self.path}`"


Losses = list[Loss] | None


def lose(losses: Losses, wire: str, path: str, what: str, why: str) -> None:
    """Record a loss, or raise `LossError` when there is no list to record it in."""
    if losses is None:
        raise LossError(f"{what}: {why}", wire=wire, path=path)
    losses.append(Loss(path, what, why))
