"""Files in, wires out. Exit codes: 0 done, 1 bad input (one line says why), 2 wrong usage."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import click
import msgspec
from msgspec import Raw

from .. import json
from .._version import __version__
from ..errors import WireglotError
from ..losses import Loss
from ..model import AgentMessage, AssistantMessage, Request, llm_messages
from ..providers import PROVIDERS

__all__ = ["wireglot"]

_EXAMPLES = """\b
Examples:
  wireglot convert session.jsonl --to anthropic -o body.json
  cat session.json | wireglot convert - --to anthropic --model claude-sonnet-4-5
"""
_SERVE_EXAMPLES = """\b
Examples:
  wireglot serve --config gateway.toml
  ANTHROPIC_BASE_URL=http://127.0.0.1:8000 claude
"""
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def wireglot() -> None:
    """Translate LLM agent conversations between wires."""


@wireglot.command(epilog=_EXAMPLES)
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--to", "target", type=click.Choice(list(PROVIDERS)), required=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, writable=True), help="Not stdout.")
@click.option("--model", help="The model to ask. Default: the one that answered last.")
@click.option("--strict", is_flag=True, help="Fail if the target cannot carry everything.")
@click.option("--repair", is_flag=True, help="Close calls without result, results without call.")
def convert(
    file: str, target: str, output: str | None, model: str | None, strict: bool, repair: bool
) -> None:
    """Write the conversation in FILE as a request body of another wire.

    FILE is a session (a JSON array or JSON Lines of messages) or a native request; `-` is stdin.
    What the target cannot carry is listed on stderr.
    """
    losses: list[Loss] = []
    try:
        request = _request(_read(file))
        request.model = model or request.model or _last_model(request)
        if request.model is None:
            raise click.UsageError("the session names no model: use --model")
        body = PROVIDERS[target].encode_request(request, None if strict else losses, repair=repair)
        if output is None:
            sys.stdout.buffer.write(body)
        else:
            Path(output).write_bytes(body)
    except WireglotError as error:
        _fail(f"{'stdin' if file == '-' else file}: {error}")
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}")
    for loss in losses:
        click.echo(f"lost: {loss}", err=True)


@wireglot.command(epilog=_SERVE_EXAMPLES)
@click.option("--config", type=click.Path(dir_okay=False), required=True, help="Routes, in TOML.")
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
def serve(config: str, host: str, port: int, workers: int) -> None:
    """Serve a gateway: any provider's client in front, any provider behind.

    Needs the extra `gateway`. Metrics are at /metrics, and /health says whether it is up.
    """
    try:
        from ..gateway import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "wireglot":
            raise
        _fail(f"the gateway needs {error.name}: pip install 'wireglot[gateway]'")
    try:
        serve(config, host=host, port=port, workers=workers)
    except WireglotError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}")


def _read(file: str) -> bytes:
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _request(data: bytes) -> Request:
    """Read a session or a request; a session's entries that never go to an LLM are counted."""
    start = data.lstrip()
    session: list[AgentMessage]
    if start[:1] == b"[":
        session = json.decode(data)
    elif _is_message(start.partition(b"\n")[0]):
        session = list(json.decode_lines(data))
    else:
        return json.decode(data, Request)
    messages = llm_messages(session)
    if len(messages) != len(session):
        click.echo(f"{len(session) - len(messages)} session-only entries are not sent", err=True)
    return Request(messages)


def _is_message(line: bytes) -> bool:
    """Whether a line is an object with a role."""
    try:
        return "role" in _keys(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return False


def _last_model(request: Request) -> str | None:
    models = (m.model for m in reversed(request.messages) if isinstance(m, AssistantMessage))
    return next((model for model in models if model is not None), None)


def _fail(line: str) -> NoReturn:
    click.echo(f"wireglot: {line}", err=True)
    sys.exit(1)
