"""URLs of object stores and servers, as fsspec opens them: `s3://bucket/a.parquet`.

A URL can be a chain: `zip://a.json::s3://bucket/a.zip` is a file in an archive in a bucket.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL, EIO, ENOENT
from itertools import takewhile
from typing import Any, BinaryIO, Final

from .._needs import needs

__all__ = ["is_url", "make_folder", "name_of", "open_url", "urls_of", "without_secrets"]

_URL: Final = re.compile(r"(?:[a-z][a-z0-9+.-]+::)*[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_OTHER_MAGIC: Final = re.compile(r"[\[?]")
"""What a pattern of fsspec has besides `*`."""


def is_url(name: str) -> bool:
    """Whether a name is a URL, not a file."""
    return _URL.match(name) is not None


def _core(url: str) -> Any:
    with needs(f"{url.partition(':')[0]}://", "'wireglot[arrow]'"):
        from fsspec import core
    return core


def urls_of(pattern: str) -> list[str]:
    """Return the URLs that a URL names; `*` is expanded. Raises `FileNotFoundError` for none."""
    first, chain, rest = pattern.partition("::")
    ends = [chain + url for url in urls_of(rest)] if chain else [""]
    if "*" not in first:
        return [first + end for end in ends]
    names = [name + end for end in ends for name in _expanded(first, end)]
    if not names:
        raise FileNotFoundError(2, "no file matches", without_secrets(pattern))
    return names


def _expanded(pattern: str, end: str) -> list[str]:
    """Return what a pattern names, where `end` is the rest of its chain.

    A file system leaves parts of a URL out of its paths, such as the host: they are those before
    the longest end that the pattern and its path share.
    """
    core = _core(pattern)
    with _fsspec_errors(pattern + end):
        system, path = core.url_to_fs(pattern + end)
        only_stars = _OTHER_MAGIC.sub(r"[\g<0>]", path)
        found = [name for name in sorted(system.glob(only_stars)) if not system.isdir(name)]
    pairs = zip(reversed(pattern), reversed(path), strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start, root = pattern[: len(pattern) - shared], path[: len(path) - shared]
    return [start + name.removeprefix(root) for name in found]


def name_of(url: str) -> str:
    """Return the name of the file that a URL names, without folders."""
    links = url.split("::")
    return next((link for link in links if "://" in link), url).rpartition("/")[2]


def make_folder(url: str) -> None:
    """Make a folder, if its file system has folders. Raises `OSError`."""
    core = _core(url)
    with _fsspec_errors(url):
        system, path = core.url_to_fs(url)
        system.makedirs(path, exist_ok=True)


@contextmanager
def open_url(url: str, mode: str) -> Iterator[BinaryIO]:
    """Open a URL to read (`rb`) or to write (`wb`); what is written is there whole, or not at all.

    Raises `OSError`, and so does the file.
    """
    core = _core(url)
    with _fsspec_errors(url):
        system, path = core.url_to_fs(url)
    if mode == "rb":
        with _fsspec_errors(url):
            file: Any = _File(url, system.open(path, mode))
        try:
            yield file
        finally:
            file.close()
        return
    transaction = system.transaction
    transaction.start()
    is_whole = False
    try:
        with _fsspec_errors(url):
            file = _File(url, system.open(path, mode))
        if not (hasattr(file, "commit") and hasattr(file, "discard")):
            raise OSError(
                EINVAL, "its file system does not write files whole", without_secrets(url)
            )
        try:
            yield file
        finally:
            file.close()
        is_whole = True
    finally:
        with _fsspec_errors(url):
            transaction.complete(is_whole)


class _File:
    """A file whose methods raise what `_fsspec_errors` does; libraries have errors of their own."""

    def __init__(self, url: str, file: Any) -> None:
        self._url = url
        self._file = file

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._file, name)
        return _fsspec_errors(self._url)(value) if callable(value) else value


def without_secrets(text: str) -> str:
    """Return a URL, or a text with URLs, without passwords and queries, in each link of a chain.

    A name alone before `@` is kept: it may be a container. On the web it may be a token. The
    repository of `github://org:repo@ref` looks as a password does, and goes with its owner.
    """
    return _QUERY.sub("", _USER.sub(_shown_user, text))


def _shown_user(link: re.Match[str]) -> str:
    start, user = link.groups()
    if "?" in user:  # of a password, or of a query; nothing tells where it ends
        return f"{start}?"
    is_name = ":" not in user and _IS_WEB.search(start) is None
    return link[0] if is_name else start


# A password may have `@` in it, and `/`: then what follows the colon is not a port.
_USER: Final = re.compile(
    r"((?:[a-z][a-z0-9+.-]*:)?//)([^/]*@|[^/:@]*:(?!:|\d*(?:[/?]|$)).*@)",
    re.IGNORECASE | re.DOTALL,
)
_QUERY: Final = re.compile(r"\?.*?(?=::[a-z][a-z0-9+.-]*:|\Z)", re.IGNORECASE | re.DOTALL)
_IS_WEB: Final = re.compile(r"https?:", re.IGNORECASE)


@contextmanager
def _fsspec_errors(url: str) -> Iterator[None]:
    """Raise what fsspec raises as an `OSError` that names the URL."""
    try:
        yield
    except Exception as error:
        is_gone = isinstance(error, FileNotFoundError)
        number = ENOENT if is_gone else EIO  # not that of a broken pipe, which is our output's
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        reason = os.strerror(number) if is_gone else without_secrets(reason)
        raise OSError(number, reason, without_secrets(url)) from error
