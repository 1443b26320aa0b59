"""What cannot be written, or read: a line that says so, exit code 1, and never a traceback."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.cli.running import run

CHAT = '{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}]}'
COMMANDS = [
    ["convert", "--to", "ollama"],
    ["show"],
    ["show", "--html"],
    ["stats"],
    ["stats", "--json"],
    ["check"],
]
ROOT = Path(wg.__file__).parents[1]
# With buffers, as a shell would run it: what is left in them is written at the very end.
ENV = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
}


def _started(*arguments: str, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "wireglot.cli", *arguments]
    return subprocess.Popen(command, env=ENV, stderr=subprocess.PIPE, text=True, **more)


@pytest.mark.parametrize("command", [["convert", "--to", "ollama"], ["show"], ["show", "--html"]])
def test_an_output_that_cannot_be_made_is_said_by_its_name(
    command: list[str], tmp_path: Path
) -> None:
    for output, why in (
        (tmp_path / "no" / "x.json", "No such file or directory"),
        (tmp_path / "file" / "x.json", "Not a directory"),
    ):
        (tmp_path / "file").touch()
        done = run(*command, "-o", str(output), stdin=CHAT)
        assert done == (1, "", f"wireglot: {output}: {why}\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk_is_said(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(CHAT)
    with open("/dev/full", "wb") as full:
        process = _started(*command, str(path), stdout=full)
        said = process.communicate()[1]
    assert (process.returncode, said) == (
        1,
        "wireglot: standard output: No space left on device\n",
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("command", [["convert", "--to", "ollama"], ["show"]], ids=" ".join)
def test_a_full_device_behind_output_is_said(command: list[str]) -> None:
    done = run(*command, "-o", "/dev/full", stdin=CHAT)
    assert done == (1, "", "wireglot: /dev/full: No space left on device\n")


@pytest.mark.parametrize("command", [["convert", "--to", "ollama"], ["show"]], ids=" ".join)
def test_a_closed_standard_output_is_said(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(CHAT)
    process = _started(*command, str(path), preexec_fn=lambda: os.close(1))
    said = process.communicate()[1]
    assert (process.returncode, said) == (1, "wireglot: standard output: it is closed\n")


def test_a_closed_standard_input_is_wrong_usage() -> None:
    process = _started("show", preexec_fn=lambda: os.close(0))
    said = process.communicate()[1]
    assert process.returncode == 2
    assert "Error: no FILE, and nothing comes from standard input\n" in said


def test_a_pipe_that_does_not_wait_is_not_taken_for_ended() -> None:
    ours, theirs = os.pipe()
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_NONBLOCK)
    process = _started("convert", "--to", "ollama", stdin=ours, stdout=subprocess.PIPE)
    said = process.communicate()
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 1
    assert said == ("", "wireglot: stdin: Resource temporarily unavailable\n")
