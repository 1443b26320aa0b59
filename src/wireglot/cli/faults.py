"""A document that a decoder refuses -> all of its faults, not only the first.

The decoder finds the faults. The part that it refuses is taken out, and it reads the rest again,
until it accepts the rest, or refuses something that cannot be taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import fields, replace

import wireglot.json as json

from .._body.surrogates import mended_text
from .._documents.detection import (
    NATIVE,
    Found,
    decoded,
    detect,
    is_empty,
    misread,
    order_of,
    possible,
    progress_of,
)
from ..errors import DecodeError, LimitError, ProviderError, WireglotError
from ..losses import Loss
from ..model import AgentMessage

__all__ = ["faults_in", "judged", "read", "unknown_keys"]

_MOST: Final = 100
_WORK: Final = 64 * 1024 * 1024
_LINE_COST: Final = 1024  # bytes that take as long to read as a line does by being one
_LOOKS: Final = (3, 12)
_LINE: Final = re.compile(r"line (\d+): ")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_CAPITAL: Final = re.compile("[A-Z]")
_MISSING: Final = re.compile(r"missing required field `([^`]*)`")

Path = list[str | int]
Read = tuple[Found | None, list[WireglotError]]


def faults_in(
    data: bytes, wire: str, kind: str, *, dialect: str | None = None, most: int = _MOST
) -> Read:
    """Return the decoded document, None if it cannot be read, and its first `most` faults.

    If there are faults, the decoded document is without the parts that have them.
    """
    if wire == NATIVE and kind == "session" and data.lstrip()[:1] == b"{":
        return _in_lines(data, most)
    faults: list[WireglotError] = []
    rest: _Rest | None = None
    most = _affordable(data, most)
    # One round more, to see whether the rest is accepted after the last fault.
    while len(faults) <= most:
        try:
            return decoded(data, wire, kind, dialect=dialect), faults
        except WireglotError as error:
            fault = error
        if len(faults) == most:
            break
        line = _LINE.match(fault.path)
        if line is not None:
            faults.append(_fault(fault, fault.path))
            data = _without_line(data, int(line[1]))
            if not data or data.isspace():
                break
            continue
        if rest is None:
            try:
                rest = _Rest(data)
            except DecodeError:
                return None, [*faults, _fault(fault, fault.path)]
        told = rest.take_out(fault)
        if told is not None:
            faults.append(told)
        if rest.is_stuck:
            return None, faults
        data = rest.encoded()
    return None, faults


def _affordable(data: bytes, most: int) -> int:
    """Return how many faults to look for, at least 1: each costs another look at all of it."""
    return max(min(most, _WORK // (len(data) + _LINE_COST * data.count(b"\n") + 1)), 1)


def _in_lines(data: bytes, most: int) -> Read:
    """Return what `faults_in` does for native lines, which can be read one by one."""
    entries: list[AgentMessage] = []
    faults: list[WireglotError] = []
    losses: list[Loss] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line or line.isspace():
            continue
        of_line: list[Loss] = []
        try:
            entries.append(json.decode(line, losses=of_line, type=AgentMessage))
        except DecodeError as error:
            if len(faults) == most:
                return None, faults
            faults.append(_fault(error, f"line {number}: {error.path}"))
            continue
        losses += [replace(loss, path=f"line {number}: {loss.path}") for loss in of_line]
    found = Found(NATIVE, "session", entries, losses) if entries else None
    return found, faults


def read(data: bytes, wires: Sequence[str] | None = None, *, dialect: str | None = None) -> Found:
    """Return what `detect` does, unless the document fits another wire better, faults included.

    A chat body whose temperature is a text has no fault on a wire that lacks this key, and keeps it
    as unknown.

    Raises `DecodeError` with the first fault on the better wire.
    """
    found = detect(data, wires, dialect=dialect)
    nearer = _nearer(found, data, wires, dialect)
    if nearer is not None:
        raise nearer[1][0]
    return found


def judged(
    data: bytes,
    wires: Sequence[str] | None = None,
    *,
    dialect: str | None = None,
    most: int = _MOST,
) -> Read:
    """Return what `faults_in` does for the wire and kind that fit best."""
    try:
        reading = detect(data, wires, dialect=dialect)
    except WireglotError as error:
        if isinstance(error, LimitError | ProviderError) or error.wire == "cli":
            return None, [error]  # it was understood, or is nothing to understand
        nearest, faults = _nearest(data, wires, dialect, most)
        return nearest, faults or [error]
    nearer = _nearer(reading, data, wires, dialect)
    if nearer is None:
        return reading, []
    return faults_in(data, nearer[0].wire, nearer[0].kind, dialect=dialect, most=most)


def _nearer(
    reading: Found, data: bytes, wires: Sequence[str] | None, dialect: str | None
) -> tuple[Found, list[WireglotError]] | None:
    """Return a reading with a few faults that fits better than `reading`, which has none."""
    against = misread(reading)
    if not against[0]:
        return None
    ways = [way for way in possible(data, wires) if way != (reading.wire, reading.kind)]
    read = [faults_in(data, *way, dialect=dialect, most=_LOOKS[0]) for way in ways]
    best = _best([(other, faults) for other, faults in read if other and not is_empty(other)])
    return best if best is not None and _wrong(best) < against else None


def _nearest(data: bytes, wires: Sequence[str] | None, dialect: str | None, most: int) -> Read:
    """Return the reading that fits best, where each of them has a fault.

    All readings are made with a limit on their faults. If none fits, the one that came furthest is
    made again without it.
    """
    ways = [*possible(data, wires)]
    read: list[Read] = []
    looks = sorted({_affordable(data, most) for most in _LOOKS})
    for few in looks:
        read = [faults_in(data, *way, dialect=dialect, most=few) for way in ways]
        best = _best(read)
        if best is not None and (_wrong(best)[0] <= few or few == looks[-1]):
            return best
    furthest = max(zip(ways, read, strict=True), key=_far, default=None)
    if furthest is None:
        return None, []
    way, (_, faults) = furthest
    is_cut = len(faults) == looks[-1]
    return faults_in(data, *way, dialect=dialect, most=most) if is_cut else (None, faults)


def _best(read: Sequence[Read]) -> tuple[Found, list[WireglotError]] | None:
    # A reading without a fault is of a reader that accepts anything, and understood nothing.
    whole = [(found, faults) for found, faults in read if found is not None and faults]
    return min(whole, key=_wrong, default=None)


def _wrong(read: tuple[Found, list[WireglotError]]) -> tuple[int, bool, int]:
    found, faults = read
    unknown, is_other, order = misread(found)
    return unknown + len(faults), is_other, order


def _far(read: tuple[tuple[str, str], Read]) -> Any:
    """Return how far a reading came before it failed."""
    way, (_, faults) = read
    return max(map(progress_of, faults), default=()), -order_of(*way)


def unknown_keys(value: Any) -> Iterator[str]:
    """Yield the paths of keys that have no field in the model, in canonical names."""
    waiting: list[tuple[str, Any]] = [("$", value)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, list):
            waiting += [(f"{path}[{i}]", item) for i, item in enumerate(value)]
        elif isinstance(value, Struct):
            for extra in (getattr(value, "extras", None) or {}).values():
                yield from (f"{path}.{key}" for key in extra.keys.value)
            for info in fields(value):
                if info.name != "extras":
                    waiting.append((f"{path}.{info.encode_name}", getattr(value, info.name)))


def _fault(fault: WireglotError, path: str) -> WireglotError:
    """Return a copy of a fault that does not hold the data being read, which may be large."""
    return DecodeError(fault.reason, wire=fault.wire, path=path)


def _without_line(data: bytes, number: int) -> bytes:
    start = 0
    for _ in range(number - 1):
        start = data.find(b"\n", start) + 1
        if not start:
            return data
    end = data.find(b"\n", start)
    return data[:start] + (b"" if end < 0 else data[end:])


class _Rest:
    """What is left of a document, and the original places of its parts."""

    def __init__(self, data: bytes) -> None:
        try:
            self._tree: Any = msgspec.json.decode(mended_text(data, "cli", []) or data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise DecodeError(str(error)) from error
        self._places: dict[int, list[int]] = {}
        self._taken: set[tuple[str, str]] = set()
        self._incomplete: set[str] = set()
        self.is_stuck = False

    def encoded(self) -> bytes:
        return msgspec.json.encode(self._tree)

    def take_out(self, fault: WireglotError) -> WireglotError | None:
        """Take out the part that a fault is about; return the fault with its original path.

        Returns None if the fault only follows from something that was taken out before.
        """
        holders, path = self._found(fault.path)
        original = _text(path)
        missing = _MISSING.search(fault.reason)
        # An object that lacks a part because it was taken out has been reported.
        is_ours = (original, missing[1]) in self._taken if missing else original in self._incomplete
        if not holders:
            self.is_stuck = True
        else:
            holder, key = holders[-1]
            if isinstance(holder, list):
                places = self._places.setdefault(id(holder), list(range(len(holder))))
                del places[key], holder[key]
            else:
                del holder[key]
                self._taken.add((_text(path[:-1]), str(key)))
            self._incomplete.update(_text(path[:end]) for end in range(1, len(path)))
        if is_ours:
            return None
        return _fault(fault, original)

    def _found(self, path: str) -> tuple[list[tuple[Any, Any]], Path]:
        """Return the containers on the way to a path, each with the key, and the original path."""
        value = self._tree
        holders: list[tuple[Any, Any]] = []
        original: Path = []
        for name, index in _STEP.findall(path):
            if isinstance(value, dict) and name not in value:  # proto3 JSON also allows snake_case
                name = _CAPITAL.sub(lambda found: f"_{found[0].lower()}", name)
            if name and isinstance(value, dict) and name in value:
                holders.append((value, name))
                original.append(name)
                value = value[name]
            elif index.isdigit() and isinstance(value, list) and int(index) < len(value):
                at = int(index)
                holders.append((value, at))
                original.append(self._places.get(id(value), range(len(value)))[at])
                value = value[at]
            else:  # "any of them": take out the container
                break
        return holders, original


def _text(path: Path) -> str:
    return "$" + "".join(f".{step}" if isinstance(step, str) else f"[{step}]" for step in path)
