"""Recorded exchanges of all providers, JSON Lines in a folder or bucket -> Parquet by day.

A row has the whole conversation: `messages` to be queried, and `document`, which is the request
with the first answer as its last message. `response` is the answer alone: all alternatives, and
the counts of tokens. Days are those of UTC.
"""

import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice

import fsspec
import msgspec
import pyarrow as pa
import pyarrow.dataset as ds

import wireglot as wg
from wireglot import arrow

TEXT: pa.DataType = pa.string()
TIME: pa.DataType = pa.timestamp("us", "UTC")
OWN = pa.schema([("day", TEXT), ("time", TIME), ("tenant", TEXT)])
MORE = pa.schema([("response", TEXT), ("fault", TEXT)])
SCHEMA = pa.unify_schemas([OWN, arrow.SCHEMA, MORE])


class Exchange(msgspec.Struct):
    """A line of the log."""

    time: datetime
    provider: str
    tenant: str
    request: msgspec.Raw
    response: msgspec.Raw


def exchanges(source: str) -> Iterator[Exchange]:
    """Yield what is in all files, one line at a time."""
    decode = msgspec.json.Decoder(Exchange).decode
    for file in fsspec.open_files(source, compression="infer"):
        with file as lines:
            yield from map(decode, lines)


def conversation(exchange: Exchange) -> tuple[wg.Request | None, bytes | None, str | None]:
    """Return the request with its answer, the answer as native JSON, and what is wrong."""
    try:
        provider = wg.PROVIDERS[exchange.provider]
        request = provider.decode_request(exchange.request)
        response = provider.decode_response(exchange.response)
    except (KeyError, wg.WireglotError) as error:
        return None, None, str(error)
    request.messages.append(response.message)
    return request, wg.json.encode(response), None


def batches(rows: Iterable[Exchange], size: int = 1000) -> Iterator[pa.RecordBatch]:
    """Yield the table batch by batch, so that memory does not grow with the log."""
    rows = iter(rows)
    while part := [*islice(rows, size)]:
        times = [row.time.astimezone(UTC) for row in part]
        own = [
            {"day": f"{time:%Y-%m-%d}", "time": time, "tenant": row.tenant}
            for time, row in zip(times, part, strict=True)
        ]
        requests, answers, faults = zip(*map(conversation, part), strict=True)
        columns = [
            *pa.Table.from_pylist(own, schema=OWN).columns,
            *arrow.to_table(requests).columns,
            pa.array(answers, TEXT),
            pa.array(faults, TEXT),
        ]
        yield from pa.table(columns, schema=SCHEMA).to_batches()


SOURCE, TARGET = sys.argv[1:]  # `s3://bucket/recorded/*.jsonl.gz`, and `s3://bucket/exchanges`
system, path = fsspec.core.url_to_fs(TARGET)
ds.write_dataset(
    batches(exchanges(SOURCE)),
    path,
    schema=SCHEMA,
    format="parquet",
    filesystem=system,
    partitioning=ds.partitioning(pa.schema([("day", TEXT)]), flavor="hive"),
    existing_data_behavior="delete_matching",
)
written = ds.dataset(path, filesystem=system, partitioning="hive")
print(
    f"{written.count_rows()} exchanges, {written.count_rows(~ds.field('fault').is_null())} at fault"
)
print("\n".join(file.removeprefix(path) for file in written.files))
