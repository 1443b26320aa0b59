"""Stores of checked-in media: objects of bytes, named by their SHA-256."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any, Final, Protocol
from uuid import uuid4

__all__ = ["FileStore", "Store"]

_DAY: Final = 24 * 60 * 60  # seconds


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
    is ever deleted here: give the folder an expiry rule where the store has them. An object that is
    put again after a day is written again, so that its age counts from then.
    """

    def __init__(self, url: str, **options: Any) -> None:
        from fsspec.core import url_to_fs

        self._files, self._root = url_to_fs(url, **options)
        self._is_local = getattr(self._files, "local_file", False)

    def put(self, sha256: str, data: memoryview) -> None:
        """Write an object, unless one of that size is there, less than a day old."""
        path = self._path(sha256)
        if self._is_young(path, len(data)):
            return
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        if not self._is_local:
            self._files.pipe_file(path, bytes(data))
            return
        part = f"{path}.{uuid4().hex}.part"
        try:
            self._files.pipe_file(part, data)
            self._files.mv(part, path)
        except BaseException:
            with suppress(OSError):
                self._files.rm_file(part)
            raise

    def get(self, sha256: str, most: int) -> bytes:
        """Read an object. Raises `FileNotFoundError` if there is none."""
        path = self._path(sha256)
        if self._is_local:  # a local read would allocate all of `most` at once
            most = min(most, self._files.size(path))
        data: bytes = self._files.cat_file(path, start=0, end=most)
        return data

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
