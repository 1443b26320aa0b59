"""URLs of object stores and servers, as fsspec opens them: `s3://bucket/a.parquet`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL, EIO, ENOENT
from typing import Any, BinaryIO, Final

from .._needs import needs

__all__ = ["is_url", "open_url", "urls_of", "without_secrets"]

_URL: Final = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


def is_url(name: str) -> bool:
    """Whether a name is a URL, not a file."""
    return _URL.match(name) is not None


def _core(url: str) -> Any:
    with needs(f"{url.partition(':')[0]}://", "'wireglot[arrow]'"):
        from fsspec import core
    return core


def urls_of(pattern: str) -> list[str]:
    """Return the URLs that a URL names; `*` is expanded. Raises `FileNotFoundError` for none."""
    if "*" not in pattern:
        return [pattern]
    core = _core(pattern)
    with _named(pattern):
        system, path = core.url_to_fs(pattern)
        found = [name for name in sorted(system.glob(path)) if not system.isdir(name)]
        names = [system.unstrip_protocol(name) for name in found]
    if not names:
        raise FileNotFoundError(2, "no file matches", without_secrets(pattern))
    return names


@contextmanager
def open_url(url: str, mode: str) -> Iterator[BinaryIO]:
    """Open a URL to read (`rb`) or to write (`wb`); what is written is there whole, or not at all.

    Raises `OSError`.
    """
    core = _core(url)
    with _named(url):
        system, path = core.url_to_fs(url)
        file = system.open(path, mode) if mode == "rb" else None
    if file is not None:
        with file:
            yield file
        return
    with system.transaction:
        with _named(url):
            file = system.open(path, mode)
        if not (hasattr(file, "commit") and hasattr(file, "discard")):
            raise OSError(
                EINVAL, "its file system does not write files whole", without_secrets(url)
            )
        with file:
            yield file


def without_secrets(url: str) -> str:
    """Return a URL without user, password and query."""
    return _SECRET.sub("//", url).partition("?")[0]


_SECRET: Final = re.compile(r"//[^/@]*@")


@contextmanager
def _named(url: str) -> Iterator[None]:
    """Raise what fsspec raises as an `OSError` that names the URL."""
    try:
        yield
    except (OSError, ImportError, ValueError, TypeError, NotImplementedError) as error:
        number = getattr(error, "errno", None) or (
            ENOENT if isinstance(error, FileNotFoundError) else EIO
        )
        reason = os.strerror(number) if number == ENOENT else without_secrets(str(error))
        raise OSError(number, reason, without_secrets(url)) from error
