"""Wires of other distributions in the command: named, completed, found by what a document is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.registered import ECHO, installed

OURS = '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hi"}]}'
STREAM = b'{"id":"a1","model":"m"}\n{"text":"Hi."}\n{"end":"done","asked":3,"said":2}\n'


@pytest.fixture(autouse=True)
def acme(tmp_path: Path) -> Iterator[None]:
    with installed(tmp_path):
        yield


def test_a_registered_provider_is_a_target_and_a_source() -> None:
    done = run("convert", "--to", "echo", stdin=OURS)
    assert (done.code, done.out) == (
        0,
        '{"model":"m","limit":9,"turns":[{"from":"user","text":"Hi"}]}',
    )
    done = run("convert", "--from", "echo:echo", "--to", "openai_chat:generic", stdin=done.out)
    assert (done.code, done.out) == (0, OURS)


def test_a_registered_dialect_is_a_target_and_a_source() -> None:
    done = run("convert", "--to", "openai_chat:acme", stdin=OURS)
    assert (done.code, '"max_tokens":9' in done.out) == (0, True)
    done = run("check", "--from", "openai_chat:acme", stdin=done.out)
    assert (done.code, done.out) == (0, "stdin: openai_chat request, no faults\n")


def test_a_registered_format_is_a_target_and_a_source() -> None:
    done = run("convert", "--to", "acme_notes", stdin=OURS)
    assert (done.code, done.out) == (0, '[{"note":"Hi"}]')
    done = run(
        "convert", "--from", "acme_notes", "--to", "openai_chat", "--model", "m", stdin=done.out
    )
    assert '"content":"Hi"' in done.out
    done = run("convert", "--to", "acme_notes", "--jsonl", stdin=OURS)
    assert (
        done.code,
        ("acme_notes: format without lines, expected one that has them") in done.said,
    ) == (1, True)


def test_a_document_of_a_registered_wire_is_found() -> None:
    said = "stdin: {}, no faults\n"
    assert run("check", stdin=ECHO).out == said.format("echo request")
    assert run("check", stdin='[{"note":"a"}]').out == said.format("acme_notes session")
    assert run("check", stdin=OURS).out == said.format("openai_chat request")


def test_a_stream_of_a_registered_provider_is_read() -> None:
    for source in ([], ["--from", "echo"]):
        done = run("convert", *source, "--to", "anthropic", stdin=STREAM)
        assert (done.code, '"text_delta","text":"Hi."' in done.out) == (0, True)
    assert "Hi." in run("show", "--from", "echo", stdin=STREAM).out


def test_registered_wires_have_schemas() -> None:
    assert run("schema", "--list").out.splitlines()[-1] == "acme_notes: session, message"
    assert '"turns"' in run("schema", "echo").out
    assert '"note"' in run("schema", "acme_notes", "message").out
    assert "unknown wire `x`, expected one of `native`, `anthropic`" in run("schema", "x").said


def test_an_unknown_wire_is_refused_with_the_registered_ones() -> None:
    done = run("convert", "--to", "x", stdin=OURS)
    assert done.code == 2
    assert "`native`, `msgpack`, `echo`, `acme_notes`" in done.said
    assert "unknown dialect of `openai_chat` `x`" in run("check", "--to", "openai_chat:x").said


def test_registered_wires_are_completed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_WIREGLOT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "wireglot convert --to ")
    monkeypatch.setenv("COMP_CWORD", "3")
    assert {"echo", "acme_notes"} <= {*_words(run().out)}
    monkeypatch.setenv("COMP_WORDS", "wireglot schema ec")
    monkeypatch.setenv("COMP_CWORD", "2")
    assert _words(run().out) == ["echo"]


def _words(out: str) -> list[str]:
    return [line.partition(",")[2] for line in out.splitlines()]


def test_a_registration_that_is_broken_is_one_line(tmp_path: Path) -> None:
    broken = {"wireglot.providers": {"broken": "acme_broken"}}
    with installed(tmp_path, broken, "broken-wires"):
        where = "wireglot.providers: entry point `broken = acme_broken` of `broken-wires`"
        line = f"{where}: cannot be loaded: ZeroDivisionError: division by zero - at `$`\n"
        done = run("convert", "--to", "broken", stdin=OURS)
        assert (done.code, done.said) == (1, f"wireglot: stdin: {line}")
        done = run("convert", "--to", "broken:x", stdin=OURS)
        assert (done.code, done.said) == (1, f"wireglot: {line}")
        assert run("check", stdin=OURS).out == "stdin: openai_chat request, no faults\n"


def test_a_registration_with_a_name_of_ours_is_one_line(tmp_path: Path) -> None:
    with installed(tmp_path, {"wireglot.formats": {"mcp": "acme_notes"}}, "other"):
        where = "wireglot.formats: entry point `mcp = acme_notes` of `other`"
        line = f"{where}: `mcp` is wireglot's own, expected another name - at `$`\n"
        done = run("check", stdin=OURS)
        assert (done.code, done.said) == (1, f"wireglot: stdin: {line}")
        done = run("schema", "--list")
        assert (done.code, done.said) == (1, f"wireglot: {line}")
        assert run("check", "--from", "anthropic", stdin=OURS).code == 0
