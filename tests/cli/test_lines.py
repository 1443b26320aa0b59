"""`wireglot convert` over files: patterns, gzip, folders, and a document on each line."""

from __future__ import annotations

import gzip
import json
import os
import stat
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import wireglot as wg
from tests.cli.running import run

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

CHAT = '{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}],"seed":7}'
MADE = (
    '{"model":"claude","max_tokens":8192,'
    '"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}]}\n'
)
BAD = '{"model":"gpt-5","messages":[{"role":"user","content":5}]}'
FAULT = (
    "wireglot: stdin: line 2: openai_chat: expected `str | array`, got `int`"
    " - at `$.messages[0].content`\n"
)
_FAR = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 28})
_WIDE = _FAR.compress(CHAT.encode()) + _FAR.flush()
SEED = "seed: there is no such parameter; left out"
TO = ["convert", "--to", "anthropic", "--model", "claude"]


def test_each_line_is_a_document() -> None:
    other = '{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}'
    done = run(*TO, stdin=f"{CHAT}\n\n{CHAT}\n{other}")
    mixed = "wireglot: stdin: documents of 2 wires: 2 of openai_chat, 1 of gemini\n"
    assert done == (0, MADE * 3, f"{mixed}lost: 2 x {SEED} - first at `line 1: $`\n")


def test_the_first_bad_line_ends_it() -> None:
    said = f"{FAULT}lost: {SEED} - at `line 1: $`\n"  # of what was written before
    assert run(*TO, stdin=f"{CHAT}\n{BAD}\n{CHAT}\n") == (1, MADE, said)


def test_keep_going_leaves_out_what_is_bad() -> None:
    done = run(*TO, "--keep-going", stdin=f"{CHAT}\n{BAD}\n{CHAT}\n")
    said = f"lost: 2 x {SEED} - first at `line 1: $`\n"
    last = "wireglot: 1 of 3 documents could not be converted\n"
    assert done == (1, MADE * 2, FAULT + said + last)


@pytest.mark.parametrize("command", [("show",), ("stats", "--csv")], ids=" ".join)
def test_a_log_without_its_bad_lines_is_read(command: tuple[str, ...]) -> None:
    lines = [f'{{"role":"user","content":[{{"type":"text","text":"{word}"}}]}}' for word in "abc"]
    sound = run(*command, stdin="\n".join([*lines, *lines, *lines]))
    bad = f"{lines[0]}\n{lines[1]}\n{lines[2]}\n" * 3 + '{"role":"user","content":5}\n{"ro'
    assert run(*command, "--keep-going", stdin=bad) == (
        1,
        sound.out,
        "wireglot: stdin: json: expected `array`, got `int` - at `line 10: $.content`\n"
        "wireglot: stdin: json: input data was truncated - at `line 11: $`\n"
        "wireglot: 2 documents or lines could not be read\n",
    )
    assert run(*command, stdin=bad).out == ""


def test_line_ends_inside_a_document_do_not_end_its_line(tmp_path: Path) -> None:
    call = (
        '{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f",'
        '"arguments":{\n  "a": "b\\nc"\r\n}}]}'
    )
    result = '{"role":"toolResult","toolCallId":"c","toolName":"f","content":[]}'
    given = f'[\n{{"role":"user","content":[{{"type":"text","text":"x"}}]}},{call},{result}]'
    path = tmp_path / "x.json"
    path.write_bytes(given.encode())
    done = run("convert", str(path), str(path), "--to", "anthropic", "--model", "m")
    assert done.code == 0
    assert done.out.count("\n") == 2
    assert '"input":{   "a": "b\\nc"  }' in done.out


@pytest.mark.parametrize("option", ["--each-line", "--whole"])
def test_lines_can_be_named(option: str) -> None:
    done = run(*TO, option, stdin=CHAT + "\n" + CHAT)
    if option == "--each-line":
        assert done.out == MADE * 2
    else:
        assert (done.code, done.out) == (1, "")


def test_messages_on_lines_are_one_session() -> None:
    line = '{"role":"user","content":[{"type":"text","text":"Hello"}]}\n'
    done = run(*TO, stdin=line * 2)
    assert done.code == 0
    assert len(json.loads(done.out)["messages"]) == 1  # of one user, who said two things


