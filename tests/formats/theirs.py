"""`python -m tests.formats.theirs PATH`: a system's own tests, with our types in place of its own.

PATH is the unpacked source of 10xscale-agentflow, pyagenity (an sdist of PyPI) or Jeomon/Tau (a
checkout). Its tests are run twice, in an interpreter that has what they import: as they are, and
with the modules of the messages replaced. Printed are the tests that pass as they are, and do not
with our types. The status is 0 if there are none but those that are not meant to pass.
"""

from __future__ import annotations

import multiprocessing
import sys
import types
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

__all__ = ["SYSTEMS", "System", "main", "outcomes"]


class System(NamedTuple):
    """Which modules are replaced, which files of tests are about them, and what is not meant."""

    ours: str
    modules: tuple[str, ...]
    files: tuple[str, ...]
    not_meant: Mapping[str, str] = MappingProxyType({})
    """Part of a test's name -> why it is not meant to pass."""
    first: str = ""
    """The module to import first, where the others import each other."""


_STORE: Final = "`with_image` and `with_file` put media into a store of the system"
_TEXT: Final = "media are held as `Media`, and are text in JSON"
SYSTEMS: Final = {
    "agentflow": System(
        "pyagenity",
        (
            "agentflow.core.state.message",
            "agentflow.core.state.message_block",
            "agentflow.core.state.stream_chunks",
            "agentflow.runtime.publisher.events",
        ),
        ("tests",),
        {
            "TestMessageWithImage": _STORE,
            "TestMessageWithFile": _STORE,
            "test_full_pipeline_keeps_state_small": _STORE,
            "test_from_file_not_found": "a missing file is an `EncodeError`, caused by the other",
        },
    ),
    "pyagenity": System(
        "pyagenity",
        (
            "pyagenity.state.message",
            "pyagenity.state.message_block",
            "pyagenity.state.stream_chunks",
            "pyagenity.publisher.events",
        ),
        ("tests",),
        first="pyagenity.graph",
    ),
    "tau": System(
        "operator_use",
        ("tau.message.types",),
        ("tests/test_message_types.py", "tests/test_message_utils.py"),
        {
            "test_bytes_normalized_to_base64": _TEXT,
            "normalizes_raw_bytes_to_base64_str": _TEXT,
            "AudioContentMethods": "`audio` is the list's name in Operator-Use, `audios` in Tau",
            "TestMediaContentSessionPersistenceRoundTrip": _TEXT,
            "test_docx_mime_detected": "a type is detected from the first bytes alone",
            "Message::test_defaults": "Operator-Use requires what Tau has defaults for",
            "MessageDirect::test_defaults": "Operator-Use requires what Tau has defaults for",
        },
    ),
}


def outcomes(path: str, name: str, is_ours: bool) -> dict[str, str]:
    """Run a system's tests in this process; return the outcome of each, by its name."""
    import pytest

    sys.path.insert(0, path)
    system = SYSTEMS[name]
    if is_ours:
        for module in system.modules:
            _replace(module, import_module(f"wireglot.formats.{system.ours}"))
    if system.first:
        import_module(system.first)
    found: dict[str, str] = {}

    class Plugin:
        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.when == "call" or report.outcome != "passed":
                found[report.nodeid] = report.outcome

        def pytest_collectreport(self, report: Any) -> None:
            if report.outcome != "passed":
                found[f"{report.nodeid} (collection)"] = report.outcome

    options = ["-qq", "--tb=short", "-c", "/dev/null", "--rootdir", path, "--import-mode=importlib"]
    options += ["--continue-on-collection-errors"]
    options += ["-p", "no:cacheprovider", "-p", "no:randomly", "-o", "asyncio_mode=auto"]
    files = [str(Path(path, file)) for file in system.files]
    pytest.main([*options, *files], plugins=[Plugin()])
    return found


class _Shim(types.ModuleType):
    """A module that has our names, and for any other the original's."""

    def __init__(self, name: str, ours: Any) -> None:
        super().__init__(name)
        self._ours = ours

    def __getattr__(self, name: str) -> Any:
        try:
            return getattr(self._ours, name)
        except AttributeError:
            raise AttributeError(f"{self.__name__} of ours has no {name}") from None


def _replace(name: str, ours: Any) -> None:
    sys.modules[name] = _Shim(name, ours)


def main(path: str) -> int:
    """Run both, print what differs, and return the status."""
    name = next(name for name in SYSTEMS if Path(path, name).is_dir())
    spawned = multiprocessing.get_context("spawn")
    results = []
    for is_ours in (False, True):
        with ProcessPoolExecutor(1, mp_context=spawned) as pool:
            results.append(pool.submit(outcomes, path, name, is_ours).result())
    theirs, ours = results
    passing = [test for test, outcome in theirs.items() if outcome == "passed"]
    missed = {test: ours.get(test, "not run") for test in passing if ours.get(test) != "passed"}
    meant = SYSTEMS[name].not_meant
    status = 0
    for test, outcome in missed.items():
        why = next((why for part, why in meant.items() if part in test), None)
        status |= why is None
        print(f"{outcome}: {test}" + ("" if why is None else f": not meant, {why}"))
    print(f"{name}: {len(passing) - len(missed)} of {len(passing)} pass with our types")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
