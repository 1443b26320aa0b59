"""The outcome for one body on one wire, in a form that can be counted and printed."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

__all__ = ["Failure", "Refusal", "Verdict"]


class Failure(NamedTuple):
    """Something that the codec got wrong, and where."""

    kind: str
    """`crash`, `decode`, `encode`, `oracle`, `drop`, `difference` or `false loss`."""
    path: str
    message: str
    recorded: Any = None
    written: Any = None

    def shape(self) -> tuple[str, ...]:
        """Return what failures with the same cause share: the text without numbers and names."""
        message = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "`…`", self.message)
        words = (self.kind, self.path, message)
        return tuple(re.sub(r"\d+", "*", word) for word in words)


class Refusal(NamedTuple):
    """An expected `EncodeError`, or `DecodeError` for what is not a request, and its reason."""

    reason: str
    mended: bool
    """Whether `repair=True` got it through."""


class Verdict(NamedTuple):
    """The outcome for one sample on its own wire, or on `target`."""

    sample_id: str
    wire: str
    provider: str
    dialect: str
    target: str | None
    rules: tuple[str, ...] = ()
    refusal: Refusal | None = None
    failures: tuple[Failure, ...] = ()
