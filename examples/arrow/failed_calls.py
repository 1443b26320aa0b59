"""Print how many calls failed, by tool and tenant. The messages are read as they are stored."""

import duckdb

print(
    duckdb.sql("""
    with rows as (
        select tenant, filename, file_row_number as row, unnest(messages) as message
        from read_parquet('exchanges/*/*.parquet', filename = true, file_row_number = true)
    ),
    calls as (select tenant, filename, row, unnest(message.calls, recursive := true) from rows),
    results as (select filename, row, unnest(message.results, recursive := true) from rows)
    select calls.name as tool, tenant, count(*) as calls,
        count(*) filter (is_error) as failed, list(text order by text) filter (is_error) as errors
    from calls left join results
        on results.call_id = calls.id and results.row = calls.row
        and results.filename = calls.filename
    group by all order by failed desc, tool, tenant
""")
)
