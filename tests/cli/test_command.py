"""The command itself: help, version, completion, and what it loads."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import wireglot as wg
from tests.cli.running import run
from wireglot.providers import PROVIDERS

COMMANDS = ["convert", "show", "stats", "check", "schema", "serve", "completion"]
ROOT = Path(wg.__file__).parents[1]


def test_the_help_names_every_command_with_its_sentence() -> None:
    done = run("--help")
    assert done.code == 0
    rows = [line.split() for line in done.out.splitlines()]
    for command in COMMANDS:
        (row,) = [row for row in rows if row[:1] == [command]]
        assert len(row) > 4


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_no_line_of_the_help_is_cut_or_longer_than_a_terminal(command: str) -> None:
    lines = run(*command.split(), "--help").out.splitlines()
    assert [line for line in lines[1:] if line.endswith("...") or len(line) > 80] == []


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_shows_examples(command: str, option: str) -> None:
    done = run(command, option)
    assert done.code == 0
    assert "Examples:" in done.out
    assert f"wireglot {command}" in done.out


def test_the_version() -> None:
    done = run("--version")
    assert done == (0, f"wireglot {wg.__version__}\n", "")


def test_an_unknown_command_is_wrong_usage() -> None:
    done = run("nothing")
    assert done.code == 2
    assert "No such command 'nothing'" in done.said


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["shwo"], "No such command 'shwo'. Did you mean 'show'?\n"),
        (["check", "--to", "antropic"], ", `native`, `msgpack`; did you mean `anthropic`?\n"),
        (["check", "--from", "lang_chain"], ", `otel`, `native`; did you mean `langchain`?\n"),
        (["check", "--from", "claud"], ", `otel`, `native`; did you mean `claude`?\n"),
        (["check", "--to", "openai_responses:azur"], ", `openrouter`; did you mean `azure`?\n"),
        (["schema", "mistrall"], ", `mcp`, `otel`; did you mean `mistral`?\n"),
        (["check", "--from", "x"], ", `otel`, `native`\n"),
    ],
)
def test_a_misspelt_name_is_answered_with_the_closest(arguments: list[str], hint: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert done.said.endswith(hint)


@pytest.mark.parametrize(
    ("alias", "wire"),
    [
        ("openai", "openai_chat"),
        ("chat", "openai_chat"),
        ("responses", "openai_responses"),
        ("claude", "anthropic"),
        ("google", "gemini"),
        ("vertex", "gemini:vertex"),
        ("converse", "bedrock"),
        ("openai-chat", "openai_chat"),
        ("openai-chat:groq", "openai_chat:groq"),
        ("claude:vertex", "anthropic:vertex"),
        ("pydantic-ai", "pydantic_ai"),
    ],
)
def test_a_wire_has_the_names_that_people_type(alias: str, wire: str) -> None:
    given = '{"model":"gpt-5","messages":[{"role":"user","content":"Hi"}]}'
    command = ("convert", "--from", "chat", "--to")
    done = run(*command, alias, stdin=given)
    assert done.code == 0
    assert done == run(*command, wire, stdin=given)


def test_an_alias_is_a_name_of_the_command_alone() -> None:
    assert run("schema", "claude") == run("schema", "anthropic")
    assert not {"openai", "chat", "claude", "google", "vertex"} & {*PROVIDERS}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_its_script(shell: str) -> None:
    done = run("completion", shell)
    assert done.code == 0
    assert "_WIREGLOT_COMPLETE" in done.out


def _completed(words: str, part: str = "value") -> list[str]:
    """Return what a shell would offer for the last of some words, or of which type that is."""
    env = {
        **os.environ,
        "_WIREGLOT_COMPLETE": "bash_complete",
        "COMP_WORDS": f"wireglot {words}",
        "COMP_CWORD": str(len(words.split(" "))),
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    code = "from wireglot.cli.command import wireglot; wireglot(prog_name='wireglot')"
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
    )
    return [line.split(",")[part == "value"] for line in done.stdout.splitlines()]


def test_commands_wires_and_dialects_are_completed() -> None:
    assert _completed("s") == ["show", "stats", "schema", "serve"]
    assert _completed("convert --to open") == ["openai_chat", "openai_responses"]
    dialects = [f"anthropic:{name}" for name in PROVIDERS["anthropic"].DIALECTS]
    assert _completed("convert --to anthropic:") == dialects
    # bash takes a colon for a word, and puts what it is told behind it.
    assert _completed("convert --to anthropic :") == [*PROVIDERS["anthropic"].DIALECTS]
    assert _completed("convert --to anthropic : ver") == ["vertex"]
    assert "--keep-going" in _completed("convert --k")


@pytest.mark.parametrize("words", ["show a", "check -v x.json a", "convert -o a", "stats --plot a"])
def test_files_are_for_the_shell_to_complete(words: str) -> None:
    assert _completed(words, "type") == ["file"]


def test_a_command_loads_what_it_needs_and_no_more() -> None:
    code = (
        "import sys\nfrom wireglot.cli.command import wireglot\n"
        "try: wireglot(['convert', '-', '--to', 'anthropic', '--model', 'm'])\n"
        "except SystemExit: pass\n"
        "print(*{n.partition('.')[0] for n in sys.modules}, file=sys.stderr)"
    )
    given = '[{"role":"user","content":[{"type":"text","text":"Hello"}]}]'
    done = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith('{"model":"m"')
    loaded = {*done.stderr.split()}
    assert not loaded & {"rich", "matplotlib", "genai_prices", "PIL", "pygments", "starlette"}


def test_it_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "wireglot", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (f"wireglot {wg.__version__}\n", "")


def test_the_help_names_every_wire() -> None:
    words = run("convert", "--help").out.replace(",", " ").replace(".", " ").split()
    assert {*PROVIDERS, "phi_core", "operator_use", "native", "msgpack"} <= {*words}


def test_a_port_in_use_is_no_third_kind_of_failure(tmp_path: Path) -> None:
    config = tmp_path / "gateway.toml"
    config.write_text('[[routes]]\nmodel = "*"\nprovider = "ollama"\nurl = "http://127.0.0.1:1"\n')
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "wireglot", "serve", "--config", str(config)]
        done = subprocess.run([*command, "--port", port], capture_output=True, check=False)
    assert done.returncode == 1
    assert b"address already in use" in done.stderr
