"""The table of excuses: which canaries may vanish without a loss, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["EXCUSES", "Row", "is_excused"]

ANY = "*"
"""In the place of a key: every key of this one object, but for those that follow as `!key`."""


class Row(NamedTuple):
    """One key of one object, and where to it need not be carried: `own` or `others`."""

    kind: str
    wire: str
    to: str
    path: str
    key: str


def _rows(text: str) -> Iterator[tuple[Row, tuple[str, str]]]:
    sentence = ("", "")
    for line in text.splitlines():
        if line.startswith("> "):
            page, _, words = line[2:].partition(": ")
            sentence = (page, words)
        elif line and not line.startswith("#"):
            head, _, rest = line.partition("$")
            kind, wire, to, *event = head.split()
            place, _, keys = rest.partition(" ")
            path = " ".join([*event, f"${place}"])
            for key in keys.split():
                yield Row(kind, wire, to, path, key), sentence


def _parsed() -> Iterator[tuple[Row, tuple[str, str]]]:
    return _rows((Path(__file__).parent / "excuses.txt").read_text())


EXCUSES = dict(_parsed())
"""A row -> the page and the sentence of it that excuses it."""


def is_excused(kind: str, wire: str, to: str, path: str, key: str) -> bool:
    """Whether a row stands in the table for this key, or for all keys of its object."""
    where = "own" if to in ("own", "model") else "others"
    for which in (kind, "streams") if kind == "broken" else (kind,):
        row = Row(which, wire, where, path, key)
        if row in EXCUSES:
            return True
        if row._replace(key=ANY) in EXCUSES and row._replace(key=f"!{key}") not in EXCUSES:
            return True
    return False
