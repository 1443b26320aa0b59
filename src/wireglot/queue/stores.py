"""Stores of checked-in media: objects of bytes, named by their SHA-256."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol
from uuid import uuid4

__all__ = ["FileStore", "Store"]


class Store(Protocol):
    """What `check_in` and `check_out` need from a store. They wait for it, so it may be slow."""

    def put(self, sha256: str, data: memoryview) -> None:
        """Keep `data`, unless it is there. No reader may see a part of it under that name."""
        ...

    def get(self, sha256: str, most: int) -> bytes:
        """Return what was kept, but no more than `most` bytes.

        Raises `FileNotFoundError` if there is nothing.
        """
        ...


class FileStore:
    """A folder of any file system that fsspec knows: `memory://`, a local path, `s3://`, `gs://`...

    `options` are those of the file system (keys, endpoints). An object is written once, and is
    never visible in part: on a local disk it is renamed when it is complete, and object stores do
    that by themselves. Nothing is ever deleted here: give the folder an expiry rule where the store
    has them.
    """

    def __init__(self, url: str, **options: Any) -> None:
        from fsspec.core import url_to_fs

        self._files, self._root = url_to_fs(url, **options)
        self._is_local = getattr(self._files, "local_file", False)

    def put(self, sha256: str, data: memoryview) -> None:
        """Write an object, unless one of that size is there."""
        path = self._path(sha256)
        try:
            if self._files.size(path) == len(data):
                return
        except FileNotFoundError:
            pass
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

    def _path(self, sha256: str) -> str:
        return f"{self._root}/{sha256[:2]}/{sha256}"
