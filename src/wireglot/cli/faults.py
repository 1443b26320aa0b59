"""A document that a decoder refuses -> all that is wrong with it, not only what came first.

The decoder is the judge. What it complains of is taken out, and it reads the rest again, until it
is content, or complains of what cannot be taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from ..errors import DecodeError, WireglotError
from ..model import LlmMessage
from .detection import LIKELY, Found, decoded, misread, order_of, possible, progress_of

__all__ = ["faults_in", "nearest", "unknown_keys"]

_MOST: Final = 100
_LOOKS: Final = (3, 12)
_LINE: Final = re.compile(r"line (\d+): ")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_MISSING: Final = re.compile(r"missing required field `([^`]*)`")

Path = list[str | int]


def faults_in(
    data: bytes, wire: str, kind: str, *, dialect: str | None = None, most: int = _MOST
) -> tuple[Found | None, list[WireglotError]]:
    """Return what a document says, None if it cannot be read, and the first `most` faults.

    Where there are faults, what it says is without the parts that have them.
    """
    faults: list[WireglotError] = []
    rest: _Rest | None = None
    # One round more: what is content after the last fault has said so.
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


def nearest(
    data: bytes, wires: Sequence[str] = LIKELY, *, dialect: str | None = None
) -> tuple[Found | None, list[WireglotError]]:
    """Return what `faults_in` does for the wire and kind by which the least is wrong.

    All of them look for a few faults, and only the one that then is nearest for the rest.
    """
    ways = [way for way in possible(data) if way[0] in wires]
    read: list[tuple[Found | None, list[WireglotError]]] = []
    for most in _LOOKS:
        read = [faults_in(data, *way, dialect=dialect, most=most) for way in ways]
        # Without a fault, it is a reader that takes anything, and has understood nothing.
        whole = [(found, faults) for found, faults in read if found is not None and faults]
        if whole:
            best = min(whole, key=_wrong)
            if _wrong(best)[0] <= most or most == _LOOKS[-1]:
                return best
    furthest = max(zip(ways, read, strict=True), key=_far, default=None)
    if furthest is None:
        return None, []
    way, (_, faults) = furthest
    is_cut = len(faults) == _LOOKS[-1]
    return faults_in(data, *way, dialect=dialect) if is_cut else (None, faults)


def _wrong(read: tuple[Found, list[WireglotError]]) -> tuple[int, bool, int]:
    found, faults = read
    unknown, is_other, order = misread(found)
    return unknown + len(faults), is_other, order


def _far(read: tuple[tuple[str, str], tuple[Found | None, list[WireglotError]]]) -> Any:
    """Return how much was understood before nothing more was."""
    way, (_, faults) = read
    return max(map(progress_of, faults), default=()), -order_of(*way)


def unknown_keys(value: Any) -> Iterator[str]:
    """Yield the paths of keys that have no field in the model, in canonical names."""
    left: list[tuple[str, Any]] = [("$", value)]
    while left:
        path, held = left.pop()
        if type(held) is LlmMessage:
            left.append((path, held.message))
        elif isinstance(held, list):
            left += [(f"{path}[{i}]", item) for i, item in enumerate(held)]
        elif isinstance(held, Struct):
            for extra in (getattr(held, "extras", None) or {}).values():
                yield from (f"{path}.{key}" for key in extra.keys.value)
            for info in fields(held):
                if info.name != "extras":
                    left.append((f"{path}.{info.encode_name}", getattr(held, info.name)))


def _fault(fault: WireglotError, path: str) -> WireglotError:
    """Return a fault without what was read when it came up, which may be large."""
    return DecodeError(fault.reason, wire=fault.wire, path=path)


def _without_line(data: bytes, number: int) -> bytes:
    lines = data.split(b"\n")
    if number <= len(lines):
        lines[number - 1] = b""
    return b"\n".join(lines)


class _Rest:
    """What is left of a document, and where its parts stood at first."""

    def __init__(self, data: bytes) -> None:
        try:
            self._tree: Any = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise DecodeError(str(error)) from error
        self._places: dict[int, list[int]] = {}
        self._taken: set[tuple[str, str]] = set()
        self._incomplete: set[str] = set()
        self.is_stuck = False

    def encoded(self) -> bytes:
        return msgspec.json.encode(self._tree)

    def take_out(self, fault: WireglotError) -> WireglotError | None:
        """Take out what a fault is about; return it with the path of the whole document.

        None if it only complains of something that was taken out before.
        """
        holders, path = self._found(fault.path)
        original = _text(path)
        missing = _MISSING.search(fault.reason)
        # What is incomplete because a part of it was taken out has been told of.
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
            if name and isinstance(value, dict) and name in value:
                holders.append((value, name))
                original.append(name)
                value = value[name]
            elif index.isdigit() and isinstance(value, list) and int(index) < len(value):
                at = int(index)
                holders.append((value, at))
                original.append(self._places.get(id(value), range(len(value)))[at])
                value = value[at]
            else:  # "any of them": what holds it goes
                break
        return holders, original


def _text(path: Path) -> str:
    return "$" + "".join(f".{step}" if isinstance(step, str) else f"[{step}]" for step in path)
