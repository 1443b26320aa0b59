"""Processes that die under load: the provider's, before and after its first byte, and ours."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from tests.gateway.dying import Target, ask, text_of
from tests.gateway.provider import ANSWER, END, START
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app
from wireglot.gateway.server import Guarded

ROOT = Path(__file__).parents[2]
CLIENTS = 32
GRACE = 1.0  # seconds
LAST_CHUNK = b"\r\n0\r\n\r\n"


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: %b\r\n"
WHOLE = _HEAD % b"application/json" + b"content-length: %d\r\n\r\n" % len(ANSWER) + ANSWER
BEGUN = _HEAD % b"text/event-stream" + b"transfer-encoding: chunked\r\n\r\n" + chunk(START)
REST = chunk(END) + b"0\r\n\r\n"
WAYS = pytest.mark.parametrize(
    "path", ["/v1/messages", "/v1/chat/completions"], ids=["passed through", "translated"]
)
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
KILLS = pytest.mark.parametrize("is_killed", [False, True], ids=["reset", "SIGKILL"])


def bodies(count: int, stream: bool, model: str = "m") -> list[bytes]:
    """Return requests that can be told apart."""
    said = b"true" if stream else b"false"
    form = b'{"model":"%b","stream":%b,"max_tokens":9,"messages":[{"role":"user","content":"%b"}]}'
    return [form % (model.encode(), said, b"Hello %d" % i) for i in range(count)]


def run(test: Coroutine[Any, Any, None], seconds: float = 20) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(seconds):
            await test

    asyncio.run(bounded())


@asynccontextmanager
async def dying(begin: bytes, is_killed: bool) -> AsyncIterator[tuple[str, Any, Any]]:
    """Yield the address of a provider, what waits for so many requests, and what ends it."""
    if not is_killed:
        target = Target(begin)
        async with target.listening() as address:

            async def reset() -> list[bytes]:
                target.ends.set()
                return target.asked

            yield address, target.until, reset
        return
    command = ["-m", "tests.gateway.dying", begin.decode()]
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=PIPE, cwd=ROOT)
    assert process.stdout is not None
    lines = process.stdout
    asked: list[bytes] = []

    async def until(count: int) -> None:
        while len(asked) < count:
            asked.append((await lines.readline()).strip())

    async def kill() -> list[bytes]:
        process.kill()
        await process.wait()
        asked.extend((await lines.read()).split(b"\n")[:-1])
        return asked

    try:
        yield (await lines.readline()).decode().strip(), until, kill
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@asynccontextmanager
async def gateway(first: str, spare: str | None = None) -> AsyncIterator[str]:
    """Yield the address of a gateway in this event loop."""
    routes = [ModelRoute("m", "anthropic", first, fallback=None if spare is None else "spare")]
    if spare is not None:
        routes.append(ModelRoute("spare", "anthropic", spare))
    async with served(create_app(Config(routes)), http=Guarded) as here:
        yield here


@WAYS
@STREAMS
@KILLS
def test_before_the_first_byte_each_request_goes_to_the_fallback_once(
    path: str, stream: bool, is_killed: bool
) -> None:
    spare = Target(BEGUN + REST if stream else WHOLE, b"")
    spare.ends.set()
    asked = bodies(CLIENTS, stream)
    texts = sorted(map(text_of, asked))

    async def test() -> None:
        async with (
            dying(b"", is_killed) as (first, until, end),
            spare.listening() as there,
            gateway(first, there) as here,
        ):
            waiting = [asyncio.create_task(ask(here, path, body)) for body in asked]
            await until(CLIENTS)
            seen = await end()
            answers = await asyncio.gather(*waiting)
            assert sorted(seen) == texts
        assert sorted(spare.asked) == texts
        for answer in answers:
            assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
            assert answer.count(b"HTTP/1.1 ") == 1
            assert answer.count(b'"Hi"' if stream else b'"Hi."') == 1
            assert answer.endswith(LAST_CHUNK) is stream

    run(test())


@WAYS
@STREAMS
@KILLS
def test_before_the_first_byte_and_without_fallback_it_is_an_error_of_the_wire(
    path: str, stream: bool, is_killed: bool
) -> None:
    asked = bodies(CLIENTS, stream)

    async def test() -> None:
        async with dying(b"", is_killed) as (first, until, end), gateway(first) as here:
            waiting = [asyncio.create_task(ask(here, path, body)) for body in asked]
            await until(CLIENTS)
            seen = await end()
            answers = await asyncio.gather(*waiting)
            assert sorted(seen) == sorted(map(text_of, asked))
        for answer in answers:
            assert answer.startswith(b"HTTP/1.1 502 Bad Gateway\r\n")
            assert answer.count(b"HTTP/1.1 ") == 1
            begin = b'\r\n\r\n{"type":"error",' if path == "/v1/messages" else b'\r\n\r\n{"error":{'
            assert begin in answer

    run(test())


@WAYS
def test_a_kept_connection_that_is_reset_carries_no_request_again(path: str) -> None:
    target = Target(WHOLE, b"")
    target.ends.set()

    async def test() -> None:
        async with target.listening() as there, gateway(there) as here:
            first = await asyncio.gather(*(ask(here, path, body) for body in bodies(8, False)))
            assert all(answer.startswith(b"HTTP/1.1 200 OK\r\n") for answer in first)
            target.begin, target.rest = b"", None
            asked = bodies(CLIENTS, False)
            answers = await asyncio.gather(*(ask(here, path, body) for body in asked))
        assert {answer[:13] for answer in answers} == {b"HTTP/1.1 502 "}
        assert sorted(target.asked[8:]) == sorted(map(text_of, asked))

    run(test())


@WAYS
@KILLS
def test_after_the_first_byte_every_client_sees_an_error_and_nothing_is_asked_again(
    path: str, is_killed: bool
) -> None:
    spare = Target(BEGUN + REST, b"")
    spare.ends.set()
    asked = bodies(CLIENTS, True)
    begun = [asyncio.Event() for _ in asked]

    async def test() -> None:
        async with (
            dying(BEGUN, is_killed) as (first, until, end),
            spare.listening() as there,
            gateway(first, there) as here,
        ):
            tasks = [
                asyncio.create_task(ask(here, path, body, event))
                for body, event in zip(asked, begun, strict=True)
            ]
            await until(CLIENTS)
            for event in begun:
                await event.wait()
            seen = await end()
            answers = await asyncio.gather(*tasks)
            assert sorted(seen) == sorted(map(text_of, asked))
        assert spare.asked == []
        for answer in answers:
            assert answer.count(b'"Hi"') == 1
            assert b"message_stop" not in answer
            if path == "/v1/messages":  # cut where the provider was cut
                assert not answer.endswith(LAST_CHUNK)
            else:
                assert b'data: {"error":{"message":"anthropic broke off: ' in answer
                assert b'"finish_reason":"' not in answer
                assert b"[DONE]" not in answer

    run(test())


# -- The command ---------------------------------------------------------------------------------

ROUTE = """
[[routes]]
model = "m"
provider = "anthropic"
url = "{}"
name = "{}"
"""
HAS_SIGNALS = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signals here")


class Gateway:
    """The command as a process, and what it has said."""

    def __init__(self, process: Process) -> None:
        assert process.stderr is not None
        self.process = process
        self.log = ""
        self._stderr = process.stderr
        self._changed = asyncio.Condition()
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for line in self._stderr:
            async with self._changed:
                self.log += line.decode()
                self._changed.notify_all()

    async def says(self, text: str, count: int = 1) -> None:
        """Wait until the log has a text."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.log.count(text) >= count)

    async def ended(self) -> int:
        """Wait for the end of the process, and of its log."""
        await self._reading
        return await self.process.wait()


