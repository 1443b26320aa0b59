"""The gateway as HTTP sees it: bytes that pass through, hostile clients, clients that leave."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route as Path
from yarl import URL

import wireglot as wg
from tests.gateway.serving import served
from wireglot.gateway import Config, Route, create_app

HELLO = b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Hello"}]}'
ANSWER = b"""{"id":"msg_1","type":"message","role":"assistant","model":"real","content":[
 {"type":"text","text":"Hi."}],"stop_reason":"end_turn","stop_sequence":null,"new":[1e2],
 "usage":{"input_tokens":1,"output_tokens":2}}"""
START = b"""event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",\
"model":"m","content":[],"stop_reason":null,"stop_sequence":null,\
"usage":{"input_tokens":20,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

"""


class Provider:
    """A provider of Anthropic's wire that notes what it is asked, and whether a stream was left."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        self.streams = 0
        self.left = asyncio.Event()
        self.app = Starlette(routes=[Path("/v1/messages", self._answer, methods=["POST"])])

    async def _answer(self, http: Request) -> Response:
        body = await http.body()
        self.asked.append((http.url.path, dict(http.headers), body))
        if json.loads(body).get("stream"):
            return StreamingResponse(self._endless(), media_type="text/event-stream")
        return Response(ANSWER, media_type="application/json", headers={"request-id": "r1"})

    async def _endless(self) -> AsyncIterator[bytes]:
        self.streams += 1
        try:
            yield START
            await asyncio.Event().wait()
        finally:
            self.streams -= 1
            self.left.set()


@asynccontextmanager
async def _gateway(**more: Any) -> AsyncIterator[tuple[Provider, aiohttp.ClientSession]]:
    provider = Provider()
    async with served(provider.app) as there:
        routes = [Route("m", "anthropic", there), Route("other", "anthropic", there, name="real")]
        app = create_app(Config(routes, **more))
        async with served(app) as here, aiohttp.ClientSession(here) as client:
            yield provider, client


def _run(test: Callable[[Provider, aiohttp.ClientSession], Any], **more: Any) -> None:
    async def run() -> None:
        async with asyncio.timeout(60), _gateway(**more) as (provider, client):
            await test(provider, client)

    asyncio.run(run())


def test_with_nothing_to_change_the_bytes_pass_through() -> None:
    body = HELLO.replace(b"{", b'{ "unknown" : 1e2 , ', 1)

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        headers = {"content-type": "application/json", "anthropic-version": "2023-06-01"}
        async with client.post("/v1/messages", data=body, headers=headers) as response:
            assert (response.status, await response.read()) == (200, ANSWER)
            assert response.headers["request-id"] == "r1"
        path, got, came = provider.asked[0]
        assert (path, came) == ("/v1/messages", body)
        assert got["anthropic-version"] == "2023-06-01"

    _run(test)


def test_a_client_does_not_learn_what_the_model_is_called_there() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        asked = HELLO.replace(b'"m"', b'"other"')
        async with client.post("/v1/messages", data=asked, headers=JSON) as response:
            assert (await response.json())["model"] == "other"
        assert json.loads(provider.asked[0][2])["model"] == "real"

    _run(test)


JSON = {"content-type": "application/json"}
DEEP = b'{"model":"other","messages":' + b"[" * 5000 + b"]" * 5000 + b"}"
BAD = [
    ("/v1/messages", b"{", JSON, 400),
    ("/v1/messages", b"\xff\xfe", JSON, 400),
    ("/v1/messages", b"[]", JSON, 400),
    ("/v1/messages", DEEP, JSON, 400),
    ("/v1/messages", b'{"model":"other","messages":5}', JSON, 400),
    ("/v1/messages", b'{"model":5}', JSON, 400),
    ("/v1/messages", b" " * 20_001, JSON, 413),
    ("/v1/messages", HELLO, {"content-type": "text/html"}, 415),
    ("/v1/chat/completions", b'{"model":"nobody"}', JSON, 404),
    ("/model/x/forget", b"{}", JSON, 404),
    ("/v1beta/models/x:forget", b"{}", JSON, 404),
]


