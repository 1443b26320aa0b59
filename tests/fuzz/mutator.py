"""An input -> one that differs from it in a branch or two, and still follows its grammar."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import wireglot as wg
from tests.fuzz.laws import CHOICES
from tests.fuzz.shapes import ODD_TEXTS, Key, Shape

__all__ = ["mutated"]

Plain = Callable[[bytes, int], bytes]
"""A function that changes bytes regardless of their grammar: data, maximum size -> data."""
Spot = tuple[Any, Any]
"""A list or a dict, and a key or an index of it."""

_NOT_A_TREE = (
    *(ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError),
    wg.WireglotError,
)
_PLAIN = 0.25  # of all mutations
_TRIES = 3
_MOST_HOLDERS = 2000
_VALUES: tuple[Callable[[random.Random], Any], ...] = (
    lambda chance: None,
    lambda chance: chance.choice((True, False)),
    lambda chance: chance.choice((0, -1, 1, 2**31, 2**53 + 1, 2**63, 2**64, 2**70, -(2**63) - 1)),
    lambda chance: chance.choice((0.0, -0.5, 1.5, 1e16, 1e300, 5e-324)),
    lambda chance: chance.choice([word.strip('"') for word in ODD_TEXTS]),
    lambda chance: chance.choice(("", " ", "\n", "é😀", "\ud83d", "\udc00a", "\0", "x" * 99)),
    lambda chance: chance.choice(("aGk=", "aGk", "iVBORw0KGgo=", "a-_b", "####", "AAAA\n")),
    lambda chance: chance.choice(
        ("data:image/png;base64,iVBORw0KGgo=", "data:,x", "data:x", "https://x.org/a", "file:/x")
    ),
    lambda chance: chance.choice(("{}", '{"a":1}', "[1]", "{", '"', '{"a":"\\ud83d"}')),
    lambda chance: chance.choice(
        ("user", "assistant", "system", "tool", "toolResult", "developer", "model", "function")
    ),
    lambda chance: chance.choice(({}, [], [{}], [[]], {"": None}, {"type": "text", "text": "x"})),
)


def mutated(
    data: bytes,
    most: int,
    chance: random.Random,
    shape: Shape,
    others: Sequence[bytes],
    plain: Plain,
) -> bytes:
    """Change the tree of an input, or, now and then, its bytes or its choices.

    `others` are inputs of the same target, whose branches may be copied.
    """
    head, body = data[:CHOICES], data[CHOICES:]
    if chance.random() < 0.1:
        head = chance.randbytes(CHOICES)
    for _ in range(_TRIES if chance.random() > _PLAIN else 0):
        try:
            made = head + _changed(body, chance, shape, others)
        except _NOT_A_TREE:  # not before, or not after the change
            continue
        if made != data and len(made) <= most:
            return made
    return head + plain(body, most - CHOICES)


def _changed(body: bytes, chance: random.Random, shape: Shape, others: Sequence[bytes]) -> bytes:
    root = [shape.tree(body)]
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        spots = list(_spots(root))
        holder, key = chance.choice(spots)
        change = chance.choice(_CHANGES)
        if change is _splice:
            donor = [shape.tree(chance.choice(others)[CHOICES:])]
            spots = list(_spots(donor))
        change(holder, key, chance, spots)
    return shape.body(root[0])


def _spots(tree: Any) -> Iterator[Spot]:
    """List the places below a list or a dict; not all of them if it contains itself."""
    waiting = [tree]
    for _ in range(_MOST_HOLDERS):
        if not waiting:
            return
        holder = waiting.pop()
        for key in holder if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            if isinstance(holder[key], list | dict):
                waiting.append(holder[key])


def _drop(holder: Any, key: Any, chance: random.Random, spots: list[Spot]) -> None:
    del holder[key]


def _double(holder: Any, key: Any, chance: random.Random, spots: list[Spot]) -> None:
    if isinstance(holder, list):
        holder.insert(chance.randrange(len(holder) + 1), holder[key])
    else:
        other_holder, other_key = chance.choice(spots)
        holder[Key(key)] = other_holder[other_key]


def _rename(holder: Any, key: Any, chance: random.Random, spots: list[Spot]) -> None:
    if isinstance(holder, dict):
        names = [name for _, name in spots if isinstance(name, str)]
        holder[chance.choice([*names, "", "type", "role", "x", "\ud83d"])] = holder.pop(key)
    else:
        holder.insert(chance.randrange(len(holder)), holder.pop(key))


def _swap(holder: Any, key: Any, chance: random.Random, spots: list[Spot]) -> None:
    other, other_key = chance.choice(spots)
    holder[key], other[other_key] = other[other_key], holder[key]


def _splice(holder: Any, key: Any, chance: random.Random, spots: list[Spot]) -> None:
    other, other_key = chance.choice(spots)
    if isinstance(other_key, str) and isinstance(holder, dict) and chance.random() < 0.5:
        key = other_key
    holder[key] = other[other_key]


def _replace(holder: Any, key: Any, chance: random.Random, spots: list[Spot]) -> None:
    holder[key] = chance.choice(_VALUES)(chance)


def _retype(holder: Any, key: Any, chance: random.Random, spots: list[Spot]) -> None:
    value = holder[key]
    holder[key] = chance.choice(
        ([value], {"type": "text", "text": value}, str(value)[:200], [], {}, None, [value, value])
    )


_CHANGES = (_drop, _double, _rename, _swap, _splice, _splice, _replace, _replace, _retype)
