"""Codecs that many threads share say what they say in one thread; a stream has one of its own.

Threads change places after every few instructions, and start together.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any, TypeVar

import pytest

import wireglot as wg
from tests.clients.turn import RESPONSES, STREAMS
from tests.providers.streams import chunked
from tests.test_translate import BODIES, PATHS

T = TypeVar("T")

THREADS = 8
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(autouse=True)
def _impatient() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def _together(work: Callable[[int], T]) -> list[T]:
    """Return what each of some threads returned that began at the same time."""
    barrier = Barrier(THREADS)

    def begin(number: int) -> T:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(begin, range(THREADS)))


def _words(losses: list[wg.Loss], made: bytes | str) -> tuple[Any, list[str]]:
    return made, [str(loss) for loss in losses]


def _native(path: Path) -> Callable[[], Any]:
    data = path.read_bytes()

    def job() -> Any:
        session = wg.json.decode(data)
        packed = wg.msgpack.encode(session)
        again = wg.msgpack.decode(packed)
        return wg.json.encode(session), packed, wg.json.encode(again), repr(again)

    return job


def _refused(data: bytes) -> Callable[[], str]:
    def job() -> str:
        with pytest.raises(wg.DecodeError) as caught:
            wg.json.decode(data)
        return str(caught.value)

    return job


def _request(source: str, target: str) -> Callable[[], Any]:
    def job() -> Any:
        losses: list[wg.Loss] = []
        path = PATHS.get(source)
        made = wg.translate_request(BODIES[source], source, target, losses=losses, path=path)
        return _words(losses, made)

    return job


def _response(source: str, target: str) -> Callable[[], Any]:
    def job() -> Any:
        losses: list[wg.Loss] = []
        made = wg.translate_response(RESPONSES[source], source, target, losses=losses)
        return _words(losses, made.replace(b'"created', b"\n").partition(b"\n")[0])

    return job


def _stream(source: str) -> Callable[[], Any]:
    def job() -> Any:
        decoder = wg.PROVIDERS[source].StreamDecoder()
        events = [event for chunk in chunked(STREAMS[source], 7) for event in decoder.feed(chunk)]
        events += decoder.finish()
        return [wg.json.encode(event) for event in events], wg.json.encode(decoder.close())

    return job


def _format(name: str) -> Callable[[], Any]:
    form: Any = wg.FORMATS[name]
    path = min((GOLDEN / name).glob("session.json*"))
    data = path.read_bytes()

    def job() -> Any:
        losses: list[wg.Loss] = []
        return _words(losses, form.encode(form.decode(data), losses=losses))

    return job


_NEXT = dict(zip(wg.PROVIDERS, [*list(wg.PROVIDERS)[1:], next(iter(wg.PROVIDERS))], strict=True))
JOBS: dict[str, Callable[[], Any]] = {
    "a session": _native(GOLDEN / "native" / "v1" / "place-all-keys.json"),
    "a session with unknown keys": _native(
        GOLDEN / "native" / "v1" / "unknown-keys-everywhere.json"
    ),
    "a session that is refused": _refused(b'[{"role":"user","content":[{"type":"text"}]}]'),
    "a session that is cut": _refused(b'[{"role":"user","content":['),
    **{f"{a} to itself": _request(a, a) for a in wg.PROVIDERS},
    **{f"{a} to {b}": _request(a, b) for a, b in _NEXT.items()},
    **{f"an answer of {a} to {b}": _response(a, b) for a, b in _NEXT.items()},
    **{f"a stream of {name}": _stream(name) for name in wg.PROVIDERS},
    **{f"a document of {name}": _format(name) for name in wg.FORMATS},
}


@pytest.mark.parametrize("name", JOBS)
def test_many_threads_that_do_the_same_give_what_one_gives(name: str) -> None:
    job = JOBS[name]
    expected = job()
    assert _together(lambda _: [job() for _ in range(5)]) == [[expected] * 5] * THREADS


def test_many_threads_that_do_different_things_give_what_one_gives() -> None:
    names = list(JOBS)
    expected = {name: job() for name, job in JOBS.items()}

    def work(number: int) -> dict[str, Any]:
        turned = names[number * 5 :] + names[: number * 5]
        return {name: JOBS[name]() for name in turned}

    assert _together(work) == [expected] * THREADS


# -- one value in many threads --------------------------------------------------------------------

SESSION = (GOLDEN / "native" / "v1" / "place-all-keys.json").read_bytes().strip()


@pytest.mark.parametrize(
    "look",
    [
        wg.json.encode,
        wg.msgpack.encode,
        repr,
        lambda session: [entry.as_llm() for entry in session],
        lambda session: b"".join(wg.json.encode_lines(session)),
        lambda session: session == wg.json.decode(SESSION),
    ],
    ids=["json", "msgpack", "repr", "messages", "lines", "equality"],
)
def test_one_decoded_session_looks_the_same_to_all_threads(look: Callable[[Any], Any]) -> None:
    expected = look(wg.json.decode(SESSION))
    for _ in range(20):
        session = wg.json.decode(SESSION)
        assert _together(lambda _, session=session: look(session)) == [expected] * THREADS


def test_some_threads_write_a_session_while_others_take_it_apart() -> None:
    looks: list[Callable[[Any], Any]] = [wg.json.encode, wg.msgpack.encode, repr, wg.llm_messages]
    expected = [look(wg.json.decode(SESSION)) for look in looks] * (THREADS // len(looks))
    for _ in range(50):
        session = wg.json.decode(SESSION)

        def work(number: int, session: Any = session) -> Any:
            return looks[number % len(looks)](session)

        assert _together(work) == expected


@pytest.mark.parametrize(
    "look",
    [
        lambda call: call.arguments.value,
        lambda call: call.arguments.text,
        lambda call: bytes(call.arguments.native()),
        lambda call: call.arguments.detach().text,
        wg.json.encode,
    ],
    ids=["value", "text", "native", "detached", "json"],
)
def test_one_call_has_the_same_arguments_in_all_threads(look: Callable[[Any], Any]) -> None:
    data = '{"type":"toolCall","id":"c","name":"n","arguments":{"é": [1e2, {"a": null}]}}'.encode()
    expected = look(wg.json.decode(data, wg.ToolCallBlock))
    for _ in range(20):
        call = wg.json.decode(data, wg.ToolCallBlock)
        assert _together(lambda _, call=call: look(call)) == [expected] * THREADS


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_one_request_is_written_the_same_by_all_threads(name: str) -> None:
    provider = wg.PROVIDERS[name]
    request = provider.decode_request(BODIES[name], PATHS.get(name))
    expected = provider.encode_request(request, losses=[])
    made = _together(lambda _: [provider.encode_request(request, losses=[]) for _ in range(5)])
    assert made == [[expected] * 5] * THREADS


# -- what is made when it is first used -----------------------------------------------------------

FIRST_USE = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
sys.setswitchinterval(1e-6)
import wireglot as wg
barrier = threading.Barrier(8)
session = b'[{"role":"user","x":1,"content":[{"type":"text","text":"Hi"}]}]'
names = ["anthropic", "openai_chat", "openai_responses", "gemini", "bedrock", "mistral", "cohere",
         "ollama"]
def work(number):
    barrier.wait()
    native = wg.json.encode(wg.msgpack.decode(wg.msgpack.encode(wg.json.decode(session))))
    request = wg.Request(wg.llm_messages(wg.json.decode(session)), model="m", max_tokens=1)
    bodies = {}
    for name in names[number:] + names[:number]:
        provider = wg.PROVIDERS[name]
        body = provider.encode_request(request, losses=[])
        bodies[name] = provider.encode_request(provider.decode_request(body), losses=[]) == body
    return native, bodies
with ThreadPoolExecutor(8) as threads:
    for native, bodies in threads.map(work, range(8)):
        assert native == session.replace(b',"x":1', b"")[:-2] + b',"x":1}]', native
        assert bodies == dict.fromkeys(names, True), bodies
print("the same")
"""


