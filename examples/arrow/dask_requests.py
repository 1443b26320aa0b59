"""Translate a column of a Parquet file in Dask, with two workers."""

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from distributed import Client

from wireglot import arrow

kernel = arrow.translate("openai_chat", "anthropic", column="body")


def translated(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a partition with the columns of the kernel, in Arrow's types."""
    table = kernel(pa.Table.from_pandas(frame, preserve_index=False))
    return table.to_pandas(types_mapper=pd.ArrowDtype)


if __name__ == "__main__":  # each worker imports this file
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=":0"):
        rows = dd.read_parquet("requests.parquet")
        rows.map_partitions(translated).to_parquet("by-dask", write_index=False, overwrite=True)

    for row in pq.read_table("by-dask").to_pylist():
        print(row["id"], row["translated"] or row["error"]["reason"])
