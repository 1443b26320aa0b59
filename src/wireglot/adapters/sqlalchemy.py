"""A column type of SQLAlchemy: values of the model as the bytes of the native wire.

    class Turn(Base):
        id: Mapped[int] = mapped_column(primary_key=True)
        messages: Mapped[list[wg.AgentMessage]] = mapped_column(Native())

The column is binary (`bytea` in PostgreSQL, `BLOB` elsewhere), which loses nothing. `jsonb`
rewrites numbers, reorders keys and refuses texts with a NUL character; see the page on databases.
"""

from __future__ import annotations

from typing import Any

import wireglot.json as json

from .._runtime.extras import needs
from ..errors import DecodeError, EncodeError
from ..model import AgentMessage

with needs("wireglot.adapters.sqlalchemy", "sqlalchemy"):
    from sqlalchemy import Dialect, LargeBinary
    from sqlalchemy.types import TypeDecorator, TypeEngine

__all__ = ["Native"]


class Native(TypeDecorator[Any]):
    """A column of one type of the model, by default `list[AgentMessage]`, as native JSON.

    The database compares bytes: the same value is the same bytes. A change inside a value is not
    noticed, and so not written: assign a new list, or call `flag_modified`.
    `MutableList.as_mutable(Native())` notices what is appended, but not what changes in a message.

    Writing raises `EncodeError` for what the column could not be read as, and reading
    `DecodeError`, inside SQLAlchemy's `StatementError` if a statement was being prepared.
    """

    impl: TypeEngine[Any] | type[TypeEngine[Any]] = LargeBinary
    cache_ok: bool | None = True

    def __init__(self, kind: Any = list[AgentMessage]) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        """Return the bytes of a value, which are read once; None is NULL."""
        if value is None:
            return None
        data = json.encode(value, check=True)
        try:
            json.decode(data, self.kind)
        except DecodeError as error:
            raise EncodeError(error.reason, wire=error.wire, path=error.path) from error
        return data

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """Return the value of what a column holds."""
        return None if value is None else json.decode(value, self.kind)
