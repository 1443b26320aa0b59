"""`wireglot show`: a conversation, as a person reads it."""

from __future__ import annotations

from collections.abc import Callable
from io import TextIOWrapper
from typing import Any, TextIO

import click

from .._display.conversation import Conversation, conversation
from .._display.page import END, page, start
from .._display.prices import Prices, read_prices
from .._runtime.extras import needs
from .documents import founds
from .follow import followed, pause
from .options import (
    LeftOut,
    column_option,
    ended_in_order,
    fail,
    files_argument,
    from_option,
    keep_going_option,
    output_option,
    prices_option,
    reported,
    wires_of,
)
from .output import written
from .sources import Input, opened

__all__ = ["show"]

_EXAMPLES = """\b
Examples:
  wireglot show session.jsonl
  wireglot show session.jsonl --full | less -R
  wireglot show request.json answer.json --html -o talk.html
  wireglot show --follow session.jsonl
"""


@click.command(epilog=_EXAMPLES)
@files_argument
@from_option
@column_option
@click.option("--full", is_flag=True, help="Unfold thinking and long results.")
@click.option("--html", is_flag=True, help="One HTML page with all in it, for any browser.")
@click.option("-f", "--follow", is_flag=True, help="Show lines as they are appended, until Ctrl-C.")
@output_option("A file.")
@keep_going_option
@prices_option
def show(
    files: list[Input],
    wire: tuple[str, str | None] | None,
    column: str | None,
    full: bool,
    html: bool,
    follow: bool,
    output: str | None,
    keep_going: bool,
    prices: str | None,
) -> None:
    """Show what is in FILES as a person reads it.

    That is who said what, calls with their results, pictures, tokens and cost. A file is a session,
    a request, an answer or a stream of any wire, or one of them on each line. Nothing is fetched,
    and the page has no script.
    """
    path = files[0].place
    if follow and (html or output is not None or len(files) != 1 or not isinstance(path, str)):
        reason = "--follow writes to a terminal: expected one FILE, and no --html or --output"
        raise click.UsageError(reason)
    with reported(prices or "prices"):
        known = read_prices(prices)
    left_out = LeftOut()
    if follow and isinstance(path, str):
        _follow(path, wires_of(wire), known, left_out, is_full=full)
        return
    with ended_in_order(), written(output) as stream:
        text = TextIOWrapper(stream, "utf-8", newline="\n", write_through=True)
        try:
            show_it = _page(text, files[0].name) if html else _terminal(text, full)
            for given in files:
                with (
                    reported(given.name, left_out if keep_going else fail),
                    opened(given, column) as source,
                ):
                    for place, found in founds(
                        source, wires_of(wire), left_out if keep_going else None
                    ):
                        show_it(conversation(place, found.wire, found.kind, found.value, known))
                        left_out.lost(found.losses, place)
            if html:
                text.write(END)
        finally:
            text.detach()
    left_out.end()


def _follow(
    name: str, wires: dict[str, Any], known: Prices, left_out: LeftOut, *, is_full: bool
) -> None:
    """Show the lines of a file that grows: messages of one session, or a document each.

    A line that cannot be read is reported, and the next one follows.
    """
    from rich.console import Console

    from .terminal import Terminal

    session: str | None = None
    with ended_in_order(), written(None) as stream, reported(name):
        text = TextIOWrapper(stream, "utf-8", newline="\n", write_through=True)
        terminal = Terminal(Console(file=text), is_full=is_full)
        try:
            for source in followed(name, pause):
                for place, found in founds(source, wires, left_out, in_lines=True):
                    shown = conversation(place, found.wire, found.kind, found.value, known)
                    if found.kind != "session":
                        session = None
                        terminal.print(shown)
                    else:
                        if found.wire != session:
                            terminal.print(shown._replace(name=name, entries=[]))
                        session = found.wire
                        terminal.go_on(shown)
                    text.flush()
                    left_out.lost(found.losses, place)
        except KeyboardInterrupt:
            left_out.tell()
        finally:
            text.detach()


def _page(stream: TextIO, title: str) -> Callable[[Conversation], None]:
    stream.write(start(title))
    return lambda shown: stream.writelines(page(shown))


def _terminal(stream: TextIO, is_full: bool) -> Callable[[Conversation], None]:
    with needs("wireglot show", "'wireglot[cli]'"):
        from rich.console import Console

        from .terminal import Terminal

    return Terminal(Console(file=stream), is_full=is_full).print
