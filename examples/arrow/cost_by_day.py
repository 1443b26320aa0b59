"""Print tokens and cost by day, model and tenant."""

import duckdb
import pyarrow.dataset as ds

from wireglot import arrow

kernel = arrow.stats(kind="response", column="response", prices="prices.toml")

exchanges = ds.dataset("exchanges", partitioning="hive")
answers = exchanges.scanner(["day", "tenant", "response"], batch_size=1000)
made = kernel.reader(answers.to_reader())
print(
    duckdb.sql("""
    select day, stats.model, tenant, sum(stats.answers) as answers,
        sum(stats.input + stats.cache_read + stats.cache_write) as prompt,
        sum(stats.output) as output, round(sum(stats.cost), 6) as usd
    from made where stats is not null group by all order by all
""")
)
