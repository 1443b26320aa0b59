"""Names that somebody else chose, in archives and folders: they open nothing, and stay inside."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.cli.opening import CHAT, tarred, zipped
from tests.cli.running import run

ROOT = Path(__file__).parents[2]
CLAUDE = (
    '{"model":"m","max_tokens":8192,"messages":'
    '[{"role":"user","content":[{"type":"text","text":"inside"}]}]}'
)
_PARTS = (
    *("a", "b.json", "secret.json", "local.zip", "/", "..", "::", "::", "://", "*", "[", "?", "#"),
    *("file", "zip", "tar", "ftp", "http", "simplecache", "memory", "data:,x", "reference"),
    *("127.0.0.1:9", "\\", "C:", "~", "%2e", "\x1b", "é", "-", " ", "&", "$HOME", "`id`"),
)
_CHOSEN = (
    *("a::local.zip", "a::zip://a::local.zip", "a::file://secret.json", "::secret.json"),
    *("d/a::ftp://127.0.0.1:9/x.json", "a::ftp://127.0.0.1:9/x.json", "zip::secret.json"),
    *(
        "simplecache::file://secret.json",
        "file://secret.json",
        "zip://a.json",
        "a::http://127.0.0.1:9",
    ),
    *("../secret.json", "/secret.json", "..\\secret.json", "a::simplecache::zip://a::local.zip"),
    *("d::memory://x", "*", "**", "[a].json", "?", "-", "~/secret.json", "reference::secret.json"),
)
_RUNS = [
    [command, *options, pattern]
    for command, *options in (
        ("check",),
        ("show", "--keep-going"),
        ("convert", "--to", "anthropic", "--keep-going"),
        ("stats", "--keep-going"),
    )
    for pattern in ("zip://**/*::e.zip", "tar://**/*::e.tar")
] + [
    ["check", pattern]
    for pattern in (
        *("zip://*::e.zip", "zip://*a*::e.zip", "zip://**/*::zip://e.zip::all.zip"),
        *("simplecache::zip://**/*::e.zip", "simplecache::tar://**/*::e.tar"),
        *("zip://*::zip://**/*::nested.zip", "zip://a::zip://**/*.zip::nested.zip"),
        *("zip://*::tar://**/*::tarred.tar", "zip://a::simplecache::zip://**/*::nested.zip"),
    )
]


def _names() -> list[str]:
    choose = random.Random(11)
    made = {"".join(choose.choices(_PARTS, k=choose.randint(1, 7))) for _ in range(150)}
    return [*_CHOSEN, *sorted(made - {*_CHOSEN})]


@pytest.fixture(scope="module")
def runs() -> list[Any]:
    given = json.dumps({"names": _names(), "runs": _RUNS})
    command = [sys.executable, "-m", "tests.cli.opening"]
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, cwd=ROOT, check=True
    )
    results: list[Any] = json.loads(done.stdout)
    return results


@pytest.mark.parametrize("number", range(len(_RUNS)), ids=[" ".join(given) for given in _RUNS])
def test_whatever_the_names_in_an_archive_are_only_the_archive_is_read(
    runs: list[Any], number: int
) -> None:
    done = runs[number]
    assert done["opened"] == []
    assert "SECRET" not in done["out"]
    assert "no file matches" not in done["said"]


def test_the_content_of_an_archive_is_read_whatever_its_names_are(tmp_path: Path) -> None:
    members = dict.fromkeys(("ok.json", "a::b.json", "a::ftp://h/x.json"), CHAT % "inside")
    (tmp_path / "e.zip").write_bytes(zipped(members))
    given = f"zip://**/*.json::{tmp_path}/e.zip"
    assert run("convert", given, "--to", "anthropic") == (0, f"{CLAUDE}\n" * 3, "")


def test_a_file_with_the_name_of_standard_input_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "-").write_text(CHAT % "inside")
    assert run("convert", "*", "--to", "anthropic", stdin="oops") == (0, CLAUDE, "")


def test_a_file_with_the_name_of_a_url_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "memory:").mkdir()
    (tmp_path / "memory:" / "x.json").write_text(CHAT % "inside")
    assert run("convert", "m*//*.json", "--to", "anthropic") == (0, CLAUDE, "")


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("../x.json", "x.anthropic.json"),
        ("d/../../x.json", "x.anthropic.json"),
        ("..", "...anthropic.json"),
        ("..\\x.json", "x.anthropic.json"),
        ("C:x.json", "x.anthropic.json"),
        ("\\\\host\\share\\x.json", "x.anthropic.json"),
        ("a::ftp://h/x.json", "x.anthropic.json"),
        ("é\0x.json", "é␀x.anthropic.json"),
        ("\x1b[2J\nx.json", "␛[2J␊x.anthropic.json"),
        ("x\u202e.json", "x\ufffd.anthropic.json"),
        ("x\udcff.json", "x\ufffd.anthropic.json"),
        ("10:00.json", "10:00.anthropic.json"),
    ],
)
def test_what_is_written_for_a_member_is_inside_the_folder(
    name: str, made: str, tmp_path: Path
) -> None:
    (tmp_path / "e.tar").write_bytes(tarred({name: CHAT % "inside"}))
    (tmp_path / "in").mkdir()
    given = f"tar://**/*::{tmp_path}/e.tar"
    done = run("convert", given, "--to", "anthropic", "-o", f"{tmp_path}/in/out/")
    assert done == (0, "", "")
    found = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(found) == ["e.tar", f"in/out/{made}"]


@pytest.mark.parametrize("name", ["/x.json", "//x.json", "/etc/../x.json"])
def test_what_is_written_for_a_member_with_an_absolute_name_is_inside_the_folder(
    name: str, tmp_path: Path
) -> None:
    """File systems of archives do not find all of them."""
    (tmp_path / "e.zip").write_bytes(zipped({name: CHAT % "inside", "y.json": CHAT % "inside"}))
    given = f"zip://**/*.json::{tmp_path}/e.zip"
    run("convert", given, "--to", "anthropic", "--keep-going", "-o", f"{tmp_path}/in/")
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert found - {"in/x.anthropic.json"} == {"e.zip", "in/y.anthropic.json"}


def test_names_that_are_not_utf_8_are_shown(tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"x\xff.json")
    try:
        Path(os.fsdecode(path)).write_text(CHAT % "inside")
    except OSError:
        pytest.skip("this file system has no such names")
    given = f"{tmp_path}/*.json"
    out = tmp_path / "out.parquet"
    assert run("convert", given, "--to", "anthropic", "-o", str(out)).code == 0
    assert pq.read_table(out)["source"].to_pylist() == [f"{tmp_path}/x\ufffd.json"]
    assert run("show", "--html", given, "-o", str(tmp_path / "out.html")).code == 0
    assert "x\ufffd.json" in (tmp_path / "out.html").read_text()


@pytest.mark.parametrize("link", ["reference", "dir", "memory"])
def test_what_a_pattern_found_is_opened_as_an_archive_or_a_cache_alone(
    link: str, tmp_path: Path
) -> None:
    """The files of `reference` say what is opened."""
    (tmp_path / "secret.json").write_text(CHAT % "SECRET")
    references = {"version": 1, "refs": {"x.json": [f"file://{tmp_path}/secret.json"]}}
    (tmp_path / "r1.json").write_text(json.dumps(references))
    done = run("check", f"{link}://x.json::file://{tmp_path}/r*.json")
    assert done.code == 1
    assert "expected an archive or a cache" in done.said
