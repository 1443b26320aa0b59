"""`tests/surface/results.json` -> the tables of the page "Surface", as a Sphinx extension."""

import json
from pathlib import Path

_RESULTS = Path(__file__).parents[1] / "tests" / "surface" / "results.json"
_WORDS = "translated | loss | error | explained | fault | silent"
_PARTS = {"request": "requests", "answer": "answers", "stream": "streams"}


def with_tables(page):
    """Return a page with its tables in place of `@@surface:apis@@` and its like."""
    if "@@surface:" not in page:
        return page
    found = json.loads(_RESULTS.read_text())
    pairs = found["pairs"]
    versions = ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    for name, text in (
        ("versions", versions),
        ("apis", _apis(found["apis"])),
        ("targets", _targets(found["targets"])),
        ("pairs", f"{pairs['all']:,} pairs, of which {pairs['translated']:,} are translated"),
    ):
        page = page.replace(f"@@surface:{name}@@", text)
    return page


def _apis(rows):
    head = f"| types of | | elements | typed | raw | gone | {_WORDS} |\n"
    lines = [
        f"| {_named(api)} | {_PARTS[part]} | {_counts(counts)} |\n"
        for api, part, *counts in [*rows, ["sum", "request", *_sums(rows)]]
    ]
    lines[-1] = lines[-1].replace("| requests |", "| |")
    return head + "| --- | --- " + "| ---: " * 10 + "|\n" + "".join(lines)


def _named(api):
    wire, _, sdk = api.partition(" ")
    return f"`{wire}`, {sdk}" if sdk else f"`{wire}`" if wire != "sum" else "all"


def _targets(rows):
    lines = "".join(f"| `{name}` | {_counts(counts)} |\n" for name, *counts in rows)
    return f"| to | {_WORDS} |\n| --- " + "| ---: " * 6 + f"|\n{lines}"


def _counts(counts):
    return " | ".join(f"{int(count):,}" for count in counts)


def _sums(rows):
    return [sum(map(int, column)) for column in zip(*(row[2:] for row in rows), strict=True)]


def _insert(app, docname, source):
    source[0] = with_tables(source[0])


def setup(app):
    """Connect the tables; called by Sphinx."""
    app.connect("source-read", _insert)
