"""The `wireglot` command. Its libraries come with the extra: `pip install 'wireglot[cli]'`."""

from __future__ import annotations

import sys

from .._runtime.extras import needs

__all__ = ["main"]


def main() -> None:
    """Run the command; a line names a library that it lacks."""
    try:
        with needs("the command", "'wireglot[cli]'"):
            from .command import wireglot
        wireglot()
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError):  # of a module of ours
            raise
        sys.exit(f"wireglot: {error}")
    except KeyboardInterrupt:  # before click is there to say it
        sys.exit("\nAborted!")
