"""Mark slow tests; skip those of what is not installed, or fail if WIREGLOT_REQUIRE_ALL=1."""

import gc
import os
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import settings

# Machines are slow at times, and a deadline would only report that. In CI, where a run judges a
# change, the examples are the same each time; elsewhere each run looks for new ones.
settings.register_profile("patient", settings(deadline=None, derandomize="CI" in os.environ))
settings.load_profile("patient")

_HERE = Path(__file__).parent
# Recorded traffic, official clients, laws, leaks and crashes: only one interpreter runs them, and
# the run that counts branches does not, as that would double their time.
_SLOW = (
    "clients/",
    "corpus/",
    "formats/test_laws.py",
    "formats/test_to_providers.py",
    "framing/test_laws.py",
    "fuzz/",
    "gateway/test_recorded.py",
    "providers/openai_chat/test_laws.py",
    "providers/openai_responses/test_laws.py",
    "providers/test_hostile_streams.py",
    "providers/test_laws.py",
    "queues/test_crashes.py",
    "schema/test_documents.py",
    "surface/",
    "test_leaks.py",
    "test_proportion.py",
)
# Only one interpreter runs these too: a second one would show nothing new.
_ONCE = (
    "adapters/test_databases.py",
    "adapters/test_examples.py",
    "adapters/test_notebook.py",
    "arrow/",
    "canaries/",
    "cli/test_batches.py",
    "cli/test_check.py",
    "cli/test_detection.py",
    "cli/test_markdown.py",
    "cli/test_parquet.py",
    "cli/test_show.py",
    "cli/test_stats.py",
    "cli/test_urls.py",
    "formats/",
    "gateway/",
    "judged/",
    "providers/",
    "queues/test_examples.py",
    "queues/test_task_queues.py",
    "refusals/",
    "test_docs.py",
    "trackers/",
    "wants/",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        path = item.path.relative_to(_HERE).as_posix()
        if path.startswith(_SLOW):
            item.add_marker("slow")
        if path.startswith(_ONCE):
            item.add_marker("once")


def pytest_collection_finish() -> None:
    # A million objects of modules and parameters are there to stay: no collection has to see them.
    gc.freeze()


# Its clients come from npm: only who names the folder, as `tox -e agents` does, runs it.
collect_ignore = ["agents"]
# It needs the type checkers, which are not in the environments of the interpreters.
if find_spec("mypy") is None:
    collect_ignore.append("test_typed_pages.py")
# The engines are in an environment of their own, `tox -e engines`.
if find_spec("ray") is None:
    collect_ignore.append("arrow/test_engines.py")

_Report = TypeVar("_Report", pytest.TestReport, pytest.CollectReport)
_Raised = pytest.ExceptionInfo[BaseException] | None

_REQUIRE_ALL = os.environ.get("WIREGLOT_REQUIRE_ALL") == "1"
# The environments of tox have every library: there, one that is missing is an error.
_MAY_MISS = not _REQUIRE_ALL and "TOX_ENV_NAME" not in os.environ


# First, hence outermost: pytest's own wrapper has then already told skips and expected failures
# apart.
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _judged((yield), item, call.excinfo)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    return _judged(report, collector, report.call.excinfo)


def _judged(report: _Report, node: pytest.Item | pytest.Collector, raised: _Raised) -> _Report:
    if _REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        path, line, reason = report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason}, and WIREGLOT_REQUIRE_ALL=1 allows no skip - at {path}:{line}"
    elif _MAY_MISS and raised and report.failed and (name := _missing(raised.value)):
        report.outcome = "skipped"
        reason = f"{name} is not installed: pip install --group dev --editable '.[all]'"
        report.longrepr = (str(node.path), None, reason)
    return report


def _missing(error: BaseException | None) -> str | None:
    """Return the name of the library that was not found, if that is what `error` comes of."""
    while error and not isinstance(error, ModuleNotFoundError):
        error = error.__cause__
    name = error.name if error else None
    ours = ("bench", "examples", "tests", "wireglot")
    return name if name and name.partition(".")[0] not in ours else None
