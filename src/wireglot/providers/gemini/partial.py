"""The arguments of a call, sent as values at paths -> the arguments as JSON.

Source: `FunctionCall.partial_args` of the SDK. A path is JSONPath with keys and indices only.

A file of its own, since it is a machine of its own: it knows paths and values, and no events.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ..._body.encode import encode_json as encode
from ...errors import DecodeError, quoted
from ...model import RawJson
from . import wire
from .blocks import is_set

_step: Final = re.compile(
    r"""\.([^.\[\]'"]+)|\[(\d{1,9})\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]"""
).match
_escape: Final = re.compile(r"\\(.)", re.S)


class Partial:
    """The arguments so far."""

    def __init__(self) -> None:
        self._root: dict[str, Any] = {}
        self._growing: dict[str, list[str]] = {}
        """Texts that are not complete, by path."""

    def add(self, part: wire.PartialArg) -> None:
        """Add a value, or a piece of a text. Raises `DecodeError` for a path without a place."""
        path = part.json_path
        value: Any = None
        if part.string_value is not None:
            pieces = self._growing.get(path)
            if pieces is not None:
                pieces.append(part.string_value)
            elif part.will_continue:
                self._growing[path] = pieces = [part.string_value]
            if pieces is not None:
                if part.will_continue:
                    return
                del self._growing[path]
            value = part.string_value if pieces is None else "".join(pieces)
        elif is_set(part.number_value):
            value = RawJson.adopt(part.number_value)
        elif part.bool_value is not None:
            value = part.bool_value
        elif path in self._growing:
            if part.will_continue:
                return
            value = "".join(self._growing.pop(path))
        self._put(path, value)

    def json(self) -> bytes:
        """Return the arguments; a text without its end is kept as far as it came."""
        for path, pieces in self._growing.items():
            self._put(path, "".join(pieces))
        self._growing.clear()
        return encode(self._root)

    def _put(self, path: str, value: Any) -> None:
        steps = _steps(path)
        at: Any = self._root
        for step, following in zip(steps, [*steps[1:], None], strict=True):
            if isinstance(step, int) != isinstance(at, list):
                raise _no_path(path)
            if isinstance(step, int):
                if step > len(at):
                    raise _no_path(path)
                if step == len(at):
                    at.append(None)
            is_last = following is None
            inner = None if is_last else at[step] if isinstance(step, int) else at.get(step)
            if is_last:
                at[step] = value
            elif not isinstance(inner, dict | list):
                inner = at[step] = [] if isinstance(following, int) else {}
            at = inner


def _steps(path: str) -> list[str | int]:
    """Return the keys and indices of a path, which begins with a key."""
    steps: list[str | int] = []
    end = 1
    while path[:1] == "$" and end < len(path):
        match = _step(path, end)
        if match is None:
            raise _no_path(path)
        key, index, *texts = match.groups()
        if index is not None:
            steps.append(int(index))
        else:
            quoted_key = next((text for text in texts if text is not None), "")
            steps.append(key if key is not None else _escape.sub(r"\1", quoted_key))
        end = match.end()
    if not steps or isinstance(steps[0], int):
        raise _no_path(path)
    return steps


def _no_path(path: str) -> DecodeError:
    return DecodeError(f"arguments at {quoted(path)}, expected a place in them", wire="gemini")
