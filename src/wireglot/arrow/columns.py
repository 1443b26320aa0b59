"""A column of any type that holds documents -> the bytes of each.

Text and binary columns are read in place: a document is a slice of Arrow's buffer, and a decoder
makes one copy of it, so that its values do not keep the whole batch in memory. A column of structs,
maps or lists of them, as `datasets` and readers of JSON make them, becomes JSON. A value that JSON
does not have is the fault of its row.

Arrow checks no buffers unless it is asked to, and says much with few bytes: a dictionary, a run and
a view repeat a value, and a null takes none. So each row is measured before it is unpacked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from itertools import repeat
from math import isfinite
from struct import Struct, calcsize
from typing import Any, Final, Literal

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import DecodeError, EncodeError, LimitError, quoted, shown, unknown
from ..limits import DEFAULT_LIMITS
from ..model.counting import MOST_VALUES

__all__ = [
    "MOST_TEXT",
    "WIRE",
    "Document",
    "array",
    "documents",
    "may_hold",
    "names_of",
    "only",
    "too_large",
]

WIRE: Final = "arrow"

Document = bytes | memoryview | DecodeError | None
"""What a row has: its document, None for null, or why it cannot be read."""
_encode = msgspec.json.Encoder().encode
_view_of = Struct("<i4sii").unpack_from  # the length, 4 bytes of the text, a buffer, a place in it
_VIEW: Final = 16
_IN_VIEW: Final = 12  # bytes; a longer text is in a buffer of its own
_FEW: Final = 256
_FEW_VALUES: Final = 100_000
_FAULTS: Final = (
    *(ValueError, KeyError, OverflowError, TypeError),
    *(pa.ArrowException, msgspec.MsgspecError),
)


def documents(column: Any) -> Iterator[Document]:
    """Yield the document of each row. What is too large, or not in the buffers, is its fault.

    Raises `EncodeError` for a column of numbers, times and the like, and for one that has fewer
    rows in its buffers than it says.
    """
    if not may_hold(column.type):
        reason = f"column of type {column.type}, expected text, binary or nested data"
        raise EncodeError(reason, wire=WIRE)
    return map(_within, _unbounded(column))


def _unbounded(column: Any) -> Iterator[Document]:
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _unbounded(column.storage)
    if pa.types.is_dictionary(kind):
        return _looked_up(column)
    if pa.types.is_run_end_encoded(kind):
        return _repeated(column)
    if pa.types.is_null(kind):
        return repeat(None, len(column))
    return next(read for is_kind, read in _READERS.items() if is_kind(kind))(column)


def _within(document: Document) -> Document:
    if document is None or isinstance(document, DecodeError):
        return document
    return document if len(document) <= DEFAULT_LIMITS.bytes else _too_long()


def _too_long() -> LimitError:
    return LimitError(f"document of more than {DEFAULT_LIMITS.bytes:,} bytes", wire=WIRE)


def may_hold(kind: Any) -> bool:
    """Whether a column of a type can hold documents."""
    if isinstance(kind, pa.BaseExtensionType):
        return may_hold(kind.storage_type)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return may_hold(kind.value_type)
    return pa.types.is_null(kind) or any(is_kind(kind) for is_kind in _READERS)


def _looked_up(column: Any) -> Iterator[Document]:
    _check_buffers(column)
    values: dict[int | None, Document] = {None: None}
    dictionary = column.dictionary
    for index in column.indices.to_pylist():
        if index not in values:  # a dictionary may be that of many batches
            is_there = 0 <= index < len(dictionary)
            values[index] = (
                next(_unbounded(dictionary.slice(index, 1)))
                if is_there
                else _malformed(column.type, f"index {index} into {len(dictionary)} values")
            )
        yield values[index]


def _repeated(column: Any) -> Iterator[Document]:
    _check_buffers(column, full=True)
    for value, count in _runs(column):
        yield from repeat(next(_unbounded(value)), count)


def _runs(column: Any) -> Iterator[tuple[Any, int]]:
    """Yield each run of a run-end encoded column: an array with its value, and its length."""
    run, at, end = column.find_physical_offset(), column.offset, column.offset + len(column)
    while at < end:
        until = min(column.run_ends[run].as_py(), end)
        yield column.values.slice(run, 1), until - at
        run, at = run + 1, until


def _slices(column: Any, width: Literal["i", "q"]) -> Iterator[Document]:
    """Yield the slices between offsets of `width`, a format of `memoryview`."""
    if not len(column):
        return
    first, rows = column.offset, len(column)
    _, offsets, data = column.buffers()
    _check_rows(column, offsets, first + rows + 1, calcsize(width))
    ends = memoryview(offsets).cast("B").cast(width)[first : first + rows + 1]
    text = memoryview(b"") if data is None else memoryview(data).cast("B")
    is_valid = column.is_valid().to_pylist() if column.null_count else None
    size = len(text)
    for row in range(rows):
        start, end = ends[row], ends[row + 1]
        if is_valid is not None and not is_valid[row]:
            yield None
        elif 0 <= start <= end <= size:
            yield text[start:end]
        else:
            yield _malformed(column.type, f"bytes {start} to {end} of {size}")


def _small(column: Any) -> Iterator[Document]:
    return _slices(column, "i")


def _large(column: Any) -> Iterator[Document]:
    return _slices(column, "q")


def _views(column: Any) -> Iterator[Document]:
    """Yield the texts of an array of views: 16 bytes a row, which hold a short text themselves."""
    if not len(column):
        return
    _, views, *buffers = column.buffers()
    _check_rows(column, views, column.offset + len(column), _VIEW)
    rows = memoryview(views).cast("B")
    texts = [memoryview(buffer).cast("B") for buffer in buffers]
    is_valid = column.is_valid().to_pylist() if column.null_count else None
    for row in range(len(column)):
        place = (column.offset + row) * _VIEW
        length, _, buffer, start = _view_of(rows, place)
        end = start + length
        if is_valid is not None and not is_valid[row]:
            yield None
        elif 0 <= length <= _IN_VIEW:
            yield rows[place + 4 : place + 4 + length]
        elif 0 <= buffer < len(texts) and 0 <= start <= end <= len(texts[buffer]):
            yield texts[buffer][start:end]
        else:
            yield _malformed(column.type, f"bytes {start} to {end} of buffer {buffer}")


def _check_rows(column: Any, buffer: Any, places: int, size: int) -> None:
    """Raise `EncodeError` if the buffers of a column of text do not have so many places."""
    valid = column.buffers()[0]
    has_rows = buffer is not None and buffer.size >= places * size
    if not has_rows or (valid is not None and valid.size * 8 < column.offset + len(column)):
        reason = f"malformed column of type {column.type}: no buffers for {len(column):,} rows"
        raise EncodeError(reason, wire=WIRE)


def _check_buffers(column: Any, kind: Any = None, *, full: bool = False) -> None:
    """Raise `EncodeError` if a column is not in its buffers, which are read only if `full`.

    With a `kind`, it is looked at as a column of that type.
    """
    try:
        (column if kind is None else column.cast(kind)).validate(full=full)
    except pa.ArrowException as error:
        reason = shown(f"malformed column of type {column.type}: {error}", 300)
        raise EncodeError(reason, wire=WIRE) from error


def _check_nested(column: Any) -> None:
    """Raise `EncodeError` if a column is not in its buffers; text may be other than UTF-8."""
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        _check_buffers(column)
        _check_buffers(column, _without_text(column.type), full=True)


def _without_text(kind: Any) -> Any:
    """Return a type with binary in place of text, which has to be UTF-8."""
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _without_text(field.type)) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(_without_text(kind.key_type), _without_text(kind.item_type))
    if pa.types.is_list(kind):
        return pa.list_(_without_text(kind.value_type))
    if pa.types.is_large_list(kind):
        return pa.large_list(_without_text(kind.value_type))
    return {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}.get(kind, kind)


def _malformed(kind: Any, why: object) -> DecodeError:
    reason = shown(f"malformed row of a column of type {kind}: {why}", 300)
    return DecodeError(reason, wire=WIRE)


def _nested(column: Any) -> Iterator[Document]:
    """Yield the JSON of structs; Arrow gives each struct the keys of all, which are left out."""
    _check_nested(column)
    # To make dictionaries of maps is slow, so only types with maps ask for it.
    has_maps = "map<" in str(column.type)
    options: dict[str, Any] = {"maps_as_pydicts": "strict"} if has_maps else {}
    for start in range(0, len(column), _FEW):
        rows = column.slice(start, _FEW)
        try:
            values = _values(rows, _FEW_VALUES, options)
        except _FAULTS:  # of one of the rows
            yield from (_row(rows.slice(row, 1), options) for row in range(len(rows)))
            continue
        yield from (_json(value) for value in values)


def _row(row: Any, options: dict[str, Any]) -> Document:
    try:
        (value,) = _values(row, MOST_VALUES, options)
    except LimitError as error:
        return error
    except _FAULTS as error:
        return _without_json(error)
    return _json(value)


def _values(rows: Any, most: int, options: dict[str, Any]) -> list[Any]:
    """Return rows as Python has them. Raises `LimitError` for more than `most` values in them."""
    values, size = _contents(rows, most)
    if values > most:
        raise _too_many()
    if size > DEFAULT_LIMITS.bytes:
        raise _too_long()
    made: list[Any] = rows.to_pylist(**options)
    return made


def _json(value: Any) -> Document:
    try:
        return None if value is None else _encode(_plain(value))
    except _FAULTS as error:
        return _without_json(error)


def _without_json(error: Exception) -> DecodeError:
    reason = f"value without JSON, expected text, numbers, lists, structs: {error}"
    return DecodeError(shown(reason, 300), wire=WIRE)


def _contents(column: Any, most: int) -> tuple[int, int]:
    """Return how many values a column has, those inside them counted, and the bytes of its texts.

    Nothing is unpacked for this. Raises `LimitError` at a list with more than `most` values.
    """
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return _contents(column.storage, most)
    if pa.types.is_map(kind):
        item = pa.struct([("key", kind.key_type), ("value", kind.item_type)])
        return _contents(column.cast(pa.list_(item)), most)
    if any(is_list(kind) for is_list in _LISTS):
        items = pc.sum(pc.list_value_length(column)).as_py() or 0
        if items > most:
            raise _too_many()
        is_shared = any(is_view(kind) for is_view in _VIEWS) and items > len(column.values)
        parts = _viewed(column) if is_shared else [(column.flatten(), 1)]
    elif pa.types.is_struct(kind):
        parts = [(column.field(number), 1) for number in range(kind.num_fields)]
    elif pa.types.is_dictionary(kind):
        counts = pc.value_counts(column.indices.drop_null()).to_pylist()
        parts = [(column.dictionary.slice(c["values"], 1), c["counts"]) for c in counts]
    elif pa.types.is_run_end_encoded(kind):
        parts = [*_runs(column)]
    else:
        return len(column), _text_in(column)
    sizes = [(count, *_contents(part, most)) for part, count in parts]
    inside = sum(count * values for count, values, _ in sizes)
    return len(column) + inside, sum(count * size for count, _, size in sizes)


def _viewed(column: Any) -> list[tuple[Any, int]]:
    """Return what lists have that share items, each part once, and how many have it.

    To flatten them would copy the items for each.
    """
    if len(column) > _FEW_VALUES:
        raise _too_many()
    sizes = pc.list_value_length(column).to_pylist()
    places = Counter(zip(column.offsets.to_pylist(), sizes, strict=True))
    return [(column.values.slice(*place), count) for place, count in places.items() if place[1]]


def _text_in(column: Any) -> int:
    """Return how many bytes the texts of a column have."""
    kind = column.type
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        lengths = memoryview(column.buffers()[1]).cast("B").cast("i")
        first = column.offset * _VIEW // 4
        return sum(lengths[first : first + len(column) * _VIEW // 4 : _VIEW // 4])
    if not any(is_text(kind) for is_text in _TEXTS):
        return 0
    size: int = pc.sum(pc.binary_length(column)).as_py() or 0
    return size


def _too_many() -> LimitError:
    return LimitError(f"document of more than {MOST_VALUES:,} values", wire=WIRE)


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


_VIEWS: Final[tuple[Callable[[Any], bool], ...]] = (
    pa.types.is_list_view,
    pa.types.is_large_list_view,
)
_LISTS: Final[tuple[Callable[[Any], bool], ...]] = (
    pa.types.is_list,
    pa.types.is_large_list,
    pa.types.is_fixed_size_list,
    *_VIEWS,
)


_TEXTS: Final[tuple[Callable[[Any], bool], ...]] = (
    *(pa.types.is_string, pa.types.is_large_string),
    *(pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary),
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
        raise too_large() from error
    if isinstance(column, pa.ChunkedArray):
        raise too_large()
    return column


def too_large() -> LimitError:
    """Return the error of a column that does not fit into one batch."""
    return LimitError(_TOO_LARGE, wire=WIRE)


MOST_TEXT: Final = 2**31 - 1
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
