"""The `wireglot` command. Its library comes with the extra: `pip install 'wireglot[cli]'`."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command, or name the library that it lacks."""
    try:
        from .command import wireglot
    except ModuleNotFoundError as error:
        if error.name != "click":
            raise
        sys.exit("wireglot: the command needs click: pip install 'wireglot[cli]'")
    wireglot()
