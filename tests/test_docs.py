"""Every Python block of README and docs runs, page by page, as a reader would type it."""

import json
import re
from pathlib import Path

import pytest

from bench.table import with_summary

_ROOT = Path(__file__).parents[1]
_PAGES = [_ROOT / "README.md", *sorted((_ROOT / "docs").rglob("*.md"))]
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WITH_CODE = [page for page in _PAGES if _BLOCK.search(page.read_text())]


def test_there_are_pages_with_code() -> None:
    assert {page.name for page in _WITH_CODE} >= {"README.md", "native.md", "media.md"}


@pytest.mark.parametrize("page", _WITH_CODE, ids=lambda page: page.name)
def test_the_code_of_a_page_runs_as_written(page: Path) -> None:
    names: dict[str, object] = {}
    for block in _BLOCK.finditer(page.read_text()):
        line = page.read_text()[: block.start(1)].count("\n")
        exec(compile("\n" * line + block[1], page, "exec"), names)


def test_the_table_of_the_readme_is_what_was_measured_last() -> None:
    page = (_ROOT / "README.md").read_text()
    assert with_summary(page, json.loads((_ROOT / "bench" / "results.json").read_text())) == page


@pytest.mark.parametrize("marker", ["try", "tests"])
def test_the_commands_for_contributors_are_those_of_the_readme(marker: str) -> None:
    page = (_ROOT / "README.md").read_text()
    found = re.search(rf"<!-- {marker} -->\n```sh\n(.*?)\n```", page, re.DOTALL)
    assert found is not None
    assert f"\n{found[1]}\n" in (_ROOT / "CONTRIBUTING.md").read_text()
