"""Translate a column of a Parquet file in Polars: a frame, a lazy frame, an expression."""

import polars as pl
import pyarrow as pa

from wireglot import arrow

kernel = arrow.translate("openai_chat", "anthropic", column="body")


def translated(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the frame with the columns of the kernel."""
    return pl.DataFrame(kernel(frame.to_arrow()))


frame = pl.read_parquet("requests.parquet").pipe(translated)
print(frame.select("id", pl.col("error").struct.field("reason")).to_dicts())

# A lazy frame has to know the new columns before it runs.
lazy = pl.scan_parquet("requests.parquet")
new = translated(lazy.collect_schema().to_frame()).schema
rows = lazy.map_batches(translated, schema=new, streamable=True)
for id, body in rows.filter(pl.col("error").is_null()).select("id", "translated").collect().rows():
    print(id, body)

# As an expression: a column of structs, which have what the kernel makes.
kind = pl.Schema(pa.schema([("made", kernel.type)]))["made"]
made = pl.col("body").map_batches(
    lambda bodies: pl.Series(kernel.array(bodies.to_arrow())), return_dtype=kind
)
losses = lazy.select("id", made.struct.field("losses")).explode("losses", keep_nulls=False)
print(losses.unnest("losses").collect().rows())
