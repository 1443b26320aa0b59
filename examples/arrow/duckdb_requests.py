"""Translate a column of a Parquet file in DuckDB: batches into a query, or a function of SQL."""

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
from duckdb.func import ARROW, SPECIAL

from wireglot import arrow

kernel = arrow.translate("openai_chat", "anthropic", column="body")

# Batches go through the kernel while the query asks for them. DuckDB finds `made` by its name.
made = kernel.reader(ds.dataset("requests.parquet").scanner(batch_size=1000).to_reader())
print(duckdb.sql("select id, translated[:40] as translated, error.reason from made"))

# The same as a function, for queries in which DuckDB reads the file itself.
TEXT = duckdb.type("VARCHAR")
empty = pa.schema([("made", kernel.type)]).empty_table()
(kind,) = duckdb.from_arrow(empty).types
duckdb.create_function(
    "to_anthropic", kernel.array, [TEXT], kind, type=ARROW, null_handling=SPECIAL
)
QUERY = """
    with rows as (select id, to_anthropic(body) as made from 'requests.parquet')
    select id, unnest(made.losses, recursive := true) from rows
"""
print(duckdb.sql(QUERY))
