"""Batches of rows, of a Parquet file or of lines -> the batches that `convert` writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO, Final, NamedTuple

from msgspec.structs import replace

from .._documents.conversion import MSGPACK, Target, converted, hinted
from .._documents.detection import NATIVE, Found
from .._runtime.extras import needs
from ..errors import EncodeError, WireglotError
from ..losses import Loss
from ..providers import facts_named
from .batch import Made
from .documents import reader
from .summary import Summary

with needs("a Parquet file", "'wireglot[arrow]'"):
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ..arrow.kernels import Kernel, text_of
    from ..arrow.messages import MESSAGES
    from ..arrow.tables import DOCUMENT, messages_in

__all__ = ["LINE", "Plan", "numbered", "row_of", "rows_of_lines", "written_table"]

_ROW_GROUP: Final = 64 * 1024 * 1024
LINE: Final = "line"
"""The column of what is read of a file that is not Parquet; it is not written."""


class Plan(NamedTuple):
    """The wire of the rows, and what to convert them to; `prefix` precedes reported row numbers.

    `column` has the documents. `usual` is the wire and kind of most, None if it is not known;
    `wires` are the arguments of `read` for the others.
    """

    column: str
    usual: tuple[str, str] | None
    wires: dict[str, Any]
    target: Target
    prefix: str = ""
    place: str = "row"
    """What a document is in its file; empty if it is all of it."""
    drops: bool = False
    """Whether `column` was made for this, and is not of the file."""

    def kernel(self, notes: list[str], wires: Counter[str]) -> Kernel:
        """Return what converts a batch, counts the wires, and adds to `notes` what is not lost."""
        row = partial(_converted, reader(self.usual, self.wires), self.target, notes, wires)
        kind = pa.binary() if self.target.wire == MSGPACK else pa.string()
        fields: list[Any] = [pa.field("converted", kind)]
        if _has_messages(self.target):
            fields = [pa.field("messages", MESSAGES), pa.field(DOCUMENT, kind)]
        return Kernel(self.column, tuple(fields), row)

    def made(self, batch: Any, first: int) -> Made:
        """Convert a batch, whose first row has the number `first`.

        A column of a name that a new one needs is kept under another: a row that cannot be
        converted would be lost with it, and so would what an earlier run lost.
        """
        notes: list[str] = []
        summary = Summary()
        kernel = self.kernel(notes, summary.wires)
        new = {"losses", "error", *(field.name for field in kernel.fields)}
        old = batch.schema.names
        names = [_unused(name, old) if name in new else name for name in old]
        column = names[old.index(self.column)]
        renamed = batch.rename_columns(names).replace_schema_metadata(batch.schema.metadata)
        made = replace(kernel, column=column)(renamed)
        columns = [made.column(name).to_pylist() for name in ("losses", "error")]
        is_there = batch.column(self.column).is_valid().to_pylist()
        for number, (held, losses, error) in enumerate(zip(is_there, *columns, strict=True), first):
            place = f"{self.place} {number}: " if self.place else ""
            if error is not None:
                fault = WireglotError(error["reason"], wire=error["wire"], path=error["path"])
                summary.fault(f"{place}{hinted(fault)}")
            elif held:
                summary.add([Loss(**loss) for loss in losses], (), self.prefix + place)
        summary.note(notes)
        return Made(made.drop_columns([column]) if self.drops else made, summary)


def _unused(name: str, names: list[str]) -> str:
    """Return `original_NAME`, which is not one of `names`."""
    while (name := f"original_{name}") in names:
        pass
    return name


def _converted(
    found: Callable[[bytes], Found],
    target: Target,
    notes: list[str],
    wires: Counter[str],
    document: Any,
    losses: list[Loss],
) -> tuple[Any, ...]:
    data = bytes(document)
    reading = found(data)
    wires[reading.wire] += 1
    body = converted(reading, data, target, losses, notes)
    if _has_messages(target):
        return messages_in(reading.value), body
    return (text_of(body) if facts_named(target.wire).framing == "eventstream" else body,)


def _has_messages(target: Target) -> bool:
    """Whether a row gets messages to be queried beside the document."""
    return target.wire == NATIVE and target.kind is None


def numbered(batches: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Yield batches, each with the number of its first row, counted from 1."""
    number = 1
    for batch in batches:
        yield number, batch
        number += batch.num_rows


def rows_of_lines(blocks: Iterable[bytes], name: str) -> Iterator[Any]:
    """Yield a batch for each block: its lines as documents, and where each is from."""
    number = 1
    for block in blocks:
        lines = block.removesuffix(b"\n").split(b"\n")
        places = [f"{name}:{n}" for n in range(number, number + len(lines))]
        yield _batch(places, [None if line.isspace() or not line else line for line in lines])
        number += len(lines)


def row_of(name: str, data: bytes) -> Any:
    """Return a batch of one document."""
    return _batch([name], [data])


def _batch(places: list[str], lines: list[bytes | None]) -> Any:
    return pa.record_batch(
        {"source": pa.array(places, pa.string()), LINE: pa.array(lines, pa.binary())}
    )


@contextmanager
def written_table(stream: BinaryIO) -> Iterator[Callable[[Any], None]]:
    """Give a function that writes batches to a Parquet file, in row groups of some 64 MB.

    Raises `EncodeError` if a batch has other columns than the first.
    """
    writer: Any = None
    waiting: list[Any] = []
    size = 0

    def flush() -> None:
        nonlocal writer, size
        if waiting:
            table = pa.Table.from_batches(waiting)
            if writer is None:
                writer = pq.ParquetWriter(stream, table.schema, compression="zstd")
            writer.write_table(table, row_group_size=max(table.num_rows, 1))
            waiting.clear()
            size = 0

    def write(batch: Any) -> None:
        nonlocal size
        schema = waiting[0].schema if waiting else writer and writer.schema
        if schema is not None and schema != batch.schema:
            here, first = (
                ", ".join(f"`{field.name}` ({field.type})" for field in it)
                for it in (batch.schema, schema)
            )
            raise EncodeError(f"columns {here}, expected those before: {first}", wire="cli")
        waiting.append(batch)
        size += batch.nbytes
        if size >= _ROW_GROUP:
            flush()

    try:
        yield write
        flush()
    finally:
        if writer is not None:
            writer.close()
