"""`python -m tests.typed_pages`: mypy and pyright on the Python of every page, and on `examples`.

A page is one module, as tests/test_docs.py runs it. An error is printed under the name and the line
of its page, and any error is an exit code of 1.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

__all__ = ["PAGES", "ROOT", "errors", "python"]

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
_CHECKERS = (
    ["mypy", "--strict", "--no-error-summary"],
    ["pyright", "--pythonpath", sys.executable],
)
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def python(text: str) -> str:
    """Join the blocks of Python of a page. Each line has the number that it has on the page."""
    code = ""
    for block in _BLOCK.finditer(text):
        above = text.count("\n", 0, block.start(1))
        code += "\n" * (above - code.count("\n")) + block[1]
    return code


def errors(pages: Iterable[Path], *others: Path) -> list[str]:
    """Say what mypy and pyright find in the pages, and in other files and folders."""
    with tempfile.TemporaryDirectory() as folder:
        names: dict[str, str] = {}
        files = [*map(str, others)]
        for page in pages:
            if code := python(page.read_text()):
                shown = str(page.relative_to(ROOT) if page.is_relative_to(ROOT) else page)
                module = re.sub(r"\W", "_", shown)
                names[module] = shown
                file = Path(folder, f"{module}.py")
                file.write_text(code)
                files.append(str(file))
        lines = [line for command in _CHECKERS for line in _output([*command, *files])]
    # mypy says again what it found in a file of an earlier run's folder, if the code is the same.
    written = re.compile(rf"[^ ]*/({'|'.join(names)})\.py")
    return [written.sub(lambda found: names[found[1]], line) for line in lines]


def _output(command: list[str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return [*done.stdout.splitlines(), *done.stderr.splitlines()] if done.returncode else []


if __name__ == "__main__":
    sys.exit("\n".join(errors(PAGES, Path("examples"))) or None)
