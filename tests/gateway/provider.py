"""A provider of Anthropic's wire with a gateway before it, both in the event loop at hand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route as Path

from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app
from wireglot.gateway.server import Guarded

__all__ = ["ANSWER", "END", "HELLO", "JSON", "START", "Provider", "beside"]

JSON = {"content-type": "application/json"}
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
END = b"""event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},\
"usage":{"output_tokens":2}}

event: message_stop
data: {"type":"message_stop"}

"""


class Provider:
    """Notes what it is asked, and answers with `reply`: `ANSWER`, or a stream without end.

    `streams` are those that are open; `left` is set when one of them has been left.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str], bytes]] = []
        self.streams = 0
        self.left = asyncio.Event()
        self.reply: Callable[[Request], Awaitable[Response]] = self._reply
        self.app = Starlette(routes=[Path("/{path:path}", self._answer, methods=["POST"])])

    async def _answer(self, http: Request) -> Response:
        path = http.scope["raw_path"].decode()
        self.asked.append((path, dict(http.headers), await http.body()))
        return await self.reply(http)

    async def _reply(self, http: Request) -> Response:
        if json.loads(await http.body()).get("stream"):
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

    async def silent(self, http: Request) -> Response:
        """Say nothing until the other side leaves."""
        while (await http.receive())["type"] != "http.disconnect":
            pass
        self.left.set()
        return Response()


def beside(
    test: Callable[[Provider, aiohttp.ClientSession], Any], *, key: str | None = None, **config: Any
) -> None:
    """Run a test with a provider and a client of a gateway, in which `other` is its `real`.

    `key` is the variable of the environment that has the provider's key.
    """

    async def run() -> None:
        async with asyncio.timeout(60), _gateway(config, key) as (provider, client):
            await test(provider, client)

    asyncio.run(run())


@asynccontextmanager
async def _gateway(
    config: dict[str, Any], key: str | None
) -> AsyncIterator[tuple[Provider, aiohttp.ClientSession]]:
    provider = Provider()
    async with served(provider.app) as there:
        routes = [
            ModelRoute("m", "anthropic", there, key=key),
            ModelRoute("other", "anthropic", there, key=key, name="real"),
            ModelRoute("g*", "gemini", there),
        ]
        app = create_app(Config(routes, **config))
        limit = aiohttp.TCPConnector(limit=0)
        async with (
            served(app, http=Guarded) as here,
            aiohttp.ClientSession(here, connector=limit) as client,
        ):
            yield provider, client
