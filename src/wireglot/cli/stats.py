"""`wireglot stats`: tokens, money, cache and tools, summed over many conversations."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO
from typing import Any, Final

import click
import msgspec

from .._display.characters import escaped, one_line
from .._display.conversation import grouped, hit_rate, number_of
from .._display.prices import read_prices
from .._documents.figures import Answers, Figures, by_number
from .._runtime.extras import needs
from .documents import founds
from .options import (
    LeftOut,
    column_option,
    fail,
    files_argument,
    from_option,
    keep_going_option,
    prices_option,
    reported,
    say,
    wires_of,
)
from .progress import progress
from .sources import Input, opened

__all__ = ["stats"]

_MOST_MODELS = 5
_COLUMNS: Final[tuple[str, ...]] = (
    "by",
    "name",
    "answers",
    "input",
    "cache_read",
    "cache_write",
    "output",
    "reasoning",
    "cache_hit_rate",
    "cost",
    "currency",
    "priced",
    "calls",
    "failed",
)
# What begins a formula, in wide forms too, in a cell of any separator that a spreadsheet may know.
_formulas: Final = re.compile(
    "(^|[;|\t])(?=(?:[^\\S\t]|[\u200c\u200d])*[=+\\-@\t\uff1d\uff0b\uff0d\uff20])"
)

_EXAMPLES = """\b
Examples:
  wireglot stats session.jsonl
  wireglot stats 'logs/**/*.jsonl.gz' --prices prices.toml --plot usage.png
  wireglot stats answers.jsonl --json | jq .models
  wireglot stats answers.jsonl --csv > usage.csv
"""


@click.command(epilog=_EXAMPLES)
@files_argument
@from_option
@column_option
@keep_going_option
@prices_option
@click.option("--plot", type=click.Path(dir_okay=False), help="Draw it too, as PNG, SVG or PDF.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
@click.option("--csv", "as_csv", is_flag=True, help="CSV instead of tables, one row for each sum.")
def stats(
    files: list[Input],
    wire: tuple[str, str | None] | None,
    column: str | None,
    keep_going: bool,
    prices: str | None,
    plot: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Sum up the tokens, cost and calls of the answers in FILES.

    The sums are by model, by tool and over time. A file is a session, an answer or a stream of any
    wire, or one of them on each line. Costs are those that the provider reported, else by the
    prices. Memory does not grow with the input.
    """
    if as_json and as_csv:
        raise click.UsageError("both --json and --csv, expected one")
    with reported(prices or "prices"):
        known = read_prices(prices)
    figures = Figures(known)
    left_out = LeftOut()
    for given in files:
        with (
            reported(given.name, left_out if keep_going else fail),
            opened(given, column) as source,
            progress(source) as advance,
        ):
            going_on = left_out if keep_going else None
            for place, found in founds(source, wires_of(wire), going_on):
                figures.add(found.value)
                left_out.lost(found.losses, place)
                advance()
    if plot is not None:
        with needs("--plot", "'wireglot[plot]'"):
            from .plot import drawn
        with reported(plot):
            drawn(figures, plot)
    if as_json or as_csv:
        try:
            made = _csv_text(figures) if as_csv else _json_text(figures)
        except ValueError:  # of some thousands of digits
            fail("a sum is too long a number to write")
        click.echo(made, nl=False)
    else:
        _print(figures)
    if known.lack and figures.total.priced < figures.total.counted:
        say(f"wireglot: {known.lack}")
    left_out.end()


def _json_text(figures: Figures) -> bytes:
    return escaped(msgspec.json.format(msgspec.json.encode(_json(figures)), indent=2)) + b"\n"


def _json(figures: Figures) -> dict[str, Any]:
    name, times = figures.times()
    return {
        "documents": figures.documents,
        "messages": figures.messages,
        "currency": figures.currency,
        "total": _sums(figures.total),
        "models": {model: _sums(sums) for model, sums in by_number(figures.models, "answers")},
        "tools": dict(by_number(figures.tools, "calls")),
        f"by_{name}": {f"{when:%Y-%m-%dT%H:%MZ}": _sums(sums) for when, sums in times.items()},
    }


