"""A fault in the Python of a page is found, by both type checkers, under its page and line."""

from pathlib import Path

from tests.typed_pages import errors

_PAGE = """\
# A page

```python
count: int = 1
```

Some text, and then

```python
count = {}
```
"""


def test_a_fault_is_reported_under_the_page_and_its_line(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(_PAGE.format('"one"'))
    found = "\n".join(errors([page]))
    assert f"{page}:10: error: Incompatible types in assignment" in found
    assert f"{page}:10:9 - error: " in found


def test_a_page_without_a_fault_gives_no_error(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(_PAGE.format("2"))
    assert errors([page]) == []
