"""Targets and their processor time -> slices of it, a few processes at a time, and the findings.

Each slice continues with the corpus that the slice before it left.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.fuzz.ledger import Ledger
from tests.fuzz.process import start

__all__ = ["Slices"]

_COVERAGE = re.compile(r"cov: (\d+) ft: (\d+)")
_EXECUTIONS = re.compile(r"stat::number_of_executed_units:\s+(\d+)")
_FOUND = re.compile(r"^FINDING (.*)", re.M)
_ARTIFACT = re.compile(r"Test unit written to (.*)")


class _Slice(NamedTuple):
    """A running process."""

    name: str
    left: float
    """The target's time that is left after it."""
    log: Path


class Slices:
    """Runs slices. `found` are the files of inputs that broke a law; `ledger` records the runs.

    `failed` are the targets whose process ended early for another reason than an input.
    """

    def __init__(
        self,
        corpus: Path,
        findings: Path,
        ledger: Ledger | None,
        length: float,
        runs: int | None = None,
    ) -> None:
        self.found: set[Path] = set()
        self.failed: set[str] = set()
        self._corpus = corpus
        self._findings = findings
        self._ledger = ledger
        self._length = length
        self._runs = runs
        self._running: dict[int, _Slice] = {}
        self._is_over = False

    def run(self, times: Mapping[str, float], jobs: int) -> None:
        """Run every target for its time, in turns, or until a signal."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        waiting = deque(times.items())
        while self._running or (waiting and not self._is_over):
            while waiting and not self._is_over and len(self._running) < jobs:
                self._start(*waiting.popleft())
            ended = self._end()
            if ended.left > 0 and ended.name not in self.failed:
                waiting.append((ended.name, ended.left))

    def _stop(self, *_: object) -> None:
        """End the running processes cleanly, and start no more."""
        self._is_over = True
        for pid in self._running:
            os.kill(pid, signal.SIGUSR1)

    def _start(self, name: str, left: float) -> None:
        length = min(left, self._length)
        self._corpus.mkdir(parents=True, exist_ok=True)
        log = self._corpus / f"{name}.log"
        log.unlink(missing_ok=True)
        pid = start(name, length, self._corpus / name, self._findings / name, log, self._runs)
        self._running[pid] = _Slice(name, left - length, log)

    def _end(self) -> _Slice:
        """Wait for a process to end; print and record its results."""
        pid, status, usage = os.wait3(0)
        ended = self._running.pop(pid)
        log = ended.log.read_text(errors="replace") if ended.log.exists() else ""
        found = {Path(each) for each in _FOUND.findall(log)}
        found |= {self._moved(ended.name, Path(each)) for each in _ARTIFACT.findall(log)}
        self.found |= found
        if status and not found and not self._is_over:
            self.failed.add(ended.name)
            print(log[-3000:])
        seconds = usage.ru_utime + usage.ru_stime
        runs = int((_EXECUTIONS.findall(log) or [0])[-1])
        edges, features = map(int, (_COVERAGE.findall(log) or [(0, 0)])[-1])
        print(
            f"{ended.name:24}{seconds:8.1f} s{runs:10,} inputs{runs / (seconds or 1):8.0f}/s"
            f"{edges:8} edges{features:8} features{len(found):4} found",
            flush=True,
        )
        if self._ledger is not None and found:
            self._ledger.drop(ended.name)
        elif self._ledger is not None and ended.name not in self.failed:
            self._ledger.add(ended.name, seconds, runs, edges, features)
        return ended

    def _moved(self, name: str, artifact: Path) -> Path:
        """Keep an input that libFuzzer saved itself: for a crash, a timeout, too much memory."""
        digest = hashlib.sha256(artifact.read_bytes()).hexdigest()
        path = self._findings / name / digest[:12]
        path.parent.mkdir(parents=True, exist_ok=True)
        return Path(shutil.move(artifact, path))
