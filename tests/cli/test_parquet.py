"""Parquet files in the command: read by every command, written by `convert`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wireglot as wg
from tests.cli.running import run
from wireglot import arrow
from wireglot.cli.documents import first_documents
from wireglot.cli.rows import Rows
from wireglot.cli.sources import Input, opened

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "agent-session.jsonl"
CHAT = '{"model":"m","messages":[{"role":"user","content":"Hi"}],"seed":1}'
CLAUDE = (
    '{"model":"m","max_tokens":8192,"messages":'
    '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}'
)
SESSION = '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]'
BAD = '{"messages":5}'
LOST = "lost: 2 x seed: there is no such parameter; left out - first at `row 1: $`\n"
FAULT = "wireglot: {}: row 3: openai_chat: expected `array`, got `int` - at `$.messages`\n"


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    path = tmp_path / "chats.parquet"
    table = pa.table({"tenant": ["a", "b", "b", "c"], "body": [CHAT, None, BAD, CHAT]})
    pq.write_table(table, path)
    return path


def _rows(path: Path) -> list[dict[str, Any]]:
    return pq.read_table(path).to_pylist()


def test_a_table_becomes_a_table_with_its_other_columns(chats: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    done = run("convert", str(chats), "--to", "anthropic", "-o", str(out), "--keep-going")
    last = "wireglot: 1 of 3 documents could not be converted\n"
    assert done == (1, "", FAULT.format(chats) + LOST + last)
    rows = _rows(out)
    assert [row["tenant"] for row in rows] == ["a", "b", "b", "c"]
    assert [row["converted"] for row in rows] == [CLAUDE, None, None, CLAUDE]
    assert [row["error"] and row["error"]["path"] for row in rows] == [
        None,
        None,
        "$.messages",
        None,
    ]


def test_the_first_bad_row_ends_it_and_nothing_is_written(chats: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    done = run("convert", str(chats), "--to", "anthropic", "-o", str(out))
    assert done.code == 1
    assert done.said.startswith(FAULT.format(chats))
    assert [*tmp_path.iterdir()] == [chats]


def test_several_processes_write_the_same_table(tmp_path: Path) -> None:
    path, one, two = (tmp_path / f"{name}.parquet" for name in ("in", "one", "two"))
    pq.write_table(pa.table({"id": range(50), "body": [CHAT] * 50}), path, row_group_size=7)
    for out, jobs in ((one, "1"), (two, "2")):
        given = ("convert", str(path), "--to", "ollama", "--model", "x", "-o", str(out))
        assert run(*given, "--jobs", jobs).code == 0
    assert pq.read_table(one) == pq.read_table(two)
    assert [row["id"] for row in _rows(two)] == [*range(50)]


def test_a_table_becomes_lines(chats: Path) -> None:
    done = run("convert", str(chats), "--to", "anthropic", "--keep-going")
    assert (done.code, done.out) == (1, f"{CLAUDE}\n{CLAUDE}\n")


def test_lines_and_sessions_become_one_table(tmp_path: Path) -> None:
    lines, out = tmp_path / "chats.jsonl", tmp_path / "out.parquet"
    lines.write_text(f"{CHAT}\n\n{CHAT}\n")
    assert run("convert", str(EXAMPLE), str(lines), "--to", "native", "-o", str(out)).code == 0
    table = pq.read_table(out)
    assert table.column_names == ["source", "messages", "document", "losses", "error"]
    places = [str(EXAMPLE), *(f"{lines}:{number}" for number in (1, 2, 3))]
    assert table["source"].to_pylist() == places
    assert [messages and len(messages) for messages in table["messages"].to_pylist()] == [
        28,
        1,
        None,
        1,
    ]
    (session,) = arrow.from_table(table.slice(0, 1))
    assert session == [*wg.json.decode_lines(EXAMPLE.read_bytes())]


def test_check_stats_and_show_read_a_table(chats: Path, tmp_path: Path) -> None:
    done = run("check", str(chats), "--to", "anthropic")
    assert done.out.startswith(
        f"{chats}:3: openai_chat: expected `array`, got `int` - at `$.messages`"
    )
    sessions = tmp_path / "sessions.parquet"
    session = [*wg.json.decode_lines(EXAMPLE.read_bytes())]
    pq.write_table(arrow.to_table([session], format="msgpack"), sessions)
    text, table = (
        run("show", str(path)).out.partition("session\n")[2] for path in (EXAMPLE, sessions)
    )
    assert table == text
    assert run("stats", str(sessions), "--csv").out == run("stats", str(EXAMPLE), "--csv").out


def test_structs_as_datasets_writes_them_are_read(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    rows = [
        {"id": 1, "messages": [{"role": "user", "content": "Hi", "name": None}]},
        {"id": 2, "messages": [{"role": "user", "content": "Ho", "name": "A"}]},
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)
    done = run("convert", str(path), "--from", "openai_chat", "--to", "ollama", "--model", "m")
    assert done.out == (
        '{"model":"m","stream":false,"messages":[{"role":"user","content":"Hi"}]}\n'
        '{"model":"m","stream":false,"messages":[{"role":"user","content":"Ho"}]}\n'
    )
    assert done.said.startswith("lost: name: ")


def test_binary_documents_are_read_and_so_is_messagepack_of_a_request(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    request = wg.providers.openai_chat.decode_request(CHAT)
    rows = [CHAT.encode(), wg.msgpack.encode(request)]
    pq.write_table(pa.table({"body": pa.array(rows, pa.binary())}), path)
    done = run("convert", str(path), "--to", "anthropic")
    assert (done.code, done.out) == (0, f"{CLAUDE}\n{CLAUDE}\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--jsonl"], "Error: --jsonl writes lines, expected no Parquet file behind --output\n"),
        (["--whole"], "Error: --whole, expected files without rows, not Parquet\n"),
    ],
    ids=["--jsonl", "--whole"],
)
def test_an_option_that_does_nothing_for_parquet_is_wrong_usage(
    options: list[str], said: str, chats: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.parquet"
    done = run("convert", str(chats), "--to", "native", "-o", str(out), *options)
    assert (done.code, done.said[-len(said) :]) == (2, said)
    assert not out.exists()


def test_a_loss_is_the_error_of_its_row_with_strict(tmp_path: Path) -> None:
    path, out = tmp_path / "x.jsonl", tmp_path / "out.parquet"
    path.write_text(CHAT + "\n" + CHAT.replace(',"seed":1', "") + "\n")
    given = ("convert", str(path), "--to", "anthropic", "-o", str(out), "--strict")
    reason = "anthropic: seed: there is no such parameter; left out; leave out --strict - at `$`"
    assert run(*given) == (1, "", f"wireglot: {path}: line 1: {reason}\n")
    assert not out.exists()
    assert run(*given, "--keep-going").code == 1
    assert [row["converted"] for row in _rows(out)] == [None, CLAUDE]
    assert [row["error"] and row["error"]["kind"] for row in _rows(out)] == ["LossError", None]


def test_a_batch_file_and_lines_of_no_wire_are_refused_for_a_table_too(tmp_path: Path) -> None:
    batch, lines, rows = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "c.parquet"))
    line = f'{{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{CHAT}}}'
    batch.write_text(f"{line}\n{line}\n")
    pq.write_table(pa.table({"line": [line]}), rows)
    lines.write_text('{"x":1}\n{"y":2}\n')
    given = ("convert", "--to", "anthropic", "-o", str(tmp_path / "out.parquet"))
    reason = "cli: batch, whose ids have no place elsewhere, expected what is in its lines - at `$`"
    for path in (batch, rows):
        assert run(*given, str(path)) == (1, "", f"wireglot: {path}: {reason}\n")
    reason = "cli: no line of a known wire, expected at least one; pass --from - at `$`"
    done = run(*given, str(lines), "--each-line")
    assert done == (1, "", f"wireglot: {lines}: {reason}\n")


def test_an_older_table_stays_if_no_input_can_be_read(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    out.write_bytes(b"older")
    given = ("convert", str(tmp_path / "none.json"), "--to", "native", "-o", str(out))
    assert run(*given, "--keep-going").code == 1
    assert out.read_bytes() == b"older"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_rows_that_are_not_written_are_not_counted(jobs: str, chats: Path, tmp_path: Path) -> None:
    lines, out = tmp_path / "chats.jsonl", tmp_path / "out.parquet"
    lines.write_text(f"{CHAT}\n{CHAT}\n")
    given = ("convert", str(lines), str(chats), "--to", "anthropic", "--jobs", jobs, "-o", str(out))
    done = run(*given, "--keep-going")
    _, lost, last = done.said.splitlines()
    assert lost == (
        f"lost: 2 x seed: there is no such parameter; left out - first at `{lines}: line 1: $`"
    )
    assert last == "wireglot: 1 of 3 documents could not be converted"
    assert len(_rows(out)) == 2


def test_what_a_whole_file_lost_has_no_line(tmp_path: Path) -> None:
    path, out = tmp_path / "x.json", tmp_path / "out.parquet"
    path.write_text(CHAT)
    done = run("convert", str(path), "--to", "anthropic", "-o", str(out))
    assert done == (0, "", "lost: seed: there is no such parameter; left out - at `$`\n")


def test_what_an_earlier_run_lost_is_kept_and_not_told_again(tmp_path: Path) -> None:
    first, second, third = (tmp_path / f"{name}.parquet" for name in "abc")
    pq.write_table(pa.table({"line": [CHAT], "id": [1]}), first)
    given = ("convert", str(first), "--column", "line", "--to", "anthropic", "-o", str(second))
    assert run(*given).said.startswith("lost: seed: ")
    (row,) = _rows(second)
    assert (row["line"], row["id"]) == (CHAT, 1)
    given = ("convert", str(second), "--column", "line", "--to", "openai_chat", "-o", str(third))
    assert run(*given) == (0, "", "")
    (row,) = _rows(third)
    assert (row["losses"], row["original_converted"]) == ([], CLAUDE)
    assert [loss["what"] for loss in row["original_losses"]] == ["seed"]


def test_a_bad_row_keeps_its_document_if_a_new_column_has_the_name_of_its_column(
    tmp_path: Path,
) -> None:
    path, first, second = (tmp_path / f"{name}.parquet" for name in "abc")
    table = pa.table({"document": [SESSION, BAD], "messages": ["of the user", None]})
    pq.write_table(table, path)
    for source, out in ((path, first), (first, second)):
        given = ("convert", str(source), "--column", "document", "--to", "native", "-o", str(out))
        run(*given, "--from", "native", "--keep-going")
    rows = _rows(first)
    assert [*rows[0]] == [
        "original_document",
        "original_messages",
        "messages",
        "document",
        "losses",
        "error",
    ]
    assert [row["document"] for row in rows] == [SESSION, None]
    assert [row["original_document"] for row in rows] == [SESSION, BAD]
    assert [row["original_messages"] for row in rows] == ["of the user", None]
    assert rows[1]["error"]["path"] == "line 1: $"
    again = _rows(second)[1]
    assert (again["original_document"], again["original_original_document"]) == (BAD, None)
    assert again["original_error"] == rows[1]["error"]


def test_the_metadata_of_the_file_is_kept(tmp_path: Path) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    table = pa.table({"document": [SESSION]}).replace_schema_metadata({"mine": "1"})
    pq.write_table(table, path)
    assert run("convert", str(path), "--to", "native", "-o", str(out)).code == 0
    assert pq.read_schema(out).metadata == {b"mine": b"1"}


def test_a_table_without_rows_is_one_with_the_columns(tmp_path: Path) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"body": pa.array([], pa.string())}), path)
    assert run("convert", str(path), "--from", "ollama", "--to", "native", "-o", str(out)).code == 0
    assert pq.read_table(out).column_names == ["body", "messages", "document", "losses", "error"]


def test_the_model_of_the_command_is_in_the_table_too(chats: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    given = ("convert", str(chats), "--to", "native", "--model", "z", "-o", str(out))
    assert run(*given, "--keep-going").code == 1
    assert [row["document"] and '"model":"z"' in row["document"] for row in _rows(out)] == [
        True,
        None,
        None,
        True,
    ]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("memory://gone.json", "wireglot: memory://gone.json: No such file or directory\n"),
        (
            "nosuch://user:secret@h/x.json",
            "wireglot: nosuch://h/x.json: Protocol not known: nosuch\n",
        ),
    ],
)
def test_a_url_that_cannot_be_read_is_named_without_its_secrets(url: str, said: str) -> None:
    assert run("check", url).said == said


def test_which_column_is_meant_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "two.parquet"
    pq.write_table(pa.table({"n": [1], "asked": [CHAT], "answered": ["{}"]}), path)
    done = run("check", str(path))
    reason = "columns `asked`, `answered`, expected one; pass --column"
    assert done.said == f"wireglot: {path}: cli: {reason} - at `$`\n"
    assert run("check", str(path), "--column", "asked").code == 0
    reason = "unknown column `x`, expected one of `n`, `asked`, `answered`"
    assert (
        run("check", str(path), "--column", "x").said
        == f"wireglot: {path}: cli: {reason} - at `$`\n"
    )


def test_a_column_that_cannot_hold_documents_is_not_meant(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"document": [7], "body": [CHAT]}), path)
    assert run("convert", str(path), "--to", "anthropic").out == f"{CLAUDE}\n"


@pytest.mark.parametrize("column", [(), ("--column", "body")])
def test_a_column_whose_name_is_not_utf_8_is_a_fault(
    column: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"body": [CHAT], "zQzz": [1]}), path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"zQzz", b"z\xffzz"))
    reason = "cli: name of a column is not UTF-8 - at `$`"
    assert run("check", str(path), *column) == (1, "", f"wireglot: {path}: {reason}\n")


@pytest.mark.parametrize("data", [b"PAR1", b"PAR1" + bytes(60) + b"PAR1"])
def test_a_file_that_is_not_parquet_but_begins_so_is_a_fault(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    path.write_bytes(data)
    done = run("check", str(path))
    assert (done.code, done.said.partition(": not a ")[0]) == (
        1,
        f"wireglot: {path}: cli",
    )


@pytest.mark.parametrize(
    ("size", "rows", "batches"),
    [(1, 5000, [4096, 904]), (2_000_000, 50, [3] * 16 + [2]), (1_000_000, 50, [5] * 10)],
    ids=["small rows", "large rows", "rows of some size"],
)
def test_a_batch_has_some_megabytes_however_often_a_value_is_repeated(
    size: int, rows: int, batches: list[int], tmp_path: Path
) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"body": ["x" * size] * rows}), path)
    assert path.stat().st_size < 200_000
    with path.open("rb") as stored:
        assert [batch.num_rows for batch in Rows(stored, None).batches()] == batches


def _table(path: Path, rows: list[Any], kind: Any = None) -> str:
    pq.write_table(pa.table({"body": pa.array(rows, kind)}), path)
    return str(path)


def test_a_column_whose_name_begins_as_that_of_the_documents_is_not_one(tmp_path: Path) -> None:
    path = tmp_path / "chats.parquet"
    parts = pa.array([[0] * 4_000_001], pa.list_(pa.int8()))
    pq.write_table(pa.table({"body": [CHAT], "body_parts": parts}), path)
    assert run("check", str(path), "--column", "body").code == 0


def test_the_first_documents_of_large_rows_are_few(tmp_path: Path) -> None:
    path = _table(tmp_path / "x.parquet", [None] * 9 + ["x" * 5_000_000] * 20)
    with opened(Input(path, path)) as source:
        assert [len(document) for document in first_documents(source)] == [5_000_000] * 2


MESSAGE = SESSION[1:-1]
OPERATOR_USE = (
    '{"type":"session","version":3,"id":"s","timestamp":1763700000.0,"cwd":"."}\n'
    '{"id":"1","timestamp":1763700000.0,"type":"message","message":{"role":"user","contents":'
    '[{"type":"text","content":"Hi"}],"id":"u","timestamp":1763700000.0}}\n'
)
BRIEF = (
    'event: message_start\ndata: {"type":"message_start","message":{"id":"1","type":"message",'
    '"role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":0}}}\n\n'
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},'
    '"usage":{"output_tokens":2}}\n\n'
    'event: message_stop\ndata: {"type":"message_stop"}\n\n'
)
PRETTY = CHAT.replace(",", ",\n\t")


@pytest.mark.parametrize(
    ("row", "messages"),
    [
        (MESSAGE, 1),
        (f"{MESSAGE}\n{MESSAGE}\n", 2),
        (OPERATOR_USE, 2),
        (PRETTY, 1),
        (BRIEF, 1),
    ],
    ids=[
        "a message",
        "a session in lines",
        "a session of operator_use",
        "a request on some lines",
        "a stream",
    ],
)
@pytest.mark.parametrize("count", [1, 2])
def test_each_row_is_a_document_whatever_reads_it(
    row: str, messages: int, count: int, tmp_path: Path
) -> None:
    path, out = _table(tmp_path / "in.parquet", [row] * count), tmp_path / "out.parquet"
    lines = run("convert", path, "--to", "native")
    assert run("convert", path, "--to", "native", "-o", str(out)) == (0, "", "")
    assert lines == (0, "".join(f"{row['document']}\n" for row in _rows(out)), "")
    assert [len(row["messages"]) for row in _rows(out)] == [messages] * count
    told = "1 document, 0 with faults\n" if count == 1 else "2 documents, 0 with faults\n"
    assert run("check", path) == (0, told, "")
    sums = json.loads(run("stats", path, "--json").out)
    assert (sums["documents"], sums["messages"]) == (count, messages * count)


def test_a_row_with_a_message_is_a_session_of_one(tmp_path: Path) -> None:
    path = _table(tmp_path / "in.parquet", [MESSAGE, f"{MESSAGE}\n{MESSAGE}\n"])
    done = run("convert", path, "--to", "native")
    assert done == (0, f"{SESSION}\n[{MESSAGE},{MESSAGE}]\n", "")


def test_a_stream_in_a_row_is_written_to_a_table_but_not_on_a_line(tmp_path: Path) -> None:
    path, out = _table(tmp_path / "in.parquet", [CHAT, BRIEF]), tmp_path / "out.parquet"
    reason = "anthropic: stream on a line, expected a document of one line - at `$`"
    done = run("convert", path, "--to", "anthropic")
    assert (done.code, done.out) == (1, f"{CLAUDE}\n")
    assert done.said.startswith(f"wireglot: {path}: row 2: {reason}\n")
    assert run("convert", path, "--to", "anthropic", "-o", str(out)).code == 0
    assert [row["converted"][:20] for row in _rows(out)] == [CLAUDE[:20], "event: message_start"]


def test_a_table_without_rows_is_no_lines(tmp_path: Path) -> None:
    path = _table(tmp_path / "in.parquet", [], pa.string())
    assert run("convert", path, "--to", "native") == (0, "", "")
    assert run("check", path) == (0, "0 documents, 0 with faults\n", "")


@pytest.mark.parametrize("command", [("check",), ("convert", "--to", "native"), ("stats",)])
@pytest.mark.parametrize("rows", [1, 2])
def test_why_a_row_has_no_json_is_told(command: tuple[str, ...], rows: int, tmp_path: Path) -> None:
    row = {"role": "user", "content": b"\xff"}
    path = _table(tmp_path / "x.parquet", [[row]] * rows)
    done = run(*command, path)
    reason = "arrow: value without JSON, expected text, numbers, lists, structs: "
    assert done.code == 1
    assert reason in done.out + done.said


SEED = '{"model":"gpt-5","seed":1,"messages":[{"role":"user","content":"Hi"}]}'
MAX = '{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}'


@pytest.mark.parametrize("before", [[], [MAX], [MAX] * 3000])
def test_what_a_row_is_does_not_depend_on_those_before_it(
    before: list[str], tmp_path: Path
) -> None:
    path, out = (
        _table(tmp_path / "x.parquet", ["{}"] * 16 + before + [SEED]),
        tmp_path / "o.parquet",
    )
    run("convert", path, "--to", "openai_chat", "--keep-going", "-o", str(out))
    assert _rows(out)[-1]["converted"] == SEED
    assert _rows(out)[-1]["losses"] == []


def test_a_row_after_many_bad_ones_is_read(tmp_path: Path) -> None:
    path, out = _table(tmp_path / "x.parquet", ["{}"] * 101 + [CHAT]), tmp_path / "o.parquet"
    run("convert", path, "--to", "anthropic", "--keep-going", "-o", str(out))
    assert _rows(out)[-1]["converted"] == CLAUDE
    assert run("convert", path, "--to", "anthropic", "--keep-going").out == f"{CLAUDE}\n"
    assert run("check", path).out.endswith("102 documents, 101 with faults\n")


def test_urls_are_read_and_written(chats: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    given = ("convert", f"file://{chats}", "--to", "anthropic", "-o", f"file://{out}")
    assert run(*given).code == 1
    assert not out.exists()
    assert run(*given, "--keep-going").code == 1
    assert [row["tenant"] for row in _rows(out)] == ["a", "b", "b", "c"]
    found = run("check", f"file://{tmp_path}/*.jsonl")
    assert "no file matches" in found.said
