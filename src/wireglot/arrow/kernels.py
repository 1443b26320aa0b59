"""A batch with a column of documents -> the batch with what was made of them.

A kernel adds the columns that it makes, and two more: `losses`, a list of what the other wire could
not carry, and `error`, which is null unless the row failed. Columns of the same names are replaced,
but an earlier kernel's losses and errors are kept: `error` has the first one. A row that fails
keeps the losses that were found before. A null document makes nulls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import repeat
from typing import Any, Final, Literal, overload

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

import wireglot.json as json

from .._display.prices import Prices, prices_in, read_prices
from .._documents.conversion import MSGPACK, Target, converted
from .._documents.detection import (
    CLI,
    NATIVE,
    Found,
    decoded,
    detect,
    native_kind,
)
from .._documents.figures import Figures
from ..errors import DecodeError, EncodeError, ProviderError, WireglotError, quoted, unknown
from ..formats import FORMATS
from ..losses import Loss
from ..model import AssistantMessage, Response
from ..providers import PROVIDERS, facts_named
from ..translate import StreamTranslator, translate_request, translate_response
from .columns import MOST_TEXT, WIRE, array, documents, names_of, only, too_large
from .messages import MESSAGES, TIME, MessageColumn, count_of, time_of
from .tables import DOCUMENT, messages_in

__all__ = [
    "ERROR",
    "LOSSES",
    "STATS",
    "Kernel",
    "check",
    "convert",
    "decode",
    "stats",
    "text_of",
    "translate",
]

Kind = Literal["request", "response", "stream", "session"]
_Row = Callable[[Any, list[Loss]], tuple[Any, ...]]

_MOST_ROWS: Final = 1000
_TEXT: Final = pa.string()
ERROR: Final = pa.struct([(name, _TEXT) for name in ("kind", "wire", "reason", "path")])
"""The type of the column `error`: the class of the exception, its wire, reason and path.

The reason of a `ProviderError`, an error that came in place of an answer, begins with its kind and
status: `overloaded (529): ...`.
"""
LOSSES: Final = pa.list_(
    pa.struct([("path", _TEXT), ("what", _TEXT), ("why", _TEXT), ("severe", pa.bool_())])
)
"""The type of the column `losses`: the fields of `wireglot.Loss`."""
_TOKENS: Final = ("input", "output", "reasoning", "cache_read", "cache_write")
STATS: Final = pa.struct(
    [
        ("model", _TEXT),
        ("timestamp", TIME),
        *((name, pa.int64()) for name in ("answers", *_TOKENS, "calls", "failed")),
        ("cost", pa.float64()),
        ("priced", pa.int64()),
    ]
)
"""The type of the column `stats`.

