"""Bytes -> a file that is written completely or not at all, or standard output."""

from __future__ import annotations

import errno
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, Final

from .urls import is_url, without_secrets, write_to

__all__ = ["STDOUT", "written"]

STDOUT: Final = "standard output"


@contextmanager
def written(path: str | None) -> Iterator[BinaryIO]:
    """Open a file to write, standard output for None; a failure leaves an older file as it was.

    Raises `OSError` with the name of the file as the caller gave it.
    """
    try:
        with _opened(path) as stream:
            yield stream
    except OSError as error:
        name = path if path is None or not is_url(path) else without_secrets(path)
        raise OSError(error.errno, error.strerror, name or STDOUT) from error


@contextmanager
def _opened(path: str | None) -> Iterator[BinaryIO]:
    if path is not None and is_url(path):
        with write_to(path) as stream:
            yield stream
    elif path is None:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "it is closed")
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif os.path.exists(path) and not os.path.isfile(path):  # a device, or a pipe
        with open(path, "wb") as stream:
            yield stream
    else:
        target = os.path.realpath(path)
        folder, name = os.path.split(target)
        # The name comes first: a signal may arrive at any line after the file is there. It is
        # short, as the target's may have all the bytes that a name can have.
        temporary = os.path.join(folder, f".{name[:40]}.{secrets.token_urlsafe(6)}")
        try:
            with open(temporary, "xb", opener=_private) as stream:
                yield stream
            os.chmod(temporary, _mode(target))
            os.replace(temporary, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(temporary)
            raise


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _mode(path: str) -> int:
    """Return the permissions of an older file, or those that a new one would get."""
    with suppress(OSError):
        return os.stat(path).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
