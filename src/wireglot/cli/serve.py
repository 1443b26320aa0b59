"""`wireglot serve`: the gateway."""

from __future__ import annotations

import os
import sys

import click

from ..errors import WireglotError
from .options import fail

__all__ = ["serve"]

_COUNTS = "PROMETHEUS_MULTIPROC_DIR"
_EXAMPLES = """\b
Examples:
  wireglot serve --config gateway.toml
  ANTHROPIC_BASE_URL=http://127.0.0.1:8000 claude
"""


@click.command(epilog=_EXAMPLES)
@click.option("--config", type=click.Path(dir_okay=False), required=True, help="Routes, in TOML.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="0 is any that is free.",
)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes.")
def serve(config: str, host: str, port: int, workers: int) -> None:
    """Serve a gateway between any client and any provider.

    Needs the extra `gateway`. Metrics are at /metrics, and /health says whether it is up.
    """
    if not os.environ.get(_COUNTS):
        os.environ.pop(_COUNTS, None)  # empty; prometheus_client looks at it once, on its import
    from ..gateway import serve

    try:
        serve(config, host=host, port=port, workers=workers)
    except SystemExit as ended:  # uvicorn's own codes: it has said why, as for a port in use
        sys.exit(1 if ended.code else 0)
    except WireglotError as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}")
