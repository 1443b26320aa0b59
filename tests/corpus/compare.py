"""Two JSON texts -> whether they are the same value, and if not, where they differ.

Numbers are compared by value, integers exactly, however long; `true` is not a number. If an object
has a key twice, the last one counts. The order of keys does not matter.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple, NoReturn

__all__ = ["ABSENT", "Difference", "canonical", "difference", "parsed"]


class _Absent:
    def __repr__(self) -> str:
        return "(absent)"


ABSENT = _Absent()
"""The value of a key or item that only the other side has."""


class Difference(NamedTuple):
    """The first place where two values differ, and the values there."""

    path: str
    recorded: Any
    written: Any


def parsed(text: bytes | str) -> Any:
    """Parse JSON. Raises `ValueError`, also for `NaN` and infinities."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def difference(recorded: Any, written: Any, path: str = "$") -> Difference | None:
    """Return the first difference in the order of `recorded`, None if there is none."""
    if isinstance(recorded, dict) and isinstance(written, dict):
        for key in [*recorded, *(key for key in written if key not in recorded)]:
            found = difference(recorded.get(key, ABSENT), written.get(key, ABSENT), f"{path}.{key}")
            if found is not None:
                return found
        return None
    if isinstance(recorded, list) and isinstance(written, list):
        for i in range(max(len(recorded), len(written))):
            left = recorded[i] if i < len(recorded) else ABSENT
            right = written[i] if i < len(written) else ABSENT
            found = difference(left, right, f"{path}[{i}]")
            if found is not None:
                return found
        return None
    return None if _is_same(recorded, written) else Difference(path, recorded, written)


def canonical(value: Any) -> str:
    """Return a text that is equal for all spellings of the same value."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
