"""Memory after many rounds of the same is what it was before, and slices let go of their input.

`python -m tests.leaks` does a million rounds of each.
"""

import gc
import sys
import tracemalloc
import weakref
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import wireglot as wg
from tests.leaks import JOBS, MALFORMED, Job
from tests.test_translate import BODIES, PATHS

ROUNDS = 200
MOST = 5_000  # less than one object of the smallest size for each round


def _leaks(job: Job) -> bool:
    """Return whether memory grows: a cache that fills does so less and less, a leak as before."""
    tracemalloc.start()
    try:
        for _ in range(5):
            before = _held(job, 20)
            if _held(job, ROUNDS) - before < MOST:
                return False
        return True
    finally:
        tracemalloc.stop()


def _held(job: Job, rounds: int) -> int:
    """Return the bytes that are held after some rounds of a job."""
    while rounds > 0:
        rounds -= job()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("name", [*JOBS, *MALFORMED])
def test_memory_does_not_grow_with_the_rounds(name: str) -> None:
    job = JOBS.get(name) or MALFORMED[name]
    assert not _leaks(job)


@pytest.mark.parametrize("size", [1, 1000])
def test_a_leak_would_be_seen(size: int) -> None:
    kept: list[bytes] = []

    def leaking() -> int:
        kept.append(bytes(size))
        return 1

    assert _leaks(leaking)


@contextmanager
def _no_collector() -> Iterator[None]:
    gc.freeze()  # what other tests have left is not gone through
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize("name", JOBS)
def test_nothing_is_left_to_the_garbage_collector(name: str) -> None:
    JOBS[name]()
    with _no_collector():
        for _ in range(10):
            JOBS[name]()
        assert gc.collect() == 0


# -- slices ---------------------------------------------------------------------------------------

_BLOCKS = (
    '{"type":"image","data":"iVBORw0KGgo="},'
    '{"type":"toolCall","id":"c","name":"n","arguments":{"a":1}},'
    '{"type":"opaque","api":"a","raw":{"b":2},"extras":{"a":{"keys":{"c":3}}}}'
)
DOCUMENT = f'[{{"role":"assistant","content":[{_BLOCKS}],"x":{{"d":4}}}}]'.encode()
PARTS: dict[str, Callable[[wg.AssistantMessage], Any]] = {
    "media": lambda message: message.content[0].data,
    "arguments": lambda message: message.content[1].arguments,
    "an opaque block": lambda message: message.content[2].raw,
    "keys of an API": lambda message: message.content[2].extras["a"].keys,
}


def _body(wire: str) -> Any:
    """Return a document in memory of which it can be told when it is let go."""
    codec = getattr(wg, wire)
    return array("B", codec.encode(wg.json.decode(DOCUMENT)))


def _message(wire: str, body: Any) -> Any:
    [entry] = getattr(wg, wire).decode(memoryview(body).toreadonly())
    return entry


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_a_detached_part_of_a_session_lets_go_of_the_body(wire: str, part: str) -> None:
    body = _body(wire)
    alive = weakref.ref(body)
    with _no_collector():
        kept = PARTS[part](_message(wire, body))
        expected = repr(kept)
        del body
        kept.detach()
        gc.collect()  # of an unknown key, the tolerant reader has left a circle
        assert alive() is None
        assert repr(kept) == expected


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_a_session_that_is_dropped_lets_go_of_the_body(wire: str) -> None:
    body = bytes(_body(wire))
    before = sys.getrefcount(body)
    message = _message(wire, body)
    assert sys.getrefcount(body) > before
    del message
    gc.collect()
    assert sys.getrefcount(body) == before


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_an_error_that_is_dropped_lets_go_of_the_body(wire: str) -> None:
    body = _body(wire)[:-1]
    alive = weakref.ref(body)
    with pytest.raises(wg.DecodeError):
        _message(wire, body)
    del body
    gc.collect()
    assert alive() is None


_PAYLOAD = 3_000_000


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_a_request_that_is_dropped_gives_its_memory_back_at_once(name: str) -> None:
    body = BODIES[name].replace("iVBORw0KGgo=", "A" * _PAYLOAD).encode()
    decode = wg.PROVIDERS[name].decode_request
    decode(BODIES[name], PATHS.get(name))
    tracemalloc.start()
    try:
        with _no_collector():
            request = decode(bytearray(body), PATHS.get(name))  # which has to be copied
            assert tracemalloc.get_traced_memory()[0] > _PAYLOAD
            media = next(
                block.data
                for message in request.messages
                for block in message.content
                if isinstance(block, wg.ImageBlock)
            )
            del request
            assert media is not None
            media.detach()
            assert _PAYLOAD < tracemalloc.get_traced_memory()[0] < 1.2 * _PAYLOAD
            del media
            assert tracemalloc.get_traced_memory()[0] < 0.1 * _PAYLOAD
    finally:
        tracemalloc.stop()
