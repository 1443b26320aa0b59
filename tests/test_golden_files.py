"""`python -m tests.golden`: what it says of a file that differs, and what it writes."""

import shutil
from pathlib import Path

import pytest

from tests.golden.__main__ import GOLDEN, main, written

REQUEST = b'{"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}],"model":"m"}'


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    copy = tmp_path / "golden"
    shutil.copytree(GOLDEN, copy)
    return copy


def test_nothing_differs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out == ""
    assert len([*written(GOLDEN)]) > 100


def test_a_file_that_differs_is_shown_and_stays(
    golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = golden / "providers" / "agent_loop.losses.json"
    old = path.read_bytes().replace(b'"gemini": []', b'"gemini": ["$.a: b"]')
    path.write_bytes(old)
    assert main([], golden) == 1
    assert path.read_bytes() == old
    shown = capsys.readouterr().out.splitlines()
    assert shown[:2] == [
        "--- providers/agent_loop.losses.json",
        "+++ providers/agent_loop.losses.json, as written now",
    ]
    assert [line for line in shown[2:] if line[0] in "+-"] == [
        '- "gemini": [',
        '-  "$.a: b"',
        "- ],",
        '+ "gemini": [],',
    ]


def test_other_bytes_of_the_same_json_are_shown_too(
    golden: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = golden / "native" / "v1" / "block-text.json"
    path.write_bytes(path.read_bytes().replace(b'"role":', b'"role": ', 1))
    assert main([], golden) == 1
    shown = capsys.readouterr().out.splitlines()
    assert [line[:13] for line in shown[3:]] == ['-b\'[{"role": ', '+b\'[{"role":"']


def test_what_differs_and_what_is_missing_is_written(golden: Path) -> None:
    before = {path: path.read_bytes() for path in golden.rglob("*.*")}
    (golden / "providers" / "media.ollama.json").write_bytes(b"{}\n")
    (golden / "providers" / "media.cohere.json").unlink()
    (golden / "native" / "v1" / "pretty-printed.out.json").unlink()
    assert main(["--write"], golden) == 0
    assert {path: path.read_bytes() for path in golden.rglob("*.*")} == before


def test_bytes_that_somebody_has_stored_are_never_written(golden: Path) -> None:
    path = golden / "native" / "v1" / "message-user.msgpack"
    path.write_bytes(b"\x90")
    assert main(["--write"], golden) == 1
    assert path.read_bytes() == b"\x90"


def test_a_new_case_needs_only_its_input(golden: Path) -> None:
    (golden / "providers" / "new.in.json").write_bytes(REQUEST)
    assert main(["--write"], golden) == 0
    made = (golden / "providers" / "new.ollama.json").read_bytes()
    assert made == b'{"model":"m","stream":false,"messages":[{"role":"user","content":"Hi"}]}\n'
    assert (
        (golden / "providers" / "new.losses.json").read_bytes().startswith(b'{\n "anthropic": []')
    )
