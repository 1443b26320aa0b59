"""The data in what `dumpd` wrote <-> the same as they are.

An object of `dumpd` has a key `lc`, and its loader makes one of whatever has that key. So LangChain
wraps data that have it: `{"__lc_escaped__": {"lc": ...}}`. What is in there is nobody's object, and
is left as it is.

Source: langchain-core 1.7.2, `load._validation`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw

from ..._objects import encode

__all__ = ["escaped", "unescaped"]

_ESCAPED: Final = "__lc_escaped__"
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode


def escaped(fields: bytes) -> bytes:
    """Return the fields of an object with the data in them wrapped where they have to be."""
    return _each(fields, lambda raw, held: {_ESCAPED: raw} if _is_odd(held) else None)


def unescaped(fields: bytes) -> bytes:
    """Return the fields of an object with the data in them as they are."""
    return _each(fields, lambda raw, held: held[_ESCAPED] if _is_wrapped(held) else None)


def _is_odd(held: dict[str, Raw]) -> bool:
    return "lc" in held or _is_wrapped(held)


def _is_wrapped(held: dict[str, Raw]) -> bool:
    return held.keys() == {_ESCAPED}


_Change = Callable[[Raw, dict[str, Raw]], Any]


def _each(fields: bytes, change: _Change) -> bytes:
    if not _may_be(fields):
        return fields
    held = _keys(fields)
    made = {key: _changed(raw, change) for key, raw in held.items()}
    return fields if all(made[key] is held[key] for key in held) else encode(made)


def _changed(raw: Raw, change: _Change) -> Any:
    """Return JSON with its outermost objects changed that `change` returns something for.

    What has none of them is the same slice again.
    """
    text = bytes(raw)
    if not _may_be(text):
        return raw
    if text[:1] == b"{":
        held = _keys(raw)
        made = change(raw, held)
        if made is not None:
            return made
        found = {key: _changed(each, change) for key, each in held.items()}
        return raw if all(found[key] is held[key] for key in held) else found
    if text[:1] == b"[":
        items = _items(raw)
        others = [_changed(each, change) for each in items]
        return raw if all(a is b for a, b in zip(items, others, strict=True)) else others
    return raw


def _may_be(text: bytes) -> bool:
    """Whether there may be one of the keys, which hostile JSON spells with escapes."""
    return b'lc"' in text or b'escaped__"' in text or b"\\u" in text
