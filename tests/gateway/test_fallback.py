"""A provider that gives no answer: which other one is asked, and what is never asked twice."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tests.gateway.provider import END, HELLO, JSON, START, Provider
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app

BUSY = b'{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'
CHAT = b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hello"}]}'
BODIES = [("/v1/messages", HELLO), ("/v1/chat/completions", CHAT)]
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
