"""The gateway as a process: the command, its workers, and what may come before a request."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import IPPROTO_TCP, SO_RCVBUF, SOL_SOCKET, TCP_NODELAY, create_connection, socket
from sys import exc_info
from typing import Any

import aiohttp
import httpx
import pytest
from click.testing import CliRunner
from starlette.requests import Request
from starlette.responses import Response

from tests.clients.server import serving as replaying
from tests.gateway.provider import ANSWER, HELLO, JSON, Provider, beside
from wireglot.cli.command import wireglot
from wireglot.gateway.server import _keep, _Lines

ROUTE = """
[[routes]]
model = "m"
provider = "anthropic"
url = "{}"
"""


@contextmanager
def _process(
    config: Path, workers: int, log: list[str] | None = None
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "wireglot", "serve", "--config", str(config)]
    options = ["--port", "0", "--workers", str(workers)]
    with subprocess.Popen([*command, *options], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            said = ""
            while said.count("startup complete") < workers or "running on" not in said:
                line = process.stderr.readline()
                assert line, said  # else it has ended
                said += line
            if log is not None:
                log += said.splitlines()
            address = re.findall(r"running on (http://127.0.0.1:\d+)", said)[0]
            _wait_for(int(address.rpartition(":")[2]))
            yield process, address
        finally:
            process.kill()


def _wait_for(port: int) -> None:
    """Wait until connections are accepted: with several processes, the log is ahead of them."""
    while True:
        with suppress(ConnectionRefusedError), create_connection(("127.0.0.1", port)):
            return


@contextmanager
def _logged(process: subprocess.Popen[str]) -> Iterator[threading.Event]:
    """Read the log, or the process would wait; yield what is set at a configuration refused."""
    refused = threading.Event()

    def read() -> None:
        for line in process.stderr or ():
            if "the configuration stays as it was: " in line and "no routes, expected" in line:
                refused.set()

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield refused
    finally:
        process.terminate()
        thread.join()


@pytest.mark.parametrize("workers", [1, 2])
def test_the_command_serves_and_adds_up_what_its_processes_count(
    workers: int, tmp_path: Path
) -> None:
    config = tmp_path / "gateway.toml"

    async def ask(here: str) -> None:
        # Each request has a connection of its own, so that both processes get some.
        closing = aiohttp.TCPConnector(force_close=True)
        async with aiohttp.ClientSession(here, connector=closing) as client:
            for _ in range(20):
                provider.answers("application/json", ANSWER)
                async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
                    assert await response.read() == ANSWER
            line = b'wireglot_requests_total{client="anthropic",provider="anthropic",status="200"}'
            async with asyncio.timeout(20):  # the other process may count after the answer is here
                while line + b" 20.0" not in await _metrics(client):
                    pass

    with replaying() as provider:
        config.write_text(ROUTE.format(provider.url))
        with _process(config, workers) as (process, here):
            asyncio.run(ask(here))
            process.send_signal(signal.SIGTERM)
            _, logged = process.communicate(timeout=60)
            assert process.returncode in (0, -signal.SIGTERM)
            assert (
                logged.count("client=anthropic provider=anthropic route=m model=m status=200") == 20
            )


_TIME = r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ"


def _log(text: str, workers: int, tmp_path: Path) -> list[str]:
    """Return the lines of a gateway that is asked for a model which it has not, and ended."""
    config = tmp_path / "gateway.toml"
    config.write_text(text + ROUTE.format("http://127.0.0.1:9"))
    log: list[str] = []
    with _process(config, workers, log) as (process, here):
        response = httpx.post(f"{here}/v1/messages", json={"model": "nobody"})
        assert response.status_code == 404
        process.send_signal(signal.SIGTERM)
        log += process.communicate(timeout=60)[1].splitlines()
    return log


@pytest.mark.parametrize("workers", [1, 2])
def test_each_line_of_the_log_is_an_object_with_a_time_and_a_level(
    workers: int, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in _log('log = "json"', workers, tmp_path)]
    assert all(re.fullmatch(_TIME, line["time"]) for line in lines)
    assert {line["level"] for line in lines} == {"INFO"}
    told = [line["message"] for line in lines if "message" in line]
    assert sum("Application startup complete" in line for line in told) == workers
    assert any("Uvicorn running on http://127.0.0.1:" in line for line in told)
    assert any("Application shutdown complete" in line for line in told)
    [exchange] = [line for line in lines if "message" not in line]
    assert (exchange["client"], exchange["status"]) == ("anthropic", 404)


def test_each_line_of_the_log_begins_with_its_time(tmp_path: Path) -> None:
    lines = _log("", 1, tmp_path)
    assert [line for line in lines if not re.match(f"{_TIME} INFO:     [A-Zi]", line)] == []
    assert sum(" id=" in line for line in lines) == 1


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_traceback_stays_with_its_line(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wireglot.gateway.server._Lines.form", form)
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        given = {"msg": "Exception in ASGI %s", "args": ("application\n",), "exc_info": exc_info()}
    record = logging.makeLogRecord({**given, "levelname": "ERROR", "created": 1_790_000_000.25})
    told = _Lines().format(record)
    if form == "text":
        assert told.startswith("2026-09-21T14:13:20.250Z ERROR:    Exception in ASGI application\n")
        assert told.endswith("\nZeroDivisionError")
    else:
        line = json.loads(told)
        assert "\n" not in told
        assert line.pop("traceback").endswith("\nZeroDivisionError")
        assert line == {
            "time": "2026-09-21T14:13:20.250Z",
            "level": "ERROR",
            "message": "Exception in ASGI application",
        }


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
def test_a_hangup_changes_the_form_of_all_processes(tmp_path: Path) -> None:
    config = tmp_path / "gateway.toml"
    config.write_text(ROUTE.format("http://127.0.0.1:9"))
    with _process(config, 2) as (process, _):
        assert process.stderr is not None
        config.write_text('log = "json"' + ROUTE.format("http://127.0.0.1:9"))
        process.send_signal(signal.SIGHUP)
        lines: list[str] = []
        while sum("startup complete" in line for line in lines) < 2:
            lines.append(process.stderr.readline())
        process.terminate()
        lines += process.communicate(timeout=60)[1].splitlines()
    # Until they are replaced, the processes of the old configuration keep their form.
    old = {line.split()[1] for line in lines if not line.startswith("{")}
    assert old <= {"INFO:"}
    texts = [line for line in lines if not line.startswith("{")]
    assert all("Started" not in line and "Received" not in line for line in texts)
    assert any("Received SIGHUP" in line for line in lines)
    told = [json.loads(line)["message"] for line in lines if line.startswith("{")]
    assert told[-1].startswith("Stopping parent process")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
def test_a_hangup_changes_the_form_of_the_log(tmp_path: Path) -> None:
    config = tmp_path / "gateway.toml"
    config.write_text(ROUTE.format("http://127.0.0.1:9"))
    with _process(config, 1) as (process, _):
        assert process.stderr is not None
        config.write_text('log = "json"' + ROUTE.format("http://127.0.0.1:9"))
        process.send_signal(signal.SIGHUP)
        line = json.loads(process.stderr.readline())
        assert line["message"] == "the configuration has been read anew"


def test_a_file_that_changes_while_it_is_read_is_not_kept_as_the_last_valid_one(
    tmp_path: Path,
) -> None:
    config, last = tmp_path / "gateway.toml", tmp_path / "last.toml"
    config.write_text(ROUTE.format("http://127.0.0.1:9"))
    _keep(str(config), str(last))
    config.write_text("routes = []")
    _keep(str(config), str(last))
    assert last.read_text() == ROUTE.format("http://127.0.0.1:9")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_hangup_reads_the_configuration_anew(workers: int, tmp_path: Path) -> None:
    config = tmp_path / "gateway.toml"

    async def until(here: str, model: bytes, status: int) -> None:
        """Ask for a model, each time on a new connection, until the answer is as expected."""
        body = HELLO.replace(b'"m"', b'"%b"' % model)
        options: Any = {
            "connector": aiohttp.TCPConnector(force_close=True),
            "timeout": aiohttp.ClientTimeout(total=5),
        }
        async with asyncio.timeout(120), aiohttp.ClientSession(here, **options) as client:
            while True:
                provider.answers("application/json", ANSWER)
                with suppress(aiohttp.ClientError, TimeoutError):  # while a process ends
                    async with client.post("/v1/messages", data=body, headers=JSON) as response:
                        if response.status == status:
                            return

    with replaying() as provider:
        config.write_text(ROUTE.format(provider.url))
        with _process(config, workers) as (process, here), _logged(process) as refused:
            asyncio.run(until(here, b"m", 200))
            config.write_text(ROUTE.format(provider.url).replace('"m"', '"new"'))
            process.send_signal(signal.SIGHUP)
            asyncio.run(until(here, b"new", 200))
            asyncio.run(until(here, b"m", 404))
            config.write_text("routes = []")
            process.send_signal(signal.SIGHUP)
            assert refused.wait(60)
            asyncio.run(until(here, b"new", 200))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("routes = 5", "{}: expected `array`, got `int` - at `$.routes`"),
        (None, "{}: No such file or directory"),
        (
            ROUTE.format("http://x") + 'key = "NO_SUCH_KEY"',
            "no value of `NO_SUCH_KEY` in the environment",
        ),
    ],
)
def test_a_configuration_that_is_none_is_one_line(
    text: str | None, said: str, tmp_path: Path
) -> None:
    config = tmp_path / "gateway.toml"
    if text is not None:
        config.write_text(text)
    os.environ.pop("NO_SUCH_KEY", None)
    done = CliRunner().invoke(wireglot, ["serve", "--config", str(config)])
    assert done.exit_code == 1
    assert said.format(config) in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_for_counts_that_is_none_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "gateway.toml"
    config.write_text(ROUTE.format("http://x"))
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "/no/such/folder")
    done = CliRunner().invoke(wireglot, ["serve", "--config", str(config)])
    assert done.exit_code == 1
    said = "gateway: PROMETHEUS_MULTIPROC_DIR `/no/such/folder`, expected a folder - at `$`"
    assert done.stderr == f"wireglot: {said}\n"


def test_an_empty_folder_for_counts_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "gateway.toml"
    config.write_text(ROUTE.format("http://x"))
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")

    async def ask(here: str) -> None:
        async with aiohttp.ClientSession(here) as client:
            async with client.post("/v1/messages", data=b"{}", headers=JSON) as response:
                assert response.status == 404
            assert b'status="404"} 1.0' in await _metrics(client)

    with _process(config, 1) as (_, here):
        asyncio.run(ask(here))
    assert [*Path().glob("*.db")] == []  # in which prometheus_client would count


SOCKETS = 8 * 1024 * 1024  # bytes that are on their way, at the most
HEADS = {
    "many headers": b"x: " + b"y" * 1000 + b"\r\n",
    "one header": b"y" * 1000,
}


@pytest.mark.parametrize("more", HEADS.values(), ids=HEADS)
def test_a_head_without_end_is_hung_up_on(more: bytes) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        _, writer = await _connected(client)
        writer.write(b"POST /v1/messages HTTP/1.1\r\nx: ")
        assert await _sent(writer, more) < SOCKETS

    beside(test)


def test_a_body_that_is_refused_is_not_read_for_ever() -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        reader, writer = await _connected(client)
        head = b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\n"
        head += b"content-type: application/json\r\ncontent-length: 999999999\r\n\r\n"
        writer.write(head + b" " * 2000)
        assert (await reader.readline()) == b"HTTP/1.1 413 Request Entity Too Large\r\n"
        assert await _sent(writer, b" " * 1000) < SOCKETS

    beside(test, largest=1000)


@pytest.mark.parametrize("begun", [b"", b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\n"])
def test_a_request_that_does_not_begin_is_not_waited_for(begun: bytes) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        reader, writer = await _connected(client)
        writer.write(begun)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await reader.readexactly(1)
        writer.close()

    beside(test, arrival=0.1)


FOREIGN = {
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "SSH": b"SSH-2.0-OpenSSH_9.6\r\n",
    "SOCKS": b"\x05\x01\x00",
    "HTTP/2": b"PRI * HTTP/2.0\r\n",
    "HTTP/0.9": b"GET /\r\n",
    "a body without a head": b'{"model":"m"}',
    "an empty line before it": b"\r\n\x00",
    "lines without CR": b"GET /health HTTP/1.1\nhost: localhost\n\n",
    "headers without CR": b"GET /health HTTP/1.1\r\nhost: localhost\n\n",
}


@pytest.mark.parametrize("begun", FOREIGN.values(), ids=FOREIGN)
def test_another_protocol_is_refused_at_once(begun: bytes) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        for pieces in ([begun], [begun[:1], begun[1:]]):
            reader, writer = await _connected(client)
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
            with suppress(ConnectionError):  # what came behind its first byte was not read
                assert (await reader.read()).startswith(b"HTTP/1.1 400 Bad Request\r\n")
            writer.close()

    beside(test, arrival=50)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"GET /v1/models HTTP/1.1", b"200"),
        (b"GET /metrics HTTP/1.1", b"200"),
        (b"POST /api/show HTTP/1.1", b"200"),
        (b"POST /v1/nothing HTTP/1.1", b"404"),
    ],
)
def test_an_answer_waits_for_the_body_and_keeps_the_connection(line: bytes, status: bytes) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        reader, writer = await _connected(client)
        for _ in range(2):
            writer.write(line + b"\r\nhost: localhost\r\ncontent-length: 4\r\n\r\n{}")
            await writer.drain()
            async with client.get("/health") as response:  # by now it has looked at the head
                assert response.status == 200
            writer.write(b"  ")
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.split()[1] == status
            assert b"connection: close" not in head.lower()
            [size] = re.findall(rb"content-length: (\d+)", head.lower())
            await reader.readexactly(int(size))
        writer.close()

    beside(test)


@pytest.mark.parametrize(
    "line", [b"GET /metrics", b"GET /v1/models", b"POST /api/show", b"POST /v1/messages"]
)
def test_a_client_that_waits_for_a_word_before_its_body_is_refused_at_once(
    line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATEWAY_KEY", "sesame")

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        reader, writer = await _connected(client)
        more = b"host: localhost\r\nexpect: 100-Continue\r\ncontent-length: 50\r\n\r\n"
        writer.write(line + b" HTTP/1.1\r\n" + more)
        assert (await reader.read()).startswith(b"HTTP/1.1 401 Unauthorized\r\n")
        writer.close()

    beside(test, client_key="GATEWAY_KEY", arrival=50)


def test_a_client_that_leaves_within_its_body_is_no_fault_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        for line in (b"GET /v1/models", b"GET /metrics", b"POST /api/show"):
            _, writer = await _connected(client)
            writer.write(line + b" HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\n\r\n")
            await writer.drain()
            async with client.get("/health") as response:
                assert response.status == 200
            writer.close()
        async with client.get("/health") as response:
            assert response.status == 200

    beside(test)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


ANSWERED = b"HTTP/1.1 200 OK\r\n"
REQUEST = (
    b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\n\r\n" % len(HELLO)
) + HELLO


@pytest.mark.parametrize("more", [b"\r\n", b"P"], ids=["an empty line", "half a head"])
def test_a_kept_connection_is_not_held_with_less_than_a_request(more: bytes) -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        reader, writer = await _connected(client)
        writer.write(REQUEST)
        assert await reader.readline() == ANSWERED
        writer.write(more)
        assert await _ended(reader)
        writer.close()

    beside(test, arrival=0.1)


def test_what_has_had_its_answer_has_to_come_to_an_end() -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        reader, writer = await _connected(client)
        head = b"POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-type: a/b\r\n"
        writer.write(head + b"content-length: 99\r\n\r\nx")
        assert await reader.readline() == b"HTTP/1.1 415 Unsupported Media Type\r\n"
        writer.write(b"x")
        assert await _ended(reader)
        writer.close()

    beside(test, arrival=0.1)


def test_an_upgrade_is_not_heard_of_and_the_body_is_there() -> None:
    more = b"connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nhttp2-settings: AA\r\n"

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        reader, writer = await _connected(client)
        for _ in range(2):
            writer.write(REQUEST.replace(b"host: localhost\r\n", b"host: localhost\r\n" + more))
            assert await reader.readline() == ANSWERED
            await reader.readuntil(ANSWER)
        assert [body for _, _, body in provider.asked] == [HELLO, HELLO]
        writer.close()

    beside(test)


@pytest.mark.parametrize("upgrade", [b"upgrade: h2c\r\n", b"upgrade: a\r\nUpgrade: b\r\n"])
def test_an_upgrade_is_not_heard_of_wherever_it_is_cut(upgrade: bytes) -> None:
    more = b"host: localhost\r\nconnection: upgrade\r\n" + upgrade
    asked = REQUEST.replace(b"host: localhost\r\n", more)
    begins = asked.index(b"upgrade: ") - 2

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        reader, writer = await _connected(client)
        writer.transport.get_extra_info("socket").setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        for cut in range(begins, begins + len(upgrade) + 4):
            writer.write(asked[:cut])
            await asyncio.sleep(0.01)
            writer.write(asked[cut:])
            assert await reader.readline() == ANSWERED
            await reader.readuntil(ANSWER)
        assert {body for _, _, body in provider.asked} == {HELLO}
        writer.close()

    beside(test)


def test_a_second_request_before_the_answer_does_not_hide_that_the_client_leaves() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = provider.silent
        _, writer = await _connected(client)
        writer.write(REQUEST + REQUEST)
        while not provider.asked:
            await asyncio.sleep(0)
        writer.write(REQUEST)
        writer.close()
        await provider.left.wait()
        assert len(provider.asked) == 1

    beside(test)


def test_a_second_request_leaves_the_answer_to_the_first_alone() -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        reader, writer = await _connected(client)
        writer.write(REQUEST + b"POST /v1/mess")
        assert (await reader.read()).endswith(ANSWER)
        writer.close()

    beside(test, arrival=0.5)


def test_a_client_that_takes_nothing_of_a_whole_answer_is_hung_up_on() -> None:
    large = ANSWER.replace(b"Hi.", b"x" * 30_000_000)

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def reply(http: Request) -> Response:
            return Response(large, media_type="application/json")

        provider.reply = reply
        reader, writer = await _connected(client)
        writer.write(REQUEST)
        writer.transport.pause_reading()
        while b'status="499"' not in await _metrics(client):
            pass
        writer.transport.resume_reading()
        assert await _ended(reader)
        writer.close()

    beside(test, patience=0.5)


async def _metrics(client: aiohttp.ClientSession) -> bytes:
    async with client.get("/metrics") as response:
        return await response.read()


async def _ended(reader: asyncio.StreamReader) -> bool:
    """Read to the end, in peace or not."""
    try:
        while await reader.read(100_000):
            pass
    except ConnectionError:
        pass
    return True


async def _connected(
    client: aiohttp.ClientSession,
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    url = client._base_url
    assert url is not None
    host, port = url.host, url.port
    assert host is not None
    # Of a fixed size: a kernel that may let it grow takes a whole large answer for the client.
    there = socket()
    there.setsockopt(SOL_SOCKET, SO_RCVBUF, 1 << 16)
    there.setblocking(False)
    await asyncio.get_running_loop().sock_connect(there, (host, port))
    return await asyncio.open_connection(sock=there)


async def _sent(writer: asyncio.StreamWriter, piece: bytes) -> int:
    """Send until the other side hangs up, and return how much that was."""
    sent = 0
    try:
        while True:
            writer.write(piece)
            await writer.drain()
            sent += len(piece)
    except ConnectionError:
        writer.close()
        return sent
