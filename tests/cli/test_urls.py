"""URLs in the command: what a pattern names, folders, and file systems that fail."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from tests.cli.running import run
from wireglot.cli.sources import named
from wireglot.cli.urls import without_secrets

CHAT = '{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
CLAUDE = (
    '{"model":"m","max_tokens":8192,"messages":'
    '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}'
)


class ServiceError(Exception):
    """The error of a client library, which is not an `OSError`."""


ERRORS: dict[str, Exception] = {
    "service": ServiceError("refused by https://u:se@cret@h/x?signature=secret"),
    "gone": FileNotFoundError("h/x"),
    "pipe": BrokenPipeError(32, "Broken pipe"),
    "silent": TimeoutError(),
}


class _File(io.BytesIO):
    """A file whose connection breaks after a while."""

    def __init__(self, data: bytes, good: int, error: Exception) -> None:
        super().__init__(data)
        self._good = good
        self._error = error

    def read(self, size: int | None = -1) -> bytes:
        self._good -= 1
        if self._good < 0:
            raise self._error
        return super().read(size)

    def commit(self) -> None:
        raise self._error

    def discard(self) -> None:
        pass


class Breaking(MemoryFileSystem):
    """`breaking://REASON/READS/PATH`: fails for a reason after some reads, or as it is written."""

    protocol = "breaking"

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return path.removeprefix("breaking://").rpartition("@")[2]

    def _open(self, path: str, mode: str = "rb", **kwargs: Any) -> Any:
        reason, reads, name = path.split("/")
        stored = b"" if mode == "wb" else MemoryFileSystem().cat(f"/{name}")
        return _File(stored, int(reads), ERRORS[reason])


class Hosts(MemoryFileSystem):
    """`hosts://USER@HOST/PATH`: its paths are without the host, as those of FTP are.

    Each host has one file, `/logs/HOST.json`.
    """

    protocol = "hosts"
    cachable = False

    def __init__(self, host: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._host = host

    @staticmethod
    def _get_kwargs_from_urls(url: str) -> dict[str, str]:
        return {"host": url.partition("://")[2].partition("/")[0].rpartition("@")[2]}

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return "/" + path.rpartition("@")[2].partition("/")[2]

    def find(self, path: str, *args: Any, **kwargs: Any) -> dict[str, dict[str, str]]:
        name = f"/logs/{self._host}.json"
        return {name: {"name": name, "type": "file"}} if name.startswith(path) else {}

    def isdir(self, path: str) -> bool:
        return False

    def _open(self, path: str, mode: str = "rb", **kwargs: Any) -> Any:
        assert path == f"/logs/{self._host}.json"
        return io.BytesIO(CHAT.encode())


@pytest.fixture(autouse=True)
def memory() -> Iterator[Any]:
    """Give an empty file system in memory."""
    fsspec.register_implementation("breaking", Breaking, clobber=True)
    fsspec.register_implementation("hosts", Hosts, clobber=True)
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()
    system.pseudo_dirs[:] = [""]


def _archive() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name in ("1.json", "in/2.json", "notes.txt"):
            archive.writestr(name, CHAT)
    return data.getvalue()


@pytest.mark.parametrize(
    ("pattern", "urls"),
    [
        ("memory://z/*.zip", ["memory://z/a.zip", "memory://z/b.zip"]),
        ("zip://*.json::memory://z/a.zip", ["zip://1.json::memory://z/a.zip"]),
        (
            "zip://**/*.json::memory://z/*.zip",
            [
                "zip://1.json::memory://z/a.zip",
                "zip://in/2.json::memory://z/a.zip",
                "zip://1.json::memory://z/b.zip",
                "zip://in/2.json::memory://z/b.zip",
            ],
        ),
        (
            "simplecache::memory://z/*.zip",
            ["simplecache::memory://z/a.zip", "simplecache::memory://z/b.zip"],
        ),
        (
            "simplecache::zip://in/*::memory://z/a.zip",
            ["simplecache::zip://in/2.json::memory://z/a.zip"],
        ),
        ("hosts://u:secret@one/logs/o*.json", ["hosts://u:secret@one/logs/one.json"]),
        ("hosts://u:se@cret@one/logs/*.json", ["hosts://u:se@cret@one/logs/one.json"]),
        ("memory://n/a[1]*", ["memory://n/a[1].json"]),
        ("memory://n/a?*", ["memory://n/a?.json"]),
        ("memory://n[1]/*", ["memory://n[1]/a.json"]),
        ("memory://n/a[1].json", ["memory://n/a[1].json"]),
        ("memory://n/none?.json", ["memory://n/none?.json"]),
    ],
)
def test_a_pattern_names_urls_that_can_be_opened(
    pattern: str, urls: list[str], memory: Any
) -> None:
    memory.pipe({"/z/a.zip": _archive(), "/z/b.zip": _archive()})
    names = ("/n/a[1].json", "/n/a1.json", "/n/a?.json", "/n[1]/a.json", "/n1/a.json")
    memory.pipe(dict.fromkeys(names, CHAT.encode()))
    assert [given.name for given in named([pattern])] == [without_secrets(url) for url in urls]


@pytest.mark.parametrize("pattern", ["hosts://u:secret@one/logs/t*.json", "memory://n/[a]*"])
def test_a_pattern_of_no_file_is_named_without_its_secrets(pattern: str, memory: Any) -> None:
    memory.pipe("/n/a", CHAT.encode())
    shown = pattern.replace("u:secret@", "")
    assert run("check", pattern) == (1, "", f"wireglot: {shown}: no file matches\n")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("s3://b/a.json", "s3://b/a.json"),
        ("ftp://u:p@h/x", "ftp://h/x"),
        ("ftp://u:p@ss@h/x", "ftp://h/x"),
        ("ftp://u:p/ss@h/x", "ftp://h/x"),
        ("ftp://u:p?ss@h/x", "ftp://"),
        ("ftp://u:p/s?s@h/x", "ftp://"),
        ("ftp://:p@h/x", "ftp://h/x"),
        ("https://token@h/x?signature=s", "https://h/x"),
        ("webdav+https://token@h/x", "webdav+https://h/x"),
        ("https://h?mail=a@b/c", "https://"),
        ("https://h:443/a@b?x", "https://h:443/a@b"),
        ("hdfs://node:8020/a@b", "hdfs://node:8020/a@b"),
        ("abfs://c@account.dfs.core.windows.net/x", "abfs://c@account.dfs.core.windows.net/x"),
        ("github://org:repo@main/a", "github://main/a"),
        ("hf://datasets/org/data@main/a", "hf://datasets/org/data@main/a"),
        (
            "zip://a@b.json?q::abfs://c@account/x.zip?sig=s",
            "zip://a@b.json::abfs://c@account/x.zip",
        ),
        ("simplecache::ftp://u:p@h/x?q", "simplecache::ftp://h/x"),
        ("zip://a.json?q::simplecache::s3://k:v@b/x", "zip://a.json::simplecache::s3://b/x"),
        ("https://h/x?sig=a::b", "https://h/x"),
        ("file://C:/a@b", "file://C:/a@b"),
        ("refused by https://u:p@h/x?q at ftp://u:p@h", "refused by https://h/x"),
    ],
)
def test_a_url_is_shown_without_what_may_be_a_secret(url: str, shown: str) -> None:
    assert without_secrets(url) == shown


def test_containers_of_one_account_are_told_apart(memory: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    urls = ("hosts://a@one/logs/one.json", "hosts://b@one/logs/one.json")
    assert run("convert", *urls, "--to", "anthropic", "-o", str(out)).code == 0
    assert pq.read_table(out)["source"].to_pylist() == [*urls]


def test_what_a_pattern_of_a_chain_named_is_read(memory: Any) -> None:
    memory.pipe("/z/a.zip", _archive())
    done = run("convert", "simplecache::zip://**/*.json::memory://z/*.zip", "--to", "anthropic")
    assert done == (0, f"{CLAUDE}\n{CLAUDE}\n", "")
    done = run("convert", "hosts://u:se@cret@one/logs/*.json", "--to", "anthropic")
    assert done == (0, CLAUDE, "")


def test_a_folder_may_be_a_url(memory: Any, tmp_path: Path) -> None:
    memory.pipe("/z/a.zip", _archive())
    path = tmp_path / "1.json"
    path.write_text(CHAT)
    given = ("convert", str(path), "zip://**/*.json::memory://z/a.zip", "--to", "anthropic", "-o")
    assert run(*given, "memory://out/new/") == (0, "", "")
    found = {name: memory.cat(name).decode() for name in memory.find("/out")}
    assert found == {
        "/out/new/1.anthropic.json": CLAUDE,
        "/out/new/1.2.anthropic.json": CLAUDE,
        "/out/new/2.anthropic.json": CLAUDE,
    }
    assert run(*given, f"file://{tmp_path}/new/out/").code == 0
    assert (tmp_path / "new" / "out" / "2.anthropic.json").read_text() == CLAUDE


@pytest.mark.parametrize("name", ["x.jsonl", "x.parquet", "x.jsonl.gz"])
@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("service", "refused by https://h/x"),
        ("gone", "No such file or directory"),
        ("pipe", "Broken pipe"),
        ("silent", "TimeoutError"),
    ],
)
@pytest.mark.parametrize("reads", [0, 1, 3])
@pytest.mark.parametrize(
    "command",
    [("check",), ("stats",), ("convert", "--to", "anthropic", "-o", "memory://o")],
    ids=["check", "stats", "convert"],
)
def test_a_connection_that_breaks_is_one_line(
    name: str, reason: str, text: str, reads: int, command: tuple[str, ...], memory: Any
) -> None:
    chat = CHAT.replace("Hi", "Hi" * 1000)
    lines = f"{chat}\n".encode() * 2500
    table = io.BytesIO()
    bodies = pa.table({"body": [chat] * 2500})
    pq.write_table(bodies, table, row_group_size=100, use_dictionary=False, compression="none")
    stored = {".jsonl": lines, "arquet": table.getvalue(), "onl.gz": gzip.compress(lines, 0)}
    memory.pipe(f"/{name}", stored[name[-6:]])
    shown = f"breaking://{reason}/{reads}/{name}"
    done = run(*command, shown.replace("://", "://u:se@cret@"))
    assert (done.code, done.said.splitlines()[-1]) == (1, f"wireglot: {shown}: {text}")
    assert "cret" not in done.said


def test_a_file_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(CHAT)
    for name in ("x.json", "x.parquet"):
        url = f"breaking://u:se@cret@service/0/{name}"
        done = run("convert", str(path), "--to", "anthropic", "-o", url)
        said = f"wireglot: breaking://service/0/{name}: refused by https://h/x\n"
        assert done == (1, "", said)
