"""A list of messages without a request around it, as people keep them, in every command."""

from __future__ import annotations

import pytest

from tests.cli.running import run

ALONE = '[{"role":"user","content":"hi"}]'
RULE = "─" * 80


@pytest.fixture(autouse=True)
def _eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


COMMANDS = {
    "show": f"stdin   openai_chat request\n1 entry\n{RULE}\n\nuser\n  hi\n",
    "check": "stdin: openai_chat request, no faults\n",
    "check -v --to cohere": "stdin: openai_chat request, no faults\n",
    "check --from anthropic": "stdin: anthropic request, no faults\n",
    "stats": "1 document, 1 message\n",
    "convert --to openai_chat --model m": (
        '{"model":"m","messages":[{"role":"user","content":"hi"}]}'
    ),
    "convert --to anthropic --model m": (
        '{"model":"m","max_tokens":8192,"messages":[{"role":"user",'
        '"content":[{"type":"text","text":"hi"}]}]}'
    ),
    "convert --to native": (
        '{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}'
    ),
    "convert --to native --as session": (
        '[{"role":"user","content":[{"type":"text","text":"hi"}]}]'
    ),
    "convert --to ollama --model m --each-line": (
        '{"model":"m","stream":false,"messages":[{"role":"user","content":"hi"}]}\n'
    ),
}


@pytest.mark.parametrize(("command", "out"), COMMANDS.items(), ids=COMMANDS)
def test_messages_alone_are_a_request(command: str, out: str) -> None:
    assert run(*command.split(), stdin=f"{ALONE}\n") == (0, out, "")


@pytest.mark.parametrize(
    ("wire", "messages"),
    [
        ("openai_chat", '[{"role":"assistant","content":null,"tool_calls":[{"id":"c",'
         '"type":"function","function":{"name":"f","arguments":"{}"}}]},'
         '{"role":"tool","tool_call_id":"c","content":"x"}]'),
        ("anthropic", '[{"role":"user","content":"hi"},{"role":"assistant","content":'
         '[{"type":"tool_use","id":"c","name":"f","input":{}}]}]'),
        ("openai_responses", '[{"type":"function_call","call_id":"c","name":"f",'
         '"arguments":"{}"}]'),
        ("gemini", '[{"role":"user","parts":[{"text":"hi"}]}]'),
        ("bedrock", '[{"role":"user","content":[{"text":"hi"}]}]'),
    ],
)  # fmt: skip
def test_messages_alone_have_the_wire_of_their_form(wire: str, messages: str) -> None:
    assert run("check", stdin=messages).out == f"stdin: {wire} request, no faults\n"


def test_each_line_may_be_messages_alone() -> None:
    done = run("check", stdin=f'{ALONE}\n[{{"role":"user","content":5}}]\n{ALONE}\n')
    assert done.out == (
        "stdin:2: openai_chat: expected `str | array`, got `int` - at `$[0].content`\n"
        "3 documents, 1 with faults\n"
    )


def test_all_faults_of_messages_alone_have_their_places() -> None:
    bad = '[{"role":"user","content":"hi"},{"role":"user","content":5},{"role":"user","content":6}]'
    assert run("check", stdin=bad).out == (
        "stdin: openai_chat: expected `str | array`, got `int` - at `$[1].content`\n"
        "stdin: openai_chat: expected `str | array`, got `int` - at `$[2].content`\n"
    )
    done = run("stats", "--from", "openai_chat", stdin=bad)
    assert done.said == (
        "wireglot: stdin: openai_chat: expected `str | array`, got `int` - at `$[1].content`\n"
    )


@pytest.mark.parametrize("options", ["", "--from openai_chat", "--from native"])
@pytest.mark.parametrize("empty", ["[]", " [\n] \n"])
def test_a_list_without_a_message_is_said(empty: str, options: str) -> None:
    done = run("stats", *options.split(), stdin=empty)
    assert (done.code, done.said) == (
        1,
        "wireglot: stdin: cli: no message, expected at least one - at `$`\n",
    )
