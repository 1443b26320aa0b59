"""URLs of object stores and servers, as fsspec opens them: `s3://bucket/a.parquet`.

A URL can be a chain: `zip://a.json::s3://bucket/a.zip` is a file in an archive in a bucket.
"""

from __future__ import annotations

import ntpath
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EINVAL, EIO, ENOENT
from functools import lru_cache
from itertools import takewhile
from typing import Any, BinaryIO, Final, NamedTuple

from .._display.characters import one_line
from .._runtime.extras import needs
from ..errors import quoted

__all__ = [
    "Place",
    "is_url",
    "make_folder",
    "name_of",
    "places_of",
    "read_from",
    "without_secrets",
    "write_to",
]

_URL: Final = re.compile(r"(?:[a-z][a-z0-9+.-]+::)*[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_OTHER_MAGIC: Final = re.compile(r"[\[?]")
"""What a pattern of fsspec has besides `*`."""


class Place(NamedTuple):
    """A file behind a URL, to be read. `url` is only shown.

    `link` is what the caller wrote: all of a URL, or its links up to those of `inner`, the file
    that this one is in. `path` is what a pattern in it found. Who made the archive chose that name:
    it is opened by the file system that found it, and is never a part of a URL that is opened.
    """

    url: str
    link: str
    path: str = ""
    inner: Place | None = None


class _There(NamedTuple):
    """A file system and a path in it; `inner` is kept open as long as what is over it."""

    system: Any
    path: str
    inner: _There | None = None


def is_url(name: str) -> bool:
    """Whether a name is a URL, not a file."""
    return _URL.match(name) is not None


def _core(url: str) -> Any:
    with needs(f"{url.partition(':')[0]}://", "'wireglot[arrow]'"):
        from fsspec import core
    return core


def places_of(url: str) -> list[Place]:
    """Return what a URL names; `*` is expanded. Raises `FileNotFoundError` for nothing."""
    _system.cache_clear()
    places = _places(url)
    if not places:
        raise FileNotFoundError(2, "no file matches", without_secrets(url))
    return places


def _places(url: str) -> list[Place]:
    if "*" not in url:
        return [Place(url, url)]
    link, _, rest = url.partition("::")
    if "*" not in rest:
        return _found(url)
    return [place for inner in _places(rest) for place in _over(link, inner)]


def _over(link: str, inner: Place) -> list[Place]:
    """Return what a link of a chain names in the file that a later one has found."""
    if "*" in link:
        return _found(link, inner)
    return [Place(f"{link}::{inner.url}", link, inner=inner)]


def _found(link: str, inner: Place | None = None) -> list[Place]:
    """Return what a pattern names.

    A file system leaves parts of a URL out of its paths, such as the host: they are those before
    the longest end that the pattern and its path share.
    """
    url = link if inner is None else f"{link}::{inner.url}"
    with _fsspec_errors(url):
        system, path, _ = _system(link, inner)
        only_stars = _OTHER_MAGIC.sub(r"[\g<0>]", path)
        found = [name for name in sorted(system.glob(only_stars)) if not system.isdir(name)]
    pattern, chain, rest = url.partition("::")
    pairs = zip(reversed(pattern), reversed(path), strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    start, root = pattern[: len(pattern) - shared], path[: len(path) - shared]
    return [
        Place(start + name.removeprefix(root) + chain + rest, link, name, inner) for name in found
    ]


@lru_cache(maxsize=1)
def _system(link: str, inner: Place | None) -> _There:
    """Return the file system of a link, and the path that is in the link.

    The last one is kept, since most files that follow one another are of one archive; not more,
    since each has a file open.
    """
    core = _core(link)
    if inner is None:
        return _There(*core.url_to_fs(link))
    from fsspec.archive import AbstractArchiveFileSystem
    from fsspec.implementations.cached import CachingFileSystem

    protocol, _, path = link.partition("://")
    kind = core.get_filesystem_class(protocol)
    there = _there(inner)
    if issubclass(kind, CachingFileSystem):
        return _There(kind(fs=there.system, skip_instance_cache=True), path or there.path)
    if not issubclass(kind, AbstractArchiveFileSystem):  # `reference` opens what its files name
        reason = f"{quoted(protocol)} over what a pattern found, expected an archive or a cache"
        raise OSError(EINVAL, reason)
    return _There(kind(fo=there.system.open(there.path, "rb")), path, there)


def _there(place: Place) -> _There:
    there = _system(place.link, place.inner)
    return there._replace(path=place.path) if place.path else there


def name_of(place: Place) -> str:
    """Return the name of a file without folders, of whatever system, and on one line.

    Another file is named after it, and who made an archive may have chosen it.
    """
    if not place.path and place.inner is not None and "://" not in place.link:  # a cache
        return name_of(place.inner)
    links = without_secrets(place.link).split("::")
    path = place.path or next(link for link in links if "://" in link)
    return one_line(ntpath.basename(path))


def make_folder(url: str) -> None:
    """Make a folder, if its file system has folders. Raises `OSError`."""
    core = _core(url)
    with _fsspec_errors(url):
        system, path = core.url_to_fs(url)
        system.makedirs(path, exist_ok=True)


@contextmanager
def read_from(place: Place) -> Iterator[BinaryIO]:
    """Open a file behind a URL. Raises `OSError`, and so does the file."""
    with _fsspec_errors(place.url):
        there = _there(place)
        file: Any = _File(place.url, there.system.open(there.path, "rb"))
    try:
        yield file
    finally:
        file.close()


@contextmanager
def write_to(url: str) -> Iterator[BinaryIO]:
    """Open a URL to write; what is written is there whole, or not at all.

    Raises `OSError`, and so does the file.
    """
    core = _core(url)
    with _fsspec_errors(url):
        system, path = core.url_to_fs(url)
    transaction = system.transaction
    transaction.start()
    is_whole = False
    try:
        with _fsspec_errors(url):
            file: Any = _File(url, system.open(path, "wb"))
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
