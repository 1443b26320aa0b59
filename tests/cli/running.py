"""The command in this process, as a person would run it."""

from __future__ import annotations

from typing import NamedTuple

from click.testing import CliRunner

from wireglot.cli.command import wireglot

__all__ = ["Done", "run"]


class Done(NamedTuple):
    code: int
    out: str
    said: str


def run(*arguments: str, stdin: str | bytes = b"") -> Done:
    """Run the command; its streams as text."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    made = CliRunner().invoke(wireglot, arguments, input=given)
    if made.exception is not None and not isinstance(made.exception, SystemExit):
        raise made.exception
    return Done(made.exit_code, made.stdout_bytes.decode(errors="replace"), made.stderr)
