"""A column of any type that holds documents -> the bytes of each.

Text and binary columns are read in place: a document is a slice of Arrow's buffer, and a decoder
makes one copy of it, so that its values do not keep the whole batch in memory. A column of structs
or lists, as `datasets` and readers of JSON make them, becomes JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time
from struct import Struct
from typing import Any, Final, Literal

import msgspec
import pyarrow as pa

from ..errors import EncodeError, LimitError

__all__ = ["WIRE", "array", "documents"]

WIRE: Final = "arrow"

Document = bytes | memoryview | None
_encode = msgspec.json.Encoder().encode
_view_of = Struct("<i4sii").unpack_from  # the length, 4 bytes of the text, a buffer, a place in it
_IN_VIEW: Final = 12  # bytes; a longer text is in a buffer of its own


def documents(column: Any) -> Iterator[Document]:
    """Yield the document of each row, None where it is null.

    Raises `EncodeError` for a column of numbers, times and the like.
    """
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return documents(column.storage)
    if pa.types.is_dictionary(kind):
        return _looked_up(column)
    if pa.types.is_null(kind):
        return iter([None] * len(column))
    for is_kind, read in _READERS.items():
        if is_kind(kind):
            return read(column)
    raise EncodeError(f"column of type {kind}, expected text, binary or nested data", wire=WIRE)


def _looked_up(column: Any) -> Iterator[Document]:
    values = [*documents(column.dictionary)]
    for index in column.indices.to_pylist():
        yield None if index is None else values[index]


def _slices(column: Any, width: Literal["i", "q"]) -> Iterator[Document]:
    """Yield the slices between offsets of `width`, a format of `memoryview`."""
    _, offsets, data = column.buffers()
    if not len(column):
        return
    first = column.offset
    ends = memoryview(offsets).cast("B").cast(width)[first : first + len(column) + 1]
    text = memoryview(b"") if data is None else memoryview(data).cast("B")
    is_valid = column.is_valid().to_pylist() if column.null_count else None
    for row in range(len(column)):
        if is_valid is not None and not is_valid[row]:
            yield None
        else:
            yield text[ends[row] : ends[row + 1]]


def _small(column: Any) -> Iterator[Document]:
    return _slices(column, "i")


def _large(column: Any) -> Iterator[Document]:
    return _slices(column, "q")


def _views(column: Any) -> Iterator[Document]:
    """Yield the texts of an array of views: 16 bytes a row, which hold a short text themselves."""
    _, views, *buffers = column.buffers()
    if not len(column):
        return
    rows = memoryview(views).cast("B")
    texts = [memoryview(buffer).cast("B") for buffer in buffers]
    is_valid = column.is_valid().to_pylist() if column.null_count else None
    for row in range(len(column)):
        place = (column.offset + row) * 16
        length, _, buffer, start = _view_of(rows, place)
        if is_valid is not None and not is_valid[row]:
            yield None
        elif length <= _IN_VIEW:
            yield rows[place + 4 : place + 4 + length]
        else:
            yield texts[buffer][start : start + length]


def _nested(column: Any) -> Iterator[Document]:
    """Yield the JSON of structs; Arrow gives each struct the keys of all, which are left out."""
    for value in column.to_pylist():
        yield None if value is None else _encode(_without_nulls(value))


def _without_nulls(value: Any) -> Any:
    kind = type(value)
    if kind is dict:
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    if kind is list:
        return [_without_nulls(item) for item in value]
    return value.isoformat() if isinstance(value, date | datetime | time) else value


def array(values: Iterable[Any], kind: Any) -> Any:
    """Return a column of a type. Raises `LimitError` if it does not fit into one batch."""
    made = pa.array(values if isinstance(values, list) else list(values), kind)
    if isinstance(made, pa.ChunkedArray):
        raise LimitError("over 2 GiB in one batch, expected fewer rows", wire=WIRE)
    return made


_READERS: Final[dict[Callable[[Any], bool], Callable[[Any], Iterator[Document]]]] = {
    pa.types.is_string: _small,
    pa.types.is_binary: _small,
    pa.types.is_large_string: _large,
    pa.types.is_large_binary: _large,
    pa.types.is_string_view: _views,
    pa.types.is_binary_view: _views,
    pa.types.is_nested: _nested,
}
