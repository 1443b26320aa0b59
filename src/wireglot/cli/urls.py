"""URLs of object stores and servers, as fsspec opens them: `s3://bucket/a.parquet`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

from .._needs import needs

__all__ = ["is_url", "open_url", "urls_of"]

_URL: Final = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def is_url(name: str) -> bool:
    """Whether a name is a URL, not a file."""
    return _URL.match(name) is not None


def urls_of(pattern: str) -> list[str]:
    """Return the URLs that a URL names; `*` is expanded. Raises `FileNotFoundError` for none."""
    if not {*pattern} & {*"*["}:
        return [pattern]
    system, path = _system(pattern)
    found = sorted(system.glob(path))
    if not found:
        raise FileNotFoundError(2, "no file matches", pattern)
    return [system.unstrip_protocol(name) for name in found]


@contextmanager
def open_url(url: str, mode: str) -> Iterator[BinaryIO]:
    """Open a URL to read (`rb`) or to write (`wb`); what is written is there whole, or not at all.

    Raises `OSError`.
    """
    system, path = _system(url)
    if mode == "rb":
        with system.open(path, mode) as file:
            yield file
        return
    with system.transaction, system.open(path, mode) as file:
        yield file


def _system(url: str) -> tuple[Any, str]:
    with needs(f"{url.partition(':')[0]}://", "'wireglot[arrow]'"):
        from fsspec.core import url_to_fs
    try:
        system, path = url_to_fs(url)
    except (ImportError, ValueError) as error:  # the protocol's own library, or no such protocol
        raise OSError(2, str(error), url) from error
    return system, path
