"""The `wireglot` command. Its libraries come with the extra: `pip install 'wireglot[cli]'`."""

from __future__ import annotations

import sys
from typing import Final

__all__ = ["main"]

_LIBRARIES: Final = {
    "backports": "backports.zstd",
    "click": "click",
    "markdown_it": "markdown-it-py",
    "rich": "rich",
}


def main() -> None:
    """Run the command, or name the library that it lacks and the extra that brings it."""
    try:
        from .command import wireglot

        wireglot()
    except ModuleNotFoundError as error:
        library = _LIBRARIES.get((error.name or "").partition(".")[0])
        if library is None:
            raise
        sys.exit(f"wireglot: the command needs {library}: pip install 'wireglot[cli]'")
