"""The command as a person runs it, once in a process of its own, else in this one."""

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from wireglot.cli.command import wireglot

_EXAMPLE = Path(__file__).parents[2] / "examples" / "agent-session.jsonl"
_HELLO = '{"role":"user","content":[{"type":"text","text":"Hello"}]}'
_BODY = (
    b'{"model":"m","max_tokens":8192,'
    b'"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}'
)
_CLIP = '{"role":"user","content":[{"type":"audio","data":"SUQz","transcript":"Hello"}]}'


class Done(NamedTuple):
    returncode: int
    stdout: bytes
    stderr: bytes


def run(*arguments: str, stdin: str = "") -> Done:
    made = CliRunner().invoke(wireglot, arguments, input=stdin.encode())
    return Done(made.exit_code, made.stdout_bytes, made.stderr_bytes)


def convert(stdin: str, *options: str) -> Done:
    return run("convert", "-", "--to", "anthropic", *options, stdin=stdin)


def test_the_example_session_becomes_a_body_that_the_sdk_accepts() -> None:
    from tests.oracles import anthropic as oracle

    done = run("convert", str(_EXAMPLE), "--to", "anthropic")
    assert (done.returncode, done.stderr) == (0, b"2 session-only entries are not sent\n")
    oracle.check_request(done.stdout)
    body = json.loads(done.stdout)
    assert [message["role"] for message in body["messages"]] == ["user", "assistant"] * 10 + [
        "user"
    ]
    assert body["model"] == "claude-sonnet-4-5"
    assert b'{"command": "git log --oneline -5 -- src/checkout", "timeout": 1e2}' in done.stdout


def test_a_process_of_its_own_says_the_same() -> None:
    command = [sys.executable, "-m", "wireglot", "convert", "-", "--to", "anthropic"]
    stdin = f'{{"messages":[{_HELLO}],"model":"m"}}'.encode()
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, _BODY, b"")


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(f"[{_HELLO}]", id="a session as an array"),
        pytest.param(f"\n [\n{_HELLO}\n]\n", id="an array with space around it"),
        pytest.param(f"{_HELLO}\n", id="a session as JSON Lines"),
        pytest.param(f"\n{_HELLO}\r\n\r\n", id="JSON Lines with blank lines and CRLF"),
        pytest.param(f'{{"messages":[{_HELLO}],"model":"other"}}', id="a request"),
        pytest.param(f'{{\n  "messages": [{_HELLO}]\n}}', id="a request over several lines"),
    ],
)
def test_every_form_of_input_gives_the_same_body(given: str) -> None:
    done = convert(given, "--model", "m")
    assert (done.returncode, done.stdout, done.stderr) == (0, _BODY, b"")


def test_a_model_takes_after_a_known_one() -> None:
    given = f'{{"messages":[{_HELLO}],"temperature":0.2}}'
    done = convert(given, "--model", "m", "--like", "claude-opus-4-8")
    assert (done.returncode, done.stdout) == (0, _BODY)
    assert b"lost: sampling: " in done.stderr
    done = convert(given, "--model", "m", "--like", "gpt-nine")
    assert done.returncode == 2
    assert b"--like `gpt-nine`, expected the name of a known model" in done.stderr


def test_the_body_goes_to_the_output_file(tmp_path: Path) -> None:
    done = convert(f"[{_HELLO}]", "--model", "m", "-o", str(tmp_path / "body.json"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "body.json").read_bytes() == _BODY


def test_what_is_lost_is_said() -> None:
    done = convert(f"[{_CLIP}]", "--model", "m")
    assert (done.returncode, done.stdout) == (0, _BODY)
    assert done.stderr == (
        b"lost: audio: there is no audio block; its transcript goes as text, if it has one"
        b" - at `$.messages[0].content[0]`\n"
    )


@pytest.mark.parametrize(
    ("given", "options", "line"),
    [
        pytest.param(
            f"[{_HELLO}]",
            [],
            (
                b"wireglot: stdin: anthropic: no model, expected its name;"
                b" pass --model - at `$.model`\n"
            ),
            id="a session that names no model",
        ),
        pytest.param(
            "[x",
            [],
            b"wireglot: stdin: json: JSON is malformed: invalid character (byte 1) - at `$`\n",
            id="no JSON",
        ),
        pytest.param(
            '[{"role":"user"}]',
            [],
            b"wireglot: stdin: json: object missing required field `content` - at `$[0]`\n",
            id="a message without content",
        ),
        pytest.param(
            f'{_HELLO}\n{{"role":"user","content":5}}\n',
            [],
            b"wireglot: stdin: json: expected `array`, got `int` - at `line 2: $.content`\n",
            id="a bad second line",
        ),
        pytest.param(
            f"[{_CLIP}]",
            ["--model", "m", "--strict"],
            b"wireglot: stdin: anthropic: audio: there is no audio block; its transcript goes as"
            b" text, if it has one; leave out --strict - at `$.messages[0].content[0]`\n",
            id="a loss, when losses are errors",
        ),
        pytest.param(
            '[{"role":"toolResult","toolCallId":"c9"}]',
            ["--model", "m"],
            (
                b"wireglot: stdin: anthropic: tool result `c9` has no call before it;"
                b" pass --repair - at `$.messages[0]`\n"
            ),
            id="a result without its call",
        ),
    ],
)
def test_bad_input_gives_one_line_and_no_body(given: str, options: list[str], line: bytes) -> None:
    done = convert(given, *options)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", line)


def test_a_bad_session_leaves_the_output_file_alone(tmp_path: Path) -> None:
    out = tmp_path / "body.json"
    out.write_bytes(b"before")
    assert convert("[", "-o", str(out)).returncode == 1
    assert out.read_bytes() == b"before"


def test_repair_closes_what_is_open() -> None:
    given = '[{"role":"toolResult","toolCallId":"c9","content":[{"type":"text","text":"21"}]}]'
    done = convert(given, "--model", "m", "--repair")
    assert done.returncode == 0
    assert json.loads(done.stdout)["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "A result without its call (c9):"},
                {"type": "text", "text": "21"},
            ],
        }
    ]


def test_a_missing_file_is_named() -> None:
    done = run("convert", "no-such-file.json", "--to", "anthropic")
    assert done.returncode == 1
    assert done.stderr == b"wireglot: no-such-file.json: No such file or directory\n"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["convert", "-", "--to", "nobody"], id="an unknown target"),
        pytest.param(["convert", "-"], id="no target"),
        pytest.param(["convert", "-", "--to", "anthropic:azure"], id="an unknown dialect"),
        pytest.param(["convert", "-", "-", "--to", "ravi", "-o", "x.json"], id="one file for two"),
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    done = run(*arguments, stdin=f"[{_HELLO}]")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Error: " in done.stderr


def test_the_help_shows_examples() -> None:
    done = run("convert", "--help")
    assert done.returncode == 0
    assert b"wireglot convert session.jsonl --to anthropic -o body.json" in done.stdout


def test_one_entry_that_is_not_sent_is_said_in_the_singular() -> None:
    summary = '{"role":"branchSummary","summary":"x","fromId":"a"}'
    done = convert(f"[{summary},{_HELLO}]", "--model", "m")
    assert (done.stdout, done.stderr) == (_BODY, b"1 session-only entry is not sent\n")
