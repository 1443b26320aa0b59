"""Clients that leave, dawdle or come in thousands, and what they leave open."""

from __future__ import annotations

import asyncio
import gc
import resource
import sys
from collections.abc import AsyncIterator

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tests.gateway.provider import HELLO, JSON, Provider, beside

BOTH = pytest.mark.parametrize("model", ["m", "other"], ids=["passed through", "translated"])
MANY = 1000


def _asked(model: str, stream: bool = True) -> bytes:
    return HELLO.replace(b'"m"', f'"{model}","stream":{"true" if stream else "false"}'.encode())


@BOTH
def test_a_client_that_leaves_a_stream_leaves_nothing_open(model: str) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        response = await client.post("/v1/messages", data=_asked(model), headers=JSON)
        assert await response.content.readany()
        assert provider.streams == 1
        response.close()
        await provider.left.wait()
        assert provider.streams == 0

    beside(test)


@BOTH
def test_a_client_that_leaves_before_there_is_an_answer(model: str) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = provider.silent
        asked = client.post("/v1/messages", data=_asked(model, stream=False), headers=JSON)
        waiting = asyncio.ensure_future(asked)
        while not provider.asked:
            await asyncio.sleep(0)
        waiting.cancel()
        await provider.left.wait()
        async with client.get("/metrics") as response:
            said = await response.text()
        provider_left = 'client="anthropic",provider="anthropic",status="499"} 1.0'
        assert provider_left in said

    beside(test)


@BOTH
def test_a_client_that_does_not_read_holds_the_provider_back_and_is_cut_off(model: str) -> None:
    sent = 0
    delta = b"""event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"%b"}}

""" % (b"x" * 10_000)

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def much() -> AsyncIterator[bytes]:
            nonlocal sent
            try:
                start = provider._endless()
                yield await anext(start)
                while True:
                    yield delta
                    sent += len(delta)
                    await asyncio.sleep(0)  # uvicorn never waits once the other side has left
            finally:
                provider.left.set()

        async def reply(http: Request) -> Response:
            return StreamingResponse(much(), media_type="text/event-stream")

        provider.reply = reply
        response = await client.post("/v1/messages", data=_asked(model), headers=JSON)
        await provider.left.wait()
        assert sent < 32 * 1024 * 1024  # what three pairs of sockets hold
        with pytest.raises(aiohttp.ClientPayloadError):
            await response.content.read()
        response.close()

    beside(test, patience=0.5)


def test_a_request_that_does_not_arrive_is_refused() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        url = client._base_url
        assert url is not None
        reader, writer = await asyncio.open_connection(url.host, url.port)
        writer.write(
            b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n"
            b'content-type: application/json\r\ncontent-length: 99\r\n\r\n{"model":'
        )
        answer = await reader.read()  # to the end: the connection is closed
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 408 ")
        assert body == (
            b'{"error":{"message":"request took more than 0.1 seconds to arrive",'
            b'"type":"timeout_error","param":null,"code":null}}'
        )
        assert provider.asked == []
        writer.close()

    beside(test, arrival=0.1)


@BOTH
def test_a_thousand_streams_are_open_at_once_and_all_can_leave(model: str) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 5 * MANY:
        pytest.skip(f"no more than {most} files can be open")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def begun() -> aiohttp.ClientResponse:
            response = await client.post("/v1/messages", data=_asked(model), headers=JSON)
            assert b"message_start" in await response.content.readany()
            return response

        responses = await asyncio.gather(*(begun() for _ in range(MANY)))
        assert provider.streams == MANY
        for response in responses:
            response.close()
        while provider.streams:
            provider.left.clear()
            await provider.left.wait()

    beside(test)


@BOTH
def test_memory_does_not_grow_with_requests(model: str) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def ask(count: int) -> int:
            for turn in range(count):
                body = _asked(model, stream=turn % 2 == 0)
                response = await client.post("/v1/messages", data=body, headers=JSON)
                assert response.status == 200
                if turn % 2:
                    await response.read()
                else:
                    await response.content.readany()
                    response.close()
            while provider.streams:
                provider.left.clear()
                await provider.left.wait()
            provider.asked.clear()
            gc.collect()
            return sys.getallocatedblocks()

        await ask(300)
        before = await ask(100)
        growth = await ask(400) - before
        assert growth < 400

    beside(test)
