"""`tests/agents/results.json` -> the tables of the page "Works with", as a Sphinx extension."""

import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(_ROOT))

from tests.agents.agents import AGENTS  # noqa: E402 - the tests stand beside the package
from tests.agents.cells import CLIENTS, FRAMEWORKS, READERS  # noqa: E402
from tests.agents.script import SCENARIOS  # noqa: E402
from tests.agents.table import WORKS, read  # noqa: E402

_HEADS = {
    "anthropic": "Anthropic",
    "openai_chat": "Chat",
    "openai_responses": "Responses",
    "gemini": "Gemini",
    "bedrock": "Bedrock",
    "mistral": "Mistral",
    "cohere": "Cohere",
    "ollama": "Ollama",
}


def with_tables(page):
    """Return a page with its tables in place of `@@works-with@@` and its like."""
    if "@@works-with" not in page:
        return page
    versions, cells = read()
    page = page.replace("@@works-with:scenarios@@", _scenarios())
    for name, clients, registry in (
        ("clients", CLIENTS, "npm"),
        ("frameworks", FRAMEWORKS, "PyPI"),
        ("agents", AGENTS, "npm"),
    ):
        known = {client: versions[registry][row.package] for client, row in clients.items()}
        table = _table("version", clients, known, cells)
        page = page.replace(f"@@works-with:{name}@@", table)
    like = {reader: row.like for reader, row in READERS.items()}
    return page.replace("@@works-with:readers@@", _table("as in", READERS, like, cells))


def _scenarios():
    rows = "".join(f"| {name} | {what} |\n" for name, what in SCENARIOS.items())
    return f"| scenario | what happens |\n| --- | --- |\n{rows}"


def _table(head, clients, beside, cells):
    """Return a row for each client, and a list of the limits that its cells name by number."""
    limits = {}
    rows = [
        ["", head, *_HEADS.values()],
        ["---"] * (2 + len(_HEADS)),
    ]
    for name, client in clients.items():
        cell = (_cell(cells[name][provider], limits) for provider in _HEADS)
        rows.append([client.title, beside[name], *cell])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    notes = "\n".join(f"{number}. {limit}" for limit, number in limits.items())
    return f"{table}\n\n{notes}" if notes else table


def _cell(outcomes, limits):
    """Return `all`, or the numbers of what the cell's scenarios found a limit in."""
    found = [
        limits.setdefault(f"*{scenario}*: {outcome}.", len(limits) + 1)
        for scenario, outcome in outcomes.items()
        if outcome != WORKS
    ]
    return ", ".join(map(str, found)) or "all"


def _insert(app, docname, source):
    source[0] = with_tables(source[0])


def setup(app):
    """Connect the tables; called by Sphinx."""
    app.connect("source-read", _insert)
    return {"parallel_read_safe": True}
