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
from .detection import LIKELY, Found, decoded, misread, possible

__all__ = ["faults_in", "nearest", "unknown_keys"]

_MOST: Final = 100
_LINE: Final = re.compile(r"line (\d+): ")
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_MISSING: Final = re.compile(r"missing required field `([^`]*)`")

Path = list[str | int]


def faults_in(
    data: bytes, wire: str, kind: str, *, dialect: str | None = None
) -> tuple[Found | None, list[WireglotError]]:
    """Return what a document says, None if it cannot be read, and up to 100 faults.

    Where there are faults, what it says is without the parts that have them.
    """
    faults: list[WireglotError] = []
    rest: _Rest | None = None
    while len(faults) < _MOST:
        try:
            return decoded(data, wire, kind, dialect=dialect), faults
        except WireglotError as error:
            fault = error
        line = _LINE.match(fault.path)
        if line is not None:
            faults.append(fault)
            data = _without_line(data, int(line[1]))
            continue
        if rest is None:
            try:
                rest = _Rest(data)
            except DecodeError:
                return None, [*faults, fault]
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
    """Return what `faults_in` does for the wire and kind by which the least is wrong."""
    best: tuple[Found | None, list[WireglotError]] = None, []
    least: tuple[bool, int, bool, int] | None = None
    for wire, kind in possible(data):
        if wire not in wires:
            continue
        found, faults = faults_in(data, wire, kind, dialect=dialect)
        if found is None:  # the more that was understood before it ended, the better
            wrong = (True, -len(faults), True, 0)
        else:
            unknown, is_other, order = misread(found)
            wrong = (False, unknown + len(faults), is_other, order)
        # Without a fault, it is a reader that takes anything, and has understood nothing.
        if faults and (least is None or wrong < least):
            best, least = (found, faults), wrong
    return best


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
        return type(fault)(fault.reason, wire=fault.wire, path=original)

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
