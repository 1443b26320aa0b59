"""Lone surrogates: the half characters that JSON can spell, and UTF-8 cannot carry.

Real clients send them, by cutting a text in the middle of an emoji. Decoders and encoders follow
one rule: a lone surrogate is an error, unless there is a list of losses; then U+FFFD replaces it.
"""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .losses import Losses, lose
from .model import LlmMessage

__all__ = ["mended_text", "mended_value"]

_WHAT = "lone surrogate"
_WHY = "half a character is not Unicode text; U+FFFD stands in for it"

# Any escape but a lone surrogate, or (in the group) a lone surrogate.
_ESCAPES = re.compile(
    rb"\\(?:[^u]|u(?:[dD][89abAB]..\\u[dD][c-fC-F]..|(?![dD][89a-fA-F])....))"
    rb"|(\\u[dD][89a-fA-F]..)",
    re.DOTALL,
)
_may_be_one = re.compile(rb"\\u[dD][89a-fA-F]").search


def mended_text(data: bytes, wire: str, losses: Losses) -> bytes | None:
    """Return JSON text with its lone surrogate escapes replaced, or None if it has none.

    Raises `LossError` at the first one if `losses` is None.
    """
    if _may_be_one(data) is None:  # most texts hold none, and this check is fast
        return None
    found = False

    def mended(match: re.Match[bytes]) -> bytes:
        nonlocal found
        if match[1] is None:
            return match[0]
        found = True
        lose(losses, wire, f"byte {match.start()}", _WHAT, _WHY)
        return rb"\ufffd"

    text = _ESCAPES.sub(mended, data)
    return text if found else None


def mended_value(value: Any, wire: str, path: str, losses: Losses) -> Any:
    """Return a copy of model values or Python data with U+FFFD for each lone surrogate.

    Tuples and sets become lists. Raises `LossError` at the first one if `losses` is None.
    """
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            lose(losses, wire, path, _WHAT, _WHY)
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return value
    if type(value) is LlmMessage:
        value._take_apart()  # as `msgpack_hook` does
        value = value.flat()
    if isinstance(value, list | tuple | set | frozenset):
        return [mended_value(v, wire, f"{path}[{i}]", losses) for i, v in enumerate(value)]
    if isinstance(value, dict):
        return {
            mended_value(k, wire, path, losses): mended_value(v, wire, f"{path}.{k}", losses)
            for k, v in value.items()
        }
    if isinstance(value, Struct):
        changes = {
            name: mended_value(getattr(value, name), wire, f"{path}.{key}", losses)
            for name, key in zip(
                value.__struct_fields__, value.__struct_encode_fields__, strict=True
            )
        }
        return replace(value, **changes)
    return value
