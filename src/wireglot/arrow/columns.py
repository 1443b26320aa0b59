"""A column of any type that holds documents -> the bytes of each.

Text and binary columns are read in place: a document is a slice of Arrow's buffer, and a decoder
makes one copy of it, so that its values do not keep the whole batch in memory. A column of structs,
maps or lists of them, as `datasets` and readers of JSON make them, becomes JSON. A value that JSON
does not have is the fault of its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from math import isfinite
from struct import Struct
from typing import Any, Final, Literal

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import DecodeError, EncodeError, LimitError, quoted, shown, unknown

__all__ = ["WIRE", "Document", "array", "documents", "may_hold", "names_of", "only"]

WIRE: Final = "arrow"

Document = bytes | memoryview | DecodeError | None
"""What a row has: its document, None for null, or why it cannot be read."""
_encode = msgspec.json.Encoder().encode
_view_of = Struct("<i4sii").unpack_from  # the length, 4 bytes of the text, a buffer, a place in it
_IN_VIEW: Final = 12  # bytes; a longer text is in a buffer of its own
_FAULTS: Final = (
    *(ValueError, KeyError, OverflowError, TypeError),
    *(pa.ArrowException, msgspec.MsgspecError),
)


def documents(column: Any) -> Iterator[Document]:
    """Yield the document of each row.

    Raises `EncodeError` for a column of numbers, times and the like.
    """
    kind = column.type
    if not may_hold(kind):
        reason = f"column of type {kind}, expected text, binary or nested data"
        raise EncodeError(reason, wire=WIRE)
    if isinstance(kind, pa.BaseExtensionType):
        return documents(column.storage)
    if pa.types.is_dictionary(kind):
        return _looked_up(column)
    if pa.types.is_run_end_encoded(kind):
        return documents(pc.call_function("run_end_decode", [column]))
    if pa.types.is_null(kind):
        return iter([None] * len(column))
    return next(read for is_kind, read in _READERS.items() if is_kind(kind))(column)


def may_hold(kind: Any) -> bool:
    """Whether a column of a type can hold documents."""
    if isinstance(kind, pa.BaseExtensionType):
        return may_hold(kind.storage_type)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return may_hold(kind.value_type)
    return pa.types.is_null(kind) or any(is_kind(kind) for is_kind in _READERS)


def _looked_up(column: Any) -> Iterator[Document]:
    values: dict[int | None, Document] = {None: None}
    dictionary = column.dictionary
    for index in column.indices.to_pylist():
        if index not in values:  # a dictionary may be that of many batches
            values[index] = next(documents(dictionary.slice(index, 1)))
        yield values[index]


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
    # To make dictionaries of maps is slow, so only types with maps ask for it.
    has_maps = "map<" in str(column.type)
    options: dict[str, Any] = {"maps_as_pydicts": "strict"} if has_maps else {}
    try:
        values = column.to_pylist(**options)
    except _FAULTS:  # a row has a bad value; the loop finds it
        values = [None] * len(column)
    for row, value in enumerate(values):
        try:
            if value is None and column[row].is_valid:
                value = column[row].as_py(**options)
            yield None if value is None else _encode(_plain(value))
        except _FAULTS as error:
            reason = f"value without JSON, expected text, numbers, lists, structs: {error}"
            yield DecodeError(shown(reason, 300), wire=WIRE)


def _plain(value: Any) -> Any:
    """Return a value without nulls; times are text, and so is binary, if it is UTF-8."""
    kind = type(value)
    if kind is dict:
        return {
            key if type(key) is str else _plain(key): item if type(item) in _JSON else _plain(item)
            for key, item in value.items()
            if item is not None
        }
    if kind is list:
        return [_plain(item) for item in value]
    if kind is bytes:
        return value.decode()
    if kind is Decimal:
        return int(value) if value == value.to_integral_value() else float(value)
    if kind is float and not isfinite(value):
        raise ValueError(f"{value} is not a number of JSON")
    return value.isoformat() if isinstance(value, date | datetime | time) else value


_JSON: Final = frozenset({str, int, bool})


def _is_nested(kind: Any) -> bool:
    if pa.types.is_struct(kind) or pa.types.is_map(kind):
        return True
    return any(is_list(kind) for is_list in _LISTS) and _is_nested(kind.value_type)


_LISTS: Final[tuple[Callable[[Any], bool], ...]] = (
    pa.types.is_list,
    pa.types.is_large_list,
    pa.types.is_fixed_size_list,
    pa.types.is_list_view,
    pa.types.is_large_list_view,
)


def names_of(schema: Any) -> list[str]:
    """Return the names of the columns. Raises `EncodeError` for one that is not UTF-8."""
    try:
        return [*schema.names]
    except UnicodeDecodeError as error:
        raise EncodeError("name of a column is not UTF-8", wire=WIRE) from error


def only(column: str, names: list[str]) -> None:
    """Raise `EncodeError` unless there is one column of this name."""
    if column not in names:
        raise EncodeError(unknown("column", column, names), wire=WIRE)
    if names.count(column) > 1:
        raise EncodeError(f"two columns {quoted(column)}, expected one", wire=WIRE)


def array(values: list[Any], kind: Any) -> Any:
    """Return a column of a type. Raises `LimitError` if it does not fit into one batch."""
    try:
        column = pa.array(values, kind)
    except pa.ArrowCapacityError as error:
        raise LimitError(_TOO_LARGE, wire=WIRE) from error
    if isinstance(column, pa.ChunkedArray):
        raise LimitError(_TOO_LARGE, wire=WIRE)
    return column


_TOO_LARGE: Final = "more than 2 GiB of text in one batch, expected fewer rows"


_READERS: Final[dict[Callable[[Any], bool], Callable[[Any], Iterator[Document]]]] = {
    pa.types.is_string: _small,
    pa.types.is_binary: _small,
    pa.types.is_large_string: _large,
    pa.types.is_large_binary: _large,
    pa.types.is_string_view: _views,
    pa.types.is_binary_view: _views,
    _is_nested: _nested,
}
