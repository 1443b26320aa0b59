"""FILE arguments -> bytes: files, patterns, standard input, decompressed, in blocks of lines."""

from __future__ import annotations

import codecs
import errno
import glob
import gzip
import io
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from .._runtime.extras import needs
from ..errors import DecodeError, LimitError
from ..limits import DEFAULT_LIMITS
from .urls import Place, is_url, name_of, places_of, read_from, without_secrets

if TYPE_CHECKING:
    from .rows import Rows

__all__ = ["PACKED", "STDIN", "Input", "Source", "named", "opened"]

STDIN = "-"
_BLOCK = 1024 * 1024
_FIRST_LINES = 32
_ENOUGH = 16 * 1024 * 1024
PACKED: Final = (".gz", ".zst")
"""The endings of the names of compressed files; a file is known by its first bytes."""
_MAGIC = "*?["


class Input(NamedTuple):
    """What the arguments name; `name` is shown. A `place` is a path, None is standard input.

    What a pattern found is a file whatever its name is, `-` or the text of a URL.
    """

    name: str
    place: str | Place | None

    @property
    def base(self) -> str:
        """The name without folders, for a file that is named after it."""
        if isinstance(self.place, Place):
            return name_of(self.place)
        return os.path.basename(self.place or self.name)


class Source:
    """An open input. `size` is its stored size in bytes, None if unknown.

    `base` is its name without folders.

    With `is_growing`, its first lines are those that are there, however few they are. A Parquet
    file has `rows` in place of lines; `column` names the one with the documents.

    Raises `OSError` if it is also the file that standard output writes to: it would never end;
    `DecodeError` if it is growing and compressed: what was compressed last cannot be read yet.
    """

    def __init__(
        self,
        name: str,
        stored: BinaryIO,
        size: int | None,
        *,
        base: str = "",
        is_growing: bool = False,
        column: str | None = None,
    ) -> None:
        self.name: str = name
        self.base: str = base
        self.size: int | None = size
        self._stored: BinaryIO = stored
        if _is_output(stored):
            raise OSError(errno.EINVAL, "it is the output, too", self.name)
        start = _stored_bytes(stored, _BLOCK, self.name)
        whole: Any = _Rest(start, stored, self.name)
        self.rows: Rows | None = None
        if start.startswith(b"PAR1"):
            from .rows import Rows

            self.rows = Rows(stored, column)
            whole = io.BytesIO()
        unpacked = next((_UNPACKED[magic] for magic in _UNPACKED if start.startswith(magic)), None)
        if unpacked is not None:
            if is_growing:
                raise DecodeError("compressed file, expected plain lines", wire="cli")
            whole = unpacked(whole)
        self._blocks: Iterator[bytes] = _blocks(whole)
        head = _head(self._blocks, 0 if is_growing else _FIRST_LINES)
        self.head: bytes = head.removeprefix(codecs.BOM_UTF8)
        """The first lines: some dozens or some megabytes at least, or all that there is."""

    def position(self) -> int:
        """Return how many of the `size` bytes were read."""
        return 0 if self.size is None else self._stored.tell()

    def blocks(self) -> Iterator[bytes]:
        """Yield all blocks, once. Each but the last ends in a line feed."""
        return chain((self.head,), self._blocks)

    def whole(self) -> bytes:
        """Return all of it. Raises `LimitError` over 256 MiB."""
        parts = []
        size = 0
        for block in self.blocks():
            parts.append(block)
            size += len(block)
            if size > DEFAULT_LIMITS.bytes:
                raise LimitError(
                    f"document of more than {DEFAULT_LIMITS.bytes:,} bytes", wire="cli"
                )
        return b"".join(parts)


@contextmanager
def opened(given: Input, column: str | None = None) -> Iterator[Source]:
    """Open an input; `column` is that of `Source`.

    Raises `OSError`.
    """
    name, place = given
    if place is None:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "it is closed", name)
        yield Source(name, sys.stdin.buffer, None, base=given.base, column=column)
    elif isinstance(place, Place):
        with read_from(place) as remote:
            size = getattr(remote, "size", None)
            yield Source(name, remote, size, base=given.base, column=column)
    else:
        with open(place, "rb", buffering=0) as stored:
            size = os.fstat(stored.fileno()).st_size if os.path.isfile(place) else None
            yield Source(name, stored, size, base=given.base, column=column)


