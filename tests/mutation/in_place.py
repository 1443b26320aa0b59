"""Mutants of a module's constants and the tests -> those mutants that no test notices.

The tests are collected once. Each mutant gets a fork of that process, in which its constant is
replaced wherever a module holds it; the test that noticed the mutant before runs first. Values that
were made of the constant at import stay as they were. Such constants are for `trial.survives`; if
another module makes a value of one at import, the answer may be wrong, either way.
"""

import os
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from tests.mutation.mutant import Mutant
from tests.mutation.trial import OPTIONS, Stages, limit, module_name, without_output


def survivors(mutants: Sequence[Mutant], stages: Stages) -> list[Mutant]:
    """Return the mutants that no test of any stage notices."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.close(reading)
        without_output()
        tests = [test for stage in stages for test in stage]
        try:
            pytest.main([*OPTIONS, "--capture=sys", *tests], plugins=[_Loop(mutants, writing)])
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as results:
        noticed = results.read()
    os.waitpid(process, 0)
    if len(noticed) != len(mutants) + 1:
        sys.exit(f"{stages}: these tests fail before anything is changed")
    return [mutant for mutant, mark in zip(mutants, noticed[1:], strict=True) if mark == ord("0")]


class _Loop:
    """A test loop that runs the tests once for each mutant."""

    def __init__(self, mutants: Sequence[Mutant], results: int) -> None:
        self._mutants = mutants
        self._results = results

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = [item for item in session.items if not _is_law(item)]
        if session.testsfailed or self._noticed(session, items, None) is not None:
            return True
        os.write(self._results, b"0")  # all tests pass without a mutant
        for mutant in self._mutants:
            found = self._noticed(session, items, mutant)
            os.write(self._results, b"0" if found is None else b"1")
            if found is not None:
                function = items[found].nodeid.partition("[")[0]
                items.sort(key=lambda item: item.nodeid.partition("[")[0] != function)
        return True

    def _noticed(
        self, session: pytest.Session, items: list[pytest.Item], mutant: Mutant | None
    ) -> int | None:
        """Return the index of the first test that fails, None if all pass."""
        reading, writing = os.pipe()
        process = os.fork()
        if process:
            os.close(writing)
            with os.fdopen(reading, "rb") as told:
                answer = told.read()
            os.waitpid(process, 0)
            # No answer: the process ended early, so the mutant was noticed.
            return None if answer == b"-" else int(answer or b"0")
        answer = b"0"
        try:
            limit()
            if mutant is not None:
                _exchange(mutant)
            answer = _first_failure(session, items)
        finally:
            os.write(writing, answer)
            os._exit(0)


def _is_law(item: pytest.Item) -> bool:
    """Whether the test draws its input: a table deserves a test that states its entries."""
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))


def _first_failure(session: pytest.Session, items: list[pytest.Item]) -> bytes:
    for i, item in enumerate(items):
        following = items[i + 1] if i + 1 < len(items) else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return b"%d" % i
    return b"-"


def _exchange(mutant: Mutant) -> None:
    """Replace the old value by the new one: in place, or under every name that holds it."""
    assert mutant.name is not None
    assert mutant.value is not None
    space = vars(sys.modules[module_name(mutant.path)])
    old: Any = space[mutant.name]
    new: Any = eval(mutant.value, space)
    if type(old) is dict:
        old.clear()
        old.update(new)
        return
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "wireglot":
            for key, value in list(vars(module).items()):
                if value is old:
                    setattr(module, key, new)
