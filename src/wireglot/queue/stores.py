"""Stores of checked-in media: objects of bytes, named by their SHA-256."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import Any, Final, Protocol
from uuid import uuid4

from .._runtime.extras import needs

__all__ = ["FileStore", "Store"]

_DAY: Final = 24 * 60 * 60  # seconds
_PIECE: Final = 256 * 1024
_PARTS: Final = "parts"
"""The folder of objects that are being written; a hash never begins like this."""
_MOST: Final = 100_000


class Store(Protocol):
    """What `check_in` and `check_out` need from a store. They wait for it, so it may be slow."""

    def put(self, sha256: str, data: memoryview) -> None:
        """Keep `data`, and for as long as if it were new. No reader may see a part of it."""
        ...

    def get(self, sha256: str, most: int) -> bytes:
        """Return what was kept, but no more than `most` bytes.

        Raises `FileNotFoundError` if there is nothing.
        """
        ...


class FileStore:
    """A folder of any file system that fsspec knows: `memory://`, a local path, `s3://`, `gs://`...

    `options` are those of the file system (keys, endpoints). An object is never visible in part: on
    a local disk it is renamed when it is complete, and object stores do that by themselves. Nothing
    is ever deleted here but what was left of writing: give the folder an expiry rule where the
    store has them. An object that is put again after a day is written again, so that its age counts
    from then.

    On a local disk `put` returns when the object will survive a power cut; `sync=False` leaves it
    to the system when to write, for media that may be lost. Another object of the same name is
    replaced there, whatever it is. Other stores are trusted to keep what they took: there, an
    object of the right size is not read to compare it.
    """

    def __init__(self, url: str, *, sync: bool = True, **options: Any) -> None:
        with needs("wireglot.queue.FileStore", "'wireglot[queue]'"):
            from fsspec.core import url_to_fs

        self._files, self._root = url_to_fs(url, **options)
        self._is_local = getattr(self._files, "local_file", False)
        self._syncs = sync
        self._synced: set[str] = set()  # of this process; to ask the disk again takes milliseconds

    def put(self, sha256: str, data: memoryview) -> None:
        """Write an object, unless it is there, less than a day old."""
        path = self._path(sha256)
        is_there = self._is_young(path, len(data))
        if self._is_local:
            if not (is_there and _holds(path, data)):
                self._write(path, data)
            elif self._syncs and sha256 not in self._synced:
                _sync(path)  # who wrote it may not have come so far
                _sync(os.path.dirname(path))
            if self._syncs:
                self._remember(sha256)
        elif not is_there:
            self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._files.pipe_file(path, bytes(data))

    def get(self, sha256: str, most: int) -> bytes:
        """Read an object. Raises `FileNotFoundError` if there is none."""
        path = self._path(sha256)
        if self._is_local:  # a local read would allocate all of `most` at once
            most = min(most, self._files.size(path))
        data: bytes = self._files.cat_file(path, start=0, end=most)
        return data

    def _remember(self, sha256: str) -> None:
        if len(self._synced) >= _MOST:
            self._synced.clear()
        self._synced.add(sha256)

    def _write(self, path: str, data: memoryview) -> None:
        """Write a file, and give it its name when it is on disk."""
        folder = os.path.dirname(path)
        self._make(folder)
        parts = f"{self._root}/{_PARTS}"
        self._make(parts)
        _sweep(parts)
        part = f"{parts}/{uuid4().hex}.part"
        try:
            with open(part, "xb") as stream:
                stream.write(data)
                if self._syncs:
                    stream.flush()
                    os.fsync(stream.fileno())
            os.replace(part, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(part)
            raise
        if self._syncs:
            _sync(folder)

    def _make(self, folder: str) -> None:
        """Make a folder and those above it that are missing; their names are to survive, too."""
        if os.path.isdir(folder):
            return
        above = os.path.dirname(folder)
        if above != folder:
            self._make(above)
        with suppress(FileExistsError):
            os.mkdir(folder)
        if self._syncs:
            _sync(above)

    def _is_young(self, path: str, size: int) -> bool:
        """Return whether an object is there, and an expiry rule will not soon delete it."""
        try:
            if self._files.size(path) != size:
                return False
            written: float = self._files.modified(path).timestamp()
        except (FileNotFoundError, NotImplementedError):  # not all file systems know an age
            return False
        return time.time() - written < _DAY

    def _path(self, sha256: str) -> str:
        return f"{self._root}/{sha256[:2]}/{sha256}"


def _holds(path: str, data: memoryview) -> bool:
    """Return whether a file has this content and no more."""
    at = 0
    try:
        with open(path, "rb", buffering=0) as stream:
            while piece := stream.read(_PIECE):
                # Two of `bytes`: a memoryview is compared item by item, which is ten times slower.
                if piece != bytes(data[at : at + len(piece)]):
                    return False
                at += len(piece)
    except OSError:  # unreadable, or deleted since
        return False
    return at == len(data)


def _sync(path: str) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    if os.name == "nt":  # it cannot open a folder, and writes names with the file
        return
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _sweep(parts: str) -> None:
    """Delete what was left by processes that were killed. What others are writing is younger."""
    oldest = time.time() - _DAY
    with suppress(OSError), os.scandir(parts) as entries:
        for entry in entries:
            with suppress(OSError):  # another process may be sweeping
                if entry.name.endswith(".part") and entry.stat().st_mtime < oldest:
                    os.unlink(entry.path)