`failed` counts calls. `cost` is that of the `priced` answers, those whose price is known.
"""


class Kernel(Struct, frozen=True):
    """A function from batches to batches, which can be pickled.

    `column` names the column of documents, `fields` are the columns that `row` makes of one.
    """

    column: str
    fields: tuple[Any, ...]
    row: _Row

    @overload
    def __call__(self, batch: pa.Table) -> pa.Table: ...
    @overload
    def __call__(self, batch: pa.RecordBatch) -> pa.RecordBatch: ...
    @overload
    def __call__(self, batch: Any) -> Any: ...  # for an engine whose batches are of several types
    def __call__(self, batch: Any) -> Any:
        """Return a `RecordBatch` or a `Table` with the new columns, the rows in order.

        Raises `EncodeError` if there is no such column, or it holds no documents.
        """
        schema = self.schema(batch.schema)
        if isinstance(batch, pa.Table):
            return pa.Table.from_batches(map(self, batch.to_batches()), schema)
        columns = dict(zip(schema.names, batch.columns, strict=False))
        columns |= self._made(columns[self.column], columns.get("losses"), columns.get("error"))
        return pa.record_batch([columns[name] for name in schema.names], schema=schema)

    def reader(self, batches: Any) -> pa.RecordBatchReader:
        """Return a reader of batches with the new columns; each is made when it is asked for.

        `batches` has an Arrow stream (`__arrow_c_stream__`): a `RecordBatchReader`, a table, a
        frame of Polars, a relation of DuckDB. What is made has at most 1000 rows in a batch.

        Raises `EncodeError` if there is no such column.
        """
        rows = pa.RecordBatchReader.from_stream(batches)
        parts = (
            batch.slice(start, _MOST_ROWS)
            for batch in rows
            for start in range(0, batch.num_rows, _MOST_ROWS)
        )
        return pa.RecordBatchReader.from_batches(self.schema(rows.schema), map(self, parts))

    def array(self, column: Any) -> Any:
        """Return the new columns as one column of structs: for engines that call it by column."""
        if isinstance(column, pa.ChunkedArray):
            return pa.chunked_array([self.array(chunk) for chunk in column.chunks], self.type)
        made = self._made(column, None, None)
        return pa.StructArray.from_arrays([*made.values()], fields=[*self.type])

    @property
    def type(self) -> Any:
        """The type of what `array` returns, a struct of the new columns."""
        return pa.struct([*self.fields, *_ALWAYS])

    def schema(self, schema: Any) -> Any:
        """Return the schema of what the kernel makes of batches with `schema`.

        Raises `EncodeError` if there is no such column.
        """
        names = names_of(schema)
        for name in (self.column, *names):
            only(name, names)
        new = {field.name: field for field in (*self.fields, *_ALWAYS)}
        old = [new.pop(field.name, field) for field in schema]
        return pa.schema([*old, *new.values()], schema.metadata)

    def _made(self, column: Any, losses: Any, error: Any) -> dict[str, Any]:
        fields = (*self.fields, *_ALWAYS)
        columns: list[Any] = [MessageColumn() if f.type == MESSAGES else [] for f in fields]
        adds = [column.append for column in columns]
        nothing = (None,) * len(self.fields)
        rows = len(column)
        size = 0
        earlier = _earlier(losses, LOSSES, rows), _earlier(error, ERROR, rows)
        for document, before, fault in zip(documents(column), *earlier, strict=True):
            lost: list[Loss] = []
            values: tuple[Any, ...] = nothing
            if isinstance(document, DecodeError):
                fault = fault or _error(document)
            elif document is not None:
                try:
                    values = self.row(document, lost)
                except WireglotError as raised:
                    fault = fault or _error(raised)  # the first one says why the row failed
                size += sum(len(value) for value in values if type(value) is bytes)
                if size > MOST_TEXT:  # before more is made that has no place
                    raise too_large()
            row = (*values, [*(before or ()), *map(_loss, lost)], fault)
            for add, value in zip(adds, row, strict=True):
                add(value)
        try:
            return _arrays(fields, columns)
        except pa.ArrowInvalid:  # text with a large payload, which no decoder has looked at
            texts = [it for it, f in zip(columns, self.fields, strict=False) if f.type == _TEXT]
            is_text = [all(map(_is_text, values)) for values in zip(*texts, strict=True)]
        for index in (index for index in range(rows) if not is_text[index]):
            columns[-1][index] = columns[-1][index] or _NOT_TEXT
            for text in texts:
                text[index] = None
        made = _arrays(fields, columns)
        nulls = {
            field.name: pc.if_else(pa.array(is_text), made[field.name], pa.nulls(rows, MESSAGES))
            for field in self.fields
            if field.type == MESSAGES
        }
        return made | nulls


_ALWAYS: Final = (pa.field("losses", LOSSES), pa.field("error", ERROR))


def _arrays(fields: Iterable[Any], columns: list[Any]) -> dict[str, Any]:
    return {
        field.name: values.array() if field.type == MESSAGES else array(values, field.type)
        for field, values in zip(fields, columns, strict=True)
    }


def _is_text(value: bytes | None) -> bool:
    try:
        return value is None or bool(value.isascii() or value.decode())
    except UnicodeDecodeError:
        return False


def _field(name: str, kind: Any) -> Any:
    """Return a new column. Raises `EncodeError` for the name of one that every kernel makes."""
    if name in [field.name for field in _ALWAYS]:
        reason = f"column {quoted(name)} of every kernel, expected another name"
        raise EncodeError(reason, wire=WIRE)
    return pa.field(name, kind)


def _earlier(column: Any, kind: Any, rows: int) -> Iterable[Any]:
    """Return what an earlier kernel had in each row of a column.

    Raises `EncodeError` if the column is not of a kernel, and would be lost.
    """
    if column is None:
        return repeat(None, rows)
    try:
        if _names(column.type) in (None, _names(kind)):  # texts may be of the types of an engine
            column.validate(full=True)
            earlier: list[Any] = column.cast(kind).to_pylist()
            return earlier
    except pa.ArrowException:
        pass
    reason = f"column of type {column.type} with the name of a kernel's, expected another name"
    raise EncodeError(reason, wire=WIRE)


def _names(kind: Any) -> list[str] | None:
    """Return the names of the fields of a struct, or of those in a list; None if it has nulls."""
    held = kind.value_type if hasattr(kind, "value_type") else kind
    if pa.types.is_null(held):
        return None
    return [field.name for field in held] if pa.types.is_struct(held) else []


def _loss(loss: Loss) -> dict[str, Any]:
    return {"path": loss.path, "what": loss.what, "why": loss.why, "severe": loss.severe}


def _error(error: WireglotError) -> dict[str, Any]:
    if isinstance(error.__cause__, ProviderError):  # which ended a stream
        error = error.__cause__
    kind, reason = type(error).__name__, error.reason
    if isinstance(error, ProviderError):
        reason = str(error).removeprefix(f"{error.wire}: ")
    return {"kind": kind, "wire": error.wire, "reason": reason, "path": error.path}


_NOT_TEXT: Final = _error(EncodeError("text is not UTF-8", wire=WIRE))


# -- the kernels ---------------------------------------------------------------------------------


_Read = Callable[[Any, list[Loss]], Found]


def decode(
    wire: str | None = NATIVE,
    *,
    kind: Kind | None = None,
    column: str = DOCUMENT,
    prefix: str = "",
) -> Kernel:
    """Return a kernel that makes `messages`, to be queried, and `document`, native JSON.

    `wire` is a provider (`openai_chat`, `anthropic:vertex`), another system's format, or `native`
    (JSON or MessagePack); with None each document is detected, which takes longer. `kind` is by
    default a `request` of a provider, a `session` of a format, and of `native` what each document
    is. `prefix` precedes the names of the new columns, for a table that has requests and answers.

    Raises `EncodeError` for an unknown wire.
    """
    fields = (pa.field(prefix + "messages", MESSAGES), pa.field(prefix + DOCUMENT, _TEXT))
    return Kernel(column, fields, partial(_decoded, _reading(wire, kind)))


def _decoded(read: _Read, document: Any, losses: list[Loss]) -> tuple[Any, ...]:
    value = read(document, losses).value
    return messages_in(value), json.encode(value, losses=losses)


def translate(
    source: str,
    target: str,
    *,
    kind: Literal["request", "response", "stream"] = "request",
    model: str | None = None,
    column: str = DOCUMENT,
    into: str = "translated",
) -> Kernel:
    """Return a kernel that makes the column `into`: the body of one provider for another.

    `model` replaces the name of the model. `into` is text; a stream of Bedrock is binary.

    Raises `EncodeError` for an unknown provider.
    """
    if kind not in _TRANSLATE:
        raise EncodeError(unknown("kind", kind, _TRANSLATE), wire=WIRE)
    source, of_source = _named(source, [*PROVIDERS])
    target, of_target = _named(target, [*PROVIDERS])
    options = {"model": model, "source_dialect": of_source, "target_dialect": of_target}
    is_binary = kind == "stream" and facts_named(target).framing == "eventstream"
    field = _field(into, pa.binary() if is_binary else _TEXT)
    return Kernel(column, (field,), partial(_translated, kind, source, target, options))


def _translated(
    kind: str, source: str, target: str, options: Any, document: Any, losses: list[Loss]
) -> tuple[Any, ...]:
    return (_TRANSLATE[kind](document, source, target, losses=losses, **options),)


def _stream(document: Any, source: str, target: str, **options: Any) -> bytes:
    # A decoder ignores what follows its answer, and passes on an error: both are faults of a row.
    decoded(bytes(document), source, "stream", dialect=options["source_dialect"])
    translator = StreamTranslator(source, target, **options)
    return translator.feed(document) + translator.close()


_TRANSLATE: Final[dict[str, Callable[..., bytes]]] = {
    "request": translate_request,
    "response": translate_response,
    "stream": _stream,
}


def convert(
    target: str,
    *,
    wire: str | None = NATIVE,
    kind: Kind | None = None,
    model: str | None = None,
    column: str = DOCUMENT,
    into: str = "converted",
) -> Kernel:
    """Return a kernel that makes the column `into`, a document of another wire.

    `target` is another system's format, `native`, `msgpack` or a provider, whose request goes on
    with a session. `wire` and `kind` say what is read, as for `decode`; `model` is the one to ask.

    Raises `EncodeError` for an unknown wire.
    """
    name, dialect = _named(target)
    is_binary = name == MSGPACK
    field = _field(into, pa.binary() if is_binary else _TEXT)
    asked = Target(name, dialect, model=model)
    return Kernel(column, (field,), partial(_converted, _reading(wire, kind), asked))


def _converted(read: _Read, target: Target, document: Any, losses: list[Loss]) -> tuple[Any, ...]:
    data = bytes(document)
    found = read(data, losses)
    found = found._replace(losses=[*losses])
    losses.clear()  # they are added again by `converted`
    body = converted(found, data, target, losses, [])
    return (text_of(body) if facts_named(target.wire).framing == "eventstream" else body,)


def stats(
    wire: str | None = NATIVE,
    *,
    kind: Kind | None = None,
    prices: str | None = None,
    column: str = DOCUMENT,
    into: str = "stats",
) -> Kernel:
    """Return a kernel that makes the column `into`: tokens, calls and cost of each document.

    `model` and `timestamp` are those of the last answer. `prices` is a file of prices, as for
    `wireglot stats`; without it they are those of genai-prices, if that is installed.

    Raises `EncodeError` for an unknown wire, `DecodeError` or `OSError` for the file of prices.
    """
    table = None
    if prices is not None:  # a worker need not have the file
        with open(prices, "rb") as stream:
            table = stream.read()
    _prices(table)
    return Kernel(column, (_field(into, STATS),), partial(_counted, _reading(wire, kind), table))


@lru_cache(maxsize=16)
def _prices(table: bytes | None) -> Prices:
    return read_prices(None) if table is None else prices_in(table)


def _counted(
    read: _Read, prices: bytes | None, document: Any, losses: list[Loss]
) -> tuple[Any, ...]:
    value = read(document, losses).value
    figures = Figures(_prices(prices))
    figures.add(value)
    sums = figures.total
    tokens = sums.tokens
    answer = _last_answer(value)
    when = value.created_at if isinstance(value, Response) else None
    made = {
        "model": answer and answer.model,
        "timestamp": time_of(
            when if answer is None or answer.timestamp is None else answer.timestamp
        ),
        "answers": sums.answers,
        "calls": sum(calls.calls for calls in figures.tools.values()),
        "failed": sum(calls.failed for calls in figures.tools.values()),
        "cost": sums.cost if sums.priced else None,
        "priced": sums.priced,
    }
    return (made | {name: count_of(getattr(tokens, name)) for name in _TOKENS},)


def _last_answer(value: Any) -> AssistantMessage | None:
    messages = [*messages_in(value)]
    return next((m for m in reversed(messages) if type(m) is AssistantMessage), None)


def check(
    wire: str | None = NATIVE,
    *,
    kind: Kind | None = None,
    to: str | None = None,
    column: str = DOCUMENT,
) -> Kernel:
    """Return a kernel that makes `losses` and `error` alone: what is wrong with each document.

    With `to`, also what this wire would refuse or could not carry.

    Raises `EncodeError` for an unknown wire.
    """
    read = _reading(wire, kind)
    if to is None:
        return Kernel(column, (), partial(_checked, read))
    name, dialect = _named(to)
    return Kernel(column, (), partial(_tried, read, Target(name, dialect)))


def _checked(read: _Read, document: Any, losses: list[Loss]) -> tuple[Any, ...]:
    read(document, losses)
    return ()


def _tried(read: _Read, target: Target, document: Any, losses: list[Loss]) -> tuple[Any, ...]:
    _converted(read, target, document, losses)
    return ()


# -- names of wires ------------------------------------------------------------------------------


def _named(wire: str, among: Sequence[str] = ()) -> tuple[str, str | None]:
    """Return the wire and the dialect of `anthropic:vertex`, one of `among` or of all.

    Raises `EncodeError` for another.
    """
    name, colon, dialect = wire.partition(":")
    known = among or (*PROVIDERS, *FORMATS, NATIVE, MSGPACK)
    if name not in known:
        raise EncodeError(unknown("wire", name, known), wire=WIRE)
    if not colon:
        return name, None
    if name not in PROVIDERS:
        raise EncodeError(f"dialect of {quoted(name)}, which has none", wire=WIRE)
    if dialect not in PROVIDERS[name].DIALECTS:
        reason = unknown(f"dialect of `{name}`", dialect, PROVIDERS[name].DIALECTS)
        raise EncodeError(reason, wire=WIRE)
    return name, dialect


def _reading(wire: str | None, kind: Kind | None) -> _Read:
    """Return what reads a document of a wire. Raises `EncodeError` for an unknown wire."""
    if wire is None:
        if kind is not None:
            raise EncodeError("kind without a wire, expected both or neither", wire=WIRE)
        return _detected
    name, dialect = _named(wire)
    if name == MSGPACK:
        name = NATIVE
    kinds = _KINDS if name in PROVIDERS else _KINDS[:2] if name == NATIVE else ()
    known = (*kinds, "session") if name not in PROVIDERS else kinds
    if kind is None:
        return partial(_usual, name, dialect)
    if kind not in known:
        raise EncodeError(unknown(f"kind of `{name}`", kind, known), wire=WIRE)
    return partial(_read, name, kind, dialect)


_KINDS: Final = ("request", "response", "stream")


def text_of(data: bytes) -> bytes:
    """Return data for a column of text. Raises `EncodeError` for the binary stream of Bedrock."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        reason = "binary stream in a column of text, expected JSON; use `translate`"
        raise EncodeError(reason, wire=WIRE) from error
    return data


def _read(wire: str, kind: str, dialect: str | None, document: Any, losses: list[Loss]) -> Found:
    return decoded(bytes(document), wire, kind, dialect=dialect, losses=losses)


def _usual(wire: str, dialect: str | None, document: Any, losses: list[Loss]) -> Found:
    """Read a document whose kind the caller left out."""
    if wire == NATIVE:
        return _read(wire, native_kind(bytes(document)), dialect, document, losses)
    kind = "request" if wire in PROVIDERS else "session"
    try:
        return _read(wire, kind, dialect, document, losses)
    except DecodeError as error:
        if kind == "session" or error.path != "$" or type(error) is not DecodeError:
            raise
        reason = f"{error.reason}; pass `kind` for what is not a request"
        raise DecodeError(reason, wire=error.wire, path=error.path) from error


def _detected(document: Any, losses: list[Loss]) -> Found:
    try:
        found = detect(bytes(document))
    except DecodeError as error:
        if error.wire != CLI:
            raise
        reason = error.reason.replace("pass --from", "pass `wire`")
        raise DecodeError(reason, wire=WIRE, path=error.path) from error
    losses += found.losses
    return found