def test_a_hostile_request_gets_the_right_status_and_the_next_one_is_served() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        for path, body, headers, status in BAD:
            async with client.post(path, data=body, headers=headers) as response:
                said = await response.json()
                assert (response.status, "error" in said or "message" in said) == (status, True)
        async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
            assert response.status == 200
        assert len(provider.asked) == 1

    _run(test, largest=20_000)


def test_a_key_is_asked_for_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_KEY", "sésame")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        shown = [
            ({}, 401),
            ({"x-api-key": "wrong"}, 401),
            ({"authorization": "Basic sésame"}, 401),
            ({"authorization": "Bearer sésame"}, 200),
            ({"x-api-key": "sésame"}, 200),
            ({"x-goog-api-key": "sésame"}, 200),
        ]
        for headers, status in shown:
            async with client.post("/v1/messages", data=HELLO, headers=JSON | headers) as response:
                assert response.status == status
        assert all("sésame" not in str(got) for _, got, _ in provider.asked)

    _run(test, client_key="GATEWAY_KEY")


@pytest.mark.parametrize("model", ["m", "other"], ids=["passed through", "translated"])
def test_a_client_that_leaves_a_stream_leaves_nothing_open(model: str) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        body = HELLO.replace(b'"m"', f'"{model}","stream":true'.encode())
        response = await client.post("/v1/messages", data=body, headers=JSON)
        assert await response.content.readany()
        assert provider.streams == 1
        response.close()
        await provider.left.wait()
        assert provider.streams == 0

    _run(test)


def test_a_provider_that_is_not_there_is_a_bad_gateway() -> None:
    async def run() -> None:
        app = create_app(Config([Route("m", "ollama", "http://127.0.0.1:9")]))
        async with served(app) as here, aiohttp.ClientSession(here) as client:
            async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
                assert response.status == 502
                said = await response.json()
            assert said["error"]["message"] == "the provider cannot be reached"
            async with client.get("/health") as response:
                assert await response.text() == "ok"

    asyncio.run(run())


async def _cut(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"
    )
    await writer.drain()
    writer.close()


async def _silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


@pytest.mark.parametrize(("answer", "status"), [(_cut, 502), (_silent, 504)])
def test_a_provider_that_breaks_off_or_says_nothing(answer: Any, status: int) -> None:
    async def run() -> int:
        there = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = there.sockets[0].getsockname()[1]
        config = Config([Route("m", "ollama", f"http://127.0.0.1:{port}")], patience=0.2)
        async with (
            there,
            served(create_app(config)) as here,
            aiohttp.ClientSession(here) as client,
            client.post("/v1/messages", data=HELLO, headers=JSON) as response,
        ):
            assert (await response.json())["type"] == "error"
            return response.status

    assert asyncio.run(run()) == status


def test_the_path_of_a_client_opens_no_other_door_of_the_provider() -> None:
    paths: list[str] = []

    async def answer(http: Request) -> Response:
        paths.append(http.scope["raw_path"].decode())
        return Response(b"{}", media_type="application/json")

    async def run() -> None:
        provider = Starlette(routes=[Path("/{path:path}", answer, methods=["POST"])])
        async with served(provider) as there:
            app = create_app(Config([Route("*", "gemini", there)]))
            async with served(app) as here, aiohttp.ClientSession() as client:
                asked = "/v1beta/models/m/../../files:generateContent?alt=sse%26key=x"
                url = URL(here + asked, encoded=True)
                async with client.post(url, data=b"{}", headers=JSON) as response:
                    assert response.status == 200

    asyncio.run(run())
    assert paths == ["/v1beta/models/m%2F..%2F..%2Ffiles:generateContent"]


def test_a_configuration_says_what_is_wrong_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(wg.EncodeError, match="provider `claude`, expected one of `anthropic`"):
        Route("m", "claude", "https://x.org")
    with pytest.raises(
        wg.EncodeError, match="dialect `aws`, expected one of `anthropic`, `vertex`"
    ):
        Route("m", "anthropic", "https://x.org", dialect="aws")
    with pytest.raises(wg.EncodeError, match=r"url `x\.org`, expected http or https"):
        Route("m", "anthropic", "x.org")
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(wg.EncodeError, match="no `NO_SUCH_KEY` in the environment"):
        create_app(Config([Route("m", "anthropic", "https://x.org", key="NO_SUCH_KEY")]))
