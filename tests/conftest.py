"""Turn skips into failures where WIREGLOT_REQUIRE_ALL=1 says so; be patient with machines."""

import os
from collections.abc import Generator
from typing import TypeVar

import pytest
from hypothesis import settings

# Machines are slow at times, and a deadline would only say so. Where every run is to judge a change
# (CI), the examples are the same each time; elsewhere they go on looking for new ones.
settings.register_profile("patient", settings(deadline=None, derandomize="CI" in os.environ))
settings.load_profile("patient")

_Report = TypeVar("_Report", pytest.TestReport, pytest.CollectReport)

_REQUIRE_ALL = os.environ.get("WIREGLOT_REQUIRE_ALL") == "1"


# First, hence outermost: pytest's own wrapper has by then told a skip from an expected failure.
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return _refuse_skip((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _refuse_skip((yield))


def _refuse_skip(report: _Report) -> _Report:
    if _REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        path, line, reason = report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason}, and WIREGLOT_REQUIRE_ALL=1 allows no skip - at {path}:{line}"
    return report
