"""A folder for media: an object is written once a day at most, as a whole or not at all."""

import os
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


def test_an_object_is_written_once_a_day(url: str) -> None:
    store = FileStore(url)
    store.put(HELLO, memoryview(b"hello"))
    files, path = _at(url)
    files.pipe_file(path, b"HELLO")  # of the same size, and so taken for what it should be
    store.put(HELLO, memoryview(b"hello"))
    assert store.get(HELLO, 5) == b"HELLO"
    with pytest.raises(wg.ClaimError, match="is not what was checked in"):
        queue.check_out(wg.DataBlock(url=f"claim:sha256:{HELLO}?size=5"), store)


def _written_days_ago(url: str, days: float) -> None:
    """Set back the time at which the object was written."""
    files, path = _at(url)
    moment = datetime.now(UTC) - timedelta(days=days)
    if url.startswith("memory:"):
        files.store[path].modified = moment
    else:
        os.utime(path, (moment.timestamp(), moment.timestamp()))


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
    with pytest.raises(wg.ClaimError):
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
    files = fsspec.filesystem("file")

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    store = FileStore(str(tmp_path))
    with monkeypatch.context() as patched:
        patched.setattr(files, "mv", killed)
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