def named(arguments: Iterable[str]) -> list[Input]:
    """Return the inputs that the arguments name; a pattern is expanded, `**` too.

    Raises `FileNotFoundError` for a pattern that nothing matches.
    """
    inputs: list[Input] = []
    for argument in arguments:
        if argument == STDIN:
            inputs.append(Input("stdin", None))
        elif is_url(argument):
            places = places_of(argument)
            inputs += [Input(_text(without_secrets(place.url)), place) for place in places]
        elif os.path.exists(argument) or not set(_MAGIC) & set(argument):
            inputs.append(Input(_text(argument), argument))
        else:
            found = sorted(filter(os.path.isfile, glob.glob(argument, recursive=True)))
            if not found:
                raise FileNotFoundError(2, "no file matches", argument)
            inputs += [Input(_text(name), name) for name in found]
    return inputs


def _text(name: str) -> str:
    """Return a name as text; where it is not UTF-8, Python has lone surrogates."""
    return _SURROGATE.sub("\ufffd", name)


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _is_output(stored: BinaryIO) -> bool:
    with suppress(OSError, AttributeError):  # without a number, or closed
        there, here = os.fstat(stored.fileno()), os.fstat(sys.stdout.fileno())
        return stat.S_ISREG(there.st_mode) and os.path.samestat(there, here)
    return False


def _head(blocks: Iterator[bytes], lines: int) -> bytes:
    head = b""
    for block in blocks:
        head += block
        is_long = len(head) >= _ENOUGH and b"\n" in head.strip()  # two lines that are not blank
        if is_long or head.count(b"\n") > lines:
            break
    return head


def _blocks(stream: Any) -> Iterator[bytes]:
    rest: list[bytes] = []
    size = 0
    while chunk := stream.read(_BLOCK):
        end = chunk.rfind(b"\n") + 1
        if end:
            yield b"".join((*rest, chunk[:end]))
            rest = []
            size = 0
        if end < len(chunk):
            rest.append(chunk[end:])
            size += len(chunk) - end
        if size > DEFAULT_LIMITS.bytes:
            raise LimitError(f"line of more than {DEFAULT_LIMITS.bytes:,} bytes", wire="cli")
    if rest:
        yield b"".join(rest)


def _stored_bytes(stream: Any, size: int, name: str) -> bytes:
    """Read bytes. Raises `OSError` with the name, unlike an error of our output."""
    try:
        data: Any = stream.read(size)
    except OSError as error:
        raise OSError(error.errno, error.strerror, name) from error
    if data is None:  # a pipe in non-blocking mode: this is not its end
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), name)
    made: bytes = data
    return made


class _Rest:
    """A stream whose first bytes were read already."""

    def __init__(self, start: bytes, stream: BinaryIO, name: str) -> None:
        self._start = start
        self._stream = stream
        self._name = name

    def read(self, size: int) -> bytes:
        start = self._start
        if not start:
            return _stored_bytes(self._stream, size, self._name)
        self._start = start[size:]
        return start[:size]


class _Unpacked:
    """The content of a compressed stream; no more of it is in memory than is asked for."""

    def __init__(self, name: str, stream: Any, *errors: type[Exception]) -> None:
        self._name = name
        self._stream = stream
        self._errors = errors

    def read(self, size: int) -> bytes:
        try:
            data: bytes = self._stream.read(size)
        except self._errors as error:
            raise DecodeError(f"{self._name} is malformed: {error}", wire="cli") from error
        return data


def _gzip(stored: Any) -> _Unpacked:
    stream = gzip.GzipFile(fileobj=stored)
    return _Unpacked("gzip", stream, EOFError, zlib.error, gzip.BadGzipFile)


def _zstd(stored: Any) -> _Unpacked:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        with needs("a file in Zstandard", "'wireglot[cli]'"):
            from backports import zstd
    # It refuses a frame that needs a window of over 128 MiB, as the program `zstd` does.
    return _Unpacked("Zstandard", zstd.ZstdFile(stored), EOFError, zstd.ZstdError)


_UNPACKED: Final[dict[bytes, Callable[[Any], _Unpacked]]] = {
    b"\x1f\x8b": _gzip,
    b"\x28\xb5\x2f\xfd": _zstd,
}
"""By the first bytes of a file."""
