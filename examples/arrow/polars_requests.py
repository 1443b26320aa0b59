"""Translate a column of a Parquet file in Polars, at once or lazily."""

import polars as pl

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
