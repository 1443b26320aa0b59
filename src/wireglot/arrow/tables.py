"""Sessions, requests or answers -> a table that engines can query, and back without a loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Final, Literal

import pyarrow as pa

import wireglot.json as json
import wireglot.msgpack as msgpack

from .._documents.detection import is_packed
from ..errors import DecodeError, EncodeError, unknown
from ..model import AgentMessage, Request, Response
from .columns import WIRE, Document, array, documents, names_of, only
from .messages import MESSAGES, MessageColumn

__all__ = ["DOCUMENT", "SCHEMA", "from_table", "messages_in", "to_table"]

DOCUMENT: Final = "document"
SCHEMA: Final = pa.schema([("messages", MESSAGES), (DOCUMENT, pa.string())])
"""The columns of a conversation: its `messages`, to be queried, and the `document`, native JSON.

With MessagePack the type of `document` is binary. `messages` is made from `document`, which alone
is read again.
"""

Format = Literal["json", "msgpack"]


def to_table(values: Iterable[Any], *, format: Format = "json") -> Any:
    """Return a table with a row for each session (a list of messages), `Request` or `Response`.

    A row with None is null. Raises `EncodeError` for another value, and for one that could not be
    read again, with the number of its row, counted from 0, in the path.
    """
    if format not in _ENCODERS:
        raise EncodeError(unknown("format", format, _ENCODERS), wire=WIRE)
    column = MessageColumn()
    encoded: list[bytes | None] = []
    encode, kind = _ENCODERS[format]
    for row, value in enumerate(values):
        encoded.append(None if value is None else _written(value, encode, row))
        column.append(None if value is None else messages_in(value))
    schema = SCHEMA.set(1, pa.field(DOCUMENT, kind))
    return pa.table([column.array(), array(encoded, kind)], schema=schema)


def from_table(
    table: Any, type: Any = list[AgentMessage], *, column: str = DOCUMENT
) -> Iterator[Any]:
    """Yield what `to_table` was given, decoded from the column of documents; null is None.

    `type` is `Request` or `Response` where the rows are these.

    Raises `DecodeError` at a document that is not one, with the number of its row, counted from 0,
    in the path; `EncodeError` if there is no such column.
    """
    only(column, names_of(table.schema))
    chunks = table[column].chunks if isinstance(table, pa.Table) else [table[column]]
    for row, document in enumerate(chain.from_iterable(map(documents, chunks))):
        try:
            value = _value(document, type)
        except DecodeError as error:
            path = f"row {row}: {error.path}"
            raise error.__class__(error.reason, wire=error.wire, path=path) from error
        yield value


def _value(document: Document, type: Any) -> Any:
    if isinstance(document, DecodeError):
        raise document
    if document is None:
        return None
    decode = msgpack.decode if is_packed(document) else json.decode
    return decode(document, type)


def _written(value: Any, encode: Callable[[Any], bytes], row: int) -> bytes:
    """Return the document of a row. Raises `EncodeError` for one that could not be read again."""
    messages_in(value)
    data = encode(value)
    try:
        _value(data, list[AgentMessage] if isinstance(value, list) else type(value))
    except DecodeError as error:
        path = f"row {row}: {error.path}"
        raise EncodeError(error.reason, wire=error.wire, path=path) from error
    return data


def messages_in(value: Any) -> Iterable[Any]:
    """Return the messages of a session, a request or an answer."""
    if isinstance(value, Request):
        return value.messages
    if isinstance(value, Response):
        return [value.message, *(value.alternatives or ())]
    if isinstance(value, list):
        return value
    raise EncodeError(
        f"`{value.__class__.__name__}`, expected a list of messages, `Request` or `Response`",
        wire=WIRE,
    )


_ENCODERS: Final[dict[str, tuple[Callable[[Any], bytes], Any]]] = {
    "json": (json.encode, pa.string()),
    "msgpack": (msgpack.encode, pa.binary()),
}
