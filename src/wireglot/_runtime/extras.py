"""A library that is not installed -> an ImportError that says how to install it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(module: str, install: str) -> Iterator[None]:
    """Import libraries inside this, which `pip install INSTALL` brings and `module` needs."""
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library == "wireglot":
            raise
        raise ImportError(
            f"{module} needs {library}: pip install {install}", name=error.name
        ) from error
