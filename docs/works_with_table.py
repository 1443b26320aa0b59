"""`tests/agents/results.json` -> the tables of the page "Works with", as a Sphinx extension."""

import sys
from pathlib import Path

_ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(_ROOT))

from tests.agents.agents import AGENTS  # noqa: E402 - the tests stand beside the package
from tests.agents.cells import CLIENTS, FRAMEWORKS, READERS  # noqa: E402
from tests.agents.script import SCENARIOS  # noqa: E402
from tests.agents.table import WORKS, read  # noqa: E402
from tests.api_names import API_NAMES  # noqa: E402

# What is no fault of wireglot's -> whose limit it is. A limit that is not here stops the build.
_CLIENT, _API = "◐", "△"
_LIMITS = {
    "Chat Completions has no place for thinking": _API,
    "Chat Completions tells nothing of its thinking": _API,
    "shown; its signature has no place on the client's wire": _API,
    "the AI SDK shows it, and leaves out what has no signature": _CLIENT,
    "the SDK does not try again": _CLIENT,
    "the SDK knows no such error; it shows the provider's words": _CLIENT,
    "the SDK reports an event that it cannot read, not its words": _CLIENT,
    "the agent reports the error, and stops": _CLIENT,
    "the framework does not keep what was said beside a call": _CLIENT,
    "the framework keeps what was said before a call behind it": _CLIENT,
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
    """Return a row of marks for each client; behind it, folded, which limit each mark means."""
    limits = {}
    marks, numbers = ([], [])
    for name, client in clients.items():
        outcomes = [cells[name][provider] for provider in API_NAMES]
        marks.append([client.title, *map(_mark, outcomes)])
        numbers.append([client.title, beside[name], *(_numbers(one, limits) for one in outcomes)])
    notes = "".join(f"{number}. {limit}\n" for limit, number in limits.items())
    return (
        f"{_joined(['', *API_NAMES.values()], marks)}\n\n"
        "<details><summary>Versions, and the scenario behind each mark</summary>\n\n"
        f"{_joined(['', head, *API_NAMES.values()], numbers)}\n\n{notes}\n</details>"
    )


def _joined(head, rows):
    lines = [head, ["---", *[":---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _mark(outcomes):
    """Return a tick, or whose the limits are."""
    whose = {_LIMITS[outcome] for outcome in outcomes.values() if outcome != WORKS}
    return " ".join(sorted(whose)) or "✓"


def _numbers(outcomes, limits):
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