def test_processes_give_what_one_gives(tmp_path: Path) -> None:
    text = "word " * 200
    lines = [CHAT.replace("Hello", f"{i} {text}") for i in range(3000)]
    lines[1700] = BAD
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(lines))
    made = []
    for jobs in ("1", "3"):
        out = tmp_path / jobs
        done = run(*TO, str(path), "--jobs", jobs, "--keep-going", "-o", str(out))
        assert done.code == 1
        assert f"{path}: line 1701: openai_chat: " in done.said
        assert f"lost: 2,999 x {SEED} - first at `line 1: $`\n" in done.said
        made.append(out.read_bytes())
    assert made[0] == made[1]
    assert made[0].count(b"\n") == 2999
    after = json.loads(made[0].splitlines()[1700])
    assert after["messages"][0]["content"][0]["text"][:5] == "1701 "


@pytest.mark.parametrize("packed", [gzip.compress, zstd.compress], ids=["gzip", "Zstandard"])
def test_a_compressed_file_is_read_as_it_is(
    tmp_path: Path, packed: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "no ending"
    path.write_bytes(packed(f"{CHAT}\n{CHAT}\n".encode()) + packed(f"{CHAT}\n".encode()))
    said = f"lost: 3 x {SEED} - first at `line 1: $`\n"
    assert run(*TO, str(path)) == (0, MADE * 3, said)
    assert run(*TO, stdin=path.read_bytes()) == (0, MADE * 3, said)


@pytest.mark.parametrize("packed", [gzip.compress, zstd.compress], ids=["gzip", "Zstandard"])
@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"model":"' + b"m" * 8_000_000, "line of more than 4,000,000 bytes"),
        (b'{"model":"m",\n' + b" \n" * 4_000_000, "document of more than 4,000,000 bytes"),
    ],
)
def test_a_small_file_that_holds_too_much_is_not_held(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    packed: Callable[[bytes], bytes],
    content: bytes,
    why: str,
) -> None:
    monkeypatch.setattr("wireglot.cli.sources.DEFAULT_LIMITS", wg.Limits(bytes=4_000_000))
    path = tmp_path / "bomb"
    path.write_bytes(packed(content))
    assert path.stat().st_size < 20_000
    tracemalloc.start()
    done = run("check", "--from", "openai_chat", str(path))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (done.code, done.said) == (1, f"wireglot: {path}: cli: {why} - at `$`\n")
    assert most < 20_000_000


