"""DuckDB and Polars answer questions about recorded exchanges in Parquet, as plain Python does.

Python counts in what each provider's decoder returns, and does not look at the tables. All
exchanges are used: requests, answers and streams, each a row.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wireglot as wg
from tests.corpus.answers import read_answers
from tests.corpus.exchanges import read_corpus
from tests.corpus.streams import decoded
from tests.traffic import FOLDERS, needs_traffic
from wireglot import arrow

Row = tuple[Any, ...]
_DIALECTS = {name: provider.DIALECTS for name, provider in wg.PROVIDERS.items()}
_AFTER_THE_END = "text after the end of the answer, expected none"


class Document(NamedTuple):
    """A body as it was recorded."""

    provider: str
    dialect: str
    kind: str
    data: bytes


class Recorded(NamedTuple):
    """Folders of Parquet files, and the messages in each row; None for a row that failed."""

    folders: dict[str, Path]
    conversations: list[list[Any] | None]


def _documents() -> Iterator[Document]:
    for sample in read_corpus(FOLDERS, _DIALECTS).samples:
        yield Document(sample.provider, sample.dialect, "request", sample.data)
    for answer in read_answers(FOLDERS, _DIALECTS).samples:
        if answer.kind != "error":
            yield Document(answer.provider, answer.dialect, answer.kind, answer.data)


def _value(document: Document) -> Any:
    """Return the request or the answer in a document, None if it is neither."""
    name, dialect, kind, data = document
    provider = wg.PROVIDERS[name]
    try:
        if kind == "stream":
            _, value = decoded(name, dialect, data)
            return value if isinstance(value, wg.Response) else None
        decode = provider.decode_request if kind == "request" else provider.decode_response
        return decode(data, dialect=dialect, losses=[])
    except wg.WireglotError:
        return None


def _messages(value: Any) -> list[Any] | None:
    if value is None or isinstance(value, wg.Request):
        return value and [*value.messages]
    return [value.message, *(value.alternatives or ())]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folders = {name: tmp_path_factory.mktemp(name) for name in ("decode", "to_table")}
    documents = [*_documents()]
    values = [*map(_value, documents)]
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for row, (*group, _) in enumerate(documents):
        groups[*group].append(row)
    longer = 0
    for (name, dialect, kind), rows in groups.items():
        kernel = arrow.decode(f"{name}:{dialect}", kind=kind, column="body")  # type: ignore[arg-type]
        bodies = pa.array([documents[row].data for row in rows], pa.binary())
        made = kernel(pa.table({"row": rows, "body": bodies}))
        for row, error in zip(rows, made.column("error").to_pylist(), strict=True):
            # A decoder ignores what follows its answer, a kernel does not.
            if error is not None and error["reason"] == _AFTER_THE_END:
                values[row] = None
                longer += 1
            assert (error is None) == (values[row] is not None)
        file = folders["decode"] / f"{name}-{dialect}-{kind}.parquet"
        pq.write_table(made.drop_columns(["body"]), file, row_group_size=100)
    table = arrow.to_table(values, format="msgpack").add_column(0, "row", [[*range(len(values))]])
    pq.write_table(table, folders["to_table"] / "all.parquet", row_group_size=1000)
    assert len(values) - values.count(None) > 9000
    assert longer <= 5
    return Recorded(folders, [*map(_messages, values)])


# -- calls by tool: how many had a result, and how many of these failed ----------------------------


def _calls_in_python(conversations: list[list[Any]]) -> set[Row]:
    calls: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for messages in conversations:
        blocks = [block for message in messages for block in message.content]
        outcomes: dict[str, bool] = {}
        for block in blocks:
            if type(block) is wg.ToolResultBlock:
                outcomes[block.tool_call_id] = outcomes.get(block.tool_call_id) or block.is_error
        for block in blocks:
            if type(block) is wg.ToolCallBlock:
                calls[block.name] += 1
                answered[block.name] += block.id in outcomes
                failed[block.name] += outcomes.get(block.id, False)
    return {(name, count, answered[name], failed[name]) for name, count in calls.items()}


_CALLS_IN_SQL = """
    with messages as (select row, unnest(messages) as message from rows),
    calls as (select row, unnest(message.calls, recursive := true) from messages),
    results as (select row, unnest(message.results, recursive := true) from messages),
    outcomes as (select row, call_id, bool_or(is_error) as failed from results group by all)
    select name, count(*), count(call_id), count(*) filter (failed)
    from calls left join outcomes on outcomes.row = calls.row and call_id = id
    group by name
