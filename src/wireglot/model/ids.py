"""Identifiers and times. Factories and callers make them; decoding never does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal

from ..errors import EncodeError, unknown

__all__ = ["IdKind", "IdSource", "generate_id", "now_ms"]

IdKind = Literal["string", "int", "bigint"] | Callable[[], str | int]

IdSource = Callable[[], str]
"""A source of ids: each call returns another token of letters and digits, best 24 or more.

`secrets.token_hex` is one. The wires add their prefixes to a token, and numbers after it.
"""


def generate_id(kind: IdKind | None = "string", default: str | int | None = None) -> str | int:
    """Return `default` if it is set and of the right kind, else a new random id.

    `string`, or None, is a UUIDv4, `int` its top 32 bits, `bigint` its top 64 bits. A callable is
    called first; if its result is empty, the rule of `string` applies. `""` and `0` count as unset.

    Raises `EncodeError` if `kind` is another word, such as an id: PyAgenity's own function of this
    name, which is `formats.pyagenity.generate_id`, takes the default first.
    """
    if callable(kind):
        made = kind()
        if made:
            return made
        kind = "string"
    if kind is None:
        kind = "string"
    if kind not in ("string", "int", "bigint"):
        reason = (
            unknown("kind of id", kind, ("string", "int", "bigint"))
            + ", or a callable; pass an id as `default`"
        )
        raise EncodeError(reason, wire="model")
    if default and isinstance(default, str if kind == "string" else int):
        return default
    import uuid

    new = uuid.uuid4()
    if kind == "string":
        return str(new)
    return new.int >> (96 if kind == "int" else 64)


def now_ms() -> int:
    """Milliseconds since the Unix epoch."""
    return time.time_ns() // 1_000_000
