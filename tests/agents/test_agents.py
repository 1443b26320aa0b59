"""Coding agents in a folder of their own, with eight strict providers behind the gateway."""

from __future__ import annotations

import re

import pytest

from tests.agents.agents import AGENTS, DONE, PAGE, TOTAL, Run
from tests.agents.cells import QUICK
from tests.agents.conftest import AgentRun, Stage
from tests.agents.provider import Cell
from tests.agents.table import WORKS, Table
from tests.agents.wires import WIRES

# In all but the first, agents wait for seconds before they try again.
_SCENARIOS = ["tools", "retry", "overflow", "error", "cut", "abort"]
CELLS = [(agent, provider, what) for agent in AGENTS for provider in WIRES for what in _SCENARIOS]


def _is_quick(agent: str, provider: str, scenario: str) -> bool:
    return scenario == "tools" and (agent != "pi" or provider in QUICK)


def test_each_agent_of_the_page_is_run_or_the_page_says_why_not() -> None:
    _, _, rest = PAGE.partition("\n## Coding agents\n")
    section, _, _ = rest.partition("\n## ")
    titles = re.findall(r"^\[([^]]+)\]\(https:", section, re.MULTILINE)
    others = {*titles} - {agent.title for agent in AGENTS.values()}
    assert others == {"Claude Code"}
    assert "The tests do not run Claude Code: its license is not an open one." in section


_STOPS = "the agent reports the error, and stops"


@pytest.mark.parametrize(
    ("agent", "provider", "scenario"),
    [pytest.param(*cell, marks=[] if _is_quick(*cell) else pytest.mark.slow) for cell in CELLS],
    ids=[f"{agent} to {provider}, {scenario}" for agent, provider, scenario in CELLS],
)
def test_an_agent_works_with_a_provider(
    agent: str, provider: str, scenario: str, stage: Stage, ran: AgentRun, table: Table
) -> None:
    number, run = ran(agent, provider, scenario)
    cell = stage.providers.cells[number]
    assert cell.refused == []
    if scenario == "abort":
        assert cell.left.wait(20), "the provider's request was not cancelled"
        table.add(agent, provider, scenario, WORKS)
    elif scenario == "overflow":
        _check_overflow(agent, provider, cell, run)
        table.add(agent, provider, scenario, WORKS)
    elif scenario != "tools" and run.code:
        assert DONE not in run.said
        table.add(agent, provider, scenario, _STOPS)
    else:
        assert cell.attempts == 3 if scenario == "tools" else cell.attempts > 3
        _check_work(run)
        table.add(agent, provider, scenario, WORKS)


def _check_work(run: Run) -> None:
    assert (run.code, run.written) == (0, TOTAL), run
    assert DONE in run.said


def _check_overflow(agent: str, provider: str, cell: Cell, run: Run) -> None:
    """An agent has words of its own for this, shows the provider's, or shortens what it sends."""
    if agent == "pi":
        assert cell.attempts == 2
        assert "compacted into the following summary" in cell.requests[1].items[0].text
        return
    assert run.code
    own = "Codex ran out of room in the model's context window"
    assert own in run.log or WIRES[provider].OVERFLOW in run.log, run
