"""`wireglot completion`: what makes a shell complete the command."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["completion"]

_EXAMPLES = """\b
Examples:
  eval "$(wireglot completion bash)"                                 # in ~/.bashrc
  eval "$(wireglot completion zsh)"                                  # in ~/.zshrc
  wireglot completion fish > ~/.config/fish/completions/wireglot.fish
"""


@click.command(epilog=_EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes SHELL complete commands, options and wires."""
    kind = get_completion_class(shell)
    if kind is not None:
        command = ctx.find_root().command
        click.echo(kind(command, {}, "wireglot", "_WIREGLOT_COMPLETE").source())
