"""Two documents that differ -> bytes or losses that differ, on every stored format."""

import json
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.changes import swallowed

GOLDEN = Path(__file__).parents[1] / "golden"


def _documents(folder: str) -> list[Any]:
    """Return the golden documents of a format; lines become a list."""
    found = []
    for path in sorted((GOLDEN / folder).glob("*.json*")):
        lines = path.read_bytes().splitlines() if path.suffix == ".jsonl" else [path.read_bytes()]
        found.append([json.loads(line) for line in lines])
    return found


def _written(name: str, documents: list[Any]) -> tuple[bytes, list[wg.Loss]]:
    losses: list[wg.Loss] = []
    data = b"".join(json.dumps(document).encode() + b"\n" for document in documents)
    form: Any = wg.FORMATS[name]
    return form.encode(form.decode(data, losses=losses), losses=losses), losses


@pytest.mark.parametrize("name", list(wg.FORMATS))
def test_what_differs_is_written_otherwise_or_lost_or_refused(name: str) -> None:
    tried = [
        result
        for documents in _documents(name)
        if not _written(name, documents)[1]  # of what is lost, no value is told
        for result in swallowed(documents, lambda changed: _written(name, changed))
    ]
    assert len({path for path, _ in tried}) > 9
    assert {path for path, is_same in tried if is_same} == set()
