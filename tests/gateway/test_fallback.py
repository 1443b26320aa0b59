"""A provider that gives no answer: which other one is asked, and what is never asked twice."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Any

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tests.gateway.provider import ANSWER, END, HELLO, JSON, START, Provider
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app, upstream

BUSY = b'{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'
CHAT = b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hello"}]}'
BODIES = [("/v1/messages", HELLO), ("/v1/chat/completions", CHAT)]
WAYS = ["passed through", "translated"]
Test = Callable[[Provider, Provider, aiohttp.ClientSession], Awaitable[None]]


def status_of(status: int, **headers: str) -> Callable[[Request], Awaitable[Response]]:
    async def reply(_: Request) -> Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Response(BUSY, status, media_type="application/json", headers=named)

    return reply


def beside(test: Test, *, first: str | None = None) -> None:
    """Run a test with two providers: a gateway asks the first, and the other where that fails.

    `first` is the address of the first, if that is another.
    """

    async def run() -> None:
        one, two = Provider(), Provider()
        async with asyncio.timeout(30), served(one.app) as here, served(two.app) as there:
            routes = [
                ModelRoute("m", "anthropic", first or here, fallback="spare"),
                ModelRoute("spare", "anthropic", there, name="real"),
            ]
            app = create_app(Config(routes, retries=0))
            async with served(app) as gateway, aiohttp.ClientSession(gateway) as client:
                await test(one, two, client)

    asyncio.run(run())


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
@pytest.mark.parametrize(("path", "body"), BODIES)
def test_another_provider_is_asked_at_an_error_of_the_moment(
    path: str, body: bytes, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")

    async def test(one: Provider, two: Provider, client: aiohttp.ClientSession) -> None:
        one.reply = status_of(status)
        async with client.post(path, data=body, headers=JSON) as response:
            assert response.status == 200
            assert b"Hi." in await response.read()
        assert (len(one.asked), len(two.asked)) == (1, 1)
        assert b'"model":"real"' in two.asked[0][2]
        async with client.get("/metrics") as response:
            assert 'wireglot_fallbacks_total{client="' in await response.text()

    beside(test)
    [line] = [record.getMessage() for record in caplog.records]
    assert ' route=spare model=m status=200 tried="anthropic: ' in line


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
@pytest.mark.parametrize(("path", "body"), BODIES)
def test_an_error_that_stays_is_the_clients(path: str, body: bytes, status: int) -> None:
    async def test(one: Provider, two: Provider, client: aiohttp.ClientSession) -> None:
        one.reply = status_of(status)
        async with client.post(path, data=body, headers=JSON) as response:
            assert response.status == status
        assert two.asked == []

    beside(test)


def test_the_last_error_is_the_clients() -> None:
    async def test(one: Provider, two: Provider, client: aiohttp.ClientSession) -> None:
        one.reply, two.reply = status_of(500), status_of(429, retry_after="7")
        async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
            assert response.status == 429
            assert response.headers["retry-after"] == "7"

    beside(test)


def test_a_provider_that_cannot_be_reached_is_passed_over() -> None:
    async def test(_: Provider, two: Provider, client: aiohttp.ClientSession) -> None:
        async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
            assert response.status == 200
        assert len(two.asked) == 1

    beside(test, first="http://127.0.0.1:9")


def test_a_provider_that_asks_for_a_rest_gets_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")

    async def test(one: Provider, two: Provider, client: aiohttp.ClientSession) -> None:
        one.reply = status_of(429, retry_after="30")
        for _ in range(3):
            async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
                assert response.status == 200
        assert (len(one.asked), len(two.asked)) == (1, 3)

    beside(test)
    tried = [record.getMessage().partition(" tried=")[2].split('"')[1] for record in caplog.records]
    assert tried == ["anthropic: overloaded", "anthropic: resting", "anthropic: resting"]


def test_after_the_first_byte_no_other_is_asked() -> None:
    async def broken() -> AsyncIterator[bytes]:
        yield START
        raise ConnectionResetError

    async def reply(_: Request) -> Response:
        return StreamingResponse(broken(), media_type="text/event-stream")

    async def test(one: Provider, two: Provider, client: aiohttp.ClientSession) -> None:
        one.reply = reply
        body = HELLO.replace(b"{", b'{"stream":true,', 1)
        async with client.post("/v1/messages", data=body, headers=JSON) as response:
            with suppress(aiohttp.ClientPayloadError):
                assert b"message_stop" not in await response.read()
        assert (len(one.asked), len(two.asked)) == (1, 0)

    beside(test)


def test_a_stream_comes_from_the_other_provider() -> None:
    async def reply(_: Request) -> Response:
        return Response(START + END, media_type="text/event-stream")

    async def test(one: Provider, two: Provider, client: aiohttp.ClientSession) -> None:
        one.reply, two.reply = status_of(503), reply
        body = CHAT.replace(b"{", b'{"stream":true,', 1)
        async with client.post("/v1/chat/completions", data=body, headers=JSON) as response:
            said = await response.read()
            assert said.endswith(b"data: [DONE]\n\n")
            assert said.count(b'"content":"Hi"') == 1

    beside(test)


def _raw(status: str, head: str, body: bytes, size: int | None = None) -> bytes:
    length = len(body) if size is None else size
    kind = "" if "content-type" in head else "content-type: application/json\r\n"
    begin = f"HTTP/1.1 {status}\r\n{kind}{head}content-length: {length}\r\n\r\n"
    return begin.encode() + body


_SAID = b'{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'
_INVALID = b'{"type":"error","error":{"type":"invalid_request_error","message":"bad"}}'
_GZIP = "content-encoding: gzip\r\n"
NONE = {
    "it closes the connection": b"",
    "it closes the connection within a head": b"HTTP/1.1 200 OK\r\ncontent-ty",
    "it answers what is not HTTP": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    "its 503 is cut": _raw("503 Busy", "", _SAID, 500),
    "its 503 is too large": _raw("503 Busy", "", b" " * 5000),
    "its 503 is compressed": _raw("503 Busy", _GZIP, b"\x1f\x8b"),
    "its 429 is a page": _raw("429 Slow", "content-type: text/html\r\n", b"<p>slow</p>"),
}
PAID = {
    "its answer is cut": (_raw("200 OK", "", ANSWER, 5000), 502),
    "its answer is too large": (_raw("200 OK", "", b" " * 5000), 502),
    "its answer is compressed": (_raw("200 OK", _GZIP, b"\x1f\x8b"), 502),
    "its 400 is cut": (_raw("400 Bad", "", _INVALID, 500), 400),
    "its 400 is too large": (_raw("400 Bad", "", b" " * 5000), 400),
    "its 400 is compressed": (_raw("400 Bad", _GZIP, b"\x1f\x8b"), 400),
    "it answers from another place": (_raw("302 Found", "location: /x\r\n", b""), 502),
    "its status is not one of HTTP's": (_raw("600 Odd", "", b"{}"), 502),
}
UNREADABLE = {
    "its answer cannot be read": (_raw("200 OK", "", b'{"content":5}'), 502),
    "its answer is an error": (_raw("200 OK", "", _SAID), 503),
}
SILENT = {
    "it is silent": (b"", 1),
    "it is silent within a head": (b"HTTP/1.1 200 OK\r\ncontent-ty", 1),
    "it is silent within an answer": (_raw("200 OK", "", ANSWER, 5000), 0),
}


def _asked_after(
    raw: bytes,
    path: str,
    body: bytes,
    *,
    waits: bool = False,
    spare: str = "anthropic",
    **more: Any,
) -> tuple[int, int, int]:
    """Return the status, and how often each of two providers was asked.

    The first sends `raw`, and then closes the connection, or `waits`.
    """
    asked = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(re.findall(rb"content-length: (\d+)", head.lower())[0]))
        asked += 1
        writer.write(raw)
        if waits:
            await reader.read()
        writer.close()

    async def run() -> tuple[int, int, int]:
        two = Provider()
        one = await asyncio.start_server(answer, "127.0.0.1", 0)
        first = f"http://127.0.0.1:{one.sockets[0].getsockname()[1]}"
        async with asyncio.timeout(30), one, served(two.app) as there:
            routes = [
                ModelRoute("m", "anthropic", first, fallback="spare"),
                ModelRoute("spare", spare, there, name="real"),
            ]
            app = create_app(Config(routes, retries=0, largest=4000, **more))
            async with (
                served(app) as gateway,
                aiohttp.ClientSession(gateway) as client,
                client.post(path, data=body, headers=JSON) as response,
            ):
                await response.read()
                return response.status, asked, len(two.asked)

    return asyncio.run(run())


@pytest.mark.parametrize("raw", NONE.values(), ids=NONE)
@pytest.mark.parametrize(("path", "body"), BODIES, ids=WAYS)
def test_another_provider_is_asked_if(raw: bytes, path: str, body: bytes) -> None:
    assert _asked_after(raw, path, body) == (200, 1, 1)


@pytest.mark.parametrize(("raw", "status"), PAID.values(), ids=PAID)
@pytest.mark.parametrize(("path", "body"), BODIES, ids=WAYS)
def test_no_other_provider_is_asked_if(raw: bytes, status: int, path: str, body: bytes) -> None:
    assert _asked_after(raw, path, body) == (status, 1, 0)


@pytest.mark.parametrize(("raw", "status"), UNREADABLE.values(), ids=UNREADABLE)
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "in place of a stream"])
def test_no_other_provider_is_asked_of_a_translated_request_if(
    raw: bytes, status: int, stream: bool
) -> None:
    body = CHAT.replace(b"{", b'{"stream":true,', 1) if stream else CHAT
    assert _asked_after(raw, "/v1/chat/completions", body) == (status, 1, 0)


@pytest.mark.parametrize(("raw", "others"), SILENT.values(), ids=SILENT)
@pytest.mark.parametrize(("path", "body"), BODIES, ids=WAYS)
def test_after_patience_another_provider_is_asked_before_an_answer_only(
    raw: bytes, others: int, path: str, body: bytes
) -> None:
    status = 200 if others else 504
    assert _asked_after(raw, path, body, waits=True, patience=0.3) == (status, 1, others)


def test_what_the_gateway_itself_refuses_is_the_clients() -> None:
    body = b'{"model":"m","input":"Hi"}'
    assert _asked_after(b"", "/v1/embeddings", body, spare="openai_chat") == (501, 0, 0)


@pytest.mark.parametrize(("path", "body"), BODIES, ids=WAYS)
@pytest.mark.parametrize(
    ("raw", "brief"),
    [
        (_raw("503 Busy", "", b"{", 500), 0.05),
        (_raw("503 Busy", "", b" " * 70_000, 90_000), 60.0),
    ],
    ids=["that is silent", "that is long"],
)
def test_the_body_of_an_error_does_not_keep_another_provider_from_being_asked(
    raw: bytes, brief: float, path: str, body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upstream, "_BRIEF", brief)
    assert _asked_after(raw, path, body, waits=True) == (200, 1, 1)
