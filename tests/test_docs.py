"""Every block of code in README and docs runs, page by page, as a reader would type it."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import pytest

import wireglot as wg
from bench.table import with_summary
from tests.adapters.postgres import needs_postgres
from tests.queues.servers import needs
from tests.typed_pages import PAGES, ROOT, python

_WITH_CODE = [page for page in PAGES if python(page.read_text())]


def test_there_are_pages_with_code() -> None:
    assert {page.name for page in _WITH_CODE} >= {"README.md", "native.md", "media.md"}


@pytest.mark.parametrize("page", _WITH_CODE, ids=lambda page: page.name)
def test_the_code_of_a_page_runs_as_written(page: Path) -> None:
    exec(compile(python(page.read_text()), page, "exec"), {})


# -- blocks of other languages ---------------------------------------------------------------------

_FENCED = re.compile(r"^```([a-z]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# What no test can run: it installs, it serves, it is another program, or it takes hours.
_NOT_RUN = (
    "ANTHROPIC_BASE_URL=http://127.0.0.1:8000 ANTHROPIC_API_KEY=none claude ",
    "GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:8000 GEMINI_API_KEY=none gemini ",
    "python3 -m venv .venv && ",
    ".venv/bin/pip install ",
    "pip install ",
    "uv ",
    "wireglot serve ",
    "wireglot show --follow ",  # until Ctrl-C
    "opentelemetry-instrument -- wireglot serve ",  # without the dashes it does not start
    "python -m bench",
    "python -m tests.",
)


_needs_java = pytest.mark.skipif(which("java") is None, reason="Java is not here")
# A program -> what it needs, besides the libraries of every environment.
_NEEDS = {
    "postgres_redis.py": [needs_postgres, needs("redis")],
    "work_queue.py": [needs("rabbitmq")],
    "spark_requests.py": [_needs_java],
}


def _blocks(language: str) -> list[object]:
    return [
        pytest.param(block[2], id=f"{page.name}, block {number}")
        for page in PAGES
        for number, block in enumerate(_FENCED.finditer(page.read_text()))
        if block[1] == language
    ]


# What a program says if a library is not installed.
_MISSING = re.compile(r"No module named '([\w.]+)'|needs (\w+): pip install")
# Its programs run where the engines are: `tox -e engines`.
_APART = {"engines.md"} if find_spec("ray") is None else set()


def _consoles() -> Iterator[object]:
    """Yield what is typed on each page, from its first block to its last, and what is printed."""
    for page in PAGES:
        if page.name in _APART:
            continue
        found = _FENCED.finditer(page.read_text())
        if typed := "".join(block[2] for block in found if block[1] == "console"):
            marks = [mark for name, marks in _NEEDS.items() if name in typed for mark in marks]
            yield pytest.param(typed, id=page.relative_to(ROOT).as_posix(), marks=marks)


def test_every_block_is_of_a_language_that_is_looked_at() -> None:
    found = {block[1] for page in PAGES for block in _FENCED.finditer(page.read_text())}
    assert found <= {"python", "console", "json", "toml", "sh", "text"}


@pytest.mark.parametrize("page", [*_consoles()])
def test_a_command_says_what_the_page_says(page: str, tmp_path: Path) -> None:
    """Standard output comes first, and then what was said on standard error."""
    prices = tmp_path / "none.toml"
    prices.write_text("[models]\n")
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, options in (("python", ""), ("wireglot", "-m wireglot")):
        command = commands / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" {options} "$@"\n')
        command.chmod(0o755)
    # A command may write files, so it does not run in the root folder itself.
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "examples").symlink_to(ROOT / "examples")
    env = {
        **os.environ,
        "COLUMNS": "80",
        "PATH": os.pathsep.join([str(commands), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)),
        "WIREGLOT_PRICES": str(prices),
    }
    for typed in re.split(r"^\$ ", page, flags=re.MULTILINE)[1:]:
        line, _, expected = typed.partition("\n")
        done = subprocess.run(
            ["bash", "-c", line], cwd=folder, env=env, capture_output=True, text=True, check=False
        )
        shown = done.stdout if done.stdout.endswith("\n") or not done.stdout else f"{done.stdout}\n"
        if (missing := _MISSING.search(done.stderr)) and missing[0] not in expected:
            raise ModuleNotFoundError(missing[0], name=missing[1] or missing[2])
        assert shown + done.stderr == expected


@pytest.mark.parametrize("block", _blocks("json"))
def test_json_is_json(block: str) -> None:
    json.loads(block)


@pytest.mark.parametrize("block", _blocks("toml"))
def test_toml_is_toml(block: str) -> None:
    tomllib.loads(block)


@pytest.mark.parametrize("block", _blocks("sh"))
def test_a_shell_block_holds_only_what_no_test_can_run(block: str) -> None:
    for line in block.splitlines():
        assert line.startswith(_NOT_RUN), line


_SHOWN = re.compile(r"^```\{literalinclude\} \.\./\.\./(examples/cookbook/\S+)$", re.MULTILINE)
_NOT_ALONE = {"examples/cookbook/gateway.py"}  # a server; `try_gateway.py` uses it


def test_the_cookbook_shows_every_program_once_and_what_it_prints() -> None:
    programs = [path.relative_to(ROOT) for path in ROOT.glob("examples/cookbook/*.py")]
    shown: list[str] = []
    for page in ROOT.glob("docs/cookbook/*.md"):
        text = page.read_text()
        on_page = _SHOWN.findall(text)
        shown += on_page
        for program in {*on_page} - _NOT_ALONE:
            assert f"```console\n$ python {program}" in text
    assert sorted(shown) == sorted(path.as_posix() for path in programs)


def test_the_table_of_the_readme_is_what_was_measured_last() -> None:
    page = (ROOT / "README.md").read_text()
    assert with_summary(page, json.loads((ROOT / "bench" / "results.json").read_text())) == page


def test_the_table_of_the_readme_names_every_provider() -> None:
    rows = re.findall(r"^\| [^|`]+ \| `(\w+)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert rows == [*wg.PROVIDERS]


@pytest.mark.parametrize("marker", ["try", "tests"])
def test_the_commands_for_contributors_are_those_of_the_readme(marker: str) -> None:
    page = (ROOT / "README.md").read_text()
    found = re.search(rf"<!-- {marker} -->\n```sh\n(.*?)\n```", page, re.DOTALL)
    assert found is not None
    assert f"\n{found[1]}\n" in (ROOT / "CONTRIBUTING.md").read_text()
