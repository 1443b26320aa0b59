"""A document -> the same document with one value changed, for each value in turn."""

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import wireglot as wg

_OTHERS: dict[type, Callable[[Any], Any]] = {
    bool: lambda value: not value,
    str: lambda value: f"{value}x",
    int: lambda value: value + 1,
    float: lambda value: value + 1,
    dict: lambda value: {**value, "other": 1},
}


def swallowed(document: Any, written: Callable[[Any], Any]) -> Iterator[tuple[str, bool]]:
    """Yield the path of each value that was changed, and whether `written` stayed the same.

    `written` returns what is written of a document, losses included. An error of ours counts as
    another result; a document that gives one as it is has nothing to swallow. Lists and nulls are
    not changed: whether an order matters, and what null stands for, no change can tell.
    """
    try:
        usual = written(document)
    except wg.WireglotError:
        return
    for path, value in _values(document):
        other = _OTHERS.get(type(value))
        if not path or other is None:
            continue
        try:
            is_same = written(_with(document, path, other(value))) == usual
        except wg.WireglotError:
            is_same = False
        yield ".".join("*" if type(key) is int else key for key in path), is_same


def _values(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    inner: Iterable[tuple[Any, Any]] = ()
    if type(value) is dict:
        inner = value.items()
    elif type(value) is list:
        inner = enumerate(value)
    for key, part in inner:
        yield from _values(part, (*path, key))


def _with(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(document)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return made
