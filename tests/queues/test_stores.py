"""A folder for media: an object is whole or not there, and survives a power cut."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import fsspec
import pytest

import wireglot as wg
from wireglot import queue
from wireglot.queue import FileStore

HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"  # of b"hello"


@pytest.fixture(params=["a local folder", "memory"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return where nothing is yet."""
    return f"memory://{uuid4().hex}" if request.param == "memory" else str(tmp_path / "a" / "b")


def _at(url: str) -> tuple[Any, str]:
    files, root = fsspec.url_to_fs(url)
    return files, f"{root}/2c/{HELLO}"


def _together(count: int, work: Callable[[], object]) -> None:
    """Do the same in some threads at once; what one of them raises is raised here."""
    errors: list[BaseException] = []
    start = threading.Barrier(count)

    def run() -> None:
        start.wait()
        try:
            work()
        except BaseException as error:  # noqa: BLE001 -- any of them is to be seen
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_an_object_lies_under_its_hash_as_it_is(url: str) -> None:
    store = FileStore(url)
    store.put(HELLO, memoryview(b"hello"))
    files, path = _at(url)
    assert files.cat_file(path) == b"hello"
    assert store.get(HELLO, 5) == b"hello"
    assert store.get(HELLO, 10**15) == b"hello"
    assert FileStore(url + "/").get(HELLO, 5) == b"hello"


def test_no_more_is_read_than_was_asked_for(url: str) -> None:
    store = FileStore(url)
    store.put(HELLO, memoryview(b"hello"))
    assert store.get(HELLO, 2) == b"he"
    assert store.get(HELLO, 0) == b""


def test_what_is_not_there_is_a_file_that_is_not_found(url: str) -> None:
    store = FileStore(url)
    with pytest.raises(FileNotFoundError):
        store.get(HELLO, 5)
    store.put(HELLO, memoryview(b"hello"))
    with pytest.raises(FileNotFoundError):
        store.get("ab" * 32, 5)


def test_another_object_of_the_same_size_is_replaced_on_a_local_disk(tmp_path: Path) -> None:
    store = FileStore(str(tmp_path))
    path = tmp_path / "2c" / HELLO
    for wrong in (b"HELLO", b"hellO", b"\0\0\0\0\0"):
        store.put(HELLO, memoryview(b"hello"))
        path.write_bytes(wrong)
        with pytest.raises(wg.queue.ClaimError, match="expected what was checked in"):
            queue.check_out(wg.DataBlock(url=f"claim:sha256:{HELLO}?size=5"), store)
        store.put(HELLO, memoryview(b"hello"))
        assert path.read_bytes() == b"hello"


@pytest.mark.parametrize("at", [0, 262_143, 262_144, 999_999])
def test_one_wrong_byte_of_a_large_object_is_mended(tmp_path: Path, at: int) -> None:
    data = bytes(1_000_000)
    store = FileStore(str(tmp_path))
    store.put(HELLO, memoryview(data))
    path = tmp_path / "2c" / HELLO
    path.write_bytes(data[:at] + b"x" + data[at + 1 :])
    store.put(HELLO, memoryview(data))
    assert path.read_bytes() == data


