"""Small Parquet files with much in them: they are refused in little memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from tests.cli.bombs import CHAT, nulls, written
from tests.cli.running import run
from wireglot.cli.rows import Rows
from wireglot.limits import Limits

CLAUDE = (
    '{"model":"m","max_tokens":8192,"messages":'
    '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}\n'
)
_MEASURED = """
import sys
from wireglot.cli import main
try:
    main()
finally:
    with open("/proc/self/status") as status:
        print(*(line.split()[1] for line in status if line.startswith("VmHWM")), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("name", "reason", "most"),
    [
        ("one value", "cli: row of more than 268,435,456 bytes", 200),
        ("nulls", "cli: row of more than 4,000,000 values", 200),
        ("one value of five", "row 4: arrow: document of more than 268,435,456 bytes", 1300),
        (
            "the same texts",
            "cli: rows that take more than 1,610,612,736 bytes of memory, expected smaller ones",
            1700,
        ),
        (
            "texts that begin alike",
            "cli: rows that take more than 1,610,612,736 bytes of memory, expected smaller ones",
            1700,
        ),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what memory is taken")
@pytest.mark.slow
def test_a_file_is_refused_in_little_memory(
    name: str, reason: str, most: int, tmp_path: Path
) -> None:
    path = tmp_path / "x.parquet"
    subprocess.run([sys.executable, "-m", "tests.cli.bombs", name, str(path)], check=True)
    assert path.stat().st_size < 20_000
    command = [sys.executable, "-c", _MEASURED, "convert", str(path), "--to", "anthropic"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said, kilobytes = done.stderr.splitlines()
    assert (done.returncode, said) == (1, f"wireglot: {path}: {reason} - at `$`")
    assert int(kilobytes) < most * 1000


def test_a_row_that_is_too_large_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireglot.arrow.columns.DEFAULT_LIMITS", Limits(bytes=1000))
    path = tmp_path / "x.parquet"
    written(pa.array([CHAT, CHAT.replace("Hi", "a" * 1000), CHAT]), str(path))
    done = run("convert", str(path), "--to", "anthropic", "--keep-going")
    reason = "row 2: arrow: document of more than 1,000 bytes - at `$`"
    assert (done.code, done.out) == (1, CLAUDE * 2)
    assert done.said.splitlines()[0] == f"wireglot: {path}: {reason}"


def test_rows_may_have_more_values_together_than_one_may_have(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    written(nulls(*[3000] * 1500), str(path))
    with path.open("rb") as stored:
        assert sum(batch.num_rows for batch in Rows(stored, None).batches()) == 1500


@pytest.mark.parametrize("count", [4_000_001, 3])
def test_the_bound_of_memory_is_lifted_again(count: int, tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    path = tmp_path / "x.parquet"
    written(nulls(count), str(path))
    assert run("check", str(path)).code == 1
    assert resource.getrlimit(resource.RLIMIT_AS) == before
