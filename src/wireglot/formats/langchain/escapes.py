"""Data inside the output of LangChain's `dumpd`, escaped <-> plain.

An object that `dumpd` writes has a key `lc`, and the loader instantiates any object that has that
key. So LangChain wraps plain data that has it: `{"__lc_escaped__": {"lc": ...}}`. What is inside
the wrapper is only data, and is left as it is.

Source: langchain-core 1.7.2, `load._validation`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw

from ..._body.encode import encode_json as encode

__all__ = ["escaped", "unescaped"]

_ESCAPED: Final = "__lc_escaped__"
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode


def escaped(fields: bytes) -> bytes:
    """Return the fields of an object with the data in them wrapped where needed."""
    return _each(fields, lambda raw, held: {_ESCAPED: raw} if _is_odd(held) else None)


def unescaped(fields: bytes) -> bytes:
    """Return the fields of an object with the data in them unwrapped."""
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
    """Return JSON whose outermost objects are replaced by what `change` returns, unless None.

    If none is replaced, return the same slice.
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
    """Whether one of the keys may occur. Hostile JSON may spell a key with escape sequences."""
    return b'lc"' in text or b'escaped__"' in text or b"\\u" in text