@asynccontextmanager
async def command(config: Path, port: int, workers: int = 1) -> AsyncIterator[Gateway]:
    """Run `wireglot serve`; streams have `GRACE` to end."""
    code = (
        f"import wireglot.gateway.server as server; server._SHUTDOWN = {GRACE}\n"
        "from wireglot.cli import main; main()"
    )
    options = ["serve", "--config", str(config), "--port", str(port), "--workers", str(workers)]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, *options, stderr=PIPE, start_new_session=True
    )
    running = Gateway(process)
    try:
        await running.says("startup complete", workers)
        await running.says("running on")
        await listening(port)  # with several processes, the log is ahead of them
        yield running
    finally:
        with suppress(ProcessLookupError):  # all of them have ended
            os.killpg(process.pid, signal.SIGKILL)
        await running.ended()


async def listening(port: int) -> None:
    """Wait until connections are accepted."""
    while True:
        with suppress(ConnectionRefusedError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.transport.abort()
            return


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@HAS_SIGNALS
def test_a_reload_under_load_fails_no_request(tmp_path: Path) -> None:
    config, port = tmp_path / "gateway.toml", free_port()
    here = f"http://127.0.0.1:{port}"
    target, held = Target(WHOLE, b""), Target(BEGUN, REST)
    target.ends.set()
    is_over = False
    answers: list[bytes] = []

    async def load(turn: int) -> None:
        paths = ["/v1/messages", "/v1/chat/completions"]
        [body] = bodies(1, False)
        while not is_over:
            answers.append(await ask(here, paths[turn % 2], body))

    async def streams(model: str) -> list[asyncio.Task[bytes]]:
        begun = [asyncio.Event() for _ in range(4)]
        tasks = [
            asyncio.create_task(ask(here, "/v1/messages", body, event))
            for body, event in zip(bodies(4, True, model), begun, strict=True)
        ]
        for event in begun:
            await event.wait()
        return tasks

    async def test() -> None:
        nonlocal is_over
        async with target.listening() as there, held.listening() as other:
            more = ROUTE.format(other, "held").replace('"m"', '"slow"')
            config.write_text(ROUTE.format(there, "one") + more)
            async with command(config, port) as process:
                clients = [asyncio.create_task(load(turn)) for turn in range(CLIENTS)]
                before = await streams("slow")
                await target.until(4 * CLIENTS)
                config.write_text(ROUTE.format(there, "two"))
                process.process.send_signal(signal.SIGHUP)
                await process.says("the configuration has been read anew")
                # What was sent before may still come in, at most one of each client.
                seen = len(target.models)
                await target.until(seen + 4 * CLIENTS)
                assert set(target.models[:seen]) <= {b"one", b"two"}
                assert set(target.models[seen + CLIENTS :]) == {b"two"}
                config.write_text("routes = []")
                process.process.send_signal(signal.SIGHUP)
                await process.says("the configuration stays as it was: ")
                assert "no routes, expected at least one" in process.log
                seen = len(target.models)
                await target.until(seen + 4 * CLIENTS)
                assert set(target.models[seen:]) == {b"two"}
                is_over = True
                await asyncio.gather(*clients)
                held.ends.set()
                for stream in await asyncio.gather(*before):
                    assert stream.endswith(LAST_CHUNK)
                    assert b"message_stop" in stream
        assert {answer[:15] for answer in answers} == {b"HTTP/1.1 200 OK"}
        assert all(answer.count(b'"Hi."') == 1 for answer in answers)
        assert len(answers) == len(target.asked)

    run(test())


@HAS_SIGNALS
def test_open_streams_have_a_time_to_end_and_are_cut_after_it(tmp_path: Path) -> None:
    config, port = tmp_path / "gateway.toml", free_port()
    here = f"http://127.0.0.1:{port}"
    paths = ["/v1/messages", "/v1/chat/completions"]
    ends, stays = Target(BEGUN, REST), Target(BEGUN)
    begun = [asyncio.Event() for _ in range(100)]

    async def test() -> None:
        async with ends.listening() as there, stays.listening() as other:
            more = ROUTE.format(other, "x").replace('"m"', '"stays"')
            config.write_text(ROUTE.format(there, "x") + more)
            async with command(config, port) as process:
                asked = bodies(50, True) + bodies(50, True, "stays")
                tasks = [
                    asyncio.create_task(ask(here, paths[i % 2], asked[i], begun[i]))
                    for i in range(100)
                ]
                for event in begun:
                    await event.wait()
                process.process.send_signal(signal.SIGTERM)
                signalled = monotonic()
                await process.says("Shutting down")
                ends.ends.set()
                answers = await asyncio.gather(*tasks)
                assert await process.ended() == 0
                assert GRACE < monotonic() - signalled < GRACE + 5
        for i, answer in enumerate(answers):
            end = (b"message_stop", b"[DONE]")[i % 2]
            assert answer.count(b'"Hi"') == 1
            assert (end in answer) is (i < 50)
            assert answer.endswith(LAST_CHUNK) is (i < 50)

    run(test())


@HAS_SIGNALS
def test_a_gateway_that_is_killed_cuts_its_clients_and_starts_again_at_once(
    tmp_path: Path,
) -> None:
    config, port = tmp_path / "gateway.toml", free_port()
    here = f"http://127.0.0.1:{port}"
    target = Target(BEGUN)
    begun = [asyncio.Event() for _ in range(CLIENTS)]

    async def test() -> None:
        async with target.listening() as there:
            config.write_text(ROUTE.format(there, "x"))
            async with command(config, port) as process:
                tasks = [
                    asyncio.create_task(ask(here, "/v1/chat/completions", body, event))
                    for body, event in zip(bodies(CLIENTS, True), begun, strict=True)
                ]
                for event in begun:
                    await event.wait()
                process.process.kill()
                for answer in await asyncio.gather(*tasks):
                    assert not answer.endswith(LAST_CHUNK)
                    assert b"[DONE]" not in answer
            target.begin, target.rest = WHOLE, b""
            target.ends.set()
            async with command(config, port):
                asked = bodies(CLIENTS, False)
                again = await asyncio.gather(*(ask(here, "/v1/messages", body) for body in asked))
        assert {answer[:15] for answer in again} == {b"HTTP/1.1 200 OK"}

    run(test())


def open_files(process: str) -> int:
    """Return how many files a process has open, 0 on a system that does not tell."""
    folder = Path(f"/proc/{process}/fd")
    return len(list(folder.iterdir())) if folder.exists() else 0


@HAS_SIGNALS
def test_a_worker_that_is_killed_is_replaced_and_all_end_at_a_signal(tmp_path: Path) -> None:
    config, port = tmp_path / "gateway.toml", free_port()
    here = f"http://127.0.0.1:{port}"
    target = Target(BEGUN, REST)
    begun = [asyncio.Event() for _ in range(CLIENTS)]

    async def test() -> None:
        async with target.listening() as there:
            config.write_text(ROUTE.format(there, "x"))
            async with command(config, port, workers=2) as process:
                tasks = [
                    asyncio.create_task(ask(here, "/v1/messages", body, event))
                    for body, event in zip(bodies(CLIENTS, True), begun, strict=True)
                ]
                for event in begun:
                    await event.wait()
                workers = re.findall(r"Started server process \[(\d+)\]", process.log)
                os.kill(int(max(workers, key=open_files)), signal.SIGKILL)
                await process.says("startup complete", 3)
                target.ends.set()
                answers = await asyncio.gather(*tasks)
                for answer in answers:
                    assert answer.endswith(LAST_CHUNK) is (b"message_stop" in answer)
                if open_files("self"):  # it held the most streams, half of them at least
                    assert sum(b"message_stop" not in answer for answer in answers) >= CLIENTS / 2
                target.begin, target.rest = WHOLE, b""
                asked = bodies(CLIENTS, False)
                again = await asyncio.gather(*(ask(here, "/v1/messages", body) for body in asked))
                assert {answer[:15] for answer in again} == {b"HTTP/1.1 200 OK"}
                process.process.send_signal(signal.SIGTERM)
                assert await process.ended() == 0

    run(test())
