"""The `wireglot` command; each of its commands is a module, imported when it is used.

Exit codes: 0 done, 1 bad input (a line says why), 2 wrong usage.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Final

import click

from .._version import __version__
from ..errors import WireglotError
from .options import fail, fail_to_write

__all__ = ["wireglot"]

_COMMANDS: Final = ("convert", "show", "stats", "check", "schema", "serve", "completion")
_EXAMPLES = """\b
Examples:
  wireglot show session.jsonl
  wireglot convert session.jsonl --to anthropic
  wireglot stats 'logs/*.jsonl.gz'
"""


class _Commands(click.Group):
    """Commands by name; only the one that is used is imported."""

    def main(self, *args: Any, **more: Any) -> Any:
        """Run a command; if output cannot be written, one line says why."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):  # for characters that its encoding lacks
                stream.reconfigure(errors="backslashreplace")
        try:
            if "_WIREGLOT_COMPLETE" in os.environ:
                import_module(".completion", __package__)  # it registers our class for bash
            return super().main(*args, **more)
        except WireglotError as error:  # of a wire that another distribution registers
            fail(str(error))
        except OSError as error:
            fail_to_write(error)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(f".{cmd_name}", __package__), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:  # click looks for close names among imported ones
            name = error.command_name
            raise click.NoSuchCommand(name, possibilities=_COMMANDS, ctx=ctx) from None


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=_EXAMPLES
)
@click.version_option(__version__, message="wireglot %(version)s")
def wireglot() -> None:
    """Read LLM agent conversations of any wire, and write them on any other."""