def test_an_object_that_is_there_is_not_written_again(tmp_path: Path) -> None:
    FileStore(str(tmp_path)).put(HELLO, memoryview(b"hello"))
    before = (tmp_path / "2c" / HELLO).stat()
    for sync in (True, False):
        FileStore(str(tmp_path), sync=sync).put(HELLO, memoryview(b"hello"))
    after = (tmp_path / "2c" / HELLO).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_other_stores_are_not_read_to_compare() -> None:
    url = f"memory://{uuid4().hex}"
    store = FileStore(url)
    store.put(HELLO, memoryview(b"hello"))
    files, path = _at(url)
    files.pipe_file(path, b"HELLO")
    store.put(HELLO, memoryview(b"hello"))
    assert store.get(HELLO, 5) == b"HELLO"


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is done to the disk, in order, while it is done."""
    done: list[str] = []

    def fsync(number: int, sync: Callable[[int], None] = os.fsync) -> None:
        name = os.path.basename(os.readlink(f"/proc/self/fd/{number}"))
        done.append(f"sync {'the part' if name.endswith('.part') else name}")
        sync(number)

    def replace(old: str, new: str, rename: Callable[[str, str], None] = os.replace) -> None:
        assert Path(old).read_bytes() == b"hello"
        done.append(f"rename the part to {os.path.basename(new)}")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    return done


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="the names of open files")
def test_an_object_is_on_disk_before_it_has_its_name_and_its_name_when_put_returns(
    tmp_path: Path, disk: list[str]
) -> None:
    folder = tmp_path / "top" / "media"
    (tmp_path / "top").mkdir()
    store = FileStore(str(folder))
    store.put(HELLO, memoryview(b"hello"))
    assert disk == [
        "sync top",  # which has the name of the new folder `media`
        "sync media",  # of `2c`
        "sync media",  # of `parts`
        "sync the part",
        f"rename the part to {HELLO}",
        "sync 2c",
    ]
    disk.clear()
    store.put(HELLO, memoryview(b"hello"))
    assert disk == []
    FileStore(str(folder)).put(HELLO, memoryview(b"hello"))  # perhaps another process wrote it
    assert disk == [f"sync {HELLO}", "sync 2c"]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="the names of open files")
def test_who_need_not_survive_a_power_cut_waits_for_no_disk(
    tmp_path: Path, disk: list[str]
) -> None:
    for _ in range(2):
        FileStore(str(tmp_path), sync=False).put(HELLO, memoryview(b"hello"))
    assert disk == [f"rename the part to {HELLO}"]


def _written_days_ago_at(path: Path, days: float) -> None:
    moment = (datetime.now(UTC) - timedelta(days=days)).timestamp()
    os.utime(path, (moment, moment))


_KILLED = """
import os, sys
from wireglot.queue import FileStore
os.replace = lambda *_: os.kill(os.getpid(), 9)
FileStore(sys.argv[1]).put("2c" * 32, memoryview(b"hello"))
"""


def test_what_a_killed_process_left_is_deleted_after_a_day(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path)], check=False)
    assert killed.returncode == -9
    [left] = tmp_path.rglob("*.part")
    assert left.read_bytes() == b"hello"
    store = FileStore(str(tmp_path))
    _written_days_ago_at(left, 0.9)  # another process may still be writing it
    store.put(HELLO, memoryview(b"hello"))
    assert left.exists()
    _written_days_ago_at(left, 1.1)
    store.put("ab" * 32, memoryview(b"other"))
    names = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(names) == [HELLO, "ab" * 32]


def _written_days_ago(url: str, days: float) -> None:
    """Set back the time at which the object was written."""
    files, path = _at(url)
    moment = datetime.now(UTC) - timedelta(days=days)
    if url.startswith("memory:"):
        files.store[path].modified = moment
    else:
        _written_days_ago_at(Path(path), days)


@pytest.mark.parametrize(("days", "again"), [(0.9, 0.9), (1.1, 0.0), (9.0, 0.0)])
def test_an_object_that_is_put_again_after_a_day_is_as_old_as_a_new_one(
    url: str, days: float, again: float
) -> None:
    store = FileStore(url)
    store.put(HELLO, memoryview(b"hello"))
    _written_days_ago(url, days)
    store.put(HELLO, memoryview(b"hello"))
    files, path = _at(url)
    age = datetime.now(UTC) - files.modified(path)
    assert age / timedelta(days=1) == pytest.approx(again, abs=0.01)
    assert store.get(HELLO, 5) == b"hello"


def test_an_object_of_no_known_age_is_written_again(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise NotImplementedError  # as file systems without ages do

    files, path = _at(url)
    monkeypatch.setattr(type(files), "modified", unknown)
    store = FileStore(url)
    store.put(HELLO, memoryview(b"hello"))
    files.pipe_file(path, b"HELLO")
    store.put(HELLO, memoryview(b"hello"))
    assert store.get(HELLO, 5) == b"hello"


@pytest.mark.parametrize("part", [b"", b"he", b"hello!"])
def test_what_a_crash_left_of_an_object_is_replaced(url: str, part: bytes) -> None:
    files, path = _at(url)
    files.makedirs(path.rpartition("/")[0], exist_ok=True)
    files.pipe_file(path, part)
    store = FileStore(url)
    with pytest.raises(wg.queue.ClaimError):
        queue.check_out(wg.DataBlock(url=f"claim:sha256:{HELLO}?size=5"), store)
    store.put(HELLO, memoryview(b"hello"))
    assert store.get(HELLO, 5) == b"hello"


def test_threads_that_put_the_same_leave_one_object(url: str) -> None:
    data = memoryview(b"hello" * 100_000)
    for number in range(10):
        name = f"{number:064x}"
        _together(4, lambda name=name: FileStore(url).put(name, data))  # type: ignore[misc]
        assert FileStore(url).get(name, len(data) + 1) == data
    files, path = _at(url)
    root = path.removesuffix(f"/2c/{HELLO}")
    assert len(files.find(root)) == 10


def test_whoever_looks_while_an_object_is_written_finds_all_of_it_or_nothing(
    tmp_path: Path,
) -> None:
    store = FileStore(str(tmp_path))
    data = b"hello" * 1_000_000
    found = []
    done = threading.Event()

    def look() -> None:
        while True:
            last = done.is_set()
            try:
                found.append(len(store.get(HELLO, len(data))))
            except FileNotFoundError:
                pass
            if last:
                return

    looking = threading.Thread(target=look)
    looking.start()
    try:
        store.put(HELLO, memoryview(data))
    finally:
        done.set()
        looking.join()
    assert {*found} == {5_000_000}


def test_an_object_that_does_not_get_its_name_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    store = FileStore(str(tmp_path))
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            store.put(HELLO, memoryview(b"hello"))
    with pytest.raises(FileNotFoundError):
        store.get(HELLO, 5)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    store.put(HELLO, memoryview(b"hello"))
    assert store.get(HELLO, 5) == b"hello"


def test_a_folder_may_be_named_by_a_url(tmp_path: Path) -> None:
    FileStore(f"file://{tmp_path}").put(HELLO, memoryview(b"hello"))
    assert (tmp_path / "2c" / HELLO).read_bytes() == b"hello"


def test_two_processes_share_a_folder_by_its_name_alone(url: str) -> None:
    session = [wg.UserMessage([wg.ImageBlock.from_bytes(bytes(100_000), "image/png")])]
    light = queue.check_in(session, FileStore(url))
    assert queue.check_out(light, FileStore(url)) == session
    assert queue.check_out(light, FileStore(url), lazy=True) == session


def test_threads_that_look_at_lazy_media_all_see_them(url: str) -> None:
    block = wg.DataBlock.from_bytes(bytes(range(256)) * 1000)
    store = FileStore(url)
    lazy = queue.check_out(queue.check_in(block, store), store, lazy=True)
    assert lazy.data is not None
    seen: list[bytes] = []
    _together(4, lambda: seen.append(lazy.data.to_bytes()))  # type: ignore[union-attr]
    assert seen == [bytes(range(256)) * 1000] * 4