def _sums(sums: Answers) -> dict[str, Any]:
    tokens = sums.tokens
    return {
        "answers": sums.answers,
        "input": tokens.input,
        "cache_read": tokens.cache_read,
        "cache_write": tokens.cache_write,
        "output": tokens.output,
        "reasoning": tokens.reasoning,
        "cache_hit_rate": round(hit_rate(tokens), 4),
        "cost": round(sums.cost, 6) if sums.priced else None,
        "priced": sums.priced,
        "calls": sums.calls,
    }


def _csv_text(figures: Figures) -> str:
    text = StringIO()
    table: csv.DictWriter[str] = csv.DictWriter(text, _COLUMNS, restval="", lineterminator="\n")
    table.writeheader()
    table.writerows(_rows(figures))
    return text.getvalue()


def _rows(figures: Figures) -> Iterator[dict[str, Any]]:
    def row(by: str, name: str, sums: Answers) -> dict[str, Any]:
        return {"by": by, "name": name, **_sums(sums), "currency": figures.currency}

    yield row("total", "", figures.total)
    for model, sums in by_number(figures.models, "answers"):
        yield row("model", _cell(model), sums)
    for tool, calls in by_number(figures.tools, "calls"):
        yield {"by": "tool", "name": _cell(tool), "calls": calls.calls, "failed": calls.failed}
    name, times = figures.times()
    for when, sums in times.items():
        yield row(name, f"{when:%Y-%m-%dT%H:%MZ}", sums)


def _cell(name: str) -> str:
    """Return a name of somebody else, which a spreadsheet takes for text."""
    return _formulas.sub(r"\1'", one_line(name))


def _print(figures: Figures) -> None:
    with needs("wireglot stats", "'wireglot[cli]'"):
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

    console = Console()

    def label(text: str, style: str = "") -> Text:
        return Text(one_line(text), style)

    def table(title: str, first: str, columns: list[str], rows: Iterator[list[str]]) -> None:
        grid = Table(title=label(title, "bold"), box=SIMPLE_HEAD, title_justify="left")
        grid.add_column(first, overflow="fold", ratio=None)
        for column in columns:
            grid.add_column(label(column), justify="right", overflow="fold")  # no digit is cut off
        for row in rows:
            grid.add_row(*map(label, row))
        if grid.row_count:
            console.print(grid)

    documents = number_of("document", "documents", figures.documents)
    counts = f"{documents}, {number_of('message', 'messages', figures.messages)}"
    without = figures.total.answers - figures.total.counted
    if without:
        counts += f"; {number_of('answer', 'answers', without)} without token counts"
    console.print(counts, highlight=False)
    columns = ["answers", "input", "cached", "output", "calls", "cost"]
    models = by_number(figures.models, "answers")
    rows = [_row(model, sums) for model, sums in models]
    if len(rows) > 1:
        rows.append(_row("all", figures.total))
    table(f"Models (cost in {figures.currency})", "model", columns, iter(rows))
    tools = by_number(figures.tools, "calls")
    columns_by_model = [name for name, sums in models if sums.calls][:_MOST_MODELS]
    if len(models) == 1:  # its column would repeat the total
        columns_by_model = []
    table(
        "Tools",
        "tool",
        ["calls", "failed", *columns_by_model],
        (
            [name, f"{calls.calls:,}", f"{calls.failed:,}"]
            + [f"{calls.models.get(model, 0):,}" for model in columns_by_model]
            for name, calls in tools
        ),
    )
    name, times = figures.times()
    form = "%Y-%m-%d %H:00" if name == "hour" else "%Y-%m-%d"
    table(
        f"By {name} (UTC)", name, columns, (_row(f"{w:{form}}", sums) for w, sums in times.items())
    )


def _row(name: str, sums: Answers) -> list[str]:
    tokens = sums.tokens
    return [
        name,
        f"{sums.answers:,}",
        grouped(tokens.input + tokens.cache_read + tokens.cache_write),
        f"{hit_rate(tokens):.0%}",
        grouped(tokens.output),
        f"{sums.calls:,}",
        f"{sums.cost:,.4f}{'' if sums.priced == sums.answers else '+'}" if sums.priced else "-",
    ]
