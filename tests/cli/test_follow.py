"""`wireglot show --follow`: what is written to a file, shown as it comes."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import Done, run
from wireglot.cli.follow import followed

SAID = '{"role":"user","content":[{"type":"text","text":"%s"}]}\n'
RULE = "─" * 80
Step = Callable[[], object]


class _Steps:
    """Waits for nobody: each wait is the next thing that happens to the file; then comes Ctrl-C."""

    def __init__(self, *steps: Step) -> None:
        self._steps = iter(steps)

    def __call__(self) -> None:
        step = next(self._steps, None)
        if step is None:
            raise KeyboardInterrupt
        step()


def _append(path: Path, text: str) -> Step:
    def step() -> None:
        with path.open("a") as stream:
            stream.write(text)

    return step


def _replace(path: Path, text: str) -> Step:
    def step() -> None:
        path.rename(path.with_suffix(".1"))
        path.write_text(text)

    return step


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    prices = tmp_path / "prices.toml"
    prices.write_text("[models]\n")
    monkeypatch.setenv("WIREGLOT_PRICES", str(prices))
    monkeypatch.setenv("COLUMNS", "80")
    return Path("x.jsonl")


def _shown(path: Path, monkeypatch: pytest.MonkeyPatch, *steps: Step, options: str = "") -> Done:
    monkeypatch.setattr("wireglot.cli.show.pause", _Steps(*steps))
    return run("show", "--follow", *options.split(), str(path))


def test_messages_are_shown_as_they_are_appended(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(SAID % "one" + SAID % "two")
    answer = '{"role":"assistant","model":"m","content":[{"type":"text","text":"three"}]}\n'
    done = _shown(path, monkeypatch, _append(path, answer), lambda: None)
    assert done == (
        0,
        f"x.jsonl   native session\n{RULE}\n\n"
        "user\n  one\n\nuser\n  two\n\nassistant  m\n  three\n",
        "",
    )


def test_a_call_and_its_result_are_shown_each_in_its_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(
        '{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"grep",'
        '"arguments":{"a":1}}]}\n'
    )
    result = (
        '{"role":"toolResult","toolCallId":"c","toolName":"grep",'
        '"content":[{"type":"text","text":"found"}]}\n'
    )
    out = _shown(path, monkeypatch, _append(path, result)).out
    assert out.endswith(
        'assistant\n  ⚙ grep {"a":1}\n\ntoolResult\n  ⚙ grep c\n    found\n',
    )


def test_each_document_has_its_own_heading(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = '{"model":"gpt-5","messages":[{"role":"user","content":"%s"}]}\n'
    path.write_text(line % "one")
    done = _shown(path, monkeypatch, _append(path, line % "two"))
    assert done == (
        0,
        f"x.jsonl:1   openai_chat request\ngpt-5 · 1 entry\n{RULE}\n\nuser\n  one\n"
        f"x.jsonl:2   openai_chat request\ngpt-5 · 1 entry\n{RULE}\n\nuser\n  two\n",
        "",
    )


def test_a_file_may_be_empty_at_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("")
    done = _shown(path, monkeypatch, lambda: None, _append(path, SAID % "one"))
    assert done == (0, f"x.jsonl   native session\n{RULE}\n\nuser\n  one\n", "")


def test_half_a_line_waits_for_its_other_half(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = SAID % "one and a half"
    steps = [_append(path, char) for char in line]
    path.write_text("")
    done = _shown(path, monkeypatch, *steps)
    assert done == (0, f"x.jsonl   native session\n{RULE}\n\nuser\n  one and a half\n", "")
    # What is still half a line at the end was never a document.
    path.write_text(SAID % "one" + line[:-2])
    done = _shown(path, monkeypatch)
    assert done == (0, f"x.jsonl   native session\n{RULE}\n\nuser\n  one\n", "")


def test_a_file_that_is_cut_is_read_from_its_start(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(SAID % "one" + SAID % "two")
    done = _shown(path, monkeypatch, lambda: path.write_text(SAID % "new"))
    assert (done.code, done.said) == (0, "")
    assert done.out.endswith("user\n  one\n\nuser\n  two\n\nuser\n  new\n")


def test_half_a_line_that_was_cut_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(SAID % "one" + (SAID % "lost")[:40])
    done = _shown(path, monkeypatch, lambda: path.write_text(SAID % "new"))
    assert done.code == 0
    assert done.out.endswith("user\n  one\n\nuser\n  new\n")
    assert done.said == ("wireglot: x.jsonl: json: input data was truncated - at `line 2: $`\n")


def test_a_file_that_is_replaced_is_read_to_its_end_first(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(SAID % "one")
    old = path.with_suffix(".1")

    def last_words() -> None:
        _append(path, SAID % "two")()
        _replace(path, SAID % "new")()

    done = _shown(path, monkeypatch, last_words, _append(path, SAID % "newer"))
    assert (done.code, done.said) == (0, "")
    assert done.out.endswith(
        "user\n  one\n\nuser\n  two\n\nuser\n  new\n\nuser\n  newer\n",
    )
    assert old.exists()


def test_a_file_may_be_away_for_a_while(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(SAID % "one")
    old = path.with_suffix(".1")
    done = _shown(
        path,
        monkeypatch,
        lambda: path.rename(old),
        _append(old, SAID % "two"),
        lambda: path.write_text((SAID % "new").rstrip("\n")),
        _append(path, "\n"),
    )
    assert (done.code, done.said) == (0, "")
    assert done.out.endswith("user\n  one\n\nuser\n  two\n\nuser\n  new\n")


def test_what_is_written_between_the_two_looks_is_read(path: Path) -> None:
    path.write_text("a\n")
    stat, done = os.stat, []

    def late(name: object, **more: object) -> os.stat_result:
        if name == "x.jsonl" and not done:
            done.append(name)
            _append(path, "b\n")()
            _replace(path, "c\n")()
        return stat(name, **more)  # type: ignore[arg-type]

    blocks = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "stat", late)
        inputs = followed("x.jsonl", _Steps())
        blocks += [*next(inputs).blocks()]
    blocks.append(next(inputs).head)
    assert blocks == [b"a\n", b"b\n", b"c\n"]


def test_a_bad_line_ends_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(SAID % "one")
    done = _shown(path, monkeypatch, _append(path, "oops\n"), _append(path, SAID % "two"))
    assert done.code == 0
    assert done.out.endswith("user\n  one\n\nuser\n  two\n")
    assert done.said == (
        "wireglot: x.jsonl: json: JSON is malformed: invalid character (byte 0) - at `line 2: $`\n"
    )


def test_what_a_line_lost_is_said_at_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text(SAID % r"half \ud83d")
    done = _shown(path, monkeypatch)
    assert done.code == 0
    assert done.said == (
        "lost: lone surrogate: half a character is not Unicode text; U+FFFD takes its place"
        " - at `x.jsonl:1: line 1: byte 54`\n"
    )


def test_a_compressed_file_is_not_followed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(gzip.compress((SAID % "one").encode()))
    done = _shown(path, monkeypatch)
    said = "wireglot: x.jsonl: cli: compressed file, expected plain lines - at `$`\n"
    assert done == (1, "", said)


@pytest.mark.parametrize("words", ["--html x", "-o y x", "x x", "-", ""])
def test_only_one_file_is_followed_and_on_a_terminal(words: str) -> None:
    done = run("show", "--follow", *words.split())
    assert (done.code, done.out) == (2, "")
    reason = "--follow writes to a terminal: expected one FILE, and no --html or --output"
    assert done.said.endswith(f"Error: {reason}\n")


def test_a_file_that_is_not_there_is_said(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = _shown(path, monkeypatch)
    assert done == (1, "", "wireglot: x.jsonl: No such file or directory\n")


def test_ctrl_c_ends_it_in_order(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(SAID % "one")
    command = [sys.executable, "-m", "wireglot", "show", "--follow", str(path)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if line == "  one\n":  # shown before anything else is written
                    break
            _append(path, SAID % "two")()
            assert [process.stdout.readline() for _ in range(3)] == ["\n", "user\n", "  two\n"]
            process.send_signal(signal.SIGINT)
            out, said = process.communicate()
        finally:
            process.kill()
    assert (process.returncode, out, said) == (0, "", "")
