"""Columns of conversations in Arrow: kernels for the engines that the data are in.

A kernel takes a `RecordBatch` or a `Table` and returns it with new columns. It can be pickled, it
keeps the order of the rows, and a bad row does not end it: its fault is in the column `error`. So
it runs as it is in DuckDB, Polars, Ray Data, Spark, Dask and Hugging Face `datasets`::

    translate = arrow.translate("openai_chat", "anthropic", column="body")
    table = translate(table)

pyarrow comes with the extra: `pip install 'wireglot[arrow]'`.
"""

from .._runtime.extras import needs

with needs("wireglot.arrow", "'wireglot[arrow]'"):
    from .kernels import ERROR, LOSSES, STATS, Kernel, check, convert, decode, stats, translate
    from .tables import SCHEMA, from_table, to_table

__all__ = [
    "ERROR",
    "LOSSES",
    "SCHEMA",
    "STATS",
    "Kernel",
    "check",
    "convert",
    "decode",
    "from_table",
    "stats",
    "to_table",
    "translate",
]
