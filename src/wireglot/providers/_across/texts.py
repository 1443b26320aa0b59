"""Several texts -> one, on a wire that has one where others have blocks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_GOES_ON: Final = frozenset(",.;:!?)]}%\u2019\u201d\u3001\u3002\uff0c")
"""What a sentence goes on with: no line begins so."""


def glue(before: str, after: str) -> str:
    """Return what comes between two texts: a line feed, unless they are parts of one sentence.

    An API that cites has each cited part of a sentence in a text of its own.
    """
    if not before or not after or before[-1].isspace() or after[0].isspace():
        return ""
    return "" if after[0] in _GOES_ON else "\n"


def joined(texts: Iterable[str]) -> str:
    """Return texts as one."""
    out: list[str] = []
    for text in texts:
        if out:
            out.append(glue(out[-1], text))
        out.append(text)
    return "".join(out)
