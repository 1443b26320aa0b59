"""Training data, traces and sessions of agents: what they are is said, no decoder reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.running import run
from wireglot._documents.data_sets import data_set_in

WIRES = (
    "which wireglot does not read, expected a document of native, anthropic, openai_chat, "
    "openai_responses, gemini, bedrock, mistral, cohere, ollama, phi_core, pyagenity, ravi, "
    "operator_use, langchain, pydantic_ai, mcp, otel"
)
READ = (
    f'{WIRES}; make a request of each example: `{{"messages":[{{"role":"user","content":"..."}}]}}`'
)
USER = '[{"role":"user","content":"a"}]'
ASSISTANT = '[{"role":"assistant","content":"b"}]'
LINES = {
    "Alpaca": ("Alpaca", '{"instruction":"Add.","input":"1 2","output":"3"}'),
    "Alpaca without an input": ("Alpaca", '{"instruction":"Add 1 and 2.","output":"3"}'),
    "Alpaca with half a character": (
        "Alpaca",
        r'{"instruction":"Add.","input":"\ud83d","output":"3"}',
    ),
    "ShareGPT": (
        "ShareGPT",
        '{"id":"1","conversations":[{"from":"human","value":"a"},{"from":"gpt","value":"b"}]}',
    ),
    "prompt and completion": ("TRL prompt-completion", '{"prompt":"a","completion":"b"}'),
    "prompt and completion as messages": (
        "TRL prompt-completion",
        f'{{"prompt":{USER},"completion":{ASSISTANT}}}',
    ),
    "prompt and completion with a label": (
        "TRL prompt-completion",
        '{"prompt":"a","completion":"b","label":true}',
    ),
    "preference": ("TRL preference", '{"prompt":"a","chosen":"b","rejected":"c"}'),
    "preference with its prompt in it": ("TRL preference", '{"chosen":"ab","rejected":"ac"}'),
    "preference beside messages": (
        "TRL preference",
        f'{{"prompt":"a","messages":{USER},"chosen":{ASSISTANT},"rejected":{ASSISTANT}}}',
    ),
    "OpenAI's preference": (
        "OpenAI preference",
        f'{{"input":{{"messages":{USER}}},"preferred_output":{ASSISTANT},'
        f'"non_preferred_output":{ASSISTANT}}}',
    ),
    "ShareGPT's turns alone": ("ShareGPT", '{"from":"human","value":"a"}'),
    "Langfuse": (
        "Langfuse observation",
        f'{{"id":"1","traceId":"1","type":"GENERATION","name":"answer","model":"m","input":{USER},'
        f'"output":{{"role":"assistant","content":"b"}},"usage":{{"input":2,"output":1}}}}',
    ),
    "inputs with outputs": ("input-output", '{"id":"1","input":"a","output":"b"}'),
    "LangSmith": (
        "LangSmith run",
        f'{{"id":"1","name":"ChatOpenAI","run_type":"llm","inputs":{{"messages":{USER}}},'
        f'"outputs":{{"messages":{ASSISTANT}}},"trace_id":"1","dotted_order":"1"}}',
    ),
}


@pytest.mark.parametrize(("name", "line"), LINES.values(), ids=LINES)
@pytest.mark.parametrize("form", ["%s", "%s\n", "\n%s\n%s\n"], ids=["alone", "a line", "lines"])
def test_what_it_is_is_said(name: str, line: str, form: str) -> None:
    given = form.replace("%s", line)
    done = run("stats", stdin=given)
    assert done == (1, "", f"wireglot: stdin: cli: {name} data, {READ} - at `$`\n")


@pytest.mark.parametrize(("name", "line"), LINES.values(), ids=LINES)
@pytest.mark.parametrize("form", ["[%s]", "[\n  %s,\n  %s\n]\n"], ids=["one", "two"])
def test_a_list_of_examples_is_said_too(name: str, line: str, form: str) -> None:
    done = run("stats", stdin=form.replace("%s", line))
    assert done == (1, "", f"wireglot: stdin: cli: {name} data, {READ} - at `$[0]`\n")


@pytest.mark.parametrize("command", ["check", "show", "stats", "convert --to anthropic --model m"])
@pytest.mark.parametrize("count", [1, 40])
def test_every_command_says_it(command: str, count: int) -> None:
    done = run(*command.split(), stdin=f"{LINES['Alpaca'][1]}\n" * count)
    assert done.code == 1
    assert f"stdin: cli: Alpaca data, {READ} - at `$`\n" in done.out + done.said


_PLACE = '"uuid":"2","parentUuid":"1","sessionId":"s","timestamp":"2026-11-27T04:32:17.403Z"'
_SAYS = (
    '"message":{"role":"assistant","type":"message","content":'
    '[{"type":"tool_use","id":"t","name":"f","input":{}}]}'
)
_STEP = '"id":"2","parentId":"1","timestamp":"2026-11-27T04:32:17.403Z"'
SESSIONS = {
    "Claude Code, the user": (
        "Claude Code session",
        f'{{"type":"user","isSidechain":false,"message":{{"role":"user","content":"a"}},{_PLACE}}}',
    ),
    "Claude Code, the model": (
        "Claude Code session",
        f'{{"type":"assistant","isSidechain":false,{_SAYS},{_PLACE}}}',
    ),
    "Claude Code, an event without its place": (
        "Claude Code session",
        f'{{"type":"assistant",{_SAYS}}}',
    ),
    "Claude Code, a summary": (
        "Claude Code session",
        '{"type":"summary","summary":"a","leafUuid":"2"}',
    ),
    "Qwen Code": (
        "Qwen Code session",
        f'{{"type":"assistant","provenance":"assistant_output","model":"m","usageMetadata":{{}},'
        f'"message":{{"role":"model","parts":[{{"text":"a"}}]}},{_PLACE}}}',
    ),
    "Codex": (
        "Codex session",
        '{"timestamp":"2026-11-27T04:32:18.102Z","type":"response_item","payload":'
        '{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}}',
    ),
    "Gemini CLI": (
        "Gemini CLI session",
        '{"sessionId":"s","projectHash":"h","startTime":"2026-11-27T04:32:23.534Z","kind":"main"}',
    ),
    "Copilot CLI": (
        "GitHub Copilot CLI session",
        f'{{"type":"user.message","data":{{"content":"a"}},{_STEP}}}',
    ),
    "pi": (
        "pi session",
        f'{{"type":"message","message":{{"role":"assistant","content":'
        f'[{{"type":"text","text":"a"}}]}},{_STEP}}}',
    ),
    "pi, of an extension": (
        "pi session",
        f'{{"type":"custom","customType":"x","data":{{"a":1}},{_STEP}}}',
    ),
    "opencode": (
        "opencode session",
        '{"info":{"id":"ses_1"},"messages":[{"info":{"role":"user"},"parts":[]}]}',
    ),
    "opencode, a message": ("opencode session", '{"info":{"role":"user"},"parts":[]}'),
    "Inspect": (
        "Inspect log",
        f'{{"version":2,"status":"success","eval":{{}},"samples":[{{"messages":{USER}}}]}}',
    ),
    "ATIF": (
        "ATIF trajectory",
        '{"schema_version":"ATIF-v1.4","session_id":"s","steps":'
        '[{"step_id":1,"source":"user","message":"a"}]}',
    ),
    "the AI SDK": (
        "AI SDK message",
        '{"id":"1","role":"user","parts":[{"type":"text","text":"a"}]}',
    ),
    "the AI SDK, a call": (
        "AI SDK message",
        '{"id":"1","role":"assistant","parts":[{"type":"step-start"},{"type":"tool-f",'
        '"toolCallId":"c","state":"output-available","input":{},"output":2}]}',
    ),
    "the AI SDK before version 5": (
        "AI SDK message",
        '{"id":"1","role":"assistant","content":"b","toolInvocations":[{"state":"result",'
        '"toolCallId":"c","toolName":"f","args":{},"result":2}]}',
    ),
}


@pytest.mark.parametrize(("name", "line"), SESSIONS.values(), ids=SESSIONS)
@pytest.mark.parametrize("count", [1, 40])
def test_a_session_that_is_not_read_is_named(name: str, line: str, count: int) -> None:
    done = run("stats", stdin=f"{line}\n" * count)
    assert done == (1, "", f"wireglot: stdin: cli: {name}, {WIRES} - at `$`\n")


@pytest.mark.parametrize("command", ["check", "show", "stats", "convert --to anthropic --model m"])
@pytest.mark.parametrize("name", ["Claude Code, the model", "Qwen Code", "pi"])
def test_no_command_takes_its_lines_for_answers(command: str, name: str) -> None:
    state = '{"type":"queue-operation","operation":"enqueue","sessionId":"s"}\n'
    done = run(*command.split(), stdin=state + f"{SESSIONS[name][1]}\n" * 40)
    assert done.code == 1
    assert f"stdin: cli: {SESSIONS[name][0]}, {WIRES} - at `$`\n" in done.out + done.said


def test_a_list_of_the_messages_of_the_ai_sdk_is_named() -> None:
    messages = f"[{SESSIONS['the AI SDK'][1]},{SESSIONS['the AI SDK, a call'][1]}]"
    done = run("check", stdin=messages)
    assert done.out == f"stdin: cli: AI SDK message, {WIRES} - at `$[0]`\n"


ROWS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "ShareGPT": (
        f"1: cli: ShareGPT data, {READ} - at `$[0]`\n",
        [{"id": 1, "conversations": [{"from": "human", "value": "a"}]}],
    ),
    "ShareGPT as an object": (
        f"1: cli: ShareGPT data, {READ} - at `$`\n",
        [{"row": {"conversations": [{"from": "human", "value": "a"}]}}],
    ),
    "structs of no wire": (
        "1: cli: unknown document, expected one of a known wire; pass --from - at `$`\n",
        [{"rows": [{"foo": 1}]}],
    ),
}


@pytest.mark.parametrize(("said", "rows"), ROWS.values(), ids=ROWS)
def test_rows_of_a_table_are_named_too(said: str, rows: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert run("check", str(path)).out.startswith(f"{path}:{said}")


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("Alpaca", {"instruction": "a", "input": "b", "output": "c"}),
        ("TRL prompt-completion", {"prompt": "a", "completion": "b"}),
        (
            "TRL preference",
            {
                "prompt": "a",
                "chosen": [{"role": "assistant", "content": "b"}],
                "rejected": [{"role": "assistant", "content": "c"}],
            },
        ),
    ],
)
def test_a_table_whose_columns_are_those_of_a_data_set_is_named(
    name: str, row: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "data.parquet"
    pq.write_table(pa.Table.from_pylist([row]), path)
    done = run("check", str(path))
    assert done.said == f"wireglot: {path}: cli: {name} data, {READ} - at `$`\n"


def test_messages_beside_the_columns_of_a_data_set_are_read(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    row = {"chosen": "a", "rejected": "b", "messages": [{"role": "user", "content": "Hi"}]}
    pq.write_table(pa.Table.from_pylist([row]), path)
    assert run("check", str(path)).out == "1 document, 0 with faults\n"


def test_lines_that_were_asked_for_are_said_too() -> None:
    done = run("convert", "--each-line", "--to", "native", stdin=f"{LINES['Alpaca'][1]}\n" * 2)
    assert done == (1, "", f"wireglot: stdin: cli: Alpaca data, {READ} - at `$`\n")


def test_an_example_among_requests_is_left_out_and_not_taken_for_one() -> None:
    request = '{"model":"gpt-5","input":"Hi"}'
    given = f"{request}\n{LINES['Alpaca'][1]}\n{request}\n"
    assert run("check", stdin=given).out == (
        f"stdin:2: cli: Alpaca data, {READ} - at `$`\n3 documents, 1 with faults\n"
    )
    done = run("convert", "--to", "openai_responses", "--keep-going", stdin=given)
    made = '{"model":"gpt-5","input":[{"role":"user","content":"Hi"}]}\n'
    assert (done.code, done.out) == (1, made * 2)
    assert done.said.startswith(f"wireglot: stdin: line 2: cli: Alpaca data, {READ} - at `$`\n")


@pytest.mark.parametrize("name", ["Alpaca", "ShareGPT", "preference", "LangSmith"])
def test_any_example_among_chats_is_said(name: str) -> None:
    chat = '{"model":"gpt-5","messages":[{"role":"user","content":"Hi"}]}\n'
    done = run("check", stdin=chat * 20 + LINES[name][1] + "\n")
    assert done.out == (
        f"stdin:21: cli: {LINES[name][0]} data, {READ} - at `$`\n21 documents, 1 with faults\n"
    )


def test_who_names_the_wire_has_the_last_word() -> None:
    done = run("check", "-v", "--from", "openai_responses", stdin=LINES["Alpaca"][1])
    assert done.out == (
        "stdin: openai_responses request, no faults\n"
        "stdin: no field here, kept for its own API: `$.instruction`\n"
        "stdin: no field here, kept for its own API: `$.output`\n"
    )


def test_lines_for_fine_tuning_are_requests_without_a_model() -> None:
    answer = '{"weight":0,"role":"assistant","content":"b"}'
    line = f'{{"messages":[{{"role":"user","content":"a"}},{answer}]}}'
    out = run("check", "-v", stdin=line).out
    assert out == (
        "stdin: openai_chat request, no faults\n"
        "stdin: no field here, kept for its own API: `$.messages[1].weight`\n"
    )
    assert run("check", stdin=f"{line}\n{line}\n").out == "2 documents, 0 with faults\n"
    done = run("convert", "--to", "openai_chat", "--model", "m", stdin=f"{line}\n{line}\n")
    made = f'{{"model":"m",{line[1:]}\n'
    assert done == (0, made * 2, "")


@pytest.mark.parametrize(
    "data",
    [
        {"messages": [{"role": "user", "content": '"instruction" "output" "chosen" "rejected"'}]},
        {"model": "m", "prompt": "a", "messages": [{"role": "user", "content": "Hi"}]},
        {"role": "user", "content": "Hi", "instruction": "a", "output": "b"},
        [{"role": "user", "content": "Hi", "chosen": "a", "rejected": "b"}],
        {"role": "user", "content": "Hi", "parentId": 1, "timestamp": 2, "type": "x"},
        {"messages": [{"role": "user", "content": "Hi"}], "info": {}},
        [{"role": "user", "parts": [{"type": "text", "content": "Hi", "text": "Hi"}]}],
        [{"role": "user", "parts": [{"type": "tool_call", "name": "f", "id": "c"}]}],
        {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]},
        [{"role": "user", "parts": [{"text": "Hi"}]}],
        [{"role": "user", "parts": 5}, 5],
        {"object": "response", "input": [], "output": []},
    ],
)
def test_other_data_with_such_words_is_read(data: object) -> None:
    assert data_set_in(json.dumps(data).encode()) is None


@pytest.mark.parametrize(
    "key", ["instruction", "output", "prompt", "completion", "chosen", "rejected", "inputs"]
)
def test_no_key_of_several_is_enough_alone(key: str) -> None:
    assert data_set_in(f'{{"{key}":"a"}}'.encode()) is None