@pytest.mark.parametrize("run", range(3))
def test_all_threads_may_be_the_first_to_load_and_use_a_wire(run: int) -> None:
    assert _python(FIRST_USE) == ("the same\n", "")


def _python(code: str) -> tuple[str, str]:
    """Return what a new interpreter prints."""
    path = os.pathsep.join([str(Path(wg.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    made = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code],  # of forks with threads
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    return made.stdout, made.stderr


# -- a fork while another thread holds a lock -----------------------------------------------------

FORK = """
import os, signal, threading, time
import wireglot as wg
from wireglot._runtime.locks import first_use
message = wg.json.decode(b'[{"role":"user","content":[],"turnId":{"loopId":"l","turnIndex":1}}]')[0]
held = threading.Event()
def hold():
    with first_use:
        held.set()
        time.sleep(0.5)
threading.Thread(target=hold).start()
held.wait()
child = os.fork()
if not child:
    signal.alarm(20)  # kills a child that hangs
    with first_use:
        os._exit(message.turn_id.turn_index)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_goes_on_although_another_thread_held_the_lock_at_the_fork() -> None:
    assert _python(FORK) == ("1\n", "")


IN_TURNS = """
import sys, threading, time
from importlib.abc import MetaPathFinder

class Slow(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.startswith("wireglot.") and name.count(".") > 1:
            time.sleep(0.001)

sys.meta_path.insert(0, Slow())
import wireglot
ways = [lambda: __import__(sys.argv[1]), lambda: getattr(wireglot, sys.argv[2])]
threads = [threading.Thread(target=way, daemon=True) for way in ways]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(20)
print(*(thread.is_alive() for thread in threads))
"""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("wireglot.translate", "translate_request"),
        ("wireglot.builtins", "to_builtins"),
        ("wireglot.queue", "queue"),
        ("wireglot.gateway", "gateway"),
    ],
)
def test_a_module_is_imported_and_asked_for_by_two_threads_at_once(module: str, name: str) -> None:
    pytest.importorskip(module)
    made = subprocess.run(
        [sys.executable, "-c", IN_TURNS, module, name], capture_output=True, text=True, check=True
    )
    assert made.stdout == "False False\n"
