"""A gateway without a codec, for its cost: Starlette and aiohttp pass each request on unchanged.

`python -m bench.gateway.bare PORT PROVIDER`, where PROVIDER is an address.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route


def _app(provider: str) -> Starlette:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, aiohttp.ClientSession]]:
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as client:
            yield {"client": client}

    async def passed(http: Request) -> Response:
        body = await http.body()
        headers = {"content-type": "application/json"}
        client = http.state.client
        response = await client.post(provider + http.url.path, data=body, headers=headers)
        if response.content_type == "application/json":
            return Response(await response.read(), media_type="application/json")
        chunks = response.content.iter_any()
        return StreamingResponse(chunks, media_type=response.content_type)

    return Starlette(routes=[Route("/{path:path}", passed, methods=["POST"])], lifespan=lifespan)


if __name__ == "__main__":
    uvicorn.run(_app(sys.argv[2]), port=int(sys.argv[1]), log_level="warning")
