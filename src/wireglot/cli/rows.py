"""The rows of a Parquet file, some at a time: documents, or batches of all columns.

Memory holds some batches of a few megabytes, however large the file is. A row is bounded as a line
of another file is. What is in a file says so before it is unpacked, if it is true; Arrow itself has
no bound, and 400 bytes can be a row of 2 GB. So the system is asked for one while Arrow unpacks.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, BinaryIO, Final

from .._documents.data_sets import data_set_of
from .._runtime.extras import needs
from ..errors import DecodeError, LimitError, quoted, unknown
from ..limits import DEFAULT_LIMITS
from ..model.counting import MOST_VALUES

with needs("a Parquet file", "'wireglot[arrow]'"):
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ..arrow.columns import documents, may_hold
    from ..arrow.tables import DOCUMENT

__all__ = ["Rows"]

_BATCH: Final = 4 * 1024 * 1024
_MOST_ROWS: Final = 4096
_FEW: Final = 4
_SMALL: Final = (
    1024  # bytes of a row, where it takes longer to read one at a time than to decode it
)
_LARGE: Final = 64 * 1024 * 1024
_MOST_MEMORY: Final = 6 * DEFAULT_LIMITS.bytes
"""What reading some rows may take: a document, its page, and room for both to grow in."""
_BUFFER: Final = 1024 * 1024
_NAMES: Final = ("messages", "conversation", "conversations", "body", "request", "response", "json")


class Rows:
    """The rows of a Parquet file. `column` names the one with documents; by default it is found.

    Raises `DecodeError` if the file is not Parquet, or which column is meant cannot be told.
    """

    def __init__(self, stored: BinaryIO, column: str | None) -> None:
        if not stored.seekable():
            raise DecodeError("pipe with Parquet, expected a file", wire="cli")
        stored.seek(0)
        with _pyarrow_errors():
            self._file = pq.ParquetFile(stored, buffer_size=_BUFFER, pre_buffer=False)
            self.schema: Any = self._file.schema_arrow
            names = self.schema.names
        self.column: str = column or _column_in(self.schema)
        if self.column not in names:
            raise DecodeError(unknown("column", self.column, names), wire="cli")
        if names.count(self.column) > 1:
            raise DecodeError(f"two columns {quoted(self.column)}, expected one", wire="cli")

    def batches(self, columns: list[str] | None = None) -> Iterator[Any]:
        """Yield batches of some megabytes, of all columns or of some, at least one.

        A few rows are read at a time: the sizes in a file are those of its compact form, or false.

        Raises `LimitError` for a row that is too large.
        """
        groups = range(self._file.metadata.num_row_groups)
        rows = chain.from_iterable(self._row_group(group, columns) for group in groups)
        with _pyarrow_errors():
            while few := _few(rows):
                yield from few
            if not self._file.metadata.num_rows:
                table = self.schema.empty_table().select(columns or self.schema.names)
                yield pa.record_batch(
                    [column.combine_chunks() for column in table.columns], schema=table.schema
                )

    def _row_group(self, number: int, columns: list[str] | None) -> Iterator[Any]:
        group = self._file.metadata.row_group(number)
        rows = max(group.num_rows, 1)
        size = 0
        for column in range(group.num_columns):
            chunk = group.column(column)
            path = f"{chunk.path_in_schema}."  # of a struct, the names of its fields follow
            if columns is None or path.startswith(tuple(f"{name}." for name in columns)):
                size += chunk.total_uncompressed_size
                if chunk.num_values > rows * MOST_VALUES:
                    raise LimitError(f"row of more than {MOST_VALUES:,} values", wire="cli")
        if size > rows * DEFAULT_LIMITS.bytes:
            raise LimitError(f"row of more than {DEFAULT_LIMITS.bytes:,} bytes", wire="cli")
        few = _FEW if size < rows * _SMALL else 1
        return self._file.iter_batches(few, row_groups=[number], columns=columns, use_threads=False)

    def blocks(self) -> Iterator[list[bytes | DecodeError | None]]:
        """Yield the documents of some rows at a time."""
        for batch in self.batches([self.column]):
            yield [
                row if row is None or isinstance(row, DecodeError) else bytes(row)
                for row in documents(batch.column(0))
            ]


@contextmanager
def _pyarrow_errors() -> Iterator[None]:
    """Raise what pyarrow says of a file as a `DecodeError`; an error of its file system stays."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise DecodeError("name of a column is not UTF-8", wire="cli") from error
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "filename", None) is not None:
            raise
        raise DecodeError(f"not a Parquet file: {error}", wire="cli") from error


def _few(rows: Iterator[Any]) -> list[Any]:
    """Return some rows, usually as one batch, or as several if they are large."""
    batches: list[Any] = []
    count = size = 0
    with _bounded_memory():
        for batch in rows:
            batches.append(batch)
            count += batch.num_rows
            size += batch.nbytes
            if size >= _BATCH or count >= _MOST_ROWS:
                break
    if size > _LARGE:
        return [batch.slice(row, 1) for batch in batches for row in range(batch.num_rows)]
    if len(batches) < 2:
        return batches
    joined: list[Any] = pa.Table.from_batches(batches).combine_chunks().to_batches()
    return joined


@contextmanager
def _bounded_memory() -> Iterator[None]:
    """Raise `LimitError` at more than 1.5 GiB; only Linux says what is already taken."""
    if sys.platform != "linux":
        yield
        return
    import resource

    with open("/proc/self/statm", "rb") as sizes:
        taken = int(sizes.read().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = (taken + _MOST_MEMORY, *(limit for limit in (soft, hard) if limit >= 0))
    resource.setrlimit(resource.RLIMIT_AS, (min(limits), hard))
    try:
        yield
    except MemoryError as error:
        reason = f"rows that take more than {_MOST_MEMORY:,} bytes of memory, expected smaller ones"
        raise LimitError(reason, wire="cli") from error
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _column_in(schema: Any) -> str:
    """Return the name of the column that has documents."""
    held = [field.name for field in schema if may_hold(field.type)]
    if DOCUMENT in held:
        return DOCUMENT
    named = [name for name in _NAMES if name in held]
    if len(held) == 1 or len(named) == 1:
        return (held if len(held) == 1 else named)[0]
    names = ", ".join(map(quoted, held or schema.names))
    raise data_set_of(schema.names) or DecodeError(
        f"columns {names}, expected one; pass --column", wire="cli"
    )
