"""Print tokens and cost by day, model and tenant."""

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds

from wireglot import arrow

kernel = arrow.stats(kind="response", column="response", prices="prices.toml")

answers = ds.dataset("exchanges", partitioning="hive").scanner(["day", "tenant", "response"])
made = pa.RecordBatchReader.from_batches(
    kernel.schema(answers.projected_schema), map(kernel, answers.to_batches())
)
print(
    duckdb.sql("""
    select day, stats.model, tenant, sum(stats.answers) as answers,
        sum(stats.input + stats.cache_read + stats.cache_write) as prompt,
        sum(stats.output) as output, round(sum(stats.cost), 6) as usd
    from made where stats is not null group by all order by all
""")
)
