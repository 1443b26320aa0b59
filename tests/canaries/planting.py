"""A body -> the same body with one canary in it: a value that is found nowhere else.

It stands under an unknown key, under a key that other objects of the API know, or in the place of a
text that was there.
"""

from __future__ import annotations

import copy
import random
from functools import cache
from typing import Any, NamedTuple

from tests.canaries.bodies import STREAMS, Body, Place, bodies, places
from tests.fuzz.shapes import SHAPES

__all__ = ["Canary", "planted"]

UNKNOWN = "(unknown)"
"""The name of an unknown key in the table of excuses."""


class Canary(NamedTuple):
    """A body with a canary: the value to look for, and where it stands."""

    body: Body
    path: str
    key: str
    value: bytes
    data: bytes
    spots: tuple[tuple[dict[str, Any], str], ...] = ()
    """If the canary replaces a text: the objects in the body's tree that have it, and the key."""

    def without(self) -> bytes:
        """Return the body without the text that the canary replaces."""
        olds = [inner.pop(at) for inner, at in self.spots]
        data = SHAPES[self.body.grammar].body(self.body.tree)
        for (inner, at), old in zip(self.spots, olds, strict=True):
            inner[at] = old
        return data


@cache
def _places(body_of: tuple[str, str, int]) -> tuple[Place, ...]:
    wire, kind, number = body_of
    return tuple(places(bodies(wire, kind)[number]))


@cache
def _known(wire: str) -> tuple[tuple[str, Any], ...]:
    """Return the keys of an API's objects in all bodies, each with the values that it had."""
    found: dict[tuple[str, str], Any] = {}
    for kind in ("requests", "answers", "streams"):
        for body in bodies(wire, kind):
            for place in places(body):
                for key, value in place.holder.items():
                    if not isinstance(value, bool | None):
                        found.setdefault((key, type(value).__name__), value)
    return tuple((key, value) for (key, _), value in sorted(found.items(), key=lambda f: f[0]))


def planted(wire: str, kind: str, chance: random.Random, number: int) -> Canary | None:
    """Return a body with a canary at a random place; None if this place has none."""
    several = bodies(wire, kind)
    which = chance.randrange(len(several))
    body = several[which]
    of_body = _places((wire, kind, which))
    place = chance.choice(of_body)
    how = chance.choice(_WAYS)
    text = f"Qz{number % 10**7:07}"
    made = how(chance, wire, place.holder, text)
    if made is None:
        return None
    key, value, word = made
    holder = place.holder
    if how is _replaced and kind in STREAMS:  # an id, say, which each event repeats
        spots = [
            (other.holder, at)
            for other in of_body
            for at, known in other.holder.items()
            if known == holder[key] and (at == key or (_is_id(at) and _is_id(key)))
        ]
    else:
        spots = [(holder, key)]
    old = holder.get(key, _ABSENT)
    for inner, at in spots:
        inner[at] = value
    try:
        data = SHAPES[body.grammar].body(body.tree)
    finally:
        for inner, at in spots:
            if old is _ABSENT:
                del inner[at]
            else:
                inner[at] = old
    without = tuple(spots) if how is _replaced else ()
    named = UNKNOWN if how is _unknown else key
    return Canary(body, place.path, named, word.encode(), data, without)


_ABSENT = object()


def _is_id(key: str) -> bool:
    return key.lower().endswith("id")


def _unknown(chance: random.Random, wire: str, holder: dict[str, Any], text: str) -> Any:
    value = chance.choice((text, {"a": text}, [text], [{"a": text}]))
    return "zz", value, text


def _sibling(chance: random.Random, wire: str, holder: dict[str, Any], text: str) -> Any:
    key, sample = chance.choice(_known(wire))
    if key in holder:
        return None
    if isinstance(sample, int | float):
        word = f"7{text[2:]}7"
        return key, int(word), word
    if isinstance(sample, str):
        return key, text, text
    value = copy.deepcopy(sample)
    inner = value[0] if isinstance(value, list) and value else value
    if isinstance(inner, dict):
        inner["zz"] = text
    elif isinstance(inner, str):
        value[0] = text
    else:
        return None
    return key, value, text


def _replaced(chance: random.Random, wire: str, holder: dict[str, Any], text: str) -> Any:
    keys = [key for key, value in holder.items() if isinstance(value, str)]
    return (chance.choice(keys), text, text) if keys else None


_WAYS = (_unknown, _sibling, _sibling, _replaced)
