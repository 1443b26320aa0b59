"""Training data and traces: what they are is said, and no decoder takes them for a request."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import run
from wireglot._documents.data_sets import data_set_in

READ = (
    "which wireglot does not read, expected a document of native, anthropic, openai_chat, "
    "openai_responses, gemini, bedrock, mistral, cohere, ollama, phi_core, pyagenity, ravi, "
    "operator_use, langchain, pydantic_ai, mcp, otel; make a request of each example: "
    '`{"messages":[{"role":"user","content":"..."}]}`'
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
    ],
)
def test_other_data_with_such_words_is_read(data: object) -> None:
    assert data_set_in(json.dumps(data).encode()) is None


@pytest.mark.parametrize(
    "key", ["instruction", "output", "prompt", "completion", "chosen", "rejected", "inputs"]
)
def test_no_key_of_several_is_enough_alone(key: str) -> None:
    assert data_set_in(f'{{"{key}":"a"}}'.encode()) is None