"""


def _calls_in_polars(rows: pl.LazyFrame) -> pl.LazyFrame:
    message = pl.col("messages").struct
    messages = rows.select("row", "messages").explode("messages", keep_nulls=False)
    calls = messages.select("row", message.field("calls")).explode("calls").unnest("calls")
    results = messages.select("row", message.field("results")).explode("results").unnest("results")
    outcomes = results.group_by("row", call_id="call_id").agg(failed=pl.col("is_error").any())
    joined = calls.join(
        outcomes, left_on=["row", "id"], right_on=["row", "call_id"], how="left", coalesce=False
    )
    return joined.group_by("name").agg(
        pl.len(), pl.col("call_id").count(), pl.col("failed").sum().alias("failed")
    )


# -- tokens by model -------------------------------------------------------------------------------


def _tokens_in_python(conversations: list[list[Any]]) -> set[Row]:
    sums: dict[str | None, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for message in (message for messages in conversations for message in messages):
        usage = message.usage if type(message) is wg.AssistantMessage else None
        if usage is not None:
            counts = (1, usage.input, usage.output, usage.cache_read)
            sums[message.model] = [*map(sum, zip(sums[message.model], counts, strict=True))]
    return {(model, *counts) for model, counts in sums.items()}


_TOKENS_IN_SQL = """
    with messages as (select unnest(messages, max_depth := 2) from rows)
    select model, count(*), sum(usage.input), sum(usage.output), sum(usage.cache_read)
    from messages where usage is not null group by model
"""


def _tokens_in_polars(rows: pl.LazyFrame) -> pl.LazyFrame:
    messages = rows.select("messages").explode("messages", keep_nulls=False).unnest("messages")
    answers = messages.filter(pl.col("usage").is_not_null()).select("model", "usage")
    counts = [pl.col(name).sum() for name in ("input", "output", "cache_read")]
    return answers.unnest("usage").group_by("model").agg(pl.len(), *counts)


# -- text, thinking, results and media by role -----------------------------------------------------

_MEDIA = (wg.ImageBlock, wg.AudioBlock, wg.VideoBlock, wg.DocumentBlock, wg.DataBlock)


def _roles_in_python(conversations: list[list[Any]]) -> set[Row]:
    sums: dict[str, list[int]] = defaultdict(lambda: [0] * 5)
    for message in (message for messages in conversations for message in messages):
        counts = [1, 0, 0, 0, 0]
        for block in message.content:
            counts[1] += len(block.text) if type(block) is wg.TextBlock else 0
            counts[2] += len(block.thinking) if type(block) is wg.ThinkingBlock else 0
            parts = [block]
            if type(block) is wg.ToolResultBlock:
                counts[3] += len(block.text())
                parts = block.content
            counts[4] += sum(isinstance(part, _MEDIA) for part in parts)
        sums[message.role] = [*map(sum, zip(sums[message.role], counts, strict=True))]
    return {(role, *counts) for role, counts in sums.items()}


_ROLES_IN_SQL = """
    with messages as (select unnest(messages, max_depth := 2) from rows)
    select role, count(*), sum(length(text)), coalesce(sum(length(thinking)), 0),
        coalesce(sum(list_sum([length(result.text) for result in results])), 0), sum(len(media))
    from messages group by role
"""


def _roles_in_polars(rows: pl.LazyFrame) -> pl.LazyFrame:
    messages = rows.select("messages").explode("messages", keep_nulls=False).unnest("messages")
    length = pl.element().struct.field("text").str.len_chars()
    return messages.group_by("role").agg(
        pl.len(),
        pl.col("text").str.len_chars().sum(),
        pl.col("thinking").str.len_chars().sum(),
        pl.col("results").list.eval(length).list.sum().sum(),
        pl.col("media").list.len().sum(),
    )


# -- the tests -------------------------------------------------------------------------------------


class Question(NamedTuple):
    """What answers a question: a set of rows, each with numbers."""

    python: Callable[[list[list[Any]]], set[Row]]
    sql: str
    polars: Callable[[pl.LazyFrame], pl.LazyFrame]


QUESTIONS = {
    "calls by tool": Question(_calls_in_python, _CALLS_IN_SQL, _calls_in_polars),
    "tokens by model": Question(_tokens_in_python, _TOKENS_IN_SQL, _tokens_in_polars),
    "text by role": Question(_roles_in_python, _ROLES_IN_SQL, _roles_in_polars),
}


@needs_traffic
@pytest.mark.parametrize("made_by", ["decode", "to_table"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_three_ways_give_one_answer(name: str, made_by: str, recorded: Recorded) -> None:
    question = QUESTIONS[name]
    conversations = [messages for messages in recorded.conversations if messages is not None]
    expected = question.python(conversations)
    files = recorded.folders[made_by] / "*.parquet"
    with duckdb.connect() as database:
        database.execute(f"create view rows as from '{files}'")
        found = database.sql(question.sql).fetchall()
    assert ({*found}, len(found)) == (expected, len(expected))
    found = question.polars(pl.scan_parquet(files)).collect().rows()
    assert ({*found}, len(found)) == (expected, len(expected))
    # Each number is of something: no answer is right for want of data.
    assert all(sum(numbers) > 0 for numbers in [*zip(*expected, strict=True)][1:])


@needs_traffic
def test_a_row_that_failed_has_no_messages_and_a_request_without_any_has_none_in_its_list(
    recorded: Recorded,
) -> None:
    lengths = Counter(
        None if messages is None else len(messages) for messages in recorded.conversations
    )
    assert lengths[None] > 0
    assert lengths[0] > 0
    for folder in recorded.folders.values():
        files = folder / "*.parquet"
        query = f"select len(messages), count(*) from '{files}' group by all"
        assert dict(duckdb.sql(query).fetchall()) == lengths
        rows = pl.scan_parquet(files).group_by(pl.col("messages").list.len()).agg(pl.len())
        assert dict(rows.collect().rows()) == lengths
