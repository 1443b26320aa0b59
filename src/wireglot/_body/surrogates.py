"""Lone surrogates: the half characters that JSON can spell, and UTF-8 cannot carry.

Real clients send them, by cutting a text in the middle of an emoji. Decoders and encoders follow
one rule: a lone surrogate is an error, unless there is a list of losses; then U+FFFD replaces it.
Of keys that it makes equal the last one's value stays, and each other is a loss of its own.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ..errors import LimitError
from ..losses import MOST_LOSSES, Losses, lose
from ..model import LlmMessage
from .fields import changed, field_names

_WHAT = "lone surrogate"
_WHY = "half a character is not Unicode text; U+FFFD takes its place"
_WHAT_VALUE = "value of a key"
_WHY_VALUE = "with U+FFFD for half a character, a later key of the object is the same"

# Any escape but a lone surrogate, or (in the group) a lone surrogate.
_HEX = rb"[0-9a-fA-F]{2}"
_ESCAPES = re.compile(
    rb"\\(?:[^u]|u(?:[dD][89abAB]%(x)b\\u[dD][c-fC-F]%(x)b|(?![dD][89a-fA-F])%(x)b%(x)b))"
    rb"|(\\u[dD][89a-fA-F]%(x)b)" % {b"x": _HEX},
    re.DOTALL,
)
_may_be_one = re.compile(rb"\\u[dD][89a-fA-F]").search

# A bracket of an object, or a string and, if it is a key, its colon. A string need not end, so that
# text with one that does not is read once.
_marks = re.compile(rb'[{}]|"(?:[^"\\]++|\\.)*+"?(?=([ \t\r\n]*+:)?)', re.DOTALL).finditer
_key = msgspec.json.Decoder(str).decode


def mended_text(data: bytes, wire: str, losses: Losses) -> bytes | None:
    """Return JSON text with its lone surrogate escapes replaced, or None if it has none.

    Raises `LossError` at the first one if `losses` is None.
    """
    if _may_be_one(data) is None:  # most texts hold none, and this check is fast
        return None
    is_mended = False
    known = len(losses or ())

    def mended(match: re.Match[bytes]) -> bytes:
        nonlocal is_mended
        if match[1] is None:
            return match[0]
        is_mended = True
        _lose(losses, wire, match.start(), _WHAT, _WHY, known)
        return rb"\ufffd"

    text = _ESCAPES.sub(mended, data)
    if not is_mended:
        return None
    lose_values(text, wire, losses)
    return text


def lose_values(text: bytes, wire: str, losses: Losses) -> None:
    """Record the values of keys that are equal in mended text; a decoder keeps the last one."""
    known = len(losses or ())
    objects: list[dict[str, int]] = []  # those that are open: key -> where it is
    for match in _marks(text):
        mark = match[0]
        if mark == b"{":
            objects.append({})
        elif mark == b"}":
            del objects[-1:]
        elif objects and match[1] is not None and (rb"\u" in mark or b"\xef\xbf\xbd" in mark):
            try:
                key = _key(mark)
            except (msgspec.DecodeError, UnicodeDecodeError):  # the text's own decoder will say so
                continue
            if "\ufffd" not in key:
                continue
            if key in objects[-1]:
                _lose(losses, wire, objects[-1][key], _WHAT_VALUE, _WHY_VALUE, known)
            objects[-1][key] = match.start()


def _lose(losses: Losses, wire: str, at: int, what: str, why: str, known: int) -> None:
    if losses is not None and len(losses) - known >= MOST_LOSSES:
        raise LimitError(f"more than {MOST_LOSSES:,} losses", wire=wire)
    lose(losses, wire, f"byte {at}", what, why)


def mended_value(value: Any, wire: str, path: str, losses: Losses, known: int | None = None) -> Any:
    """Return a copy of model values or Python data with U+FFFD for each lone surrogate.

    Tuples and sets become lists. Raises `LossError` at the first one if `losses` is None.
    `known` is how many losses came before the document (see `lose`).
    """
    if known is None:
        known = len(losses or ())
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            lose(losses, wire, path, _WHAT, _WHY, known)
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return value
    if type(value) is LlmMessage:
        value = value.flat()
    if isinstance(value, list | tuple | set | frozenset):
        return [mended_value(v, wire, f"{path}[{i}]", losses, known) for i, v in enumerate(value)]
    if isinstance(value, dict):
        copy: dict[Any, Any] = {}
        for k, v in value.items():
            key = mended_value(k, wire, path, losses, known)
            place = f"{path}.{key}"
            if key in copy:
                lose(losses, wire, place, _WHAT_VALUE, _WHY_VALUE, known)
            copy[key] = mended_value(v, wire, place, losses, known)
        return copy
    names = field_names(value)
    keys = getattr(value, "__struct_encode_fields__", names)
    changes = {
        name: mended_value(getattr(value, name), wire, f"{path}.{key}", losses, known)
        for name, key in zip(names, keys, strict=True)
        if hasattr(value, name)
    }
    return changed(value, changes)
