"""Translate a column of a Parquet file in Ray Data, with two workers."""

import logging

import ray
import ray.data

from wireglot import arrow

kernel = arrow.translate("openai_chat", "anthropic", column="body")

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
logging.getLogger("ray.data").setLevel(logging.WARNING)
rows = ray.data.read_parquet("requests.parquet").map_batches(
    kernel, batch_format="pyarrow", batch_size=1000
)
for row in sorted(rows.iter_rows(), key=lambda row: row["id"]):
    print(row["id"], row["translated"] or row["error"]["reason"])
