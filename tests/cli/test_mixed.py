"""Lines and rows of several wires in one file: each is read by its own, and it is said."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.running import run

CHAT = '{"model":"gpt-5","messages":[{"role":"user","content":"Q"}]}'
CHAT_WITH_MORE = '{"trace":"x","model":"gpt-5","messages":[{"role":"user","content":"Q"}]}'
CLAUDE = (
    '{"model":"claude-sonnet-4-5","max_tokens":9,"system":"Be brief.","messages":['
    '{"role":"user","content":"Q"},'
    '{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"a":1}}]},'
    '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]}]}'
)
ONLY_A_PROMPT = (
    '{"model":"m","max_tokens":9,"system":"Be brief.","messages":[{"role":"user","content":"Q"}]}'
)
OLLAMA = (
    '{"model":"m","options":{"num_ctx":9,"temperature":0.5},"messages":['
    '{"role":"user","content":"Q","images":["iVBORw0KGgo="]}]}'
)
AS_OLLAMA = (
    '{"model":"m","stream":false,"options":{"num_predict":9},"messages":['
    '{"role":"system","content":"Be brief."},'
    '{"role":"user","content":"Q"},'
    '{"role":"assistant","content":"","tool_calls":[{"id":"t",'
    '"function":{"name":"f","arguments":{"a":1}}}]},'
    '{"role":"tool","content":"r","tool_name":"f","tool_call_id":"t"}]}'
)
SAID = "wireglot: stdin: documents of 2 wires: 20 of openai_chat, 20 of anthropic\n"


def _lines(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("usual", [CHAT, CHAT_WITH_MORE], ids=["chats", "chats with a key"])
def test_lines_of_a_second_wire_keep_their_prompt_calls_and_results(usual: str, jobs: str) -> None:
    given = _lines(*[usual] * 20, *[CLAUDE] * 20)
    done = run("convert", "--to", "ollama", "--model", "m", "--jobs", jobs, stdin=given)
    assert done.code == 0
    assert done.out.splitlines()[20:] == [AS_OLLAMA] * 20
    assert done.said.startswith(SAID)


def test_the_calls_of_both_wires_are_counted() -> None:
    given = _lines(*[CHAT] * 20, *[CLAUDE] * 20)
    done = run("stats", "--json", stdin=given)
    assert (json.loads(done.out)["tools"]["f"]["calls"], done.said) == (20, SAID)


def test_check_says_that_a_file_has_two_wires() -> None:
    done = run("check", stdin=_lines(*[CHAT] * 20, *[CLAUDE] * 20))
    assert done == (0, "40 documents, 0 with faults\n", SAID)


def test_one_key_that_another_wire_knows_is_enough() -> None:
    done = run("check", "--to", "openai_chat", stdin=_lines(*[CHAT] * 20, ONLY_A_PROMPT))
    assert done.said == (
        "wireglot: stdin: documents of 2 wires: 20 of openai_chat, 1 of anthropic\n"
    )


def test_many_keys_of_no_wire_do_not_end_the_search() -> None:
    others = [CHAT_WITH_MORE.replace("trace", f"trace{n}") for n in range(300)]
    done = run("check", stdin=_lines(*[CHAT] * 20, *others, CLAUDE, OLLAMA, CLAUDE))
    assert done.said == (
        "wireglot: stdin: documents of 3 wires: 320 of openai_chat, 2 of anthropic, 1 of ollama\n"
    )


def test_a_wire_that_refused_the_lines_before_is_asked_again() -> None:
    # Both keys were unknown on each wire that could read those; Anthropic's has no such `system`.
    named = CHAT.replace("gpt-5", "claude-sonnet-4-5")
    known = named.replace('"content":"Q"', '"content":"Q","cache":1').replace(
        "{", '{"system":1,', 1
    )
    prompt = ONLY_A_PROMPT.replace('"content":"Q"', '"content":"Q","cache":1')
    done = run("check", stdin=_lines(*[CHAT] * 20, *[known] * 200, prompt))
    assert done.said == (
        "wireglot: stdin: documents of 2 wires: 220 of openai_chat, 1 of anthropic\n"
    )


def test_keys_that_no_other_wire_knows_leave_a_line_to_its_own() -> None:
    done = run("convert", "--to", "openai_chat", stdin=_lines(*[CHAT_WITH_MORE] * 40))
    assert done == (0, _lines(*[CHAT_WITH_MORE] * 40), "")


def test_who_names_the_wire_has_it_for_each_line() -> None:
    given = _lines(*[CHAT] * 20, CLAUDE)
    assert run("check", "--from", "openai_chat", stdin=given).said == ""


def test_rows_of_a_table_are_read_each_by_its_own_wire(tmp_path: Path) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"body": [CHAT] * 20 + [CLAUDE] * 20}), path)
    said = f"wireglot: {path}: documents of 2 wires: 20 of openai_chat, 20 of anthropic\n"
    done = run("convert", str(path), "--to", "native", "-o", str(out))
    assert done == (0, "", said)
    roles = [[m["role"] for m in row] for row in pq.read_table(out)["messages"].to_pylist()]
    assert roles == [["user"]] * 20 + [["system", "user", "assistant", "tool"]] * 20
    assert run("check", str(path)).said == said


def test_several_files_of_one_wire_each_are_not_mixed(tmp_path: Path) -> None:
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text(_lines(*[CHAT] * 20))
    second.write_text(_lines(*[CLAUDE] * 20))
    assert run("check", str(first), str(second)).said == ""
    done = run("convert", str(first), str(second), "--to", "native")
    assert "wires" not in done.said
