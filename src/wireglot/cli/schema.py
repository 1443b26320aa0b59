"""`wireglot schema`: the JSON Schema of a wire."""

from __future__ import annotations

import click
import msgspec

from ..errors import unknown
from ..schema import SCHEMAS
from ..schema import schema as schema_of
from .names import aliases, wire_named

__all__ = ["schema"]

_EXAMPLES = """\b
Examples:
  wireglot schema --list
  wireglot schema anthropic > anthropic-request.schema.json
  wireglot schema native message
"""
_KINDS = ("session", "message", "request", "response")


def _known(ctx: click.Context, param: click.Parameter, wire: str) -> str:
    name = wire_named(wire, SCHEMAS.__contains__).partition(":")[0]
    if name not in SCHEMAS:
        raise click.BadParameter(unknown("wire", wire, SCHEMAS, aliases()), ctx, param)
    return name


def _beginning(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the wires that begin like this, for the shell."""
    return [wire for wire in SCHEMAS if wire.startswith(incomplete)]


@click.command(epilog=_EXAMPLES)
@click.argument(
    "wire", default="native", metavar="[WIRE]", callback=_known, shell_complete=_beginning
)
@click.argument("kind", type=click.Choice(_KINDS), required=False, metavar="[KIND]")
@click.option("--list", "lists", is_flag=True, help="The wires, and the kinds of each.")
def schema(wire: str, kind: str | None, lists: bool) -> None:
    """Print the JSON Schema (2020-12) of what WIRE has as KIND.

    WIRE is `native`, a provider or another system's format. KIND is the first that the wire has
    unless it is named: a session, or a provider's request.
    """
    if lists:
        for name, kinds in SCHEMAS.items():
            click.echo(f"{name}: {', '.join(kinds)}")
        return
    if kind is not None and kind not in SCHEMAS[wire]:
        raise click.UsageError(unknown(f"document of `{wire}`", kind, SCHEMAS[wire]))
    made = msgspec.json.encode(schema_of(wire, kind))
    click.echo(msgspec.json.format(made, indent=2))
