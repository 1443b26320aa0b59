"""Print how many calls failed, by tool and tenant. The messages are read as they are stored."""

import duckdb

print(
    duckdb.sql("""
    with rows as (
        select tenant, filename, file_row_number as row, unnest(messages) as message
        from read_parquet('exchanges/*/*.parquet', filename = true, file_row_number = true)
    ),
    calls as (select tenant, filename, row, unnest(message.calls, recursive := true) from rows),
    results as (select filename, row, unnest(message.results, recursive := true) from rows),
    outcomes as (
        select filename, row, call_id, bool_or(is_error) as failed,
            any_value(text) filter (is_error) as error
        from results group by all
    )
    select calls.name as tool, tenant, count(*) as calls,
        count(*) filter (failed) as failed, list(error order by error) filter (failed) as errors
    from calls left join outcomes
        on outcomes.call_id = calls.id and outcomes.row = calls.row
        and outcomes.filename = calls.filename
    group by all order by failed desc, tool, tenant
""")
)
