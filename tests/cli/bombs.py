"""Small Parquet files with much in them; `python -m tests.cli.bombs NAME PATH` writes one.

A process of its own writes them, because that takes some gigabytes.
"""

from __future__ import annotations

import sys
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

CHAT = '{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
ITEM = pa.struct({"role": pa.string(), "content": pa.string()})


def nulls(*sizes: int) -> Any:
    """Return a column of lists of so many nulls each."""
    ends = [sum(sizes[:count]) for count in range(len(sizes) + 1)]
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.nulls(ends[-1], ITEM))


def _same(size: int, count: int) -> Any:
    """Return a column of one list of messages, which all have the same large content."""
    content = pa.DictionaryArray.from_arrays(pa.array([0] * count, pa.int32()), ["x" * size])
    messages = pa.StructArray.from_arrays([content], names=["content"])
    return pa.ListArray.from_arrays(pa.array([0, count], pa.int32()), messages)


def written(column: Any, path: str, **options: Any) -> None:
    """Write a column `messages`."""
    pq.write_table(
        pa.table({"messages": column}), path, compression="zstd", store_schema=False, **options
    )


def main(name: str, path: str) -> None:
    """Write a file."""
    large = "a" * 268_435_456
    if name == "one value":
        written(pa.array([CHAT.replace("Hi", large)]), path, use_dictionary=False)
    elif name == "one value of five":
        texts = [CHAT, CHAT, CHAT, CHAT.replace("Hi", large), CHAT]
        written(pa.array(texts), path, use_dictionary=False)
    elif name == "nulls":
        written(nulls(20_000_000), path)
    elif name == "the same texts":
        written(_same(1_000_000, 3000), path)
    elif name == "texts that begin alike":
        kind = pa.list_(pa.struct({"content": pa.large_string()}))
        column = _same(100_000, 20_000).cast(kind)
        encoding = {"messages.list.element.content": "DELTA_BYTE_ARRAY"}
        written(
            column, path, use_dictionary=False, column_encoding=encoding, data_page_size=1 << 30
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
