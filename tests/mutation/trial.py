"""A mutant and the tests that ought to notice -> whether they do, in a process of its own.

The process is a fork of one that has imported pytest and every unchanged module: imports take most
of the time of a run of a few tests. An importer puts the mutant in, so that no file changes.
"""

import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tests.mutation.mutant import Mutant

_CPU_SECONDS = 60
_BYTES = 8 << 30
# Tests that measure time may give another result each time.
_TIMED = "not time_grows and not time_that_grows and not no_square"
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-k", _TIMED)

Stages = Sequence[Sequence[str]]
"""Arguments of pytest: those of the first stage find most mutants, the others the rest."""


class _Importer(importlib.abc.MetaPathFinder, importlib.machinery.SourceFileLoader):
    """Imports one module with other code, and every other module as usual."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        return self._code


def preload(names: Sequence[str]) -> None:
    """Import modules that no mutant changes."""
    for name in (*names, "hypothesis.strategies", "msgspec", "_pytest.assertion.rewrite"):
        importlib.import_module(name)
    gc.freeze()


def survives(mutant: Mutant | None, stages: Stages, *, told: bool = False) -> bool:
    """Run the stages until one fails; with `told`, show the output of pytest."""
    process = os.fork()
    if process:
        _, status = os.waitpid(process, 0)
        return status == 0
    failed = 1
    try:
        failed = _run(mutant, stages, told)
    finally:
        sys.stdout.flush()
        os._exit(failed)


def _run(mutant: Mutant | None, stages: Stages, told: bool) -> int:
    limit()
    if not told:
        without_output()
    if mutant is not None:
        name = module_name(mutant.path)
        assert name not in sys.modules, f"{name} was imported before it could be changed"
        sys.meta_path.insert(0, _Importer(name, str(mutant.path.resolve()), mutant.code))
    return int(any(pytest.main([*OPTIONS, *stage]) != 0 for stage in stages))


def limit() -> None:
    """Limit this process, so that endless loops and exhausted memory end it: noticed too."""
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))


def without_output() -> None:
    """Discard the output of this process."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def module_name(path: Path) -> str:
    """Return the name under which a file below `src` is imported."""
    parts = path.with_suffix("").parts[path.parts.index("src") + 1 :]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