def test_a_pattern_gzip_and_standard_input_together(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a.json").write_text(CHAT)
    (tmp_path / "deep" / "b.json").write_text(CHAT)
    (tmp_path / "c.json.gz").write_bytes(gzip.compress(CHAT.encode()))
    pattern = str(tmp_path / "**" / "*.json")
    done = run(*TO, pattern, str(tmp_path / "c.json.gz"), "-", stdin=CHAT)
    first = tmp_path / "a.json"
    assert done == (0, MADE * 4, f"lost: 4 x {SEED} - first at `{first}: $`\n")


def test_a_folder_gets_a_file_for_each(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(CHAT)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(f"{CHAT}\n{CHAT}\n".encode()))
    (tmp_path / "c.sse").write_text(
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    )
    names = [str(tmp_path / name) for name in ("a.json", "b.jsonl.gz", "c.sse")]
    out = tmp_path / "made" / "here"
    done = run("convert", *names, "--to", "ollama", "-o", f"{out}{os.sep}")
    assert (done.code, done.out) == (0, "")
    made = {path.name: path.read_text() for path in out.iterdir()}
    body = (
        '{"model":"gpt-5","stream":false,"options":{"seed":7},'
        '"messages":[{"role":"user","content":"Hello"}]}'
    )
    assert made["a.ollama.json"] == body
    assert made["b.ollama.jsonl"] == f"{body}\n{body}\n"
    assert [json.loads(line)["done"] for line in made["c.ollama.ndjson"].splitlines()] == [
        False,
        True,
    ]
    assert len(made) == 3


def test_streams_of_several_files_do_not_run_together(tmp_path: Path) -> None:
    path = tmp_path / "c.sse"
    path.write_text(
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        '[{"index":0,"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
    )
    done = run("convert", str(path), str(path), "--to", "anthropic")
    assert (done.code, done.out) == (2, "")
    assert "several .sse files, expected a folder behind --output" in done.said


def test_a_failure_leaves_an_older_file_and_no_other(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("before")
    path = tmp_path / "in.jsonl"
    path.write_text(f"{CHAT}\n{BAD}\n")
    assert run(*TO, str(path), "-o", str(out)).code == 1
    assert out.read_text() == "before"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"]


def test_a_file_keeps_its_rights_and_a_new_one_gets_the_usual(tmp_path: Path) -> None:
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.touch()
    old.chmod(0o640)
    before = os.umask(0o027)
    try:
        for path in (old, new):
            assert run(*TO, "-o", str(path), stdin=CHAT).code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert stat.S_IMODE(new.stat().st_mode) == 0o640


def test_the_input_may_be_the_output(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"{CHAT}\n{CHAT}\n")
    assert run(*TO, str(path), "-o", str(path)).code == 0
    assert path.read_text() == MADE * 2


def test_a_device_is_written_as_it_is() -> None:
    assert run(*TO, "-o", os.devnull, stdin=CHAT).code == 0
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (gzip.compress(CHAT.encode(), mtime=0)[:-9], "gzip is malformed"),
        (b"\x1f\x8bnot gzip", "gzip is malformed"),
        (zstd.compress(CHAT.encode())[:-3], "Zstandard is malformed: Compressed file ended before"),
        (zstd.compress(CHAT.encode()) + b"more", "Zstandard is malformed: Unable to decompress"),
        (b"\x28\xb5\x2f\xfdnot Zstandard", "Zstandard is malformed"),
        (_WIDE, "Zstandard is malformed: Unable to decompress Zstandard data: Frame requires too"),
        (b"", "empty input, expected a document of a known wire"),
    ],
)
def test_a_broken_file_is_said(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "x.gz"
    path.write_bytes(data)
    done = run(*TO, str(path))
    assert (done.code, done.out) == (1, "")
    assert done.said.startswith(f"wireglot: {path}: ")
    assert why in done.said


def test_a_pattern_that_nothing_matches_is_said(tmp_path: Path) -> None:
    done = run(*TO, str(tmp_path / "*.json"))
    assert (done.code, done.said) == (1, f"wireglot: {tmp_path}/*.json: no file matches\n")


def test_a_folder_as_input_is_said(tmp_path: Path) -> None:
    done = run(*TO, str(tmp_path))
    assert (done.code, done.said) == (1, f"wireglot: {tmp_path}: Is a directory\n")


def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(f"{CHAT}\n" * 20_000)
    command = [sys.executable, "-m", "wireglot", *TO, str(path), "--jobs", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == MADE.encode()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait()


def _to_nowhere(path: Path) -> list[str]:
    options = ["-o", os.devnull, "--jobs", "1"]
    return [sys.executable, "-m", "wireglot", *TO, str(path), *options]


def _peak(path: Path) -> int:
    """Return the most memory that a conversion took, in kilobytes."""
    process = subprocess.Popen(_to_nowhere(path), stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return usage.ru_maxrss


def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    line = CHAT.replace("Hello", "word " * 2000) + "\n"
    small, large = tmp_path / "small.jsonl", tmp_path / "large.jsonl"
    small.write_text(line * 400)
    large.write_text(line * 6400)
    assert large.stat().st_size > 60_000_000
    assert _peak(large) - _peak(small) < 8_000


def test_a_large_file_shows_how_far_it_is(tmp_path: Path) -> None:
    """Where standard error is a terminal, which here is one end of a pair."""
    import pty

    path = tmp_path / "in[red]\x1b]0;x\x07.jsonl"
    path.write_text((CHAT.replace("Hello", "word " * 2000) + "\n") * 1800)
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        _to_nowhere(path), stderr=theirs, env={**os.environ, "TERM": "xterm"}
    )
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 65536):
            seen += chunk
    except OSError:  # the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    assert b" MB" in seen
    assert "in[red]␛]0;x␇.jsonl".encode() in seen
    assert f"lost: 1,800 x {SEED}".encode() in seen


def test_the_first_line_may_be_the_bad_one() -> None:
    fault = "wireglot: stdin: line 1: openai_chat: JSON is malformed: invalid character (byte 0)"
    done = run(*TO, "--keep-going", stdin=f"oops\n{CHAT}\n{CHAT}\n")
    assert (done.code, done.out) == (1, MADE * 2)
    assert done.said.startswith(f"{fault} - at `$`\n")
    assert run(*TO, stdin=f"oops\n{CHAT}\n{CHAT}\n") == (1, "", f"{fault} - at `$`\n")


def test_one_line_is_lines_too_when_they_are_asked_for() -> None:
    done = run(*TO, "--each-line", stdin=CHAT)
    assert done == (0, MADE, f"lost: {SEED} - at `line 1: $`\n")


def test_messages_on_lines_are_a_document_each_when_they_are_asked_for() -> None:
    line = '{"role":"user","content":[{"type":"text","text":"Hello"}]}\n'
    body = MADE.replace("claude", "m")
    done = run("convert", "--to", "anthropic", "--model", "m", "--each-line", stdin=line * 2)
    assert done == (0, body * 2, "")


def test_an_answer_among_requests_is_no_request() -> None:
    request = '{"model":"gpt-5","input":"Hello"}\n'
    answer = (
        '{"id":"resp_1","object":"response","created_at":1700000000,"status":"completed",'
        '"model":"gpt-5","previous_response_id":null,'
        '"output":[{"type":"message","id":"msg_1","role":"assistant",'
        '"status":"completed","content":[{"type":"output_text","text":"Hi","annotations":[]}]}],'
        '"usage":{"input_tokens":1,"output_tokens":2,"total_tokens":3}}\n'
    )
    done = run("convert", "--to", "ollama", stdin=request * 3 + answer)
    assert done.code == 0
    assert json.loads(done.out.splitlines()[3]) == {
        "model": "gpt-5",
        "created_at": "2023-11-14T22:13:20Z",
        "message": {"role": "assistant", "content": "Hi"},
        "done": True,
        "done_reason": "stop",
        "total_duration": 0,
        "load_duration": 0,
        "prompt_eval_count": 1,
        "prompt_eval_duration": 0,
        "eval_count": 2,
        "eval_duration": 0,
    }


@pytest.mark.parametrize("keys", ["", '"a":1,"b":2,', '"a":1,"b":2,"c":3,'])
def test_keys_of_its_own_make_no_line_another_wires(keys: str) -> None:
    line = f'{{{keys}"model":"gpt-5","messages":[{{"role":"user","content":"Hi"}}]}}\n'
    made = run("convert", "--to", "openai_chat", stdin=line * 2).out
    assert made == line * 2


def test_the_second_of_two_lines_may_be_the_bad_one() -> None:
    fault = "wireglot: stdin: line 2: openai_chat: input data was truncated - at `$`"
    done = run(*TO, "--keep-going", stdin=f"{CHAT}\n{CHAT[:30]}")
    assert (done.code, done.out) == (1, MADE)
    assert done.said.startswith(f"{fault}\n")


def test_how_many_bad_lines_are_not_listed_is_said() -> None:
    done = run(*TO, "--keep-going", stdin=f"{CHAT}\n{CHAT}\n" + "oops\n" * 150)
    assert done.out == MADE * 2
    *faults, lost, last = done.said.splitlines()
    assert len(faults) == 100
    assert lost == f"lost: 2 x {SEED} - first at `line 1: $`"
    assert last == (
        "wireglot: 150 of 152 documents could not be converted; 50 of them are not listed"
    )


@pytest.mark.parametrize("command", ["show", "stats"])
def test_a_session_with_hundreds_of_bad_lines_is_read_without_them(command: str) -> None:
    line = '{"role":"user","content":[{"type":"text","text":"Hi"}]}\n'
    done = run(command, "--keep-going", stdin=line * 3 + "oops\n" * 300 + line)
    assert done.out == run(command, stdin=line * 4).out
    *faults, last = done.said.splitlines()
    assert (len(faults), last) == (300, "wireglot: 300 documents or lines could not be read")
    reason = "json: JSON is malformed: invalid character (byte 0) - at `line 4: $`"
    assert faults[0] == f"wireglot: stdin: {reason}"
