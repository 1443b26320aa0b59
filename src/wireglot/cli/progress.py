"""The progress of long work -> a bar on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .._display.characters import one_line
from .._runtime.extras import needs
from .sources import Source

__all__ = ["progress"]

_LONG = 16 * 1024 * 1024


@contextmanager
def progress(source: Source) -> Iterator[Callable[[], None]]:
    """Show a bar for a large file; call the yielded function whenever there is progress."""
    if source.size is None or source.size < _LONG or not sys.stderr.isatty():
        yield lambda: None
        return
    with needs("a progress bar", "'wireglot[cli]'"):
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(one_line(source.base), total=source.size)
        yield lambda: bar.update(task, completed=source.position())
