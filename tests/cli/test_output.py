"""What cannot be written, or read: a line that says so, exit code 1, and never a traceback."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.cli.running import run
from wireglot.cli.options import ended_in_order

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


@pytest.fixture(autouse=True)
def _usual_signals() -> Iterator[None]:
    """Undo what `nohup`, or a shell's background, hands on to the commands that are tested."""
    ignored = [each for each in signal.valid_signals() if signal.getsignal(each) is signal.SIG_IGN]
    for each in ignored:
        signal.signal(each, signal.SIG_DFL)
    yield
    for each in ignored:
        signal.signal(each, signal.SIG_IGN)


def _started(*arguments: str, **more: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "wireglot", *arguments]
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
    assert "Error: no FILE, expected one, or a document on standard input\n" in said


@pytest.mark.parametrize("command", [["show"], ["check"], ["convert", "--to", "native"]])
def test_a_closed_standard_input_that_was_named_is_said(command: list[str]) -> None:
    process = _started(*command, "-", preexec_fn=lambda: os.close(0))
    said = process.communicate()[1]
    assert (process.returncode, said) == (1, "wireglot: stdin: it is closed\n")


def test_a_pipe_that_does_not_wait_is_not_taken_for_ended() -> None:
    ours, theirs = os.pipe()
    fcntl.fcntl(ours, fcntl.F_SETFL, os.O_NONBLOCK)
    process = _started("convert", "--to", "ollama", stdin=ours, stdout=subprocess.PIPE)
    said = process.communicate()
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 1
    assert said == ("", "wireglot: stdin: Resource temporarily unavailable\n")


CHAT_OF = '{{"model":"m","messages":[{{"role":"user","content":"{}"}}]}}'
MADE_OF = '{{"model":"m","stream":false,"messages":[{{"role":"user","content":"{}"}}]}}'
LINE = '{"role":"user","content":[{"type":"text","text":"Hi"}]}'


def test_inputs_of_one_name_get_files_of_their_own(tmp_path: Path) -> None:
    names = []
    for i, name in enumerate(["a/x.json", "b/x.json", "c/X.json.zst", "c/x.2.json", "d/x"]):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(CHAT_OF.format(i))
        names.append(str(path))
    out = tmp_path / "out"
    assert run("convert", *names, "--to", "ollama", "-o", f"{out}/") == (0, "", "")
    assert {path.name: path.read_text() for path in out.iterdir()} == {
        "x.ollama.json": MADE_OF.format(0),
        "x.2.ollama.json": MADE_OF.format(1),
        "X.3.ollama.json": MADE_OF.format(2),
        "x.2.2.ollama.json": MADE_OF.format(3),
        "x.4.ollama.json": MADE_OF.format(4),
    }


def test_an_input_without_an_ending_goes_to_the_folder_too(tmp_path: Path) -> None:
    path = tmp_path / "in" / "body"
    path.parent.mkdir()
    path.write_text(CHAT_OF.format("x"))
    out = tmp_path / "out"
    assert run("convert", str(path), "--to", "ollama", "-o", f"{out}/") == (0, "", "")
    assert [path.name for path in path.parent.iterdir()] == ["body"]
    assert [path.name for path in out.iterdir()] == ["body.ollama.json"]


@pytest.mark.parametrize("options", [["--to", "native", "--jsonl"], ["--to", "operator_use"]])
def test_sessions_in_lines_do_not_run_together(options: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"{LINE}\n{LINE}\n")
    done = run("convert", str(path), str(path), *options)
    assert (done.code, done.out) == (2, "")
    assert "several .jsonl files, expected a folder behind --output" in done.said


def test_a_file_of_lines_takes_sessions_one_on_each(tmp_path: Path) -> None:
    path, out = tmp_path / "x.jsonl", tmp_path / "out.jsonl"
    path.write_text(f"[{LINE}]\n[{LINE},{LINE}]\n")
    assert run("convert", str(path), "--to", "native", "-o", str(out)) == (0, "", "")
    assert out.read_text() == f"[{LINE}]\n[{LINE},{LINE}]\n"


def test_a_session_among_requests_stays_on_its_line(tmp_path: Path) -> None:
    path, out = tmp_path / "x.jsonl", tmp_path / "out.jsonl"
    path.write_text(f"{CHAT}\n{CHAT}\n[{LINE},{LINE}]\n")
    told = f"wireglot: {path}: documents of 2 wires: 2 of openai_chat, 1 of native\n"
    assert run("convert", str(path), "--to", "native", "-o", str(out)) == (0, "", told)
    assert out.read_text().splitlines()[2] == f"[{LINE},{LINE}]"


