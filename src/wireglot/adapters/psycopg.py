"""Values of the model as parameters of psycopg 3, and as what its queries return.

    register(connection)
    connection.execute("insert into turns (messages) values (%s)", [Native(session)])

    cursor = connection.cursor()
    register(cursor, list[wg.AgentMessage])
    (session,) = cursor.execute("select messages from turns").fetchone()

A parameter is a `bytea` that holds native JSON, which loses nothing. A `json` column needs nothing
from here: pass `Json(session, dumps=wg.json.encode)`, which checks nothing.
"""

from __future__ import annotations

from typing import Any

import wireglot.json as json

from .._runtime.extras import needs

with needs("wireglot.adapters.psycopg", "'psycopg[binary]'"):
    from psycopg.abc import AdaptContext, Buffer
    from psycopg.types.string import (
        ByteaBinaryLoader,
        ByteaLoader,
        BytesBinaryDumper,
        BytesDumper,
    )

__all__ = ["Native", "register"]


class Native:
    """A value of the model as a parameter, as psycopg's own `Json` is for other data."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value: Any = value

    def __repr__(self) -> str:
        """Return the value."""
        return f"Native({self.value!r})"


def register(context: AdaptContext, kind: Any = None) -> None:
    """Let `Native` be a parameter; with a `kind`, every `bytea` that is read is of that type.

    `context` is a connection or a cursor. Give a `kind` to a cursor, since other columns may be of
    type `bytea`.

    `execute` then raises `EncodeError` for what cannot be encoded, or not be read again, and
    `fetchone` and the like `DecodeError` for bytes that are not of the type.
    """
    adapters = context.adapters
    adapters.register_dumper(Native, _TextDumper)
    adapters.register_dumper(Native, _BinaryDumper)  # the last one is what `%s` takes
    if kind is not None:
        for base in (ByteaLoader, ByteaBinaryLoader):
            adapters.register_loader("bytea", _loader(base, kind))


class _TextDumper(BytesDumper):
    def dump(self, obj: Any) -> Buffer | None:
        return super().dump(json.encode(obj.value, check=True))


class _BinaryDumper(BytesBinaryDumper):
    def dump(self, obj: Any) -> Buffer | None:
        return super().dump(json.encode(obj.value, check=True))


def _loader(base: type[Any], kind: Any) -> type[Any]:
    """Return a loader of one type: psycopg makes an object of a class for each column."""

    def load(self: Any, data: Buffer) -> Any:
        # A copy: what psycopg gives is a view of memory that it frees.
        return json.decode(base.load(self, bytes(data)), kind)

    return type("NativeLoader", (base,), {"load": load})
