"""Every documented feature of the four systems, and the call that does it, run as its page says.

A page's section has a table, `| feature | call |`, after a block of Python with the values that the
calls use. A call is an expression that must be true, or a statement. What this library does not do
has no call, and a third column that says why not.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.typed_pages import python

_PAGES = Path(__file__).parents[2] / "docs" / "formats"
_NAMES = {"operator_use": "ou", "phi_core": "phi", "pyagenity": "pa", "ravi": "ravi"}
"""Each system, and the name of its module in the calls."""
_SECTION = re.compile(r"^## \S+'s features in wireglot\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| (?!feature \||---)(.*) \|$", re.MULTILINE)
_CELLS = re.compile(r"(?<!\\)\|")


def _section(system: str) -> str:
    found = _SECTION.search((_PAGES / f"{system}.md").read_text())
    return found[1] if found is not None else ""


def _rows(system: str) -> Iterator[tuple[str, str, str]]:
    """Yield the feature, the call without its backticks, and the reason why there is none."""
    for row in _ROW.finditer(_section(system)):
        feature, call, *why = [cell.strip().replace("\\|", "|") for cell in _CELLS.split(row[1])]
        yield feature, call.strip("`"), "".join(why)


_CALLS = [
    pytest.param(system, call, id=f"{system}: {feature}")
    for system in _NAMES
    for feature, call, _ in _rows(system)
    if call
]
_WITHOUT = [
    pytest.param(why, id=f"{system}: {feature}")
    for system in _NAMES
    for feature, call, why in _rows(system)
    if not call
]


@pytest.mark.parametrize("system", _NAMES)
def test_every_system_has_its_features(system: str) -> None:
    assert len([*_rows(system)]) >= 10


@pytest.mark.parametrize(("system", "call"), _CALLS)
def test_a_call_does_what_the_page_says(system: str, call: str) -> None:
    module = import_module(f"wireglot.formats.{system}")
    names: dict[str, Any] = {"wg": wg, _NAMES[system]: module}
    exec(python(_section(system)), names)
    try:
        code = compile(call, "the call", "eval")
    except SyntaxError:
        exec(call, names)
    else:
        assert eval(code, names), call


@pytest.mark.parametrize("why", _WITHOUT)
def test_a_feature_without_a_call_says_why_not(why: str) -> None:
    assert why
