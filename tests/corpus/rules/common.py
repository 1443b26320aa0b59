"""Changes for the tables of all wires: what more than one wire can write in two ways.

A path names the keys on the way from the body: `messages.*.content.*.is_error`. A star is every
item of a list, or every value of an object; if a key is missing, nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from tests.corpus.compare import difference
from tests.corpus.rules import Rule

__all__ = [
    "Change",
    "each",
    "every",
    "halves_of_pairs_are_replaced",
    "left_out",
    "null_is_unset",
    "places",
]

Change = Callable[[Any], None]


def places(body: Any, path: str) -> Iterator[tuple[Any, Any]]:
    """List the existing places of a path: the object or list, and the key or index in it."""
    head, _, rest = path.partition(".")
    if isinstance(body, list):
        keys: list[Any] = list(range(len(body))) if head == "*" else []
    elif isinstance(body, dict):
        keys = list(body) if head == "*" else [head] if head in body else []
    else:
        keys = []
    for key in keys:
        if rest:
            yield from places(body[key], rest)
        else:
            yield body, key


def every(*changes: Change) -> Change:
    """Combine several changes into one."""

    def change(body: Any) -> None:
        for one in changes:
            one(body)

    return change


def each(path: str, mend: Callable[[Any], Any]) -> Change:
    """Replace the value at each place of a path by the result of `mend`."""

    def change(body: Any) -> None:
        for owner, key in places(body, path):
            owner[key] = mend(owner[key])

    return change


def left_out(path: str, *values: Any) -> Change:
    """Leave out a key that holds one of these values, which mean the same as its absence."""

    def change(body: Any) -> None:
        for owner, key in list(places(body, path)):
            if any(difference(owner[key], value) is None for value in values):
                del owner[key]

    return change


def null_is_unset(sentence: str, *, own_json: Collection[str]) -> Rule:
    """Leave out keys that are null, but not below the keys that hold the caller's own JSON."""

    def change(body: Any) -> None:
        if isinstance(body, list):
            for item in body:
                change(item)
        elif isinstance(body, dict):
            for key in [key for key, value in body.items() if value is None]:
                del body[key]
            for key, value in body.items():
                if key not in own_json:
                    change(value)

    return Rule(sentence, change)


def _whole_pairs(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole_pairs(item) for item in value]
    if isinstance(value, dict):
        return {_whole_pairs(key): _whole_pairs(item) for key, item in value.items()}
    return value


def _replace_halves(body: Any) -> None:
    for key in list(body):
        body[_whole_pairs(key)] = _whole_pairs(body.pop(key))


halves_of_pairs_are_replaced = Rule("half of a surrogate pair becomes U+FFFD", _replace_halves)
