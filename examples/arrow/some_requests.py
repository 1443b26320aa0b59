"""Write a Parquet file of requests, which the programs for the engines read."""

import pyarrow as pa
import pyarrow.parquet as pq

BODIES = [
    '{"model": "gpt-5", "messages": [{"role": "user", "content": "How warm is it in Oslo?"}]}',
    '{"model": "gpt-5", "messages": 5}',
    '{"model": "gpt-5", "messages": [{"role": "user", "content": "In Rome?"}], "seed": 1}',
    '{"model": "gpt-5", "messages": [{"role": "user", "content": "Thanks."}]}',
]

table = pa.table({"id": [1, 2, 3, 4], "body": BODIES})
pq.write_table(table, "requests.parquet", row_group_size=2)
print(f"requests.parquet: {table.num_rows} rows")
