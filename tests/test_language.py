"""The language of errors, comments and pages: the rules that a machine can check."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path
    for pattern in ("src/**/*.py", "docs/**/*.md", "examples/**/*.py", "bench/**/*.py", "*.md")
    for path in ROOT.glob(pattern)
    if "_build" not in path.parts
)
COMPARED = "longer|more|less|matter|further|faster|slower|one"
IS_NO = rf"(?<!there )(?<!There )\b(?:is|are|was|were) no (?!{COMPARED})\w"
RULES = {
    "say `is not a`": re.compile(IS_NO),
    "say `must`, `has to` or what happens": re.compile(r"\bshall\b", re.IGNORECASE),
}


@pytest.mark.parametrize("rule", RULES)
def test_no_sentence_has_to_be_read_twice(rule: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if RULES[rule].search(line)
    ]
    assert found == []
