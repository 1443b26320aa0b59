"""`wireglot completion`: the script that makes a shell complete the command."""

from __future__ import annotations

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
)

__all__ = ["completion"]

_EXAMPLES = """\b
Examples:
  eval "$(wireglot completion bash)"   # in ~/.bashrc
  eval "$(wireglot completion zsh)"    # in ~/.zshrc
  wireglot completion fish > ~/.config/fish/completions/wireglot.fish
"""


@add_completion_class
class _Bash(BashComplete):
    """Completion for bash, which splits words at a colon, and completes the part after it."""

    _before = 0

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete, and that word joined across its colon."""
        args, word = super().get_completion_args()
        if args[-1:] == [":"] and args[-2:-1]:
            word = f"{args.pop()}{word}"
        if word[:1] == ":" and args:
            start = args.pop()
            self._before = len(start) + 1
            word = f"{start}{word}"
        return args, word

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return the completion without what bash already has, up to the colon."""
        return f"{item.type},{item.value[self._before :]}"


@click.command(epilog=_EXAMPLES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print what makes SHELL complete commands, options and wires."""
    kind = get_completion_class(shell)
    if kind is not None:
        command = ctx.find_root().command
        click.echo(kind(command, {}, "wireglot", "_WIREGLOT_COMPLETE").source())