def test_a_stream_among_requests_is_no_line() -> None:
    chunk = (
        '{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},'
        '"finishReason":"STOP","index":0}],"usageMetadata":{},"modelVersion":"gemini-3"}'
    )
    done = run("convert", "--to", "ollama", "--keep-going", stdin=f"{CHAT}\n{CHAT}\n[{chunk}]\n")
    assert done == (
        1,
        '{"model":"gpt-5","stream":false,"messages":[{"role":"user","content":"Hello"}]}\n' * 2,
        (
            "wireglot: stdin: line 3: ollama: stream on a line,"
            " expected a document of one line - at `$`\n"
            "wireglot: stdin: documents of 2 wires: 2 of openai_chat, 1 of gemini\n"
            "wireglot: 1 of 3 documents could not be converted\n"
        ),
    )


def test_what_was_written_before_a_failure_says_its_losses(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(CHAT.replace("}]}", '}],"seed":7}'))
    done = run("convert", str(path), str(tmp_path / "none.json"), "--to", "anthropic")
    assert done == (
        1,
        '{"model":"gpt-5","max_tokens":8192,'
        '"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}\n',
        f"wireglot: {tmp_path}/none.json: No such file or directory\n"
        f"lost: seed: there is no such parameter; left out - at `{path}: $`\n",
    )


def test_keep_going_goes_on_behind_what_cannot_be_opened(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(CHAT_OF.format("x"))
    gone, cut = tmp_path / "gone.json", tmp_path / "cut.gz"
    cut.write_bytes(b"\x1f\x8b")
    names = [str(gone), str(path), str(cut), str(tmp_path), str(path)]
    done = run("convert", *names, "--to", "ollama", "--keep-going")
    assert done == (
        1,
        f"{MADE_OF.format('x')}\n" * 2,
        f"wireglot: {gone}: No such file or directory\n"
        f"wireglot: {cut}: cli: gzip is malformed: Compressed file ended before the end-of-stream"
        " marker was reached - at `$`\n"
        f"wireglot: {tmp_path}: Is a directory\n"
        "wireglot: 3 of 5 documents could not be converted\n",
    )


def test_keep_going_with_nothing_to_keep_leaves_an_older_file(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    out.write_text("before")
    done = run("convert", "--to", "ollama", "--keep-going", "-o", str(out), stdin="{")
    assert done.code == 1
    assert done.said.endswith("wireglot: 1 of 1 documents could not be converted\n")
    assert out.read_text() == "before"


def test_one_session_in_lines_is_not_what_many_documents_become() -> None:
    done = run("convert", "--to", "native", "--jsonl", stdin=f"{CHAT}\n{CHAT}\n")
    assert (done.code, done.out) == (2, "")
    assert "--jsonl writes one session, and here each line is a document" in done.said


def test_what_is_said_cannot_steer_the_terminal_or_add_lines(tmp_path: Path) -> None:
    path = tmp_path / "x\a\n.json"
    path.write_text('{"model":"m","messages":[{"role":"user","content":"Hi"}],"\\u009bk\\nlost":1}')
    shown = f"{tmp_path}/x␇␊.json"
    assert run("check", "-v", str(path)).out.splitlines() == [
        f"{shown}: openai_chat request, no faults",
        f"{shown}: no field here, kept for its own API: `$.\ufffdk␊lost`",
    ]
    done = run("convert", f"{path}\x85", "--to", "ollama")
    assert done.said == f"wireglot: {shown}\ufffd: No such file or directory\n"


def test_letters_that_the_terminal_does_not_have_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "x\udcff.json"
    path.write_text('{"model":"m","messages":[{"role":"user","content":"Hi"}],"ł":1}')
    command = [sys.executable, "-m", "wireglot", "check", "-v", str(path)]
    env = {**ENV, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode("latin-1").splitlines() == [
        f"{tmp_path}/x\\ufffd.json: openai_chat request, no faults",
        f"{tmp_path}/x\\ufffd.json: no field here, kept for its own API: `$.\\u0142`",
    ]


def _of_a_large_file(tmp_path: Path) -> subprocess.Popen[str]:
    """Return a conversion in several processes that writes already."""
    path = tmp_path / "in.jsonl"
    path.write_text((CHAT.replace("Hello", "word " * 4000) + "\n") * 5000)
    out = str(tmp_path / "out.jsonl")
    options = ["--to", "ollama", "--jobs", "2", "-o", out]
    process = _started("convert", str(path), *options, start_new_session=True)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if any(made.stat().st_size for made in tmp_path.glob(".out.jsonl.*")):
            break
        time.sleep(0.01)
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize(
    ("number", "is_to_all", "code", "said"),
    [
        ("SIGTERM", False, 143, ""),
        ("SIGINT", True, 1, "Aborted!\n"),
        ("SIGHUP", True, 129, ""),
        ("SIGHUP", False, 129, ""),
        ("SIGQUIT", True, 131, ""),
    ],
)
def test_what_is_asked_to_end_leaves_nothing_behind(
    number: str, is_to_all: bool, code: int, said: str, tmp_path: Path
) -> None:
    process = _of_a_large_file(tmp_path)
    (os.killpg if is_to_all else os.kill)(process.pid, getattr(signal, number))
    # Its processes hold the other end of the pipe: without an end of theirs there is none here.
    assert process.communicate(timeout=30)[1].strip() == said.strip()
    assert process.returncode == code
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_hangup_that_is_ignored_ends_nothing() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ended_in_order():
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_ctrl_c_while_the_command_is_read_is_one_line() -> None:
    code = """
import os, signal, sys

class Stopping:
    def find_spec(self, name, *_):
        if name == "wireglot.cli.options":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Stopping())
from wireglot.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], env=ENV, capture_output=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (1, b"Aborted!")


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_page_that_is_asked_to_end_leaves_nothing_behind(tmp_path: Path) -> None:
    ours, theirs = os.pipe()  # in which nothing comes
    process = _started("show", "-", "--html", "-o", str(tmp_path / "page.html"), stdin=ours)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not [*tmp_path.iterdir()]:
        time.sleep(0.01)
    process.terminate()
    said = process.communicate(timeout=30)[1]
    os.close(ours)
    os.close(theirs)
    assert (process.returncode, said, [*tmp_path.iterdir()]) == (143, "", [])


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_is_asked_to_end_in_a_callback_ends_a_second_later() -> None:
    class Odd:
        pass

    odd = Odd()
    # No exception gets out of the callback of a weak reference.
    reference = weakref.ref(odd, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    code: Any = None
    try:
        with ended_in_order():
            del odd
            assert reference() is None
            threading.Event().wait(10)
    except SystemExit as ended:
        code = ended.code
    assert code == 143


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="no list of children")
def test_a_process_that_was_killed_is_said(tmp_path: Path) -> None:
    process = _of_a_large_file(tmp_path)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(int(children[-1]), signal.SIGKILL)  # the first one keeps the books
    assert process.communicate(timeout=30)[1] == (
        f"wireglot: {tmp_path}/in.jsonl: cli: process ended before its work was done, perhaps for"
        " want of memory; pass --jobs 1 - at `$`\n"
    )
    assert process.returncode == 1


@pytest.mark.parametrize("command", ["show", "stats"])
def test_reading_goes_on_behind_a_bad_line_if_asked_to(command: str) -> None:
    lines = f"{CHAT}\n{CHAT}\noops\n{CHAT}\n"
    reason = "openai_chat: JSON is malformed: invalid character (byte 0) - at `line 3: $`"
    done = run(command, stdin=lines)
    assert (done.code, done.said) == (1, f"wireglot: stdin: {reason}\n")
    done = run(command, "--keep-going", stdin=lines)
    left = "wireglot: 1 document or line could not be read\n"
    assert (done.code, done.said) == (1, f"wireglot: stdin: {reason}\n{left}")
    assert {"show": "stdin:4", "stats": "3 documents"}[command] in done.out


def test_a_dash_is_standard_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (("convert", "--to", "native"), ("show",)):
        done = run(*command, "-o", "-", stdin=CHAT)
        assert (done.code, done.said) == (0, "")
        assert "Hello" in done.out
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_not_read_while_it_grows_by_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"{CHAT}\n{CHAT}\n")
    for name in (str(path), "-"):
        with path.open("rb") as given, path.open("ab") as out:
            process = _started("convert", name, "--to", "ollama", stdin=given, stdout=out)
            said = process.communicate()[1]
        shown = "stdin" if name == "-" else name
        assert (process.returncode, said) == (1, f"wireglot: {shown}: it is the output, too\n")
    assert path.read_text() == f"{CHAT}\n{CHAT}\n"


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(f"\ufeff{CHAT}\n{CHAT}\n".encode())
    made = CHAT.replace('"messages', '"stream":false,"messages') + "\n"
    assert run("convert", str(path), "--to", "ollama") == (0, made * 2, "")
    assert run("check", stdin=f"\ufeff{CHAT}").out == "stdin: openai_chat request, no faults\n"
    prices = tmp_path / "prices.toml"
    prices.write_text('\ufeffcurrency = "EUR"\n[models]\n')
    done = run("stats", "--json", str(path), "--prices", str(prices))
    assert '"currency": "EUR"' in done.out


def test_a_bare_list_of_messages_is_a_request() -> None:
    bare = '[{"role":"user","content":"Hi"}]'
    assert run("convert", "--to", "gemini", stdin=bare)[:2] == (
        0,
        '{"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}',
    )
    native = '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]'
    assert run("convert", "--to", "native", stdin=native)[:2] == (0, native)
