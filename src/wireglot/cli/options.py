"""What the commands share: arguments, completion, and the report of faults."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

from .._display.characters import one_line
from .._display.conversation import number_of
from .._documents.detection import NATIVE
from .._registry import FORMAT_NAMES, PROVIDER_NAMES
from ..errors import WireglotError, unknown
from ..formats import FORMATS
from ..losses import Loss
from ..providers import PROVIDERS
from .names import aliases, wire_named
from .output import STDOUT
from .sources import STDIN, Input, named
from .summary import Summary

__all__ = [
    "LeftOut",
    "WireName",
    "column_option",
    "ended_in_order",
    "fail",
    "fail_to_write",
    "files_argument",
    "from_option",
    "keep_going_option",
    "output_option",
    "prices_option",
    "reported",
    "say",
    "wires_of",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])


class WireName(click.ParamType[Any]):
    """A wire, or `wire:dialect`, as a pair; the dialect is None where none is named.

    `own` are our wires among those that it can be; every wire that is registered is one as well.
    """

    name = "wire"

    def __init__(self, own: Sequence[str]) -> None:
        self._own = own

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str | None]:
        """Return wire and dialect, or fail with a list of the known ones."""
        if isinstance(value, tuple):
            return value
        given, colon, dialect = str(value).partition(":")
        wire, _, usual = wire_named(given, self._is_known).partition(":")
        if not self._is_known(wire):
            self.fail(unknown("wire", given, self._wires(), aliases()), param, ctx)
        if colon and dialect not in (known := _dialects(wire)):
            self.fail(unknown(f"dialect of `{wire}`", dialect, known), param, ctx)
        return wire, (dialect if colon else usual or None)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Return its placeholder in the help."""
        return "WIRE[:DIALECT]"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the wires that begin like this, or the dialects after a colon."""
        wire, colon, _ = incomplete.partition(":")
        names = [f"{wire}:{name}" for name in _dialects(wire)] if colon else self._wires()
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]

    def _is_known(self, wire: str) -> bool:
        return wire in self._own or wire in PROVIDERS or wire in FORMATS

    def _wires(self) -> list[str]:
        return [*dict.fromkeys((*self._own, *PROVIDERS, *FORMATS))]


def _dialects(wire: str) -> tuple[str, ...]:
    return PROVIDERS[wire].DIALECTS if wire in PROVIDERS else ()


_SOURCES: Final = (*PROVIDER_NAMES, *FORMAT_NAMES, NATIVE)


def from_option(command: _Command) -> _Command:
    """Add `--from`: the wire of the input."""
    return click.option(
        "--from",
        "wire",
        type=WireName(_SOURCES),
        help="The wire of the input. Default: what it looks like.",
    )(command)


def column_option(command: _Command) -> _Command:
    """Add `--column`: the column of a Parquet file that has the documents."""
    return click.option(
        "--column",
        help="The column of a Parquet file to read. Default: the only one that can hold documents.",
    )(command)


def files_argument(command: _Command) -> _Command:
    """Add FILES: names, patterns, or `-`, which is standard input and the default."""
    return click.argument("files", nargs=-1, callback=_files, shell_complete=_paths)(command)


def _paths(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Leave the completion of files to the shell."""
    return [CompletionItem(incomplete, type="file")]


def _files(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> list[Input]:
    if not value and not ctx.resilient_parsing:
        if sys.stdin is None or sys.stdin.isatty():
            raise click.UsageError("no FILE, expected one, or a document on standard input", ctx)
        value = (STDIN,)
    try:
        return named(value)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")


def output_option(text: str) -> Callable[[_Command], _Command]:
    """Return a decorator that adds `--output`: a name, or None for standard output (and `-`)."""
    text += " Default: stdout."
    return click.option("-o", "--output", callback=_output, help=text, shell_complete=_paths)


def _output(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    return None if value == STDIN else value


def keep_going_option(command: _Command) -> _Command:
    """Add `--keep-going`: go on after input that cannot be read."""
    return click.option(
        "--keep-going", is_flag=True, help="Leave out what cannot be read, and go on."
    )(command)


def prices_option(command: _Command) -> _Command:
    """Add `--prices`: a table of what models cost."""
    return click.option(
        "--prices",
        type=click.Path(dir_okay=False),
        envvar="WIREGLOT_PRICES",
        help="What models cost, in TOML or as LiteLLM's JSON. Default: genai-prices, if it is "
        "installed.",
    )(command)


def wires_of(wire: tuple[str, str | None] | None) -> dict[str, Any]:
    """Return the arguments of `read` for `--from`."""
    return {} if wire is None else {"wires": (wire[0],), "dialect": wire[1]}


@contextmanager
def reported(name: str, report: Callable[[str], object] | None = None) -> Iterator[None]:
    """Report what is wrong with an input, and exit with 1; go on if `report` returns."""
    report = report or fail
    try:
        yield
    except WireglotError as error:
        report(f"{name}: {error}")
    except OSError as error:
        # Without a name it is about our output; a broken pipe is its reader leaving.
        if error.filename is None or isinstance(error, BrokenPipeError):
            raise
        report(f"{error.filename}: {error.strerror}")


def fail_to_write(error: OSError) -> NoReturn:
    """Say that output could not be written, and exit with 1; the rest of it is discarded."""
    name = STDOUT if error.filename is None else error.filename
    if name == STDOUT and sys.stdout is not None:
        with suppress(OSError):  # a stream without a file number, as in tests
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    fail(f"{name}: {error.strerror}")


class LeftOut:
    """Reports what was not read: the parts that decoders lost, inputs that are left out."""

    def __init__(self) -> None:
        self._count = 0
        self._lost = Summary()

    def __call__(self, fault: str) -> None:
        """Say why something is left out."""
        say(f"wireglot: {fault}")
        self._count += 1

    def lost(self, losses: list[Loss], place: str) -> None:
        """Count what was lost of a document."""
        self._lost.add(losses, (), f"{place}: ")

    def tell(self) -> None:
        """Say what was lost."""
        for line in self._lost.lines():
            say(line)

    def end(self) -> None:
        """Say what was lost; exit with 1 if something was left out."""
        self.tell()
        if self._count:
            count = number_of("document or line", "documents or lines", self._count)
            fail(f"{count} could not be read")


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Let a signal that ends us run the cleanup of half-written files and of our own processes."""
    # What is ignored stays so: `nohup` lets no hangup through.
    numbers = [number for number in _ENDING if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, _leave) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if _HAS_TIMER:
            signal.setitimer(signal.ITIMER_REAL, 0)


_ENDING: Final = [
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
]
"""The last two come from a terminal that is closed, or from Ctrl-\\; Windows has neither."""
_HAS_TIMER: Final = hasattr(signal, "setitimer")  # Windows has none


def _leave(number: int, _: Any) -> NoReturn:
    """Exit; once more after a second, if that was in a callback, in which no exception gets out."""
    if _HAS_TIMER:
        signal.signal(signal.SIGALRM, lambda *_: _leave(number, None))
        signal.setitimer(signal.ITIMER_REAL, 1)
    sys.exit(128 + number)


def say(line: str) -> str:
    """Write a line to standard error, with control characters made visible; return the line."""
    click.echo(one_line(line), err=True)
    return line


def fail(line: str) -> NoReturn:
    """Say what went wrong, and exit with 1."""
    say(f"wireglot: {line}")
    sys.exit(1)
