"""`python -m bench.engines`: the kernels of `wireglot.arrow` in the engines that run them.

It writes Parquet files of `--size` of text each, one of short and one of long conversations, to a
temporary folder. Each engine reads a file, runs a kernel over it, and counts the rows and the bytes
of what was made. If these are not those of the first job, no number is printed. The jobs alternate,
round by round; the least of each counts.

The usual way is `datasets.map` over rows: a script of some lines, or LiteLLM's translation, if that
is installed beside the engines. `rows` are files whose requests are nested columns, not text.

Rows a second a core are by the CPU time of this process and of the engine's own processes, which
other work on the machine does not lengthen much. What a second worker gains is by the clock.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "PYSPARK_PYTHON": sys.executable,
    "RAY_USAGE_STATS_ENABLED": "0",
    "SPARK_LOCAL_IP": "127.0.0.1",
}

import dask.dataframe as dd
import datasets
import duckdb
import pandas as pd
import polars as pl
import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import ray
import ray.data
from distributed import Client
from duckdb.func import ARROW, SPECIAL
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from wireglot import arrow

from .results import described

Counts = tuple[int, int]
"""The rows, and the bytes of the text that was made of them."""
_ENGINES = ("duckdb", "polars", "ray", "pyspark", "dask", "distributed", "datasets", "pyarrow")
_GROUP = 8 << 20  # bytes of text in a row group, and in a batch
_KERNELS = {
    "translate": arrow.translate("openai_chat", "anthropic", column="body"),
    "decode": arrow.decode("openai_chat", column="body"),
}
_MADE = {"translate": "translated", "decode": "document"}


# -- the files -------------------------------------------------------------------------------------


def _conversation(messages: int, number: int) -> bytes:
    """Return a request of an agent with a tool: a question, then calls and their results."""
    made: list[dict[str, Any]] = [
        {"role": "system", "content": "You are an agent that reads and changes a project. " * 4},
        {
            "role": "user",
            "content": f"Task {number}: find out why the report is late — and say so.",
        },
    ]
    while len(made) < messages - 1:
        turn = len(made)
        arguments = json.dumps({"path": f"src/part_{turn}.py", "start": turn, "note": 'a "b"\n'})
        function = {"name": "read_file", "arguments": arguments}
        call = {"id": f"call_{number}_{turn}", "type": "function", "function": function}
        made.append({"role": "assistant", "content": "I look there.", "tool_calls": [call]})
        text = f"{turn}: def report(day):\n    rows = read(day, limit={number})\n" * 6
        made.append({"role": "tool", "tool_call_id": call["id"], "content": text})
    if len(made) < messages:
        made.append({"role": "assistant", "content": f"Report {number} reads all days at once."})
    schema = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    tool = {"type": "function", "function": {"name": "read_file", "parameters": schema}}
    return json.dumps({"model": "gpt-5", "messages": made, "tools": [tool]}).encode()


class File(NamedTuple):
    """A Parquet file of requests as text, and one of the same as nested columns."""

    name: str
    path: str
    nested: str
    rows: int
    batch: int


def _written(folder: Path, messages: int, size: int, *, with_rows: bool) -> File:
    each = len(_conversation(messages, 0))
    batch = max(1, min(_GROUP, size // 4) // each)
    rows = max(2 * batch, size // each // batch * batch)
    path, nested = (folder / f"{messages}-{name}.parquet" for name in ("messages", "nested"))
    with pq.ParquetWriter(path, pa.schema([("id", pa.int64()), ("body", pa.string())])) as writer:
        for ids in _ids(rows, batch):
            bodies = [_conversation(messages, number).decode() for number in ids]
            writer.write_table(pa.table({"id": ids, "body": bodies}), row_group_size=batch)
    kind = pa.array([json.loads(_conversation(messages, 0))]).type
    with pq.ParquetWriter(nested, pa.schema([("id", pa.int64()), ("body", kind)])) as writer:
        for ids in _ids(rows if with_rows else 0, batch):
            values = [json.loads(_conversation(messages, number)) for number in ids]
            table = pa.table({"id": ids, "body": pa.array(values, kind)})
            writer.write_table(table, row_group_size=batch)
    return File(f"{messages} messages", str(path), str(nested), rows, batch)


def _ids(rows: int, batch: int) -> Iterator[list[int]]:
    return ([*range(start, start + batch)] for start in range(0, rows, batch))


# -- the usual way ---------------------------------------------------------------------------------


def _plain(request: dict[str, Any]) -> dict[str, Any]:
    """Translate a request as a script would: it knows these conversations, and checks nothing."""
    system = ""
    messages: list[dict[str, Any]] = []
    for message in request["messages"]:
        role = message["role"]
        if role == "system":
            system += message["content"]
        elif role == "tool":
            block = {
                "type": "tool_result",
                "tool_use_id": message["tool_call_id"],
                "content": message["content"],
            }
            if messages and messages[-1]["role"] == "user":
                messages[-1]["content"].append(block)
            else:
                messages.append({"role": "user", "content": [block]})
        else:
            content: list[dict[str, Any]] = []
            if message.get("content"):
                content.append({"type": "text", "text": message["content"]})
            for call in message.get("tool_calls") or ():
                function = call["function"]
                block = {"type": "tool_use", "id": call["id"], "name": function["name"]}
                content.append(block | {"input": json.loads(function["arguments"])})
            messages.append({"role": role, "content": content})
    tools = [
        {"name": tool["function"]["name"], "input_schema": tool["function"]["parameters"]}
        for tool in request.get("tools") or ()
    ]
    return {
        "model": request["model"],
        "max_tokens": 8192,
        "system": system,
        "messages": messages,
        "tools": tools,
    }


def _json_alone(_: Any, file: File) -> Counts:
    bodies = (body for batch in _batches(file) for body in batch.column("body").to_pylist())
    lengths = [len(json.dumps(json.loads(body))) for body in bodies]
    return len(lengths), sum(lengths)


def _mapped(translated: Callable[[Any], Any], path: str) -> Counts:
    """Count what `datasets.map` makes, row by row."""
    rows = datasets.Dataset.from_parquet(path, cache_dir=str(Path(path).parent))
    made = rows.map(lambda row: {"translated": translated(row["body"])}, load_from_cache_file=False)
    column = made.data.column("translated")
    return len(made) - column.null_count, column.nbytes


def _script(_: Any, file: File) -> Counts:
    return _mapped(lambda body: json.dumps(_plain(json.loads(body))), file.path)


def _script_rows(_: Any, file: File) -> Counts:
    return _mapped(lambda body: _plain(_without_nulls(body)), file.nested)


def _litellm(_: Any, file: File) -> Counts:
    import litellm

    config, model = litellm.AnthropicConfig(), "claude-sonnet-4-5"

    def translated(body: str) -> str:
        asked = json.loads(body)
        parameters = config.map_openai_params({"tools": asked["tools"]}, {}, model, False)
        return json.dumps(config.transform_request(model, asked["messages"], parameters, {}, {}))

    return _mapped(translated, file.path)


def _without_nulls(value: Any) -> Any:
    """Return a value without the keys that `datasets` gives to every struct."""
    if type(value) is dict:
        return {key: _without_nulls(it) for key, it in value.items() if it is not None}
    return [_without_nulls(it) for it in value] if type(value) is list else value


# -- the engines -----------------------------------------------------------------------------------


def _count(name: str, batch: Any) -> Counts:
    return batch.num_rows, pc.sum(pc.binary_length(batch.column(name))).as_py()


def _sum(counts: Iterable[Counts]) -> Counts:
    rows, size = zip(*counts, strict=True)
    return sum(rows), sum(size)


def _batches(file: File) -> Iterator[pa.RecordBatch]:
    return pq.ParquetFile(file.path).iter_batches(file.batch)


def _alone(kernel: str, file: File) -> Counts:
    return _sum(_count(_MADE[kernel], _KERNELS[kernel](batch)) for batch in _batches(file))


def _alone_rows(kernel: str, file: File) -> Counts:
    batches = pq.ParquetFile(file.nested).iter_batches(file.batch)
    return _sum(_count(_MADE[kernel], _KERNELS[kernel](batch)) for batch in batches)


def _threads(kernel: str, file: File) -> Counts:
    def counted(batch: pa.RecordBatch) -> Counts:
        return _count(_MADE[kernel], _KERNELS[kernel](batch))

    with ThreadPoolExecutor(2) as pool:
        return _sum(pool.map(counted, _batches(file)))


def _duckdb(kernel: str, file: File) -> Counts:
    batches = pa.RecordBatchReader.from_batches(pq.read_schema(file.path), _batches(file))
    made = _KERNELS[kernel].reader(batches)
    with duckdb.connect() as database:
        database.register("made", made)
        (row,) = database.sql(f"select count(*), sum(strlen({_MADE[kernel]})) from made").fetchall()
    return row[0], row[1]


def _duckdb_function(kernel: str, file: File) -> Counts:
    empty = pa.schema([("made", _KERNELS[kernel].type)]).empty_table()
    with duckdb.connect() as database:
        database.execute("set threads = 1")
        (kind,) = database.from_arrow(empty).types
        database.create_function(
            "made",
            _KERNELS[kernel].array,
            [duckdb.type("VARCHAR")],
            kind,
            type=ARROW,
            null_handling=SPECIAL,
        )
        query = f"select count(*), sum(strlen(made(body).{_MADE[kernel]})) from '{file.path}'"
        (row,) = database.sql(query).fetchall()
    return row[0], row[1]


def _polars(kernel: str, file: File) -> Counts:
    def run(frame: pl.DataFrame) -> pl.DataFrame:
        return pl.DataFrame(_KERNELS[kernel](frame.to_arrow()))

    lazy = pl.scan_parquet(file.path)
    new = run(lazy.collect_schema().to_frame()).schema
    made = lazy.map_batches(run, schema=new, streamable=True)
    sums = made.select(pl.len(), pl.col(_MADE[kernel]).str.len_bytes().sum())
    row = sums.collect(engine="streaming").row(0)
    return row[0], row[1]


def _datasets(kernel: str, file: File) -> Counts:
    rows = datasets.Dataset.from_parquet(file.path, cache_dir=str(Path(file.path).parent))
    made = rows.with_format("arrow").map(
        _KERNELS[kernel], batched=True, batch_size=file.batch, load_from_cache_file=False
    )
    return _count(_MADE[kernel], made.data)


def _ray(workers: int, kernel: str, file: File) -> Counts:
    name, run = _MADE[kernel], _KERNELS[kernel]

    def counted(batch: Any) -> Any:
        rows, size = _count(name, run(batch))
        return pa.table({"rows": [rows], "size": [size]})

    rows = ray.data.read_parquet(file.path)
    counts = rows.map_batches(
        counted,
        batch_format="pyarrow",
        batch_size=file.batch,
        compute=ray.data.TaskPoolStrategy(size=workers),
    ).take_all()
    return _sum((it["rows"], it["size"]) for it in counts)


def _spark(spark: Any, workers: int, kernel: str, file: File) -> Counts:
    run = _KERNELS[kernel]
    kinds = from_arrow_schema(run.schema(pq.read_schema(file.path)))
    rows = spark.read.parquet(file.path)
    rows = rows.coalesce(1) if workers == 1 else rows
    made = rows.mapInArrow(lambda batches: map(run, batches), kinds)
    (row,) = made.selectExpr("count(*)", f"sum(octet_length({_MADE[kernel]}))").collect()
    return row[0], row[1]


def _dask(client: Client, kernel: str, file: File) -> Counts:
    name, run = _MADE[kernel], _KERNELS[kernel]

    def translated(frame: pd.DataFrame) -> pd.DataFrame:
        table = run(pa.Table.from_pandas(frame, preserve_index=False))
        return table.to_pandas(types_mapper=pd.ArrowDtype)

    rows = dd.read_parquet(file.path, split_row_groups=True)
    made = rows.map_partitions(translated, meta=translated(rows.head(0)))

    def counted(part: pd.Series[str]) -> pd.DataFrame:
        lengths = pc.binary_length(pa.array(part))
        return pd.DataFrame({"rows": [len(part)], "size": [pc.sum(lengths).as_py() or 0]})

    with client.as_current():
        sums = made[name].map_partitions(counted).compute(scheduler=client).sum()
    return int(sums["rows"]), int(sums["size"])


# -- the run ---------------------------------------------------------------------------------------


_NO_KERNEL = frozenset({_json_alone, _script, _script_rows, _litellm})


class Job(NamedTuple):
    """What runs a kernel over a file, and the processes that work for it besides this one."""

    run: Callable[[str, File], Counts]
    processes: list[psutil.Process]

    def cpu(self) -> float:
        """Return the CPU time so far, in seconds."""
        total = time.process_time()
        for process in self.processes:
            for one in (process, *process.children(recursive=True)):
                try:
                    taken = one.cpu_times()
                except psutil.NoSuchProcess:
                    continue
                ended = taken.children_user + taken.children_system
                total += taken.user + taken.system + ended
        return total


def _started(start: Callable[[], Any]) -> tuple[Any, list[psutil.Process]]:
    """Return what was started, and its processes."""
    here = psutil.Process()
    before = {*here.children()}
    made = start()
    return made, [process for process in here.children() if process not in before]


def _ray_on() -> None:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    # By default one block, and so one worker, has the whole of a small file.
    ray.data.DataContext.get_current().target_max_block_size = 2 * _GROUP


def _spark_on() -> Any:
    return (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", 1000)
        .config("spark.sql.files.maxPartitionBytes", "1m")
        .getOrCreate()
    )


def _jobs(stack: ExitStack, chosen: list[str]) -> dict[str, Job]:
    alone: dict[str, Callable[[str, File], Counts]] = {
        "json.loads, json.dumps": _json_alone,
        "usual way, script": _script,
        "usual way, script, rows": _script_rows,
        "usual way, LiteLLM": _litellm,
        "kernel alone": _alone,
        "kernel alone, rows": _alone_rows,
        "kernel, two threads": _threads,
        "DuckDB": _duckdb,
        "DuckDB, function": _duckdb_function,
        "Polars": _polars,
        "datasets": _datasets,
    }
    if find_spec("litellm") is None:
        del alone["usual way, LiteLLM"]
    jobs = {name: Job(run, []) for name, run in alone.items()}
    if not chosen or "Ray" in {name.partition(",")[0] for name in chosen}:
        _, processes = _started(_ray_on)
        stack.callback(ray.shutdown)
        for name, workers in (("Ray", 1), ("Ray, two workers", 2)):
            jobs[name] = Job(partial(_ray, workers), processes)
    if not chosen or "Spark" in {name.partition(",")[0] for name in chosen}:
        spark, processes = _started(_spark_on)
        stack.callback(spark.stop)
        for name, workers in (("Spark", 1), ("Spark, two workers", 2)):
            jobs[name] = Job(partial(_spark, spark, workers), processes)
    if not chosen or "Dask" in {name.partition(",")[0] for name in chosen}:
        for name, workers in (("Dask", 1), ("Dask, two workers", 2)):
            client, processes = _started(
                partial(Client, n_workers=workers, threads_per_worker=1, dashboard_address=":0")
            )
            stack.callback(client.close)
            jobs[name] = Job(partial(_dask, client), processes)
    return {name: job for name, job in jobs.items() if not chosen or name in chosen}


def _is_right(
    job: Job, counts: Counts, kernel: str, file: File, right: dict[tuple[str, str], Counts]
) -> bool:
    """Whether a job made as many rows and bytes as the first one with the same kernel."""
    if job.run in (*_NO_KERNEL, _alone_rows):  # their bytes are their own
        return counts[0] == file.rows
    return counts == right.setdefault((kernel, file.name), counts)


def _bytes(text: str) -> int:
    units = {"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
    return int(float(text[:-2]) * units[text[-2:].upper()])


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.engines", description=__doc__)
    parser.add_argument("--size", type=_bytes, default="64MB", help="of the text of each file")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", default=[], metavar="JOB", help="names of jobs")
    parser.add_argument("--kernels", nargs="+", default=[*_KERNELS], choices=[*_KERNELS])
    given = parser.parse_args()
    versions = {name: version(name) for name in _ENGINES}
    machine = described() | {"system": platform.system()} | versions
    print(", ".join(f"{key} {value}" for key, value in machine.items()))
    datasets.disable_progress_bars()
    kernels: list[str] = given.kernels
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        chosen: list[str] = given.only
        with_rows = not chosen or any("rows" in name for name in chosen)
        written = partial(_written, Path(folder), with_rows=with_rows)
        files = [written(messages, given.size) for messages in (5, 100)]
        for file in files:
            print(
                f"{file.name}: {file.rows:,} rows, {os.path.getsize(file.path) >> 20} MB in Parquet"
            )
        jobs = _jobs(stack, chosen)
        if unknown := {*chosen} - {*jobs}:
            parser.error(f"no job {', '.join(sorted(unknown))}, expected {', '.join(jobs)}")
        taken: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
        right: dict[tuple[str, str], Counts] = {}
        small = written(1, 1 << 20)
        for kernel in kernels:
            right[kernel, small.name] = _alone(kernel, small)
            for name, job in [*jobs.items()]:  # which starts what has to be started
                if not _is_right(job, job.run(kernel, small), kernel, small, right):
                    print(f"{name}: wrong result, left out")
                    del jobs[name]
        for turn in range(1, given.rounds + 1):
            for name, job in jobs.items():
                for kernel in kernels[:1] if job.run in _NO_KERNEL else kernels:
                    for file in files:
                        start, cpu = time.perf_counter(), job.cpu()
                        counts = job.run(kernel, file)
                        took = job.cpu() - cpu, time.perf_counter() - start
                        done = f"round {turn}, {name}, {kernel}, {file.name}"
                        if not _is_right(job, counts, kernel, file, right):
                            print(f"{done}: wrong result, left out")
                            continue
                        taken.setdefault((name, kernel, file.name), []).append(took)
                        print(
                            f"{done}: CPU {took[0]:.2f} s, clock {took[1]:.2f} s", file=sys.stderr
                        )
            print(f"round {turn} of {given.rounds}, load {os.getloadavg()[0]:.1f}", flush=True)
    head = f"{'rows/s/core':>14}{'spread':>8}{'by clock':>14}{'spread':>8}"
    for kernel in kernels:
        for file in files:
            print(f"\n{f'{kernel}, {file.name}':28}{head}")
            for name in jobs:
                if times := taken.get((name, kernel, file.name)):
                    columns = [*zip(*times, strict=True)]
                    cells = (f"{file.rows / min(c):14,.0f}{max(c) / min(c):8.2f}" for c in columns)
                    print(f"{name:28}{''.join(cells)}")


if __name__ == "__main__":
    main()
