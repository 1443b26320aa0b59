"""The same file through every engine: the rows of the kernel alone, whoever runs it."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.running import run
from wireglot import arrow

# Read when an engine is imported: nothing of this goes to the network.
os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "PYSPARK_PYTHON": sys.executable,
    "RAY_USAGE_STATS_ENABLED": "0",
    "SPARK_LOCAL_IP": "127.0.0.1",
}
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),  # PySpark's, of the newest pandas
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Ray's own files and sockets
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

ROOT = Path(__file__).parents[2]
ASKED = '{"model":"m","messages":[{"role":"user","content":"%s"}]}'
SESSION = (
    '[{"role":"user","content":[{"type":"text","text":"%s"}],"timestamp":1790000000000},'
    '{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","arguments":{"a": 1.0}}]'
    ',"model":"m","usage":{"input":7,"output":2}}]'
)
# Each row: a request of OpenAI, and a session. The two halves are two files.
ROWS = [
    {"id": 1, "body": ASKED % "Hi", "session": SESSION % "Hi"},
    {"id": 2, "body": '{"messages":5}', "session": '[{"role":"user","content":5}]'},
    {"id": 3, "body": None, "session": None},
    {"id": 4, "body": ASKED % "ä€😀", "session": SESSION % "ä€😀"},
    {"id": 5, "body": '{"model":"m","messages":[],"seed":1}', "session": "[]"},
    {"id": 6, "body": ASKED % "Bye", "session": SESSION % "Bye"},
]
CLAUDE = (
    '{"model":"m","max_tokens":8192,"messages":'
    '[{"role":"user","content":[{"type":"text","text":"%s"}]}]}'
)
SCHEMA = pa.schema([("id", pa.int64()), ("body", pa.string()), ("session", pa.string())])
SEED = {
    "path": "$",
    "what": "seed",
    "why": "there is no such parameter; left out",
    "severe": False,
}
TRANSLATED = [
    (1, CLAUDE % "Hi", [], None),
    (2, None, [], "expected `array`, got `int`"),
    (3, None, [], None),
    (4, CLAUDE % "ä€😀", [], None),
    (5, None, [SEED], "no message with content, expected at least one"),
    (6, CLAUDE % "Bye", [], None),
]
MOMENT = "2026-09-21T14:13:20+00:00"


def _turns(text: str) -> list[tuple[Any, ...]]:
    return [
        ("user", text, MOMENT, [], None),
        ("assistant", "", None, ['{"a": 1.0}'], 7),
    ]


MESSAGES = [
    (1, _turns("Hi"), None),
    (2, None, "$[0].content"),
    (3, None, None),
    (4, _turns("ä€😀"), None),
    (5, [], None),
    (6, _turns("Bye"), None),
]
Rows = list[dict[str, Any]]
Batches = Callable[[pa.Table], pa.Table]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rows")
    for name, rows in (("0.parquet", ROWS[:3]), ("1.parquet", ROWS[3:])):
        pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), folder / name, row_group_size=2)
    return folder


# -- the engines: a kernel or a function of the same form, and a folder -> rows --------------------


def _alone(kernel: Any, files: Path) -> Rows:
    made: Rows = kernel(pq.read_table(files)).to_pylist()
    return made


def _duckdb(kernel: Any, files: Path) -> Rows:
    import duckdb

    batches = (b for file in sorted(files.iterdir()) for b in pq.ParquetFile(file).iter_batches(2))
    made = kernel.reader(pa.RecordBatchReader.from_batches(SCHEMA, batches))
    with duckdb.connect() as database:
        database.register("made", made)
        database.execute("set TimeZone = 'UTC'")
        rows: Rows = database.sql("from made").to_arrow_table().to_pylist()
    return rows


def _duckdb_function(kernel: Any, files: Path) -> Rows:
    import duckdb
    from duckdb import func

    empty = pa.schema([("made", kernel.type)]).empty_table()
    with duckdb.connect() as database:
        (kind,) = database.from_arrow(empty).types
        database.create_function(
            "made", kernel.array, ["VARCHAR"], kind, type=func.ARROW, null_handling=func.SPECIAL
        )
        query = f"select id, unnest(made({kernel.column})) from '{files}/*.parquet'"
        rows: Rows = database.sql(query).to_arrow_table().to_pylist()
    return rows


def _polars(kernel: Any, files: Path) -> Rows:
    import polars as pl

    def translated(frame: Any) -> Any:
        return pl.DataFrame(kernel(frame.to_arrow()))

    rows: Rows = pl.read_parquet(files).pipe(translated).to_dicts()
    lazy = pl.scan_parquet(files)
    new = translated(lazy.collect_schema().to_frame()).schema
    made = lazy.map_batches(translated, schema=new, streamable=True).collect(engine="streaming")
    assert made.to_dicts() == rows
    return rows


def _datasets(kernel: Any, files: Path) -> Rows:
    import datasets

    paths = sorted(map(str, files.iterdir()))
    rows = datasets.Dataset.from_parquet(paths, cache_dir=str(files.parent / "cache"))
    made = rows.with_format("arrow").map(
        kernel, batched=True, batch_size=4, load_from_cache_file=False
    )
    done: Rows = made.with_format(None).to_list()
    return done


@cache
def _dask_client() -> Any:
    """Return a client that is the default; it starts the workers."""
    import distributed

    return distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=":0")


def _dask(kernel: Any, files: Path) -> Rows:
    import pandas as pd
    from dask import dataframe as dd

    def translated(frame: Any) -> Any:
        table = kernel(pa.Table.from_pandas(frame, SCHEMA, preserve_index=False))
        return table.to_pandas(types_mapper=pd.ArrowDtype)

    _dask_client()
    rows = dd.read_parquet(files)
    made = rows.map_partitions(translated, meta=translated(rows.head(0))).compute()
    done: Rows = pa.Table.from_pandas(made, preserve_index=False).to_pylist()
    return done


def _ray(kernel: Any, files: Path) -> Rows:
    import ray.data

    if not ray.is_initialized():
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    paths = sorted(map(str, files.iterdir()))
    rows = ray.data.read_parquet(paths).repartition(2)  # one task would read both small files
    made: Rows = rows.map_batches(kernel, batch_format="pyarrow").take_all()
    return made


def _spark(kernel: Any, files: Path) -> Rows:
    from pyspark import sql
    from pyspark.sql.pandas import types

    if shutil.which("java") is None:
        pytest.skip("Java is not here")
    # Four attempts at a task; alone, `local[2]` makes one.
    builder = sql.SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    kinds = types.from_arrow_schema(kernel.schema(SCHEMA))
    made = spark.read.parquet(str(files)).mapInArrow(lambda batches: map(kernel, batches), kinds)
    rows: Rows = made.sort("id").toArrow().to_pylist()  # larger files come first
    return rows


@pytest.fixture(scope="module", autouse=True)
def _sessions_end() -> Iterator[None]:
    yield
    if _dask_client.cache_info().currsize:
        _dask_client().close()
    if (ray := sys.modules.get("ray")) is not None:
        ray.shutdown()
    if (sql := sys.modules.get("pyspark.sql")) is not None:
        active = sql.SparkSession.getActiveSession()
        if active is not None:
            active.stop()


ENGINES: dict[str, Callable[[Any, Path], Rows]] = {
    "the kernel alone": _alone,
    "DuckDB": _duckdb,
    "a function in DuckDB": _duckdb_function,
    "Polars": _polars,
    "datasets": _datasets,
    "Dask": _dask,
    "Ray": _ray,
    "Spark": _spark,
}
every_engine = pytest.mark.parametrize("engine", ENGINES)
# Those that start workers of their own.
CLUSTERS = ["Dask", "Ray", "Spark"]


# First, as its processes are forks of this one, which has no threads of Ray and Spark yet.
def test_a_killed_process_of_datasets_fails_the_job_and_the_next_run_keeps_what_was_done(
    files: Path, tmp_path: Path
) -> None:
    import datasets

    kernel = arrow.translate("openai_chat", "anthropic", column="body")

    def made(batch: Any) -> Any:
        ids = batch.column("id").to_pylist()
        with (tmp_path / f"runs of {ids[0]}").open("a") as runs:
            runs.write("x")
        if 6 in ids and not (tmp_path / "killed").exists():
            end = time.monotonic() + 60
            while not [*tmp_path.rglob("*_00000_of_00002.arrow")] and time.monotonic() < end:
                time.sleep(0.01)  # the other process has to be done first
            (tmp_path / "killed").touch()
            os.kill(os.getpid(), 9)
        return kernel(batch)

    paths = sorted(map(str, files.iterdir()))
    rows = datasets.Dataset.from_parquet(paths, cache_dir=str(tmp_path / "cache"))
    rows = rows.with_format("arrow")
    with pytest.raises(RuntimeError, match="subprocesses has abruptly died"):
        rows.map(made, batched=True, num_proc=2)
    done = rows.map(made, batched=True, num_proc=2).with_format(None)
    assert [(row["id"], row["translated"]) for row in done] == [row[:2] for row in TRANSLATED]
    assert (tmp_path / "runs of 1").read_text() == "x"
    assert (tmp_path / "runs of 4").read_text() == "xx"


@every_engine
def test_requests_are_translated_in_order_and_a_bad_one_has_its_error(
    engine: str, files: Path
) -> None:
    kernel = arrow.translate("openai_chat", "anthropic", column="body")
    made = ENGINES[engine](kernel, files)
    assert [
        (row["id"], row["translated"], row["losses"], row["error"] and row["error"]["reason"])
        for row in made
    ] == TRANSLATED


@every_engine
def test_messages_can_be_queried(engine: str, files: Path) -> None:
    made = ENGINES[engine](arrow.decode(column="session"), files)
    assert [
        (row["id"], _read(row["messages"]), row["error"] and row["error"]["path"]) for row in made
    ] == MESSAGES


def test_what_pandas_and_datasets_know_of_a_file_is_in_the_one_that_convert_writes(
    tmp_path: Path,
) -> None:
    import datasets
    import pandas

    path, frame, out = (tmp_path / f"{name}.parquet" for name in "abc")
    index = pandas.Index([7], name="number")
    pandas.DataFrame({"document": [SESSION % "Hi"], "label": [1]}, index=index).to_parquet(frame)
    labels = datasets.ClassLabel(names=["no", "yes"])
    features = datasets.Features({"document": datasets.Value("string"), "label": labels})
    table = pq.read_table(frame)
    known = features.arrow_schema.metadata | table.schema.metadata
    pq.write_table(table.replace_schema_metadata(known), path)
    assert run("convert", str(path), "--to", "native", "-o", str(out)).code == 0
    read = pandas.read_parquet(out)
    assert (read.index.name, [*read.index]) == ("number", [7])
    rows = datasets.Dataset.from_parquet(str(out), cache_dir=str(tmp_path / "cache"))
    assert rows.features["label"] == labels
    assert rows[0]["original_document"] == SESSION % "Hi"
    assert rows[0]["messages"][0]["text"] == "Hi"


def _read(messages: Any) -> Any:
    return (
        messages
        if messages is None
        else [
            (
                message["role"],
                message["text"],
                message["timestamp"] and message["timestamp"].isoformat(),
                [call["arguments"] for call in message["calls"]],
                message["usage"] and message["usage"]["input"],
            )
            for message in messages
        ]
    )


@pytest.mark.parametrize("engine", CLUSTERS)
def test_two_workers_have_a_part_each(engine: str, files: Path, tmp_path: Path) -> None:
    kernel = arrow.translate("openai_chat", "anthropic", column="body")

    def made(batch: Any) -> Any:
        if batch.num_rows:
            # A second worker has to come, or this one waits too long.
            (tmp_path / str(os.getpid())).touch()
            end = time.monotonic() + 60
            while len([*tmp_path.iterdir()]) < 2 and time.monotonic() < end:
                time.sleep(0.01)
        return kernel(batch)

    made.schema = kernel.schema  # type: ignore[attr-defined]
    rows = ENGINES[engine](made, files)
    assert [(row["id"], row["translated"]) for row in rows] == [row[:2] for row in TRANSLATED]
    assert len([*tmp_path.iterdir()]) == 2
    assert str(os.getpid()) not in [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize("engine", CLUSTERS)
def test_a_worker_that_is_killed_costs_no_row_and_doubles_none(
    engine: str, files: Path, tmp_path: Path
) -> None:
    kernel = arrow.translate("openai_chat", "anthropic", column="body")
    marker = tmp_path / "killed"

    def made(batch: Any) -> Any:
        if 4 in batch.column("id").to_pylist() and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), 9)
        return kernel(batch)

    made.schema = kernel.schema  # type: ignore[attr-defined]
    rows = ENGINES[engine](made, files)
    assert marker.exists()
    assert [(row["id"], row["translated"]) for row in rows] == [row[:2] for row in TRANSLATED]


def test_the_pages_show_and_run_every_program() -> None:
    page = "".join((ROOT / "docs" / name).read_text() for name in ("engines.md", "jobs.md"))
    programs = [path.name for path in ROOT.glob("examples/arrow/*.py")]
    shown = re.findall(r"^```\{literalinclude\} \.\./examples/arrow/(\S+)$", page, re.MULTILINE)
    run = re.findall(r"^\$ python examples/arrow/(\S+)", page, re.MULTILINE)
    assert sorted(shown) == sorted(run) == sorted(programs)
