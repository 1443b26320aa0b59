"""Slices of a target add up in the ledger, and versions are kept."""

import json
import signal
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.fuzz.ledger import Ledger


def test_slices_add_up_and_coverage_is_the_most_seen(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    Ledger(path, "CPython 3.11").add("ravi", 1.52, 100, 20, 30)
    Ledger(path, "CPython 3.12").add("ravi", 2.0, 50, 25, 29)
    Ledger(path, "CPython 3.12").add("json", 1, 1, 1, 1)
    assert json.loads(path.read_text()) == {
        "json": {
            "cpu_seconds": 1,
            "edges": 1,
            "executions": 1,
            "features": 1,
            "versions": ["CPython 3.12"],
        },
        "ravi": {
            "cpu_seconds": 3.5,
            "edges": 25,
            "executions": 150,
            "features": 30,
            "versions": ["CPython 3.11", "CPython 3.12"],
        },
    }
    assert [each.name for each in tmp_path.iterdir()] == ["runs.json"]


def test_a_finding_takes_its_target_back_to_nothing(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "runs.json", "CPython 3.11")
    ledger.drop("ravi")
    ledger.add("ravi", 1, 1, 1, 1)
    ledger.add("json", 2, 2, 2, 2)
    ledger.drop("ravi")
    assert list(json.loads((tmp_path / "runs.json").read_text())) == ["json"]


def test_what_is_left_begins_with_what_ran_the_least(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "runs.json", "CPython 3.11")
    for name, seconds in {"json": 50.5, "ravi": 100, "sse": 120, "lines": 2}.items():
        ledger.add(name, seconds, 1, 1, 1)
    left = ledger.left(["sse", "json", "lines", "ravi", "media"], 100)
    assert list(left.items()) == [("media", 100), ("lines", 98), ("json", 49.5)]


def test_a_process_that_died_is_not_in_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "atheris", ModuleType("atheris"))  # nothing is fuzzed here
    slices = import_module("tests.fuzz.slices")
    monkeypatch.setattr(slices, "start", lambda *_: 4711)
    usage = SimpleNamespace(ru_utime=1.5, ru_stime=0.0)
    monkeypatch.setattr(slices.os, "wait3", lambda _: (4711, signal.SIGKILL, usage))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    path = tmp_path / "runs.json"
    run = slices.Slices(tmp_path / "corpus", tmp_path / "found", Ledger(path, "CPython 3.11"), 60)
    run.run({"json": 60}, 1)
    assert run.failed == {"json"}
    assert not path.exists()
