"""Bytes that may be training data or traces -> the error that says what they are.

Such data has wires of its own, which wireglot does not read. Where it has a key that a provider's
request has as well, a decoder accepts it, and keeps the rest of its text as unknown keys.

The shapes: Stanford Alpaca's file, ShareGPT's as FastChat reads it, the data set formats of TRL,
OpenAI's files for fine-tuning by preference, the run format of LangSmith.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw

from .._entry_points import FORMAT_NAMES, PROVIDER_NAMES
from .._surrogates import mended_text
from ..errors import DecodeError

__all__ = ["data_set_in"]

_SHAPES: Final = {
    "Alpaca": frozenset({"instruction", "output"}),
    "ShareGPT": frozenset({"conversations"}),
    "TRL prompt-completion": frozenset({"prompt", "completion"}),
    "TRL preference": frozenset({"chosen", "rejected"}),
    "OpenAI preference": frozenset({"preferred_output", "non_preferred_output"}),
    "LangSmith run": frozenset({"run_type", "inputs"}),
}
"""The keys of an object by which it is known; no wire that is read has them together."""
_MARKS: Final = tuple(f'"{min(keys)}"'.encode() for keys in _SHAPES.values())
"""A key of each shape: what has none of them is none of them, and need not be decoded."""
_READ: Final = ", ".join(("native", *PROVIDER_NAMES, *FORMAT_NAMES))
_EXAMPLE: Final = '{"messages":[{"role":"user","content":"..."}]}'

_object = msgspec.json.Decoder(dict[str, Raw]).decode
_objects = msgspec.json.Decoder(list[dict[str, Raw]]).decode


def data_set_in(data: bytes) -> DecodeError | None:
    """Return the error about data of a known shape, None for any other data.

    The object at the start decides: all of the data, its first line, or the first of a list.
    """
    if not any(mark in data for mark in _MARKS):
        return None
    is_list = data.lstrip()[:1] == b"["
    try:
        keys = _keys(data, is_list=is_list)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    name = next((name for name, needed in _SHAPES.items() if needed <= keys), None)
    if name is None or "role" in keys:  # a message may have any key
        return None
    reason = (
        f"{name} data, which wireglot does not read, expected a document of {_READ}; "
        f"make a request of each example: `{_EXAMPLE}`"
    )
    return DecodeError(reason, wire="cli", path="$[0]" if is_list else "$")


def _keys(data: bytes, *, is_list: bool) -> set[str]:
    text = mended_text(data, "cli", []) or data
    if is_list:
        return {*next(iter(_objects(text)), {})}
    try:
        return {*_object(text)}
    except msgspec.DecodeError:  # more lines follow
        return {*_object(text.lstrip().partition(b"\n")[0])}
